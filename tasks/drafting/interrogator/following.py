"""What a question means that follows others: its pronouns stand for things of the questions before."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tasks.asks.records import Ask, Asks
from tasks.drafting.interrogator.records import Exchange

_BACK = 1  # questions: with two, "it" became a thing of the one before where the last names none that fits
_LONGEST = 300  # characters of them
_SHORT = 4  # words of a question that goes on ("and by when?"); a longer one says itself what it is about
_CONTEXT = re.compile(r" \([^()]*\)$")


def following(asks: Asks, exchanges: Sequence[Exchange], parse: Callable[[str], Asks]) -> Asks:
    """Return the asks of a question, each in words that can be understood without the questions before.

    The question is read once more behind those before it, by the rules of a brief of several questions; of that
    reading only what its pronouns stand for is taken.

    Args:
        asks: The question, read alone.
        exchanges: What was asked before in the session.
        parse: Reads a brief into its asks.
    """
    before = [a.subject.rstrip("?. ") for e in exchanges[-_BACK:] for a in e.asks.asks]
    context = "".join(f"{words[:1].upper()}{words[1:]}? " for words in before)[-_LONGEST:]
    if not context.strip():
        return asks
    joined = {(a.start - len(context), a.end - len(context)): a.subject for a in parse(context + asks.brief).asks}
    told = tuple(a.model_copy(update={"subject": _meant(a, joined.get((a.start, a.end)))}) for a in asks.asks)
    return asks.model_copy(update={"asks": told})


def _meant(ask: Ask, joined: str | None) -> str:
    """Return an ask as the questions before explain it; only a short one is about what they are about."""
    if joined is None:
        return ask.subject
    return joined if len(ask.words.split()) <= _SHORT or ask.subject.endswith(")") else _CONTEXT.sub("", joined)
