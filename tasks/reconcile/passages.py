"""Passages that repeat a source word for word except for a number, which is the sign of an altered figure.

Each text is read as words; runs of words that carry a quantity (digits, number words, units, currencies,
scales, months) become one *literal*. A draft literal whose neighbouring words equal those of a source
literal either says the same, and is grounded by that very place, or was altered.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tasks.legaltext.months import CERTAIN
from tasks.legaltext.numbers.spelling import CARDINALS
from tasks.legaltext.numbers.units import CURRENCY_MARKS, CURRENCY_NAMES, SCALES, word_table
from tasks.sources.records import Span

_WORD = re.compile(r"\S+")
_DROP = re.compile(r"[^\w$€£¥₹%./,:-]+|_+")
_EDGE = "./,:-"
_DIGIT = re.compile(r"[\d¼-¾⅐-⅞]")
_QUANTITY_WORDS = frozenset(
    [
        *CARDINALS,
        *SCALES,
        *CURRENCY_MARKS,
        *(word for name in CURRENCY_NAMES for n in (name, f"{name}s") for word in n.split()),
        *word_table(
            "percent percentage cent per bps basis point points times hour hours day days business calendar trading "
            "week weeks month months quarter quarters year years half third thirds fourth fourths quarterly % x to "
            "u.s us"
        ),
        *CERTAIN,
    ]
) - {"to", "per", "us", "m", "b", "x", "k", "half", "third", "times", "pound", "pounds", "cr"}
_BULLETS = frozenset("•*")
_OPENING = frozenset('“"')
_QUALIFIERS = frozenset({"full", "consecutive", "complete", "whole", "successive", "additional", "further", "working"})
_KINDS = frozenset({"business", "calendar", "trading"})
_TIMES = frozenset(word_table("hour hours day days week weeks month months quarter quarters year years"))
_KEY = 3  # words by which a passage is looked up; chosen by eye on the development contracts
_CONTEXT = 8  # words compared on each side; chosen by eye on the development contracts
_ENOUGH = 6  # words that must agree; chosen by eye on the development contracts
_MOST = 60  # places looked at for one key: bounds a hostile repetition
_HELD = 3  # words between a number and its unit ("12 full consecutive calendar months")
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
            if any(_DIGIT.search(w) or w in CARDINALS or "-" in w for w, _, _ in run):
                form = " ".join(w for w, _, _ in run)
                literals.append(Literal(run[0][1], run[-1][2], form, len(words), len(words)))
                words.append("#")
                starts.append(run[0][1])
            else:
                for w, a, _ in run:
                    words.append(w)
                    starts.append(a)
            run.clear()

    held: list[tuple[str, int, int]] = []

    def release() -> None:
        close()
        for w, a, _ in held:
            words.append(w)
            starts.append(a)
        held.clear()

    at = 0
    for match in _WORD.finditer(text):
        if match[0] in _BULLETS or "\n\n" in text[at : match.start()]:
            release()  # "§ 2]", a blank line, "• $36,000,000": two paragraphs make no one quantity
        at = match.end()
        word = _DROP.sub("", match[0].lower()).strip(_EDGE)
        if match[0][0] in _OPENING:
            release()  # "12 months. “11.1 The term": a quotation does not go on with the figure before it
        if not word:
            continue
        if run and len(held) < _HELD and (word in _QUALIFIERS or (held and word in _KINDS)):
            held.append((word, match.start(), match.end()))
        elif held and word in _TIMES:  # "one full day" is one literal: another unit there is an alteration
            run.extend([*held, (word, match.start(), match.end())])
            held.clear()
        elif _is_quantity(word):
            if held:
                release()
            run.append((word, match.start(), match.end()))
        else:
            release()
            words.append(word)
            starts.append(match.start())
    release()
    return WordedText(tuple(words), tuple(starts), tuple(literals))


@dataclass(frozen=True)
class PassageMatch:
    """A source literal in the same words: equal, or altered where ``equal`` is false.

    Attributes:
        whole: Every neighbouring word looked at agrees.
    """

    span: Span
    form: str
    equal: bool
    whole: bool = False


_Place = tuple[str, Literal]  # document, literal
_Key = tuple[str, ...]


class PassageIndex:
    """Literals of the sources by their neighbouring words."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = {name: worded(text) for name, text in texts.items()}
        self._sides: dict[tuple[str, _Key], list[_Place]] = defaultdict(list)
        self._between: dict[tuple[_Key, _Key], list[_Place]] = defaultdict(list)
        self._same: dict[tuple[str, _Key, str], list[_Place]] = defaultdict(list)
        for name, text in self._texts.items():
            for literal in text.literals:
                before = text.words[max(0, literal.first - _KEY) : literal.first]
                after = text.words[literal.last + 1 : literal.last + 1 + _KEY]
                self._between[(before, after)].append((name, literal))
                for side, key in (("left", before), ("right", after)):
                    self._sides[(side, key)].append((name, literal))
                    self._same[(side, key, literal.form)].append((name, literal))

    def match(self, draft: WordedText, literal: Literal, begin: int, end: int) -> PassageMatch | None:
        """Find the source literal whose neighbours within ``[begin, end)`` of the draft are the same words.

        A source that says the same wins over one that says otherwise unless the latter fits clearly better:
        texts repeat their phrases, and page breaks cut them.

        Args:
            draft: The draft as words.
            literal: One of its literals.
            begin: Index of the first word of its sentence.
            end: Index after the last word of its sentence.
        """
        left = draft.words[max(begin, literal.first - _CONTEXT) : literal.first]
        right = draft.words[literal.last + 1 : min(end, literal.last + 1 + _CONTEXT)]
        cut = literal.first == begin, literal.last + 1 == end
        candidates = self._candidates(left, right)
        alike = [
            *self._alike(left, right, literal.form),
            *(c for c in candidates if _cut(literal, c[1], *cut) or _one_of_pair(literal, c[1])),
        ]
        same = self._best(left, right, alike)
        whole = same is not None and same[0].whole
        if same is not None and same[0].words >= _CONTEXT:
            return _match(same[1], equal=True, whole=whole)
        other = self._best(left, right, [c for c in candidates if c[1].form != literal.form], close=True)
        if same is not None and (other is None or same[0].words >= other[0].words):
            return _match(same[1], equal=True, whole=whole)
        return _match(other[1], equal=False) if other else None

    def _best(
        self, left: _Key, right: _Key, places: Sequence[_Place], close: bool = False
    ) -> tuple[_Fit, _Place] | None:
        best: tuple[_Fit, _Place] | None = None
        for place in places:
            fit = _fit(left, right, self._texts[place[0]].words, place[1])
            if (fit.close or not close) and (best is None or fit.words > best[0].words):
                best = (fit, place)
        return best

    def _alike(self, left: _Key, right: _Key, form: str) -> list[_Place]:
        """Return places of the same literal that share the three words before or after."""
        found: list[_Place] = []
        if len(left) >= _KEY:
            found.extend(self._same.get(("left", left[-_KEY:], form), [])[:_MOST])
        if len(right) >= _KEY:
            found.extend(self._same.get(("right", right[:_KEY], form), [])[:_MOST])
        return found

    def _candidates(self, left: _Key, right: _Key) -> list[_Place]:
        """Return the places that share the three words on both sides; on one where the other is cut short."""
        if len(left) >= _KEY and len(right) >= _KEY:
            return self._between.get((left[-_KEY:], right[:_KEY]), [])[:_MOST]
        if len(left) >= _KEY:
            return self._sides.get(("left", left[-_KEY:]), [])[:_MOST]
        return self._sides.get(("right", right[:_KEY]), [])[:_MOST] if len(right) >= _KEY else []


def _match(place: _Place, equal: bool, whole: bool = False) -> PassageMatch:
    name, literal = place
    return PassageMatch(Span(document=name, start=literal.start, end=literal.end), literal.form, equal, whole)


def _cut(draft: Literal, source: Literal, before: bool, after: bool) -> bool:
    """Return whether a draft literal at a sentence end is a part of a longer one of the source."""
    if after and source.form.startswith(f"{draft.form} "):
        return True
    return before and source.form.endswith(f" {draft.form}")


def _one_of_pair(draft: Literal, source: Literal) -> bool:
    """Return whether the draft gives only the digits where the source gives words and digits."""
    first, _, rest = source.form.partition(" ")
    spelled = first.split("-")[0] in CARDINALS
    if source.form.startswith(f"{draft.form} ") and any(w.split("-")[0] in CARDINALS for w in rest.split()):
        return True  # "5% (five percent)"
    return (len(draft.form) > 2 or spelled) and source.form.endswith(f" {draft.form}")


@dataclass(frozen=True)
class _Fit:
    """How many neighbouring words agree, and whether that is enough to call it the same passage."""

    words: int
    close: bool
    whole: bool = False


def _fit(left: tuple[str, ...], right: tuple[str, ...], words: tuple[str, ...], source: Literal) -> _Fit:
    on_left = _common(left[::-1], words[max(0, source.first - len(left)) : source.first][::-1])
    on_right = _common(right, words[source.last + 1 : source.last + 1 + len(right)])
    enough = sum(w != "#" for w in (*left[len(left) - on_left :], *right[:on_right]))
    if on_left == len(left) and on_right == len(right):
        return _Fit(enough, enough >= _ENOUGH, enough >= _ENOUGH)
    both = (on_left >= _KEY or on_left == len(left)) and (on_right >= _KEY or on_right == len(right))
    return _Fit(enough, both and enough >= _CONTEXT)


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    n = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        n += 1
    return n
