"""What changed between two wordings: paragraphs paired, then compared word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rapidfuzz import fuzz

_TOKEN = re.compile(r"\s+|\w+(?:[.,'’]\w+)*|[^\w\s]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\u2010": "-", "\u2011": "-", "\u00a0": " "})
_ALIKE = 45.0  # below this a paragraph was replaced, not edited
_MOST_PAIRED = 160  # paragraphs of one changed stretch that are paired by likeness


@dataclass(frozen=True)
class Change:
    """Characters ``[start, end)`` of the old wording that give way to ``new``."""

    start: int
    end: int
    new: str


def folded(text: str) -> str:
    """Return text as it is compared: one kind of space and of quotation mark."""
    return re.sub(r"\s+", " ", text.translate(_QUOTES)).strip()


def word_changes(old: str, new: str) -> list[Change]:
    """Return the changes that turn one wording into the other, in order, whole words at a time.

    Wordings that differ in spacing or in the shape of quotation marks only do not differ.
    """
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    keys_a, keys_b = [_key(t) for t in a], [_key(t) for t in b]
    starts = [0]
    for token in a:
        starts.append(starts[-1] + len(token))
    found: list[tuple[int, int, int, int]] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, keys_a, keys_b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        # Changes that only a space parts read as one: "thirty (30)" for "sixty (60)", not four small ones.
        if found and all(not t.strip() for t in a[found[-1][1] : i1]):
            found[-1] = (found[-1][0], i2, found[-1][2], j2)
        else:
            found.append((i1, i2, j1, j2))
    changes = [Change(starts[i1], starts[i2], "".join(b[j1:j2])) for i1, i2, j1, j2 in found]
    return [c for c in changes if old[c.start : c.end].strip() or c.new.strip()]


def _key(token: str) -> str:
    return token.translate(_QUOTES) if token.strip() else " "


def paired(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Pair the paragraphs of two wordings in order: (old, new), (old, None) deleted, (None, new) inserted."""
    a, b = [folded(t) for t in old], [folded(t) for t in new]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from zip(range(i1, i2), range(j1, j2), strict=True)
        else:
            yield from _by_likeness(a, b, range(i1, i2), range(j1, j2))


def _by_likeness(
    a: Sequence[str], b: Sequence[str], left: range, right: range
) -> Iterator[tuple[int | None, int | None]]:
    """Pair a changed stretch so that the total likeness of the pairs is greatest, keeping the order."""
    n, m = len(left), len(right)
    if not n or not m or n > _MOST_PAIRED or m > _MOST_PAIRED:
        yield from ((i, None) for i in left)
        yield from ((None, j) for j in right)
        return
    like = [[_likeness(a[i], b[j]) for j in right] for i in left]
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], like[i][j] + best[i + 1][j + 1] if like[i][j] else 0.0)
    i = j = 0
    while i < n or j < m:
        if i < n and j < m and like[i][j] and best[i][j] == like[i][j] + best[i + 1][j + 1]:
            yield left[i], right[j]
            i, j = i + 1, j + 1
        elif i < n and (j == m or best[i][j] == best[i + 1][j]):
            yield left[i], None
            i += 1
        else:
            yield None, right[j]
            j += 1


def _likeness(one: str, other: str) -> float:
    score = fuzz.ratio(one, other)
    if score < _ALIKE and min(len(one), len(other)) > 40:
        score = fuzz.partial_ratio(one, other) * 0.6  # a sentence was added to or struck from a long paragraph
    return score if score >= _ALIKE else 0.0
