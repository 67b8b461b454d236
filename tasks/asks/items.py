"""The items of a list within a clause: "the rent, the term and the deposit" are three asks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.asks.clauses import Span
from tasks.asks.english import DEPENDS
from tasks.asks.grammar import HEAD, Grammar
from tasks.asks.marks import depth_of, whole
from tasks.asks.names import Named

_MOST_WORDS = 9  # a longer item is a clause of its own, not a thing that is asked for
_COMMA = re.compile(r"\s*,(?!\s*\d{4}\b)\s*(?:and\s+|or\s+|as well as\s+|plus\s+)?(?:also\s+)?", re.I)
_AND = re.compile(r"\s+(?:and|&|as well as|plus)\s+", re.I)
_LETTERS = re.compile(r"[a-z]{3}", re.I)


def items_of(text: str, clause: Span, grammar: Grammar, named: Sequence[Named], *, bare: bool) -> list[Span]:
    """Return the items of the list that a clause asks for, the clause itself where it asks for one thing.

    Args:
        text: The brief.
        clause: Where the clause stands.
        grammar: How briefs ask.
        named: The provisions that the brief names, which nothing parts.
        bare: Whether the clause is a list without words that ask for it: those stand in its lead.
    """
    words = text[slice(*clause)]
    if len(words) > 4 * HEAD:
        return [clause]
    listed = grammar.listing.match(words)
    if listed is None and not bare:
        return [clause]
    begin = clause[0] + (listed.end() if listed else 0)
    tail = grammar.scope.search(text, begin, clause[1])
    end = tail.start() if tail and not _COMMA.search(text, *tail.span()) else clause[1]
    kept = [(n.start, n.end) for n in named] + [m.span() for m in grammar.words["pair"].finditer(text, begin, end)]
    pieces = _pieces(text, begin, end, kept, grammar)
    things = {(n.start, n.end) for n in named}  # "audit rights" is a thing, whatever "audit" asks elsewhere
    clauses = [n for n, p in enumerate(pieces) if p not in things and not _is_thing(text[slice(*p)], grammar)]
    if len(pieces) < 2 or (clauses and not (len(pieces) > 3 and clauses == [len(pieces) - 1])):
        return [clause]
    return pieces


def _pieces(text: str, begin: int, end: int, kept: Sequence[Span], grammar: Grammar) -> list[Span]:
    """Part a list at its commas and its "and"; what hangs on the item before goes with it."""
    depth = depth_of(text, begin, end)
    cuts = [m.span() for m in _COMMA.finditer(text, begin, end)]
    taken = {b for _, b in cuts}
    cuts += [m.span() for m in _AND.finditer(text, begin, end) if m.end() not in taken]
    found: list[Span] = []
    at = begin
    for a, b in [*sorted(cuts), (end, end)]:
        if a < at or (a < end and (depth[a - begin] or any(x < b and a < y for x, y in kept))):
            continue
        if (
            a < end
            and b not in taken
            and _shares(text[at:a], text[b : b + 60], [text[x:y] for x, y in kept if x >= at and y <= a])
        ):
            continue
        piece = whole(text, at, a)
        if piece[0] < piece[1]:
            known = any(piece[0] == x and y <= piece[1] for x, y in kept)  # "governing law" hangs on nothing
            if found and not known and _hangs(text[slice(*piece)], grammar, joined=at not in taken):
                found[-1] = (found[-1][0], piece[1])
            else:
                found.append(piece)
        at = b
    return found


def _shares(left: str, right: str, named: Sequence[str]) -> bool:
    """Tell whether two words joined by "and" stand before one noun: "federal and state requirements"."""
    words = _ARTICLE.sub("", left.strip()).split()
    after = re.split(r"[,;]| and ", right)[0]
    return len(words) == 1 and not named and not _ARTICLE.match(after) and len(after.split()) > 1


def _hangs(words: str, grammar: Grammar, *, joined: bool) -> bool:
    """Tell whether words of a list only go on with the item before: "under the buyer's and the seller's forms"."""
    return (
        bool(DEPENDS.match(words))
        or not _LETTERS.search(words)
        or (joined and grammar.names(words))
        or bool(_BARE.fullmatch(words))
    )


_ARTICLE = re.compile(r"(?:the|an?|any|all|each|every|both|our|its|their|his|her|who|what|which|how|when)\s+", re.I)
_BARE = re.compile(r"(?:what|when|where|how|who|why|which|whether|so on|others?|the like)\W*", re.I)


def _is_thing(words: str, grammar: Grammar) -> bool:
    """Tell whether words name a thing, and are no clause with a verb of its own."""
    return len(words.split()) <= _MOST_WORDS and not grammar.states(words) and not grammar.begins.match(words)
