"""Which ways of answering are tried for each kind of ask, in order; the first that has an answer gives it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tasks.asks.records import Ask, AskAnswer, AskKind, state_of
from tasks.asks.supposing import is_tail
from tasks.drafting.extractive.room import Room, Way
from tasks.drafting.extractive.ways import (
    calculation,
    clause,
    comparison,
    deadline,
    drafting,
    law,
    listing,
    openly,
    passage,
    posed,
    provision,
    rules,
    timeline,
    timely,
)
from tasks.legaltext.parts_of_speech import tagged


def _of_one(way: Way) -> Way:
    """Return a way that leaves questions about each of several documents to the ways that read them one by one."""
    return lambda ask, room: None if ask.each else way(ask, room)


def _one_by_one(way: Way) -> Way:
    """Turn a way that reads the whole matter into one that reads each document alone, if each is asked about.

    It answers where it does so for every document of them: a day of one lease is none of the next.
    """

    def answer(ask: Ask, room: Room) -> AskAnswer | None:
        if not ask.each:
            return way(ask, room)
        alone = [
            way(ask.model_copy(update={"each": False, "documents": (r.document,)}), room)
            for r in room.of(ask)
            if r.identity.agreement
        ]
        got = [a for a in alone if a is not None]
        entries = tuple(e for a in got for e in a.entries)
        if not got or len(got) < len(alone):
            return None
        return AskAnswer(ask_id=ask.ask_id, state=state_of(entries), entries=entries)

    return answer


_COUNTED: tuple[Way, ...] = (rules.answer, timely.answer, deadline.answer, calculation.answer)
_PAPERS: tuple[Way, ...] = (posed.answer, provision.answer, passage.answer)
_LISTED: tuple[Way, ...] = (listing.answer,)
_FACT: tuple[Way, ...] = (timeline.in_chronology, posed.answer, law.answer, provision.answer, passage.answer)
WAYS: Mapping[AskKind, tuple[Way, ...]] = MappingProxyType(
    {
        AskKind.FACT: (*_LISTED, *map(_of_one, _COUNTED), *_FACT),
        AskKind.LIST: (_of_one(calculation.of_a_list), *_LISTED, *map(_of_one, _COUNTED), *_FACT),
        AskKind.YES_NO: (_of_one(rules.answer), _of_one(timely.answer), *_FACT[1:]),
        AskKind.COMPARISON: tuple(comparison.over(way) for way in (timeline.answer, clause.answer, *_PAPERS)),
        AskKind.CALCULATION: (*_LISTED, *map(_one_by_one, _COUNTED), *_PAPERS),
        AskKind.TIMELINE: (*_LISTED, timeline.answer, provision.answer, passage.answer),
        AskKind.JUDGMENT: (),
        AskKind.DRAFTING: (),
    }
)


def answer_asks(room: Room) -> tuple[AskAnswer, ...]:
    """Answer every ask of the brief, or leave it open with the reason; constraints are checked on the draft."""
    return tuple(answer_ask(ask, room) for ask in room.job.asks.asks if ask.kind is not AskKind.CONSTRAINT)


def answer_ask(ask: Ask, room: Room) -> AskAnswer:
    """Answer one ask by the first way that has an answer, reviewed by the second reader; else leave it open."""
    # An instruction to change a document is carried out whatever the brief's words make of it.
    ways = (drafting.answer, *WAYS[ask.kind]) if room.readings else ()
    made = (got for way in ways if (got := way(ask, room)) is not None)
    return room.second.review(ask, _unsure(ask, next(made, None) or openly.answer(ask, room)), room)


def _unsure(ask: Ask, made: AskAnswer) -> AskAnswer:
    """Leave to be verified what is answered to an ask of no noun of its own: "if so, how much".

    What is worked out for it is worked out of the ask before.
    """
    if ask.kind is not AskKind.FACT or not is_tail(tagged(ask.words)):
        return made
    entries = tuple(e.model_copy(update={"certain": False}) for e in made.entries)
    return made.model_copy(update={"entries": entries})
