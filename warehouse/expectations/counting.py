"""Expectations as SQL: how many rows break each, counted where the rows are.

The kinds are those of great-expectations, and mean the same: a value that is absent breaks nothing, and ``mostly``
allows a share of the others to.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

Wish = Mapping[str, Any]


@dataclass(frozen=True)
class Counted:
    """An expectation and what was counted.

    Attributes:
        rows: Query of the rows that it looks at.
        broken: How many of them break it.
        allowed: How many may.
        present: How many have a value to look at.
        total: How many there are.
    """

    suite: str
    rows: str
    wish: Wish
    broken: int
    allowed: int
    present: int = 0
    total: int = 0

    @property
    def columns(self) -> list[str]:
        """The columns that it looks at."""
        return columns_of(self.wish)


@dataclass(frozen=True)
class BrokenRows:
    """Rows that break an expectation: some of their values, and all parts and entries that they come from."""

    examples: tuple[str, ...]
    parts: tuple[str, ...]
    entries: tuple[str, ...]


def columns_of(wish: Wish) -> list[str]:
    """Return the columns that an expectation looks at."""
    return [wish["column"]] if "column" in wish else list(wish["column_list"])


def count_broken(con: duckdb.DuckDBPyConnection, suite: str, rows: str, wishes: Sequence[Wish]) -> list[Counted]:
    """Count for each expectation of a suite how many rows break it, in one query.

    Raises:
        KeyError: An expectation is of a kind that is not known here.
    """
    counts = ", ".join(f"{_broken(wish)}, count({wish.get('column', '*')})" for wish in wishes)
    query = f"SELECT count(*), {counts} FROM ({rows}\n)"  # noqa: S608 - our own files
    ((total, *numbers),) = con.execute(query).fetchall()
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return [
        Counted(suite, rows, wish, broken, _allowed(wish, present), present, total)
        for wish, (broken, present) in zip(wishes, pairs, strict=True)
    ]


def _allowed(wish: Wish, present: int) -> int:
    share: float = wish.get("mostly", 1)
    return math.floor(round((1 - share) * present, 6))


def look_up(con: duckdb.DuckDBPyConnection, one: Counted, most: int) -> BrokenRows:
    """Return the rows that break an expectation: at most so many values, and the parts and entries of all of them."""
    columns = ", ".join(one.columns)
    repeated = f"({columns}) IN (SELECT ({columns}) FROM seen GROUP BY ALL HAVING count(*) > 1)"  # noqa: S608
    broken = repeated if one.wish["kind"] in _REPEATED else f"NOT {_holds(one.wish)}"
    query = f"WITH seen AS ({one.rows}\n) SELECT * FROM seen WHERE {broken}"  # noqa: S608 - our own files
    present = con.sql(f"SELECT * FROM ({one.rows}\n) LIMIT 0").columns  # noqa: S608
    shown = f"SELECT concat_ws(', ', {columns}) FROM ({query}) LIMIT {most}"  # noqa: S608
    examples = tuple(value for (value,) in con.execute(shown).fetchall())
    of = {name: _distinct(con, name, query) if name in present else () for name in ("part", "entry")}
    return BrokenRows(examples, of["part"], of["entry"])


def _distinct(con: duckdb.DuckDBPyConnection, column: str, query: str) -> tuple[str, ...]:
    found = con.execute(f"SELECT DISTINCT CAST({column} AS VARCHAR) FROM ({query}) ORDER BY 1").fetchall()  # noqa: S608
    return tuple(value for (value,) in found)


_REPEATED = ("ExpectColumnValuesToBeUnique", "ExpectCompoundColumnsToBeUnique")


def _broken(wish: Wish) -> str:
    """Return the expression that counts the rows which break an expectation."""
    if wish["kind"] == "ExpectColumnValuesToBeUnique":
        return f"count({wish['column']}) - count(DISTINCT {wish['column']})"
    if wish["kind"] == "ExpectCompoundColumnsToBeUnique":
        return f"count(*) - count(DISTINCT ({', '.join(wish['column_list'])}))"
    return f"count(*) FILTER (NOT {_holds(wish)})"


def _holds(wish: Wish) -> str:
    """Return the condition that a value is as expected; NULL for an absent one."""
    column = wish["column"]
    conditions = {
        "ExpectColumnValuesToBeInSet": lambda: f"({column} IN ({', '.join(map(_literal, wish['value_set']))}))",
        "ExpectColumnValuesToBeBetween": lambda: f"({_between(column, wish)})",
        "ExpectColumnValuesToMatchRegex": lambda: f"regexp_matches({column}, {_literal(wish['regex'])})",
    }
    return conditions[wish["kind"]]()


def _between(column: str, wish: Wish) -> str:
    limits = (("min_value", ">="), ("max_value", "<="))
    return " AND ".join(f"{column} {sign} {_literal(wish[name])}" for name, sign in limits if name in wish)


def _literal(value: Any) -> str:
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
