"""Where the defined terms of a document are defined and used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tasks.legaltext.sentences import sentences
from tasks.legaltext.tokens import singular
from tasks.sources.records import CanonicalText
from tasks.sources.terms import definitions

_MEANS = re.compile(
    r"[\"”“]\s*(?:\([^()]{0,60}\)\s*)?(?:,[^\n,]{1,80},\s*)?(?:shall\s+(?:mean|have|be|include)|means?\b|ha(?:s|ve)\s+"
    r"the|is\s+defined|refers?\s+to|includes?\b|will\s+mean)"
)
_POINTER = re.compile(
    r"[^.]{0,60}?(?:ha(?:s|ve)|shall\s+have|is|are)\s+(?:the\s+)?(?:respective\s+)?(?:same\s+)?"
    r"(?:meanings?|defined|definition)\b[^.]{0,60}?\b(?:in|to|by|under)\b"
)
_NAME = re.compile(r"[^\W\d_][\w&'’/-]*")
_FULL_STOP = re.compile(r"\.(?!\d)")  # not the one within "Section 2.1"
_BLANK = re.compile(r"\n[ \t]*\n")
_OPEN = re.compile(r"(?:[:;,]|\b(?:and|or))\s*\Z")
_LONG = 900  # characters kept on each side of a term in its definition
_LONGEST = 1_500  # characters in which the paragraph of a definition is sought: time stays linear
_MOST_WORDS = 7  # longer quoted words are quotations, not terms; chosen by eye on the development contracts
_NEXT = 40  # characters: a term that stands closer belongs to this definition ("and, together with …"); chosen by eye
_AROUND = 200  # characters shown on each side of a term that no sentence holds; chosen by eye
_JOINING = 12  # characters before a blank line in which ", and" stands with its spaces
_MARKS = 4  # characters beside two for each word (space, hyphen, line break) by which a use may be longer; by eye


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition: where the term stands, and the words that define it.

    Attributes:
        at: Offset of the term within its quotation marks.
        pointer: True where it only says in which provision the term is defined.
    """

    term: str
    at: int
    start: int
    end: int
    pointer: bool = False


def find_definitions(canonical: CanonicalText) -> list[Definition]:
    """Return the definitions of a document in reading order."""
    text = canonical.text
    found = [d for d in definitions(canonical) if len(d.term.split()) <= _MOST_WORDS]
    starts = [d.span.start for d in found]
    result = []
    for i, item in enumerate(found):
        following = starts[i + 1] if i + 1 < len(starts) else len(text)
        start, end, pointer = _words(text, item.span.start, item.span.end, following)
        result.append(Definition(item.term, item.span.start, start, end, pointer))
    return result


def _words(text: str, start: int, end: int, following: int) -> tuple[int, int, bool]:
    """Return the span of the words that define a term, and whether they only point elsewhere."""
    low = max(text.rfind("\n\n", max(0, start - _LONGEST), start), start - _LONGEST)
    low = max(0, low + 2 if text.startswith("\n\n", max(0, low)) else low)
    high = _paragraph_end(text, end)
    if _MEANS.match(text, end):
        stop = min(high, following - 1 if following > end + _NEXT else high)
        if said := _POINTER.match(text, end + 1, stop):
            point = _FULL_STOP.search(text, said.end(), stop)
            return start - 1, point.end() if point else stop, True
        return start - 1, start + len(text[start:stop].rstrip()), False
    for a, b in sentences(text[low:high]):
        if low + a <= start < low + b:
            return max(low + a, start - _LONG), min(low + b, end + _LONG), False
    return max(low, start - _AROUND), min(high, end + _AROUND), False


def _paragraph_end(text: str, start: int) -> int:
    """Return where the paragraph ends that holds an offset; one that ends open goes on in the next: "means: (a) …;"."""
    limit = min(len(text), start + _LONGEST)
    for blank in _BLANK.finditer(text, start, limit):
        if not _OPEN.search(text, max(start, blank.start() - _JOINING), blank.start()):
            return blank.start()
    return limit


def best_definitions(found: Iterable[Definition]) -> dict[str, Definition]:
    """Return one definition per term: the first that gives its meaning, or a mere pointer where it is the only one."""
    chosen: dict[str, Definition] = {}
    for item in found:
        if item.term not in chosen or (chosen[item.term].pointer and not item.pointer):
            chosen[item.term] = item
    return chosen


class TermBook:
    """Finds terms in text: as defined, in the plural, or in capitals; of two that overlap the longer one."""

    def __init__(self, terms: Iterable[str]) -> None:
        """Take the terms as they were defined."""
        self._by_first: dict[str, list[tuple[str, list[str]]]] = {}
        for term in terms:
            words = _NAME.findall(term)
            if words and words[0][0].isupper():
                self._by_first.setdefault(_bare(words[0]), []).append((term, words))
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: -len(entry[1]))

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int, int]]:
        """Yield ``(term, start, end)`` for each use within ``[start, end)``."""
        stop = len(text) if end is None else end
        if not self._by_first:
            return
        names = [(m.group(), m.start(), m.end()) for m in _NAME.finditer(text, start, stop)]
        i = 0
        while i < len(names):
            used = self._at(text, names, i) if names[i][0][0].isupper() else None
            if used is None:
                i += 1
                continue
            term, count = used
            yield term, names[i][1], names[i + count - 1][2]
            i += count

    def _at(self, text: str, names: Sequence[tuple[str, int, int]], i: int) -> tuple[str, int] | None:
        first = _bare(names[i][0])
        for term, words in (
            *self._by_first.get(first, ()),
            *self._by_first.get(first.removesuffix("e") if first.endswith("e") else "", ()),
        ):
            n = len(words)
            window = names[i : i + n]
            if len(window) < n or window[-1][2] - window[0][1] > len(term) + _MARKS + 2 * n:
                continue
            if all(
                _same(found[0], word, last=j == n - 1)
                for j, (found, word) in enumerate(zip(window, words, strict=True))
            ):
                between = text[window[0][1] : window[-1][2]]
                if not re.search(r"[.;:()\"“”]", between):
                    return term, n
        return None


def _bare(word: str) -> str:
    return singular(re.sub(r"['’]s?\Z", "", word.lower()))


def _same(found: str, word: str, last: bool) -> bool:
    found, word = (re.sub(r"['’]s?\Z", "", w) for w in (found, word))
    if found in (word, word.upper()):
        return True
    low, plain = found.lower(), word.lower()
    plural = low in (f"{plain}s", f"{plain}es", plain.removesuffix("s")) or singular(low) == plain
    return last and plural and found[0].isupper()
