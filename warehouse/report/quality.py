"""The page of the data's quality: every expectation of every suite, on how many rows it holds, and what was refused.

It stands in for the Data Docs of great-expectations, whose pages fetch styles and scripts from the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warehouse.expectations.counting import Counted
from warehouse.expectations.suites import counted
from warehouse.report.blocks import ReportSection, table
from warehouse.sql import ask

if TYPE_CHECKING:
    import duckdb


def quality(con: duckdb.DuckDBPyConnection) -> list[ReportSection]:
    """Return the sections of the page: what was refused, and each suite with what it expects.

    Args:
        con: An open published warehouse.
    """
    by_suite: dict[str, list[Counted]] = {}
    for one in counted(con):
        by_suite.setdefault(one.suite, []).append(one)
    return [_summary(by_suite), _refused(con), *(_suite(name, found) for name, found in by_suite.items())]


def _summary(by_suite: dict[str, list[Counted]]) -> ReportSection:
    import polars as pl

    rows = [
        {
            "suite": name,
            "expectations": len(found),
            "rows": max(one.total for one in found),
            "failed": sum(one.broken > one.allowed for one in found),
        }
        for name, found in by_suite.items()
    ]
    shown = table(pl.DataFrame(rows), ["suite", "expectations", "rows", "failed"], "Suites")
    lead = "What is published passed every suite when it landed; it was counted again for this page."
    return ReportSection("suites", "Suites", lead, (), (shown,))


def _refused(con: duckdb.DuckDBPyConnection) -> ReportSection:
    frame = ask(con, "what_was_quarantined")
    shown = table(frame, ["part", "message"], "Parts that did not land", question="what_was_quarantined")
    lead = "These parts were refused and lie where they were; everything else landed."
    return ReportSection("quarantine", "Quarantine", lead, (), (shown,) if frame.height else (), "No part was refused.")


def _suite(name: str, found: Sequence[Counted]) -> ReportSection:
    import polars as pl

    rows = [
        {
            "holds": "yes" if one.broken <= one.allowed else "NO",
            "expected": str(one.wish["message"]),
            "kind": f"{one.wish['kind'].removeprefix('Expect')}({', '.join(one.columns)})",
            "values": one.present,
            "broken": one.broken,
            "allowed": one.allowed,
        }
        for one in found
    ]
    frame = pl.DataFrame(rows)
    shown = table(frame, ["holds", "expected", "kind", "values", "broken", "allowed"], f"Expectations of {name}")
    return ReportSection(f"suite-{name}", name.replace("_", " "), f"{found[0].total:,} rows.", (), (shown,))
