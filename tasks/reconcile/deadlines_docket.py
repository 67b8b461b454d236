"""Due dates that a clerk computed: explained by a rule, or sent to a human with what was tried."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final, Literal

from tasks.matter.base import Record
from tasks.reconcile.deadlines import compute
from tasks.reconcile.deadlines_records import Deadline
from tasks.reconcile.deadlines_rules import DAYS_ARE_DAYS, deadline_rules

_EVENTS: Final[dict[str, tuple[str, ...]]] = {
    "service": ("frcp_12_a_1_a_i",),
    "waiver": ("frcp_12_a_1_a_ii",),
    "adversary_summons_issued": ("frbp_7012_a",),
}
# Explanations that are possible but need a human's word.
_UNUSUAL: Final[dict[str, tuple[str, ...]]] = {
    "service": ("frcp_12_a_2", "frcp_12_a_1_a_ii", "frcp_12_a_1_a_ii_abroad", "frcp_81_c_2_a", "frcp_12_a_4_a"),
    "waiver": ("frcp_12_a_1_a_ii_abroad", "frcp_12_a_1_a_i", "frcp_12_a_2"),
    "adversary_summons_issued": ("frcp_12_a_1_a_i", "frcp_12_a_2"),
}


class Explanation(Record):
    """Why a docketed due date is what it is.

    Attributes:
        status: ``explained`` by the rule of its event, or ``human``: see ``reason``.
        deadline: The computation that gives the due date, or the expected one where none does.
    """

    status: Literal["explained", "human"]
    reason: str
    deadline: Deadline


def explain(event: str, trigger: date, due: date, court: str) -> Explanation:
    """Explain a due date of a federal docket.

    Args:
        event: ``service``, ``waiver`` or ``adversary_summons_issued`` (words in brackets are ignored).
        trigger: Day of the event.
        due: The clerk's due date.
        court: Court id such as ``nysd`` or ``nysb``; its first two letters name the state.

    Raises:
        ValueError: Where the event is unknown.
    """
    kind = event.split("(", maxsplit=1)[0].strip()
    if kind not in _EVENTS:
        raise ValueError(f"no rule for the event {event!r}; known: {', '.join(_EVENTS)}")
    calendar = _calendar(court)
    expected = compute(trigger, rule=_EVENTS[kind][0], calendar=calendar)
    if expected.due == due:
        return Explanation(
            status="explained", reason=f"{expected.rule}, counted on {expected.calendar}", deadline=expected
        )
    for reason, candidate in _alternatives(kind, trigger, calendar):
        if candidate.due == due:
            return Explanation(
                status="human", reason=f"not {expected.due} under {expected.rule}, but {reason}", deadline=candidate
            )
    gap = (due - expected.due).days
    apart = f"{abs(gap)} days {'later' if gap > 0 else 'earlier'}"
    reason = f"the docket says {due}, {expected.rule} gives {expected.due}: {apart}"
    return Explanation(
        status="human", reason=f"{reason}; no other rule leads there (order, stipulation or error?)", deadline=expected
    )


def _calendar(court: str) -> str:
    state = court.strip().lower()[:2]
    family = "bankruptcy" if court.strip().lower().endswith("b") else "us_federal_courts"
    return f"{family}_{state}"


def _alternatives(kind: str, trigger: date, calendar: str) -> Iterator[tuple[str, Deadline]]:
    rule = deadline_rules()[_EVENTS[kind][0]]
    yield "with three days for service by mail", compute(trigger, rule=rule.rule_id, calendar=calendar, service_days=3)
    yield "without moving it off a closed day", compute(trigger, rule=rule.rule_id, calendar=calendar, roll="none")
    federal_only = calendar.rpartition("_")[0].replace("bankruptcy", "us_federal_courts")
    yield "without the state's holidays", compute(trigger, rule=rule.rule_id, calendar=federal_only)
    for other in {n for _, n in rule.earlier} | {rule.n}:
        if other != rule.period(trigger):
            era = "former" if trigger >= DAYS_ARE_DAYS else "later"
            yield f"with the {era} period of {other} days", compute(trigger, days=other, calendar=calendar)
    for rule_id in _UNUSUAL[kind]:
        found = compute(trigger, rule=rule_id, calendar=calendar)
        yield f"as under {found.rule} ({deadline_rules()[rule_id].event})", found
    for days, why in (
        (rule.period(trigger) - 1, "counting the day of the event"),
        (rule.period(trigger) + 1, "a day too many"),
    ):
        yield f"by {why}", compute(trigger, days=days, calendar=calendar)
    for days in (14, 28, 30, 35, 40, 42, 45, 60, 90):
        yield f"with {days} days (an extension or stipulation?)", compute(trigger, days=days, calendar=calendar)
