"""What a figure is said of: the words around it, compared with those around the figures of the sources.

A draft may state a value that stands in the right document, but of another thing ("a deposit of $8,500", where that
is the rent). Its words then fit a place of the sources that gives another value much better than any place that
gives this one.
"""

from __future__ import annotations

import bisect
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tasks.reconcile.quantities import Quantity
from tasks.sources.records import Span
from tasks.sources.scan.number_units import words_of
from tasks.sources.scan.records import Figure

_WORD: Final = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ’'&]*|\d[\d.,/]*")
_END: Final = re.compile(r"[.;:?!]['”\")\]]{0,2}\s+(?=[A-Z“\"(\[0-9])|\n\s*\n|\n(?=[^\n|]*\|)|(?<=\|)\n")
_STOPPED: Final = frozenset(
    words_of(
        "the a an of and or to in for by at on with as if than is are was were be been being shall will may must can "
        "could would should that which who whom whose not no nor but this it its such said their his her our your any "
        "all each every from into upon under over per more less not least most within after before until prior "
        "following during between through day days month months year years week weeks hour hours business calendar "
        "percent dollars dollar usd us hereof herein hereunder thereof therein thereto hereby s also only other "
        "agreement contract section clause paragraph article document documents provides states said states note "
        "summary according we read reading agreed follows equal amount total aggregate sum number period"
    )
)
_REACH: Final = 24  # words on either side
_FADE: Final = 9.0  # words after which a word counts about a third
_STEM: Final = 6
_FITS: Final = 0.40  # least likeness of the other place
_WORSE: Final = 0.55  # most that the places of this value may have of it
_COMMON: Final = 3000  # places of one word that are looked at: a word of more tells nothing
_SHARED: Final = 3  # least words that the other place shares
_GROUPS: Final[Mapping[str, str]] = {
    "money": "money",
    "per_share": "money",
    "percent": "rate",
    "bps": "rate",
    "duration": "time",
    "shares": "count",
    "count": "count",
    "multiple": "multiple",
    "ratio": "multiple",
}


@dataclass(frozen=True)
class _Place:
    """A figure of the sources with the words around it and their weights."""

    span: Span
    figure: Figure
    group: str
    value: tuple[str, str]


@dataclass(frozen=True)
class Elsewhere:
    """The place whose words fit a draft figure while its value does not.

    Attributes:
        span: The place.
        text: What it says.
        fit: Likeness of its words to those of the draft, 0 to 1.
        own_fit: The best likeness of a place that gives the value of the draft.
        telling: Words that the draft shares with it and not with the places of its own value.
    """

    span: Span
    text: str
    fit: float
    own_fit: float
    telling: tuple[str, ...]


class FigureContexts:
    """Words around the figures of the sources, indexed once they are first asked for."""

    def __init__(self, texts: Mapping[str, str], figures: Mapping[str, Sequence[Figure]]) -> None:
        self._texts = texts
        self._figures = figures

    @cached_property
    def _index(self) -> tuple[list[_Place], list[dict[str, float]], dict[tuple[str, str], list[int]], Counter[str]]:
        places: list[_Place] = []
        vectors: list[dict[str, float]] = []
        spread: Counter[str] = Counter()
        for name in sorted(self._texts):
            text = self._texts[name]
            ends = [0, *(m.end() for m in _END.finditer(text)), len(text)]
            for figure in self._figures.get(name, ()):
                group = _GROUPS.get(figure.kind)
                if group is None:
                    continue
                at = bisect.bisect_right(ends, figure.start) - 1
                words = around(text, figure, ends[at], ends[min(at + 1, len(ends) - 1)])
                places.append(
                    _Place(Span(document=name, start=figure.start, end=figure.end), figure, group, _value(figure))
                )
                vectors.append(words)
                spread.update(words.keys())
        weights = {w: math.log(1 + len(places) / n) for w, n in spread.items()}
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for i, vector in enumerate(vectors):
            for word in vector:
                vector[word] *= weights[word]
                found[(places[i].group, word)].append(i)
            norm = math.sqrt(sum(v * v for v in vector.values())) or 1.0
            for word in vector:
                vector[word] /= norm
        return places, vectors, found, spread

    def elsewhere(
        self, text: str, figure: Figure, begin: int, end: int, scope: Iterable[str] = (), said: Iterable[Figure] = ()
    ) -> Elsewhere | None:
        """Return the place that a draft figure's words fit much better than any place that gives its value.

        Args:
            text: The draft.
            figure: The figure.
            begin: Start of its sentence or row.
            end: End of it.
            scope: Documents it is attributed to; empty for all.
            said: The figures of that sentence: a value that it states as well is no other one.
        """
        group = _GROUPS.get(figure.kind)
        if group is None:
            return None
        places, vectors, found, spread = self._index
        words = around(text, figure, begin, end)
        weighted = {w: v * math.log(1 + len(places) / spread.get(w, 1)) for w, v in words.items()}
        norm = math.sqrt(sum(v * v for v in weighted.values())) or 1.0
        scores: dict[int, float] = defaultdict(float)
        for word, weight in weighted.items():
            for i in found.get((group, word), ())[:_COMMON]:
                scores[i] += weight / norm * vectors[i][word]
        names = frozenset(scope)
        inside = [(s, i) for i, s in scores.items() if not names or places[i].span.document in names]
        own = max(((s, i) for s, i in inside if _equal(places[i], figure)), default=(0.0, -1))
        stated = {_value(figure), *map(_value, said)}
        other = max(((s, i) for s, i in inside if places[i].value not in stated), default=(0.0, -1))
        if other[0] < _FITS or own[0] > _WORSE * other[0]:
            return None
        shared = set(words) & set(vectors[other[1]])
        if len(shared) < _SHARED:
            return None
        telling = shared - (set(vectors[own[1]]) if own[1] >= 0 else set())
        place = places[other[1]]
        shown = tuple(sorted(telling, key=lambda w: (-weighted[w], w)))
        return Elsewhere(place.span, place.figure.text, other[0], own[0], shown)


def around(text: str, figure: Figure, begin: int, end: int) -> dict[str, float]:
    """Return the stems around a figure within its sentence, the nearer the heavier."""
    found: dict[str, float] = {}
    before = [m[0] for m in _WORD.finditer(text, max(begin, figure.start - 220), figure.start)][-_REACH:]
    after = [m[0] for m in _WORD.finditer(text, figure.end, min(end, figure.end + 220))][:_REACH]
    for words in (before[::-1], after):
        for distance, word in enumerate(words):
            stem = word.lower().replace("’", "'").removesuffix("'s")[:_STEM]
            if word.lower() in _STOPPED or len(stem) < 2 or word[0].isdigit():
                continue
            found[stem] = max(found.get(stem, 0.0), math.exp(-distance / _FADE))
    return found


def _value(figure: Figure) -> tuple[str, str]:
    quantity = Quantity.of(figure)
    return quantity.family, str(abs(quantity.value).normalize())


def _equal(place: _Place, figure: Figure) -> bool:
    return place.value == _value(figure)
