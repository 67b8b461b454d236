"""What a figure is about: the words around it, compared with the words around the figures of the sources.

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

from tasks.legaltext.numbers.spelling import CARDINALS
from tasks.legaltext.numbers.units import word_table
from tasks.legaltext.records import Figure
from tasks.legaltext.sentences import WRAPPED, sentences
from tasks.legaltext.tokens import singular
from tasks.reconcile.quantities import Quantity
from tasks.sources.records import Span

_WORD: Final = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ’'&]*|\d[\d.,/]*")
_STOPPED: Final = frozenset(
    word_table(
        "the a an of and or to in for by at on with as if than is are was were be been being shall will may must can "
        "could would should that which who whom whose not no nor but this it its such said their his her our your any "
        "all each every from into upon under over per more less not least most within after before until prior "
        "following during between through day days month months year years week weeks hour hours business calendar "
        "percent dollars dollar usd us hereof herein hereunder thereof therein thereto hereby s also only other "
        "agreement contract section clause paragraph article document documents provides states said states note "
        "summary according we read reading agreed follows equal amount total aggregate sum number period exceed "
        "limited capped set made make makes given gives give granted grants required requires require runs run lasts "
        "stands received receives receive measures starts has have had does do did against about up out if when where "
        "exceeding pay paid payable payment effective date dates derived"
    )
) | frozenset(CARDINALS)
_REACH: Final = 24  # words on either side
_BESIDE: Final = 6  # figures on either side that may part its words from others'; chosen by eye
_WINDOW: Final = 220  # characters on either side that hold ``_REACH`` words; bounds the time
_FADE: Final = 9.0  # words after which a word counts about a third
_STEM: Final = 6  # letters by which words are compared: "termination" and "terminated" are one
_FITS: Final = 0.5  # share of the draft's telling words that the other place has, each the nearer the more
_WORSE: Final = 0.7  # most that a place of this value may have of that
_FITS_APART: Final = 0.36  # enough where the places of this value have next to nothing
_FAR_WORSE: Final = 0.4  # as _WORSE, where the other place reaches _FITS_APART alone
_COMMON: Final = 1000  # places of one word that are looked at: a word of more tells nothing
_SHARED: Final = 2  # least words that the other place shares; one is enough where it says nearly all
_FITS_ALONE: Final = 0.8  # as _FITS, where one shared word has to be enough
_NEXT_TO_NOTHING: Final = 0.15  # most that a place of this value may then have itself
_PARTING: Final = re.compile(r"[,;]|\b(?:and|or|plus|but|while|whereas|as well as|alongside|with|after which)\b")
_THEIRS: Final = 0.1  # what a word counts beyond another figure
_HEADED: Final = 0.5  # what a word of the heading counts
_UNDER: Final = 3000  # characters that a heading reaches down
_HEADING: Final = re.compile(
    r"^[ \t]*(?:(?:section|article)\s+)?\d{1,3}(?:\.\d{1,3}){0,3}\.?[ \t]+([A-Z][^\n.:;]{2,60})[.:\n]", re.M | re.I
)
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
    words: Mapping[str, float]


@dataclass(frozen=True)
class Elsewhere:
    """A place whose words fit a figure of the draft, but whose value differs.

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
    def _places(self) -> list[_Place]:
        places: list[_Place] = []
        for name in sorted(self._texts):
            text = self._texts[name]
            ends = [0, *(start for start, _ in sentences(text, WRAPPED)), len(text)]
            heads = _headings(text)
            figures = [f for f in self._figures.get(name, ()) if f.kind in _GROUPS]
            for i, figure in enumerate(figures):
                at = bisect.bisect_right(ends, figure.start) - 1
                near = figures[max(0, i - _BESIDE) : i + _BESIDE + 1]
                words = stems_around(text, figure, ends[at], ends[min(at + 1, len(ends) - 1)], near)
                for stem in heads.before(figure.start):
                    words[stem] = max(words.get(stem, 0.0), _HEADED)
                span = Span(document=name, start=figure.start, end=figure.end)
                rooted = {word: weight**0.5 for word, weight in words.items()}
                places.append(_Place(span, figure, _GROUPS[figure.kind], _value(figure), rooted))
        return places

    @cached_property
    def _weights(self) -> dict[str, float]:
        """The weight of each word: the fewer figures it stands near, the higher."""
        spread = Counter(word for place in self._places for word in place.words)
        return {w: math.log(1 + len(self._places) / n) for w, n in spread.items()}

    @cached_property
    def _postings(self) -> dict[tuple[str, str], list[int]]:
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for i, place in enumerate(self._places):
            for word in place.words:
                found[(place.group, word)].append(i)
        return found

    def elsewhere(
        self,
        text: str,
        figure: Figure,
        begin: int,
        end: int,
        scope: Iterable[str] = (),
        said: Sequence[Figure] = (),
        given: Iterable[Figure] = (),
    ) -> Elsewhere | None:
        """Return the place that fits the words of a draft figure much better than any place with its value.

        Args:
            text: The draft.
            figure: The figure.
            begin: Start of its sentence or row.
            end: End of it.
            scope: Documents it is attributed to; empty for all.
            said: The figures of that sentence: a value that it states as well is no other one.
            given: Figures of the sources that count as the same, such as the one it rounds.
        """
        group = _GROUPS.get(figure.kind)
        if group is None:
            return None
        words = {
            w: v * self._weights[w]
            for w, v in stems_around(text, figure, begin, end, said).items()
            if w in self._weights
        }
        whole = sum(words.values())
        names = frozenset(scope)
        scores: dict[int, float] = defaultdict(float)
        for word, weight in words.items():
            places = self._postings.get((group, word), ())
            for i in places if len(places) <= _COMMON else ():
                scores[i] += weight * self._places[i].words[word]
        same = {_value(figure), *map(_value, given)}
        stated = {*same, *map(_value, said)}
        own = other = (0.0, -1)
        for i, score in scores.items():
            place = self._places[i]
            if names and place.span.document not in names:
                continue
            if place.value in same:
                own = max(own, (score / whole, i))
            elif place.value not in stated and (group != "money" or place.figure.unit == figure.unit):
                other = max(other, (score / whole, i))
        shared = set(words) & set(self._places[other[1]].words) if other[1] >= 0 else set()
        telling = shared - (set(self._places[own[1]].words) if own[1] >= 0 else set())
        abroad = not names and own[1] >= 0 and self._document(own[1]) != self._document(other[1])
        clear = not abroad and other[0] >= _FITS and own[0] <= _WORSE * other[0]
        apart = other[0] >= _FITS_APART and own[0] <= _FAR_WORSE * other[0] and len(telling) > 1
        only = other[0] >= _FITS_ALONE and own[0] <= _NEXT_TO_NOTHING
        if not shared or not (clear or apart) or (len(shared) < _SHARED and not only):
            return None
        place = self._places[other[1]]
        shown = tuple(sorted(telling, key=lambda w: (-words[w], w)))
        return Elsewhere(place.span, place.figure.text, other[0], own[0], shown)

    def _document(self, place: int) -> str:
        return self._places[place].span.document


class _Headings:
    """Headings of provisions ("10.4 Indemnity.") by the place where they stand."""

    def __init__(self, text: str) -> None:
        matches = list(_HEADING.finditer(text))
        self._starts = [m.start() for m in matches]
        self._stems = [tuple(stem for w in _WORD.findall(m[1]) if (stem := stem_of(w))) for m in matches]

    def before(self, offset: int) -> tuple[str, ...]:
        """Return the stems of the heading that an offset stands under."""
        at = bisect.bisect_right(self._starts, offset) - 1
        return self._stems[at] if at >= 0 and offset - self._starts[at] < _UNDER else ()


def _headings(text: str) -> _Headings:
    return _Headings(text)


def stems_around(text: str, figure: Figure, begin: int, end: int, near: Sequence[Figure] = ()) -> dict[str, float]:
    """Return the stems around a figure within its sentence, the nearer the heavier.

    Words beyond another figure of the same group belong rather to that figure.
    """
    found: dict[str, float] = {}
    group = _GROUPS.get(figure.kind)
    others = [f for f in near if _GROUPS.get(f.kind) == group and (f.end <= figure.start or f.start >= figure.end)]
    left = _parting(text, max((f.end for f in others if f.end <= figure.start), default=-1), figure.start)
    right = _parting(text, figure.end, min((f.start for f in others if f.start >= figure.end), default=len(text) + 1))
    before = list(_WORD.finditer(text, max(begin, figure.start - _WINDOW), figure.start))[-_REACH:]
    after = list(_WORD.finditer(text, figure.end, min(end, figure.end + _WINDOW)))[:_REACH]
    for words in (before[::-1], after):
        for distance, match in enumerate(words):
            stem = stem_of(match[0])
            if stem:
                theirs = match.start() < left[1] or match.start() >= right[0]
                weight = math.exp(-distance / _FADE) * (_THEIRS if theirs else 1.0)
                found[stem] = max(found.get(stem, 0.0), weight)
    return found


def _parting(text: str, end: int, start: int) -> tuple[int, int]:
    """Return where the words between two figures part: at the last conjunction, comma or semicolon there."""
    if end < 0:
        return -1, -1
    if start > len(text):
        return start, start
    partings = list(_PARTING.finditer(text, end, start))
    return partings[-1].span() if partings else (start, end)


def stem_of(word: str) -> str:
    """Return the stem of a word as contexts are compared; empty for words that tell nothing."""
    low = word.lower().replace("’", "'").removesuffix("'s")
    if low in _STOPPED or low.removesuffix("s") in _STOPPED or len(low) < 2 or low[0].isdigit():
        return ""
    return singular(low)[:_STEM]


def _value(figure: Figure) -> tuple[str, str]:
    quantity = Quantity.of(figure)
    return quantity.family, str(abs(quantity.value).normalize())
