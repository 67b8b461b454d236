"""Every field of a window and of a calendar acts: a candidate's edit changes what the tool or the date gate says."""

from __future__ import annotations

import dataclasses
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from reconcile_fixtures import matter, pack, state, text

from knowledge_db import PACKAGED, KnowledgeBase
from knowledge_db.calendar_records import HolidayCalendar, HolidaySource
from knowledge_db.records import KnowledgeRow, WindowRule
from tasks.harness import Harness, find_harness, packaged, parsed
from tasks.matter.failures import SolonError
from tasks.reconcile.check import CheckJob
from tasks.reconcile.dates.gate import check_dates
from tasks.reconcile.deadlines.calendars import ONE_DAY, Calendar
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

WINDOW = WindowRule(
    window_id="x/notice", domain="notices", regime="Notice of zebras", trigger="a sighting", action="tell the keeper",
    n=10, unit="day", roll="next", calendar_set="here", roll_authority="Zoo Act s. 2", authority="Zoo Act s. 1",
    jurisdiction="US", note="but for foals", provenance="our own", as_of="2024", aliases=("zebra",),
    also_cited=("Zoo Rules r. 9",), in_force_from="2020-01-01", earlier=("12",), mail_days=3,
)  # fmt: skip
CALENDAR = HolidayCalendar(
    calendar_id="here", name="Here", aliases=("yonder",), jurisdiction="US", authority="Days Act",
    rule="every day counts", sources=(HolidaySource(code="US"),), family="", warning="ask the clerk",
    doubts={"Christmas": "not for all"}, fixed={"01-05": "Zebra Day"}, perhaps={"01-04": "closed in places"},
    known=(2000, 2040), doubtful=(date(2024, 1, 11),), doubt="it snowed", place="after", place_aliases=("hither",),
    place_spellings={"big_apple": "ny"}, place_name="Here in {place}", place_authority="Days Act of {place}",
    place_warning="ask the state", provenance="our own", as_of="2024",
)  # fmt: skip
# A calendar whose places stand in the stead of the whole: its holidays are another country's.
ABROAD = HolidayCalendar(
    calendar_id="abroad", name="Abroad", jurisdiction="DE", authority="Tage", sources=(HolidaySource(code="DE"),),
    place="instead", place_name="Abroad in {place}", place_perhaps={"BY": {"01-04": "closed in villages"}},
    provenance="our own",
)  # fmt: skip
ASKED: tuple[dict[str, Any], ...] = (
    *({"rule": name, "trigger": "2024-03-05"} for name in ("x/notice", "zebra", "Zoo Act s. 1", "Zoo Rules r. 9")),
    {"rule": "x/notice", "trigger": "2024-03-06"},  # day 10 is a Saturday
    {"rule": "x/notice", "trigger": "2015-03-05"},
    {"rule": "x/notice", "trigger": "2024-03-05", "by_mail": True},
    *({"days": 10, "trigger": day, "calendar": "here"} for day in ("2023-12-25", "2024-03-06", "2024-01-01")),
    {"days": 9, "trigger": "2024-03-12", "calendar": "here", "direction": "before"},
    {"days": 0, "trigger": "2024-01-04", "calendar": "yonder"},
    {"days": 0, "trigger": "2023-12-25", "calendar": "here"},
    {"days": 0, "trigger": "2024-01-05", "calendar": "here"},
    {"days": 0, "trigger": "1999-11-25", "calendar": "here"},
    {"days": 1, "trigger": "2024-11-06", "calendar": "here_ny", "direction": "before"},
    *({"days": 0, "trigger": "2024-11-05", "calendar": name} for name in ("here_ny", "hither_ny", "here_big_apple")),
    {"days": 0, "trigger": "2024-01-04", "calendar": "abroad_by"},
)


def _with(windows: tuple[WindowRule, ...], calendars: tuple[HolidayCalendar, ...]) -> Harness:
    knowledge = KnowledgeBase()
    # In the place of the families of the folder; those that no deadline needs stay empty.
    knowledge.__dict__.update(windows=windows, calendars=calendars, authorities=(), synonyms=())
    return dataclasses.replace(packaged(), knowledge=knowledge)


def _said(harness: Harness) -> list[Any]:
    """What the deadline tool and the search answer."""
    registry = ToolRegistry(Desk(harness=harness))
    # The row that the search gives back is left out: a field must act, not only be repeated.
    found = harness.knowledge.search_windows("notices of zebras", 1)
    answers: list[Any] = [(row["score"], row["reason"]) for row in found]
    for asked in ASKED:
        try:
            answers.append(registry.call("deadline", asked))
        except SolonError as refused:
            answers.append(str(refused))
    return answers


@pytest.fixture(scope="module")
def usual() -> list[Any]:
    return _said(_with((WINDOW,), (CALENDAR, ABROAD)))


WINDOW_EDITS: dict[str, Any] = {
    "window_id": "x/other", "domain": "zebra", "regime": "Note", "trigger": "a bite", "action": "run", "n": 9,
    "unit": "week", "calendar": "business", "direction": "before", "roll": "previous", "calendar_set": "abroad",
    "count": "beginning_with", "roll_authority": "Zoo Act s. 3", "kind": "waiting", "authority": "Zoo Act s. 4",
    "jurisdiction": "DE", "note": "", "provenance": "to be re-verified", "as_of": "2025", "aliases": (),
    "also_cited": (), "in_force_from": "2024-03-06", "earlier": ("13",), "mail_days": 5,
    "counting": "irs", "exceptions": "not for foals, Zoo Act s. 5", "tolling": "not in winter, Zoo Act s. 6",
}  # fmt: skip
CALENDAR_EDITS: dict[str, Any] = {
    "calendar_id": "there", "name": "There", "aliases": (), "jurisdiction": "DE", "authority": "Days Code",
    "rule": "", "sources": (HolidaySource(code="NYSE"),),
    "open_saturday": True, "family": "frcp", "place_family": {"NY": "ny"}, "warning": "",
    "doubts": {}, "fixed": {}, "perhaps": {},
    "known": (1990, 2040), "doubtful": (),
    "doubt": "it rained", "place": "always", "place_aliases": (), "place_spellings": {}, "place_name": "In {place}",
    "needs_place": True, "place_authority": "", "place_warning": "", "provenance": "held", "as_of": "2025",
}  # fmt: skip
SOURCE_EDITS: dict[str, Any] = {"code": "GB", "subdivision": "NY", "categories": ("unofficial",), "observed": False}


def _changed(row: KnowledgeRow, field: str, value: Any) -> Any:
    return type(row).model_validate(row.model_dump() | {field: value})


@pytest.mark.parametrize("field", WindowRule.model_fields)
def test_every_field_of_a_window_acts(field: str, usual: list[Any]) -> None:
    assert _said(_with((_changed(WINDOW, field, WINDOW_EDITS[field]),), (CALENDAR, ABROAD))) != usual


@pytest.mark.parametrize("field", [field for field in HolidayCalendar.model_fields if field != "place_perhaps"])
def test_every_field_of_a_calendar_acts(field: str, usual: list[Any]) -> None:
    changed = CALENDAR.model_copy(update={field: CALENDAR_EDITS[field]})
    assert _said(_with((WINDOW,), (changed, ABROAD))) != usual


def test_what_is_told_of_a_place_acts(usual: list[Any]) -> None:
    assert _said(_with((WINDOW,), (CALENDAR, ABROAD.model_copy(update={"place_perhaps": {}})))) != usual


@pytest.mark.parametrize("field", HolidaySource.model_fields)
def test_every_field_of_a_source_of_holidays_acts(field: str) -> None:
    source = HolidaySource(code="US")
    edited = source.model_copy(update={field: SOURCE_EDITS[field]})

    def closed(holidays: HolidaySource) -> list[str]:
        calendar = Calendar("here", CALENDAR.model_copy(update={"sources": (holidays,)}))
        return [calendar.holiday(date(2022, 1, 1) + n * ONE_DAY) for n in range(366)]

    assert closed(source) != closed(edited)


# -- a candidate's folder ----------------------------------------------------------------------------------------------

SERVED = {"mail.md": "The summons and complaint were served on January 19, 2021."}
DRAFT = "Service was on January 19, 2021. Under Fed. R. Civ. P. 12(a)(1)(A)(i) the answer is due February 9, 2021."


@pytest.fixture
def candidate(tmp_path: Path) -> Path:
    """A copy of the packaged harness, to be edited."""
    ref = find_harness()
    shutil.copytree(PACKAGED, tmp_path / "knowledge_db" / "data")
    shutil.copytree(ref.skills, tmp_path / "skills_repo", ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    return tmp_path


def _edit(root: Path, path: str, before: str, after: str) -> Harness:
    file = root / "knowledge_db" / "data" / path
    content = file.read_text(encoding="utf-8")
    assert before in content
    file.write_text(content.replace(before, after), encoding="utf-8")
    return parsed(find_harness(root))


def _gate(harness: Harness) -> tuple[str, ...]:
    """What the date gate holds against the due date of the draft; empty where it is grounded."""
    texts = {name: text(name, content) for name, content in SERVED.items()}
    check = check_dates(CheckJob(
        {"memo.md": text("memo.md", DRAFT)}, texts, matter("memo.md"), state(), pack(), harness
    ))  # fmt: skip
    return tuple(finding.checked for finding in check.findings)


def _due(harness: Harness, **asked: Any) -> str:
    due: str = ToolRegistry(Desk(harness=harness)).call("deadline", asked)["due"]
    return due


def test_a_window_of_a_candidate_is_what_the_tool_and_the_date_gate_count_by(candidate: Path) -> None:
    served = {"rule": "frcp_12_a_1_a_i", "trigger": "2021-01-19"}
    assert (_due(packaged(), **served), _gate(packaged())) == ("2021-02-09", ())
    edited = _edit(candidate, "windows/civil_procedure.csv", "Rule 12 motion,21,day", "Rule 12 motion,22,day")
    assert _due(edited, **served) == "2021-02-10"
    assert ["2021-02-10 by 22 days after" in said for said in _gate(edited)] == [True]
    assert _gate(packaged()) == ()


def test_a_calendar_of_a_candidate_is_what_the_tool_and_the_date_gate_count_by(candidate: Path) -> None:
    closed = 'calendar_id = "us_federal_courts"\nfixed = { "02-09" = "Court Day" }'
    edited = _edit(candidate, "calendars/us_courts_and_agencies.toml", 'calendar_id = "us_federal_courts"', closed)
    assert _due(edited, days=21, trigger="2021-01-19") == "2021-02-10"
    assert ["2021-02-10 by 21 days after" in said for said in _gate(edited)] == [True]


def test_business_days_of_a_draft_are_counted_by_the_calendars_of_the_candidate(candidate: Path) -> None:
    source = {"mail.md": "Notice was given on March 1, 2024. The reply is due within 5 business days after notice."}
    draft = "The reply is due March 8, 2024: 5 business days after March 1, 2024."

    def found(harness: Harness) -> int:
        texts = {name: text(name, content) for name, content in source.items()}
        check = check_dates(
            CheckJob({"memo.md": text("memo.md", draft)}, texts, matter("memo.md"), state(), pack(), harness)
        )
        return len(check.findings)

    us = 'calendar_id = "us_federal"\n'
    _edit(candidate, "calendars/us_courts_and_agencies.toml", us, us + 'fixed = { "03-05" = "Closed" }\n')
    england = 'calendar_id = "england_wales"\n'
    edited = _edit(candidate, "calendars/countries.toml", england, england + 'fixed = { "03-05" = "Closed" }\n')
    assert (found(packaged()), found(edited)) == (0, 1)


def test_a_calendar_that_a_candidate_dropped_grounds_nothing_and_breaks_nothing(candidate: Path) -> None:
    file = candidate / "knowledge_db" / "data" / "calendars" / "us_courts_and_agencies.toml"
    file.unlink()
    assert _gate(parsed(find_harness(candidate)))  # the rule cannot be counted: the date is not grounded
