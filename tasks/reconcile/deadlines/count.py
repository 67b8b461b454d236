"""The steps of a count: days, months, hours, rolling, service days; each notes what it did and its rule."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from knowledge_db.counting import CountingRule, Part
from tasks.reconcile.deadlines.authority import FEDERAL_RULES, cite, old_rules, short_period
from tasks.reconcile.deadlines.calendars import ONE_DAY, Calendar
from tasks.reconcile.deadlines.months import add_months, last_of_month
from tasks.reconcile.deadlines.records import Convention, Counting, CountStep, Direction, Roll

_E_SERVICE_DAYS_END: Final = date(2016, 12, 1)
_MOST_LISTED: Final = 12  # days named in one note; the rest is counted
_FARTHEST: Final = 60  # no calendar is closed for so many days on end


class Count:
    """A count in progress: its current day, its steps so far, and what is doubtful."""

    def __init__(
        self,
        at: date,
        calendar: Calendar,
        direction: Direction,
        inaccessible: frozenset[date],
        rule: CountingRule | None,
    ) -> None:
        self.at = self.start = at
        self.calendar = calendar
        self.rule = rule
        self.inaccessible = inaccessible
        self.forward = direction == "after"
        self.step = ONE_DAY if self.forward else -ONE_DAY
        self.steps: list[CountStep] = []
        self.attention: list[str] = []
        self.roll_authority = ""
        self.roll_asked = False

    def note(self, rule: str, text: str) -> None:
        """Record a step that ends at the current day."""
        self.steps.append(CountStep(rule=rule, note=text, on=self.at))

    def cite(self, part: Part) -> str:
        """Return the provision of a step."""
        if part in ("roll", "roll_back") and self.roll_authority:
            return self.roll_authority
        return cite(part, self.rule, self.calendar.row.authority, self.start)

    def closed(self, day: date | None = None) -> str:
        """Return why a day that decides the deadline is closed, and note what is doubtful about it."""
        at = day or self.at
        doubt = self.calendar.doubtful(at, forward=self.forward)
        if doubt:
            self.attention.append(doubt)
        return self.calendar.closed(at, forward=self.forward)

    def shut(self, day: date | None = None) -> str:
        """Return why a period may not end on a day: a closed day off which its rule, or whoever asks, moves it."""
        at = day or self.at
        why = self.closed(at)
        kind = {5: "saturday", 6: "sunday"}.get(at.weekday(), "holiday")
        if not why or self.roll_asked or self.rule is None or kind in self.rule.rolls_off:
            return why
        # A holiday that falls on a Saturday is a holiday all the same.
        return self.calendar.holiday(at, forward=self.forward) if "holiday" in self.rule.rolls_off else ""

    @property
    def law(self) -> str:
        """The id of the rule of counting; empty where there is none."""
        return self.rule.counting_id if self.rule else ""

    @property
    def federal(self) -> bool:
        """Whether one of the federal time rules applies."""
        return self.law in FEDERAL_RULES


def advance(
    count: Count,
    unit: str,
    n: int,
    counting: Counting,
    *,
    month_end: bool = False,
    convention: Convention = "after",
) -> None:
    """Move the count by its period, before any rolling.

    Args:
        count: The running count.
        unit: Days, weeks, months or years.
        n: How many.
        counting: Which days count.
        month_end: See ``deadlines.compute``.
        convention: From where the days are counted; ``clear`` is a way of counting here.
    """
    if convention == "beginning_with":
        _first_day_counts(count, unit, n, counting)
        return
    if convention == "end_of_month" and count.at == last_of_month(count.at):
        _month_ends(count, unit, n)
        return
    _advance(count, unit, n, counting, month_end=month_end)
    if convention == "next_monday":
        ended = count.at
        count.at += (7 - ended.weekday()) * ONE_DAY
        count.note("the Monday next after", f"The period ends on {ended} ({ended:%A}); the Monday after is {count.at}.")
    if convention == "before_the_day":
        count.at -= ONE_DAY
        count.note("before the day", f"The act must be done before that day: by {count.at} ({count.at:%A}).")


def _month_ends(count: Count, unit: str, n: int) -> None:
    """Months counted from the last day of a month end on the last day of a month."""
    before = count.at
    count.at = last_of_month(add_months(before, (n * 12 if unit == "years" else n) * (1 if count.forward else -1)))
    count.note(count.cite("months"), f"{before} is the last day of its month, so {n} {unit} from it end on {count.at}.")


def _first_day_counts(count: Count, unit: str, n: int, counting: Counting) -> None:
    """A period that begins with the day of the event ends the day before the corresponding date."""
    start = count.at
    if unit in {"months", "years"}:
        target = add_months(start, n * 12 if unit == "years" else n)
        # Where the last month has no such day, the period ends with the month: no day is taken off.
        count.at = target if target.day != start.day else target - ONE_DAY
    elif counting == "business":
        left = n if count.closed() else n - 1
        while left:
            count.at += ONE_DAY
            left -= 0 if count.closed() else 1
    else:
        count.at += (n * 7 if unit == "weeks" else n) * ONE_DAY - ONE_DAY
    what = f"business {unit}" if counting == "business" else unit
    text = f"The period begins with the event: {n} {what} from {start}, that day included, end on {count.at}"
    count.note("the day of the event counts", f"{text} ({count.at:%A}).")


def _advance(count: Count, unit: str, n: int, counting: Counting, *, month_end: bool) -> None:
    if unit in {"months", "years"}:
        _months(count, n, unit, month_end=month_end)
        return
    n = n * 7 if unit == "weeks" else n
    if counting == "business":
        _open_days(count, n, "business days", f"business days ({count.calendar.row.authority})")
    elif counting == "clear":
        _clear_days(count, n)
    elif old_rules(count.law, count.start) and n < short_period(count.law, count.start):
        _open_days(count, n, "days, weekends and holidays left out of a short period,", count.cite("count"))
    else:
        first = count.at + count.step
        count.at += n * count.step
        text = "The day of the event is excluded; "
        text += (
            f"day 1 is {first}; every day counts; day {n} is {count.at} ({count.at:%A})." if n else "no day is added."
        )
        count.note(count.cite("count" if count.forward else "count_back"), text)


def _months(count: Count, n: int, unit: str, *, month_end: bool) -> None:
    before = count.at
    target = add_months(before, (n * 12 if unit == "years" else n) * (1 if count.forward else -1))
    if month_end and _ends_its_month(count, before):
        count.at = last_of_month(target)
        count.note("end-of-month convention", f"{before} ends its month, so {n} {unit} from it end on {count.at}.")
        return
    count.at = target
    clipped = "; the month has no such day, so its last day" if target.day != before.day else ""
    count.note(count.cite("months"), f"{n} {unit} from {before} is {target}{clipped}.")


def _ends_its_month(count: Count, day: date) -> bool:
    """Whether it is the last day, or the last open day, of its month."""
    following = day + ONE_DAY
    while following.month == day.month and count.calendar.closed(following):
        following += ONE_DAY
    return following.month != day.month


def _open_days(count: Count, n: int, what: str, rule: str) -> None:
    skipped = []
    left = n
    while left:
        count.at += count.step
        why = count.closed()
        if why:
            skipped.append(f"{count.at} {why}")
        else:
            left -= 1
    more = f" and {len(skipped) - _MOST_LISTED} more" if len(skipped) > _MOST_LISTED else ""
    listed = f"; left out: {', '.join(skipped[:_MOST_LISTED])}{more}" if skipped else ""
    count.note(rule, f"{n} {what} end on {count.at} ({count.at:%A}){listed}.")


def _clear_days(count: Count, n: int) -> None:
    """Count clear days: neither the event's day nor the act's counts; a rule may skip closed days in short periods."""
    if count.rule is not None and n <= count.rule.short_clear:
        what = f"steps over business days, for clear days of {count.rule.short_clear} or fewer"
        _open_days(count, n + 1, what, count.cite("clear"))
        return
    count.at += (n + 1) * count.step
    count.note(count.cite("clear"), f"{n} clear days lie between the event and {count.at} ({count.at:%A}).")


def roll_off(count: Count, roll: Roll) -> None:
    """Move a count that ends on a closed day, or on one on which the office was inaccessible."""
    why = count.closed()
    moved = count.shut()
    if moved and roll != "none":
        _move(count, roll, moved)
    elif why:
        count.note("roll: none", f"{count.at} is closed ({why}) and stays the last day.")
        if count.rule is None and not count.roll_asked:
            count.attention.append(
                f"No rule at hand moves the end of the period off {count.at}: where the contract or a statute does, "
                "give the roll"
            )
    if count.at in count.inaccessible:
        _wait_for_access(count, roll)


def _move(count: Count, roll: Roll, why: str) -> None:
    forward = roll != "backward"
    origin = count.at
    count.at = _next_open(count, origin, ONE_DAY if forward else -ONE_DAY)
    if roll == "modified_following" and count.at.month != origin.month:
        count.at = _next_open(count, origin, -ONE_DAY)
        count.note(
            "modified following", f"{origin} is closed ({why}); the next open day lies in another month, so {count.at}."
        )
        return
    part: Part = "roll" if forward else "roll_back"
    rule = count.cite(part)
    if count.federal and not count.forward and forward:
        rule = "roll: forward (as asked; the rule counts on backward)"
    count.note(rule, f"{origin} is closed ({why}); the period runs to {count.at} ({count.at:%A}).")


def _wait_for_access(count: Count, roll: Roll) -> None:
    """The first day on which the office is open and can be reached."""
    origin = count.at
    if not count.forward or roll in {"none", "backward"}:
        count.attention.append(
            f"The office was inaccessible on {origin}: the rule extends a period, it does not shorten it"
        )
        return
    while count.at in count.inaccessible or count.shut():
        count.at += ONE_DAY
    count.note(
        count.cite("inaccessible"),
        f"The office was inaccessible on {origin}; the first accessible day is {count.at} ({count.at:%A}).",
    )
    if count.law == "irs":
        count.attention.append("For the Tax Court, 26 U.S.C. § 7451(b) tolls the period and adds 14 days instead")


def _next_open(count: Count, day: date, step: timedelta) -> date:
    for _ in range(_FARTHEST):
        if not count.shut(day):
            return day
        day += step
    raise ValueError(f"no open day near {day} in {count.calendar.name}")


def lengthen(count: Count, service_days: int) -> None:
    """Add the days for the manner of service to the period, before its end is moved (Cal. Civ. Proc. Code § 1013)."""
    before = count.at
    count.at += service_days * ONE_DAY
    count.note(
        count.cite("service"),
        f"{service_days} days are added to the period that ends on {before}: {count.at} ({count.at:%A}).",
    )


def add_service(count: Count, service_days: int, roll: Roll) -> None:
    """Add the days for the manner of service after the period would otherwise end, as the federal rules do."""
    before = count.at
    count.at += service_days * ONE_DAY
    count.note(
        count.cite("service"),
        f"{service_days} days are added after the period would otherwise end on {before}: {count.at} ({count.at:%A}).",
    )
    if before < _E_SERVICE_DAYS_END and count.federal:
        count.attention.append(
            "Before 2016-12-01 the added days covered electronic service too: check the manner of service"
        )
    roll_off(count, roll)


def add_hours(count: Count, trigger: datetime, n: int, roll: Roll | None) -> datetime:
    """Count hours without a break and return when they end; under the federal rules on an open, accessible day."""
    due = trigger + timedelta(hours=n) * (1 if count.forward else -1)
    count.at = due.date()
    count.note(
        count.cite("hours"),
        f"{n} hours from {trigger.isoformat(timespec='minutes')} end at {due.isoformat(timespec='minutes')}.",
    )
    provided = count.rule is not None and "hours_roll" in count.rule.parts
    chosen: Roll = roll or (("forward" if count.forward else "backward") if provided else "none")
    why = count.shut()
    if why and chosen != "none":
        count.at = _next_open(count, count.at, ONE_DAY if chosen != "backward" else -ONE_DAY)
        rule = count.cite("hours_roll") if chosen != "backward" or not count.federal else count.cite("roll_back")
        count.note(rule, f"That day is closed ({why}); the same time on {count.at} ({count.at:%A}).")
    if count.at in count.inaccessible:
        _wait_for_access(count, chosen)
    return datetime.combine(count.at, due.timetz())
