"""Due dates that a clerk computed: explained by a rule, or referred to a human with what was tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from difflib import get_close_matches
from functools import lru_cache, partial
from typing import Final, Literal

from tasks.matter.base import Record
from tasks.reconcile.deadlines.book import DeadlineBook
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.records import Deadline
from tasks.reconcile.deadlines.rules import DAYS_ARE_DAYS, DeadlineRule

_EVENTS: Final[dict[str, str]] = {
    "service": "frcp_12_a_1_a_i",
    "waiver": "frcp_12_a_1_a_ii",
    "adversary_summons_issued": "frbp_7012_a",
}
_APPEALS: Final = re.compile(r"ca(?:\d{1,2}|dc|fc)")
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


def explain(event: str, trigger: date, due: date, court: str, book: DeadlineBook) -> Explanation:
    """Explain a due date of a federal docket.

    Args:
        event: ``service``, ``waiver`` or ``adversary_summons_issued`` (words in brackets are ignored).
        trigger: Day of the event.
        due: The clerk's due date.
        court: Court id such as ``nysd`` or ``nysb``; its first two letters name the state.
        book: The rules and calendars to count by.

    Raises:
        ValueError: Where the event is unknown.
    """
    kind = event.split("(", maxsplit=1)[0].strip()
    if kind not in _EVENTS:
        raise ValueError(f"no rule for the event {event!r}; known: {', '.join(_EVENTS)}")
    return explain_due(book.rule(_EVENTS[kind]), trigger, due, book, court_calendar(court, book), _UNUSUAL[kind])


def explain_due(
    rule: DeadlineRule,
    trigger: date,
    due: date,
    book: DeadlineBook,
    calendar: str | None = None,
    others: Sequence[str] = (),
) -> Explanation:
    """Explain a claimed due date by its rule; otherwise say which other rule would give it.

    Args:
        rule: The rule.
        trigger: Day of the event, with its time where the rule counts hours.
        due: The claimed day.
        book: The rules and calendars to count by.
        calendar: Named calendar; the rule's own when absent.
        others: Rules that are often confused with it.
    """
    count = partial(compute, trigger, book=book, calendar=calendar or rule.calendar)
    expected = count(rule=rule)
    if expected.due == due:
        return Explanation(
            status="explained", reason=f"{expected.rule}, counted on {expected.calendar}", deadline=expected
        )
    for reason, candidate in _alternatives(rule, trigger, count, book, others):
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


def court_calendar(court: str, book: DeadlineBook) -> str:
    """Return the calendar of a federal court by its id: ``nysd``, ``nysb``, ``ca2``; its state where that is known.

    Raises:
        ValueError: No court has this id: read by its first letters, it could count by another state's holidays.
    """
    name = court.strip().lower()
    courts = _courts()
    if name not in courts:
        turned = name[2:] + name[:2]  # "sdny" is how New York's southern district is spoken of; its id is nysd
        near = [turned] if turned in courts else get_close_matches(name, courts, n=5)
        meant = f"; perhaps {', '.join(near)}" if near else ""
        raise ValueError(f"no federal court by the id {court!r}, such as nysd, nysb or ca2{meant}")
    if _APPEALS.fullmatch(name):
        return "us_appeals_courts"
    family = "bankruptcy" if name.endswith("b") else "us_federal_courts"
    # its letters may mislead (arb sits in Arizona); they count where its seat is no place of the calendar's
    state = book.calendars.letters(family, courts[name]) or book.calendars.letters(family, name[:2])
    return book.calendars.named(f"{family}_{state}" if state else family).name


@lru_cache(maxsize=1)
def _courts() -> dict[str, str]:
    """Map the id of each federal court to where it sits."""
    from courts_db import courts

    return {court["id"]: court["location"] for court in courts if court["system"] == "federal"}


def _alternatives(
    rule: DeadlineRule, trigger: date, count: Callable[..., Deadline], book: DeadlineBook, others: Sequence[str]
) -> Iterator[tuple[str, Deadline]]:
    yield from _variants(rule, trigger, count, book)
    for rule_id in others:
        found = count(rule=rule_id)
        yield f"as under {found.rule} ({book.rule(rule_id).event})", found
    if rule.unit != "days":
        return
    n = rule.period(trigger)
    for days, why in ((n - 1, "counting the day of the event"), (n + 1, "a day too many")):
        yield f"by {why}", count(rule=_of_days(rule, days))
    if rule.direction == "after":
        for days in (14, 28, 30, 35, 40, 42, 45, 60, 90):
            why = f"with {days} days (an extension or stipulation?)"
            yield why, count(rule=_of_days(rule, days))


def _variants(
    rule: DeadlineRule, trigger: date, count: Callable[..., Deadline], book: DeadlineBook
) -> Iterator[tuple[str, Deadline]]:
    """Yield the same rule counted in another way."""
    if rule.direction == "after" and rule.unit == "days":
        yield "with three days for service by mail", count(rule=rule, service_days=3)
    still = count(rule=rule, roll="none")
    yield "without moving it off a closed day", still
    family, _, state = still.calendar.rpartition("_")
    if family in book.calendars.state_families and state:
        yield "without the state's holidays", count(rule=rule, calendar=family)
    for other in {n for _, n in rule.earlier} | {rule.n}:
        if other != rule.period(trigger):
            era = "former" if trigger >= DAYS_ARE_DAYS else "later"
            yield f"with the {era} period of {other} {rule.unit}", count(rule=rule._replace(n=other, earlier=()))


def _of_days(rule: DeadlineRule, days: int) -> DeadlineRule:
    return rule._replace(n=max(days, 0), earlier=())
