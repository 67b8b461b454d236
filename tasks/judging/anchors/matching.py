"""Tells whether a part of a deliverable states a date, a value or a provision, or says that there is none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from tasks.judging.anchors.names import content_words, word_list
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.names import name_words
from tasks.legaltext.number_words import in_digits

SPAN_THRESHOLD = 0.5  # share of the gold's content words; chosen by eye on development drafts
_UNITS = {"day": ("d", 1), "week": ("d", 7), "month": ("m", 1), "quarter": ("m", 3), "year": ("m", 12)}
_FILLER = frozenset(word_list("a an and the of state commonwealth province republic laws law successive period term"))
_SHORTEST_MISSPELT = 6  # letters; in shorter words a doubled letter makes another word
_COUNTRIES = frozenset({"canada", "usa", "us", "united states", "united states america"})
# More dates or values than this in one answer is a list to choose from, not a statement.
_MOST_DATES = 6
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


def dates_in(text: str) -> list[str]:
    """Return the calendar dates of ``text`` as ISO strings, in order of appearance."""
    return [d.iso for d in scan_dates(text) if d.precision == "day"]


def states_date(gold: str, text: str) -> bool:
    """Tell whether ``text`` states the date, and not merely within a long list of dates."""
    found = list(dict.fromkeys(dates_in(text)))
    return gold in found[:_MOST_DATES]


def value_tokens(text: str) -> list[str]:
    """Normalise case, punctuation, number words, doubled numbers and durations."""
    words = [_singular(w) for w in name_words(_plain_numbers(text))]
    out: list[str] = []
    for word in words:
        if out and word.isdigit() and out[-1] == word:
            continue  # "one (1)"
        if word in _UNITS and out and out[-1].isdigit():
            kind, factor = _UNITS[word]
            out[-1] = f"{int(out[-1]) * factor}{kind}"
            continue
        out.append(word)
    return out


def _singular(word: str) -> str:
    return word[:-1] if word[:-1] in _UNITS and word.endswith("s") else word


def _plain_numbers(text: str) -> str:
    """Replace number words by digits; "calendar" and "additional" do not part n from unit."""
    return re.sub(
        r"(\d\)?)[\s-]+(?:calendar|additional|successive|consecutive|full|further)\s+(?=(?:day|month|week|year))",
        r"\1 ",
        in_digits(_THOUSANDS.sub("", text)),
    )


def _is_filler(word: str) -> bool:
    """Tell whether a word adds nothing to a value, also where it is misspelt by a doubled letter."""
    return word in _FILLER or (len(word) >= _SHORTEST_MISSPELT and _undoubled(word) in _undoubled_fillers())


def _undoubled(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)


@cache
def _undoubled_fillers() -> frozenset[str]:
    return frozenset(_undoubled(word) for word in _FILLER)


def states_value(gold: str, text: str) -> bool:
    """Tell whether ``text`` contains the value, every part of a listed value included."""
    said = value_tokens(text)
    have = [w for w in said if not _is_filler(w)]
    parts = [p for p in re.split(r"\s*[;,]\s*", _THOUSANDS.sub("", gold)) if p.strip()]
    wanted = [[w for w in value_tokens(p) if not _is_filler(w)] for p in parts]
    wanted = [w for w in wanted if w]
    if not wanted:
        whole = value_tokens(gold)  # of words that mostly add nothing: "the State"
        return bool(whole) and _contains(said, whole)
    if len(wanted) > 1:
        # "Ontario, Canada": the country adds nothing to a province or state.
        wanted = [w for w in wanted if " ".join(w) not in _COUNTRIES] or wanted
    return all(_contains(have, w) for w in wanted)


def _contains(have: Sequence[str], want: Sequence[str]) -> bool:
    size = len(want)
    return any(list(have[i : i + size]) == list(want) for i in range(len(have) - size + 1))


def span_overlap(gold: str, text: str) -> float:
    """Return the share of the gold's content words found in the best window of ``text``."""
    need = Counter(content_words(gold))
    total = sum(need.values())
    if not total:
        return 0.0
    words = content_words(text)
    width = max(total * 3 // 2, total + 8)
    best, seen, hits = 0, Counter[str](), 0
    for i, word in enumerate(words):
        if seen[word] < need[word]:
            hits += 1
        seen[word] += 1
        if i >= width:
            old = words[i - width]
            seen[old] -= 1
            if seen[old] < need[old]:
                hits -= 1
        best = max(best, hits)
    return best / total
