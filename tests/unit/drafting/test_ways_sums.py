"""Sums and days that are worked out of several sentences and papers, each operand shown."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskState
from tasks.drafting.extractive.sums.quantities import rows_of
from tasks.drafting.extractive.sums.reading_terms import terms_of
from tasks.drafting.extractive.ways.registry import answer_asks

LEASE = """WORKSHOP LEASE

This Lease is made on May 4, 2022 between Alder Yard LLC ("Landlord") and Ines Kolb ("Tenant").

1. Term. The term begins on June 1, 2022 (the "Commencement Date") and ends on May 31, 2027 (the "Expiration Date").

2. Rent. Tenant shall pay monthly rent of $2,000 in advance. On each anniversary of the Commencement Date the monthly
rent rises by five percent over the monthly rent of the year before.

3. Late payment. If an instalment of rent is late, Tenant shall pay a late charge of four percent of the overdue
instalment.

4. Repairs. For each week or part of a week by which the repairs are delayed beyond the Repair Date, Landlord shall pay
Tenant $300 as liquidated damages. The liquidated damages shall not exceed ten percent of the building sum. The "Repair
Date" is August 1, 2023. The building sum is $9,000.

5. Cure. Tenant shall cure a breach within twenty days after receipt of a notice of the breach. If the last day is not a
business day, the period ends on the next business day.

6. Notices. A notice sent by registered mail is deemed received on the third Business Day after mailing.
"""
AGENCY = """AGENCY LETTER

Commission. We pay you a commission of four percent on the first $100,000 of net sales, six percent on the next $50,000
of net sales, and eight percent on net sales above $150,000.

Loan. The unpaid Principal bears interest at six percent per annum from March 1, 2025, on the actual number of days
and a year of 360 days. We have lent you the principal sum of $36,000.
"""
SALES = """NET SALES of the agent, 2025

First half      $90,000
Second half     $85,000
"""


def asked(papers, brief, *asks):
    return answer_asks(room(papers, brief, *((words, "calculation") for words in asks)))


@pytest.mark.parametrize(
    ("words", "told", "how"),
    [
        ("what is the monthly rent from June 2024", "$2,205", "$2,000 × 1.05^2"),
        ("how much late charge is owed on the rent of June 2023", "$84", "four percent of $2,100"),
        ("how much is owed for the delay of the repairs if they are done on August 17, 2023", "$900", "3 (16 days"),
        ("how much is owed for the delay of the repairs if they are done on December 20, 2023", "$900", "at most"),
    ],
)
def test_rules_of_a_lease_are_worked_out_of_their_operands(words, told, how):
    (made,) = asked({"lease.txt": LEASE}, f"Please tell me {words}?", words)
    assert made.state is AskState.ANSWERED
    assert made.answer.startswith(told)
    assert how in made.entries[0].basis
    assert len(made.entries[0].support) > 1


def test_sums_rest_on_the_sums_asked_before():
    words = ("what were the net sales in total", "what commission was earned", "how much is left of it after $1,000")
    sales, commission, _ = asked({"letter.txt": AGENCY, "sales.txt": SALES}, f"Tell me {', '.join(words)}.", *words)
    assert sales.answer.startswith("$175,000")
    assert commission.answer.startswith("$9,000")
    assert "8.00% × $25,000" in commission.entries[0].basis


def test_interest_runs_for_the_days_between():
    words = "how much interest on the principal had accrued by March 31, 2025"
    (made,) = asked({"letter.txt": AGENCY}, f"Work out {words}.", words)
    assert made.answer.startswith("$180")
    assert "30/360" in made.entries[0].basis


def test_what_depends_on_an_unknown_sum_is_not_worked_out():
    paper = "AGREEMENT\n\n1. Bonus. The agent receives a bonus of 3% of the turnover.\n"
    (made,) = asked({"paper.txt": paper}, "How much is the bonus?", "How much is the bonus")
    assert made.state is not AskState.ANSWERED or not made.answer.startswith("$")


def test_a_period_runs_from_the_day_on_which_a_notice_counts_as_received():
    brief = (
        "Their notice of the breach went out by registered mail on Monday, October 2, 2023. When must Tenant cure it?"
    )
    (made,) = asked({"lease.txt": LEASE}, brief, "When must Tenant cure it")
    assert made.entries[0].day == "2023-10-25"  # received on Thursday, October 5
    assert "counts as received" in made.entries[0].basis


def test_a_period_that_ends_on_a_closed_day_ends_on_the_next_business_day_where_the_paper_says_so():
    brief = "Tenant received a notice of the breach on March 4, 2024. When must Tenant cure the breach?"
    (made,) = asked({"lease.txt": LEASE}, brief, "When must Tenant cure the breach")
    assert made.entries[0].day == "2024-03-25"
    assert "moved to the next business day" in made.entries[0].basis


def test_the_later_of_two_days_counts():
    paper = """SETTLEMENT

1. This Agreement takes effect on the day of the last signature below (the "Effective Date").

2. Gull Inc. shall pay $5,000 within ten days after the later of the Effective Date and the day on which the tax form
is received.

/s/ Ada Gull     Date: May 3, 2024
/s/ Per Holm     Date: May 6, 2024
"""
    mail = "From: Ida\nDate: Mon, 13 May 2024\n\nThe tax form was received on May 10, 2024.\n"
    words = "when are the $5,000 due"
    (made,) = asked({"settlement.txt": paper, "mail.eml": mail}, f"Tell me {words}?", words)
    assert made.entries[0].day == "2024-05-20"


def test_rules_and_rows_are_read_with_what_they_are_of():
    papers = room({"lease.txt": LEASE, "sales.txt": SALES}, "x").readings
    forms = {t.form: t for r in papers for t in terms_of(r)}
    assert forms["price"].rounding == "up"
    assert forms["price"].each == "week"
    assert [c[1] for c in forms["price"].caps] == ["building sum"]
    assert forms["rise"].value * 100 == 5
    assert [(row.words, row.value) for row in rows_of(papers[1])] == [("First half", 90_000), ("Second half", 85_000)]
