"""A value says no day and no sum that its words do not say."""

from __future__ import annotations

import pytest

from tasks.legaltext.checklists.entailing import head_day, unrelated, unsaid

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


def test_a_year_of_two_figures_is_the_year() -> None:
    assert unsaid("August 17, 2019: dismissed", ["08/17/19  ORDER: dismissed"], ["08/17/19  ORDER: dismissed"]) == ""
    assert unsaid("August 17, 2018: dismissed", ["08/17/19  ORDER: dismissed"], [PAPER]) == "August 17, 2018"


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("07/21/2023  33  ORDER: the motion is DENIED", "07/21/2023"),
        ("Dec 24, 2017: The court entered an order: the motion is DENIED", "Dec 24, 2017"),
        ("Filed on July 21, 2023: the motion is DENIED", ""),  # the day of something else may come first in prose
        ("On July 21, 2023 it was heard, and the motion is DENIED", ""),
    ],
)
def test_a_row_is_of_the_day_that_it_begins_with(line: str, day: str) -> None:
    text = f"06/01/2020  1  COMPLAINT\n{line}\n08/01/2023  34  Notice"
    assert head_day(text, text.index("DENIED")) == day


@pytest.mark.parametrize(
    ("value", "words", "found"),
    [
        ("Declaratory judgment", "A. Declare that the acts violate the law", False),
        ("Judge Ann Roe", "The motion is denied", True),
        ("Individual plaintiffs", "Ann Roe and Bo Coe bring this suit", False),  # the words of the question
        ("Yes", "the court retains jurisdiction", True),
        ("42 U.S.C. § 1983", "under 42 U.S.C. § 1983", False),
    ],
)
def test_a_value_has_a_word_of_its_evidence_or_of_the_question_alone(value: str, words: str, found: bool) -> None:
    assert unrelated(value, [words], "Class action or individual plaintiffs; who decides") is found
