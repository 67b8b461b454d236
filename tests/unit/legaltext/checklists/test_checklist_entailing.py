"""A value says no day and no sum that its words do not say."""

from __future__ import annotations

import pytest

from tasks.legaltext.checklists.entailing import unsaid

PAPER = "In 2025 the case was filed. On June 3, the motion was denied; the fine is $2,500 or 5 percent of sales."


@pytest.mark.parametrize(
    ("value", "words", "missing"),
    [
        ("denied on June 3, 2025", "On June 3, the motion was denied", ""),  # the year stands elsewhere
        ("denied on June 3, 2024", "On June 3, the motion was denied", "June 3, 2024"),
        ("denied on June 13, 2025", "On June 3, the motion was denied", "June 13, 2025"),
        ("denied in June 2025", "On June 3, the motion was denied", ""),
        ("denied in July 2025", "On June 3, the motion was denied", "July 2025"),
        ("denied the same day, June 3, 2025", "the motion was denied", "June 3, 2025"),
        ("a fine of USD 2,500", "the fine is $2,500", ""),
        ("a fine of $25,000", "the fine is $2,500", "$25,000"),
        ("5% of sales", "5 percent of sales", ""),
        ("15% of sales", "5 percent of sales", "15%"),
        ("two motions", "the motion was denied; the motion was granted", ""),  # counted, not quoted
    ],
)
def test_days_months_sums_and_shares(value: str, words: str, missing: str) -> None:
    assert unsaid(value, [words], [PAPER]) == missing


def test_each_of_several_quotations_may_say_it() -> None:
    assert unsaid("$2,500 on June 3", ["the fine is $2,500", "On June 3"], [PAPER]) == ""
