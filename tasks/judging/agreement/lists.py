"""Agreement of lists and of marked words, as GAVEL measures it (section 2.3): matching F1 and word coverage."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable

Match = tuple[Hashable, Hashable]
Span = tuple[int, int]


def matching_f1(found: Collection[Match], gold: Collection[Match]) -> float | None:
    """Return the F1 of matches between two lists: twice the matches in both over the matches of each.

    Args:
        found: Matches (left value, right value) that a judge made.
        gold: Matches that people made.

    Returns:
        From 0 to 1; None where neither made a match: nothing was to be found, and nothing was.

    >>> matching_f1({("a", "x"), ("b", "y")}, {("a", "x"), ("b", "z"), ("c", "w")})
    0.4
    """
    mine, theirs = set(found), set(gold)
    total = len(mine) + len(theirs)
    return 2 * len(mine & theirs) / total if total else None


def word_coverage(words: Iterable[Span], first: Collection[Span], second: Collection[Span]) -> float | None:
    """Return the share of words on which two judges agree whether they are covered.

    Args:
        words: Start and end of each word of a text, in characters.
        first: Passages that one judge calls covered, in characters.
        second: Passages that the other does.

    A word is covered where it lies in a passage as a whole. None for a text without words.
    """
    every = list(words)
    agreed = sum(_covered(word, first) == _covered(word, second) for word in every)
    return agreed / len(every) if every else None


def _covered(word: Span, passages: Collection[Span]) -> bool:
    return any(start <= word[0] and word[1] <= end for start, end in passages)
