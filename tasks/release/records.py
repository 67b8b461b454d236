"""The release report of an attempt."""

from __future__ import annotations

from typing import Literal

from tasks.matter.base import Record
from tasks.reconcile.records import Finding
from tasks.sources.records import CoverageEntry


class GateResult(Record):
    """One gate: how much was checked, how much verified, what is flagged."""

    gate: str
    status: Literal["passed", "flagged", "blocked"]
    checked: int
    verified: int
    findings: tuple[Finding, ...] = ()


class ReleaseReport(Record):
    """Released, released with flags, or blocked, with the reasons in order of consequence.

    Attributes:
        gates: In the order of the registry of checks.
        deliverables: File names that were reopened by the judge's reader.
    """

    schema_version: int = 1
    matter_id: str
    status: Literal["released", "released_with_flags", "blocked"]
    gates: tuple[GateResult, ...]
    coverage: tuple[CoverageEntry, ...]
    deliverables: tuple[str, ...]
