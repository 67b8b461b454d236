"""Sentences weighed for a question: by what it is about, and by the kind of answer that it wants."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from tasks.asks.cues import cues_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import ENUMERATOR, Unit
from tasks.drafting.extractive.ways.notions import Keys, Notions
from tasks.drafting.extractive.ways.question import Notion, Part
from tasks.legaltext import months
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure, Window
from tasks.legaltext.windows.scan import scan_windows
from tasks.retrieval.provisions import Provision, weigh

# What a notion counts that a sentence does not speak of in the words of the question, but in words that papers write
# for it; that stands in its heading; that stands in the sentence before, in the same clause.
_SAID, _HEADED, _NEARBY = 0.85, 0.7, 0.45
_WITHOUT_KIND = 0.55  # what a sentence counts that holds no answer of the kind that is wanted
_LONG, _LENGTH = 40, 0.15
_UNSEEN = 0.7  # sentences that would speak of a notion of which none does
_CALLED = 0.6  # a name that stands elsewhere in the paper, and not in every paper
_BACK = 4  # sentences before one whose words it may lean on
_UNKNOWN = 0.75  # what such a notion counts where it may merely be said in other words
_PARTY = 0.3  # what the name of a party counts: it stands everywhere
_CARRIES = 0.06  # what it adds that a sentence carries the provision that is asked for
_SAME_CLAUSE = 0.2  # what it adds that a sentence stands in the clause that answers the part before
_SCRAP, _FEW = 0.5, 6  # what a heading or a scrap of so few words counts
_INDEFINITE = re.compile(r"\b(?:indefinite|perpetual|at any time|until|so long as)", re.I)
_NAME = re.compile(rf"(?:(?:Mr|Ms|Mrs|Dr|Hon|Judge)\.? [A-Z]|(?<=[a-z,;:] )(?!(?:{months.TITLED})\b)[A-Z]\w+,? (?:[A-Z]\.? )?[A-Z]\w+)")
_ASKS = re.compile(r"\?[\"')\]]*\s*$")
_LEADS = re.compile(r"(?:[:;,\u2014-]|\bfollowing|\bnot)\s*$", re.I)
_COUNT = re.compile(r"(?<![\w.$])\d+(?:[.,]\d+)*\b")
_PERSON = re.compile(rf"(?<=[a-z,;] )(?!{months.TITLED})[A-Z]\w+|\b[A-Z][\w&]+(?: [A-Z][\w&]+)* (?:shall|will|may|must|pays?|bears?|agrees?)\b|\b(?:party|parties|either|each)\b")


@dataclass(frozen=True)
class Line:
    """A sentence of a document with its words as notions."""

    reading: SentencedDocument
    unit: Unit
    raws: frozenset[str]
    keys: Keys
    head: frozenset[str]
    head_keys: Keys

    @cached_property
    def plain(self) -> str:
        """Return the sentence with straight marks."""
        return straight(self.unit.text)

    @cached_property
    def numbers(self) -> Sequence[Figure]:
        """Return its figures."""
        return scan_numbers(self.unit.text)

    @cached_property
    def windows(self) -> Sequence[Window]:
        """Return its periods."""
        return scan_windows(self.unit.text)

    @property
    def place(self) -> tuple[str, int]:
        """Return what tells it from every other sentence."""
        return self.reading.document, self.unit.start


@dataclass(frozen=True)
class Weighed:
    """A sentence weighed for a part of a question.

    Attributes:
        cover: Share of what the question is about that the sentence speaks of, 0 to 1; rare notions count more.
        score: The same, lowered where it holds no answer of the wanted kind, and for length.
        holds: How far it holds the kinds of answer that are wanted, 0 to 1.
        met: The notions that stand in the sentence itself.
        own: Share of what the question is about that stands in the sentence itself.
    """

    line: Line
    cover: float
    score: float
    holds: float
    met: tuple[str, ...]
    own: float


class Lines:
    """The sentences of a data room as notions, with how rare each notion is in it."""

    def __init__(self, readings: Sequence[SentencedDocument], notions: Notions) -> None:
        """Read the sentences of documents."""
        self._readings, self._notions = readings, notions
        self.lines = [line for r in readings for line in _lines(r, notions)]
        self._spread = Counter(k for line in self.lines for k in line.keys)
        self._said: dict[str, int] = {}
        names = (w for r in readings if r.identity.agreement for party in r.identity.parties for w in notions.words(party))
        self._names = frozenset(k for w in names for k in w.keys)

    def seen(self, notion: Notion) -> int:
        """Return how many sentences speak of a notion."""
        met = max((self._spread[k] for k in notion.keys), default=0)
        if met:
            return met
        if notion.words not in self._said:
            self._said[notion.words] = sum(1 for x in self.lines if any(w.met(x.raws) for w in notion.written))
        return self._said[notion.words]

    def rarity(self, notion: Notion) -> float:
        """Return how much a notion tells: the rarer in the room, the more."""
        seen = self.seen(notion)
        known = (_PARTY if self.is_party(notion) else 1.0) * (1.0 if seen else _UNKNOWN)
        return math.log(1 + len(self.lines) / max(seen, _UNSEEN)) * notion.share * known

    def is_party(self, notion: Notion) -> bool:
        """Tell whether a notion is the name of a party."""
        return notion.named and bool(notion.keys & self._names)

    def _before(self, at: int) -> list[Line]:
        """Return the sentences before one in its clause, at most a few."""
        first = max(0, at - _BACK)
        return [x for x in self.lines[first:at] if _go_on(x, self.lines[at])]

    def _names_paper(self, notion: Notion, line: Line) -> bool:
        """Tell whether a name stands in the paper of a sentence, and not in every paper."""
        if not notion.named:
            return False
        inside = [bool(notion.keys & keys) for _, keys in self._whole.values()]
        return bool(notion.keys & self._whole[line.reading.document][1]) and not all(inside)

    def speaks_of(self, notion: Notion, documents: Collection[str]) -> bool:
        """Tell whether documents speak of a notion anywhere, headings included."""
        return any(
            notion.keys & keys or any(w.met(raws) for w in notion.written)
            for name, (raws, keys) in self._whole.items()
            if name in documents
        )

    @cached_property
    def _whole(self) -> Mapping[str, tuple[frozenset[str], Keys]]:
        """The words of each document, and their notions."""
        found = {}
        for reading in self._readings:
            words = self._notions.words(reading.text.text)
            found[reading.document] = (
                frozenset(w.raw.lower() for w in words),
                frozenset(k for w in words for k in w.keys),
            )
        return found

    def items_after(self, line: Line, most: int) -> list[Line]:
        """Return the items of the list that a sentence leads to, of at most so many words."""
        if not _LEADS.search(line.plain):
            return []
        at = next(i for i, x in enumerate(self.lines) if x.place == line.place)
        found: list[Line] = []
        for x in self.lines[at + 1 :]:
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
        weights = {n.words: self.rarity(n) for n in part.notions}
        own = sum(weights.values()) / max(len(weights), 1) or 1.0
        words = sum(weights.values())
        total = words + own * bool(provisions)
        found = []
        for at, line in enumerate(self.lines):
            if line.reading.document not in documents or not words:
                continue
            before = self._before(at)
            got = {n.words: max(_met(n, line, before), _CALLED * self._names_paper(n, line)) for n in part.notions}
            known = max((_carries(p, line) for p in provisions), default=0.0)
            met = sum(weights[w] * m for w, m in got.items())
            cover = max(met / words, (met + own * known) / total)
            if cover > 0.0:
                right = holds(part.wants, line)
                scrap = _SCRAP if _tells_nothing(line, right, part) else 1.0
                score = cover * (_WITHOUT_KIND + (1 - _WITHOUT_KIND) * right) * _brevity(line.unit.words) * scrap
                score += _CARRIES * known
                score += _SAME_CLAUSE * (beside is not None and right == 1.0 and _go_on(beside, line))
                inside = tuple(w for w, m in got.items() if m >= _SAID)
                spoken = sum(weights[w] for w in inside)
                own_share = spoken / words
                found.append(Weighed(line, cover, score, right, inside, own_share))
        return sorted(found, key=lambda f: (-f.score, f.line.place))


def _lines(reading: SentencedDocument, notions: Notions) -> Iterator[Line]:
    for unit in reading.units:
        words = notions.words(unit.text)
        head = notions.words(unit.heading.split(" / ")[-1])
        raws, above = (frozenset(w.raw.lower() for w in ws) for ws in (words, head))
        keys, above_keys = (frozenset(k for w in ws for k in w.keys) for ws in (words, head))
        yield Line(reading, unit, raws, keys, above, above_keys)


def _go_on(one: Line, two: Line) -> bool:
    """Tell whether two sentences stand in one clause."""
    same = bool(one.unit.label) and one.unit.label == two.unit.label
    return one.reading is two.reading and (one.unit.block == two.unit.block or same)


def _met(notion: Notion, line: Line, before: Sequence[Line]) -> float:
    if notion.keys & line.keys:
        return 1.0
    if any(w.met(line.raws) for w in notion.written):
        return _SAID
    if notion.keys & line.head_keys or any(w.met(line.head) for w in notion.written):
        return _HEADED
    if any(notion.keys & x.keys or any(w.met(x.raws) for w in notion.written) for x in before):
        return _NEARBY
    return 0.0


def _tells_nothing(line: Line, right: float, part: Part) -> bool:
    """Tell a question, and a heading or scrap without what is wanted."""
    few = line.unit.words < _FEW and (right < 1.0 or not part.wants)
    return few or bool(_ASKS.search(line.plain))


def _carries(provision: Provision, line: Line) -> float:
    """Return how far a sentence of an agreement carries a provision of the catalogue, 0 to 1."""
    if not line.reading.identity.agreement:
        return 0.0
    return min(1.0, weigh(provision, line.plain, line.unit.heading) / provision.threshold)


def _brevity(words: int) -> float:
    return 1.0 / (1.0 + _LENGTH * math.log(max(words, _LONG) / _LONG))


def holds(wants: Sequence[str], line: Line) -> float:
    """Return how far a sentence holds answers of the kinds that are wanted: all of them 1, none 0."""
    found = [HOLDS[w](line) for w in wants]
    return 0.5 * max(found) + 0.5 * sum(found) / len(found) if found else 1.0


def _money(line: Line) -> float:
    return float(any(f.kind in ("money", "per_share") for f in line.numbers))


def _percent(line: Line) -> float:
    return float(any(f.kind in ("percent", "bps") for f in line.numbers))


def _number(line: Line) -> float:
    return float(bool(line.numbers) or bool(_COUNT.search(line.unit.text)) or bool(line.windows))


def _duration(line: Line) -> float:
    periods = any(f.kind == "duration" for f in line.numbers)
    return float(bool(line.windows) or periods or bool(_INDEFINITE.search(line.plain)))


def _date(line: Line) -> float:
    return float(bool(line.reading.dates_of(line.unit)) or bool(line.windows))


def _name(line: Line) -> float:
    return float(bool(_NAME.search(line.plain)))


def _consequence(line: Line) -> float:
    return float(bool(cues_of(line.reading.knowledge).outcome.search(line.plain)))


def _person(line: Line) -> float:
    return float(bool(_PERSON.search(line.plain)))


HOLDS: Mapping[str, Callable[[Line], float]] = MappingProxyType(
    {
        "money": _money,
        "percent": _percent,
        "number": _number,
        "duration": _duration,
        "date": _date,
        "person": _person,
        "name": _name,
        "consequence": _consequence,
    }
)
