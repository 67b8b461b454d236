"""Aligns the paragraphs of two wordings, however their lines are wrapped or their paragraphs split."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

from rapidfuzz import fuzz

from tasks.release.redline.words import folded

_ALIKE = 45.0  # below this a paragraph was replaced, not edited
_SHORT, _ALIKE_SHORT = 40, 65.0  # the same for headings and rows, which look alike sooner
_BAND = 160  # how far from its place in a changed stretch a paragraph is looked for
_LINES = 3  # lines from which a paragraph can be one that was wrapped anew
# A paragraph that holds the other: characters of the shorter, times that the other is longer, what it counts; by eye.
_PARTLY, _LONGER, _PART = 40, 1.5, 0.6
_MOST_PAIRED = 1500  # paragraphs of one changed stretch that are paired by likeness
_SAME_STRETCH = 60.0  # from here two stretches hold the same sentences, parted into other paragraphs
_HEAD = 12  # characters by which the paragraph that a line begins is looked up
_FAR = 20_000  # characters ahead in which a line of a rewrapped text is looked for


@dataclass(frozen=True)
class ReplacedParagraphs:
    """Paragraphs of the old wording and the new ones that replace them; either may be empty."""

    old: tuple[int, ...]
    new: tuple[int, ...]


def aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[ReplacedParagraphs]:
    """Align the paragraphs of two wordings in order, even where they are wrapped or split differently."""
    a, b = [folded(t) for t in old], [folded(t) for t in new]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (ReplacedParagraphs((i,), (j,)) for i, j in zip(range(i1, i2), range(j1, j2), strict=True))
        elif _squeezed(a[i1:i2]) == _squeezed(b[j1:j2]):
            yield ReplacedParagraphs(tuple(range(i1, i2)), tuple(range(j1, j2)))
        else:
            wrapped = _rewrapped(a, b, range(i1, i2), range(j1, j2))
            yield from wrapped or _grown(a, b, list(_by_likeness(a, b, range(i1, i2), range(j1, j2))))


def unwrapped(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Join lines of the new wording that are one old paragraph wrapped at another width."""
    known = {folded(t) for t in old}
    begun: dict[str, list[str]] = {}
    for text in sorted(known):
        begun.setdefault(text[:_HEAD], []).append(text)
    joined: list[str] = []
    at = 0
    while at < len(new):
        first = folded(new[at])
        whole = [t for t in begun.get(first[:_HEAD], ()) if first not in known and t.startswith(first)]
        taken = max((_lines_of(t, new, at) for t in whole), default=0)
        joined.append(" ".join(new[at : at + max(taken, 1)]))
        at += max(taken, 1)
    return joined


def _lines_of(text: str, new: Sequence[str], at: int) -> int:
    """Return how many of the next lines form the paragraph; 0 if they do not."""
    said = ""
    for count in range(1, len(new) - at + 1):
        said = f"{said} {folded(new[at + count - 1])}".lstrip()
        if said == text:
            return count
        if not text.startswith(said):
            return 0
    return 0


def _rewrapped(a: Sequence[str], b: Sequence[str], left: range, right: range) -> list[ReplacedParagraphs]:
    """Align a stretch that was wrapped at another width: its new lines are mostly pieces of the old paragraphs."""
    whole = " ".join(a[i] for i in left)
    ends = list(accumulate(len(a[i]) + 1 for i in left))
    found: list[tuple[int, int] | None] = []
    at = 0
    for j in right:
        place = whole.find(b[j], at, at + _FAR)
        found.append((place, place + len(b[j])) if place >= 0 and len(b[j]) > 2 else None)
        at = place + len(b[j]) if found[-1] else at
    known = {a[k] for k in left}
    pieces = sum(1 for f, j in zip(found, right, strict=True) if f and b[j] not in known)
    if len(right) < _LINES or pieces * 2 < len(right):
        return []
    groups: list[tuple[int, int, list[int]]] = []  # first and last paragraph (exclusive), new lines
    reached = 0
    waiting: list[int] = []
    for span, j in zip(found, right, strict=True):
        if span is None:
            waiting.append(j)
            continue
        first, last = bisect_right(ends, span[0]), bisect_right(ends, span[1] - 1) + 1
        opens = span[0] == (ends[first - 1] if first else 0)
        done = not groups or reached + 1 >= ends[groups[-1][1] - 1]
        if groups and (first < groups[-1][1] or (waiting and not done and not opens)):
            begun, _, lines = groups.pop()
            groups.append((begun, last, [*lines, *waiting, j]))
        elif waiting and not done:
            begun, end, lines = groups.pop()
            groups += [(begun, first, [*lines, *waiting]), (first, last, [j])]
        elif waiting and not opens:
            groups.append((groups[-1][1] if groups else 0, last, [*waiting, j]))
        else:
            end = groups[-1][1] if groups else 0
            groups += [(end, first, list(waiting))] if waiting or end < first else []
            groups.append((first, last, [j]))
        reached, waiting = span[1], []
    end = groups[-1][1] if groups else 0
    if waiting and groups and reached + 1 < ends[end - 1]:
        begun, _, lines = groups.pop()
        groups.append((begun, len(left), [*lines, *waiting]))
    elif waiting or end < len(left):
        groups.append((end, len(left), waiting))
    return [ReplacedParagraphs(tuple(left[k] for k in range(x, y)), tuple(lines)) for x, y, lines in groups]


def _squeezed(lines: Sequence[str]) -> str:
    return "".join(lines).replace(" ", "")


def _grown(
    a: Sequence[str], b: Sequence[str], pairs: Sequence[tuple[int | None, int | None]]
) -> Iterator[ReplacedParagraphs]:
    """Extend a pair by unpaired neighbouring paragraphs while that makes its two sides more alike."""
    groups = [ReplacedParagraphs(*(() if k is None else (k,) for k in pair)) for pair in pairs]
    if not any(g.old and g.new for g in groups):
        whole = ReplacedParagraphs(tuple(i for g in groups for i in g.old), tuple(j for g in groups for j in g.new))
        if (
            whole.old
            and whole.new
            and fuzz.ratio(_joined_lines(a, whole.old), _joined_lines(b, whole.new)) >= _SAME_STRETCH
        ):
            groups = [whole]
    at = 0
    while at < len(groups):
        if groups[at].old and groups[at].new:
            score = fuzz.ratio(_joined_lines(a, groups[at].old), _joined_lines(b, groups[at].new))
            for near in (at + 1, at - 1):
                if 0 <= near < len(groups) and not (groups[near].old and groups[near].new):
                    first, second = sorted((at, near))
                    both = ReplacedParagraphs(
                        groups[first].old + groups[second].old, groups[first].new + groups[second].new
                    )
                    if fuzz.ratio(_joined_lines(a, both.old), _joined_lines(b, both.new)) > score:
                        groups[first : second + 1] = [both]
                        at = first - 1
                        break
        at += 1
    yield from groups


def _joined_lines(lines: Sequence[str], chosen: Sequence[int]) -> str:
    return " ".join(lines[k] for k in chosen)


def _by_likeness(
    a: Sequence[str], b: Sequence[str], left: range, right: range
) -> Iterator[tuple[int | None, int | None]]:
    """Pair a changed stretch so that the total likeness of the pairs is greatest, keeping the order."""
    n, m = len(left), len(right)
    if not n or not m or n > _MOST_PAIRED or m > _MOST_PAIRED:
        yield from ((i, None) for i in left)
        yield from ((None, j) for j in right)
        return
    like = [_row(a[left[i]], b, right, i * m // n) for i in range(n)]
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            same = like[i].get(j, 0.0)
            best[i][j] = max(best[i + 1][j], best[i][j + 1], same + best[i + 1][j + 1] if same else 0.0)
    i = j = 0
    while i < n or j < m:
        same = like[i].get(j, 0.0) if i < n and j < m else 0.0
        if same and best[i][j] == same + best[i + 1][j + 1]:
            yield left[i], right[j]
            i, j = i + 1, j + 1
        elif i < n and (j == m or best[i][j] == best[i + 1][j]):
            yield left[i], None
            i += 1
        else:
            yield None, right[j]
            j += 1


def _row(one: str, b: Sequence[str], right: range, middle: int) -> dict[int, float]:
    """Return the likeness of a paragraph to those near its own place; unlike ones are left out."""
    near = range(max(0, middle - _BAND), min(len(right), middle + _BAND + 1))
    return {j: score for j in near if (score := _likeness(one, b[right[j]]))}


def _likeness(one: str, other: str) -> float:
    short, long = sorted((len(one), len(other)))
    score = fuzz.ratio(one, other, score_cutoff=_ALIKE if long > _SHORT else _ALIKE_SHORT)
    if not score and short > _PARTLY and long > _LONGER * short:
        score = fuzz.partial_ratio(one, other) * _PART  # a sentence was added to or struck from a long paragraph
    return score if score >= _ALIKE else 0.0
