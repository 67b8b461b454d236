"""The kind of answer that an ask wants."""

from __future__ import annotations

import re
from itertools import pairwise

from tasks.asks.grammar import HEAD, Grammar
from tasks.asks.moods import ASKING, MEASURES, WH, Mood, Words, is_inverted, low, mood_of, opening
from tasks.asks.records import AskKind

_INHERITED = (AskKind.TIMELINE, AskKind.COMPARISON, AskKind.CALCULATION)
_HANGS = frozenset(("so", "before", "after", "if", "once", "unless", "until", "because", "when", "while"))
_TIMES = frozenset(("date", "day", "time", "amount", "sum", "rate", "percentage", "share"))
_SUMS = frozenset(("pay", "owe", "cost", "receive", "refund"))  # whose object is a sum: "what should she pay"
_SHOULD = re.compile(r"\b(?:who|whom|where) should\b", re.I)
_SUBJECT = 9  # words behind "should" among which its subject ends
_OF_A_READER = frozenset(("did", "were", "are", "had", "must", "may"))  # asks what is so: "can you" may bid
_DONE = ("VVN", "VVD", "VBN", "VHN", "VDN")
_OWN = (AskKind.TIMELINE, AskKind.COMPARISON, AskKind.CALCULATION, AskKind.LIST)


def kind_of(text: str, words: Words, mood: Mood, lead: str, grammar: Grammar) -> AskKind:
    """Return the kind of an ask. Its own words decide before those of its lead, and a judgment before its subject.

    Args:
        text: The words of the ask.
        words: The same with their parts of speech.
        mood: The mood of the clause.
        lead: The words that lead to the list of which it is an item.
        grammar: How briefs ask.
    """
    head, lead = text[:HEAD], lead[-HEAD:]
    dated = mood is Mood.NAME and _is(AskKind.TIMELINE, lead, grammar)
    if not dated and is_drafting(words, head, mood, grammar):
        return AskKind.DRAFTING
    polar = _is_polar(words) or _is(AskKind.YES_NO, head, grammar)
    if _is_judgment(words, head, grammar):
        return AskKind.JUDGMENT
    for kind in _INHERITED:
        if _is(kind, lead, grammar) and not (polar and kind is AskKind.CALCULATION):
            return kind
    if polar:
        return AskKind.COMPARISON if _is(AskKind.COMPARISON, head, grammar) else AskKind.YES_NO
    return next((k for k in _OWN if _is(k, head, grammar)), AskKind.FACT)


def _is_judgment(words: Words, text: str, grammar: Grammar) -> bool:
    """Tell whether an ask wants a judgment, and not what papers or rules say.

    When, where, by whom and how much are told by facts, whatever words stand in the question; an opinion alone is not.
    What is weighed stands in the main clause: "how fast must he object before it counts as approved" weighs nothing.
    """
    if _meets("opinion", text, grammar):
        return True
    main = _main(words, text)
    if _is_measured(words):
        return _SHOULD.search(main) is not None
    return _meets("judgment", main, grammar) or any(_is_advice(words[n : n + _SUBJECT]) for n in range(len(words) - 1))


def _is_advice(words: Words) -> bool:
    """Tell whether it is asked what somebody is to do: "should we sign".

    What somebody should have done is told by the papers: "what credits should they have given us".
    """
    if low(words[0]) != "should" or not words[1].tag.startswith(("PNP", "NP", "DPS", "AT0")):
        return False
    near = words[1:_SUBJECT]
    return not any(low(a) == "have" and b.tag in _DONE for a, b in pairwise(near))


def _main(words: Words, text: str) -> str:
    """Return the words of a question before a clause that hangs on it."""
    begin = _behind_condition(words)
    pairs = list(pairwise(words))[max(0, begin) :]
    hangs = ((before, w) for before, w in pairs if w.tag == "CJS" and low(w) in _HANGS)
    told = ("V", "PNP")  # "tell me if that is wise"
    end = next((w for before, w in hangs if not before.tag.startswith(told) or low(w) != "if"), None)
    return text[: end.start - words[0].start] if end is not None else text


def _is_measured(words: Words) -> bool:
    """Tell whether a question is after a time, a place, a person or a measure."""
    asked = next((n for n, w in enumerate(words) if low(w) in WH), None)
    if asked is None:
        return False
    then = low(words[asked + 1]) if asked + 1 < len(words) else ""
    word = low(words[asked])
    if word in ("when", "where", "who", "whom", "whose"):
        return True
    if word == "what" and next((low(w) in _SUMS for w in words[asked + 1 :] if w.tag in ("VVI", "VVB")), False):
        return True
    return (word == "how" and then in MEASURES) or (word in ("what", "which") and then in _TIMES)


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
    if len(words) > 1 and low(words[0]) == "anything" and words[1].tag == "PRP":
        return True  # "anything on a fee?"
    asks_else = any(low(w) in WH - {"whether"} for w in words[1:])  # "if he misses one what happens"
    for n, word in enumerate(words[:60]):
        if low(word) == "whether" or (
            low(word) == "if" and ((n == 0 and not asks_else) or (n and words[n - 1].tag.startswith("V")))
        ):
            return True
        if low(word) == "what" and n + 1 < len(words) and words[n + 1].tag == "PNP":
            continue  # "what I want to find out is whether"
        if low(word) in WH:
            return False
        inverted = (word.tag.startswith("V") or not n) and is_inverted(words[n:])
        if inverted and (n == 0 or not words[n - 1].tag.startswith(("N", "PNP", "DT0"))):
            return low(words[n + 1]) != "you" or low(words[n]) in _OF_A_READER
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
    return _meets(kind.value, words, grammar)


def _meets(name: str, words: str, grammar: Grammar) -> bool:
    pattern = grammar.kinds.get(name)
    return bool(pattern and words and pattern.search(words))
