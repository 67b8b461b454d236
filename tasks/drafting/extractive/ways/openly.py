"""What is left open, plainly: the reason, and the passages nearest to it for the lawyer who will answer."""

from __future__ import annotations

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.room import Room

_WHY = {
    AskKind.JUDGMENT: "needs a lawyer's judgment; no model is at work here",
    AskKind.DRAFTING: "needs drafting; no model is at work here",
}
_UNREAD = "no document could be read"
_NEAREST = 2  # passages shown beside what is left open


def answer(ask: Ask, room: Room) -> AskAnswer:
    """Leave an ask open."""
    reason = _WHY.get(ask.kind, "nothing in it could be looked up") if room.readings else _UNREAD
    found = room.search(ask.subject, _NEAREST, list(ask.documents) or None)
    entry = Entry(state=AskState.NOT_ATTEMPTED, reason=reason, nearest=tuple(p.span for p in found))
    return AskAnswer(ask_id=ask.ask_id, state=AskState.NOT_ATTEMPTED, answer=reason, entries=(entry,))
