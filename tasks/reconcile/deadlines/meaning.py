"""What the end of a period means: a due date, the first day of something, how far the law looks back."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from tasks.reconcile.deadlines.calendars import ONE_DAY
from tasks.reconcile.deadlines.records import Deadline, Kind
from tasks.reconcile.deadlines.rules import NO_DUE_DATE, DeadlineRule

_TOLD: Final[dict[str, str]] = {
    "earliest": "the first day on which it may be done is {0}",
    "ends": "the period ends with {0}",
    "begins": "the period begins on {0}",
    "since": "the law reaches back to {0}, that day included",
    "least_until": "the least period runs to {0}, that day included",
}


def meaning(found: Deadline, rule: DeadlineRule | None) -> dict[str, Any]:
    """Return what a computed period means, to be laid over the answer of the deadline tool.

    Args:
        found: The count.
        rule: The named rule; a bare period is taken for a deadline.

    Returns:
        ``kind``, and of a decision ``decision_by``. Of what is neither deadline nor decision: ``due`` (none) and the
        day or days that it fixes (``earliest``, ``ends``, ``begins``, ``since``, ``least_until``). ``said`` is a plain
        sentence about it.
    """
    kind: Kind = rule.kind if rule else "deadline"
    if rule is None or kind == "deadline":
        return {"kind": kind, "said": ""}
    if kind == "decision":
        said = f"{rule.rule_id} is the time of an authority, a court or the other side to act: by {found.due}."
        return {"kind": kind, "decision_by": found.due.isoformat(), "said": said}
    days = _fixed(found, rule)
    told = "".join(f"; {_TOLD[name].format(day)}" for name, day in days.items())
    answer: dict[str, Any] = {name: day.isoformat() for name, day in days.items()}
    if found.due_at:
        answer["ends_at"] = found.due_at.isoformat()
    said = f"{rule.rule_id} has no due date: {NO_DUE_DATE[kind]}{told}."
    return {"kind": kind, "due": None, "due_at": None, **answer, "said": said}


def _fixed(found: Deadline, rule: DeadlineRule) -> dict[str, date]:
    """Return the days that a period of another kind fixes, by their names in the answer."""
    end, after = found.due, rule.direction == "after"
    if rule.kind in ("earliest", "waiting"):
        if not after or rule.convention in ("anniversary", "before_the_day"):
            return {"earliest": end}
        ends = {"ends": end} if rule.kind == "waiting" else {}
        return {**ends, "earliest": end + ONE_DAY}
    if rule.kind == "duration":
        return {"ends" if after else "begins": end}
    return {"since" if rule.kind == "look_back" else "least_until": end}
