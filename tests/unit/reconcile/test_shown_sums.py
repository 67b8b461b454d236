"""Sums that a draft shows explain their results wherever it states them, if they are right and of the papers."""

from __future__ import annotations

import pytest
from reconcile_fixtures import matter, run

from tasks.reconcile.numbers.gate import check_numbers

ROOM = {
    "a.txt": "The salary is $214,000 a year. Severance is nine months of it. The rent is $2,300, raised by 3% a year."
}


def flagged(draft: str) -> list[str]:
    return [
        f.text for f in run(check_numbers, draft, sources=ROOM, matter=matter("memo.md", documents=("a.txt",))).findings
    ]


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("$160,500", "9/12 × $214,000 = $160,500"),
        ("$2,440.07", "$2,300 × (1 + 3%)² = $2,440.07"),
        ("$2,440.07", "$2,300 × (1 + 3%)^2 = $2,440.07"),
        ("$216,300", "$214,000 + $2,300 = $216,300"),
        ("$18,025", "$214,000 + $2,300 = $216,300\n\nA month: $216,300 / 12 = $18,025"),
    ],
)
def test_a_sum_that_is_shown_explains_its_result_elsewhere(stated, shown):
    assert flagged(f"She is owed {stated} now.\n\nBasis: {shown}.") == []


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("$160,600", "9/12 × $214,000 = $160,600"),  # it is $160,500
        ("$161,250", "9/12 × $215,000 = $161,250"),  # no paper says $215,000
        ("$107,000", "6.5/13 × $214,000 = $107,000"),  # nothing says 13
        ("$160,500", "the salary of $214,000 is what counts"),  # nothing is shown
        ("$99,999", "(((($214,000 = $99,999"),
        ("$3,000", "100 × 30 = $3,000"),  # of the calendar alone nothing follows
        ("$27", "9 × $3 = $27"),  # 3 % is no $3
        ("160,500 shares", "9/12 × $214,000 = $160,500"),  # dollars are no shares
    ],
)
def test_a_sum_that_is_wrong_or_of_other_figures_explains_nothing(stated, shown):
    assert stated in flagged(f"She is owed {stated} now.\n\nBasis: {shown}.")


def test_hostile_brackets_end():
    assert "$5" in flagged(f"It is $5 now.\n\n{'(' * 5000}$214,000 = $5.")
