"""How sure it is that a sentence answers, and whether the search of the index agrees."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.finding import PartFound
from tasks.drafting.extractive.ways.kinds import values
from tasks.drafting.extractive.ways.matching import another_acts, only_supposed
from tasks.drafting.extractive.ways.polarity import Stance, stance_of
from tasks.drafting.extractive.ways.reckoning import counted_days
from tasks.drafting.extractive.ways.scoring import WORKED_OUT, says, surety
from tasks.drafting.extractive.ways.weighing import Weighed

_FREE = (Stance.FREES, Stance.EXCLUDES)


def is_sure(found: PartFound, ask: Ask, documents: Sequence[str], room: Room) -> bool:
    """Return whether the likeliest sentence may be stated as the answer to a part of a question.

    Never where the answer is worked out of several sentences, where a day is asked for and none is told, or where a
    sentence that may be the answer in its place says otherwise; nor where somebody else acts in it, what is asked
    stands in a condition, or its clause has an exception, which few questions of the fit show, and which turns it.
    """
    if ask.kind in WORKED_OUT or not found.ranked:
        return False
    top, part = found.ranked[0], found.part
    if "day" in part.wants and not (values(top.line, "day") or counted_days(top.line, room)):
        return False
    said = says(found.of, top, room)
    others = () if ask.kind is AskKind.LIST else found.rivals
    if (
        is_turned_about(found, ask, room)
        or exceptions(found, room)
        or any(says(found.of, w, room) != said for w in others)
    ):
        return False
    return surety(found.of, found.ranked, documents, room) >= room.settings.sure_chance


def is_turned_about(found: PartFound, ask: Ask, room: Room) -> bool:
    """Tell whether someone else acts in the likeliest sentence, or yes or no rests on a condition."""
    top = found.ranked[0]
    supposed = ask.kind is AskKind.YES_NO and only_supposed(found.part, top, room)
    return supposed or another_acts(found.part, top, room)


def exceptions(found: PartFound, room: Room) -> list[Weighed]:
    """Return the sentences of the same clause that make exceptions to the likeliest one."""
    top = found.ranked[0]
    if stance_of(top.line.plain, room.cues) in _FREE:
        return []
    place = (top.line.reading.document, top.line.unit.block)
    beside = (w for w in found.ranked[1:] if (w.line.reading.document, w.line.unit.block) == place)
    return [w for w in beside if set(w.met) & set(top.met) and stance_of(w.line.plain, room.cues) in _FREE]


def comes_first(unit: Unit, words: str, documents: Sequence[str], room: Room) -> bool:
    """Tell whether the search puts a sentence first; a search that finds nothing says nothing."""
    best = room.search(words, 1, documents)[:1]
    last = unit.pieces[-1][1]
    return all(p.span.document == unit.document and p.span.start < last and unit.start < p.span.end for p in best)
