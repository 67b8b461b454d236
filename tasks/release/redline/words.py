"""What changed between two wordings of a paragraph, whole words at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tasks.legaltext.fold import straight

_TOKEN = re.compile(r"\w+(?:[.,'’]\w+)*|[^\w\s]")
_CHOPPED = 4  # words on both sides of a lone common word from which it is part of one rewording


@dataclass(frozen=True)
class WordChange:
    """Characters ``[start, end)`` of the old wording that ``new`` replaces.

    Attributes:
        owner: Number of the edit that asks for it; -1 where none does.
        like: Number of the paragraph whose format a new paragraph takes; -1 for the one that it follows.
    """

    start: int
    end: int
    new: str
    owner: int = -1
    like: int = -1


def folded(text: str) -> str:
    """Return text normalised for comparison: one kind of space and of quotation mark."""
    return re.sub(r"\s+", " ", straight(text)).strip()


def word_changes(old: str, new: str) -> list[WordChange]:
    """Return the changes that turn one wording into the other, in order, whole words at a time.

    Wordings that differ in spacing or in the shape of quotation marks only do not differ.
    """
    a, b = list(_TOKEN.finditer(old)), list(_TOKEN.finditer(new))
    keys_a, keys_b = [straight(m[0]) for m in a], [straight(m[0]) for m in b]
    codes = SequenceMatcher(None, keys_a, keys_b, autojunk=False).get_opcodes()
    found = _whole([(i1, i2, j1, j2) for tag, i1, i2, j1, j2 in codes if tag != "equal"], keys_a)
    return [_placed(old, new, a, b, f) for f in found]


def _whole(found: Sequence[tuple[int, int, int, int]], words: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Merge two long changes where only a word or two between them happen to agree."""
    kept: list[tuple[int, int, int, int]] = []
    for one in found:
        if kept:
            last = kept[-1]
            between = [w for w in words[last[1] : one[0]] if w.isalnum()]
            long = all(max(c[1] - c[0], c[3] - c[2]) >= _CHOPPED for c in (last, one))
            if long and one[0] - last[1] <= 2 and len(between) <= 2:
                kept[-1] = (last[0], one[1], last[2], one[3])
                continue
        kept.append(one)
    return kept


def _placed(
    old: str, new: str, a: Sequence[re.Match[str]], b: Sequence[re.Match[str]], found: tuple[int, int, int, int]
) -> WordChange:
    """Return a change of words as one of characters, with the white space that goes or comes with them."""
    i1, i2, j1, j2 = found
    before, after = _gaps(old, a, i1, i2)
    lead, trail = _gaps(new, b, j1, j2)
    words = new[b[j1].start() : b[j2 - 1].end()] if j2 > j1 else ""
    left = a[i1 - 1].end() if i1 else 0
    right = a[i2].start() if i2 < len(a) else len(old)
    if i1 == i2:
        return _inserted(left, right, words, lead, trail)
    start, end = a[i1].start(), a[i2 - 1].end()
    if words:
        start, words = (left, words) if before and not lead else (start, (lead if lead and not before else "") + words)
        end, words = (right, words) if after and not trail else (end, words + (trail if trail and not after else ""))
        return WordChange(start, end, words)
    gap = new[b[j1 - 1].end() : b[j1].start()] if 0 < j1 < len(b) else ""
    if not gap:
        return WordChange(left, right, "")
    if before and after:
        return WordChange(start, right, "")
    # "the price, if any, is due": the one space that there is parts what remains
    return WordChange(start, end, "" if before or after else gap)


def _inserted(left: int, right: int, words: str, lead: str, trail: str) -> WordChange:
    if left == right:
        return WordChange(left, left, lead + words + trail)
    if "\n" in lead:  # a paragraph of its own
        return WordChange(left, left, f"\n{words}{trail}")
    if lead:
        return WordChange(right, right, words + trail)
    return WordChange(left, left, words) if trail else WordChange(left, right, words)


def _gaps(text: str, tokens: Sequence[re.Match[str]], first: int, last: int) -> tuple[str, str]:
    """Return the white space before the token ``first`` and after the token before ``last``."""
    start = tokens[first].start() if first < len(tokens) else len(text)
    end = tokens[last - 1].end() if last else 0
    left = tokens[first - 1].end() if first else start
    right = tokens[last].start() if last < len(tokens) else end
    return text[left:start], text[end:right]
