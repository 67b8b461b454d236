"""Compute a deadline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from knowledge_db.jurisdictions import HOME
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool

if TYPE_CHECKING:
    from tasks.legaltext.dates.scan import DayOrder
    from tasks.reconcile.deadlines.book import DeadlineBook
    from tasks.reconcile.deadlines.records import Deadline
    from tasks.reconcile.deadlines.rules import DeadlineRule


def deadline(
    desk: Desk,
    *,
    trigger: str,
    rule: str | None = None,
    days: int | None = None,
    business_days: int | None = None,
    weeks: int | None = None,
    months: int | None = None,
    years: int | None = None,
    hours: int | None = None,
    calendar: str | None = None,
    counting: Literal["calendar", "business", "clear"] | None = None,
    direction: Literal["after", "before"] | None = None,
    roll: Literal["forward", "backward", "modified_following", "none"] | None = None,
    first_day: bool = False,
    service_days: int | None = None,
    by_mail: bool = False,
    court: str | None = None,
    inaccessible: list[str] | None = None,
    month_end: bool = False,
    claimed: str | None = None,
) -> dict[str, Any]:
    """Compute a deadline under a named calendar; every step cites its rule, and doubts are said.

    Give a rule (its id or citation, e.g. "Fed. R. Civ. P. 12(a)(1)(A)(i)") or one period. An unknown rule or
    calendar is answered with the names that are known. ``basis`` says against what text the rule and the calendar
    were checked, and as of when; ``attention`` repeats it where the rule rests on a second source alone, or the
    law is known to have changed since. ``kind`` says what the period is; what is neither a deadline nor a decision has
    no ``due`` (null): ``said`` tells why, and ``earliest``, ``ends``, ``begins``, ``since`` or ``least_until`` the day
    that it fixes instead. ``exceptions`` and ``tolling`` say when another period applies and what suspends it.

    Args:
        desk: What the caller may look at.
        trigger: Day of the event: 2024-03-01, or as a document writes it; with its time for hours: 2024-03-01T14:30.
            Of 03/04/2024 both readings are told.
        rule: A named deadline: an id of the knowledge's windows (civil_procedure/answer, or short: frcp_4_m), or a
            citation.
        days: Period in days.
        business_days: Period in business days of the calendar (days, counted business).
        weeks: Period in weeks.
        months: Period in months; a day that the last month lacks becomes its last day.
        years: Period in years.
        hours: Period in hours, counted at once and without a break.
        calendar: Named calendar, e.g. us_federal_courts, nyse, england_and_wales.
        counting: Which days count; clear days count neither end.
        direction: After or before the trigger.
        roll: What to do when the last day is closed. When absent, what the rule of counting of the law or of the
            calendar says; a period without such a rule (a contract's) ends where it ends, unless the contract moves it.
        first_day: The period begins with the day of the event, so it ends a day earlier; a rule knows this itself.
        service_days: Days added for the manner of service (3 for mail under Fed. R. Civ. P. 6(d)).
        by_mail: Served by mail: adds the days that the rule gives for it.
        court: A federal court by its id (nysd, nysb, ca2) in place of a calendar: its state's holidays count.
        inaccessible: Days on which the clerk's office could not be reached.
        month_end: Months from the end of a month end at the end of one.
        claimed: A due date that a docket or document states: explained, or sent to a human with the reason.
    """
    from tasks.reconcile.deadlines.book import book_of
    from tasks.reconcile.deadlines.gate import compute

    book = book_of(desk.knows.knowledge)
    try:
        calendar, named = _calendar(calendar, court, book), book.period(rule) if rule else None
        order = _order(calendar or (named.calendar if named else ""), book)
        if business_days is not None:
            days, counting = _business(business_days, days, counting), "business"
        count = partial(compute, book=book, rule=named, days=days, weeks=weeks, months=months, years=years, hours=hours)
        count = partial(count, calendar=calendar, counting=counting, direction=direction, roll=roll)
        count = partial(count, month_end=month_end, convention="beginning_with" if first_day else None)
        count = partial(count, inaccessible=[_day(day, order) for day in inaccessible or ()])
        begun = moment_of(trigger, order)
        added = service_days if service_days is not None else _mail_days(named) if by_mail else 0
        found = count(begun, service_days=added)
        given = {"trigger": [trigger], "claimed": [claimed] if claimed else [], "inaccessible": inaccessible or []}
        unclear = _all_unclear(given, order, partial(count, service_days=added))
        verdict = _verdict(named, begun, _day(claimed, order), found, book) if claimed else {}
    except ValueError as exc:
        raise _refused(str(exc), book) from None
    return _told(found, named, unclear, book) | verdict


def _calendar(calendar: str | None, court: str | None, book: DeadlineBook) -> str | None:
    """Return the calendar that is named, or that of a court.

    Raises:
        ValueError: Both are named, or the court is unknown.
    """
    from tasks.reconcile.deadlines.docket import court_calendar

    if court is not None and calendar is not None:
        raise ValueError("give a court or a calendar, not both")
    return court_calendar(court, book) if court else calendar


def _business(business_days: int, days: int | None, counting: str | None) -> int:
    """Return the business days that are given, and nothing else beside them.

    Raises:
        ValueError: Days, or another way to count, are given as well.
    """
    if days is not None or counting not in (None, "business"):
        raise ValueError("business_days means days with counting business: give only one of them")
    return business_days


def _told(
    found: Deadline, rule: DeadlineRule | None, unclear: list[dict[str, Any]], book: DeadlineBook
) -> dict[str, Any]:
    """Return a count as the tool tells it: what it means, what it rests on, and what a human must look at."""
    from tasks.reconcile.deadlines.meaning import meaning

    basis = book.basis(rule.rule_id if rule else "", found.calendar)
    other = {name: getattr(rule, name, "") for name in ("exceptions", "tolling")}
    result = {**found.model_dump(mode="json"), **meaning(found, rule), **other, "ambiguous": unclear, "basis": basis}
    doubts = book.doubts(rule.rule_id) if rule else []
    return result | {"attention": [*(row["said"] for row in unclear), *result["attention"], *doubts]}


def _order(calendar: str, book: DeadlineBook) -> DayOrder:
    """Return how the place of a calendar writes 3/4/2026; month first where no place is named."""
    place = book.calendars.named(calendar).row.jurisdiction if calendar else next(iter(HOME))
    return "us" if place.partition("-")[0] in HOME else "dmy"


def _turned(text: str) -> bool:
    """Whether the figures of a day can be read in both orders of day and month, as two different days."""
    return _read(text, "us") != _read(text, "dmy")


def _all_unclear(
    given: Mapping[str, Sequence[str]], order: DayOrder, count: Callable[[date], Deadline]
) -> list[dict[str, Any]]:
    """Return a row for each ambiguous day of the arguments."""
    return [_unclear(name, day, order, count) for name, days in given.items() for day in days if _turned(day)]


def _unclear(name: str, text: str, order: DayOrder, count: Callable[[date], Deadline]) -> dict[str, Any]:
    """Say how an ambiguous day was read, and what the other reading would change."""
    read, other = moment_of(text, order), moment_of(text, "dmy" if order == "us" else "us")
    due = count(other).due if name == "trigger" else None
    first = "the month comes first in the United States" if order == "us" else "the day comes first at this place"
    then = f", and the deadline would be {due}" if due else ""
    said = f"{name} {text!r} is ambiguous: read as {read} ({first}); it may also be {other}{then}: write it as {read}"
    told = {"argument": name, "given": text, "read_as": str(read), "or": str(other), "said": said}
    return told | ({"due_then": str(due)} if due else {})


def _mail_days(rule: DeadlineRule | None) -> int:
    """Return the days that service by mail adds under a rule.

    Raises:
        ValueError: The rule adds none, or none is named.
    """
    if rule is None:
        raise ValueError("by_mail needs a rule; for a period give service_days")
    if not rule.mail_days:
        raise ValueError(f"{rule.rule_id} adds no days for service by mail")
    return rule.mail_days


def _verdict(
    rule: DeadlineRule | None, trigger: date, due: date, found: Deadline, book: DeadlineBook
) -> dict[str, Any]:
    """Compare a claimed due date with the computed one; what the arguments do not give, the rule may explain."""
    from tasks.reconcile.deadlines.docket import explain_due
    from tasks.reconcile.deadlines.rules import DUE, NO_DUE_DATE

    if rule is not None and rule.kind not in DUE:
        reason = f"{due} is claimed as a due date, but {rule.rule_id} has none: {NO_DUE_DATE[rule.kind]}"
        return {"claimed": {"due": due.isoformat(), "status": "human", "reason": reason}}
    if found.due == due:
        return {"claimed": {"due": due.isoformat(), "status": "explained", "reason": f"counted on {found.calendar}"}}
    if rule is None:
        reason = f"{due} is claimed, the count gives {found.due}"
        return {"claimed": {"due": due.isoformat(), "status": "human", "reason": reason}}
    said = explain_due(rule, trigger, due, book, found.calendar)
    return {"claimed": {"due": due.isoformat(), "status": "human", "reason": said.reason}}


def _day(text: str, order: DayOrder) -> date:
    moment = moment_of(text, order)
    return moment.date() if isinstance(moment, datetime) else moment


def moment_of(text: str, order: DayOrder = "us") -> date:
    """Read a day, ISO or in words, or an ISO day with its time; ``order`` is how 3/4/2026 is read.

    Raises:
        ValueError: It is not exactly one day.
    """
    raw = text.strip()
    try:
        return date.fromisoformat(raw)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(raw)
    except ValueError:
        days = _read(raw, order)
        if len(days) != 1:
            raise ValueError(f"{text!r} is not one day") from None
        return date.fromisoformat(days.pop())


def _read(text: str, order: DayOrder) -> set[str]:
    from tasks.legaltext.dates.scan import scan_dates

    return {d.iso for d in scan_dates(text, order) if d.precision == "day"}


def _refused(said: str, book: DeadlineBook) -> SolonError:
    """Return the failure of a call that cannot be counted, with the names that are known."""
    remedy = _remedy(said, book)
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="toolbox", subject="deadline", message=said, remedy=remedy)
    )


def _remedy(said: str, book: DeadlineBook) -> str:
    if "named" in said and "calendar" in said:
        return "give one of these as calendar"
    if "by the id" in said:
        return "give the id of the court, or a calendar"
    if "not one day" in said or "out of range" in said:
        return "write the day as 2024-03-01"
    if "named" in said or "names several" in said:
        return "give one of these ids as rule; `authority` lists the windows on a topic with their ids (window_id)"
    return (
        "give a rule by its id or citation (civil_procedure/answer, frcp_4_m, Fed. R. Civ. P. 59(e); `authority` lists "
        "the windows on a topic with their ids), or one of days, business_days, weeks, months, years, hours, with a "
        f"calendar where it is not that of the federal courts: {', '.join(book.calendars.names)}"
    )


TOOL = Tool(deadline, stage="reconcile", example="--trigger 2024-03-01 --days 21 --calendar us_federal_courts --json")
