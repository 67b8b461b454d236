"""What is found for a question in documents, and whether the answer may be that nothing is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.notions import Notion
from tasks.drafting.extractive.ways.polarity import Stance, pose_of, stance_of
from tasks.drafting.extractive.ways.question import ITS_OWN, Part
from tasks.drafting.extractive.ways.scoring import ranked
from tasks.drafting.extractive.ways.signals import SoughtPart, sought
from tasks.drafting.extractive.ways.weighing import Weighed
from tasks.retrieval.provisions import Provision, weigh

_MAINLY = 0.4  # share of a question from which it is mostly about what is unseen
_CARRIED = 0.4  # share of the threshold of a provision from which a sentence comes near it
_SHOWN = 3  # sentences that are shown where it is not certain which answers
_RULES = frozenset({"permission", "requirement", "prohibition"})  # what is posed where a rule is asked for


@dataclass(frozen=True)
class PartFound:
    """What was found for a part of a question.

    Attributes:
        of: The part, with what was looked for.
        ranked: The sentences that may answer it, the likeliest first.
        least: The chance from which one is shown beside the likeliest.
        rival: The chance from which one may be the answer in its place.
    """

    of: SoughtPart
    ranked: Sequence[Weighed]
    least: float
    rival: float

    @property
    def part(self) -> Part:
        """Return the part."""
        return self.of.part

    @property
    def known(self) -> Sequence[Provision]:
        """Return the provisions of the catalogue that it asks for."""
        return self.of.known

    @property
    def best(self) -> float:
        """Return how likely it is that one of the candidate sentences answers."""
        return sum(w.chance for w in self.rivals)

    @property
    def rivals(self) -> Sequence[Weighed]:
        """Return the sentences that may each be the answer: the likeliest first."""
        return self._from(self.rival)

    @property
    def shown(self) -> Sequence[Weighed]:
        """Return the sentences that are shown where it is not certain which answers: the likeliest first.

        What is needed beside the one that answers is less likely the answer than what may stand in its place.
        """
        return self._from(self.least)

    def _from(self, least: float) -> Sequence[Weighed]:
        return [*self.ranked[:1], *(w for w in self.ranked[1:_SHOWN] if w.chance >= least)]


def asked_documents(ask: Ask, room: Room) -> list[str]:
    """Return the documents that are read for an ask.

    Those that it speaks of where each answers for itself; else all of them: what is asked about one paper may stand in
    another, and it counts against a sentence that it does.
    """
    names = [r.document for r in room.readings]
    return [n for n in names if not ask.documents or n in ask.documents] if ask.each else names


def find(parts: Sequence[Part], ask: Ask, documents: Sequence[str], room: Room) -> list[PartFound]:
    """Return what is found for each part of a question."""
    least, rival = room.settings.beside_chance, room.settings.rival_chance
    every = [sought(part, ask, tuple(room.topics.asked(part.words)), documents, room) for part in parts]
    return [PartFound(of, ranked(of, documents, room), least, rival) for of in every]


def absent(found: Sequence[PartFound], documents: Sequence[str], room: Room) -> list[str]:
    """Return what the documents lack, if it is known how papers would word it.

    No sentence may come near the question. Then it is a provision of the catalogue, if none of the papers, which are
    agreements, has its cues or those words of its names that the question uses; else a thing, which any paper that has
    it calls by one of a few words, if the question is mostly about what is unseen.
    """
    return list(dict.fromkeys(x for f in found for x in _absent(f, documents, room)))


def _absent(found: PartFound, documents: Sequence[str], room: Room) -> list[str]:
    asked = [n for n in found.part.notions if n.share >= ITS_OWN]
    unseen = [n for n in asked if not room.lines.hints_at(n, documents)]
    if found.best >= room.settings.near_chance or not unseen or any(_carried(p, documents, room) for p in found.known):
        return []
    if found.known:
        agreed = any(r.identity.agreement for r in room.readings if r.document in documents)
        lacking = agreed and len(found.known) == 1 and _unnamed(found.known[0], asked, unseen, room)
        return [found.known[0].name] if lacking else []
    mostly = sum(map(room.lines.rarity, unseen)) >= _MAINLY * sum(map(room.lines.rarity, asked))
    return [n.words for n in unseen if n.thing] if mostly else []


def _unnamed(provision: Provision, asked: Sequence[Notion], unseen: Sequence[Notion], room: Room) -> bool:
    """Tell whether a question uses words of the names of a provision, none of which stands in the papers."""
    names = room.notions.spoken(" ".join(provision.names)).keys
    own = [n for n in asked if room.notions.spoken(n.words).keys & names]
    return bool(own) and all(n in unseen for n in own)


def _carried(provision: Provision, documents: Sequence[str], room: Room) -> bool:
    lines = (x for x in room.lines.lines if x.reading.document in documents)
    return any(weigh(provision, x.plain, x.unit.heading) >= _CARRIED * provision.threshold for x in lines)


def wants_law(ask: Ask, found: Sequence[PartFound], documents: Sequence[str], room: Room) -> bool:
    """Tell whether a yes or no needs the law, or a conclusion from what the papers merely tell.

    So where it is asked what may or must be done and no paper lays down rules, and where the sentences that were found
    only tell what somebody says, wants or did.
    """
    if ask.kind is not AskKind.YES_NO:
        return False
    posed = [(f, pose_of(f.part.words, room.cues) in _RULES) for f in found]
    if not any(f.ranked for f in found) or not any(f.best >= room.settings.near_chance for f in found):
        rules = any(r.identity.agreement for r in room.readings if r.document in documents)
        return not rules and any(rule for _, rule in posed)
    return any(_only_tells(f.ranked[0], room, rule=rule) for f, rule in posed if f.ranked)


def _only_tells(top: Weighed, room: Room, *, rule: bool) -> bool:
    if top.line.reading.identity.agreement:
        return False
    idle = stance_of(top.line.plain, room.cues) in (Stance.STATES, Stance.DENIES)
    return bool(room.cues.reported.search(top.line.plain)) or (rule and idle)
