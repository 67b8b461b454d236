"""Sentences weighed for a question: by what it is about, and by the kind of answer that it wants."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import ENUMERATOR
from tasks.drafting.extractive.ways.kinds import Line, holds
from tasks.drafting.extractive.ways.notions import SAID, Notion, Notions, Spoken
from tasks.drafting.extractive.ways.question import Part
from tasks.legaltext.tokens import singular
from tasks.retrieval.provisions import Provision, weigh
from tasks.retrieval.senses import Meanings, senses_brought

# What a notion counts that stands in the heading of a sentence alone, or in a sentence before it in the same clause,
# of which it looks back at so many; and a name that stands elsewhere in the paper, but not in every paper.
_HEADED, _NEARBY, _BACK, _CALLED = 0.7, 0.45, 4, 0.6
_UNSEEN = 0.7  # sentences that would speak of a notion of which none does
_UNKNOWN = 0.75  # what such a notion counts, which may merely be said in other words
_PARTY = 0.3  # what the name of a party counts: it stands everywhere
_WITHOUT_KIND = 0.55  # what a sentence counts that holds no answer of the kind that is wanted
_LONG, _LENGTH = 40, 0.15  # words from which a sentence speaks of much by chance, and how much less it then counts
_SCRAP, _FEW = 0.5, 6  # what a question, or a heading or scrap of so few words, counts
_CARRIES = 0.06  # what it adds that a sentence carries the provision that is asked for
_MEANT = 0.5  # what it counts, where sentences are put in order, that one means what is asked, whatever its words
_SAME_CLAUSE = 0.2  # what it adds that a sentence stands in the clause that answers the part before
_BEGINS = 6  # letters by which words may be of one family: disparagement, disparaging
_LABELLED = re.compile(r"\W*[A-Z][\w' -]{2,40}: ?\S")  # "Minimum: 38,000 pounds"
_RECITES = re.compile(r"\W*(?:\w{1,3}[.)]\s+)?WHEREAS\b")  # it tells why an agreement is made, and binds nobody
_ASKS = re.compile(r"\?[\"')\]]*\s*$")
_LEADS = re.compile(r"(?:[:;,\u2014-]|\bfollowing|\bnot)\s*$", re.I)


@dataclass(frozen=True)
class Weighed:
    """A sentence weighed for a part of a question.

    Attributes:
        score: Share of what the question is about that the sentence speaks of, rare notions counting more; lowered
            where it holds no answer of the wanted kind, and for length.
        holds: How far it holds the kinds of answer that are wanted, 0 to 1.
        met: The notions that stand in the sentence itself.
        own: Share of what the question is about that stands in the sentence itself.
        meant: How near the sentence comes to the question in meaning, lowered as the score is.
        form: How far score and meaning were lowered because the sentence holds no answer of the wanted kind.
    """

    line: Line
    score: float
    holds: float
    met: tuple[str, ...]
    own: float
    meant: float = 0.0
    form: float = 1.0

    @property
    def rank(self) -> float:
        """Return what sentences are put in order by: what they speak of, and what they mean."""
        return self.score + _MEANT * self.meant


class Lines:
    """The sentences of a data room, with how rare each notion is in it."""

    def __init__(self, readings: Sequence[SentencedDocument], notions: Notions) -> None:
        """Read the sentences of documents."""
        self._readings, self._notions = readings, notions
        self.lines = [line for r in readings for line in _lines(r, notions)]
        self._spread = Counter(k for line in self.lines for k in line.said.keys)
        self._seen: dict[tuple[str, bool], int] = {}
        names = (p for r in readings if r.identity.agreement for p in r.identity.parties)
        self._names = frozenset(k for name in names for k in notions.spoken(name).keys)

    def seen(self, notion: Notion) -> int:
        """Return how many sentences speak of a notion."""
        key = (notion.words, bool(notion.keys))
        if key not in self._seen:
            own = max((self._spread[k] for k in notion.keys), default=0)
            self._seen[key] = own or sum(1 for x in self.lines if notion.met(x.said))
        return self._seen[key]

    def rarity(self, notion: Notion) -> float:
        """Return how much a notion tells: the rarer in the room, the more."""
        seen = self.seen(notion)
        known = (_PARTY if self.is_party(notion) else 1.0) * (1.0 if seen else _UNKNOWN)
        return math.log(1 + len(self.lines) / max(seen, _UNSEEN)) * notion.share * known

    def is_party(self, notion: Notion) -> bool:
        """Tell whether a notion is the name of a party."""
        return notion.named and bool(notion.keys & self._names)

    def speaks_of(self, notion: Notion, documents: Collection[str]) -> bool:
        """Tell whether documents speak of a notion anywhere, headings included."""
        return any(notion.met(self._whole[d]) for d in documents if d in self._whole)

    def hints_at(self, notion: Notion, documents: Collection[str]) -> bool:
        """Tell whether documents speak of a notion, or have a word that begins as one of its words does."""
        begins = tuple(p[:_BEGINS] for p in re.split(r"[\s-]+", notion.words.lower()) if len(p) >= _BEGINS)
        raws = (r for d in documents if d in self._whole for r in self._whole[d].raws)
        return self.speaks_of(notion, documents) or any(p.startswith(begins) for r in raws for p in r.split("-"))

    def likest(self, word: str, documents: Collection[str]) -> float:
        """Return how near in meaning the nearest word of some documents comes to a word, 0 to 1."""
        raws = {r for d in documents if d in self._whole for r in self._whole[d].raws if r.isalpha() and len(r) > 2}
        return max(senses_brought().nearest(w, raws) for w in {word.lower(), singular(word.lower())})

    def items_after(self, line: Line, most: int) -> list[Line]:
        """Return the items of the list that a sentence leads to, of at most so many words."""
        found: list[Line] = []
        at = next(i for i, x in enumerate(self.lines) if x.place == line.place)
        for x in self.lines[at + 1 :] if _LEADS.search(line.plain) else ():
            size = sum(i.unit.words for i in [*found, x])
            if x.reading is not line.reading or not ENUMERATOR.match(x.unit.text) or size > most:
                break
            found.append(x)
        return found

    def ranked(
        self, part: Part, documents: Collection[str], provisions: Sequence[Provision] = (), beside: Line | None = None
    ) -> list[Weighed]:
        """Return the sentences that speak of what a part of a question asks, best first.

        Args:
            part: The part.
            documents: Names of the documents that it is about.
            provisions: Provisions of the catalogue that it asks for: one notion more.
            beside: What answers the part before: a sentence of the same clause is nearer than others.
        """
        weights = [self.rarity(n) for n in part.notions]
        near = self._meanings.near(part.words)
        found = []
        for at, line in enumerate(self.lines) if sum(weights) else ():
            if line.reading.document in documents:
                known = carries(provisions, line)
                got = self._weighed(part, weights, at, known if provisions else None, float(near[at]))
                if beside is not None and got.holds == 1.0 and _go_on(beside, line):
                    got = replace(got, score=got.score + _SAME_CLAUSE)
                found.append(got)
        return sorted((f for f in found if f.rank > 0), key=lambda f: (-f.rank, f.line.place))

    def _weighed(self, part: Part, weights: Sequence[float], at: int, known: float | None, near: float) -> Weighed:
        """Weigh one sentence; ``known`` tells how far it carries the provision that is asked for, if one is."""
        line, total = self.lines[at], sum(weights)
        got = [self._met(n, at) for n in part.notions]
        cover = sum(w * m for w, m in zip(weights, got, strict=True)) / total
        if known is not None:  # a notion as telling as the others; it helps and never harms
            cover = max(cover, (cover * len(weights) + known) / (len(weights) + 1)) + _CARRIES * known
        right = holds(part.wants, line)
        kind = _WITHOUT_KIND + (1 - _WITHOUT_KIND) * right
        form = kind * _brevity(line.unit.words) * (_SCRAP if _tells_nothing(line, right, part) else 1.0)
        inside = [(n.words, w) for n, w, m in zip(part.notions, weights, got, strict=True) if m >= SAID]
        met, own = tuple(words for words, _ in inside), sum(w for _, w in inside) / total
        return Weighed(line, cover * form, right, met, own, near * form, kind)

    def _met(self, notion: Notion, at: int) -> float:
        line = self.lines[at]
        if here := notion.met(line.said):
            return here
        if notion.met(line.head):
            return _HEADED
        if any(notion.met(x.said) for x in self.lines[max(0, at - _BACK) : at] if _go_on(x, line)):
            return max(_NEARBY, _CALLED * self._names_paper(notion, line))
        return _CALLED * self._names_paper(notion, line)

    def _names_paper(self, notion: Notion, line: Line) -> bool:
        """Tell whether a name stands in the paper of a sentence, and not in every paper."""
        if not notion.named or not notion.keys & self._whole[line.reading.document].keys:
            return False
        return not all(notion.keys & whole.keys for whole in self._whole.values())

    @cached_property
    def _meanings(self) -> Meanings:
        """What each sentence means."""
        return Meanings(senses_brought(), [(x.unit.text, x.unit.heading.split(" / ")[-1]) for x in self.lines])

    @cached_property
    def _whole(self) -> Mapping[str, Spoken]:
        """What each document speaks of."""
        return {r.document: self._notions.spoken(r.text.text) for r in self._readings}


def _lines(reading: SentencedDocument, notions: Notions) -> Iterator[Line]:
    for unit in reading.units:
        yield Line(reading, unit, notions.spoken(unit.text), notions.spoken(unit.heading.split(" / ")[-1]))


def _go_on(one: Line, two: Line) -> bool:
    """Tell whether two sentences stand in one clause."""
    same = bool(one.unit.label) and one.unit.label == two.unit.label
    return one.reading is two.reading and (one.unit.block == two.unit.block or same)


def _tells_nothing(line: Line, right: float, part: Part) -> bool:
    """Tell a question, a recital, and a scrap without what is wanted that leads to no list and has no label."""
    few = line.unit.words < _FEW and (right < 1.0 or not part.wants)
    bare = few and not (_LEADS.search(line.plain) or _LABELLED.match(line.plain))
    return bare or bool(_ASKS.search(line.plain) or _RECITES.match(line.plain))


def carries(provisions: Sequence[Provision], line: Line) -> float:
    """Return how far a sentence of an agreement carries one of some provisions of the catalogue, 0 to 1."""
    if not line.reading.identity.agreement:
        return 0.0
    return max((min(1.0, weigh(p, line.plain, line.unit.heading) / p.threshold) for p in provisions), default=0.0)


def _brevity(words: int) -> float:
    return 1.0 / (1.0 + _LENGTH * math.log(max(words, _LONG) / _LONG))
