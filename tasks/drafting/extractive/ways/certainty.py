"""How sure it is that a sentence answers: one judgment from signals that must agree."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.finding import Found
from tasks.drafting.extractive.ways.kinds import values
from tasks.drafting.extractive.ways.matching import another_acts, only_supposed, tells_a_rule
from tasks.drafting.extractive.ways.polarity import answer_to, pose_of, stance_of
from tasks.drafting.extractive.ways.question import ITS_OWN
from tasks.drafting.extractive.ways.reckoning import counted_days
from tasks.drafting.extractive.ways.weighing import Weighed, carries

# Share of a question that a sure sentence speaks of itself: where it is asked whether it is so, and where another
# sentence carries the provision that is asked for.
_OWN_SO, _OWN_DESPITE = 0.68, 0.85
# Kinds of answers that are made of what sentences say, and that no one sentence gives or denies.
WORKED_OUT = frozenset({AskKind.CALCULATION, AskKind.COMPARISON, AskKind.TIMELINE})
_FIGURES = frozenset({"money", "percent", "number", "date", "day", "rate"})
_VALUES = _FIGURES | {"name", "place", "duration"}
_MANY = 2  # notions, of which such a sentence meets more
_WHOLE, _BEHIND = 0.9, 0.8  # the same share where only one notion is rare; what the next place then scores at most
_UNSEEN = 0.2  # share of a question for a figure that no paper speaks of, from which the figure found is not sure
_MAINLY = 0.4  # the same of a question for anything else
# Sentences, at least and as a share of all, up to which a notion helps to single out one that speaks of it.
_RARE, _SELDOM = 4, 0.05


def is_sure(found: Found, ask: Ask, documents: Sequence[str], room: Room) -> bool:
    """Tell whether the best sentence answers a part of a question.

    It must meet enough of what is asked and hold the kind of answer that is wanted; a provision of the catalogue that
    is asked for and stands in the papers must stand in this sentence, else rare words must single the sentence out;
    and the search of the index, which weighs passages in its own way, must put the same place first.
    """
    top, part = found.ranked[0], found.part
    if not part.alone or ask.kind in WORKED_OUT or top.score < room.settings.sure_score or _missed(found, room):
        return False
    if "day" in part.wants and not (values(top.line, "day") or counted_days(top.line, room)):
        return False
    if _VALUES & set(part.wants) and top.holds < 1.0:
        return False
    if tells_a_rule(part, top) or another_acts(part, top, room) or rivals(found, ask, room, room.settings.rival_near):
        return False
    if ask.kind is AskKind.YES_NO and only_supposed(part, top, room):
        return False
    return _fits(found, ask, room) and comes_first(top.line.unit, part.words, documents, room)


def rivals(found: Found, ask: Ask, room: Room, least: float) -> list[Weighed]:
    """Return the sentences that come so near the best one and answer otherwise; those of a list stand side by side."""
    if ask.kind is AskKind.LIST:
        return []
    top = found.ranked[0]
    said = _says(top, found, ask, room)
    return [
        w
        for w in found.ranked[1:]
        if w.score >= least * top.score and w.holds >= top.holds and _says(w, found, ask, room) != said
    ]


def _says(found: Weighed, all_found: Found, ask: Ask, room: Room) -> tuple[str, ...]:
    """Return the answer of a sentence in so far as another may give the same: yes or no, its values, else its words."""
    part = all_found.part
    if ask.kind is AskKind.YES_NO:
        return (answer_to(pose_of(part.words, room.cues), [stance_of(found.line.plain, room.cues)]),)
    figures = tuple(v for want in part.wants for v in values(found.line, want))
    return figures or (found.line.plain,)


def _fits(found: Found, ask: Ask, room: Room) -> bool:
    """Tell whether the best sentence carries the provision that is asked for, or else is singled out by its words."""
    top = found.ranked[0]
    if carries(found.known, top.line) >= 1.0:
        return True
    elsewhere = any(carries(found.known, w.line) >= 1.0 for w in found.ranked)
    so = ask.kind is AskKind.YES_NO and pose_of(found.part.words, room.cues) == "fact"
    if top.own < max(room.settings.sure_own, _OWN_DESPITE if elsewhere else _OWN_SO if so else 0.0):
        return False
    asked = [n for n in found.part.notions if n.share >= ITS_OWN and not room.lines.is_party(n)]
    met = [n for n in asked if n.words in top.met]
    few = max(_RARE, _SELDOM * len(room.lines.lines))
    telling = sum(room.lines.seen(n) <= few for n in met)
    if elsewhere:
        return telling > 1 and len(met) > _MANY
    return telling > 1 or (telling == 1 < len(met) and top.own >= _WHOLE and _stands_out(found))


def _stands_out(found: Found) -> bool:
    """Tell whether no sentence elsewhere comes near the best one."""
    top = found.ranked[0]
    blocks = ((w.line.reading.document, w.line.unit.block) for w in found.ranked)
    here = (top.line.reading.document, top.line.unit.block)
    return all(w.score < _BEHIND * top.score for w, b in zip(found.ranked, blocks, strict=True) if b != here)


def _missed(found: Found, room: Room) -> bool:
    """Tell whether too much of a question stands in no paper."""
    notions, lines = found.part.notions, room.lines
    unseen = sum(lines.rarity(n) for n in notions if not lines.seen(n))
    most = _UNSEEN if _FIGURES & set(found.part.wants) else _MAINLY
    return unseen > most * sum(lines.rarity(n) for n in notions)


def comes_first(unit: Unit, words: str, documents: Sequence[str], room: Room) -> bool:
    """Tell whether the search puts a sentence first; a search that finds nothing says nothing."""
    best = room.search(words, 1, documents)[:1]
    last = unit.pieces[-1][1]
    return all(p.span.document == unit.document and p.span.start < last and unit.start < p.span.end for p in best)
