"""The suites of the knowledge: its rows and the evidence of our tools, looked at by Great Expectations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from knowledge_db import KnowledgeBase
from knowledge_db.tables import entries, knowledge_tables
from tasks.learning.knowledge.evidence import FAMILIES, evidence
from tasks.matter.base import Record
from warehouse.expectations.suites import Violation, check_all, expected_of, suite_names
from warehouse.knowledge import KnowledgeTables, create_knowledge, insert_rows, load_knowledge

GROUP: Final = "knowledge"


class KnowledgeReport(Record):
    """What the suites say of the knowledge below one folder.

    Attributes:
        entries: Number of entries by substantive family; ``total`` is their sum.
        forms: How our scanner reads the citations of the catalogue: number by form.
        levels: How far the rows of law (authorities and windows) were checked: number by level of their source.
        verified: The same rows by what they were checked against, confirmations by a second source among them.
        expectations: Number of expectations looked at.
        violations: Those that fail.
        error: Why nothing could be looked at: a row that breaks its schema.
    """

    folder: Path
    entries: dict[str, int] = Field(default_factory=dict)
    total: int = 0
    forms: dict[str, int] = Field(default_factory=dict)
    levels: dict[str, int] = Field(default_factory=dict)
    verified: dict[str, int] = Field(default_factory=dict)
    expectations: int = 0
    violations: tuple[Violation, ...] = ()
    error: str = ""

    @property
    def passed(self) -> bool:
        """Whether everything was looked at and nothing fails."""
        return not self.error and not self.violations


def check_knowledge(folder: Path, families: Sequence[str] | None = None) -> KnowledgeReport:
    """Run the suites over the families of a knowledge folder.

    Args:
        folder: A knowledge data folder.
        families: Families to look at, together with the rules that hold for every row. None looks at all of them,
            and at what they cover together.
    """
    import duckdb

    suites = suite_names(GROUP) if families is None else sorted({*families, "entries"} & set(suite_names(GROUP)))
    try:
        tables = knowledge_tables(folder)
        found = evidence(folder, FAMILIES if families is None else families)
        counted = entries(tables)
    except ValueError as error:
        return KnowledgeReport(folder=folder, error=str(error))
    if families is not None:
        tables["citation_forms"] = []  # no family, and half of all rows
    with duckdb.connect() as con:
        create_knowledge(con)
        load_knowledge(con, tables)
        con.execute(files("warehouse").joinpath("expectations", GROUP, "evidence.sql").read_text("utf-8"))
        for table, rows in found.items():
            insert_rows(con, f"evidence.{table}", rows)
        violations = check_all(con, suites, GROUP)
    read = Counter(str(row["form"]) for row in found["citations"] if row["family"] == "authorities")
    return KnowledgeReport(
        folder=folder,
        entries=counted,
        total=sum(counted.values()),
        forms=dict(sorted(read.items())),
        levels=_levels(tables),
        verified=_verified(folder, tables) if families is None else {},
        expectations=sum(len(expected_of(name, GROUP)) for name in suites),
        violations=violations,
    )


def _verified(folder: Path, tables: KnowledgeTables) -> dict[str, int]:
    standings = KnowledgeBase(folder).standings
    rows = (row for family in ("authorities", "windows") for row in tables[family])
    return dict(sorted(Counter(standings.of(row).verified for row in rows).items()))


def _levels(tables: KnowledgeTables) -> dict[str, int]:
    def level(row: Any) -> str:
        known = (s["level"] for s in tables["sources"] if row["provenance"].startswith(s["source"]))
        return str(next(known, "unknown"))

    return dict(sorted(Counter(level(row) for family in ("authorities", "windows") for row in tables[family]).items()))
