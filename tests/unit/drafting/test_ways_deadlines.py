"""Deadlines: from a period of the papers, from a rule of court, and what is said where the day is missing."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskState
from tasks.drafting.extractive.ways.registry import answer_asks

LEASE = """LEASE OF A MILL

This Lease is made as of March 1, 2021 (the "Commencement Date") between Alder Estates LLC ("Landlord") and Quern Mills
Inc. ("Tenant"). The fiscal year of Tenant ends on June 30.

1. Term. The initial term begins on the Commencement Date and ends on the fifth anniversary of the Commencement Date.
This Lease renews for successive terms of two years unless either party gives notice of non-renewal at least six months
before the end of the term.

2. Deposit. Tenant shall pay the deposit within 20 days after the Commencement Date.

3. Accounts. Tenant shall deliver audited accounts within 90 days after the end of each fiscal year.

4. Repairs. Tenant shall repair damage within 12 days after notice of the damage. The sluice shall be cleaned within
five Business Days after Landlord asks for it in writing.

5. Insurance. Tenant shall send the policy within 15 days after the Handover Day.
"""

DOCKET = """UNITED STATES DISTRICT COURT, DISTRICT OF OREGON
Ferro Looms, Inc. v. Tansy Weavers LLC

RETURN OF SERVICE
A copy of the summons and complaint was served on Tansy Weavers LLC on Monday, May 4, 2026.
"""

JUDGMENT = """UNITED STATES DISTRICT COURT, DISTRICT OF OREGON
JUDGMENT IN A CIVIL CASE

The jury returned its verdict on June 3, 2026. Plaintiff recovers $90,000 of defendant.
Entered: Monday, June 8, 2026
"""


def only(papers, words, kind="calculation", brief=None):
    made = answer_asks(room(papers, brief or f"Please tell me {words}?", (words, kind)))[0]
    return made, made.entries[0]


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("by what date the deposit had to be paid", "2021-03-21"),
        ("when the audited accounts for 2023 were due", "2023-09-28"),
        ("when the initial term ended", "2026-03-01"),
        ("the last day for a notice of non-renewal", "2025-09-01"),
        ("when the first renewal term runs out", "2028-03-01"),
        ("when damage notified on April 2, 2024 had to be repaired", "2024-04-14"),
    ],
)
def test_a_period_of_the_papers_is_counted_from_its_day(words, day):
    made, entry = only({"lease.txt": LEASE}, words)
    assert made.state is AskState.ANSWERED
    assert entry.day == day
    assert entry.support
    assert entry.basis


def test_business_days_leave_out_weekends():
    _, entry = only(
        {"lease.txt": LEASE}, "by when must the sluice be cleaned if Landlord asks for it on Friday, May 10, 2024"
    )
    assert entry.day == "2024-05-17"


def test_a_day_that_nobody_states_is_named_and_not_guessed():
    made, entry = only({"lease.txt": LEASE}, "when the insurance policy had to be sent")
    assert made.state is AskState.NOT_ATTEMPTED
    assert "the Handover Day" in entry.reason
    assert "15 days" in entry.reason


def test_a_weekend_without_a_rule_is_said():
    _, entry = only({"lease.txt": LEASE}, "by what date the deposit had to be paid")
    assert "Sunday" in entry.note


def test_a_rule_of_court_runs_from_the_day_in_the_papers():
    _, entry = only({"docket.txt": DOCKET}, "when is the answer to the complaint due")
    assert entry.day == "2026-05-26"  # the 25th is Memorial Day
    assert "12(a)(1)(A)(i)" in entry.answer


def test_judgment_and_not_verdict_starts_the_period_and_each_motion_has_its_rule():
    _, entry = only({"judgment.txt": JUDGMENT}, "the last day for the motion for a new trial")
    assert entry.day == "2026-07-06"
    assert "Fed. R. Civ. P. 59(b)" in entry.answer
    _, entry = only({"judgment.txt": JUDGMENT}, "the last day for the motion for attorney's fees")
    assert entry.day == "2026-06-22"


def test_no_rule_of_a_federal_court_without_a_federal_court():
    _, entry = only({"lease.txt": LEASE}, "when is the answer to the complaint due")
    assert "12(a)" not in entry.answer
    assert not entry.basis
    assert entry.state is not AskState.ANSWERED or not entry.certain


def test_the_papers_of_two_leases_do_not_answer_for_each_other():
    other = LEASE.replace("Quern Mills\nInc.", "Brook Dyers\nInc.").replace("March 1, 2021", "May 1, 2019")
    made, _ = only({"lease-a.txt": LEASE, "lease-b.txt": other}, "when the initial term ended")
    assert made.state is not AskState.ANSWERED or len({e.document for e in made.entries}) > 1


def test_two_days_asked_at_once_are_both_told():
    made, _ = only({"lease.txt": LEASE}, "when are the audited accounts for 2022 due, and the audited ones for 2023")
    assert [e.day for e in made.entries] == ["2022-09-28", "2023-09-28"]
    assert "September 28, 2022" in made.answer
    assert "September 28, 2023" in made.answer


def test_a_day_that_stands_in_another_clause_is_not_the_day_of_an_event():
    order = (
        "UNITED STATES DISTRICT COURT, DISTRICT OF OREGON\nJUDGMENT IN A CIVIL CASE\n\nFollowing a trial to a jury "
        "which returned its verdict on May 1, 2026, it is ORDERED that judgment be entered for the plaintiff.\n"
    )
    _, entry = only({"judgment.txt": order}, "the last day for the motion for a new trial")
    assert entry.state is AskState.NOT_ATTEMPTED
    entered = order + "\nJudgment entered on the docket this 8th day of May, 2026.\n"
    _, entry = only({"judgment.txt": entered}, "the last day for the motion for a new trial")
    assert entry.answer.startswith("June 5, 2026")


@pytest.mark.parametrize(
    ("clause", "words", "day"),
    [
        (
            "six months before the end of the term",
            "by what date must we tell them if it is not to be renewed",
            "2025-09-01",
        ),
        (
            "sixty days notice of termination prior to the renewal date",
            "by what date must we tell them if it is not to be renewed",
            "2025-12-31",
        ),
    ],
)
def test_a_notice_is_counted_back_from_the_end_of_the_term_however_it_is_called(clause, words, day):
    lease = LEASE.replace(
        "gives notice of non-renewal at least six months\nbefore the end of the term", f"gives {clause}"
    ).replace("gives six months", "gives notice at least six months")

    _, entry = only({"lease.txt": lease}, words)

    assert entry.day == day


def test_a_day_of_another_sentence_starts_no_period():
    letter = """NOTICE OF DEFAULT

To: Quern Mills Inc.

The sluice was to be mended by January 31, 2026 under Section 7.4. You have sixty days after receipt of this notice.
You may ask for a meeting of the committee within 15 days after receipt.
"""
    _, entry = only({"letter.txt": letter}, "by when the committee must be asked for a meeting")

    assert entry.state is AskState.NOT_ATTEMPTED


def test_a_day_of_every_year_is_told_without_a_year():
    lease = "LEASE\n\n1. Accounts. Tenant delivers annual accounts within 120 days after December 31 of each year.\n"
    asked = "When are the annual accounts due"
    made = room({"lease.txt": lease}, f"{asked}?", (asked, "calculation"))
    (got,) = answer_asks(made)
    assert got.state is AskState.ANSWERED
    assert got.answer.startswith("120 days after December 31: April 30 or, in a leap year, April 29: “")
    assert not got.entries[0].day


def test_months_of_pay_are_an_amount_and_no_time():
    """A release is signed within the days of the contract, and not within the months of salary that it brings."""
    text = (
        "SEPARATION\n\nThis Agreement is made on May 4, 2026.\n\n"
        "1. We will pay you six months' salary once you sign the release.\n\n"
        "2. You must sign the release within twenty-one (21) days after May 4, 2026.\n"
    )
    made, entry = only({"a.txt": text}, "by when she must sign the release")

    assert entry.day == "2026-05-25"
    assert "November" not in made.answer


MILL = """MILL LEASE

This Mill Lease is made on March 1, 2021 between Quern Mills Inc. ("Lessor") and Tansy Weavers LLC ("Lessee").

1. Written notice of the sale was given on May 4, 2026.
"""
SEPARATION = """SEPARATION AGREEMENT

This Separation Agreement is made on January 12, 2026 between Corvane Robotics, Inc. ("Company") and Karin Lindqvist \
("Employee"). The Effective Date is February 1, 2026.

2. Severance. If Employee signs and does not revoke this Agreement, the Company shall pay her $22,000 within ten \
business days after the Effective Date.
"""
LOFT = """COMMERCIAL LEASE

This Lease is made on October 20, 2024 between Alder Estates LLC ("Owner") and Asha Raman ("Occupant").

2. Period. Occupant may end this Lease sixty days after written notice of the sale.
"""


def entries(papers, words):
    return answer_asks(room(papers, f"{words}?", (words, "fact")))[0].entries


def test_what_stands_in_the_condition_of_a_sentence_is_not_what_is_due_in_its_period():
    assert not any(e.day for e in entries({"separation.txt": SEPARATION}, "Until what day can she sign"))


def test_no_day_of_another_agreement_starts_a_period():
    papers = {"loft.txt": LOFT, "mill.txt": MILL}
    assert not any(e.day for e in entries(papers, "By what day may Occupant end the Lease by notice"))


SPONSORSHIP = """SPONSORSHIP AGREEMENT

This Sponsorship Agreement is made as of February 4, 2005 by and between Larch Trust and Fescue Advisers LLC.

6. Termination. This Agreement may be terminated at any time by Larch Trust or by Fescue Advisers LLC, in each case on
not less than 60 days' written notice to the other party.
"""


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("by when notice must be out if Larch Trust wants to end on June 30, 2026", "2026-05-01"),
        ("when must notice be given to terminate the agreement on June 30, 2026", "2026-05-01"),
        ("when does the agreement end if notice is given on May 1, 2026", "2026-06-30"),
    ],
)
def test_notice_is_counted_back_from_the_day_on_which_it_is_to_end(words: str, day: str) -> None:
    _, entry = only({"sponsorship.txt": SPONSORSHIP}, words)
    assert entry.day == day


def test_a_span_that_is_looked_back_on_is_no_notice_of_non_renewal() -> None:
    dues = (
        "6. Rises. At the start of each renewal term the rent rises by no more than the index over the preceding year."
    )
    _, entry = only({"lease.txt": f"{LEASE}\n{dues}\n"}, "the last day to say no to a renewal")
    assert entry.day == "2025-09-01"


CARRIAGE = """SUPPLY AGREEMENT

This Agreement is made on March 1, 2024 between Dune Malt Ltd. and Rill Imports Inc.

1. Payment. Payment is due sixty (60) days after the date of the bill of lading.
"""
CLAIM = """RILL IMPORTS INC.
May 11, 2026

Dear Ms. Geddes,

The container with 312 cases (bill of lading dated March 19, 2026) reached our warehouse on April 22, 2026.
"""


def test_the_date_of_a_paper_is_that_which_a_letter_gives_it_and_not_the_letter_s_own() -> None:
    papers = {"agreement.txt": CARRIAGE, "letter.txt": CLAIM}
    _, entry = only(papers, "when the container has to be paid")
    assert entry.day == "2026-05-18"
    silent = {**papers, "letter.txt": CLAIM.replace("bill of lading dated March 19, 2026", "by the Ems")}
    _, entry = only(silent, "when the container has to be paid")
    assert not entry.day


@pytest.mark.parametrize(
    ("term", "day"),
    [
        ("begins on the Commencement Date and continues for five years", "2025-11-30"),
        ("begins on the Commencement Date and ends on the fifth anniversary of the Commencement Date", "2025-12-01"),
    ],
)
def test_a_term_that_begins_on_a_day_ends_the_day_before(term: str, day: str) -> None:
    lease = LEASE.replace(
        "begins on the Commencement Date and ends on the fifth anniversary of the Commencement Date", term
    ).replace("at least six months\n", "at least ninety days\n")
    _, entry = only({"lease.txt": lease}, "by what date we must tell them if it is not to be renewed")
    assert entry.day == day
