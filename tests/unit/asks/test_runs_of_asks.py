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
