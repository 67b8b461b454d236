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
    first: dict[str, tuple[int, int]] = {}
    for pattern in _PATTERNS:
        for match in pattern.finditer(text.text):
            if "inner" in match.groupdict():
                places = [
                    (m.group(1), match.start("inner") + m.start(1)) for m in _INNER.finditer(match.group("inner"))
                ]
            else:
                places = [(match.group("term"), match.start("term"))]
            for term, start in places:
                known = first.get(term)
                if known is None or start < known[0]:
                    first[term] = (start, start + len(term))
    ordered = sorted(first.items(), key=lambda item: item[1])
    return tuple(
        DefinedTerm(term=re.sub(r"\s+", " ", term), span=Span(document=text.document, start=start, end=end))
        for term, (start, end) in ordered
    )
