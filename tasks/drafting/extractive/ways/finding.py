"""What is found for a question in documents: how sure it is, and whether it may be said that nothing is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.kinds import values
from tasks.drafting.extractive.ways.polarity import Stance, pose_of, stance_of
from tasks.drafting.extractive.ways.question import Part
from tasks.drafting.extractive.ways.reckoning import counted_days
from tasks.drafting.extractive.ways.weighing import Weighed
from tasks.retrieval.provisions import Provision, weigh

_OWN, _OWN_SO = (
    0.45,
    0.68,
)  # share of a question that a sure sentence speaks of itself; where it is asked whether it is so
# Kinds of answers that are made of what sentences say, and that no one sentence gives or denies.
_WORKED_OUT = frozenset({AskKind.CALCULATION, AskKind.COMPARISON, AskKind.TIMELINE})
_FIGURES = frozenset({"money", "percent", "number", "date", "day"})
_UNSEEN = 0.2  # share of a question for a figure that no paper speaks of, from which the figure found is not sure
_ITS_OWN = 0.7  # what a notion counts at least that stands in the part itself, and not around it
_RARE = 4  # sentences that speak of the one notion of a question, for one of them to be sure
_MAINLY = 0.4  # share of a question from which it is mostly about what is unseen
_FAR, _NOTHING = 0.45, 0.1  # scores below which no sentence comes near a question, and none speaks of it
_CARRIED = 0.4  # share of the threshold of a provision from which a sentence comes near it
_RULES = frozenset({"permission", "requirement", "prohibition"})  # what is posed where a rule is asked for


@dataclass(frozen=True)
class Found:
    """What was found for a part of a question.

    Attributes:
        known: The provisions of the catalogue that it asks for.
        ranked: The sentences that speak of it, best first.
    """

    part: Part
    known: Sequence[Provision]
    ranked: Sequence[Weighed]

    @property
    def best(self) -> float:
        """Return the score of the best sentence."""
        return self.ranked[0].score if self.ranked else 0.0


def find(parts: Sequence[Part], documents: Sequence[str], room: Room) -> list[Found]:
    """Return what is found for each part; the clause that answers one is the first to answer the next."""
    found: list[Found] = []
    for part in parts:
        known = tuple(room.topics.asked(part.words))
        near = bool(found) and found[-1].best >= room.settings.near_score
        beside = found[-1].ranked[0].line if near else None
        found.append(Found(part, known, room.lines.ranked(part, documents, known, beside)))
    return found


def is_sure(found: Found, ask: Ask, room: Room) -> bool:
    """Tell whether the best sentence answers: it speaks itself of enough of what is asked, and not of names alone."""
    top, part, lines = found.ranked[0], found.part, room.lines
    so = ask.kind is AskKind.YES_NO and pose_of(part.words, room.cues) == "fact"
    near = top.score >= room.settings.sure_score and top.own >= (_OWN_SO if so else _OWN) and part.alone
    near = near and ask.kind not in _WORKED_OUT
    asked = [n for n in part.notions if n.share >= _ITS_OWN]
    met = [n for n in asked if n.words in top.met]
    telling = len(met) > 1 or any(lines.seen(n) <= _RARE for n in met)
    unseen = sum(lines.rarity(n) for n in part.notions if not lines.seen(n))
    most = _UNSEEN if _FIGURES & set(part.wants) else _MAINLY
    missed = unseen > most * sum(lines.rarity(n) for n in part.notions)
    dated = "day" not in part.wants or bool(values(top.line, "day") or counted_days(top.line))
    return near and telling and dated and not missed and not all(lines.is_party(n) for n in asked)


def absent(ask: Ask, found: Sequence[Found], documents: Sequence[str], room: Room) -> list[str]:
    """Return what documents do not speak of, where it is known how papers would speak of it.

    That is a thing, which any paper that has it calls by one of a few words, if the question is mostly about what is
    unseen; a provision of the catalogue that no sentence comes near; and what no paper of the room has a word of.
    """
    if ask.kind in _WORKED_OUT:
        return []
    missing = (x for f in found for x in _absent(f, documents, room))
    return list(dict.fromkeys(missing))


def _absent(found: Found, documents: Sequence[str], room: Room) -> list[str]:
    notions = found.part.notions
    weights = [room.lines.rarity(n) for n in notions]
    unseen = [(n, w) for n, w in zip(notions, weights, strict=True) if not room.lines.speaks_of(n, documents)]
    if sum(w for _, w in unseen) >= _MAINLY * sum(weights) and (things := [n.words for n, _ in unseen if n.thing]):
        return things
    if unseen and found.best < _FAR and len(found.known) == 1 and not _carried(found.known[0], documents, room):
        return [found.known[0].name]
    nowhere = len(unseen) > 1 and found.best < _NOTHING and not any(room.lines.seen(n) for n, _ in unseen)
    return [n.words for n, _ in unseen] if nowhere else []


def _carried(provision: Provision, documents: Sequence[str], room: Room) -> bool:
    lines = (x for x in room.lines.lines if x.reading.document in documents)
    return any(weigh(provision, x.plain, x.unit.heading) >= _CARRIED * provision.threshold for x in lines)


def wants_law(ask: Ask, found: Sequence[Found], documents: Sequence[str], room: Room) -> bool:
    """Tell whether a yes or no needs the law, or a conclusion from what the papers merely tell.

    So where it is asked what may or must be done and no paper lays down rules, and where the sentences that were found
    only tell what somebody says, wants or did.
    """
    if ask.kind is not AskKind.YES_NO:
        return False
    posed = [(f, pose_of(f.part.words, room.cues) in _RULES) for f in found]
    if not any(f.ranked for f in found) or not any(f.best >= room.settings.near_score for f in found):
        rules = any(r.identity.agreement for r in room.readings if r.document in documents)
        return not rules and any(rule for _, rule in posed)
    return any(_only_tells(f.ranked[0], room, rule=rule) for f, rule in posed if f.ranked)


def _only_tells(top: Weighed, room: Room, *, rule: bool) -> bool:
    if top.line.reading.identity.agreement:
        return False
    idle = stance_of(top.line.plain, room.cues) in (Stance.STATES, Stance.DENIES)
    return bool(room.cues.reported.search(top.line.plain)) or (rule and idle)
