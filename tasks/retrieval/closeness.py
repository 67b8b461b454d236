"""The best of a ranking, read closely: the cues of the provisions asked for, the words, what reads alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_db import KnowledgeBase
from tasks.retrieval.asking import Query, QueryGrammar
from tasks.retrieval.evidence import PassageRead, QueryEvidence, Rarity
from tasks.retrieval.fusion import ranking
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.retrieval.topics import TopicCatalogue, Weigher

Ranked = list[tuple[int, float]]

_WEIGHED = 120  # how many of the best are weighed for the cues of a provision
# How many of them are read for the words of a query, and what these weigh: those of a question say little. Fewer
# are read than once were, for speed; the weights were chosen, not fitted.
_READ_FOR_A_PHRASE = (90, 1.0)
_READ_FOR_A_QUESTION = (40, 0.2)
_PLAIN = 3.0  # the weight of a clause that speaks plainly for a provision: one strong cue
_BEST, _NEAR, _ALIKE = 10, 3, 0.2  # likeness to the best ten, by how near each comes to the first, and its weight
_PARTLY = 0.5  # how little a provision counts whose name is a part of a phrase only ("exclusive" of "exclusive remedy")
_NO_SPREAD = 1e-9  # no division by zero where all passages are alike


@dataclass(frozen=True)
class PassagePositions:
    """The passages of a matter by position.

    Attributes:
        rows: Document and number of each.
        vectors: One row each; without width where nothing is embedded.
        rarity: How rare a stem is among them.
        read: Gives one, read.
    """

    rows: Sequence[tuple[str, int]]
    vectors: NDArray[np.float32]
    rarity: Rarity
    read: Callable[[int], PassageRead]

    def beside(self, position: int) -> Iterator[PassageRead]:
        """Yield what stands before and after one in the same document."""
        for near in (position - 1, position + 1):
            if 0 <= near < len(self.rows) and self.rows[near][0] == self.rows[position][0]:
                yield self.read(near)


class CloseReader:
    """Weighs the best of a ranking by what they say."""

    def __init__(
        self,
        passages: PassagePositions,
        grammar: QueryGrammar,
        topics: TopicCatalogue,
        knowledge: KnowledgeBase,
        profile: IndexProfile,
    ) -> None:
        """Take the passages, what understands queries, and the weights of the profile."""
        self._passages, self._grammar, self._topics = passages, grammar, topics
        self._knowledge, self._profile = knowledge, profile
        self._weigher = Weigher(passages.read)

    def weigh(self, query: str, understood: Query, setting: str, found: Ranked) -> Ranked:
        """Return a ranking in the order of its scores and of what its best say; the rest stays below them."""
        first, rest = found[:_WEIGHED], found[_WEIGHED:]
        order = [position for position, _ in first]
        parts = [(1.0, [score for _, score in first])]
        if self._profile.topic_weight:
            parts.append((self._profile.topic_weight, self._cues(query, understood, setting, order)))
        if self._profile.reading_weight:
            parts.append(self._words(understood, order))
        parts = [(weight, scores) for weight, scores in parts if any(scores)]
        total = sum(weight for weight, _ in parts)
        scored = [(p, sum(w * scores[i] for w, scores in parts) / total) for i, p in enumerate(order)]
        scored.sort(key=lambda pair: -pair[1])
        if self._profile.reading_weight and not understood.question:
            scored = self._alike(scored)
        least = scored[-1][1] if scored else 1.0
        return scored + [(position, min(score / total, least)) for position, score in rest]

    def _cues(self, query: str, understood: Query, setting: str, positions: Sequence[int]) -> list[float]:
        """Weigh the cues of the provisions that a query asks for, by how much of its words ask for them."""
        best = [0.0] * len(positions)
        texts = (understood.head, query) if understood.facets else (query,)
        sought = {p.name: p for text in texts for p in self._topics.asked(text, setting)}
        for asked in sought.values():
            share = 1.0
            if not understood.question:
                share = self._topics.share(asked, understood.head, self._passages.rarity) ** _PARTLY
            weights = self._weigher.weights(asked, positions)
            full = max([_PLAIN, *weights])
            best = [max(b, share * w / full) for b, w in zip(best, weights, strict=True)]
        return best

    def _words(self, understood: Query, positions: Sequence[int]) -> tuple[float, list[float]]:
        """Weigh what the first say about the words of a query; return what this counts, too."""
        evidence = QueryEvidence(understood, self._grammar, self._knowledge, self._passages.rarity)
        deep, weight = _READ_FOR_A_QUESTION if understood.question else _READ_FOR_A_PHRASE
        read = [evidence.weigh(self._passages.read(p), self._passages.beside(p)) for p in positions[:deep]]
        return weight * self._profile.reading_weight, read + [0.0] * (len(positions) - len(read))

    def _alike(self, scored: Ranked) -> Ranked:
        """Raise what reads like the best: clauses of one kind are drafted alike, whatever the phrase that names it."""
        positions = [position for position, _ in scored]
        scores = np.array([score for _, score in scored], dtype=np.float32)
        if not self._passages.vectors.shape[1] or len(scored) < 2 or scores[0] <= 0:
            return scored
        vectors = self._passages.vectors[positions]
        near = (scores[:_BEST] / scores[0]) ** _NEAR
        likeness = vectors @ (near @ vectors[:_BEST])
        spread = max(float(likeness.max() - likeness.min()), _NO_SPREAD)
        raised = (scores + _ALIKE * (likeness - likeness.min()) / spread) / (1 + _ALIKE)
        return [(positions[i], float(raised[i])) for i in ranking(raised, len(positions))]
