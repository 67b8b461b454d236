"""The rows of a release: gates, what they found, the asks and what was read."""

from __future__ import annotations

from typing import Literal

from warehouse.columns import Count, Label, Name, Prose
from warehouse.row import Row

AskState = Literal["answered", "searched and not found", "not attempted"]


class GateRow(Row):
    """One release gate of an attempt."""

    table = "gate"
    key = ("attempt_id", "gate")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    gate: Name
    position: Count = 0
    status: Literal["passed", "flagged", "blocked"]
    checked: Count = 0
    verified: Count = 0
    n_findings: Count = 0


class FindingRow(Row):
    """One flag on a draft. Offsets are into the deliverable's and the source's canonical text."""

    table = "finding"
    key = ("attempt_id", "position")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    position: Count
    gate: Name
    kind: Name
    severity: Literal["block", "flag", "note"]
    deliverable: Label = ""
    text: Prose = ""
    start_char: Count = 0
    end_char: Count = 0
    sentence: Prose = ""
    checked: Prose = ""
    source_document: Label = ""
    source_start: Count = 0
    source_end: Count = 0
    remedy: Prose = ""


class AskRow(Row):
    """One ask of a brief and what became of it.

    Attributes:
        answer: The line of the table of asks; empty where it was not attempted.
        answered, not_found, not_attempted: Numbers of documents (or of the data room as a whole) by state.
        problem: Why the claim of the draft was not accepted; empty where it was.
    """

    table = "ask"
    key = ("attempt_id", "position")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    position: Count
    ask_id: Name
    kind: Name
    state: AskState
    words: Prose
    answer: Prose = ""
    answered: Count = 0
    not_found: Count = 0
    not_attempted: Count = 0
    problem: Prose = ""


class CoverageRow(Row):
    """Whether a document of the data room was read. ``cause`` and ``message`` say why not."""

    table = "coverage"
    key = ("attempt_id", "document")
    owner = ("attempt_id",)
    parent = "attempt"

    attempt_id: Name
    document: Name
    status: Literal["read", "partial", "unread"]
    characters: Count = 0
    cause: Label = ""
    message: Prose = ""
