"""Findings of the checks of a draft, and the groundings of what passed."""

from __future__ import annotations

from skills_repo.release_gates import Severity
from tasks.asks.records import AskOutcome
from tasks.matter.base import Record
from tasks.sources.records import Span


class Finding(Record):
    """One flag on a draft.

    Attributes:
        gate: The release gate it belongs to: a name of the registry.
        kind: What is wrong: one of the kinds of its gate.
        severity: ``block`` stops the release, ``flag`` needs a lawyer's eye, ``note`` informs: what the gate's
            settings say of the kind. A check says none.
        deliverable: File name of the draft it concerns; empty for the matter as a whole.
        start, end: Characters of the deliverable's canonical text; 0, 0 when it has no place.
        sentence: The sentence of the draft.
        checked: What was checked against what, in one sentence.
        grounding: The nearest source span, where there is one.
        remedy: What to do, in one sentence.
    """

    gate: str
    kind: str
    severity: Severity = "flag"
    deliverable: str = ""
    text: str = ""
    start: int = 0
    end: int = 0
    sentence: str = ""
    checked: str = ""
    grounding: Span | None = None
    remedy: str = ""


class Grounding(Record):
    """A figure, date or quotation of the draft with the source span that grounds it.

    Attributes:
        derivation: For a derived value its arithmetic, e.g. ``1200000 - 200000 = 1000000``; else empty.
    """

    deliverable: str
    start: int
    end: int
    text: str
    sources: tuple[Span, ...]
    derivation: str = ""


class GateCheck(Record):
    """The result of one check: what was looked at, what is grounded, what is flagged.

    Attributes:
        asks: What became of each ask; given by the gate of the asks alone.
    """

    gate: str
    checked: int
    grounded: tuple[Grounding, ...] = ()
    findings: tuple[Finding, ...] = ()
    asks: tuple[AskOutcome, ...] = ()
