"""Search over the documents of one matter: BM25, embeddings and synonyms fused by rank, the best read closely."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge_db import KnowledgeBase
from knowledge_db.jurisdictions import load_jurisdictions
from tasks.harness import packaged
from tasks.legaltext.tokens import terms
from tasks.models.access import ModelAccess
from tasks.models.client import ModelClient
from tasks.retrieval.asking import EXCEPTION, QueryGrammar, grammar_of
from tasks.retrieval.closeness import CloseReader, PassagePositions
from tasks.retrieval.evidence import PassageRead
from tasks.retrieval.fusion import fuse, ranking
from tasks.retrieval.indexed_documents import IndexedDocument, IndexProfile, embedder_of, load_indexed_document
from tasks.retrieval.lexical import LexicalIndex
from tasks.retrieval.provisions import Provision, catalogue_of
from tasks.retrieval.records import Clause, Passage
from tasks.retrieval.routing import Router
from tasks.retrieval.topics import TopicCatalogue
from tasks.sources.records import CanonicalText, Span

_DEPTH = 200  # candidates of each ranking that are fused; far above any k that is asked for
_RERANKED = 16  # passages the cross-encoder reads: it takes some 50 ms each
_BESIDE_CUES = 0.3  # what a cross-encoder's order counts where the cues of a provision have spoken
_HEAD = 1_500  # characters at the head of a document: its title, its parties and its recitals
_HEADS = 4  # of so few documents the heads are read for what kind of document they are
_OTHERS = 0.25  # what a passage counts, at most, of a paper that the question does not name
_KEPT = 8_192  # passages that are kept as read, of an index and of a process


@dataclass
class _Loaded:
    pieces: dict[str, IndexedDocument]
    rows: list[tuple[str, int]]
    lexical: LexicalIndex
    vectors: NDArray[np.float32]
    places: dict[str, NDArray[np.int64]]
    router: Router
    knowledge: KnowledgeBase
    topics: TopicCatalogue
    grammar: QueryGrammar
    close: CloseReader


class MatterIndex:
    """A :class:`~tasks.retrieval.records.Searcher` over the canonical texts of a matter.

    It is loaded at the first question and pickles without what it has loaded: the pieces lie in the cache.
    """

    def __init__(
        self,
        texts: Mapping[str, CanonicalText],
        cache: Path,
        profile: IndexProfile | None = None,
        knowledge: KnowledgeBase | None = None,
        models: ModelAccess | None = None,
    ) -> None:
        """Remember what to index, the knowledge that widens a question, and what embeds and reranks.

        Nothing is read yet.
        """
        self._models = models or ModelAccess()
        self._knowledge = knowledge or packaged().knowledge
        self._texts = {name: text for name, text in texts.items() if text.text.strip()}
        self._cache = cache
        self.profile = _of_harness(profile or IndexProfile(), self._knowledge)
        self._pieces: dict[str, IndexedDocument] | None = None
        self._loaded: _Loaded | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave the loaded index behind; it is rebuilt from the cache."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ("_embedder", "_reranker")}
        return {**kept, "_pieces": None, "_loaded": None}

    def prepare(self) -> None:
        """Build or load the pieces of every document now; what a search needs besides is made at the first one."""
        self._read()

    def clauses(self, document: str) -> Sequence[Clause]:
        """Return the clause tree of a document in reading order; empty for one that is not indexed."""
        piece = self._read().get(document)
        return piece.clauses if piece is not None else ()

    def search(self, query: str, k: int = 8, documents: Sequence[str] | None = None) -> list[Passage]:
        """Return the ``k`` best passages, best first, restricted to ``documents`` when given.

        Scores lie in (0, 1]: 1 is first by every ranking and has all that is asked. A cross-encoder is a further
        ranking of the first few; those whose probability lies below the floor of the profile are left out.
        """
        if k <= 0 or not query.strip():
            return []
        loaded = self._load()
        question, ranked = self._rank(loaded, query, documents, k)
        if self.profile.reranker:
            ranked = self._rerank(loaded, question, query, ranked)
        found = (self._passage(loaded, position, score) for position, score in ranked)
        return list(islice(_once(found), k))

    def sought(self, query: str, documents: Sequence[str] | None = None) -> tuple[str, list[Provision]]:
        """Return the question of a query, without the names of documents, and the provisions that it asks for."""
        loaded = self._load()
        routed = loaded.router.route(query, documents)
        names = routed.documents or tuple(documents or ())
        return routed.question, loaded.topics.asked(routed.question, self._setting(query, names))

    def rarity(self, stem: str) -> float:
        """Return how rare a stem is among the passages; one that none has is the rarest."""
        return self._load().lexical.rarity(stem)

    def _rank(
        self, loaded: _Loaded, query: str, documents: Sequence[str] | None, k: int
    ) -> tuple[str, list[tuple[int, float]]]:
        """Rank the chunks of the documents that the query names before those of the others; tell what it asks."""
        wanted = None if documents is None else set(documents)
        allowed = [name for name in loaded.places if wanted is None or name in wanted]
        if not self.profile.routing:
            return query, self._fused(loaded, query, allowed, query)
        routed = loaded.router.route(query, documents)
        named = [name for name in allowed if name in set(routed.documents)]
        if not named:
            return routed.question, self._fused(loaded, routed.question, allowed, query)
        ranked = self._fused(loaded, routed.question, named, query)
        if len(ranked) < k:
            rest = [name for name in allowed if name not in set(named)]
            others = self._fused(loaded, routed.question, rest, query)
            least = min([_OTHERS, *(score for _, score in ranked)])
            ranked += [(position, score * least) for position, score in others]
        return routed.question, ranked

    def _fused(self, loaded: _Loaded, query: str, documents: Sequence[str], whole: str) -> list[tuple[int, float]]:
        if not documents:
            return []
        positions = np.concatenate([loaded.places[name] for name in documents])

        def lexical(text: str) -> list[int]:
            return ranking(loaded.lexical.scores(terms(text))[positions], _DEPTH, positive=True)

        understood = loaded.grammar.understand(query)
        wanted = understood.wanted if self.profile.reading_weight else query
        rankings = [(lexical(wanted), self.profile.lexical_weight)]
        if self._embedder is not None and len(positions):
            similarity = loaded.vectors[positions] @ self._embedder.embed([query], query=True)[0]
            rankings.append((ranking(similarity, _DEPTH), self.profile.dense_weight))
        if self.profile.synonym_weight and (related := loaded.knowledge.related(wanted)):
            rankings.append((lexical(" ".join([wanted, *related])), self.profile.synonym_weight))
        used = [(found, weight) for found, weight in rankings if weight > 0]
        fused = fuse([found for found, _ in used], [weight for _, weight in used])
        found = [(int(positions[i]), score) for i, score in fused]
        return loaded.close.weigh(query, understood, self._setting(whole, documents), found)

    @cached_property
    def _embedder(self) -> ModelClient | None:
        return embedder_of(self.profile, self._models)

    @cached_property
    def _reranker(self) -> ModelClient:
        return self._models.client(self.profile.reranker, "reranker")

    def _setting(self, query: str, documents: Sequence[str]) -> str:
        """Return the text that shows what kind of document is searched: the query, and the heads of a few documents."""
        near = [name for name in documents if name in self._texts]
        heads = [self._texts[name].text[:_HEAD] for name in near] if len(near) <= _HEADS else []
        return "\n".join([query, *heads])

    def _rerank(
        self, loaded: _Loaded, question: str, whole: str, ranked: Sequence[tuple[int, float]]
    ) -> list[tuple[int, float]]:
        """Fuse the order of the first few with the cross-encoder's; the rest keeps its order below them."""
        first, rest = ranked[:_RERANKED], list(ranked[_RERANKED:])
        texts = [self._passage(loaded, position, 0.0).text for position, _ in first]
        scores = np.array(self._reranker.rerank(question, texts), dtype=np.float32)
        documents = list(dict.fromkeys(loaded.rows[position][0] for position, _ in first))
        cued = self.profile.topic_weight and loaded.topics.asked(question, self._setting(whole, documents))
        weight = self.profile.rerank_weight * (_BESIDE_CUES if cued else 1.0)
        fused = fuse([range(len(first)), ranking(scores, len(first))], [1.0, weight])
        kept = [(first[i][0], score) for i, score in fused if scores[i] >= self.profile.rerank_floor]
        least = kept[-1][1] if kept else 1.0
        return kept + [(position, min(score, least)) for position, score in rest]

    def _passage(self, loaded: _Loaded, position: int, score: float) -> Passage:
        name, i = loaded.rows[position]
        chunk = loaded.pieces[name].chunks[i]
        return Passage(
            span=Span(document=name, start=chunk.start, end=chunk.end),
            text=self._texts[name].text[chunk.start : chunk.end],
            score=round(score, 6),
            label=chunk.label,
            heading=chunk.heading,
        )

    def _read(self) -> dict[str, IndexedDocument]:
        if self._pieces is None:
            texts = sorted(self._texts.items())
            self._pieces = {
                name: load_indexed_document(text, self.profile, self._cache, self._models) for name, text in texts
            }
        return self._pieces

    def _load(self) -> _Loaded:
        if self._loaded is None:
            pieces = self._read()
            names = list(pieces)
            rows = [(name, i) for name in names for i in range(len(pieces[name].chunks))]
            lexical = LexicalIndex([pieces[name].tokens[i] for name, i in rows])
            for piece in pieces.values():
                piece.tokens = []  # each is a string of its own; only the lexical index needs them
            blocks = [pieces[name].vectors.astype(np.float32) for name in names if pieces[name].chunks]
            vectors = np.vstack(blocks) if blocks else np.zeros((0, 0), dtype=np.float32)
            bounds = np.cumsum([0, *(len(pieces[name].chunks) for name in names)])
            places = {name: np.arange(bounds[i], bounds[i + 1]) for i, name in enumerate(names)}
            knowledge = self._knowledge
            concepts = [name for row in knowledge.synonyms for name in (row.concept, *row.aliases)]
            concepts += [name for entry in knowledge.provisions for name in (entry.name, *entry.aliases)]
            concepts += load_jurisdictions(knowledge.folder)
            router = Router({name: self._texts[name].text for name in names}, concepts)
            topics = TopicCatalogue(catalogue_of(knowledge))

            grammar = grammar_of(knowledge)

            @lru_cache(maxsize=_KEPT)
            def read(position: int) -> PassageRead:
                name, i = rows[position]
                chunk = pieces[name].chunks[i]
                headings = " > ".join(part for part in (chunk.context, chunk.heading) if part)
                return _passage_read(
                    self._texts[name].text[chunk.start : chunk.end], headings, grammar.says.get(EXCEPTION)
                )

            close = CloseReader(
                PassagePositions(rows, vectors, lexical.rarity, read), grammar, topics, knowledge, self.profile
            )
            self._loaded = _Loaded(pieces, rows, lexical, vectors, places, router, knowledge, topics, grammar, close)
        return self._loaded


@lru_cache(maxsize=_KEPT)
def _passage_read(text: str, headings: str, excepting: re.Pattern[str] | None) -> PassageRead:
    """Return a passage as it is read: the same for every index, and every harness version, that holds it."""
    return PassageRead(text, headings, excepting)


def _of_harness(profile: IndexProfile, knowledge: KnowledgeBase) -> IndexProfile:
    """Return a profile whose chunks are of the kind that it names, else of the one that the harness says."""
    kind = profile.policy.kind or knowledge.research.chunks
    return profile.model_copy(update={"policy": profile.policy.model_copy(update={"kind": kind})})


def _once(found: Iterable[Passage]) -> Iterator[Passage]:
    """Leave out what lies within a better passage: chunks of some kinds overlap."""
    kept: dict[str, list[Span]] = {}
    for passage in found:
        span, better = passage.span, kept.setdefault(passage.span.document, [])
        if not any(b.start <= span.start and span.end <= b.end for b in better):
            better.append(span)
            yield passage
