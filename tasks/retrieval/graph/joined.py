"""One document of the graph: its clauses, references, defined terms and what it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.retrieval.graph.clauses import ClauseBook
from tasks.retrieval.graph.documents import DocumentCard, DocumentMention, Shelf, aliases_of
from tasks.retrieval.graph.references import Reference
from tasks.retrieval.graph.store import DocumentReferences
from tasks.retrieval.graph.terms import Definition, TermBook, best_definitions
from tasks.retrieval.records import Clause
from tasks.sources.records import CanonicalText

_BEFORE_HEADING = re.compile(r"(?:\A|\n\s*|[.;:]\s+)\Z")
_AFTER_HEADING = re.compile(r"[.:]?\s{1,6}[\"“]?[A-Z]")
_FILED = 300  # characters at the top of a filing that hold the exhibit's own number; chosen by eye
_BEFORE = 8  # characters: a stop, a line break and the indentation that a heading may have; chosen by eye


@dataclass
class JoinedDocument:
    """A document as it was read, joined with its clause tree."""

    canonical: CanonicalText
    clauses: Sequence[Clause]
    book: ClauseBook
    references: list[Reference]
    definitions: dict[str, Definition]
    terms: TermBook
    card: DocumentCard
    mentions: list[DocumentMention]


@dataclass(frozen=True)
class ReferenceTarget:
    """The target of a reference."""

    document: str
    clause: int
    start: int
    end: int
    exact: bool


def joined(
    canonical: CanonicalText, clauses: Sequence[Clause], reading: DocumentReferences, shelf: Shelf
) -> JoinedDocument:
    """Join what was read of a document with its clause tree, and with the documents that it names."""
    book = ClauseBook(canonical.text, clauses)
    text = canonical.text
    references = [ref for ref in reading.references if not _own_number(text, ref, book)]
    found = best_definitions(reading.definitions)
    aliases = aliases_of(text, [(d.term, d.start, d.end) for d in found.values()])
    mentions = shelf.mentions(canonical, aliases) if len(shelf.cards) > 1 else []
    card = shelf.cards[canonical.document]
    return JoinedDocument(canonical, clauses, book, references, found, TermBook(found), card, mentions)


def _own_number(text: str, ref: Reference, book: ClauseBook) -> bool:
    """Tell the number that a clause begins with, or that a filing gives an exhibit, from a reference."""
    if ref.word == "exhibit" and ref.start < _FILED and ref.number.partition(".")[0].isdigit():
        return True
    if ref.kind == "item" or ref.place:
        return book.heading_at(ref.start)
    begins = _BEFORE_HEADING.search(text[max(0, ref.start - _BEFORE) : ref.start]) is not None
    return book.heading_at(ref.start) or (begins and bool(_AFTER_HEADING.match(text, ref.end)))
