"""Deadline arithmetic: counting, rolling, service days, with the rule for each step."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from tasks.reconcile.deadlines_calendars import ONE_DAY, Calendar, calendar_named
from tasks.reconcile.deadlines_months import add_months
from tasks.reconcile.deadlines_records import Counting, Deadline, Direction, Roll, Step
from tasks.reconcile.deadlines_rules import DAYS_ARE_DAYS, DeadlineRule, find_rule

# Periods shorter than this left intermediate weekends and holidays out until 1 December 2009.
_SHORT_PERIOD: Final = {"frcp": 11, "frbp": 8}
_MAX_DAYS: Final = 40_000
_E_SERVICE_DAYS_END: Final = date(2016, 12, 1)


class _Count:
    """A running count: where it stands, how it got there, what is doubtful."""

    def __init__(self, at: date, calendar: Calendar, direction: Direction) -> None:
        self.at = self.start = at
        self.calendar = calendar
        self.forward = direction == "after"
        self.step = ONE_DAY if self.forward else -ONE_DAY
        self.steps: list[Step] = []
        self.attention: list[str] = []

    def note(self, rule: str, text: str) -> None:
        self.steps.append(Step(rule=rule, note=text, on=self.at))

    def closed(self, day: date | None = None) -> str:
        return self.calendar.closed(day or self.at, forward=self.forward)

    def old_rules(self) -> bool:
        """Whether the count is under the federal time rules before 1 December 2009."""
        return self.calendar.family in _SHORT_PERIOD and self.start < DAYS_ARE_DAYS

    def rule(self, part: str, general: str) -> str:
        """Cite the part of the federal rule where it governs, else a general principle under the calendar."""
        heads = {"frcp": "Fed. R. Civ. P. 6", "frbp": "Fed. R. Bankr. P. 9006"}
        head = heads.get(self.calendar.family)
        if head and self.old_rules():
            return f"{head}{part} (before 2009-12-01)" if part == "(d)" else f"{head}(a) (before 2009-12-01)"
        # Rule 9006 numbers its service days (f), where Rule 6 has (d).
        part = part.replace("(d)", "(f)") if self.calendar.family == "frbp" else part
        return f"{head}{part}" if head else f"{general} ({self.calendar.authority})"


def compute(
    trigger: date,
    *,
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
) -> Deadline:
    """Compute a deadline from exactly one of days, weeks, months, years, hours, or a named rule.

    Args:
        trigger: Day of the event (a ``datetime`` for hours). The day of the event is never counted.
        days: Period in days.
        weeks: Period in weeks.
        months: Period in calendar months; a day that the last month lacks becomes its last day.
        years: Period in years.
        hours: Period in hours, counted at once and without a break.
        rule: A named deadline (id, citation, or the rule itself); gives period, direction, counting, calendar.
        calendar: Named calendar; default the rule's, else ``us_federal_courts``.
        counting: ``calendar`` days, ``business`` days, or ``clear`` days (neither end is counted).
        direction: ``after`` the trigger or ``before`` it.
        roll: What to do when the last day is closed; default forward after an event and backward before one.
        service_days: Days added after the period would otherwise end (3 for service by mail).

    Returns:
        The deadline with its steps, each citing its rule.

    Raises:
        ValueError: Where the period is missing, doubled, negative or absurdly long, or a name is unknown.
    """
    named = find_rule(rule) if isinstance(rule, str) and rule else rule or None
    periods = {"days": days, "weeks": weeks, "months": months, "years": years, "hours": hours}
    given = {unit: n for unit, n in periods.items() if n is not None}
    start = trigger.date() if isinstance(trigger, datetime) else trigger
    if named is not None:
        if given:
            raise ValueError("give a rule or a period, not both")
        given = {named.unit: named.period(start)}
        calendar, counting = calendar or named.calendar, counting or named.counting
        direction, roll = direction or named.direction, roll or named.roll
    if len(given) != 1:
        raise ValueError("give exactly one of days, weeks, months, years, hours, or a rule")
    unit, n = next(iter(given.items()))
    if not 0 <= n <= _MAX_DAYS or not 0 <= service_days <= 366:
        raise ValueError(f"{n} {unit} is not a period")
    count = _Count(start, calendar_named(calendar or "us_federal_courts"), direction or "after")
    if named is not None:
        count.note(
            named.citation, f"{named.act}: {n} {_kind(unit, counting)} {count_word(count)} {named.event} on {start}."
        )
        count.attention.extend(named.caution)
        _warn_change(count, named.citation, start, [until for until, _ in named.earlier])
    if unit == "hours":
        return _hours(count, trigger, n, roll, named.citation if named else "")
    _advance(count, unit, n, counting or "calendar")
    _roll(count, roll or ("forward" if count.forward else "backward"), start)
    if service_days:
        _add_service(count, service_days, roll or "forward")
    return _finish(count, start, named.citation if named else "", None)


def _kind(unit: str, counting: Counting | None) -> str:
    return unit if counting in (None, "calendar") else f"{counting} {unit}"


def count_word(count: _Count) -> str:
    """Return "after" or "before"."""
    return "after" if count.forward else "before"


def _warn_change(count: _Count, citation: str, start: date, changes: list[date]) -> None:
    for until in changes:
        if abs((start - until).days) <= 60:
            count.attention.append(
                f"{citation} changed on {until}, near the event: the old period may govern a pending case"
            )


def _advance(count: _Count, unit: str, n: int, counting: Counting) -> None:
    if unit in {"months", "years"}:
        months = n * (12 if unit == "years" else 1)
        before = count.at
        count.at = add_months(before, months if count.forward else -months)
        clipped = "; the month has no such day, so its last day" if count.at.day != before.day else ""
        count.note(count.rule("(a)(1)", "corresponding date"), f"{n} {unit} from {before} is {count.at}{clipped}.")
        return
    n = n * 7 if unit == "weeks" else n
    if counting == "business":
        _count_open_days(count, n, "business days", f"business days ({count.calendar.authority})")
    elif counting == "clear":
        _clear_days(count, n)
    elif count.old_rules() and n < _SHORT_PERIOD[count.calendar.family]:
        what = "days, weekends and holidays left out of a short period,"
        _count_open_days(count, n, what, count.rule("(a)", ""))
    else:
        first = count.at + count.step
        count.at += n * count.step
        end = f"day {n} is {count.at} ({count.at:%A})"
        text = f"The day of the event is excluded; day 1 is {first}; every day counts; {end}."
        count.note(
            count.rule("(a)(1)(A)-(B)" if count.forward else "(a)(1), (a)(5)", "days are counted from the next day"),
            text,
        )


def _count_open_days(count: _Count, n: int, what: str, rule: str) -> None:
    skipped = []
    left = n
    while left:
        count.at += count.step
        why = count.closed()
        if why:
            skipped.append(f"{count.at} {why}")
        else:
            left -= 1
    listed = f"; left out: {', '.join(skipped[:12])}" if skipped else ""
    count.note(rule, f"{n} {what} end on {count.at} ({count.at:%A}){listed}.")


def _clear_days(count: _Count, n: int) -> None:
    """Neither the day of the event nor the day of the act counts; CPR 2.8(4) leaves weekends out of five or fewer."""
    if count.calendar.family == "cpr" and n <= 5:
        _count_open_days(count, n + 1, "steps over business days, for clear days of five or fewer", "CPR 2.8(2)-(4)")
        return
    count.at += (n + 1) * count.step
    rule = "CPR 2.8(2)-(3)" if count.calendar.family == "cpr" else f"clear days ({count.calendar.authority})"
    count.note(rule, f"{n} clear days lie between the event and {count.at} ({count.at:%A}).")


def _roll(count: _Count, roll: Roll, start: date) -> None:
    doubt = count.calendar.doubtful(count.at)
    if doubt:
        count.attention.append(doubt)
    why = count.closed()
    if not why or roll == "none":
        if why:
            count.note("roll: none", f"{count.at} is closed ({why}) and stays the due date.")
        return
    del start
    forward = roll != "backward"
    origin = count.at
    count.at = _next_open(count, origin, ONE_DAY if forward else -ONE_DAY)
    if roll == "modified_following" and count.at.month != origin.month:
        count.at = _next_open(count, origin, -ONE_DAY)
        count.note(
            "modified following", f"{origin} is closed ({why}); the next open day lies in another month, so {count.at}."
        )
        return
    rule = count.rule("(a)(1)(C)" if forward else "(a)(5)", f"rolling {'forward' if forward else 'backward'}")
    count.note(rule, f"{origin} is closed ({why}); the period runs to {count.at} ({count.at:%A}).")


def _next_open(count: _Count, day: date, step: timedelta) -> date:
    while count.closed(day):
        day += step
    return day


def _add_service(count: _Count, service_days: int, roll: Roll) -> None:
    before = count.at
    count.at += service_days * ONE_DAY
    count.note(
        count.rule("(d)", "service"),
        f"{service_days} days are added after the period would otherwise end on {before}: {count.at} ({count.at:%A}).",
    )
    if before < _E_SERVICE_DAYS_END and count.calendar.family in {"frcp", "frbp"}:
        count.attention.append(
            "Before 2016-12-01 the added days covered electronic service too: check the manner of service"
        )
    _roll(count, roll, before)


def _hours(count: _Count, trigger: date, n: int, roll: Roll | None, citation: str) -> Deadline:
    if not isinstance(trigger, datetime):
        raise ValueError("hours need the time of the event, e.g. 2024-03-01T14:30")
    due = trigger + timedelta(hours=n) * (1 if count.forward else -1)
    count.at = due.date()
    count.note(
        count.rule("(a)(2)(A)-(B)", "hours are counted at once, without a break"),
        f"{n} hours from {trigger.isoformat(timespec='minutes')} end at {due.isoformat(timespec='minutes')}.",
    )
    federal = count.calendar.family in {"frcp", "frbp"}
    chosen: Roll = roll or (("forward" if count.forward else "backward") if federal else "none")
    why = count.closed()
    if why and chosen != "none":
        count.at = _next_open(count, count.at, ONE_DAY if chosen != "backward" else -ONE_DAY)
        due = datetime.combine(count.at, due.timetz())
        count.note(
            count.rule("(a)(2)(C)", "rolling"),
            f"That day is closed ({why}); the same time on {count.at} ({count.at:%A}).",
        )
    return _finish(count, trigger.date(), citation, due)


def _finish(count: _Count, start: date, citation: str, due_at: datetime | None) -> Deadline:
    attention = list(count.attention)
    if count.calendar.warning:
        attention.append(count.calendar.warning)
    if count.calendar.family in {"frcp", "frbp"} and min(start, count.at) < DAYS_ARE_DAYS <= max(start, count.at):
        attention.append("The period straddles 2009-12-01, when the time computation rules changed")
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
