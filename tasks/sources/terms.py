"""The defined terms of a document and where each is defined."""

from __future__ import annotations

import re

from tasks.sources.records import CanonicalText, DefinedTerm, Span

_TERM = r"[\"“”]\s*(?P<term>[A-Z][^\"“”\n]{0,78}?)\s*,?[\"”“]"
_PATTERNS = (
    # ("Term"), (the "Term"), (collectively, the "Terms", and each a "Term")
    re.compile(r"\((?P<inner>[^()\n]{0,160}?[\"“][^()\n]{1,200}?[\"”][^()\n]{0,60})\)"),
    # "Term" means …
    re.compile(
        rf"{_TERM}\s*(?:\([^()]{{0,60}}\)\s*)?(?:,\s*[^\n,]{{1,80}},\s*)?(?:shall\s+(?:mean|have|be|include)|means?\b|has\s+the\s+"
        r"(?:same\s+)?meanings?|have\s+the\s+meanings?|is\s+defined|refers?\s+to|includes?\b|will\s+mean)"
    ),
    # hereinafter referred to as "Term"
    re.compile(
        rf"\b(?:herein(?:after)?|hereafter)\s+(?:(?:called|referred\s+to\s+as|known\s+as)\s+)?(?:the\s+)?{_TERM}"
    ),
)
_INNER = re.compile(r"[\"“]\s*(?:the\s+)?([A-Z][^\"“”\n]{0,78}?)\s*,?[\"”]")


def defined_terms(text: CanonicalText) -> tuple[DefinedTerm, ...]:
    """Return each term with the span of its first definition, in reading order."""
    first: dict[str, DefinedTerm] = {}
    for found in definitions(text):
        first.setdefault(found.term, found)
    return tuple(first.values())


def definitions(text: CanonicalText) -> tuple[DefinedTerm, ...]:
    """Return every definition in reading order; a term that is defined twice is there twice."""
    places: dict[int, DefinedTerm] = {}
    for pattern in _PATTERNS:
        for match in pattern.finditer(text.text):
            for raw, start in _terms_of(match):
                span = Span(document=text.document, start=start, end=start + len(raw))
                places.setdefault(start, DefinedTerm(term=re.sub(r"\s+", " ", raw), span=span))
    return tuple(places[start] for start in sorted(places))


def _terms_of(match: re.Match[str]) -> list[tuple[str, int]]:
    if "inner" not in match.groupdict():
        return [(match.group("term"), match.start("term"))]
    inner = match.start("inner")
    return [(m.group(1), inner + m.start(1)) for m in _INNER.finditer(match.group("inner"))]
