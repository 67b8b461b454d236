"""What a redline changed in its document: the deleted and the inserted words, with their places in both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tasks.legaltext.fold import FoldedText, fold

_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class ChangedStretch:
    """One stretch that differs, in characters of the document (``old``) and of the redline (``new``)."""

    old: tuple[int, int]
    new: tuple[int, int]


class Changes:
    """The changes of one redline of one document."""

    def __init__(self, document: str, before: str, after: str) -> None:
        self.document, self.before, self.after = FoldedText(document, before), before, after
        self._after = FoldedText("", after)
        self.all = tuple(_changes(before, after))

    def at(self, start: int, end: int) -> ChangedStretch | None:
        """Return the change that wrote a part of a stretch of the redline; None where the document has it unchanged."""
        return next((c for c in self.all if c.new[0] < end and start < c.new[1]), None)

    def old_words(self, change: ChangedStretch) -> str:
        """Return the lines of the document from which words were deleted."""
        start, end = change.old
        stop = self.before.find("\n", end)
        return self.before[self.before.rfind("\n", 0, start) + 1 : len(self.before) if stop < 0 else stop]

    def quoted(self, words: str) -> tuple[tuple[int, int] | None, bool]:
        """Tell whether quoted words are of a change.

        Returns:
            Where they stand in the document, if some of them went; and whether some of them came.
        """
        gone = _met(self.document, words, [c.old for c in self.all])
        return gone, _met(self._after, words, [c.new for c in self.all]) is not None


def changes_of(redline: str, documents: Mapping[str, str]) -> Changes | None:
    """Return the changes against the document that shares most lines with the redline; None where none shares any."""
    lines = {fold(line) for line in redline.splitlines() if line.strip()}
    words = set(_words(redline))
    near = {
        name: (len(lines & {fold(line) for line in text.splitlines()}), len(words & set(_words(text))))
        for name, text in documents.items()
    }
    best = max(near, key=lambda name: near[name], default="")
    return Changes(best, documents[best], redline) if best and near[best][1] else None


def _changes(before: str, after: str) -> list[ChangedStretch]:
    old, new = ([m.span() for m in _WORD.finditer(text)] for text in (before, after))
    matcher = SequenceMatcher(None, [before[a:b] for a, b in old], [after[a:b] for a, b in new])
    return [
        ChangedStretch(_stretch(old, first, last, len(before)), _stretch(new, begin, end, len(after)))
        for what, first, last, begin, end in matcher.get_opcodes()
        if what != "equal"
    ]


def _stretch(spans: Sequence[tuple[int, int]], first: int, last: int, length: int) -> tuple[int, int]:
    if first < last:
        return spans[first][0], spans[last - 1][1]
    at = spans[first][0] if first < len(spans) else length
    return at, at


def _met(text: FoldedText, words: str, places: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the first place of the words in the text that overlaps one of the given places."""
    found = text.find(fold(words))
    while found is not None:
        if any(start < found[1] and found[0] < end for start, end in places):
            return found
        found = text.find(fold(words), found[1])
    return None


def _words(text: str) -> list[str]:
    return text.casefold().split()
