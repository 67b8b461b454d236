"""How sure it is that a sentence answers, and whether the search of the index agrees."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.asks.records import Ask
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.finding import Found
from tasks.drafting.extractive.ways.kinds import values
from tasks.drafting.extractive.ways.reckoning import counted_days
from tasks.drafting.extractive.ways.scoring import WORKED_OUT, surety


def is_sure(found: Found, ask: Ask, documents: Sequence[str], room: Room) -> bool:
    """Tell whether the likeliest sentence is stated as the answer to a part of a question.

    Never where the answer is worked out of several sentences, or where a day is asked for and none is told.
    """
    if ask.kind in WORKED_OUT or not found.ranked:
        return False
    top, part = found.ranked[0], found.part
    if "day" in part.wants and not (values(top.line, "day") or counted_days(top.line, room)):
        return False
    return surety(found.of, found.ranked, documents, room) >= room.settings.sure_chance


def comes_first(unit: Unit, words: str, documents: Sequence[str], room: Room) -> bool:
    """Tell whether the search puts a sentence first; a search that finds nothing says nothing."""
    best = room.search(words, 1, documents)[:1]
    last = unit.pieces[-1][1]
    return all(p.span.document == unit.document and p.span.start < last and unit.start < p.span.end for p in best)
