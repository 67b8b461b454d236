"""What the graph reads of one document, kept beside its index piece by content hash and shared by matters."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tasks.matter.base import content_hash
from tasks.matter.code import code_version
from tasks.retrieval.graph.documents import DocumentHead, head_of
from tasks.retrieval.graph.references import Reference, find_references
from tasks.retrieval.graph.terms import Definition, find_definitions
from tasks.sources.records import CanonicalText


@dataclass(frozen=True)
class DocumentReferences:
    """References and definitions of a document in reading order, and its head; nothing of other documents."""

    references: list[Reference]
    definitions: list[Definition]
    head: DocumentHead


def read_references(canonical: CanonicalText) -> DocumentReferences:
    """Read a document."""
    return DocumentReferences(find_references(canonical.text), find_definitions(canonical), head_of(canonical))


def load_references(canonical: CanonicalText, cache: Path | None) -> DocumentReferences:
    """Return the reading of a document from the cache, reading it where the entry is absent or damaged."""
    if cache is None:
        return read_references(canonical)
    key = references_key(canonical)
    path = cache / "index" / key[:2] / f"{key}.graph.json"
    found = _stored(path, len(canonical.text)) if path.exists() else None
    if found is None:
        found = read_references(canonical)
        _store(path, found)
    return found


def references_key(canonical: CanonicalText) -> str:
    """Return the content key of a reading; the name of the document is no part of it."""
    segments = [[s.kind, s.label, s.start, s.end] for s in canonical.segments]
    return content_hash(
        ["graph", code_version("tasks.retrieval.graph"), canonical.media, content_hash(canonical.text), segments]
    )


def _store(path: Path, reading: DocumentReferences) -> None:
    """Write an entry atomically: a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = {
        "references": [_row(ref) for ref in reading.references],
        "definitions": [list(asdict(item).values()) for item in reading.definitions],
        "head": asdict(reading.head),
    }
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump(rows, stream, ensure_ascii=False)
    Path(name).replace(path)


def _stored(path: Path, size: int) -> DocumentReferences | None:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        head = DocumentHead(**{**rows["head"], "parties": tuple(rows["head"]["parties"])})
        references = [_reference(row) for row in rows["references"]]
        definitions = [Definition(*row) for row in rows["definitions"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None  # a damaged entry of the cache is read anew, never an error of the matter
    spans = [(r.start, r.end) for r in references] + [(d.start, d.end) for d in definitions]
    whole = all(isinstance(a, int) and isinstance(b, int) and 0 <= a <= b <= size for a, b in spans)
    return DocumentReferences(references, definitions, head) if whole else None


def _row(ref: Reference) -> list[Any]:
    outer = _row(ref.outer) if ref.outer is not None else None
    return [ref.start, ref.end, ref.kind, ref.number, list(ref.subs), ref.word, ref.place, ref.instrument, outer]


def _reference(row: list[Any]) -> Reference:
    start, end, kind, number, subs, word, place, instrument, outer = row
    inner = _reference(outer) if outer is not None else None
    return Reference(start, end, kind, number, tuple(subs), word, place, instrument, inner)
