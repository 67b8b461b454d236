"""Functions that a question may not call: they reveal the machine (paths, settings, open files)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import duckdb

_OF_THE_CATALOGUE: Final = frozenset(
    f"duckdb_{what}" for what in ("tables", "columns", "views", "functions", "types", "constraints", "keywords")
)
_OF_THE_MACHINE: Final = ("duckdb_", "pragma_")  # the catalogue is told apart from these by its names above
_CALLS: Final = frozenset({"current_setting", "query", "query_table"})  # the last two run text that nobody has read
_KINDS: Final = ("PRAGMA", "CALL")  # the others that ask nothing are refused by the database


def refusal(statement: duckdb.Statement) -> str:
    """Say why a statement is not answered; empty where it may be.

    The database itself refuses to write and to read files (``open_warehouse``); this refuses what it would still tell:
    where the warehouse lies, its settings, its temporary files.
    """
    kind = str(statement.type).rpartition(".")[2]
    if kind in _KINDS:
        return f"{kind} asks nothing of the tables; use SELECT, SHOW TABLES or DESCRIBE"
    for name, is_called in _names(statement.query):
        if (name.startswith(_OF_THE_MACHINE) and name not in _OF_THE_CATALOGUE) or (is_called and name in _CALLS):
            return f"{name} tells of the machine, not of the warehouse; use SHOW TABLES or DESCRIBE"
    return ""


def _names(query: str) -> Iterator[tuple[str, bool]]:
    """Yield every word outside of strings and comments, in small letters, and whether it is called."""
    import duckdb

    text = query.encode()
    found = [(place, kind.name) for place, kind in duckdb.tokenize(query)]
    ends = [place for place, _ in found[1:]] + [len(text)]
    told = [
        (text[place:end].decode("utf-8", "replace").strip(), kind)
        for (place, kind), end in zip(found, ends, strict=True)
        if kind != "comment"
    ]
    for (word, kind), (after, _) in pairwise([*told, ("", "")]):
        if kind in ("identifier", "keyword"):
            yield word.strip('"').replace('""', '"').lower(), after == "("
