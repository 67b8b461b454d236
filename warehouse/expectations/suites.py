"""Runs the suites of this folder over an open warehouse.

A suite is two files: ``<suite>.sql`` says what is looked at, ``<suite>.toml`` what is expected of it, each
expectation with the sentence that a person reads when it fails. A group is a folder of suites: those of
``knowledge`` look at the families of the knowledge, not at what landed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from warehouse.expectations.library import import_library

if TYPE_CHECKING:
    import duckdb

EXAMPLES = 3


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


def suite_names(group: str = "") -> list[str]:
    """Return the names of the suites of a group."""
    scripts = files("warehouse").joinpath("expectations", group).iterdir()
    return sorted(f.name.removesuffix(".toml") for f in scripts if f.name.endswith(".toml"))


def check_all(
    con: duckdb.DuckDBPyConnection, suites: Sequence[str] | None = None, group: str = ""
) -> tuple[Violation, ...]:
    """Return every expectation that the open warehouse fails, of all suites of a group or of those named."""
    import duckdb

    violations: list[Violation] = []
    batches: Any = None
    for name in suite_names(group) if suites is None else suites:
        try:
            rows = con.execute(_text(group, f"{name}.sql")).df()
        except duckdb.DataError as error:  # a number or date that cannot be reckoned with; the transaction is over
            told = f"what it looks at can be computed ({str(error).splitlines()[0]})"
            return (*violations, Violation(suite=name, expectation=f"{name}.sql", message=told))
        if len(rows):
            batches = batches or _open_batches()
            violations += _check(batches.get_batch({"dataframe": rows}), name, expected_of(name, group))
    return tuple(violations)


def expected_of(suite: str, group: str = "") -> list[dict[str, Any]]:
    """Return the expectations of a suite, one entry each."""
    wishes: list[dict[str, Any]] = tomllib.loads(_text(group, f"{suite}.toml"))["expect"]
    return wishes


def _text(group: str, name: str) -> str:
    return files("warehouse").joinpath("expectations", group, name).read_text("utf-8")


def _open_batches() -> Any:
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
    return asset.add_batch_definition_whole_dataframe("rows")


def _check(batch: Any, name: str, expected: list[dict[str, Any]]) -> Iterable[Violation]:
    """Return the expectations that a batch fails, with the rows at fault; those are looked for only if there are."""
    import great_expectations as gx
    from great_expectations import expectations as kinds

    suite = gx.ExpectationSuite(name=name)
    for number, wish in enumerate(expected):
        arguments = {k: v for k, v in wish.items() if k not in ("kind", "message")}
        suite.add_expectation(getattr(kinds, wish["kind"])(**arguments, meta={"number": number}))
    if batch.validate(suite, result_format="BOOLEAN_ONLY").success:
        return []
    detail: dict[str, Any] = {"result_format": "COMPLETE", "partial_unexpected_count": EXAMPLES}
    index = [column for column in ("part", "entry") if column in batch.columns()]
    if index:
        detail["unexpected_index_column_names"] = index
    outcome = batch.validate(suite, result_format=detail)
    return [_violation(name, expected, result) for result in outcome.results if not result.success]


def _violation(name: str, expected: list[dict[str, Any]], result: Any) -> Violation:
    wish = expected[result.expectation_config.meta["number"]]
    columns = wish.get("column") or ", ".join(wish.get("column_list", []))
    found = result.result or {}
    examples = [str(value)[:80] for value in found.get("partial_unexpected_list") or []]
    index = found.get("unexpected_index_list") or []
    found_in = [entry for entry in index if isinstance(entry, dict)]
    parts = sorted({str(entry["part"]) for entry in found_in if "part" in entry})
    entries = sorted({str(entry["entry"])[:80] for entry in found_in if "entry" in entry})
    return Violation(
        suite=name,
        expectation=f"{wish['kind']}({columns})",
        message=str(wish["message"]),
        count=int(found.get("unexpected_count") or 0),
        examples=tuple(examples[:EXAMPLES]),
        parts=tuple(parts),
        entries=tuple(entries[:EXAMPLES]),
    )
