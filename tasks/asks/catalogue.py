"""Topics of a brief: those of the provision catalogue, and those known by their own words only."""

from __future__ import annotations

import re

from tasks.legaltext.tokens import root
from tasks.retrieval.provisions import Provision, compiled

__all__ = ["Provision", "generic"]


def generic(topic: str) -> Provision:
    """Return a provision for a topic outside the catalogue, made of the words of the topic itself."""
    words = [w for w in re.findall(r"[a-z]{3,}", topic.lower()) if w not in _EMPTY]
    stems = [re.escape(root(w)) for w in words]
    strong = [r".{0,80}".join(rf"\b{s}" for s in stems)] if stems else []
    if len(stems) == 2:
        strong.append(rf"\b{stems[1]}.{{0,60}}\b{stems[0]}")
    return Provision(
        name=topic,
        aliases=(),
        answer="clause",
        headings=compiled(rf"\b{s}" for s in stems),
        strong=compiled(strong),
        support=compiled([*(rf"\b{s}" for s in stems), r"\b(?:shall|will|must|may not|agrees?)\b"]),
        against=(),
        veto=(),
        denial=None,
        threshold=4.0,
        max_quotes=2,
    )


_EMPTY = frozenset(
    [
        "the",
        "and",
        "any",
        "for",
        "with",
        "from",
        "provision",
        "provisions",
        "clause",
        "clauses",
        "right",
        "rights",
        "terms",
        "term",
        "other",
    ]
)
