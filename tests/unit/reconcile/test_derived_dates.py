"""Dates that follow from a source: a day and a period of one document, shown in the draft's own words."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reconcile_fixtures import matter, run

from tasks.reconcile.dates.gate import check_dates

LEASE = "01-harbor-lease.docx"
SALE = "02-mill-sale.docx"
NOTICE = "03-harbor-notice.docx"
ROOM = {
    LEASE: (
        "LEASE\n\nThis Lease is made as of March 1, 2021 (the “Commencement Date”).\n\n"
        "2. Term. The term of this Lease continues for ten (10) years from the Commencement Date.\n\n"
        "3. Option. Tenant may renew by notice given one hundred eighty (180) days before the term ends.\n"
    ),
    SALE: (
        "SALE\n\nThe closing took place on June 10, 2022.\n\nThe escrow is released within eighteen (18) months after "
        "the closing.\n\nA claim is raised within ninety (90) days after the closing. The deposit is wired ten (10) "
        "business days after the closing.\n"
    ),
}


def check(draft: str, room: dict[str, str] | None = None):
    sources = room or ROOM
    return run(check_dates, draft, sources=sources, matter=matter("memo.md", documents=tuple(sources)))


def derivations(draft: str, room: dict[str, str] | None = None) -> list[str]:
    return [g.derivation for g in check(draft, room).grounded if g.derivation]


@pytest.mark.parametrize(
    ("draft", "derivation"),
    [
        (
            "The escrow is released by December 10, 2023: 18 months from June 10, 2022.",
            "2022-06-10 + 18 months = 2023-12-10",
        ),
        (
            "The last day for a claim is September 8, 2022 (90 days from June 10, 2022).",
            "2022-06-10 + 90 days = 2022-09-08",
        ),
        ("The claim period of ninety days ends on September 8, 2022.", "2022-06-10 + 90 days = 2022-09-08"),
        ("The term expires on February 28, 2031.", "2021-03-01 + 10 years (last day) = 2031-02-28"),
        ("The term runs ten years until March 1, 2031.", "2021-03-01 + 10 years = 2031-03-01"),
        (
            "The deposit is due June 27, 2022: 10 business days after June 10, 2022.",
            "2022-06-10 + 10 days (business days, us_federal) = 2022-06-27",
        ),
    ],
)
def test_a_date_shows_the_day_and_the_period_that_it_follows_from(draft, derivation):
    found = check(draft)
    assert found.findings == ()
    assert derivation in [g.derivation for g in found.grounded]
    (one,) = [g for g in found.grounded if g.derivation == derivation]
    words = [ROOM[s.document][s.start : s.end] for s in one.sources]
    assert len(words) == 2
    assert any(month in words[0] for month in ("March 1, 2021", "June 10, 2022"))


@pytest.mark.parametrize(
    ("draft", "flagged"),
    [
        ("The escrow is released by December 12, 2023, 18 months after June 10, 2022.", "December 12, 2023"),
        ("The escrow is released by January 10, 2024, 18 months after June 10, 2022.", "January 10, 2024"),
        ("The last day for a claim is September 9, 2022 (90 days from June 10, 2022).", "September 9, 2022"),
        ("The deposit is due June 20, 2022: 10 business days after June 10, 2022.", "June 20, 2022"),
        ("They met on September 8, 2022.", "September 8, 2022"),  # no word of a derivation
        ("The deed dated February 28, 2031 is lost; the term is long.", "February 28, 2031"),
        ("The claim ends on March 8, 2022: 90 days before June 10, 2022.", "March 8, 2022"),
        ("The term expires on February 27, 2031.", "February 27, 2031"),
    ],
)
def test_a_date_that_does_not_follow_is_flagged(draft, flagged):
    assert flagged in [f.text for f in check(draft).findings]


def test_a_day_may_follow_from_one_that_the_draft_derives():
    """180 days before March 1, 2031, are September 2, 2030; the end of the term stands in no source."""
    draft = (
        "Notice is due {}.\n\nBasis: one hundred eighty (180) days before March 1, 2031, the end of the term "
        "(derived: ten years from March 1, 2021)."
    )
    chained = "2021-03-01 + 10 years = 2031-03-01; 2031-03-01 - 180 days = 2030-09-02"

    assert chained in derivations(draft.format("September 2, 2030"))
    assert check(draft.format("September 2, 2030")).findings == ()
    assert "September 3, 2030" in [f.text for f in check(draft.format("September 3, 2030")).findings]
    unsaid = draft.format("September 2, 2030").replace("one hundred eighty (180) days before ", "some time before ")
    assert "September 2, 2030" in [f.text for f in check(unsaid).findings]


def test_the_day_and_the_period_are_of_one_document():
    mixed = "The claim period of 90 days from March 1, 2021 ends on May 30, 2021."
    assert "May 30, 2021" in [f.text for f in check(mixed).findings]


def test_the_terms_are_looked_for_in_the_cited_document():
    draft = "The claim period of ninety days ends on September 8, 2022 [{} § 1]."
    assert check(draft.format(SALE)).findings == ()
    assert "September 8, 2022" in [f.text for f in check(draft.format(LEASE)).findings]


def test_what_is_quoted_behind_a_date_is_not_its_reasoning():
    own = "It ends on September 8, 2022, 90 days on."
    quoted = "They met on September 8, 2022. “A claim is due within ninety (90) days after the closing.”"
    assert check(own).findings == ()
    assert [f.text for f in check(quoted).findings] == ["September 8, 2022"]


@pytest.mark.parametrize(
    ("words", "period", "other"),
    [
        ("It renews from year to year.", "1 year", "2 years"),
        ("It renews for successive annual terms.", "1 year", "3 years"),
        ("It renews on a quarterly basis.", "3 months", "4 months"),
        ("It runs from month-to-month.", "1 month", "2 months"),
        ("It renews for additional monthly periods.", "1 month", "6 months"),
        ("It renews for weekly periods.", "7 days", "8 days"),
        ("It renews for each successive year.", "12 months", "13 months"),
    ],
)
def test_a_period_in_words_is_that_of_its_unit(words, period, other):
    room = {"services.txt": f"SERVICES\n\n{words}\n"}
    found = check(f"The term renews for {period} at a time.", room)
    assert found.findings == ()
    (one,) = found.grounded
    span = one.sources[0]
    assert room[span.document][span.start : span.end] in words
    assert [f.kind for f in check(f"The term renews for {other} at a time.", room).findings] == ["unsourced"]


def test_the_end_of_a_calendar_year_follows_from_a_day_in_it():
    room = {"grant.txt": "GRANT\n\nMade on May 8, 2014, this grant runs until the end of the calendar year.\n"}
    assert derivations("The grant expires on December 31, 2014.", room) == [
        "end of the calendar year of 2014-05-08 = 2014-12-31"
    ]
    for draft in (
        "It expires on December 31, 2015.",
        "It expires on December 30, 2014.",
        "They met on December 31, 2014.",
    ):
        assert check(draft, room).findings
    plain = {"grant.txt": "GRANT\n\nMade on May 8, 2014, this grant runs for a while.\n"}
    assert check("The grant expires on December 31, 2014.", plain).findings


@settings(max_examples=20, deadline=None)
@given(start=st.dates(date(2001, 1, 1), date(2030, 12, 31)), days=st.integers(20, 400))
def test_days_after_a_day_are_counted_exactly(start, days):
    room = {"sale.txt": f"SALE\n\nThe closing took place on {start:%B} {start.day}, {start.year}.\n\n"
            f"A claim is raised within {days} days after the closing.\n"}  # fmt: skip
    due = start + timedelta(days=days)
    draft = "The last day for a claim is {:%B} {}, {}: {} days after {:%B} {}, {}."

    def said(day: date) -> str:
        return draft.format(day, day.day, day.year, days, start, start.day, start.year)

    assert f"{start} + {days} days = {due}" in derivations(said(due), room)
    early = due - timedelta(days=1)  # a day later may be the next open one
    assert [f.text for f in check(said(early), room).findings] == [f"{early:%B} {early.day}, {early.year}"]


def test_citations_side_by_side_bear_a_day_together():
    draft = (
        "The notice runs to July 10, 2022: thirty days after June 10, 2022 [Harbor Notice § 2] [Mill Sale, para. 2]."
    )
    room = {NOTICE: "NOTICE\n\n1. To whom.\n\n2. Answer within thirty (30) days after the closing.\n", SALE: ROOM[SALE]}
    assert not check(draft, room).findings
    assert check(draft.replace("] [", "]; ["), room).findings  # parted, each has its own statement
