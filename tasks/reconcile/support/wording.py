"""Makes the words of a statement and of a source comparable: stems, parties, laws, "not", before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Final, Literal, NamedTuple

from skills_repo.release_gates import CitationGate
from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import STOPWORDS, root, singular
from tasks.reconcile.support.mentions import find_forms, laws_in

_WORD: Final = re.compile(r"[A-Za-zÀ-ÿ]+(?:'[a-z]+)?|\d[\d.,]*")
_STEM: Final = 6  # letters by which words are compared, as in the gate of numbers
_NEAR: Final = 2  # words of either side that may part two words that both have
Class = Literal["word", "no", "when", "party", "law"]


class WordToken(NamedTuple):
    """A word of a text; ``value`` is its stem, the party, the law, or the direction that it stands for."""

    kind: Class
    value: str
    start: int
    end: int


@dataclass(frozen=True)
class Wording:
    """Reads texts about one document.

    Attributes:
        forms: The forms of each party's name by the name.
        laws: The usual name of each law district by each name.
        words: The settings of the gate, with the words that turn a statement round.
    """

    forms: Mapping[str, Sequence[str]]
    laws: Mapping[str, str]
    words: CitationGate

    @cached_property
    def _negations(self) -> frozenset[str]:
        return frozenset(self.words.negations)

    @cached_property
    def _idle(self) -> re.Pattern[str]:
        phrases = sorted(self.words.idle_negations, key=len, reverse=True)
        either = "|".join(r"\s+".join(map(re.escape, p.split())) for p in phrases)
        return re.compile(rf"(?i)\b(?:{either or '(?!)'})\b")

    @cached_property
    def _directions(self) -> Mapping[str, str]:
        return {**dict.fromkeys(self.words.before, "before"), **dict.fromkeys(self.words.after, "after")}

    def read(self, text: str) -> list[WordToken]:
        """Return the telling words of a text in order."""
        level = self._idle.sub(lambda m: " " * len(m[0]), "".join(straight(c) or " " for c in text))
        named = sorted(self._named(level), key=lambda t: (t.start, -t.end))
        tokens, at = [], 0
        for name in named:
            if name.start >= at:
                tokens += [*self._plain(level, at, name.start), name]
                at = name.end
        return [*tokens, *self._plain(level, at, len(level))]

    def _named(self, text: str) -> Iterator[WordToken]:
        for name, forms in self.forms.items():
            yield from (WordToken("party", name, a, b) for a, b in find_forms(text, forms))
        yield from (WordToken("law", law, a, b) for a, b, law in laws_in(text, self.laws))

    def _plain(self, text: str, start: int, end: int) -> Iterator[WordToken]:
        for match in _WORD.finditer(text, start, end):
            low = match[0].lower()
            if low in self._negations or low.endswith("n't"):
                yield WordToken("no", "not", *match.span())
            elif low in self._directions:
                yield WordToken("when", self._directions[low], *match.span())
            elif low not in STOPWORDS and (len(low) > 1 or low.isdigit()):
                yield WordToken("word", root(singular(low.removesuffix("'s")))[:_STEM], *match.span())


class Gap(NamedTuple):
    """What stands between two words that a statement and its source share, in each of them."""

    said: Sequence[WordToken]
    there: Sequence[WordToken]
    edge: bool

    @property
    def reworded(self) -> bool:
        """Whether each has words of its own there: what "not" then belongs to is not known."""
        return all(any(t.kind == "word" for t in side) for side in (self.said, self.there))


def gaps(said: Sequence[WordToken], there: Sequence[WordToken]) -> tuple[float, list[Gap]]:
    """Align a statement with a sentence of the source by their plain words.

    Returns:
        The share of the statement's plain words that are aligned, and the stretches between aligned words that are
        near each other in both.
    """
    own = [n for n, t in enumerate(said) if t.kind == "word"]
    theirs = [n for n, t in enumerate(there) if t.kind == "word"]
    matcher = SequenceMatcher(None, [said[n].value for n in own], [there[n].value for n in theirs], autojunk=False)
    pairs = [(b.a + k, b.b + k) for b in matcher.get_matching_blocks() for k in range(b.size)]
    found = []
    for (a, b), (c, d) in zip([(-1, -1), *pairs], [*pairs, (len(own), len(theirs))], strict=True):
        edge = a < 0 or c == len(own)
        if c - a - 1 <= _NEAR and d - b - 1 <= (_NEAR if not edge else len(theirs)):
            left, right = (own[a] if a >= 0 else -1), (own[c] if c < len(own) else len(said))
            low, high = _bounds(theirs, b, d, len(there), right - left, edge)
            found.append(Gap(said[left + 1 : right], there[low:high], edge))
    return len(pairs) / len(own) if own else 0.0, found


def _bounds(theirs: Sequence[int], b: int, d: int, size: int, width: int, edge: bool) -> tuple[int, int]:
    """Return the gap in the source; at an edge of the statement, as many words as the statement has there."""
    low, high = (theirs[b] + 1 if b >= 0 else 0), (theirs[d] if d < len(theirs) else size)
    if edge and b < 0:
        return max(low, high - width - _NEAR), high
    return (low, min(high, low + width)) if edge else (low, high)
