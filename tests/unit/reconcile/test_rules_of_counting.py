"""The rules of counting: examples worked by hand, a slow counter from the words of each law, and what is refused.

``counting_examples.tsv`` was worked by hand, each line with its reason, before the tool was asked. The slow counter
holds the words of each law once more, in ``_MOVES``: where the data let a period roll further than these words do, the
tool is late, and a test fails.
"""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from knowledge_db import PACKAGED, KnowledgeBase
from knowledge_db.counting import CountingRule
from knowledge_db.load import KnowledgeError
from knowledge_db.records import WindowRule
from tasks.harness import packaged
from tasks.reconcile.deadlines.book import DeadlineBook, book_of
from tasks.reconcile.deadlines.calendars import Calendar
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.rules import DUE
from tasks.toolbox.registry import ToolRegistry

D = date.fromisoformat
ONE = timedelta(days=1)
KNOWLEDGE = packaged().knowledge
BOOK = book_of(KNOWLEDGE)
ROWS = {row.window_id: row for row in KNOWLEDGE.windows}
TOOL = ToolRegistry()


def _examples() -> list[tuple[str, str, str, str, str]]:
    with (Path(__file__).parent / "counting_examples.tsv").open(encoding="utf-8", newline="") as stream:
        return [
            (r["window"], r["event"], r["fixes"], r["day"], r["why"]) for r in csv.DictReader(stream, delimiter="\t")
        ]


EXAMPLES = _examples()


@pytest.mark.parametrize(("window", "event", "fixes", "day", "why"), EXAMPLES)
def test_dates_worked_by_hand(window: str, event: str, fixes: str, day: str, why: str) -> None:
    found = TOOL.call("deadline", {"trigger": event, "rule": window})
    assert found[fixes] == day, why
    assert (found["due"] is None) == (ROWS[window].kind not in DUE)


def test_there_are_five_dates_of_each_kind_and_of_each_jurisdiction() -> None:
    kinds = Counter(ROWS[window].kind for window, *_ in EXAMPLES)
    assert {kind for kind, n in kinds.items() if n >= 5} == {row.kind for row in KNOWLEDGE.windows}
    places = Counter(ROWS[window].jurisdiction for window, *_ in EXAMPLES)
    of_their_own = ("US", "US-NY", "US-CA", "US-TX", "US-DE", "UK", "UK-SCT", "IE", "EU", "FR", "DE", "CH", "IT", "ES")
    for place in (*of_their_own, "NL", "CA", "AU", "NZ", "HK", "SG", "IN", "JP", "INTL"):
        assert places[place] >= 5, place
    assert sum(kinds.values()) >= 150


# What moves the last day, by the words of each law: A a Saturday, U a Sunday, H a holiday. A law that is not named
# here moves nothing.
_MOVES = {
    **dict.fromkeys(("frcp", "frap", "frbp", "frcrp", "rcfc", "uscit", "scotus", "irs", "hsr"), "AUH"),
    **dict.fromkeys(("sec_exchange_act", "sec_form_d", "patent_office", "provisional", "trademark_office"), "AUH"),
    **dict.fromkeys(("ferc", "fcc", "gao", "agency_protest", "eoir", "eoir_appeal", "uscis"), "AUH"),
    **dict.fromkeys(("ny", "ca", "tx_limitation", "tx_court", "tx_statute", "tx_appeal", "de_court", "il"), "AUH"),
    **dict.fromkeys(("ma", "pa", "wa", "co", "fl_court", "cpr", "scotland_prescription", "eu", "eu_courts"), "AUH"),
    **dict.fromkeys(("bgb", "fr_procedure", "ch_or", "nl_general", "au_cth", "au_nsw", "au_vic", "nz"), "AUH"),
    **dict.fromkeys(("canada_qc", "japan_courts", "pct", "paris", "epo", "icc", "it_procedure"), "AUH"),
    **dict.fromkeys(("it_civil", "canada_federal", "canada_on", "hk", "sg", "japan"), "UH"),
    **dict.fromkeys(("nj", "va", "ga", "mi", "oh"), "AUH"),
    **dict.fromkeys(("oh_statute", "ma_statute"), "UH"),
    "india": "U",
}


def test_what_the_data_move_is_what_the_words_of_the_law_move() -> None:
    letters = {"saturday": "A", "sunday": "U", "holiday": "H"}
    held = {
        name: "".join(letters[day] for day in rule.rolls_off)
        for name, rule in KNOWLEDGE.counting.items()
        if rule.roll != "none"
    }
    assert held == _MOVES


def _slow(row: WindowRule, event: date, calendar: Calendar) -> date:
    """Walk from the event to the last day by the words of the law, and off the days that it moves."""
    day = _unmoved(row, event, calendar)
    moves = _MOVES.get(row.counting, "")
    while row.unit != "hour" and _moved(day, moves, calendar):
        day += ONE
    return day


def _moved(day: date, moves: str, calendar: Calendar) -> bool:
    if calendar.holiday(day) and "H" in moves:
        return True
    return (day.weekday() == 5 and "A" in moves) or (day.weekday() == 6 and "U" in moves)


def _unmoved(row: WindowRule, event: date, calendar: Calendar) -> date:
    whole_months = {"month": 1, "year": 12}.get(row.unit)
    first_counts = row.count in ("beginning_with", "before_the_day")
    if whole_months:
        end = _month_by_month(event, row.n * whole_months, to_the_end=row.count == "end_of_month")
        # "beginning with" ends on the eve, unless the last month lacks the day
        return end - ONE if first_counts and end.day == event.day else end
    day, left = (event - ONE if first_counts else event), row.n * (7 if row.unit == "week" else 1)
    while left:
        day += ONE
        left -= row.calendar == "calendar" or not calendar.closed(day)
    if row.count == "next_monday":
        day += ONE
        while day.weekday() != 0:
            day += ONE
    return day


def _month_by_month(event: date, months: int, *, to_the_end: bool) -> date:
    """Walk day by day to the same number so many months on, or to the last day of that month."""
    at_the_end = to_the_end and (event + ONE).month != event.month
    day, passed = event, 0
    while True:
        last = (day + ONE).month != day.month
        if passed == months and (last if at_the_end else day.day == event.day or last):
            return day
        passed += last
        day += ONE


AWKWARD = [D(day) for day in ("2023-11-30", "2023-12-22", "2024-02-28", "2024-02-29", "2024-03-15", "2024-08-31")]


def test_no_deadline_is_later_than_the_slow_counter() -> None:
    counted = 0
    for row in KNOWLEDGE.windows:
        if row.kind not in DUE or row.direction == "before" or row.unit == "hour" or row.earlier:
            continue
        rule = BOOK.rule(row.window_id)
        calendar = BOOK.calendars.named(rule.calendar)
        for event in AWKWARD:
            assert compute(event, rule=rule, book=BOOK).due <= _slow(row, event, calendar), (row.window_id, event)
            counted += 1
    assert counted > 3_000


def test_no_notice_before_an_event_is_later_than_so_many_days_before_it() -> None:
    for row in KNOWLEDGE.windows:
        if row.kind in DUE and row.direction == "before" and row.unit in ("day", "week") and row.calendar == "calendar":
            rule = BOOK.rule(row.window_id)
            days = row.n * (7 if row.unit == "week" else 1) + (row.count == "clear")
            for event in AWKWARD:
                assert compute(event, rule=rule, book=BOOK).due <= event - days * ONE, (row.window_id, event)


def test_a_row_that_rests_on_federal_rules_is_counted_by_them() -> None:
    families = {
        "Fed. R. Civ. P.": "frcp",
        "Fed. R. App. P.": "frap",
        "Fed. R. Bankr. P.": "frbp",
        "Fed. R. Crim. P.": "frcrp",
    }
    for row in KNOWLEDGE.windows:
        for rules, law in families.items():
            assert not row.authority.startswith(rules) or row.counting == law, row.window_id


def test_every_row_names_a_rule_and_none_says_itself_that_it_rolls(tmp_path: Path) -> None:
    assert {row.counting for row in KNOWLEDGE.windows} <= set(KNOWLEDGE.counting)
    shutil.copytree(PACKAGED, tmp_path / "data")
    file = tmp_path / "data" / "windows" / "maritime.csv"
    head, row = file.read_text(encoding="utf-8").splitlines()
    file.write_text(f"{head},roll\n{row},next\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"maritime/\w+: whether a period rolls is said by its rule of counting"):
        KnowledgeBase(tmp_path / "data").windows  # noqa: B018 - loading is what is tested
    file.write_text(f"{head}\n{row.replace(',frcp,', ',custom,')}\n", encoding="utf-8")
    (alone,) = (w for w in KnowledgeBase(tmp_path / "data").windows if w.counting == "custom")
    assert alone.roll == "none"  # what nobody holds moves nothing; the suite reports it


def test_a_law_of_a_candidate_is_what_the_tool_counts_by() -> None:
    """The answer of 9 March 2024 falls due on a Saturday: without the provision it stays there."""
    frcp = KNOWLEDGE.counting["frcp"]
    still = frcp.model_copy(update={"parts": {part: cited for part, cited in frcp.parts.items() if part != "roll"}})
    rows = [ROWS["civil_procedure/answer"].model_copy(update={"roll": "none", "roll_authority": ""})]
    book = DeadlineBook(rows, KNOWLEDGE.calendars, {**KNOWLEDGE.counting, "frcp": still})
    assert compute(D("2024-03-09"), rule="civil_procedure/answer", book=book).due == D("2024-03-30")
    assert compute(D("2024-03-09"), days=21, book=book).due == D("2024-03-30")
    assert compute(D("2024-03-09"), days=21, book=BOOK).due == D("2024-04-01")


@pytest.mark.parametrize(
    "wrong",
    [
        {"parts": {"roll": " "}},
        {"parts": {"forward": "s. 2"}},
        {"rolls_off": ()},
        {"rolls_off": ("sunday",), "parts": {"count": "s. 1"}},
        {"rolls_off": ("monday",), "parts": {"roll": "s. 2"}},
        {"counting_id": "Two Words"},
        {"rule": ""},
        {"authority": ""},
    ],
)
def test_rules_that_say_nothing_are_refused(wrong: dict[str, Any]) -> None:
    good = {"counting_id": "zoo", "name": "Zoo", "jurisdiction": "US", "authority": "Zoo Act", "rule": "day by day",
            "parts": {"roll": "Zoo Act s. 2"}, "provenance": "our own convention"}  # fmt: skip
    assert CountingRule.model_validate(good).roll == "next"
    with pytest.raises(ValidationError):
        CountingRule.model_validate(good | wrong)


def test_a_saturday_that_a_law_leaves_open_may_be_the_last_day_and_be_moved_to() -> None:
    """Singapore: 9 August 2024, National Day, is a Friday."""
    found = compute(D("2024-07-10"), days=30, calendar="singapore", book=BOOK)
    assert (found.due, found.steps[-1].rule) == (D("2024-08-10"), "Interpretation Act 1965 (Singapore) s. 50(b)")
    asked = compute(D("2024-07-10"), days=30, calendar="singapore", roll="forward", book=BOOK)
    assert asked.due == D("2024-08-12")  # a contract that names business days moves it to Monday
    holiday = compute(D("2018-03-31"), rule="hong_kong/limitation", book=BOOK)
    assert holiday.due == D("2024-04-02")


def test_a_place_counts_by_its_own_law() -> None:
    saturday = {"days": 1, "trigger": D("2024-03-01")}
    assert compute(**saturday, calendar="canada_qc", book=BOOK).due == D("2024-03-04")
    assert compute(**saturday, calendar="canada_on", book=BOOK).due == D("2024-03-02")
    assert compute(**saturday, calendar="state_ny", book=BOOK).steps[-1].rule == "N.Y. Gen. Constr. Law § 25-a(1)"
    assert compute(**saturday, calendar="state_nj", book=BOOK).due == D("2024-03-02")


@pytest.mark.parametrize(
    ("rule", "event", "due", "provision"),
    [
        # 30 days end on Saturday 30 March, five more on Thursday 4 April: not Monday 1 April and five days
        ("civil_procedure/ca_interrogatories", "2024-02-29", "2024-04-04", "Cal. Civ. Proc. Code § 1013(a)"),
        # 20 days end on Saturday 2 March, five more on Thursday 7 March
        ("civil_procedure/ny_interrogatories", "2024-02-11", "2024-03-07", "N.Y. C.P.L.R. § 2103(b)(2)"),
        # 30 days end on Friday 29 March, three more on Monday 1 April
        ("civil_procedure/tx_production", "2024-02-28", "2024-04-01", "Tex. R. Civ. P. 21a(c)"),
        # the federal period is moved to Monday 1 April first, then three days are added: Rule 6(d)
        ("civil_procedure/interrogatory_answers", "2024-02-29", "2024-04-04", "Fed. R. Civ. P. 6(d)"),
    ],
)
def test_days_for_mail_lengthen_the_period_and_are_added_after_it_under_the_federal_rules_alone(
    rule: str, event: str, due: str, provision: str
) -> None:
    found = TOOL.call("deadline", {"trigger": event, "rule": rule, "by_mail": True})
    assert found["due"] == due
    assert provision in [step["rule"] for step in found["steps"]]
