"""What is answered to an ask that has no noun of its own is never stated as a fact."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.asks.records import AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.ways import registry

PAPER = "SERVICES AGREEMENT\n\n1. Fee. Client shall pay Contractor a fee of $14,200 per month.\n"


def stated(ask, room):
    """Answer every ask as a fact."""
    entry = Entry(document="paper.txt", state=AskState.ANSWERED, answer="$14,200", certain=True)
    return AskAnswer(ask_id=ask.ask_id, state=AskState.ANSWERED, answer="$14,200", entries=(entry,))


@pytest.mark.parametrize(
    ("words", "certain"), [("if so, how much", False), ("and by when", False), ("What is the fee", True)]
)
def test_an_ask_without_a_noun_of_its_own_is_to_be_verified(monkeypatch, words, certain):
    monkeypatch.setattr(registry, "WAYS", {AskKind.FACT: (stated,)})
    (made,) = registry.answer_asks(room({"paper.txt": PAPER}, f"Is there a charge? {words}?", (words, "fact")))
    assert [e.certain for e in made.entries] == [certain]
