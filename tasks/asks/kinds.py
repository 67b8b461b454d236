"""The kind of answer that an ask wants."""

from __future__ import annotations

import re

from tasks.asks.grammar import HEAD, Grammar
from tasks.asks.records import AskKind

_INHERITED = (AskKind.TIMELINE, AskKind.COMPARISON, AskKind.CALCULATION)
_IF = re.compile(r"\W*if (?!so\b)", re.I)
_TAIL = re.compile(
    r",? and (?:(?:by|until|till|up to|on|at|for|in|from|to) (?:what|which|when|how|whom)"
    r"|when|how (?:often|fast|soon|long))\b",
    re.I,
)
_OWN = (AskKind.CALCULATION, AskKind.COMPARISON, AskKind.TIMELINE, AskKind.LIST)


def kind_of(words: str, lead: str, grammar: Grammar, *, change: bool) -> AskKind:
    """Return the kind of an ask.

    A request for a paper about nothing of its own says the form of the answer. Then the words of the ask count before
    those of its lead, and a judgment before what it is a judgment of.

    Args:
        words: The words of the ask.
        lead: The words that lead to the list of which it is an item.
        grammar: How briefs ask.
        change: Whether it is an instructed change of a draft.
    """
    head, lead = words[:HEAD], lead[-HEAD:]
    about = _topic(head, grammar)
    if change or grammar.commanded.match(head):
        return AskKind.DRAFTING
    if _is(AskKind.JUDGMENT, head, grammar):
        return AskKind.JUDGMENT
    if about == "" and not any(_is(k, head, grammar) for k in _INHERITED):
        return AskKind.CONSTRAINT
    main = _TAIL.split(grammar.main(head))[0] or head
    asked = grammar.polar.search(main)
    polar = (
        (asked is not None and not asked["open"]) or _IF.match(main) is not None or _is(AskKind.YES_NO, main, grammar)
    )
    for kind in _INHERITED:
        if _is(kind, lead, grammar) and not (polar and kind is AskKind.CALCULATION):
            return kind
    if polar:
        return AskKind.COMPARISON if _is(AskKind.COMPARISON, main, grammar) else AskKind.YES_NO
    return next((k for k in _OWN if _is(k, main, grammar)), AskKind.LIST if about else AskKind.FACT)


def _topic(words: str, grammar: Grammar) -> str | None:
    """Return what a paper that is asked for is to be about, beside the papers themselves; none where no paper is."""
    form = grammar.form.match(words)
    if form is None:
        return None
    said = re.findall(r"[a-z]{4,}", f"{form['kind']} {form['about']}".lower())
    empty = ("bland", "paper", "product")
    return " ".join(w for w in said if not any(grammar.words[use].fullmatch(w) for use in empty))


def _is(kind: AskKind, words: str, grammar: Grammar) -> bool:
    pattern = grammar.kinds.get(kind.value)
    return bool(pattern and words and pattern.search(words))
