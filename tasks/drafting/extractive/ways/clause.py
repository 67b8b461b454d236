"""Quotes the clause that a document has on a thing, found by its label or words."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.brief import topics_named
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.certainty import comes_first
from tasks.drafting.extractive.ways.question import parts_of
from tasks.drafting.extractive.ways.stated import span_of, told

_ENOUGH = 0.7  # part of what is asked about that a clause must speak of
_WORD_BY_WORD = 0.6  # part of its words that must stand there as such, or in their forms
_CLEAR = 0.9  # another clause that speaks of so nearly as much leaves it unsure which is meant
_LABEL = 7  # words up to which a sentence is the label of the next one
_WORDS = 60  # words of a clause that are quoted


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Quote the clause of each document that speaks of what is asked; None unless every document has one."""
    topics = topics_named(ask.words, room.catalogue, room.cues)
    if any(t.provision.answer != "clause" for t in topics):  # its value says more
        return None
    found = [_of(ask, reading, room) for reading in room.of(ask)]
    if not found or any(f is None for f in found):
        return None
    pairs = [f for f in found if f is not None]
    return told(ask, [e for e, _ in pairs], [us[0] for _, us in pairs])


def _told(units: Sequence[Unit]) -> str:
    """Return the words of a block with the heading above it."""
    return " ".join([units[0].heading, *(u.text for u in units)])


def _speaks(ask: Ask, text: str, room: Room) -> bool:
    """Tell whether a clause has each word of the ask: "minimum" says what "monthly" does not."""
    spoken = room.notions.spoken(text)
    asked = [n for p in parts_of(ask.words, room.cues, room.notions) for n in p.notions]
    return sum(bool(n.met(spoken)) for n in asked) >= _WORD_BY_WORD * len(asked)


def _of(ask: Ask, reading: SentencedDocument, room: Room) -> tuple[Entry, Sequence[Unit]] | None:
    blocks: dict[int, list[Unit]] = {}
    for unit in reading.units:
        blocks.setdefault(unit.block, []).append(unit)
    scored = sorted(
        ((room.likeness.fit(ask.words, _told(us)), us) for us in blocks.values()),
        key=lambda t: (-t[0], sum(u.words for u in t[1])),
    )
    if not scored or scored[0][0] < _ENOUGH:
        return None
    units = scored[0][1]
    first = units.index(max(units, key=lambda u: (room.likeness.fit(ask.words, u.text), -u.start)))
    last = first + 1
    while last < len(units) and sum(u.words for u in units[first:last]) < _LABEL:
        last += 1
    rest = units[first:last]
    if not _speaks(ask, f"{rest[0].heading} {' '.join(u.text for u in rest)}", room):
        return None
    words = " ".join(u.text for u in rest).split(" ")
    said = " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
    unsure = len([s for s, _ in scored if s >= _CLEAR * scored[0][0]]) > 1
    entry = Entry(
        document=reading.document,
        state=AskState.ANSWERED,
        answer=f"“{said}”",
        support=tuple(span_of(u) for u in rest),
        certain=not unsure and comes_first(units[first], ask.words, [reading.document], room),
    )
    return entry, rest
