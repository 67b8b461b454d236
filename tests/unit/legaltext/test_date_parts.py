"""The parts that dates are read with: years, days that exist, figures, and text whose blanks do not count."""

from __future__ import annotations

import calendar

import pytest

from tasks.legaltext.dates.blanks import scan_squeezed
from tasks.legaltext.dates.numeric import numeric_dates
from tasks.legaltext.dates.values import EARLIEST_YEAR, LATEST_YEAR, PIVOT, date_mention, read_year, valid_day
from tasks.legaltext.records import DateMention


@pytest.mark.parametrize(
    ("raw", "year"),
    [
        ("2024", 2024), ("'24", 2024), ("\u201924", 2024), (" 24 ", 2024), ("68", 2068), ("69", 1969), ("00", 2000),
        ("99", 1999), ("1500", 1500), ("1499", None), ("2299", 2299), ("2300", None), ("024", None), ("5", None),
        ("20245", None), ("", None), ("two thousand and four", 2004), ("nineteen ninety-nine", 1999), ("lease", None),
        ("٢٠٢٤", None), ("seven", None),
    ],
)  # fmt: skip
def test_a_year_is_plausible_or_none(raw: str, year: int | None) -> None:
    assert read_year(raw) == year


def test_every_year_of_two_figures_lies_around_the_pivot() -> None:
    years = [read_year(f"{n:02d}") for n in range(100)]
    assert years == [2000 + n if n < PIVOT else 1900 + n for n in range(100)]
    assert all(EARLIEST_YEAR <= year <= LATEST_YEAR for year in years if year)


@pytest.mark.parametrize("year", [None, 1900, 2000, 2023, 2024])
def test_a_day_exists_where_the_calendar_has_it(year: int | None) -> None:
    for month in range(-1, 15):
        for day in range(-1, 33):
            there = 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year or 2000, month)[1]
            assert valid_day(year, month, day) is there


@pytest.mark.parametrize(
    ("year", "month", "day", "iso", "precision"),
    [
        (2024, 3, 9, "2024-03-09", "day"),
        (None, 2, 29, "--02-29", "day_of_year"),
        (2023, 2, 29, None, None),
        (2024, 3, None, "2024-03", "month"),
        (2024, 13, None, None, None),
        (2024, 0, None, None, None),
        (987, None, None, "0987", "year"),
        (None, 3, None, None, None),
        (None, None, 9, None, None),
        (None, None, None, None, None),
    ],
)
def test_a_mention_is_as_precise_as_its_components(
    year: int | None, month: int | None, day: int | None, iso: str | None, precision: str | None
) -> None:
    made = date_mention("on that day", 3, 7, year=year, month=month, day=day)
    assert (made and (made.iso, made.precision, made.text)) == (iso and (iso, precision, "that"))


def read(text: str, order: str = "us") -> list[tuple[str, str]]:
    return [(m.iso, m.also) for m in numeric_dates(text, order)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 2024-03-09.", [("2024-03-09", "")]),
        ("on 2024/3/9", [("2024-03-09", "")]),
        ("on 2024-13-09", []),
        ("on 2024-02-30", []),
        ("on 3/9/2024", [("2024-03-09", "2024-09-03")]),
        ("on 3/3/2024", [("2024-03-03", "")]),
        ("on 3/19/2024", [("2024-03-19", "")]),
        ("on 19/3/2024", [("2024-03-19", "")]),
        ("on 9.3.2024", [("2024-03-09", "")]),  # with stops the day stands first, everywhere
        ("on 3/9/24", [("2024-03-09", "2024-09-03")]),
        ("on 3/9/'69", [("1969-03-09", "1969-09-03")]),
        ("clause 1.2.24", []),
        ("a score of 10-5-20", []),
        ("on 10-05-20", [("2020-10-05", "2020-05-10")]),
        ("Section 10.10.24", []),
        ("§ 10.10.24", []),
        ("Release No. 33.10.12", []),
        ("on 3 / 9 / 2024", [("2024-03-09", "2024-09-03")]),
        ("on 3 - 9 - 2024", []),
        ("in 03/2024", [("2024-03", "")]),
        ("in 13/2024", []),
        ("in 2024-05", [("2024-05", "")]),
        ("the season 2010-11", []),  # a pair of years
        ("Notice 2004-05", []),
        ("3/9/2024/7", []),
        ("v1.2024-03-09", []),
        ("50/50/2024", []),
    ],
)
def test_dates_in_figures(text: str, found: list[tuple[str, str]]) -> None:
    assert read(text) == found


def test_elsewhere_the_day_stands_first() -> None:
    assert read("on 3/9/2024", "world") == [("2024-09-03", "2024-03-09")]
    assert read("on 3/19/2024", "world") == [("2024-03-19", "")]
    assert read("on 2024-03-09", "world") == [("2024-03-09", "")]


@pytest.mark.parametrize("blank", ["  ", "\u00a0", " \u00a0 ", "\t", "\u200b ", " \u00ad", "\n", "\u2009\u2009"])
def test_blanks_of_any_kind_count_as_one_and_places_stay_the_readers(blank: str) -> None:
    text = f"so{blank}due{blank}2024-03-09{blank}and{blank}2025-01-02{blank}then"

    def scan(squeezed: str) -> list[DateMention]:
        assert not any(c in squeezed for c in "\u00a0\t\u200b\u00ad\u2009")
        assert "  " not in squeezed
        return list(numeric_dates(squeezed, "us"))

    first, second = scan_squeezed(text, scan)
    assert (first.iso, second.iso) == ("2024-03-09", "2025-01-02")
    assert [text[m.start : m.end] for m in (first, second)] == [first.text, second.text] == ["2024-03-09", "2025-01-02"]


def test_what_is_not_seen_behind_a_mention_is_no_part_of_it() -> None:
    (found,) = scan_squeezed("on 2024-03-09\u200b, then", lambda squeezed: list(numeric_dates(squeezed, "us")))
    assert (found.start, found.end, found.text) == (3, 13, "2024-03-09")


def test_a_mention_across_odd_blanks_is_given_back_as_it_stands() -> None:
    text = "on 3\u00a0/\u00a0\u00a09 /\t2024 then"
    (found,) = scan_squeezed(text, lambda squeezed: list(numeric_dates(squeezed, "us")))
    assert (found.iso, found.text) == ("2024-03-09", "3\u00a0/\u00a0\u00a09 /\t2024")
