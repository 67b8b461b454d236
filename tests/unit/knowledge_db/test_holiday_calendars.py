"""Holiday calendars as data: what they hold, what is refused, and that the deadline tool counts by the same days."""

from __future__ import annotations

import re
from datetime import date

import holidays
import pytest

from knowledge_db import PACKAGED, KnowledgeBase, KnowledgeError
from knowledge_db.calendars import load_calendars
from tasks.harness import packaged
from tasks.reconcile.deadlines.book import book_of

CALENDARS = {row.calendar_id: row for row in load_calendars(PACKAGED)}
SHELF = book_of(packaged().knowledge).calendars
calendar_named = SHELF.named


def test_the_calendars_the_paper_names_are_there():
    assert {"us_federal_courts", "nyse", "irs", "bankruptcy", "england_wales", "target", "japan", "canada"} <= set(
        CALENDARS
    )
    assert len({row.jurisdiction for row in CALENDARS.values()}) >= 8
    assert all(row.authority and row.provenance for row in CALENDARS.values())
    assert KnowledgeBase().calendars == tuple(CALENDARS.values())


@pytest.mark.parametrize("row", CALENDARS.values(), ids=list(CALENDARS))
def test_every_source_is_known_to_the_library(row):
    for source in row.sources:
        assert holidays.country_holidays(
            source.code, subdiv=source.subdivision or None, years=2024, categories=source.categories
        )


def test_the_deadline_tool_counts_by_the_data():
    """The rows are what the tool reads: names, label, authority, family, warning and doubtful days."""
    assert set(SHELF.names) == {name for name, row in CALENDARS.items() if not row.needs_place}
    assert len(CALENDARS) >= 36
    for row in CALENDARS.values():
        for name in () if row.needs_place else (row.calendar_id, *row.aliases):
            counted = calendar_named(name)
            assert (counted.name, counted.row) == (row.calendar_id, row)
            assert all(row.doubt in counted.doubtful(day) for day in row.doubtful), name


@pytest.mark.parametrize(
    ("name", "label", "authority"),
    [
        ("us_federal_courts_ny", "United States district courts in NY", "Fed. R. Civ. P. 6(a)(6)"),
        ("us_bankruptcy_de", "United States bankruptcy courts in DE", "Fed. R. Bankr. P. 9006(a)(6)"),
        ("state_ca", "courts of CA", "federal and CA holidays"),
        ("irs_ma", "Internal Revenue Service, office in MA", "26 U.S.C. § 7503"),
        ("de_bavaria", "Germany (BY)", "§ 193 BGB"),
        ("canada_quebec", "Canada (QC)", "Interpretation Act, R.S.C. 1985, c. I-21, s. 35"),
    ],
)
def test_a_place_is_named_as_the_row_says(name, label, authority):
    counted = calendar_named(name)
    assert (counted.row.name, counted.row.authority) == (label, authority)


@pytest.mark.parametrize("name", ["state", "nyse_ny", "us_federal_courts_zz", "italy_geneva", "switzerland_bavaria"])
def test_a_place_that_a_calendar_has_not_is_refused(name):
    with pytest.raises(ValueError, match="no calendar named"):
        calendar_named(name)


@pytest.mark.parametrize("name", ["us_federal_courts", "nyse", "england_wales", "germany", "target"])
def test_the_tool_counts_the_days_of_the_sources(name):
    """For calendars that no statute corrects: what the row names is what is closed."""
    row, counted = CALENDARS[name], calendar_named(name)
    assert days_of(row) == {d for d in span() if counted.holiday(d)}


def span():
    start = date(2024, 1, 1).toordinal()
    return [date.fromordinal(start + n) for n in range(731)]


def days_of(row):
    found = set()
    for source in row.sources:
        years = (2024, 2025, 2026)
        if source.code in holidays.list_supported_financial():  # asked for by the library's own function
            found |= set(holidays.financial_holidays(source.code, years=years))
        else:
            found |= set(
                holidays.country_holidays(
                    source.code, subdiv=source.subdivision or None, years=years, categories=source.categories
                )
            )
    return {day for day in found if day.year in (2024, 2025)}


ROW = '[[row]]\ncalendar_id = "a"\nname = "A"\njurisdiction = "US"\nauthority = "x"\nprovenance = "y"\nsources = []\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (ROW + ROW, "names both a and a"),
        (ROW + 'aliases = ["b"]\n' + ROW.replace('"a"', '"b"'), "names both a and b"),
        (ROW.replace('"a"', '"A B"'), "calendar_id"),
        (ROW.replace("sources = []", 'sources = [{ code = "US", state = "NY" }]'), "state"),
        (ROW + 'place = "sometimes"\n', "place"),
        (ROW + "doubtful = ['2024-13-01']\n", "doubtful"),
        (ROW + 'fixed = { "13-01" = "never" }\n', "fixed"),
        (ROW + "known = [2000]\n", "known"),
        (
            ROW + 'place = "after"\nplace_aliases = ["b"]\n' + ROW.replace('"a"', '"b"') + 'place = "always"\n',
            "names both a and b",
        ),
    ],
)
def test_a_broken_calendar_is_named(tmp_path, content, message):
    (tmp_path / "calendars").mkdir()
    (tmp_path / "calendars" / "mine.toml").write_text(content)
    with pytest.raises(KnowledgeError, match=re.escape(message)):
        load_calendars(tmp_path)


def test_a_folder_without_calendars_has_none(tmp_path):
    assert load_calendars(tmp_path) == ()
