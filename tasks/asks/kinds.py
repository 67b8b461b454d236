"""The kind of answer that an ask wants."""

from __future__ import annotations

import re

from tasks.asks.grammar import HEAD, Grammar
from tasks.asks.moods import ASKING, WH, Mood, Words, is_inverted, low, mood_of, opening
from tasks.asks.records import AskKind

_INHERITED = (AskKind.TIMELINE, AskKind.COMPARISON, AskKind.CALCULATION)
_OWN = (AskKind.TIMELINE, AskKind.COMPARISON, AskKind.CALCULATION, AskKind.LIST)


def kind_of(text: str, words: Words, mood: Mood, lead: str, grammar: Grammar) -> AskKind:
    """Return the kind of an ask: that of its own words before that of its lead, a judgment before what it is of.

    Args:
        text: The words of the ask.
        words: The same with their parts of speech.
        mood: The mood of the clause.
        lead: The words that lead to the list of which it is an item.
        grammar: How briefs ask.
    """
    head, lead = text[:HEAD], lead[-HEAD:]
    if is_drafting(words, head, mood, grammar):
        return AskKind.DRAFTING
    if _is(AskKind.JUDGMENT, head, grammar):
        return AskKind.JUDGMENT
    polar = _is_polar(words) or _is(AskKind.YES_NO, head, grammar)
    for kind in _INHERITED:
        if _is(kind, lead, grammar) and not (polar and kind is AskKind.CALCULATION):
            return kind
    if polar:
        return AskKind.COMPARISON if _is(AskKind.COMPARISON, head, grammar) else AskKind.YES_NO
    return next((k for k in _OWN if _is(k, head, grammar)), AskKind.FACT)


def is_drafting(words: Words, text: str, mood: Mood, grammar: Grammar) -> bool:
    """Tell whether a request is to write or change something: its verb, or the paper that it is to make."""
    at = opening(words)
    first = next((w for w in words[at:] if w.tag in ("VVB", "VVI")), words[at]) if words else None
    if first is not None and (mood is Mood.REQUEST or first is words[at]):
        near = text[first.start - words[0].start :][:40]
        if grammar.words["draft"].match(near) and (mood is Mood.REQUEST or first.tag in ("VVB", "VVI")):
            return True
    made = grammar.words["drafted"].search(text)
    return bool(made) and mood in (Mood.REQUEST, Mood.NAME, Mood.WISH)


def _is_polar(words: Words) -> bool:
    """Tell whether yes or no answers a clause: "may the tenant", "whether it renews", and no question word before."""
    words = words[_behind_condition(words) :]
    for n, word in enumerate(words[:60]):
        if low(word) == "whether" or (low(word) == "if" and (n == 0 or words[n - 1].tag.startswith("V"))):
            return True
        if low(word) in WH:
            return False
        inverted = (word.tag.startswith("V") or not n) and is_inverted(words[n:])
        if inverted and (n == 0 or not words[n - 1].tag.startswith(("N", "PNP", "DT0"))):
            return low(words[n + 1]) != "you"
    return bool(words) and _TAG.search(words[-1].text) is not None


def _behind_condition(words: Words) -> int:
    """Return where the question begins behind a condition: "if they earn $82,000, what is our share"."""
    at = opening(words)
    if not words or low(words[at]) != "if":
        return 0
    if at + 1 < len(words) and low(words[at + 1]) in ("so", "not"):
        return at + 2
    commas = (n + 1 for n, w in enumerate(words) if w.text == ",")
    return next((n for n in commas if n < len(words) and mood_of(words[n:]) in ASKING), 0)


_TAG = re.compile(r"^(?:y/n)$", re.I)


def _is(kind: AskKind, words: str, grammar: Grammar) -> bool:
    pattern = grammar.kinds.get(kind.value)
    return bool(pattern and words and pattern.search(words))
