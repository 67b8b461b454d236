"""The answer to a question in one line: the operative words, the value that is wanted before them, yes or no."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.drafting.extractive.ways.notions import Notions
from tasks.drafting.extractive.ways.question import Part
from tasks.drafting.extractive.ways.weighing import Line, Weighed
from tasks.legaltext.fold import quotable

_MOST_WORDS = 70
_ITEMS = 3  # items of a list within a sentence, of which the one that is asked for is shown
_OPENS, _FULL = 0.3, 0.002  # what the beginning of a sentence counts, and a word more of it
_ITEM = re.compile(r"(?=\((?:[a-z]|[ivx]{1,4})\)\s)")
_BREAK = re.compile(r"(?<=[;:])\s+|(?<=,)\s+(?=(?:provided|except|and|or|but|which|in which|unless|if)\b)|\s+(?=\((?:[a-z]{1,3}|\d{1,2}|[ivx]+)\)\s)|(?<=[.])\s+")


def words_of(found: Weighed, part: Part, words: Notions) -> str:
    """Return the operative words of a sentence: all of them, or of a long one the clauses around what is asked.

    Args:
        found: The sentence.
        part: What is asked.
        words: How words are read.
    """
    line = found.line
    whole = " ".join(quotable(line.reading.text.text[a:b]) for a, b in line.unit.pieces).strip()
    items = _ITEM.split(whole)
    if len(items) > _ITEMS:
        weights = [_speaks(item, part, words, figures=True) for item in items[1:]]
        best = max(weights)
        if weights.count(best) == 1:
            at = weights.index(best) + 1
            lead = items[0] if len(items[0].split()) <= _MOST_WORDS else ""
            gap = "… " if at > 1 or not lead else ""
            return f"{lead.strip()} {gap}{items[at].strip()}{'' if at == len(items) - 1 else ' …'}".strip()
    if len(whole.split()) <= _MOST_WORDS:
        return whole
    parts = [p for p in _BREAK.split(whole) if p]
    return _around(parts, [_speaks(p, part, words) for p in parts])


def _around(parts: Sequence[str], weights: Sequence[float]) -> str:
    """Return the clauses that speak most of what is asked, in one stretch."""
    best, chosen = -1.0, (0, 1)
    for first in range(len(parts)):
        size, weight = 0, 0.0
        for last in range(first, len(parts)):
            size += len(parts[last].split())
            weight += weights[last]
            if size > _MOST_WORDS and last > first:
                break
            value = weight + _OPENS * (first == 0) + _FULL * min(size, _MOST_WORDS)
            if value > best:
                best, chosen = value, (first, last + 1)
    said = " ".join(parts[chosen[0] : chosen[1]])
    return f"{'… ' if chosen[0] else ''}{said}{'' if chosen[1] == len(parts) else ' …'}"


def _speaks(clause: str, part: Part, words: Notions, *, figures: bool = False) -> float:
    """Return of how many notions of a question a clause speaks; ``figures`` looks at its names and numbers alone."""
    found = words.words(clause)
    keys = frozenset(k for w in found for k in w.keys)
    raws = frozenset(w.raw.lower() for w in found)
    telling = [n for n in part.notions if not figures or n.named or n.words[:1].isdigit()]
    return sum(n.share for n in telling if n.keys & keys or any(x.met(raws) for x in n.written))


def value_of(line: Line, wants: Sequence[str]) -> str:
    """Return the one value of the wanted kind that a sentence holds; empty where it holds none or several."""
    for want in wants:
        values = list(dict.fromkeys(_values(line, want)))
        if len(values) == 1:
            return values[0]
    return ""


def _values(line: Line, want: str) -> list[str]:
    if want == "money":
        return [f.text for f in line.numbers if f.kind in ("money", "per_share")]
    if want == "percent":
        return [f.text for f in line.numbers if f.kind in ("percent", "bps")]
    if want == "duration":
        return [f"{w.n} {'business ' if w.calendar == 'business' else ''}{w.unit}{'' if w.n == 1 else 's'}" for w in line.windows]
    if want == "date":
        return [d.iso for d in line.reading.dates_of(line.unit)]
    return []
