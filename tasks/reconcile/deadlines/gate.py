"""Deadline arithmetic: counting, rolling, service days, with the rule for each step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from typing import Final

from tasks.reconcile.deadlines.book import DeadlineBook
from tasks.reconcile.deadlines.calendars import ONE_DAY
from tasks.reconcile.deadlines.count import Count, add_hours, add_service, advance, lengthen, roll_off
from tasks.reconcile.deadlines.records import Convention, Counting, Deadline, Direction, Roll
from tasks.reconcile.deadlines.rules import DAYS_ARE_DAYS, DeadlineRule

_MAX_DAYS: Final = 40_000  # some 110 years; a longer period is taken for a typing error
_USUAL: Final = "us_federal_courts"
_NEAR: Final = 60  # days in which a change of the law may reach a pending case
_LOOKED_AT: Final = 14  # days: so many hold two working days whatever holidays fall in them
_YEARS: Final = (1800, 2300)  # so that no period leaves the calendar
_MOST_SERVICE_DAYS: Final = 366  # no law adds more for the manner of service; more is taken for a typing error
_SURE: Final = (1970, 2100)  # years of which holidays and time rules are taken as known; of others it is said


def compute(
    trigger: date,
    *,
    book: DeadlineBook,
    days: int | None = None,
    weeks: int | None = None,
    months: int | None = None,
    years: int | None = None,
    hours: int | None = None,
    rule: str | DeadlineRule | None = None,
    calendar: str | None = None,
    counting: Counting | None = None,
    direction: Direction | None = None,
    roll: Roll | None = None,
    service_days: int = 0,
    inaccessible: Iterable[date] = (),
    month_end: bool = False,
    convention: Convention | None = None,
) -> Deadline:
    """Compute a deadline from exactly one of days, weeks, months, years, hours, or a named rule.

    Args:
        trigger: Day of the event (a ``datetime`` for hours).
        book: The rules and calendars to count by.
        days: Period in days.
        weeks: Period in weeks.
        months: Period in calendar months; a day that the last month lacks becomes its last day.
        years: Period in years.
        hours: Period in hours, counted at once and without a break.
        rule: A named deadline (id, citation, or the rule itself); gives period, direction, counting, calendar.
        calendar: Named calendar; default the rule's, else ``us_federal_courts``.
        counting: ``calendar`` days, ``business`` days, or ``clear`` days (neither end is counted).
        direction: ``after`` the trigger or ``before`` it.
        roll: What to do when the last day is closed; default what the rule of counting of the rule, or of the calendar,
            says; without such a rule the period ends where it ends.
        service_days: Days added for the manner of service: under the federal rules after the period would otherwise
            end, elsewhere to the period itself, before anything moves its end.
        inaccessible: Days on which the office was open by rule but could not be reached.
        month_end: Months from the end of a month end at the end of one (the end-of-month convention of markets).
        convention: From where the days are counted; default the rule's, else ``after``: the day of the event is left
            out.

    Returns:
        The deadline with its steps, each citing its rule.

    Raises:
        ValueError: Where the period is missing, doubled, negative or absurdly long, or a name is unknown.
    """
    named = book.deadline(rule) if isinstance(rule, str) and rule else rule or None
    periods = {"days": days, "weeks": weeks, "months": months, "years": years, "hours": hours}
    start = trigger.date() if isinstance(trigger, datetime) else trigger
    if named is not None:
        calendar, counting = calendar or named.calendar, counting or named.counting
        direction, convention = direction or named.direction, convention or named.convention
    unit, n = _period({unit: n for unit, n in periods.items() if n is not None}, named, start)
    if not 0 <= service_days <= _MOST_SERVICE_DAYS:
        raise ValueError(f"{service_days} days are not added for the manner of service")
    if service_days and direction == "before":
        raise ValueError("days are added for service after an event, never to a period counted back from one")
    counting = _counting(convention or "after", counting, direction, unit, n)
    days_of = book.calendars.named(calendar or _USUAL)
    law = (named.counted_by if named else None) or book.counting.get(days_of.row.family)
    count = Count(start, days_of, direction or "after", frozenset(inaccessible), law)
    count.roll_asked = roll is not None
    if named is not None:
        if roll is None and direction == named.direction:  # counted the other way, the period rolls the other way
            count.roll_authority, roll = named.roll_authority, named.roll
        count.note(
            named.citation,
            f"{named.act}: {n} {_kind(unit, counting)} {_word(count, convention)} {named.event} on {start}.",
        )
        count.attention.extend(named.caution)
        _warn_change(count, named, start)
    cited = named.citation if named else ""
    if unit == "hours":
        return _finish(count, cited, add_hours(count, _moment(count, trigger, known=named is not None), n, roll))
    advance(count, unit, n, counting, month_end=month_end, convention=convention or "after")
    usual = "modified_following" if month_end else _usual_roll(count)
    _end(count, roll, usual, service_days, told=bool(named or calendar or roll))
    return _finish(count, cited, None)


def _period(given: dict[str, int], named: DeadlineRule | None, start: date) -> tuple[str, int]:
    """Return the unit and the number of the one period that is given, or that the rule gives.

    Raises:
        ValueError: None or several are given, or it is no period that is counted here.
    """
    if named is not None and given:
        raise ValueError("give a rule or a period, not both")
    given = {named.unit: named.period(start)} if named is not None else given
    if len(given) != 1:
        raise ValueError("give exactly one of days, weeks, months, years, hours, or a rule")
    unit, n = next(iter(given.items()))
    if not _YEARS[0] <= start.year <= _YEARS[1]:
        raise ValueError(f"{start} is no event of the years {_YEARS[0]} to {_YEARS[1]}")
    if not 0 <= n <= _MAX_DAYS:
        raise ValueError(f"{n} {unit} is not a period")
    return unit, n


def _end(count: Count, roll: Roll | None, usual: Roll, service_days: int, *, told: bool) -> None:
    """Move the end of a period of days: by service, and off a closed day."""
    if service_days and not count.federal:
        lengthen(count, service_days)
    ended = count.at
    roll_off(count, roll or usual)
    if count.at != ended and not told:
        count.attention.append(
            f"No calendar is named: {ended} was moved as a period before the federal courts is; the period of a "
            "contract ends there unless the contract moves it"
        )
    if service_days and count.federal:
        add_service(count, service_days, roll or _usual_roll(count))


def _moment(count: Count, trigger: date, *, known: bool) -> datetime:
    """Return the time of the event; for a named rule the start of its day, which the notes say."""
    if isinstance(trigger, datetime):
        return trigger
    if not known:
        raise ValueError("hours need the time of the event, e.g. 2024-03-01T14:30")
    at = datetime.combine(trigger, time.min)
    count.attention.append(f"The time of the event is not given: counted from {at:%H:%M}, the earliest that it may end")
    return at


def _counting(
    convention: Convention, counting: Counting | None, direction: Direction | None, unit: str, n: int
) -> Counting:
    """Return which days count, where the period can be counted so.

    Raises:
        ValueError: The convention does not fit the period.
    """
    days = unit in {"days", "weeks"}
    if convention == "clear" and (counting == "business" or not days):
        raise ValueError("clear days are calendar days or weeks")
    shortened = convention in {"beginning_with", "before_the_day"}
    if shortened and (direction == "before" or unit == "hours" or n == 0 or counting == "clear"):
        raise ValueError(f"{convention} needs days, weeks, months or years after an event")
    return "clear" if convention == "clear" else counting or "calendar"


def _kind(unit: str, counting: Counting) -> str:
    return unit if counting == "calendar" else f"{counting} {unit}"


def _word(count: Count, convention: Convention | None) -> str:
    if convention == "beginning_with":
        return "beginning with"
    return "after" if count.forward else "before"


def _usual_roll(count: Count) -> Roll:
    """Return how a period rolls whose last day is closed, where only its rule of counting decides."""
    if count.rule is None:
        return "none"
    rolls: Roll = "forward" if count.forward else "backward"
    return rolls if (count.rule.roll if count.forward else count.rule.roll_back) != "none" else "none"


def _warn_change(count: Count, rule: DeadlineRule, start: date) -> None:
    changes = [until for until, _ in rule.earlier]
    for changed in [rule.since, *changes] if rule.since else changes:
        if abs((start - changed).days) <= _NEAR:
            count.attention.append(
                f"{rule.citation} changed on {changed}, near the event: the old period may govern a pending case"
            )
    if rule.since and start < rule.since:
        count.attention.append(f"{rule.citation}: the period before {rule.since} is not held; counted by the one since")


def _working_days(count: Count, least: int) -> Iterator[str]:
    """A period of two days or more must hold so many working days (Regulation 1182/71 art. 3(5))."""
    days = (count.start + ONE_DAY * n for n in range(1, min((count.at - count.start).days, _LOOKED_AT) + 1))
    if sum(not count.calendar.closed(day) for day in days) < least:
        yield f"Fewer than {least} working days: {count.cite('working_days')} may lengthen the period"


def _finish(count: Count, citation: str, due_at: datetime | None) -> Deadline:
    start = count.start
    attention = list(count.attention)
    if count.calendar.row.warning:
        attention.append(count.calendar.row.warning)
    unsure = [day.year for day in (start, count.at) if not _SURE[0] <= day.year <= _SURE[1]]
    if unsure:
        attention.append(f"The holidays and time rules of {unsure[-1]} are not known here with certainty")
    if count.rule is not None and count.rule.warning:
        attention.append(count.rule.warning)
    if count.federal and min(start, count.at) < DAYS_ARE_DAYS <= max(start, count.at):
        attention.append("The period straddles 2009-12-01, when the time computation rules changed")
    least = count.rule.working_days if count.rule else 0
    if least and count.forward and (count.at - start).days >= 2:
        attention.extend(_working_days(count, least))
    if not count.steps:
        count.note("trigger", f"The period is empty; the event was on {start}.")
    return Deadline(
        trigger=start,
        due=count.at,
        due_at=due_at,
        calendar=count.calendar.name,
        rule=citation,
        steps=tuple(count.steps),
        attention=tuple(dict.fromkeys(attention)),
    )
