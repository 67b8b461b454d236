"""Runs the suites of this folder over an open warehouse.

A suite is two files: ``<suite>.sql`` says what is looked at, ``<suite>.toml`` what is expected of it, each
expectation with the sentence that a person reads when it fails. A group is a folder of suites: those of
``knowledge`` look at the families of the knowledge, not at what landed.

The rows stay in the database: it counts, in one query a suite, how many rows break each expectation (``counting.py``).
At every landing these counts decide what is published, and what breaks an expectation is looked up row by row. Once a
warehouse is published, ``solon land`` gives its counts to great-expectations, which takes longer to import than a
landing takes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from warehouse.expectations.counting import BrokenRows, Counted, count_broken, look_up
from warehouse.expectations.library import import_library
from warehouse.records import TABLES
from warehouse.sql import open_warehouse

if TYPE_CHECKING:
    import duckdb

EXAMPLES = 3  # parts or entries that a violation names; the others are counted
OF_WHAT_IS_COMPUTED = "scores"
"""The suite that looks at what a landing computes; all others look at the rows that landed."""


class Violation(BaseModel):
    """An expectation that failed.

    Attributes:
        suite: Name of the suite.
        expectation: Kind of the expectation and the columns it looks at.
        message: What should hold, in one sentence.
        count: How many rows break it.
        examples: A few of the values that do.
        parts: Parts that brought them.
        entries: Entries of the knowledge that break it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    expectation: str
    message: str
    count: int = 0
    examples: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()

    def line(self) -> str:
        """Render as one line."""
        shown = self.entries or self.examples
        seen = f"; {self.count} rows, e.g. {', '.join(shown)}" if shown else ""
        more = f" and {len(self.parts) - EXAMPLES} more" if len(self.parts) > EXAMPLES else ""
        where = f"; from {', '.join(self.parts[:EXAMPLES])}{more}" if self.parts else ""
        return f"expectation failed in suite {self.suite}: {self.message} [{self.expectation}]{seen}{where}"


@cache
def suite_names(group: str = "") -> tuple[str, ...]:
    """Return the names of the suites of a group."""
    scripts = files("warehouse").joinpath("expectations", group).iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in scripts if f.name.endswith(".toml")))


def check_all(
    con: duckdb.DuckDBPyConnection, suites: Sequence[str] | None = None, group: str = ""
) -> tuple[Violation, ...]:
    """Return every expectation that the open warehouse fails, of all suites of a group or of those named."""
    import duckdb

    counts: list[Counted] = []
    uncountable: list[Violation] = []
    for name in suite_names(group) if suites is None else suites:
        if not group and _is_empty(con, name):
            continue  # a suite that bears the name of a table looks at its rows
        rows = _text(group, f"{name}.sql")
        try:
            counts += count_broken(con, name, rows, expected_of(name, group))
        except duckdb.DataError as error:  # a number or date that cannot be reckoned with; the transaction is over
            told = f"what it looks at can be computed ({str(error).splitlines()[0]})"
            uncountable = [Violation(suite=name, expectation=f"{name}.sql", message=told)]
            break
    failed = [one for one in counts if one.broken > one.allowed]
    if uncountable:  # nothing more can be looked up
        return (*(_violation(one, None) for one in failed), *uncountable)
    return tuple(_violation(one, look_up(con, one, EXAMPLES)) for one in failed)


def _is_empty(con: duckdb.DuckDBPyConnection, suite: str) -> bool:
    return suite in TABLES and not con.execute(f"SELECT 1 FROM {suite} LIMIT 1").fetchall()  # noqa: S608 - our own name


def check_published(database: Path) -> tuple[Violation, ...]:
    """Return every expectation that great-expectations finds broken in a published warehouse."""
    with open_warehouse(database) as con:
        counts = [*counted(con)]
        return tuple(_violation(counts[number], look_up(con, counts[number], EXAMPLES)) for number in _broken(counts))


def counted(con: duckdb.DuckDBPyConnection, group: str = "") -> Iterator[Counted]:
    """Yield what every expectation of a group finds in a warehouse that is published."""
    for name in suite_names(group):
        yield from count_broken(con, name, _text(group, f"{name}.sql"), expected_of(name, group))


@cache
def expected_of(suite: str, group: str = "") -> tuple[dict[str, Any], ...]:
    """Return the expectations of a suite, one entry each."""
    return tuple(tomllib.loads(_text(group, f"{suite}.toml"))["expect"])


@cache
def _text(group: str, name: str) -> str:
    return files("warehouse").joinpath("expectations", group, name).read_text("utf-8")


@cache
def open_batches() -> Any:
    """Return what makes batches of data frames: it writes no files, shows no progress bars and calls no network."""
    import_library()
    import great_expectations as gx
    from great_expectations.data_context.types.base import (
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )

    stores = InMemoryStoreBackendDefaults(init_temp_docs_sites=False)
    config = DataContextConfig(store_backend_defaults=stores, analytics_enabled=False)
    context = gx.get_context(mode="ephemeral", project_config=config)
    context.variables.progress_bars = ProgressBarsConfig(globally=False, metric_calculations=False)
    asset = context.data_sources.add_pandas("warehouse").add_dataframe_asset("suite")
    return asset.add_batch_definition_whole_dataframe("counts")


def _broken(counts: Sequence[Counted]) -> list[int]:
    """Ask great-expectations which counts are more than is allowed."""
    batches = open_batches()
    import great_expectations as gx
    import pandas as pd
    from great_expectations import expectations as kinds

    told = pd.DataFrame({"allowed": [c.allowed for c in counts], "broken": [c.broken for c in counts]})
    batch = batches.get_batch({"dataframe": told})
    suite = gx.ExpectationSuite(name="counts")
    suite.add_expectation(
        kinds.ExpectColumnPairValuesAToBeGreaterThanB(column_A="allowed", column_B="broken", or_equal=True)
    )
    if batch.validate(suite, result_format="BOOLEAN_ONLY").success:
        return []
    # which they are is arithmetic; that there are some is what great-expectations says
    return [number for number, c in enumerate(counts) if c.broken > c.allowed]


def _violation(one: Counted, found: BrokenRows | None) -> Violation:
    return Violation(
        suite=one.suite,
        expectation=f"{one.wish['kind']}({', '.join(one.columns)})",
        message=str(one.wish["message"]),
        count=one.broken,
        examples=tuple(value[:80] for value in found.examples) if found else (),
        parts=found.parts if found else (),
        entries=tuple(entry[:80] for entry in found.entries[:EXAMPLES]) if found else (),
    )
