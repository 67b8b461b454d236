"""Passages that repeat a source word for word but for a number: what an altered figure looks like.

Each text is read as words; runs of words that carry a quantity (digits, number words, units, currencies,
scales, months) become one *literal*. A draft literal whose neighbouring words equal those of a source
literal either says the same, and is grounded by that very place, or was altered.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tasks.sources.records import Span
from tasks.sources.scan.number_units import CURRENCY_MARKS, CURRENCY_NAMES, ONES, SCALES, TENS, words_of

_WORD = re.compile(r"\S+")
_DROP = re.compile(r"[^\w$€£¥₹%./,:-]+|_+")
_EDGE = "./,:-"
_DIGIT = re.compile(r"\d")
_QUANTITY_WORDS = frozenset(
    [
        *ONES,
        *TENS,
        *SCALES,
        *CURRENCY_MARKS,
        *(word for name in CURRENCY_NAMES for n in (name, f"{name}s") for word in n.split()),
        *words_of(
            "percent percentage cent per bps basis point points times hour hours day days business calendar trading "
            "week weeks month months quarter quarters year years half third thirds fourth fourths quarterly % x to "
            "u.s us january february march april june july august september october november december"
        ),
    ]
) - {"to", "per", "one", "zero", "us", "m", "b", "x", "k", "half", "third", "times", "pound", "pounds", "cr"}
_KEY = 3
_CONTEXT = 8
_ENOUGH = 6
_PARTS = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Literal:
    """A quantity in its words: ``[start, end)`` and its normal form, with its neighbours by word index."""

    start: int
    end: int
    form: str
    first: int
    last: int


@dataclass(frozen=True)
class WordedText:
    """A text as normalised words, with quantities folded into literals (the word ``#``)."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
    literals: tuple[Literal, ...]


def _is_quantity(word: str) -> bool:
    if _DIGIT.search(word):
        return True
    return word in _QUANTITY_WORDS or ("-" in word and any(w in _QUANTITY_WORDS for w in _PARTS.findall(word)))


def worded(text: str) -> WordedText:
    """Read a text as words and literals."""
    words: list[str] = []
    starts: list[int] = []
    literals: list[Literal] = []
    run: list[tuple[str, int, int]] = []

    def close() -> None:
        if run:
            if any(_DIGIT.search(w) or w in ONES or w in TENS or "-" in w for w, _, _ in run):
                form = " ".join(w for w, _, _ in run)
                literals.append(Literal(run[0][1], run[-1][2], form, len(words), len(words)))
                words.append("#")
                starts.append(run[0][1])
            else:
                for w, a, _ in run:
                    words.append(w)
                    starts.append(a)
            run.clear()

    for match in _WORD.finditer(text):
        word = _DROP.sub("", match[0].lower()).strip(_EDGE)
        if not word:
            continue
        if _is_quantity(word):
            run.append((word, match.start(), match.end()))
            continue
        close()
        words.append(word)
        starts.append(match.start())
    close()
    return WordedText(tuple(words), tuple(starts), tuple(literals))


@dataclass(frozen=True)
class PassageMatch:
    """A source literal in the same words: equal, or altered where ``equal`` is false."""

    span: Span
    form: str
    equal: bool


class PassageIndex:
    """Literals of the sources by their neighbouring words."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = {name: worded(text) for name, text in texts.items()}
        self._left: dict[tuple[str, ...], list[tuple[str, Literal]]] = defaultdict(list)
        self._right: dict[tuple[str, ...], list[tuple[str, Literal]]] = defaultdict(list)
        for name, text in self._texts.items():
            for literal in text.literals:
                self._left[text.words[max(0, literal.first - _KEY) : literal.first]].append((name, literal))
                self._right[text.words[literal.last + 1 : literal.last + 1 + _KEY]].append((name, literal))

    def match(self, draft: WordedText, literal: Literal, begin: int, end: int) -> PassageMatch | None:
        """Find the source literal whose neighbours within ``[begin, end)`` of the draft are the same words.

        Args:
            draft: The draft as words.
            literal: One of its literals.
            begin: Index of the first word of its sentence.
            end: Index after the last word of its sentence.
        """
        left = draft.words[max(begin, literal.first - _CONTEXT) : literal.first]
        right = draft.words[literal.last + 1 : min(end, literal.last + 1 + _CONTEXT)]
        altered: PassageMatch | None = None
        for name, source in self._candidates(left, right):
            words = self._texts[name].words
            if not _same_place(left, right, words, source):
                continue
            span = Span(document=name, start=source.start, end=source.end)
            if source.form == literal.form:
                return PassageMatch(span, source.form, equal=True)
            altered = altered or PassageMatch(span, source.form, equal=False)
        return altered

    def _candidates(self, left: tuple[str, ...], right: tuple[str, ...]) -> Iterable[tuple[str, Literal]]:
        choices = []
        if len(left) >= _KEY:
            choices.append(self._left.get(left[-_KEY:], []))
        if len(right) >= _KEY:
            choices.append(self._right.get(right[:_KEY], []))
        return min(choices, key=len)[:2000] if choices else ()


def _same_place(left: tuple[str, ...], right: tuple[str, ...], words: tuple[str, ...], source: Literal) -> bool:
    """Return whether the neighbours agree: all of them, or eight and more around the literal."""
    on_left = _common(left[::-1], words[max(0, source.first - len(left)) : source.first][::-1])
    on_right = _common(right, words[source.last + 1 : source.last + 1 + len(right)])
    enough = sum(w != "#" for w in (*left[len(left) - on_left :], *right[:on_right]))
    whole = on_left == len(left) and on_right == len(right)
    if whole:
        return enough >= _ENOUGH
    both = (on_left >= _KEY or on_left == len(left)) and (on_right >= _KEY or on_right == len(right))
    return both and enough >= _CONTEXT


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    n = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        n += 1
    return n
