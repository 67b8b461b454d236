"""Search over the documents of one matter: BM25, embeddings and synonyms, fused by rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge_db import KnowledgeBase
from tasks.harness import packaged
from tasks.legaltext.tokens import terms
from tasks.models.access import ModelAccess
from tasks.models.client import ModelClient
from tasks.retrieval.asking import EXCEPTION, Query, QueryGrammar, grammar_of
from tasks.retrieval.evidence import Evidence, Reading
from tasks.retrieval.fusion import fuse, ranking
from tasks.retrieval.indexed_documents import IndexedDocument, IndexProfile, embedder_of, load_indexed_document
from tasks.retrieval.lexical import LexicalIndex
from tasks.retrieval.provisions import Provision, catalogue_of
from tasks.retrieval.records import Clause, Passage
from tasks.retrieval.routing import Router
from tasks.retrieval.topics import TopicCatalogue, Weigher
from tasks.sources.records import CanonicalText, Span

_DEPTH = 200  # candidates of each ranking that are fused; far above any k that is asked for
_RERANKED = 16  # passages the cross-encoder reads: it takes some 50 ms each
_BESIDE_CUES = 0.3  # what a cross-encoder's order counts where the cues of a provision have spoken
_HEAD = 1_500
_HEADS = 4  # of so few documents the heads are read for what kind of document they are
_WEIGHED = 160  # how many of the best chunks are read for the cues of a provision
_OTHERS = 0.25
_PLAIN = 3.0  # the weight of a clause that speaks plainly for a provision: one strong cue
_READ_FOR_A_PHRASE = (100, 1.0)  # how many are read for the words of a query, and what these weigh
_READ_FOR_A_QUESTION = (40, 0.2)
_BEST, _NEAR, _ALIKE = 10, 3, 0.2  # likeness to the best ten, by how near each comes to the first, and its weight
_PARTLY = 0.5  # how little a provision counts whose name is a part of a phrase only ("exclusive" of "exclusive remedy")


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
    weigher: Weigher
    read: Callable[[int], Reading]
    grammar: QueryGrammar

    def beside(self, position: int) -> list[int]:
        """Return the positions before and after one in the same document."""
        name = self.rows[position][0]
        near = (position - 1, position + 1)
        return [n for n in near if 0 <= n < len(self.rows) and self.rows[n][0] == name]


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
        self.profile = profile or IndexProfile()
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

        Scores lie in (0, 1]: 1 is first by every ranking. A cross-encoder is a further ranking of the first
        few; those whose probability lies below the floor of the profile are left out.
        """
        if k <= 0 or not query.strip():
            return []
        loaded = self._load()
        question, ranked = self._rank(loaded, query, documents, k)
        if self.profile.reranker:
            ranked = self._rerank(loaded, question, query, ranked)
        return [self._passage(loaded, position, score) for position, score in ranked[:k]]

    def sought(self, query: str, documents: Sequence[str] | None = None) -> tuple[str, list[Provision]]:
        """Return the question of a query, without the names of documents, and the provisions that it asks for."""
        loaded = self._load()
        routed = loaded.router.route(query, documents)
        names = routed.documents or tuple(documents or ())
        return routed.question, loaded.topics.asked(routed.question, self._setting(query, names))

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
        return self._weighed(loaded, query, understood, self._setting(whole, documents), found)

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

    def _weighed(
        self, loaded: _Loaded, query: str, understood: Query, setting: str, found: Sequence[tuple[int, float]]
    ) -> list[tuple[int, float]]:
        """Add to the first of a ranking what their sentences say: cues of the provisions asked for, and the words."""
        first, rest = found[:_WEIGHED], found[_WEIGHED:]
        parts = [(1.0, [score for _, score in first])]
        order = [position for position, _ in first]
        if self.profile.topic_weight:
            parts.append((self.profile.topic_weight, self._cues(loaded, query, understood, setting, order)))
        if self.profile.reading_weight:
            evidence = Evidence(understood, loaded.grammar, loaded.knowledge, loaded.lexical.rarity)
            deep, weight = _READ_FOR_A_QUESTION if understood.question else _READ_FOR_A_PHRASE
            read = [
                evidence.weigh(loaded.read(p), lambda p=p: map(loaded.read, loaded.beside(p))) for p in order[:deep]
            ]
            parts.append((weight * self.profile.reading_weight, read + [0.0] * (len(order) - len(read))))
        parts = [(weight, scores) for weight, scores in parts if any(scores)]
        total = sum(weight for weight, _ in parts)
        scored = [(p, sum(w * scores[i] for w, scores in parts) / total) for i, p in enumerate(order)]
        scored.sort(key=lambda pair: -pair[1])
        if self.profile.reading_weight and not understood.question:
            scored = self._alike(loaded, scored)
        least = scored[-1][1] if scored else 1.0
        return scored + [(position, min(score / total, least)) for position, score in rest]

    def _alike(self, loaded: _Loaded, scored: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
        """Raise what reads like the best: clauses of one kind are drafted alike, whatever the phrase that names it."""
        positions = [position for position, _ in scored]
        scores = np.array([score for _, score in scored], dtype=np.float32)
        if not loaded.vectors.shape[1] or len(scored) < 2 or scores[0] <= 0:
            return list(scored)
        vectors = loaded.vectors[positions]
        near = (scores[:_BEST] / scores[0]) ** _NEAR
        likeness = vectors @ (near @ vectors[:_BEST])
        spread = max(float(likeness.max() - likeness.min()), 1e-9)
        raised = (scores + _ALIKE * (likeness - likeness.min()) / spread) / (1 + _ALIKE)
        return [(positions[i], float(raised[i])) for i in ranking(raised, len(positions))]

    def _cues(
        self, loaded: _Loaded, query: str, understood: Query, setting: str, positions: Sequence[int]
    ) -> list[float]:
        """Weigh the cues of the provisions that a query asks for, by how much of its words ask for them."""
        best, rarity = [0.0] * len(positions), loaded.lexical.rarity
        texts = (understood.head, query) if understood.facets else (query,)
        sought = {p.name: p for text in texts for p in loaded.topics.asked(text, setting)}
        for asked in sought.values():
            share = 1.0 if understood.question else loaded.topics.share(asked, understood.head, rarity) ** _PARTLY
            weights = loaded.weigher.weights(asked, positions)
            full = max([_PLAIN, *weights])
            best = [max(b, share * w / full) for b, w in zip(best, weights, strict=True)]
        return best

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
            router = Router({name: self._texts[name].text for name in names}, concepts)
            topics = TopicCatalogue(catalogue_of(knowledge))

            grammar = grammar_of(knowledge)

            @cache
            def read(position: int) -> Reading:
                name, i = rows[position]
                chunk = pieces[name].chunks[i]
                headings = " > ".join(part for part in (chunk.context, chunk.heading) if part)
                return Reading(self._texts[name].text[chunk.start : chunk.end], headings, grammar.says.get(EXCEPTION))

            self._loaded = _Loaded(
                pieces, rows, lexical, vectors, places, router, knowledge, topics, Weigher(read), read, grammar
            )
        return self._loaded
