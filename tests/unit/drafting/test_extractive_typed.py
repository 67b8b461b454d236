"""Typed answers: dates, terms, notices and laws, from sentences of our own."""

import sys
from datetime import date
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, reading, settings

from tasks.drafting.extractive.answers import answer
from tasks.drafting.extractive.brief import Topic
from tasks.drafting.extractive.term import add
from tasks.harness import packaged
from tasks.retrieval.named_laws import named_laws
from tasks.retrieval.provisions import catalogue_of

KNOWN = {p.name: p for p in catalogue_of(packaged().knowledge)}
PREAMBLE = "This Agreement is entered into as of June 30, 2010 by and between Alpha, Inc. and Beta LLC.\n\n"


def ask(topic, text=SUPPLY):
    return answer(Topic(topic, KNOWN[topic]), reading(text), settings())


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("agreement date", "2015-03-01"),
        ("effective date", "2015-03-01"),
        ("expiration date", "2020-03-01"),
        ("renewal term", "successive 1 year periods"),
        ("notice period to terminate renewal", "90 days"),
        ("governing law", "Ohio"),
    ],
)
def test_the_supply_agreement(topic, expected):
    assert ask(topic).value == expected


def test_a_derived_date_shows_its_arithmetic():
    got = ask("expiration date")
    assert got.day == date(2020, 3, 1)
    assert got.note == "Derived: 5 years from the effective date, 2015-03-01."
    assert not got.certain


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("This Agreement shall continue in effect until December 31, 2014.", "2014-12-31"),
        (
            "The term begins on the date hereof and ends on the third anniversary of the date of this Agreement.",
            "2013-06-30",
        ),
        ("The term of this Agreement is eighteen months from the date hereof.", "2011-12-30"),
        ("This Agreement shall remain in force until the end of the current calendar year.", "2010-12-31"),
        ('"Expiration Date" means May 1, 2016. This Agreement expires on the Expiration Date.', "2016-05-01"),
        (
            "This Agreement shall continue in effect until terminated by either party.",
            "No fixed date: the term runs until terminated",
        ),
    ],
)
def test_how_a_term_ends(clause, expected):
    assert ask("expiration date", f"{PREAMBLE}2. Term. {clause}\n").value == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "WHEREAS, the parties previously entered into an Agreement dated May 1, 2001.\n\nIN WITNESS WHEREOF\n\nBy:"
            " /s/ A\n\n"
            "Date: July 4, 2009\n\nBy: /s/ B\n\nDate: July 9, 2009\n",
            "2009-07-09",
        ),
        ("THIS LEASE is made this 5th day of May, 2004, between A Ltd and B Ltd.\n", "2004-05-05"),
        ("Source: ACME INC, 10-K, 3/3/2019\n", ""),
    ],
)
def test_agreement_dates(text, expected):
    assert ask("agreement date", text).value == expected


def test_an_effective_date_by_last_signature():
    text = (
        'This Agreement is effective as of the last date signed below (the "Effective Date").\n\n'
        "By: /s/ A\n\nDate: 1/2/2003\n\nBy: /s/ B\n\nDate: 1/9/2003\n"
    )
    assert ask("effective date", text).value == "2003-01-09"


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        (
            "This Agreement is governed by the laws of the Province of Ontario and the federal laws of Canada.",
            ["Ontario", "Canada"],
        ),
        ("It shall be construed under English law.", ["England and Wales"]),
        ("governed by the internal laws (excluding conflict rules) of the State of New York", ["New York"]),
        ("is accepted in the State of Nevada and shall be governed by the laws thereof", ["Nevada"]),
        ("governed by the laws of Delaware, and the courts of Texas have jurisdiction", ["Delaware"]),
        ("subject to the laws of the People’s Republic of China", ["People's Republic of China"]),
        ("a corporation organized under the by-laws", []),
    ],
)
def test_named_laws(clause, expected):
    assert named_laws(clause, packaged().knowledge.jurisdictions) == expected


def test_where_no_law_is_chosen_the_forum_is_reported_as_such():
    got = ask("governing law", PREAMBLE + "9. All disputes shall be settled by arbitration in Denver, Colorado.\n")
    assert got.value == "Colorado"
    assert "No express choice of law" in got.note
    assert not got.certain


def test_notice_of_termination_for_breach_is_no_renewal_notice():
    text = PREAMBLE + "5. Either party may terminate on thirty (30) days notice of a material breach.\n"
    assert ask("notice period to terminate renewal", text).value == ""


@pytest.mark.parametrize(
    ("start", "n", "unit", "expected"),
    [
        (date(2024, 1, 31), 1, "month", date(2024, 2, 29)),
        (date(2024, 2, 29), 1, "year", date(2025, 2, 28)),
        (date(2024, 12, 15), 2, "week", date(2024, 12, 29)),
        (date(2024, 11, 30), 1, "quarter", date(2025, 2, 28)),
    ],
)
def test_calendar_arithmetic(start, n, unit, expected):
    assert add(start, n, unit) == expected
