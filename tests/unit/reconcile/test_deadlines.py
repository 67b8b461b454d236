"""Deadline arithmetic against hand-computed cases, independent holiday formulas, and clerks' own due dates."""

from __future__ import annotations

import json
import random
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from knowledge_db.records import WindowRule
from tasks.harness import packaged
from tasks.reconcile.deadlines.book import DeadlineBook, book_of
from tasks.reconcile.deadlines.computability import uncomputable
from tasks.reconcile.deadlines.docket import court_calendar, explain
from tasks.reconcile.deadlines.gate import compute as compute_by
from tasks.reconcile.deadlines.months import add_months

DATA = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "deadlines" / "court_computed_dev.jsonl"
D = date.fromisoformat
KNOWLEDGE = packaged().knowledge
BOOK = book_of(KNOWLEDGE)
compute = partial(compute_by, book=BOOK)
calendar_named = BOOK.calendars.named

# trigger, arguments, due, why (each worked out by hand on a calendar)
CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("2024-03-01", {"days": 14}, "2024-03-15", "plain count"),
    ("2024-03-01", {"days": 30}, "2024-04-01", "day 30 is Sunday 31 March"),
    ("2024-12-04", {"days": 21}, "2024-12-26", "day 21 is Christmas"),
    ("2021-12-10", {"days": 21}, "2022-01-03", "31 December 2021 is New Year's Day observed, then the weekend"),
    ("2020-06-13", {"days": 21}, "2020-07-06", "4 July 2020 is Saturday: to Monday"),
    ("2020-06-12", {"days": 21}, "2020-07-06", "3 July 2020 is Independence Day observed"),
    ("2024-07-18", {"days": 14, "direction": "before"}, "2024-07-03", "4 July is closed: backwards to 3 July"),
    ("2024-09-16", {"days": 14, "direction": "before"}, "2024-08-30", "Labor Day: backwards over the weekend"),
    ("2024-03-01", {"days": 14, "service_days": 3}, "2024-03-18", "15 + 3 = 18 March"),
    ("2024-03-08", {"days": 14, "service_days": 3}, "2024-03-25", "22 + 3 = 25 March"),
    ("2024-03-01", {"days": 15, "service_days": 3}, "2024-03-21", "16 March rolls to 18, then + 3"),
    ("2008-06-02", {"days": 10}, "2008-06-16", "before 2009 weekends are left out of ten days"),
    ("2008-06-25", {"days": 10}, "2008-07-10", "and 4 July too"),
    ("2008-06-02", {"days": 11}, "2008-06-13", "eleven days were counted whole"),
    ("2009-12-01", {"days": 10}, "2009-12-11", "days are days from 1 December 2009"),
    ("2008-06-02", {"days": 7, "calendar": "bankruptcy_ny"}, "2008-06-11", "bankruptcy: under eight days"),
    ("2008-06-02", {"days": 8, "calendar": "bankruptcy_ny"}, "2008-06-10", "bankruptcy: eight days were whole"),
    ("2021-06-01", {"rule": "frcp_12_a_1_a_i"}, "2021-06-22", "21 days"),
    ("2006-02-09", {"rule": "frcp_12_a_1_a_i"}, "2006-03-01", "20 days before 2009"),
    ("2021-05-28", {"rule": "Fed. R. Civ. P. 12(a)(1)(A)(i)"}, "2021-06-21", "18 and 19 June were Juneteenth"),
    ("2014-11-01", {"rule": "frcp_4_m"}, "2015-03-02", "120 days before December 2015, a Sunday"),
    ("2016-01-04", {"rule": "frcp_4_m"}, "2016-04-04", "90 days, a Sunday"),
    ("2023-06-15", {"rule": "frcp_60_c_1"}, "2024-06-17", "a year on is a Saturday"),
    ("2024-04-10", {"days": 7, "calendar": "us_federal_courts_ma"}, "2024-04-17", "Patriots' Day is not the last day"),
    (
        "2024-04-01",
        {"days": 14, "calendar": "us_federal_courts_ma"},
        "2024-04-16",
        "Patriots' Day counts after an event",
    ),
    (
        "2024-04-29",
        {"days": 14, "direction": "before", "calendar": "us_federal_courts_ma"},
        "2024-04-15",
        "not before one",
    ),
    ("2024-04-01", {"days": 14, "calendar": "us_federal_courts"}, "2024-04-15", "nor in another state"),
    ("2024-01-31", {"months": 1}, "2024-02-29", "the month's last day"),
    ("2023-01-31", {"months": 1}, "2023-02-28", "and in a common year"),
    ("2024-02-29", {"years": 1}, "2025-02-28", "leap day"),
    ("2024-03-31", {"months": 1, "direction": "before"}, "2024-02-29", "backwards clipping"),
    ("2024-01-15", {"weeks": 2}, "2024-01-29", "weeks"),
    ("2022-03-18", {"days": 30, "calendar": "irs"}, "2022-04-18", "17 April 2022 is a Sunday"),
    ("2022-03-16", {"days": 30, "calendar": "irs"}, "2022-04-18", "Emancipation Day observed on Friday 15 April 2022"),
    ("2024-03-27", {"days": 1, "counting": "business", "calendar": "nyse"}, "2024-03-28", "a trading day"),
    ("2024-03-28", {"days": 1, "counting": "business", "calendar": "nyse"}, "2024-04-01", "Good Friday"),
    (
        "2024-03-28",
        {"days": 1, "counting": "business", "calendar": "fed"},
        "2024-03-29",
        "the Fed works on Good Friday",
    ),
    (
        "2024-03-28",
        {"days": 1, "counting": "business", "calendar": "target"},
        "2024-04-02",
        "TARGET: Easter Monday too",
    ),
    (
        "2024-10-11",
        {"days": 1, "counting": "business", "calendar": "sifma"},
        "2024-10-15",
        "bonds close on Columbus Day",
    ),
    ("2024-10-11", {"days": 1, "counting": "business", "calendar": "nyse"}, "2024-10-14", "stocks do not"),
    ("2024-10-20", {"days": 3, "counting": "business", "direction": "before"}, "2024-10-16", "backwards business days"),
    ("2024-05-03", {"days": 1, "counting": "business", "calendar": "england_wales"}, "2024-05-07", "May Day"),
    ("2024-12-24", {"days": 1, "counting": "business", "calendar": "scotland"}, "2024-12-27", "Boxing Day"),
    ("2023-12-29", {"days": 1, "counting": "business", "calendar": "scotland"}, "2024-01-03", "2 January"),
    ("2023-12-29", {"days": 1, "counting": "business", "calendar": "england_wales"}, "2024-01-02", "not in England"),
    (
        "2025-10-20",
        {"days": 3, "counting": "clear", "direction": "before", "calendar": "england_wales"},
        "2025-10-14",
        "the example of CPR 2.8: Monday 20 October, Tuesday 14 October",
    ),
    ("2024-06-03", {"days": 14, "counting": "clear", "calendar": "england_wales"}, "2024-06-18", "14 clear days after"),
    (
        "2024-06-28",
        {"days": 21, "counting": "clear", "direction": "before", "calendar": "england_wales"},
        "2024-06-06",
        "21 clear days before",
    ),
    ("2024-10-02", {"rule": "cpr_15_4_1_a"}, "2024-10-16", "14 days after service"),
    ("2024-02-09", {"days": 1, "counting": "business", "calendar": "hong_kong"}, "2024-02-14", "lunar new year 2024"),
    ("2024-02-09", {"days": 1, "counting": "business", "calendar": "singapore"}, "2024-02-13", "two days in Singapore"),
    ("2024-06-28", {"days": 1, "counting": "business", "calendar": "canada"}, "2024-07-02", "Canada Day"),
    ("2024-02-16", {"days": 1, "counting": "business", "calendar": "canada_on"}, "2024-02-20", "Family Day in Ontario"),
    ("2024-01-25", {"days": 1, "counting": "business", "calendar": "australia_nsw"}, "2024-01-29", "Australia Day"),
    ("2024-05-02", {"days": 1, "counting": "business", "calendar": "japan"}, "2024-05-07", "Golden Week"),
    (
        "2024-05-29",
        {"days": 1, "counting": "business", "calendar": "germany_by"},
        "2024-05-31",
        "Corpus Christi in Bavaria",
    ),
    ("2024-05-29", {"days": 1, "counting": "business", "calendar": "germany"}, "2024-05-30", "not in all of Germany"),
    ("2024-08-14", {"days": 1, "counting": "business", "calendar": "india"}, "2024-08-16", "Independence Day"),
    ("2024-08-31", {"days": 0, "roll": "forward", "calendar": "nyse"}, "2024-09-03", "Saturday before Labor Day"),
    ("2024-08-31", {"days": 0, "roll": "modified_following", "calendar": "nyse"}, "2024-08-30", "not into September"),
    ("2024-08-31", {"days": 0, "roll": "backward", "calendar": "nyse"}, "2024-08-30", "the day before"),
    ("2024-08-31", {"days": 0, "roll": "none", "calendar": "nyse"}, "2024-08-31", "as it stands"),
    ("2012-04-15", {"days": 0, "calendar": "irs"}, "2012-04-17", "Sunday, then Emancipation Day"),
    ("2016-04-15", {"days": 0, "calendar": "irs"}, "2016-04-18", "Emancipation Day observed"),
    ("2016-04-15", {"days": 0, "calendar": "irs_ma"}, "2016-04-19", "and Patriots' Day in Massachusetts"),
    ("2017-04-15", {"days": 0, "calendar": "irs"}, "2017-04-18", "Saturday, Emancipation Day on Monday"),
    ("2023-04-15", {"days": 0, "calendar": "irs"}, "2023-04-18", "the same in 2023"),
    ("2024-04-15", {"days": 0, "calendar": "irs_me"}, "2024-04-17", "Patriots' Day, then Emancipation Day"),
    ("2024-04-15", {"days": 0, "calendar": "irs"}, "2024-04-15", "an ordinary year"),
    ("2025-01-21", {"days": 0, "calendar": "irs"}, "2025-01-21", "after Inauguration Day"),
    ("2024-02-01", {"days": 14, "calendar": "bankruptcy_ny"}, "2024-02-15", "Susan B. Anthony closes nothing"),
    ("2023-10-24", {"days": 14, "calendar": "us_federal_courts_ny"}, "2023-11-08", "election day in New York"),
    ("2024-03-15", {"days": 14, "calendar": "bankruptcy_de"}, "2024-04-01", "Good Friday in Delaware"),
    ("2024-03-15", {"days": 14, "calendar": "bankruptcy_ny"}, "2024-03-29", "not in New York"),
    ("2024-01-31", {"months": 1, "month_end": True, "calendar": "target"}, "2024-02-29", "end of month to end"),
    ("2024-02-29", {"months": 1, "month_end": True, "calendar": "target"}, "2024-03-28", "31 March rolls back: Easter"),
    (
        "2024-03-28",
        {"months": 1, "month_end": True, "calendar": "target"},
        "2024-04-30",
        "its last open day ends March",
    ),
    ("2024-02-28", {"months": 1, "month_end": True, "calendar": "target"}, "2024-03-28", "not the end of a month"),
    ("2024-04-15", {"months": 1, "month_end": True, "calendar": "target"}, "2024-05-15", "the middle of a month"),
    ("2024-04-30", {"months": 1, "calendar": "germany_be"}, "2024-05-30", "§ 188(2) BGB: the same day of the month"),
    ("2024-04-30", {"months": 1, "calendar": "germany_by"}, "2024-05-31", "Corpus Christi in Bavaria"),
    ("2024-12-27", {"days": 2, "calendar": "japan"}, "2024-12-30", "Sunday rolls to Monday"),
    ("2024-12-27", {"days": 2, "calendar": "japan_courts"}, "2025-01-06", "the courts rest from 29 December"),
    ("2024-05-08", {"days": 1, "counting": "business", "calendar": "france"}, "2024-05-10", "Ascension"),
    ("2024-04-26", {"days": 9, "calendar": "netherlands"}, "2024-05-06", "a Sunday"),
    ("2025-04-25", {"days": 10, "calendar": "netherlands"}, "2025-05-06", "5 May counts every year"),
    ("2024-02-02", {"days": 1, "counting": "business", "calendar": "ireland"}, "2024-02-06", "St Brigid"),
    ("2024-07-31", {"days": 1, "counting": "business", "calendar": "switzerland_zh"}, "2024-08-02", "1 August"),
    ("2017-10-02", {"days": 1, "counting": "business", "calendar": "hong_kong"}, "2017-10-03", "one day for 1 October"),
    ("2024-03-28", {"days": 1, "counting": "business", "calendar": "canada"}, "2024-04-02", "Easter Monday, s. 35"),
    ("2024-08-02", {"days": 1, "counting": "business", "calendar": "canada_on"}, "2024-08-06", "Civic Holiday"),
    ("2024-03-01", {"rule": "frap_4_a_1_a", "calendar": "us_appeals_courts"}, "2024-04-01", "31 March is a Sunday"),
    (
        "2002-11-01",
        {"days": 8, "calendar": "us_appeals_courts"},
        "2002-11-12",
        "9 November is a Saturday, then Veterans",
    ),
    ("2003-03-03", {"days": 8, "calendar": "us_appeals_courts"}, "2003-03-13", "since December 2002 under eleven days"),
    (
        "2024-03-01",
        {"days": 14, "calendar": "us_federal_courts_ny", "inaccessible": [D("2024-03-15"), D("2024-03-18")]},
        "2024-03-19",
        "a storm on the last day",
    ),
    (
        "2024-03-01",
        {"days": 14, "calendar": "us_federal_courts_ny", "inaccessible": [D("2024-03-14")]},
        "2024-03-15",
        "a storm before the last day extends nothing",
    ),
    (
        "2024-03-02",
        {"days": 14, "calendar": "us_federal_courts_ny", "inaccessible": [D("2024-03-18")]},
        "2024-03-19",
        "the storm meets the day it rolled to",
    ),
]


@pytest.mark.parametrize(("trigger", "arguments", "due", "why"), CASES, ids=[f"{c[0]} {c[3]}" for c in CASES])
def test_cases_worked_by_hand(trigger: str, arguments: dict[str, Any], due: str, why: str) -> None:
    found = compute(D(trigger), **arguments)
    assert found.due == D(due), [step.note for step in found.steps]


def test_each_step_cites_a_rule_and_the_last_one_is_the_due_date() -> None:
    for trigger, arguments, _, _ in CASES:
        found = compute(D(trigger), **arguments)
        assert found.steps
        assert all(step.rule and step.note for step in found.steps)
        assert found.steps[-1].on == found.due


def test_hours_run_without_a_break_and_end_on_an_open_day() -> None:
    friday = datetime(2024, 3, 1, 14, 30)
    found = compute(friday, hours=72, calendar="us_federal_courts_ny")
    assert found.due_at == datetime(2024, 3, 4, 14, 30)
    found = compute(friday, hours=24, calendar="us_federal_courts_ny")
    assert found.due_at == datetime(2024, 3, 4, 14, 30)
    assert found.steps[-1].rule == "Fed. R. Civ. P. 6(a)(2)(C)"
    assert compute(friday, rule="gdpr_33_1").due_at == datetime(2024, 3, 4, 14, 30)
    with pytest.raises(ValueError, match="time of the event"):
        compute(D("2024-03-01"), hours=24)
    whole_day = compute(D("2024-03-01"), rule="gdpr_33_1")
    assert whole_day.due_at == datetime(2024, 3, 4)
    assert any("00:00" in note for note in whole_day.attention)


@pytest.mark.parametrize(
    ("arguments", "day"),
    [
        ({"hours": 24, "direction": "before"}, 1),  # Sunday the 3rd is closed: back to Friday
        ({"hours": 24, "direction": "before", "roll": "forward"}, 4),
        ({"hours": 24, "direction": "before", "roll": "none"}, 3),
        ({"hours": 24, "direction": "before", "calendar": "nyse"}, 3),  # no rule moves it
        ({"hours": 24, "direction": "before", "calendar": "nyse", "roll": "backward"}, 1),
        ({"hours": 120}, 9 + 2),  # Saturday the 9th: on to Monday
        ({"hours": 120, "roll": "none"}, 9),
        ({"hours": 120, "roll": "backward"}, 8),
        ({"hours": 120, "calendar": "nyse"}, 9),
        ({"hours": 24, "inaccessible": [D("2024-03-05")]}, 6),
    ],
)
def test_hours_that_end_on_a_closed_day_move_as_the_rule_or_the_caller_says(
    arguments: dict[str, Any], day: int
) -> None:
    found = compute(datetime(2024, 3, 4, 14, 30), **{"calendar": "us_federal_courts_ny", **arguments})
    assert found.due_at == datetime(2024, 3, day, 14, 30)


def test_the_steps_say_what_was_counted_and_what_was_left_out() -> None:
    def notes(day: str, **arguments: Any) -> str:
        return " / ".join(step.note for step in compute(D(day), **arguments).steps)

    assert "day 1 is 2024-03-02; every day counts; day 14 is 2024-03-15 (Friday)" in notes("2024-03-01", days=14)
    assert "no day is added" in notes("2024-03-01", days=0)
    assert "the month has no such day" in notes("2024-01-31", months=1)
    assert "no such day" not in notes("2024-01-30", months=3)
    fortnight = notes("2024-03-01", days=14, counting="business", calendar="nyse")
    assert "left out: 2024-03-02 Saturday, 2024-03-03 Sunday, 2024-03-09" in fortnight
    assert " more" not in fortnight
    # nine weekends and Good Friday, of which twelve days are listed
    assert " and 7 more" in notes("2024-03-01", days=40, counting="business", calendar="nyse")
    assert "3 business days from 2024-03-01, that day included" in notes(
        "2024-03-01", days=3, counting="business", calendar="nyse", convention="beginning_with"
    )
    assert "3 days from 2024-03-01, that day included" in notes("2024-03-01", days=3, convention="beginning_with")
    assert "stays the last day" in notes("2024-08-31", days=0, roll="none")
    assert "stays the last day" not in notes("2024-08-30", days=0, roll="none")
    assert "lies in another month" in notes("2024-08-31", days=0, roll="modified_following", calendar="nyse")


def test_a_roll_against_the_direction_of_the_rule_is_said_to_be_asked_for() -> None:
    def rules(**arguments: Any) -> str:
        return " ".join(step.rule for step in compute(D("2024-03-15"), days=5, **arguments).steps)

    assert "as asked" in rules(direction="before", roll="forward", calendar="us_federal_courts_ny")
    assert "as asked" not in rules(direction="before", calendar="us_federal_courts_ny")
    assert "as asked" not in rules(direction="before", roll="forward", calendar="nyse")
    assert "as asked" not in rules(roll="forward", calendar="us_federal_courts_ny")


@pytest.mark.parametrize(
    ("day", "calendar", "told"),
    [
        ("2016-11-01", "us_federal_courts_ny", True),
        ("2016-11-17", "us_federal_courts_ny", False),  # day 14 is 1 December
        ("2015-03-02", "england_wales", False),
    ],
)
def test_added_days_of_before_december_2016_are_told_to_have_covered_more(day: str, calendar: str, told: bool) -> None:
    attention = compute(D(day), days=14, service_days=3, calendar=calendar).attention
    assert any("electronic service too" in note for note in attention) is told


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"days": 3, "months": 1},
        {"days": -1},
        {"days": 10**9},
        {"days": 3, "calendar": "atlantis"},
        {"rule": "no_such_rule"},
        {"rule": "frcp_4_m", "days": 3},
        {"days": 3, "calendar": "bankruptcy_zz"},
        {"days": 3, "service_days": -3},
    ],
)
def test_misuse_is_said_plainly(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        compute(D("2024-01-01"), **arguments)


def test_what_a_human_must_look_at_is_told() -> None:
    assert any("executive order" in note for note in compute(D("2024-12-10"), days=14).attention)
    assert any("2009-12-01" in note for note in compute(D("2009-11-20"), rule="frcp_12_a_1_a_i").attention)
    assert any("state" in note.lower() for note in compute(D("2024-03-01"), days=14).attention)
    assert compute(D("2024-03-01"), days=14, calendar="us_federal_courts_ny").attention == ()


def test_clerks_due_dates_are_explained() -> None:
    if not DATA.is_file():
        pytest.skip("shared data is not beside the project")
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 8
    for row in rows:
        found = explain(row["event"], D(row["trigger_date"]), D(row["due_date"]), row["court_id"], BOOK)
        assert found.status == "explained", found.reason
        assert found.deadline.due == D(row["due_date"])


def test_odd_due_dates_go_to_a_human_with_the_reason() -> None:
    served = D("2021-01-19")
    assert explain("service", served, D("2021-02-09"), "nysd", BOOK).status == "explained"
    sixty = explain("service", served, D("2021-03-22"), "nysd", BOOK)
    assert sixty.status == "human"
    assert "60" in sixty.reason or "12(a)(2)" in sixty.reason
    old = explain("service", served, D("2021-02-08"), "nysd", BOOK)
    assert old.status == "human"
    assert "20 days" in old.reason
    assert "no other rule" in explain("service", served, D("2021-07-01"), "nysd", BOOK).reason
    with pytest.raises(ValueError, match="no rule for the event"):
        explain("eclipse", served, served, "nysd", BOOK)


def _easter(year: int) -> date:
    """Anonymous Gregorian computus."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def _nth(year: int, month: int, weekday: int, n: int) -> date:
    if n > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
    last = add_months(date(year, month, 1), 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7)


def _moved(day: date) -> date:
    return day + timedelta(days={5: -1, 6: 1}.get(day.weekday(), 0))


def _nyse(year: int) -> set[date]:
    """NYSE Rule 7.2 by formula, with the extraordinary closures since 2001."""
    days = {
        _nth(year, 1, 0, 3),
        _nth(year, 2, 0, 3),
        _easter(year) - timedelta(days=2),
        _nth(year, 5, 0, -1),
        _moved(date(year, 7, 4)),
        _nth(year, 9, 0, 1),
        _nth(year, 11, 3, 4),
        _moved(date(year, 12, 25)),
    }
    new_year = date(year, 1, 1)
    if new_year.weekday() != 5:  # a Saturday New Year is not moved into the old year
        days.add(_moved(new_year))
    if year >= 2022:
        days.add(_moved(date(year, 6, 19)))
    closures = ["2001-09-11", "2001-09-12", "2001-09-13", "2001-09-14", "2004-06-11", "2007-01-02", "2012-10-29"]
    closures += ["2012-10-30", "2018-12-05", "2025-01-09"]
    return days | {D(day) for day in closures if D(day).year == year}


def _federal(year: int) -> set[date]:
    """5 U.S.C. § 6103 by formula, with days observed on the weekday beside."""
    fixed = [(1, 1), (7, 4), (11, 11), (12, 25)] + ([(6, 19)] if year >= 2021 else [])
    days = {_moved(date(year, month, day)) for month, day in fixed}
    days |= {_nth(year, 1, 0, 3), _nth(year, 2, 0, 3), _nth(year, 5, 0, -1), _nth(year, 9, 0, 1)}
    days |= {_nth(year, 10, 0, 2), _nth(year, 11, 3, 4)}
    if date(year + 1, 1, 1).weekday() == 5:
        days.add(date(year, 12, 31))
    return {day for day in days if day.year == year}


def _target(year: int) -> set[date]:
    easter = _easter(year)
    fixed = {date(year, 1, 1), date(year, 5, 1), date(year, 12, 25), date(year, 12, 26)}
    return fixed | {easter - timedelta(days=2), easter + timedelta(days=1)}


@pytest.mark.parametrize(
    ("calendar", "formula", "years"),
    [
        ("nyse", _nyse, range(2001, 2028)),
        ("us_federal_courts", _federal, range(2000, 2031)),
        ("target", _target, range(2002, 2031)),
    ],
)
def test_calendars_agree_with_formulas_written_from_the_rules(calendar: str, formula: Any, years: range) -> None:
    named = calendar_named(calendar)
    for year in years:
        days = (date(year, 1, 1) + timedelta(days=n) for n in range(366))
        found = {day for day in days if day.year == year and day.weekday() < 5 and named.holiday(day)}
        expected = {day for day in formula(year) if day.weekday() < 5}
        assert found == expected, (year, sorted(found ^ expected))


def test_every_named_calendar_knows_new_year_and_lists_itself() -> None:
    assert {"us_federal_courts", "irs", "nyse", "sifma", "fed", "target", "england_wales", "scotland"} <= set(
        BOOK.calendars.names
    )
    for name in [
        *BOOK.calendars.names,
        "bankruptcy_de",
        "state_ca",
        "canada_on",
        "australia_vic",
        "germany_be",
        "india_mh",
    ]:
        calendar = calendar_named(name)
        assert calendar.row.name
        assert calendar.row.authority
        if name not in ("weekends", "eu"):
            assert calendar.holiday(date(2024, 1, 1)) or name.startswith("india")
        assert calendar.closed(date(2024, 3, 2)) == ("" if calendar.row.open_saturday else "Saturday")


def test_calendars_answer_to_the_names_people_use() -> None:
    same = [("england-and-wales", "england_wales"), ("TARGET2", "target"), ("Bankruptcy New York", "bankruptcy_ny")]
    same += [("canada_ontario", "canada_on"), ("germany_bayern", "germany_by"), ("NYSE", "nyse")]
    same += [("bankruptcy:NY", "bankruptcy_ny"), ("DE-BY", "germany_by"), ("Germany (Bavaria)", "germany_by")]
    same += [
        ("US-NY", "state_ny"),
        ("GB-SCT", "scotland"),
        ("England & Wales", "england_wales"),
        ("CA_QC", "canada_qc"),
    ]
    same += [("germany baden-württemberg", "germany_bw"), ("US bankruptcy, Delaware", "bankruptcy_de")]
    same += [("australia new south wales", "australia_nsw"), ("Switzerland (Geneva)", "switzerland_ge")]
    for name, proper in same:
        assert calendar_named(name).row.name == calendar_named(proper).row.name
    with pytest.raises(ValueError, match="known:"):
        calendar_named("canada_bayern")


@pytest.mark.parametrize(
    ("calendar", "year", "arguments", "rules"),
    [
        ("us_federal_courts_ny", 2024, {"days": 16, "service_days": 3}, ["6(a)(1)(A)-(B)", "6(a)(1)(C)", "6(d)"]),
        ("us_appeals_courts", 2024, {"days": 16, "service_days": 3}, ["26(a)(1)(A)-(B)", "26(a)(1)(C)", "26(c)"]),
        ("bankruptcy_ny", 2024, {"days": 16, "service_days": 3}, ["9006(a)(1)(A)-(B)", "9006(a)(1)(C)", "9006(f)"]),
        ("us_federal_courts_ny", 2006, {"days": 14, "service_days": 3}, ["6(a) (before", "6(e) (before 2007"]),
        ("us_federal_courts_ny", 2024, {"days": 13, "direction": "before"}, ["(a)(1), (a)(5)", "6(a)(5)"]),
        ("irs", 2024, {"days": 16}, ["next day (26 U.S.C. § 7503)", "26 U.S.C. § 7503"]),
        ("england_wales", 2024, {"days": 16}, ["CPR 2.8(2)-(3)", "CPR 2.8(5)"]),
        ("england_wales", 2024, {"months": 2}, ["CPR 2.10"]),
        ("eu", 2024, {"days": 16}, ["1182/71 art. 3(1)", "1182/71 art. 3(4)"]),
        ("germany_be", 2024, {"days": 16}, ["§§ 187(1), 188(1) BGB", "§ 193 BGB"]),
        ("nyse", 2024, {"days": 16}, ["NYSE Rule 7.2", "roll: none"]),
    ],
)
def test_each_step_cites_the_rule_of_its_calendar(
    calendar: str, year: int, arguments: dict[str, Any], rules: list[str]
) -> None:
    steps = compute(date(year, 3, 1), calendar=calendar, **arguments).steps
    for step, rule in zip(steps, rules, strict=False):
        assert rule in step.rule, [step.rule for step in steps]
    assert len(steps) >= len(rules)


def test_doubts_about_the_day_that_decides_are_told() -> None:
    def told(day: str, calendar: str, **arguments: Any) -> str:
        return " ".join(compute(D(day), calendar=calendar, **{"days": 0, **arguments}).attention)

    assert "confirm that CA declares it" in told("2024-04-01", "us_federal_courts_ca")
    assert told("2024-03-29", "bankruptcy_de") == ""  # the statute was compared
    assert "Catholics" in told("2024-08-15", "germany_by")
    assert told("2024-08-14", "germany_by") == ""
    assert "gives no day in its place" in told("2023-11-13", "canada")
    assert "Canada Labour Code" in told("2024-12-26", "canada")
    assert "estimated" in told("2029-04-25", "singapore") or "settled" in told("2029-04-25", "singapore")
    assert "not settled" in told("2031-01-01", "hong_kong")
    assert "Inauguration" in told("2029-01-19", "irs")
    assert "art. 3(5)" in told("2024-03-29", "eu", days=2)
    assert "does not shorten" in told("2024-03-15", "nyse", inaccessible=[D("2024-03-15")], roll="none")
    assert "7451" in told("2024-03-15", "irs", inaccessible=[D("2024-03-15")])


@pytest.mark.parametrize("day", ["0001-01-05", "9999-12-20", "1799-12-31"])
@pytest.mark.parametrize("direction", ["after", "before"])
def test_no_period_leaves_the_calendar(day: str, direction: Any) -> None:
    with pytest.raises(ValueError, match="no event of the years"):
        compute(D(day), days=40, direction=direction)


def test_far_years_are_doubtful() -> None:
    assert any("certainty" in note for note in compute(D("1850-06-01"), days=40_000).attention)
    assert any("certainty" in note for note in compute(D("2024-06-01"), years=90).attention)


@pytest.mark.parametrize("calendar", ["nyse", "target", "england_wales", "japan", "germany_by", "hong_kong"])
def test_business_days_count_back_to_where_they_began(calendar: str) -> None:
    named = calendar_named(calendar)
    draw = random.Random(7)
    for _ in range(25):
        start = date(2015, 1, 1) + timedelta(days=draw.randrange(3600))
        if not named.is_business_day(start):
            continue
        n = draw.randrange(1, 30)
        there = compute(start, days=n, counting="business", calendar=calendar).due
        assert named.is_business_day(there)
        assert compute(there, days=n, counting="business", calendar=calendar, direction="before").due == start


@pytest.mark.parametrize("roll", ["forward", "backward", "modified_following"])
def test_rolling_ends_on_an_open_day_and_rolls_no_further(roll: Any) -> None:
    draw = random.Random(11)
    for calendar in ("bankruptcy_ny", "fed", "scotland", "canada_on", "france", "netherlands"):
        for _ in range(20):
            start = date(2010, 1, 1) + timedelta(days=draw.randrange(5000))
            due = compute(start, days=draw.randrange(90), calendar=calendar, roll=roll).due
            assert not calendar_named(calendar).closed(due)
            assert compute(due, days=0, calendar=calendar, roll=roll).due == due


def test_added_days_never_go_to_a_period_counted_back() -> None:
    with pytest.raises(ValueError, match="counted back"):
        compute(D("2024-03-01"), days=14, direction="before", service_days=3)


def test_courts_are_named_by_their_id() -> None:
    named = {"nysd": "us_federal_courts_ny", "deb": "bankruptcy_de", "ca2": "us_appeals_courts", "cacd": "x"}
    for court, calendar in {**named, "cacd": "us_federal_courts_ca", "nmid": "us_federal_courts_mp"}.items():
        assert court_calendar(court, BOOK) == calendar
    # "sdny" read by its first letters would be South Dakota
    for court, meant in (("sdny", "perhaps nysd"), ("zzd", "such as nysd"), ("", "such as nysd")):
        with pytest.raises(ValueError, match=meant):
            court_calendar(court, BOOK)


def test_rules_are_found_by_id_and_citation() -> None:
    named = [row for row in BOOK.windows if row.aliases]
    assert len(named) >= 47
    for row in named:
        for alias in row.aliases:
            assert BOOK.rule(alias) is BOOK.rule(row.window_id)
        if row.kind == "deadline":
            assert all(BOOK.deadline(cited).n == row.n for cited in row.also_cited)
    for name in ("fed. r. civ. p. 59(e)", "FRCP 59(e)", "Fed.R.Civ.P. 59(e)", "Rule 59(e)", "frcp_59_e"):
        assert BOOK.deadline(name).n == 28
    assert BOOK.deadline("FRBP 8002(a)(1)").calendar == "bankruptcy"
    assert BOOK.deadline("28 USC 1446(b)(1)").n == 30
    assert BOOK.deadline("29 USC 2102(a)").n == 60
    with pytest.raises(ValueError, match="preference"):
        BOOK.deadline("preference")


@pytest.mark.slow
def test_every_window_of_the_knowledge_is_computable() -> None:
    assert len(BOOK.windows) >= 200
    assert uncomputable(BOOK) == []


@pytest.mark.parametrize(
    ("window", "rule"),
    [
        ("civil_procedure/answer", "Fed. R. Civ. P. 6(a)(1)(A)-(B)"),
        ("appeals/certiorari", "Sup. Ct. R. 30.1"),
        ("criminal/new_trial", "Fed. R. Crim. P. 45(a)(1)(A)-(B)"),
        ("bankruptcy/bk_notice_of_appeal", "Fed. R. Bankr. P. 9006(a)(1)(A)-(B)"),
        ("tax/tax_court", "days are counted from the next day (26 U.S.C. § 7503)"),
    ],
)
def test_each_court_counts_by_its_own_time_rule(window: str, rule: str) -> None:
    found = compute(D("2024-03-01"), rule=window)
    assert found.steps[1].rule == rule


def test_a_window_that_cannot_be_computed_is_named_with_its_reason() -> None:
    good = next(window for window in BOOK.windows if window.window_id == "civil_procedure/answer")
    strange = good.model_copy(update={"window_id": "x/mars", "calendar_set": "mars"})
    nowhere = good.model_copy(update={"window_id": "x/nowhere", "calendar_set": "state_atlantis"})
    found = uncomputable(DeadlineBook([good, strange, nowhere], KNOWLEDGE.calendars, KNOWLEDGE.counting))
    assert [line.split(":")[0] for line in found] == ["x/mars", "x/nowhere"]
    assert all("no calendar named" in line for line in found)


def test_windows_are_rules_with_the_history_and_cautions_of_their_row() -> None:
    assert BOOK.deadline("civil_procedure/answer").earlier == ((D("2009-12-01"), 20),)
    assert BOOK.deadline("civil_procedure/answer").mail_days == 0
    assert BOOK.deadline("frcp_12_a_1_b").mail_days == 3
    assert BOOK.deadline("29 U.S.C. § 2102(a)").direction == "before"
    found = compute(D("2024-03-05"), rule="securities/form_8k")
    assert (found.due, found.calendar) == (D("2024-03-11"), "us_federal")
    assert any("verify the period" in note for note in found.attention)
    found = compute(D("2024-03-01"), rule="employment/warn_notice")
    assert found.due == D("2024-01-01")  # a statute that moves nothing: the holiday stays
    with pytest.raises(ValueError, match="several periods"):
        BOOK.deadline("Fed. R. Civ. P. 12(a)(1)(A)(ii)")
    with pytest.raises(ValueError, match="no deadline rule"):
        BOOK.deadline("nowhere")


def test_a_citation_that_rows_share_means_the_one_with_a_short_id() -> None:
    assert BOOK.deadline("Fed. R. Civ. P. 23(f)").rule_id == "civil_procedure/class_appeal"
    assert BOOK.deadline("Fed. R. Civ. P. 68(a)").direction == "before"


@pytest.mark.parametrize(
    ("event", "days", "told"),
    [
        ("2019-06-03", 45, ""),
        ("2018-12-03", 45, "changed on 2018-12-01"),
        ("2018-11-30", 14, "changed on 2018-12-01"),
        ("2014-06-02", 14, ""),
        ("2009-11-30", 10, "changed on 2009-12-01"),
        ("2003-06-02", 10, ""),
        ("1998-11-30", 10, "the period before 1998-12-01 is not held"),
    ],
)
def test_the_version_in_force_on_the_day_of_the_event_governs(event: str, days: int, told: str) -> None:
    """Fed. R. Civ. P. 23(f) where the United States is a party: 45 days since December 2018, as for others before."""
    rule = BOOK.deadline("civil_procedure/class_appeal_us")
    assert rule.period(D(event)) == days
    attention = [said for said in compute(D(event), rule=rule).attention if "23(f)" in said]
    assert any(told in said for said in attention) if told else not attention


@pytest.mark.parametrize(
    "versions",
    [
        {"in_force_from": "", "earlier": ("20",)},
        {"in_force_from": "2009-12-01", "earlier": ("20", "10")},
        {"in_force_from": "2009-12-01", "earlier": ("20 from 2010-01-01",)},
        {"in_force_from": "2009-12-01", "earlier": ("20 days",)},
        {"in_force_from": "December 2009"},
        {"in_force_from": "2009-13-01"},
    ],
)
def test_versions_that_stand_in_no_order_are_refused(versions: dict[str, object]) -> None:
    row = next(row for row in BOOK.windows if row.window_id == "civil_procedure/answer")
    with pytest.raises(ValidationError):
        WindowRule.model_validate(row.model_dump() | versions)


def test_a_rule_counted_the_other_way_rolls_the_other_way() -> None:
    found = compute(D("2024-04-07"), rule="frcp_12_a_1_a_i", direction="before")
    assert found.due == D("2024-03-15")  # day 21 before is Sunday 17 March


def test_a_calendar_says_where_a_bare_period_ends() -> None:
    """Monday 1 January 2024 and five days: a Saturday; the eighth day before it a Sunday.

    Where a calendar names no rule of counting, nothing moves the period; with the rule of the federal courts it moves.
    """
    rows = [
        row.model_copy(update={"family": "frcp"}) if row.calendar_id == "nyse" else row for row in KNOWLEDGE.calendars
    ]
    moved = DeadlineBook(KNOWLEDGE.windows, rows, KNOWLEDGE.counting)
    for arguments, rolled, stays in (
        ({"days": 5}, "2024-01-08", "2024-01-06"),
        ({"days": 8, "direction": "before"}, "2023-12-22", "2023-12-24"),
        ({"days": 1, "service_days": 4}, "2024-01-08", "2024-01-06"),
    ):
        count = partial(compute_by, D("2024-01-01"), calendar="nyse", **arguments)
        assert (count(book=moved).due, count(book=BOOK).due) == (D(rolled), D(stays))


def test_months_leave_the_calendar_with_an_error() -> None:
    with pytest.raises(ValueError, match="leaves the calendar"):
        add_months(D("9999-12-01"), 2)
