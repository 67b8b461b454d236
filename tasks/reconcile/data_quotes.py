"""Quotations in a deliverable that is data: the words of its evidence, each with the document it is attributed to.

In JSON every string stands between marks, so that marks quote nothing. What quotes is an object with ``text`` and
``source_document``, the form in which a filled checklist gives its evidence (docs/extract.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from tasks.sources.records import CanonicalText

MEDIA: Final = "json"


class QuotedWords(NamedTuple):
    """Words said to stand in a document; ``draft[start:end]`` writes them."""

    start: int
    end: int
    text: str
    document: str


def evidence_of(draft: CanonicalText) -> Iterator[QuotedWords]:
    """Yield the evidence of a JSON deliverable in the order of its text; none where it cannot be read as JSON."""
    try:
        given = json.loads(draft.text)
    except (ValueError, RecursionError):
        return
    at = 0
    for one in _objects(given):
        forms = (json.dumps(one["text"], ensure_ascii=False)[1:-1], json.dumps(one["text"])[1:-1])
        start, form = max((draft.text.find(form, at), form) for form in forms)
        if start >= 0:
            at = start + len(form)
            yield QuotedWords(start, at, one["text"], one["source_document"])


def _objects(given: Any) -> Iterator[dict[str, str]]:
    """Yield the objects that quote, outer ones first; a stack replaces recursion, since data may be nested deeply."""
    left = [given]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if all(isinstance(one.get(key), str) and one[key].strip() for key in ("text", "source_document")):
                yield one
            left += reversed(one.values())
        elif isinstance(one, list):
            left += reversed(one)
