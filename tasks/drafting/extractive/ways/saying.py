"""The answer to a question in one line: the operative words, the value that is wanted before them, yes or no."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.drafting.extractive.ways.weighing import Line, Weighed
from tasks.legaltext.fold import quotable

_MOST_WORDS = 70
_BREAK = re.compile(r"(?<=[;:])\s+|(?<=,)\s+(?=(?:provided|except|and|or|but|which|in which|unless|if)\b)|\s+(?=\((?:[a-z]{1,3}|\d{1,2}|[ivx]+)\)\s)|(?<=[.])\s+")


def words_of(found: Weighed, keep: Sequence[str]) -> str:
    """Return the operative words of a sentence: all of them, or of a long one the clauses around what is asked.

    Args:
        found: The sentence.
        keep: Words of the question that stand in it, in the forms of the sentence.
    """
    line = found.line
    whole = " ".join(quotable(line.reading.text.text[a:b]) for a, b in line.unit.pieces)
    whole = whole.strip()
    if len(whole.split()) <= _MOST_WORDS:
        return whole
    parts = [p for p in _BREAK.split(whole) if p]
    weights = [sum(1 for w in keep if w in p.lower()) for p in parts]
    best, chosen = -1.0, (0, 1)
    for first in range(len(parts)):
        size, weight = 0, 0
        for last in range(first, len(parts)):
            size += len(parts[last].split())
            weight += weights[last]
            if size > _MOST_WORDS and last > first:
                break
            if weight + 0.3 * (first == 0) + 0.002 * min(size, _MOST_WORDS) > best:
                best, chosen = weight + 0.3 * (first == 0) + 0.002 * min(size, _MOST_WORDS), (first, last + 1)
    said = " ".join(parts[chosen[0] : chosen[1]])
    return f"{'… ' if chosen[0] else ''}{said}{'' if chosen[1] == len(parts) else ' …'}"


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
