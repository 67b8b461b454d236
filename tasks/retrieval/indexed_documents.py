"""The index piece of one document: clauses, chunks, tokens and vectors, kept by content hash and shared by matters."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.legaltext.tokens import terms
from tasks.matter.base import Record, content_hash
from tasks.matter.code import code_version
from tasks.models.access import ModelAccess
from tasks.models.client import ModelClient
from tasks.retrieval.chunks import Chunk, ChunkPolicy, chunk_document
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.records import Clause
from tasks.sources.records import CanonicalText

NO_EMBEDDER = "none"


class IndexProfile(Record):
    """How a matter is indexed and searched.

    Attributes:
        embedder: Name of an embeddings profile, or none.
        lexical_weight, dense_weight: Weights of the two rankings in the fusion; 0 leaves one out. The default
            suits wordllama, whose averaged token vectors know less than BM25; give bge-small 1.0.
        synonym_weight: Weight of a third ranking, by BM25 of the query with the other names of its concepts.
        topic_weight: Weight of the ranking by the cues of the provisions that a question asks for; 0 leaves it out.
        reading_weight: Weight of what the sentences of a passage say about the words of the query; 0 leaves it out.
        routing: Let the names in a question choose documents.
        reranker: Name of a reranker profile, or empty for none (the default: ``minilm-reranker`` costs some 50 ms a
            passage).
        rerank_weight: Weight of the cross-encoder's order of the first sixteen beside the order they came in.
        rerank_floor: Probability below which a passage that the cross-encoder read is left out; 0 keeps all.
    """

    embedder: str = "wordllama"
    reranker: str = ""
    rerank_weight: float = 1.0
    rerank_floor: float = 0.0
    policy: ChunkPolicy = ChunkPolicy()
    lexical_weight: float = 1.0
    dense_weight: float = 0.3
    synonym_weight: float = 0.7
    topic_weight: float = 1.2
    reading_weight: float = 1.5
    routing: bool = True


class IndexedDocument:
    """What search needs of one document."""

    def __init__(
        self, clauses: list[Clause], chunks: list[Chunk], tokens: list[list[str]], vectors: NDArray[np.float16]
    ) -> None:
        """Hold the parts; ``tokens`` and ``vectors`` have one entry per chunk."""
        self.clauses = clauses
        self.chunks = chunks
        self.tokens = tokens
        self.vectors = vectors


def indexed_text(text: str, chunk: Chunk) -> str:
    """Return what is indexed of a chunk: its headings, what is read with it, then its words."""
    parts = [chunk.context, *(text[a:b] for a, b in chunk.above), text[chunk.start : chunk.end]]
    return "\n".join(part for part in parts if part)


def indexed_document_key(canonical: CanonicalText, profile: IndexProfile, models: ModelAccess) -> str:
    """Return the content key of a piece; the name of the document is no part of it."""
    segments = [[s.kind, s.start, s.end] for s in canonical.segments]
    parts = [
        code_version(
            "tasks.retrieval.chunks",
            "tasks.retrieval.archive.nodes",
            "tasks.retrieval.clauses",
            "tasks.legaltext.tokens",
        ),
        NO_EMBEDDER if profile.embedder == NO_EMBEDDER else models.profile(profile.embedder, "embeddings").digest,
        profile.policy.model_dump(),
        content_hash(canonical.text),
        segments,
    ]
    return content_hash(parts)


def index_document(
    canonical: CanonicalText, profile: IndexProfile, embedder: ModelClient | None = None
) -> IndexedDocument:
    """Index one document; without an embedder its vectors have no width."""
    clauses = clause_tree(canonical)
    chunks = chunk_document(canonical, clauses, profile.policy)
    texts = [indexed_text(canonical.text, chunk) for chunk in chunks]
    vectors = embedder.embed(texts) if embedder is not None else np.zeros((len(texts), 0), dtype=np.float32)
    return IndexedDocument(clauses, chunks, [terms(text) for text in texts], vectors.astype(np.float16))


def embedder_of(profile: IndexProfile, models: ModelAccess) -> ModelClient | None:
    """Return the client of the embedder of a profile; None where it has none."""
    return None if profile.embedder == NO_EMBEDDER else models.client(profile.embedder, "embeddings")


def load_indexed_document(
    canonical: CanonicalText, profile: IndexProfile, cache: Path, models: ModelAccess
) -> IndexedDocument:
    """Return the piece of a document from the cache, building and storing it where it is absent or damaged."""
    key = indexed_document_key(canonical, profile, models)
    path = cache / "index" / key[:2] / f"{key}.zip"
    if path.exists():
        piece = _read(path, canonical.document)
        if piece is not None:
            return piece
    piece = index_document(canonical, profile, embedder_of(profile, models))
    _write(path, piece)
    return piece


def _write(path: Path, piece: IndexedDocument) -> None:
    """Store a piece atomically: a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows: dict[str, Any] = {
        "clauses": [c.model_dump(mode="json", exclude={"document"}) for c in piece.clauses],
        "chunks": [c.model_dump(mode="json") for c in piece.chunks],
        "tokens": [" ".join(tokens) for tokens in piece.tokens],
    }
    buffer = io.BytesIO()
    np.save(buffer, piece.vectors, allow_pickle=False)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        out.writestr(zipfile.ZipInfo("piece.json"), json.dumps(rows, ensure_ascii=False))
        out.writestr(zipfile.ZipInfo("vectors.npy"), buffer.getvalue())
    Path(name).replace(path)


def _read(path: Path, document: str) -> IndexedDocument | None:
    try:
        with zipfile.ZipFile(path) as archive:
            rows = json.loads(archive.read("piece.json"))
            vectors = np.load(io.BytesIO(archive.read("vectors.npy")), allow_pickle=False)
        clauses = [Clause(document=document, **row) for row in rows["clauses"]]
        chunks = [Chunk(**row) for row in rows["chunks"]]
        tokens = [row.split() for row in rows["tokens"]]
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
        return None  # a damaged entry of the cache is rebuilt, never an error of the matter
    return IndexedDocument(clauses, chunks, tokens, vectors) if len(chunks) == len(tokens) == len(vectors) else None
