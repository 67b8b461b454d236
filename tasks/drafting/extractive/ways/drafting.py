"""Asks for a change of a document: what became of each change that they instruct."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.asks.records import Ask, AskAnswer, AskState, Entry, state_of
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.editing import Marking

_SHORT = 14  # words of the old and the new wording that the line shows


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Say of an instruction what was changed where, or why it was not; None where the ask instructs no change."""
    made = [m for m in room.markings if _instructs(ask, m)]
    if not made:
        return None
    entries = tuple(_entry(m) for m in made)
    told = "; ".join(e.answer or f"not done: {e.reason}" for e in entries)
    where = ", ".join(dict.fromkeys(m.place for m in made if m.place))
    room.log.look_up(f"Change: {ask.words}", "plan", {"ask": ask.ask_id}, told)
    return AskAnswer(ask_id=ask.ask_id, state=state_of(entries), answer=told, where=where, entries=entries)


def _instructs(ask: Ask, made: Marking) -> bool:
    """Tell whether an ask holds an instruction, or is a part of it: they share most of the words of one of them."""
    shared = min(ask.end, made.change.end) - max(ask.start, made.change.start)
    return shared * 2 > min(ask.end - ask.start, made.change.end - made.change.start)


def _entry(made: Marking) -> Entry:
    if not made.edits:
        return Entry(state=AskState.NOT_ATTEMPTED, reason=made.reason)
    return Entry(
        document=next(s.document for s in made.support),
        state=AskState.ANSWERED,
        answer=f"marked up, {made.place}: {'; '.join(dict.fromkeys(_told(made)))}",
        support=made.support,
        note=made.check.strip(),
    )


def _told(made: Marking) -> Iterator[str]:
    for old, new in made.changed:
        if made.change.kind == "insert":
            yield f"“{_short(made.change.new)}” is added"
        else:
            yield f"“{_short(new)}” instead of “{_short(old)}”" if new.strip() else f"“{_short(old)}” is struck"


def _short(text: str) -> str:
    words = " ".join(text.split()).split(" ")
    return " ".join(words[:_SHORT]) + (" …" if len(words) > _SHORT else "")
