"""One finding for one fault: a duration is a figure and may be a window, so two gates check it."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.reconcile.records import Finding, GateCheck

_WEIGHT = {"block": 2, "flag": 1, "note": 0}  # the order of severities


def without_duplicates(checks: Sequence[GateCheck]) -> tuple[GateCheck, ...]:
    """Drop the findings of the number gate that the date gate also makes, on the same words and at least as severe.

    The date gate knows more of a window: its trigger, its direction, its kind of days.

    Args:
        checks: The checks of one work product, in any order; the counts of what was checked stay.
    """
    dated = [f for c in checks if c.gate == "date" for f in c.findings]
    return tuple(
        c.model_copy(update={"findings": tuple(f for f in c.findings if not _said_by(f, dated))})
        if c.gate == "number"
        else c
        for c in checks
    )


def _said_by(finding: Finding, others: Sequence[Finding]) -> bool:
    return any(
        o.deliverable == finding.deliverable
        and o.start < finding.end
        and finding.start < o.end
        and _WEIGHT[o.severity] >= _WEIGHT[finding.severity]
        for o in others
    )
