"""The items of a list within a clause: "the rent, the term and the deposit" are three asks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.asks.clauses import Span, whole
from tasks.asks.cues import BriefCues
from tasks.asks.names import Named

_MOST_WORDS = 9  # a longer item is a clause of its own, not a thing that is asked for
_SEPARATOR = re.compile(
    r"\s*,\s*(?:and\s+|or\s+|as well as\s+|plus\s+)?(?:also\s+)?|\s+(?:and|&|as well as|plus)\s+", re.I
)


def items_of(text: str, clause: Span, cues: BriefCues, named: Sequence[Named], *, bare: bool) -> list[Span]:
    """Return the items of the list that a clause asks for, the clause itself where it asks for one thing.

    Args:
        text: The brief.
        clause: Where the clause stands.
        cues: How briefs ask.
        named: The provisions that the brief names, which nothing parts.
        bare: Whether the clause is a list without words that ask for it: those stand in its lead.
    """
    listed = cues.listing.match(text, *clause)
    if listed is None and not bare:
        return [clause]
    begin = listed.end() if listed else clause[0]
    if among := cues.among.match(text, begin, clause[1]):
        begin = among.end()
    tail = cues.scope.search(text, begin, clause[1])
    end = tail.start() if tail else clause[1]
    kept = [(n.start, n.end) for n in named] + [m.span() for m in cues.pairs.finditer(text, begin, end)]
    cuts = [m.span() for m in _SEPARATOR.finditer(text, begin, end) if not _within(m.span(), kept)]
    edges = [begin, *(x for cut in cuts for x in cut), end]
    found = [whole(text, a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    found = [s for s in found if s[0] < s[1]]
    if len(found) < 2 or not all(_is_thing(text[a:b], cues) for a, b in found):
        return [clause]
    return found


def _within(span: Span, kept: Sequence[Span]) -> bool:
    return any(a < span[1] and span[0] < b for a, b in kept)


def _is_thing(words: str, cues: BriefCues) -> bool:
    """Tell whether words name a thing, and are no clause with a verb of its own."""
    return (
        len(words.split()) <= _MOST_WORDS and not cues.verb.search(words) and bool(re.search(r"[a-z]{3}", words, re.I))
    )
