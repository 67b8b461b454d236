"""Sentences weighed for a question: by what it is about, and by the kind of answer that it wants."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tasks.drafting.extractive.lines import is_message
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import ENUMERATOR
from tasks.drafting.extractive.ways.kinds import Line, holds
from tasks.drafting.extractive.ways.notions import SAID, Notion, Notions, Spoken
from tasks.drafting.extractive.ways.question import ITS_OWN, Part
from tasks.legaltext.tokens import singular
from tasks.retrieval.provisions import Provision, weigh
from tasks.retrieval.senses import Meanings, senses_brought

T = TypeVar("T")
# What a notion counts that stands in the heading of a sentence alone, or in a sentence before it in the same clause,
# of which it looks back at so many; and a name that stands elsewhere in the paper, but not in every paper.
_HEADED, _NEARBY, _BACK, _CALLED = 0.7, 0.45, 4, 0.6
_UNSEEN = 0.7  # sentences that would speak of a notion of which none does
_UNKNOWN = 0.75  # what such a notion counts, which may merely be said in other words
_PARTY = 0.3  # what the name of a party counts: it stands everywhere
_KEPT = 300  # questions of which it is kept what was made, of each data room
FEW = 6  # words up to which a line is a heading or scrap
_BEGINS = 6  # letters by which words may be of one family: disparagement, disparaging
_LABELLED = re.compile(r"\W*[A-Z][\w' -]{2,40}: ?\S")  # "Minimum: 38,000 pounds"
_RECITES = re.compile(r"\W*(?:\w{1,3}[.)]\s+)?WHEREAS\b")  # it tells why an agreement is made, and binds nobody
_MAIL_HEAD = re.compile(r"\W*(?:from|to|cc|bcc|date|sent|subject)\W{0,3}:", re.I)
_ASKS = re.compile(r"\?[\"')\]]*\s*$")
_LEADS = re.compile(r"(?:[:;,\u2014-]|\bfollowing|\bnot)\s*$", re.I)


@dataclass(frozen=True)
class Weighed:
    """A sentence weighed for a part of a question; rare notions of the question count more in each share.

    Attributes:
        cover: Share that it speaks of, with its heading and the sentences before it in its clause.
        own: Share that stands in the sentence itself.
        headed: Share of the words of the part itself, without those around it, that stands in the heading above.
        context: The most that the sentence before or after it speaks of.
        paper: The same of its whole paper.
        meant: How near the sentence comes to the question in meaning, 0 to 1.
        alike: Share of the question that it speaks of, a word counting as much as the word nearest to it is like it.
        holds: How far it holds the kinds of answer that are wanted, 0 to 1.
        met: The notions that stand in the sentence itself.
        scrap: Whether it tells nothing: a question, a recital, a heading.
        logit: How much speaks for it, as the scorer weighs it.
        chance: How likely it is the sentence that answers.
    """

    line: Line
    cover: float
    own: float
    headed: float
    context: float
    paper: float
    meant: float
    alike: float
    holds: float
    met: tuple[str, ...]
    scrap: bool
    logit: float = 0.0
    chance: float = 0.0


class Lines:
    """The sentences of a data room, with how rare each notion is in it."""

    def __init__(self, readings: Sequence[SentencedDocument], notions: Notions) -> None:
        """Read the sentences of documents."""
        self._readings, self._notions = readings, notions
        self.lines = [line for r in readings for line in _lines(r, notions)]
        self._spread = Counter(k for line in self.lines for k in line.said.keys)
        self._seen: dict[tuple[str, bool], int] = {}
        self._remembered: dict[Hashable, Any] = {}
        names = (p for r in readings if r.identity.agreement for p in r.identity.parties)
        self._names = frozenset(k for name in names for k in notions.spoken(name).keys)

    def remembered(self, key: Hashable, made: Callable[[], T]) -> T:
        """Return what was made of these lines under a key, which must tell all else that it is made of."""
        if key not in self._remembered:
            if len(self._remembered) >= _KEPT:
                self._remembered.clear()
            self._remembered[key] = made()
        found: T = self._remembered[key]
        return found

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

    def weighed(self, part: Part, documents: Collection[str]) -> list[Weighed]:
        """Weigh the sentences of some documents for a part of a question."""
        weights = [self.rarity(n) for n in part.notions]
        if not sum(weights):
            return []
        meant, alike, own = self._meanings.near(part.words), self._alike(part, weights), self._own(part, weights)
        paper = {d: self._share(part, weights, self._whole[d]) for d in documents if d in self._whole}
        asked = replace(part, notions=tuple(n for n in part.notions if n.share >= ITS_OWN))
        of_asked = [self.rarity(n) for n in asked.notions]
        found = []
        for at, line in enumerate(self.lines):
            if line.reading.document not in documents:
                continue
            got = [self._met(n, at) for n in part.notions]
            right = holds(part.wants, line)
            weighed = Weighed(
                line=line,
                cover=sum(w * m for w, m in zip(weights, got, strict=True)) / sum(weights),
                own=own[at],
                headed=self._share(asked, of_asked, line.head),
                context=max((own[i] for i in (at - 1, at + 1) if self._beside(i, line)), default=0.0),
                paper=paper[line.reading.document],
                meant=float(meant[at]),
                alike=max(float(alike[at]), own[at]),
                holds=right,
                met=tuple(n.words for n, m in zip(part.notions, got, strict=True) if m >= SAID),
                scrap=_tells_nothing(line, right, part),
            )
            found.append(weighed)
        return found

    def _alike(self, part: Part, weights: Sequence[float]) -> NDArray[np.float32]:
        """Return for each sentence the share of a question that its nearest words are like."""
        near = [self._meanings.likest(n.words) for n in part.notions]
        said = [[bool(n.met(x.said)) for x in self.lines] for n in part.notions]
        rows = [w * np.maximum(v, s) for w, v, s in zip(weights, near, said, strict=True)]
        found: NDArray[np.float32] = np.sum(rows, axis=0) / sum(weights)
        return found

    def _own(self, part: Part, weights: Sequence[float]) -> list[float]:
        """Return for each sentence the share of a question that stands in it."""
        return [self._share(part, weights, x.said) for x in self.lines]

    def _share(self, part: Part, weights: Sequence[float], spoken: Spoken) -> float:
        return sum(w for n, w in zip(part.notions, weights, strict=True) if n.met(spoken)) / (sum(weights) or 1.0)

    def _beside(self, at: int, line: Line) -> bool:
        return 0 <= at < len(self.lines) and self.lines[at].reading is line.reading

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
        return Meanings(senses_brought(), [(x.unit.text, x.unit.title) for x in self.lines])

    @cached_property
    def _whole(self) -> Mapping[str, Spoken]:
        """What each document speaks of."""
        return {r.document: self._notions.spoken(r.text.text) for r in self._readings}


def _lines(reading: SentencedDocument, notions: Notions) -> Iterator[Line]:
    for unit in reading.units:
        yield Line(reading, unit, notions.spoken(unit.text), notions.spoken(unit.title))


def _go_on(one: Line, two: Line) -> bool:
    """Tell whether two sentences stand in one clause."""
    same = bool(one.unit.label) and one.unit.label == two.unit.label
    return one.reading is two.reading and (one.unit.block == two.unit.block or same)


def _tells_nothing(line: Line, right: float, part: Part) -> bool:
    """Tell a question, a recital, the head of a message, and a scrap without what is wanted, list or label."""
    few = line.unit.words < FEW and (right < 1.0 or not part.wants)
    bare = few and not (_LEADS.search(line.plain) or _LABELLED.match(line.plain))
    headed = bool(_MAIL_HEAD.match(line.plain)) and is_message(line.reading.text)
    return bare or headed or bool(_ASKS.search(line.plain) or _RECITES.match(line.plain))


def carries(provisions: Sequence[Provision], line: Line) -> float:
    """Return how far a sentence of an agreement carries one of some provisions of the catalogue, 0 to 1."""
    if not line.reading.identity.agreement:
        return 0.0
    return max((min(1.0, weigh(p, line.plain, line.unit.heading) / p.threshold) for p in provisions), default=0.0)
