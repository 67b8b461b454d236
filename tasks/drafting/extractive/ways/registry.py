"""Which ways of answering are tried for each kind of ask, in order; the first that has an answer gives it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tasks.asks.records import Ask, AskAnswer, AskKind
from tasks.drafting.extractive.room import Room, Way
from tasks.drafting.extractive.ways import form, openly, passage, provision

WAYS: Mapping[AskKind, tuple[Way, ...]] = MappingProxyType(
    {
        AskKind.FACT: (provision.answer, passage.answer),
        AskKind.LIST: (provision.answer, passage.answer),
        AskKind.YES_NO: (provision.answer, passage.answer),
        AskKind.COMPARISON: (provision.answer, passage.answer),
        AskKind.CALCULATION: (provision.answer, passage.answer),
        AskKind.TIMELINE: (provision.answer, passage.answer),
        AskKind.JUDGMENT: (),
        AskKind.DRAFTING: (),
        AskKind.CONSTRAINT: (form.answer,),
    }
)


def answer_asks(room: Room) -> tuple[AskAnswer, ...]:
    """Answer every ask of the brief, or leave it open with the reason."""
    return tuple(_answer(ask, room) for ask in room.job.asks.asks)


def _answer(ask: Ask, room: Room) -> AskAnswer:
    made = (got for way in WAYS[ask.kind] if (got := way(ask, room)) is not None)
    return next(made, None) or openly.answer(ask, room)
