"""Explicit enumerations of a brief: the lists that follow an asking verb, and nothing else.

A brief enumerates facts ("For each lease give the rent, term and deposit") or describes work in prose ("Recalculate
the covenants and prepare a default analysis"). Only the first yields topics. A list counts as one where it is asked
of documents: "for each <document> give …", "review <documents> for …", "state the … of each <document>", or a list
of short lines after a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_EACH = r"\b(?:for|of|on|in|from) (?:each|every|all|any|both)(?: of)?(?: the| these| those)?"
_BULLET = r"(?:[-*•]|\d+[.)]|\([a-z\d]{1,3}\))"
_COMMAS = re.compile(
    rf"\s*[,;]\s*(?:and\s+|or\s+)?(?:{_BULLET}\s*)?|\s*\n\s*{_BULLET}\s*|\s*\([a-z\d]{{1,3}}\)\s*|\s*[()]\s*"
)
_AND = re.compile(r"\s+(?:and|&|as well as|plus)\s+", re.I)


@dataclass(frozen=True)
class ListGrammar:
    """Where the lists of a brief begin and end.

    Attributes:
        opening: What a list is asked of; it begins where the match ends. Group ``review`` is set where the words as
            often introduce work to be done.
        end: What ends a list.
    """

    opening: re.Pattern[str]
    end: re.Pattern[str]


def list_grammar(asks: str, others: str, papers: str) -> ListGrammar:
    """Return the grammar of lists for given words.

    Args:
        asks: Pattern of the verbs that ask for the items of a list.
        others: Pattern of what else a brief may tell to do.
        papers: Pattern of the papers of which items are asked.
    """
    verbs = f"(?:{asks}|{others})"
    of_papers = rf"(?: [\w'-]+){{0,3}}? {papers}\b(?: in the data room| provided| attached)?"
    openings = (
        rf"{_EACH}{of_papers}\s*[,:]?\s+(?:please )?{asks}\b(?: the following)?:?",
        rf"{_EACH}{of_papers}\s*[,:]\s+(?!(?:please )?{verbs}\b)",
        rf"\b{papers}\b[^.;]{{0,60}}[:;,.]\s+(?:for|of) each\s*[,:]\s+(?:(?:please )?{asks}\b:?)?",
        rf"\b{asks} (?=(?:the |its |their )[^.;:]{{3,300}} (?:of|in|under|from|for) (?:each|every|all)\b"
        rf"(?: [\w'-]+){{0,3}} {papers}\b)",
        rf"\b{asks}(?: the)? following(?: [\w-]+){{0,4}}(?: (?:of|in|for|from) (?:each|every|all|the)"
        rf"(?: [\w-]+){{0,3}})?\s*:",
        rf"(?:(?<=, )|(?<=and )){asks} (?=(?:its|their) )",
        r"(?P<review>\b(?:review|check|examine|analy[sz]e|search|read|go through|look (?:through|in)) "
        rf"(?:[\w',&-]+ ){{0,7}}?"
        rf"{papers}(?: provided| attached| in the data room)? for\b:?)",
    )
    end = re.compile(
        rf"(?<!\n\d)(?<!\n\d\d)(?<!\n[a-z])\.(?=\s|$)|;\s*(?=(?:and )?{verbs}\b)"
        rf"|(?:,|,?\s+and)\s+(?=(?:then )?{verbs}\b)"
        rf"|\s+(?:of|in|under|from|for) (?:each|every|all)\b(?: [\w'-]+){{0,3}} {papers}\b"
        r"|\bso that\b|\bwhere\b|\bin order to\b"
        r"|\n\s*\n(?!\s*(?:[-*•]|\d+[.)]|\([a-z\d]\)))|\bas (?:set out|described"
        r"|stated|follows)\b|\busing\b|\bbased on\b",
        re.I,
    )
    opening = re.compile("|".join(f"(?:{o})" for o in openings), re.I | re.M)
    return ListGrammar(opening, end)


@dataclass(frozen=True)
class Listed:
    """An item of an enumeration and where it stands in the brief."""

    at: int
    text: str


@dataclass(frozen=True)
class Enumeration:
    """A list of a brief.

    Attributes:
        loose: True where the asking words ("review … for") as often introduce work to be done.
    """

    items: tuple[Listed, ...]
    loose: bool


def enumerations(masked: str, grammar: ListGrammar) -> Iterator[Enumeration]:
    """Yield the lists of a brief in its order; names of provisions are masked by a numbered token."""
    reached = 0
    masked = re.sub(r"\n[ \t]+", "\n", masked)
    for opening in grammar.opening.finditer(masked):
        if opening.start() < reached:
            continue
        end = grammar.end.search(masked, opening.end())
        reached = end.start() if end else len(masked)
        items = tuple(_items(masked, opening.end(), reached))
        if items:
            yield Enumeration(items, bool(opening["review"]))


def _items(text: str, start: int, end: int) -> Iterator[Listed]:
    at = start
    stretch = text[start:end]
    cuts = [*_COMMAS.finditer(stretch)]
    edges = [0, *(x for cut in cuts for x in cut.span()), len(stretch)]
    pieces = [(edges[i], edges[i + 1]) for i in range(0, len(edges), 2)]
    full = [(a, b) for a, b in pieces if stretch[a:b].strip(" :\t\n")]
    for number, (a, b) in enumerate(full):
        last = number == len(full) - 1
        yield from (Listed(at + a + offset, part) for offset, part in _at_and(stretch[a:b], last=last))


def _at_and(piece: str, *, last: bool) -> Iterator[tuple[int, str]]:
    """Split at "and": the last item of a list always, the others only between names of provisions."""
    begun = 0
    for match in _AND.finditer(piece):
        left, right = piece[begun : match.start()], piece[match.end() :]
        if last or (left.rstrip().endswith("\x02") and right.lstrip().startswith("\x01")):
            yield begun, left
            begun = match.end()
    yield begun, piece[begun:]
