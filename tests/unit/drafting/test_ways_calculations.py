"""Sums worked out from papers, chronologies, comparisons and questions of law."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskState, Entry
from tasks.drafting.extractive.ways.comparison import differ
from tasks.drafting.extractive.ways.registry import answer_asks

CONTRACT = """MANAGEMENT AGREEMENT

1. Salary. The Base Salary is $180,000 per year.

2. Bonus. The Annual Bonus is twenty percent (20%) of Base Salary.

3. Leaving. The Manager shall receive six (6) months of Base Salary, paid in equal monthly installments. The Manager
shall also receive the Annual Bonus multiplied by the number of days elapsed in the calendar year through and including
the Leaving Date and divided by 365.

4. Holiday. Unused holiday days are paid out at 1/250 of Base Salary per day, not exceeding eight days.

5. Wool. The mill buys wool at $3.20 per pound.

6. Visits. The lender may visit the mill twice in each year. The mill shall pay for these visits, but not more than
$2,500 for each.

7. Fee. The agent receives a fee of 2% of the costs that the mill reimburses.

8. Loan. The mill repays $90,000 in fifteen equal monthly instalments.
"""
LETTER = """From: Ida Quill <ida@mill.example>
To: Per Holm <per@firm.example>
Date: Mon, 6 Jul 2026 09:00:00 +0000

The Base Salary was raised to $200,000 on January 1, 2026. The Leaving Date was Tuesday, June 30, 2026. He has 11
unused holiday days.
"""
ACCOUNT = """ACCOUNT OF THE NOTE
Note for the principal sum of Ninety Thousand Dollars ($90,000)

01/05/2026   $900.00      interest
02/05/2026   $10,900.00   interest $900.00; principal $10,000.00
03/05/2026   $800.00      interest
"""


def asked(papers, brief, *asks):
    return answer_asks(room(papers, brief, *asks))


@pytest.mark.parametrize(
    ("words", "told", "how"),
    [
        ("how much salary he gets on leaving in total", "$100,000", "6/12 × $200,000"),
        ("his pro rata bonus on leaving", "$19,835.62", "$40,000 × 181/365"),
        ("the payout of holiday days", "$6,400", "of 11, at most 8"),
        ("what 1,250 pounds of wool come to", "$4,000", "1,250 × $3.20"),
        ("what the visits of the lender cost at most", "$5,000", "2 × $2,500"),
        ("what the agent's fee is where costs of $45,000 are reimbursed", "$900", "2% of $45,000"),
        ("the amount of each instalment of the loan", "$6,000", "$90,000 / 15"),
    ],
)
def test_sums_from_the_papers_with_their_arithmetic(words, told, how):
    (made,) = asked({"contract.txt": CONTRACT, "letter.eml": LETTER}, f"Work out {words}.", (words, "calculation"))
    assert made.state is AskState.ANSWERED
    assert made.answer.startswith(told)
    assert how in made.entries[0].basis
    assert made.entries[0].support


def test_an_account_is_added_up_and_what_is_left_is_told():
    paid, left = asked(
        {"account.txt": ACCOUNT},
        "How much interest was paid in all, and what principal is outstanding?",
        ("How much interest was paid in all", "calculation"),
        ("what principal is outstanding", "calculation"),
    )
    assert paid.answer.startswith("$2,600")
    assert left.answer.startswith("$80,000")


def test_results_are_worked_on_and_only_where_all_of_them_are_known():
    asks = ("1,000 pounds of wool", "the payout of holiday days", "what those two come to together")
    brief = f"Work out {', '.join(asks)}."
    kinds = [(words, "calculation") for words in asks]
    *_, both = asked({"contract.txt": CONTRACT, "letter.eml": LETTER}, brief, *kinds)
    assert both.answer.startswith("$9,600")
    assert "$3,200 + $6,400" in both.entries[0].basis
    *_, alone = asked({"contract.txt": CONTRACT}, brief, *kinds)
    assert alone.state is not AskState.ANSWERED


def test_another_currency_keeps_its_sign():
    papers = {"contract.txt": CONTRACT.replace("$3.20", "EUR 3.20")}
    (made,) = asked(
        papers, "What do 100 pounds of wool come to?", ("What do 100 pounds of wool come to", "calculation")
    )
    assert "€320" in made.answer


def test_a_sum_whose_operands_are_not_clear_is_left_open_with_the_figures():
    (made,) = asked(
        {"contract.txt": CONTRACT}, "What is the cost of wool?", ("What is the cost of wool", "calculation")
    )
    assert made.state is AskState.NOT_ATTEMPTED
    assert "$3.20" in made.answer


MAIL = """LETTERS ABOUT THE WEIR

From: Ida Quill
Monday, March 4, 2024
The sluice gate broke last night. We reported it to the river board this morning.

From: Per Holm
Friday, March 15, 2024
The engineer inspected the weir on Tuesday. He sent his report on March 14.
"""


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("the breaking of the sluice gate", "2024-03-03"),
        ("when it was reported to the river board", "2024-03-04"),
        ("the engineer's inspection", "2024-03-12"),
        ("when he sent the report", "2024-03-14"),
    ],
)
def test_events_keep_the_day_that_their_paper_means(words, day):
    (made,) = asked({"weir.txt": MAIL}, f"Dates: {words}.", (words, "timeline"))
    assert made.entries[0].day == day


def test_a_whole_chronology_is_in_order_and_tells_each_event_once():
    (made,) = asked({"weir.txt": MAIL}, "Give me a chronology of the weir.", ("a chronology of the weir", "timeline"))
    days = [e.day for e in made.entries]
    assert days == sorted(days)
    assert len(days) == len(set(e.answer for e in made.entries)) == 4


def entry(document, answer):
    return Entry(document=document, state=AskState.ANSWERED, answer=answer, basis="x")


@pytest.mark.parametrize(
    ("words", "answers", "said"),
    [
        ("which notice period is longer", ("90 days", "two months"), "The longer is that of a: 90 days"),
        ("which rate is lower", ("5%", "4%"), "The lower is that of b: 4%"),
        ("compare the ends", ("March 1, 2024", "March 1, 2024"), "They agree."),
        ("compare the caps", ("$5", "$6"), "They differ."),
        ("which cap is higher", ("$5", "twelve months of fees"), ""),
        ("which is longer", ("$5", "30 days"), ""),
    ],
)
def test_only_values_of_one_kind_are_compared(words, answers, said):
    assert differ(words, [entry("a", answers[0]), entry("b", answers[1])]) == said


def test_a_question_of_law_is_answered_with_the_rule_and_marked_to_be_verified():
    words = "does waiving service of a summons lose the objection to personal jurisdiction and venue"
    (made,) = asked(
        {"memo.txt": "Note. The client is Tansy."}, f"Give me the federal rule: {words}?", (words, "yes_no")
    )
    assert made.entries[0].answer.startswith("Fed. R. Civ. P. 4(d)(5)")
    assert not made.entries[0].certain
    assert "verified against the stored text" in made.entries[0].note


@pytest.mark.slow
def test_weak_guesses_of_law_are_kept_out():
    words = "may the miller keep bees on the weir"
    (made,) = asked({"memo.txt": "Note. The client is Tansy."}, f"Cite the rules: {words}?", (words, "yes_no"))
    assert made.state is not AskState.ANSWERED
    assert "Fed. R." not in made.answer


def test_papers_that_differ_on_a_day_are_both_told():
    papers = {
        "builder.txt": "LETTER OF THE BUILDER\n\nThe dam was finished on May 3, 2024. We ask to be paid.",
        "engineer.txt": "CERTIFICATE OF THE ENGINEER\n\nThe dam was finished on May 21, 2024. A gate is missing.",
    }
    words = "when the dam was finished"
    (made,) = asked(papers, f"Tell me {words}.", (words, "timeline"))
    assert {e.day for e in made.entries} == {"2024-05-03", "2024-05-21"}
    assert not any(e.certain for e in made.entries)


def test_each_paper_is_quoted_on_what_is_compared():
    papers = {
        "offer-a.txt": "OFFER\n\n1. Fulling. The cloth is fulled twice.\n\n2. Freight. The buyer pays freight.",
        "offer-b.txt": "OFFER\n\n1. Fulling. The cloth is not fulled.\n\n2. Freight. The seller pays the freight.",
    }
    words = "who pays freight"
    (made,) = asked(papers, f"Compare {words}.", (words, "comparison"))
    said = {e.document: e.answer for e in made.entries}
    assert "The buyer pays freight" in said["offer-a.txt"]
    assert all("full" not in answer for answer in said.values())


SEATS = """ORDER FORM

Additional users: $55 per user per month.
Support: $900 for each site, invoiced quarterly.
"""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("what 20 more users cost per year", "$13,200 per year"),
        ("what 20 more users cost", "$1,100 per month"),
        ("what 20 more users cost for six months", "$6,600"),
        ("what two sites cost a year", "$7,200 per year"),
        ("what two sites cost per month", "$1,800 per quarter"),
    ],
)
def test_a_price_that_is_due_again_is_told_for_the_time_asked_about_or_with_its_own(words, told):
    (made,) = asked({"order.txt": SEATS}, f"Work out {words}.", (words, "calculation"))
    assert made.entries[0].answer == told
