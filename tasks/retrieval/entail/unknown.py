"""The reader of statements that nobody has answered yet.

BM25 and embeddings find the passages that come nearest to the words of a statement; a cross-encoder then reads each of
them together with the statement. How well the best of them answer it tells whether a document speaks of it: that is
learned from other statements, and holds for new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.legaltext.tokens import terms
from tasks.models.vectors import Matrix as Vectors
from tasks.models.vectors import unit_rows
from tasks.retrieval.entail.decision import Matrix, SignalWeights
from tasks.retrieval.entail.passages import placed
from tasks.retrieval.entail.records import LABELS, Entailment, Example, Hypothesis, Passages
from tasks.retrieval.fusion import fuse, ranking
from tasks.retrieval.lexical import LexicalIndex
from tasks.retrieval.together import read_together

Embed = Callable[[Sequence[str]], Vectors]
Together = Callable[[str, Sequence[tuple[str, str]]], Sequence[float]]
"""From a statement and passages, each with the heading above it, to the logit that each answers it."""

READ: Final = 5  # passages read together with a statement: ten cost twice as much for half a point
_DEPTH: Final = 20  # of each ranking
_FOLDS: Final = 3  # parts in which settings are chosen: each is read by what was learned on the others
_SHARED: Final = (1.0, 10.0, 100.0)  # tried: penalty on the weights


class _Searched(NamedTuple):
    lexical: LexicalIndex
    vectors: Vectors


class WordSearch:
    """Finds the passages nearest to statements by words; each document is read once."""

    def __init__(self, embed: Embed) -> None:
        """Take what embeds texts as rows."""
        self.embed = embed
        self._searched = lru_cache(maxsize=512)(self._reading)
        self.nearest = lru_cache(maxsize=20_000)(self._nearest)
        """Of a document and a statement: the positions of at most ``READ`` passages, best first."""

    def _reading(self, document: Passages) -> _Searched:
        said = document.said()
        return _Searched(LexicalIndex([terms(passage) for passage in said]), unit_rows(self.embed(said)))

    def _nearest(self, document: Passages, statement: Hypothesis) -> tuple[int, ...]:
        lexical, vectors = self._searched(document)
        alike = vectors @ unit_rows(self.embed([statement.text]))[0]
        by_words = ranking(lexical.scores(terms(statement.text)), _DEPTH, positive=True)
        return tuple(i for i, _ in fuse([by_words, ranking(alike, _DEPTH)]))[:READ]


class _Place(NamedTuple):
    """What a document says of a statement: the passage that answers it best, and how well the best answer it."""

    best: int
    signals: tuple[float, float, float]


class UnknownReader:
    """Answers statements of which no example was seen."""

    def __init__(
        self,
        documents: Sequence[Passages],
        statements: Sequence[Hypothesis],
        examples: Sequence[Example],
        search: WordSearch,
        together: Together = read_together,
    ) -> None:
        """Learn from other statements, each answered for at least one document; there are at least two of them."""
        self._search, self._together = search, together
        held = {document.document: document for document in documents}
        texts = {statement.key: statement for statement in statements}
        keys = list(texts)
        signals = np.array([self._place(held[e.document], texts[e.statement]).signals for e in examples])
        labels = np.array([LABELS.index(e.label) for e in examples])
        self._decision = _decided(signals, labels, np.array([keys.index(e.statement) for e in examples]))

    def _place(self, document: Passages, statement: Hypothesis) -> _Place:
        near = self._search.nearest(document, statement)
        around = placed(document)
        under = [around[i] for i in near]
        texts = [(f"{p.lead} {p.text}".strip() if p.lead != p.text else p.text, p.heading) for p in under]
        read = np.array(self._together(statement.text, texts))
        order = np.argsort(-read, kind="stable")
        best = read[order]
        return _Place(near[int(order[0])], (float(best[0]), float(best[:2][-1]), float(best[:3].mean())))

    def answers(self, documents: Sequence[Passages], statements: Sequence[Hypothesis]) -> list[Entailment]:
        """Return the answer of each document to each statement; its evidence is the passage that answers best."""
        asked = [(document, statement) for document in documents for statement in statements]
        if not asked:
            return []
        places = [self._place(*pair) for pair in asked]
        chances = self._decision.chances(np.array([p.signals for p in places]), np.zeros(len(asked), dtype=np.int64))
        found = []
        for (document, statement), row, place in zip(asked, chances, places, strict=True):
            one, two, three = (float(chance) for chance in row)
            label = LABELS[int(np.argmax(row))]
            found.append(
                Entailment(
                    document=document.document,
                    statement=statement.key,
                    label=label,
                    chances=(one, two, three),
                    evidence=() if label == "neutral" else (place.best,),
                )
            )
        return found


def _decided(signals: Matrix, labels: NDArray[np.int64], numbers: NDArray[np.int64]) -> SignalWeights:
    """Return what weighs the signals, with the penalty under which statements left out surprise least."""
    none = np.zeros(len(labels), dtype=np.int64)
    lost = dict.fromkeys(_SHARED, 0.0)
    for shared in _SHARED:
        for fold in range(_FOLDS):
            asked = numbers % _FOLDS == fold
            if asked.any() and not asked.all():
                part = SignalWeights(signals[~asked], none[~asked], labels[~asked], 0, 0.0, shared)
                said = part.chances(signals[asked], none[asked])
                lost[shared] -= float(np.log(said[np.arange(len(said)), labels[asked]] + 1e-12).sum())
    return SignalWeights(signals, none, labels, 0, 0.0, min(lost, key=lambda tried: lost[tried]))
