"""How the windows of the knowledge are counted: examples worked by hand, and a slow counter from the words of the law.

The slow counter walks day by day and knows nothing of the deadline tool: what it counts is the sentence of the law
("the period of three months beginning with", "clear days", "before the date that is").
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial

import pytest
from pydantic import ValidationError

from knowledge_db.records import WindowRule
from tasks.harness import packaged
from tasks.reconcile.deadlines.book import DeadlineBook, book_of
from tasks.reconcile.deadlines.calendars import Calendar
from tasks.reconcile.deadlines.computability import uncomputable
from tasks.reconcile.deadlines.gate import compute as compute_by
from tasks.reconcile.deadlines.rules import DUE, DeadlineRule

D = date.fromisoformat
ONE = timedelta(days=1)
KNOWLEDGE = packaged().knowledge
WINDOWS = KNOWLEDGE.windows
BOOK = book_of(KNOWLEDGE)
compute = partial(compute_by, book=BOOK)
BY_ID = {window.window_id: window for window in WINDOWS}

# window, event, due, why
EXAMPLES = [
    ("commercial/franchise_disclosure", "2024-03-18", "2024-03-03", "16 CFR 436.2(a): 4 to 17 March are fourteen days"),
    ("uk/uk_unfair_dismissal", "2024-01-15", "2024-04-14", "ERA 1996 s. 111(2)(a): beginning with 15 January"),
    ("uk/uk_unfair_dismissal", "2023-11-30", "2024-02-29", "no 30 February: the months end with February"),
    ("uk/uk_unfair_dismissal", "2024-03-01", "2024-05-31", "three whole months, March to May"),
    ("uk/discrimination", "2024-05-31", "2024-08-30", "EqA 2010 s. 123(1)(a): starting with the date of the act"),
    ("uk/general_meeting_private", "2024-06-28", "2024-06-13", "CA 2006 s. 360(2): 14 to 27 June lie between"),
    ("uk/agm_public", "2024-06-28", "2024-06-06", "CA 2006 s. 360(2): 7 to 27 June lie between"),
    ("uk/redundancy_99", "2024-03-31", "2024-02-29", "at least 30 days: 1 to 30 March lie between"),
    ("uk/minimum_notice", "2024-03-15", "2024-03-08", "a week from 9 to 15 March"),
    ("intellectual_property/ipr_bar", "2023-03-02", "2024-03-04", "35 U.S.C. 315(b); a Saturday, so 35 U.S.C. 21(b)"),
    ("intellectual_property/tm_use", "2018-06-05", "2024-06-05", "15 U.S.C. 1058(a)(1): six years, not five"),
    ("intellectual_property/anda_notice", "2024-03-04", "2024-03-24", "a Sunday: no rule moves it"),
    ("healthcare/overpayment", "2024-01-02", "2024-03-02", "a Saturday: no rule moves it"),
    ("procurement/miller_notice", "2024-01-01", "2024-03-31", "a Sunday: no rule moves it"),
    ("procurement/changes_claim", "2024-02-01", "2024-03-02", "a Saturday: no rule moves it"),
    ("employment/withdrawal_review", "2024-01-01", "2024-03-31", "a Sunday: no rule moves it"),
    ("employment/aca_cobra_notice", "2024-02-01", "2024-03-02", "a Saturday: no rule moves it"),
    ("employment/sox_complaint", "2024-03-04", "2024-08-31", "filed with an agency: no rule of court moves a Saturday"),
    ("securities/schedule_14d9", "2024-03-04", "2024-03-15", "17 CFR 240.14d-1(g)(3): the Monday is the first day"),
    ("securities/schedule_14d9", "2024-03-02", "2024-03-15", "a Saturday: the Monday after is the first day"),
    ("tax/cdp_hearing", "2024-03-05", "2024-04-04", "the 30 days begin with 6 March"),
    ("merger_control/eumr_phase1", "2024-02-05", "2024-03-11", "art. 10(1): working day 1 is 6 February"),
    ("banking/fcra_reinvestigation", "2024-03-01", "2024-03-30", "15 U.S.C. 1681i(a)(1)(A): beginning on 1 March"),
    ("healthcare/medicare_redetermination", "2024-01-01", "2024-04-29", "31 + 29 + 31 + 29 days from 1 January"),
    ("trade/cfius_review", "2024-03-01", "2024-04-14", "31 + 14 days from 1 March"),
    ("bankruptcy/aircraft_cure", "2024-01-01", "2024-02-29", "before the sixtieth day after, 1 March"),
    ("bankruptcy/revoke_confirmation", "2024-01-01", "2024-06-28", "before the 180th day after, 29 June"),
    ("energy/rate_filing", "2024-03-02", "2024-01-01", "sixty days, 2 January to 1 March, lie between"),
]


@pytest.mark.parametrize(("window", "event", "due", "why"), EXAMPLES)
def test_examples_worked_by_hand(window: str, event: str, due: str, why: str) -> None:
    assert compute(D(event), rule=window).due == D(due), why


@pytest.mark.parametrize(
    ("window", "authority"),
    [
        ("intellectual_property/ipr_bar", "35 U.S.C. § 21(b)"),
        ("intellectual_property/tm_use", "37 C.F.R. § 2.196"),
        ("procurement/gao_protest", "4 C.F.R. § 21.0(d)"),
        ("australia/unfair_dismissal", "Acts Interpretation Act 1901 (Cth) s. 36(2)"),
        ("banking/tila_damages", "Fed. R. Civ. P. 6(a)(1)(C)"),
        ("energy/ferc_review", "Fed. R. App. P. 26(a)(1)(C)"),
    ],
)
def test_the_step_that_moves_the_end_cites_its_authority(window: str, authority: str) -> None:
    rule = BOOK.deadline(window)
    starts = (D("2020-01-01") + n * ONE for n in range(60))
    moved = next(found for day in starts if "is closed" in (found := compute(day, rule=rule)).steps[-1].note)
    assert moved.steps[-1].rule == authority


def test_no_row_rolls_without_an_authority() -> None:
    row = BY_ID["healthcare/overpayment"].model_copy(update={"roll": "next"})
    assert uncomputable(DeadlineBook([row], KNOWLEDGE.calendars, KNOWLEDGE.counting)) == [
        "healthcare/overpayment: it rolls, but no authority says so"
    ]
    founded = row.model_copy(update={"roll_authority": "1 C.F.R. § 1"})
    assert uncomputable(DeadlineBook([founded], KNOWLEDGE.calendars, KNOWLEDGE.counting)) == []


def test_a_bare_period_without_a_rule_stays_where_it_ends_and_says_so() -> None:
    """Monday 1 January 2024 and five days: a Saturday."""
    found = compute(D("2024-01-01"), days=5, calendar="us_federal")
    assert found.due == D("2024-01-06")
    assert any("No rule at hand moves the end of the period off 2024-01-06" in said for said in found.attention)
    for settled in (
        compute(D("2024-01-01"), days=5),
        compute(D("2024-01-01"), days=5, calendar="nyse", roll="forward"),
    ):
        assert not any("No rule at hand" in said for said in settled.attention)


@pytest.mark.parametrize("name", ["intellectual_property/ipr_after_grant", "antitrust/hsr_wait", "uk/preference"])
def test_what_is_no_deadline_has_no_due_date(name: str) -> None:
    with pytest.raises(ValueError, match="has no due date"):
        BOOK.deadline(name)


def test_every_period_that_is_no_deadline_is_refused_by_id_and_by_citation() -> None:
    others = [window for window in WINDOWS if window.kind not in DUE]
    assert len(others) > 90
    for window in others:
        with pytest.raises(ValueError, match="has no due date"):
            BOOK.deadline(window.window_id)
        sharing = [row for row in WINDOWS if row.authority == window.authority and row.kind in DUE]
        if not sharing:
            with pytest.raises(ValueError, match=r"has no due date|several periods"):
                BOOK.deadline(window.authority)
    with pytest.raises(ValueError, match="has no due date"):
        BOOK.deadline("hsr_30")


@pytest.mark.parametrize(
    "wrong",
    [
        {"count": "beginning_with", "direction": "before"},
        {"count": "beginning_with", "n": 0},
        {"count": "before_the_day", "unit": "hour"},
        {"count": "clear", "unit": "month"},
        {"count": "clear", "calendar": "business"},
        {"roll": "none", "roll_authority": "35 U.S.C. § 21(b)"},
    ],
)
def test_rows_that_nobody_could_count_are_refused(wrong: dict[str, object]) -> None:
    good = BY_ID["uk/discrimination"].model_dump() | {"unit": "day", "n": 5}
    with pytest.raises(ValidationError):
        WindowRule.model_validate(good | wrong)


# The slow counter.


def _days_after(event: date, n: int, counts: Callable[[date], bool]) -> date:
    day = event
    while n:
        day += ONE
        n -= counts(day)
    return day


def _days_beginning_with(event: date, n: int, counts: Callable[[date], bool]) -> date:
    return _days_after(event - ONE, n, counts)


def _clear_days_before(event: date, n: int, counts: Callable[[date], bool]) -> date:
    """Walk back past n days that count; the notice is given on the next earlier day that counts."""
    notice, between = event - ONE, 0
    while between < n or not counts(notice):
        between += counts(notice)  # the day on which the notice was to be given now lies between
        notice -= ONE
    return notice


def _months_after(event: date, n: int) -> date:
    """Walk to the same number in the month so many months on, or to that month's last day."""
    day, months = event, 0
    while True:
        following = day + ONE
        if months == n and (day.day == event.day or following.month != day.month):
            return day
        months += following.month != day.month
        day = following


def _months_beginning_with(event: date, n: int) -> date:
    """Walk to the eve of the same number, or to the end of a month that has no such day."""
    day, months = event, 0
    while True:
        following = day + ONE
        if months == n and following.month != day.month and day.day < event.day:
            return day
        months += following.month != day.month
        if months == n and following.day == event.day:
            return day
        day = following


def _monday_after(day: date) -> date:
    day += ONE
    while day.weekday() != 0:
        day += ONE
    return day


def _last_of_the_month(event: date, n: int) -> date:
    """Walk from one month's last day to the next, so many times."""
    day = event
    for _ in range(n):
        day += ONE
        while (day + ONE).month == day.month:
            day += ONE
    return day


def _slow(rule: DeadlineRule, event: date, calendar: Calendar) -> date:
    """Return the last day by the words of the law, before anything moves it."""
    every = lambda day: True  # noqa: E731
    counts = calendar.is_business_day if rule.counting == "business" else every
    n = rule.n * {"weeks": 7, "years": 12}.get(rule.unit, 1)
    if rule.convention == "clear":
        # CPR 2.8(4): of a period of five days or less, days on which the court is closed are left out
        short = rule.counted_by.counting_id == "cpr" and n <= 5
        return _clear_days_before(event, n, calendar.is_business_day if short else counts)
    if rule.convention == "next_monday":
        return _monday_after(_days_after(event, n, counts))
    if rule.convention == "end_of_month" and (event + ONE).month != event.month:
        return _last_of_the_month(event, n)
    if rule.unit in ("months", "years"):
        end = _months_beginning_with(event, n) if rule.convention == "beginning_with" else _months_after(event, n)
        return end - ONE if rule.convention == "before_the_day" else end
    if rule.convention == "beginning_with":
        return _days_beginning_with(event, n, counts)
    end = _days_after(event, n, counts)
    return end - ONE if rule.convention == "before_the_day" else end


def _countable(window: WindowRule) -> bool:
    forward_or_clear = window.direction == "after" or window.count == "clear"
    short = window.unit in ("day", "week") or (window.unit == "month" and window.n <= 12)
    return window.kind == "deadline" and forward_or_clear and short and not BOOK.rule(window.window_id).earlier


COUNTABLE = [window for window in WINDOWS if _countable(window)]
AWKWARD = [D(day) for day in ("2023-11-30", "2024-02-28", "2024-02-29", "2024-03-30", "2024-08-31", "2024-12-24")]


@pytest.mark.parametrize(("hearing", "last"), [("2025-10-20", "2025-10-14"), ("2025-10-24", "2025-10-20")])
def test_short_clear_days_of_the_courts_of_england(hearing: str, last: str) -> None:
    """As the examples below CPR 2.8 count: three clear days before a Monday end on the Tuesday of the week before."""
    rule = BOOK.rule("civil_procedure/uk_application_notice")
    assert compute(D(hearing), rule=rule).due == D(last) == _slow(rule, D(hearing), BOOK.calendars.named(rule.calendar))


def test_the_tool_agrees_with_the_slow_counter_and_is_never_later() -> None:
    assert len(COUNTABLE) > 300
    assert {window.count for window in COUNTABLE} == {
        *("after", "beginning_with", "before_the_day", "clear", "end_of_month", "next_monday")
    }
    for window in COUNTABLE:
        rule = BOOK.rule(window.window_id)
        calendar = BOOK.calendars.named(rule.calendar)
        for event in AWKWARD:
            slow = _slow(rule, event, calendar)
            still = compute(event, rule=rule, roll="none")
            assert still.due == slow, (window.window_id, event)
            assert rule.roll != "none" or compute(event, rule=rule).due == slow, (window.window_id, event)


@pytest.mark.parametrize("convention", ["after", "beginning_with", "before_the_day"])
def test_every_day_of_a_leap_year_agrees_with_the_slow_counter(convention: str) -> None:
    base = BOOK.rule("uk/discrimination")
    calendar = BOOK.calendars.named(base.calendar)
    for n, unit in ((1, "days"), (3, "weeks"), (1, "months"), (3, "months"), (1, "years")):
        rule = base._replace(n=n, unit=unit, convention=convention, roll="none")  # type: ignore[arg-type]
        for offset in range(366):
            event = D("2024-01-01") + offset * ONE
            assert compute(event, rule=rule).due == _slow(rule, event, calendar), (event, n, unit)
