"""Lists that run on in one sentence, numbers within a line, questions behind a condition, quantities and names."""

from __future__ import annotations

import pytest
from asks_fixtures import said


@pytest.mark.parametrize(
    ("brief", "asks"),
    [
        (
            "I want: the berth fee, the time the yard has to reject an order, when we may leave, crane terms.",
            [
                ("fact", "the berth fee"),
                ("fact", "the time the yard has to reject an order"),
                ("fact", "when we may leave"),
                ("fact", "crane terms"),
            ],
        ),
        (
            "For each default, until when does he have: the royalties, the oven, the terrace?",
            [("calculation", "the royalties"), ("calculation", "the oven"), ("calculation", "the terrace")],
        ),
        (
            "We act for the carrier. 1) What is the fee? 2) Minimum cover? 3) Who insures the mast?",
            [("fact", "What is the fee"), ("fact", "Minimum cover"), ("fact", "Who insures the mast")],
        ),
        (
            "If they earn $82,000 in a quarter, what is our share?",
            [("fact", "If they earn $82,000 in a quarter, what is our share")],
        ),
        ("How long do they have to cure a breach?", [("fact", "How long do they have to cure a breach")]),
        ("Was her removal in breach of the charter?", [("yes_no", "Was her removal in breach of the charter")]),
        ("Are they in breach already?", [("yes_no", "Are they in breach already")]),
        ("Can Shi Farms back out?", [("yes_no", "Can Shi Farms back out")]),
    ],
)
def test_each_is_asked_by_itself_and_for_what_it_is(brief: str, asks: list[tuple[str, str]]) -> None:
    assert said(brief) == asks


@pytest.mark.parametrize(
    ("brief", "asks"),
    [
        (
            "Was the invoice paid late, and if so what interest would be due?",
            [("yes_no", "Was the invoice paid late"), ("fact", "if so what interest would be due")],
        ),
        (
            "May they assign, and if not, what happens on a sale?",
            [("yes_no", "May they assign"), ("fact", "if not, what happens on a sale")],
        ),
        (
            "Is the guaranty capped, and if so at what amount?",
            [("yes_no", "Is the guaranty capped"), ("fact", "if so at what amount")],
        ),
    ],
)
def test_what_is_asked_on_from_an_answer_is_an_ask_of_its_own(brief, asks) -> None:
    assert said(brief) == asks
