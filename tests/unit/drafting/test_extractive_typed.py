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
            "Until terminated, without a fixed day",
        ),
        (
            "Unless earlier terminated, this Agreement shall take effect on July 1, 2010 and expire on June 1, 2012.",
            "2012-06-01",
        ),
        (
            "This Agreement shall extend until the four (4) year anniversary of the date of this Agreement.",
            "2014-06-30",
        ),
        ("This Agreement shall be effective through and including March 31, 2012.", "2012-03-31"),
        (
            "This Agreement shall continue in full force for ten (10) years from the Launch.",
            "By event: 10 years from the Launch",
        ),
        (
            'This Agreement shall continue for two years from the Launch. "Launch" means May 1, 2011.',
            "2013-05-01",
        ),
        (
            "The term shall commence on the date hereof and continue until completion of the Project, unless extended.",
            "By event: until completion of the Project",
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


def test_the_day_on_which_a_term_ends_is_not_that_on_which_it_begins():
    clause = "2. Term. This Agreement shall commence on the Effective Date and terminate on December 31, 2015."
    assert ask("effective date", f"{PREAMBLE}{clause}\n").value == "2010-06-30"
    assert ask("expiration date", f"{PREAMBLE}{clause}\n").value == "2015-12-31"


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("governed by and construed under the internal laws of the [***].", "the internal laws of the [***]"),
        ("governed by the law governing the Master Lease.", "the law governing the Master Lease"),
    ],
)
def test_a_law_that_a_clause_describes_without_a_name_is_told_and_not_denied(clause, expected):
    got = ask("governing law", f"{PREAMBLE}9. Governing Law. This Agreement shall be {clause}\n")
    assert (got.value, got.certain) == (f"As the clause describes it: {expected}", False)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("unless terminated by Beta within sixty (60) days prior to the expiration of the term", "60 days"),
        (
            "unless written notice is given by either party to the other, telling of its intention not to renew the "
            "Services Term of this Agreement any further, at least ninety (90) days prior to the end of the term",
            "90 days",
        ),
        ("unless a party gives notice of non-renewal at least **** before the end of the term", "Notice is due"),
    ],
)
def test_notice_that_stops_a_renewal_is_read_from_the_whole_sentence(clause, expected):
    text = f"{PREAMBLE}2. Term. This Agreement shall automatically renew for successive one-year terms {clause}.\n"
    assert ask("notice period to terminate renewal", text).value.startswith(expected)


def test_a_term_that_runs_from_an_event_says_what_it_would_be_from_the_effective_date():
    clause = "The initial term will begin on the Effective Date and end twelve months after the Launch."
    text = f"{PREAMBLE}2. Term. {clause}\n"
    got = ask("expiration date", text)
    assert got.value == "By event: 12 months from the Launch"
    assert got.note == "The day of the Launch is not stated; from the effective date it would be 2011-06-30."
    assert not got.certain


@pytest.mark.parametrize(
    ("clause", "note"),
    [
        ("the longer of (i) three (3) years and (ii) the completion of the Project", "at the earliest"),
        ("a period of three years or the life of the Project, whichever is shorter", "at the latest"),
    ],
)
def test_a_term_of_several_ends_says_which_of_them_counts(clause, note):
    text = f"{PREAMBLE}2. Term. This Agreement commences on June 30, 2010 and shall continue for {clause}.\n"
    got = ask("expiration date", text)
    assert got.value == "2013-06-30"
    assert note in got.note
    assert not got.certain


def test_a_term_counted_from_a_day_does_not_run_from_an_event():
    assert (
        ask("expiration date", f"{PREAMBLE}2. Term. The term is five years from July 1, 2010.\n").value == "2015-07-01"
    )


def test_an_early_end_that_is_reserved_leaves_the_term_its_own_end():
    clause = (
        "Unless earlier terminated as provided below, this Agreement shall remain in effect until the date on which an"
        " affiliate of Alpha ceases to manage Beta."
    )
    got = ask("expiration date", f"This Agreement is made between Alpha, Inc. and Beta LLC.\n\n1. Term. {clause}\n")
    assert got.value.startswith("By event: until the date on which an affiliate")


def test_a_last_day_is_the_end_and_said_to_be_the_latest():
    clause = "This Agreement shall terminate five years after the first sale, but in no event later than May 28, 2013."
    got = ask("expiration date", f"{PREAMBLE}1. Term. {clause}\n")
    assert got.value == "2013-05-28"
    assert got.note == "The clause takes the earlier of several ends: this day at the latest."
    assert not got.certain


def test_a_line_of_a_schedule_gives_no_effective_date():
    rest = "\n\n".join(f"{n}. The parties shall keep records of the goods that they ship." for n in range(2, 160))
    schedule = "Commencement Dates\n\nZ0283 -- 11/22/98\n"
    text = f"This Agreement is made between Alpha, Inc. and Beta LLC.\n\n{rest}\n\n{schedule}"
    assert len(text) > 9000
    assert not ask("effective date", text).found
