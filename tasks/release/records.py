"""The release report of an attempt."""

from __future__ import annotations

from typing import Literal

from tasks.asks.records import AskOutcome
from tasks.matter.base import Record
from tasks.reconcile.records import Finding
from tasks.sources.records import CoverageEntry

Status = Literal["released", "released_with_open_asks", "released_with_flags", "not_answered", "blocked"]


class GateResult(Record):
    """One gate: how much was checked, how much verified, what is flagged."""

    gate: str
    status: Literal["passed", "flagged", "blocked"]
    checked: int
    verified: int
    findings: tuple[Finding, ...] = ()


class ReleaseReport(Record):
    """Whether a work product may go out, with the reasons in order of consequence.

    Attributes:
        status: ``released`` only when every ask is answered, or denied with evidence, and nothing is flagged;
            ``not_answered`` when none is.
        asks: What became of every ask, in the order of the brief.
        gates: In the order of the registry of checks.
        deliverables: File names that were reopened by the judge's reader.
    """

    schema_version: int = 1
    matter_id: str
    status: Status
    asks: tuple[AskOutcome, ...] = ()
    gates: tuple[GateResult, ...]
    coverage: tuple[CoverageEntry, ...]
    deliverables: tuple[str, ...]
