"""Stretches of a text as one set of characters, held against counting each character."""

from __future__ import annotations

import itertools
import random

import pytest

from tasks.legaltext.stretches import joined


@pytest.mark.parametrize("gap", [0, 1, 3])
def test_joined_stretches_hold_the_same_characters_and_lie_apart(gap: int) -> None:
    chance = random.Random(gap)
    for _ in range(300):
        given = [(at, at + chance.randrange(0, 6)) for at in chance.choices(range(40), k=chance.randrange(0, 8))]
        found = joined(given, gap)
        held = {c for start, end in found for c in range(start, end)}
        wanted = {c for start, end in given for c in range(start, end)}
        assert wanted <= held
        assert all(nxt - last > gap for (_, last), (nxt, _) in itertools.pairwise(found))
        bridged = sorted(held - wanted)
        assert not bridged if gap == 0 else all(any(c + d in wanted for d in range(1, gap + 1)) for c in bridged)


def test_the_order_and_empty_stretches_do_not_matter() -> None:
    assert joined([(8, 9), (0, 3), (4, 4), (3, 5)]) == [(0, 5), (8, 9)]
    assert joined([]) == joined([(3, 3)]) == []
