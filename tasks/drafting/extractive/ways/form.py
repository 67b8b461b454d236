"""Constraints on the form of the work product."""

from __future__ import annotations

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.room import Room


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Say that a constraint is observed by the form of the work product."""
    how = "observed"
    entry = Entry(state=AskState.ANSWERED, answer=how, basis="the form of this work product")
    room.log.act(f"Observe: {ask.words}", "plan", {"ask": ask.ask_id}, how)
    return AskAnswer(ask_id=ask.ask_id, state=AskState.ANSWERED, answer=how, entries=(entry,))
