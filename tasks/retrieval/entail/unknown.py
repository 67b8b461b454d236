"""The reader of statements that nobody has answered yet: by their words, and by how statements like them were answered.

BM25 and embeddings find the passages that come nearest to the words of the statement. What these lay down is held
against what the statement says, and labelled passages of like statements count by how alike both are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tasks.legaltext.duties import Duty, Force, duties
from tasks.legaltext.tokens import terms
from tasks.models.vectors import Matrix as Vectors
from tasks.models.vectors import unit_rows
from tasks.retrieval.entail.decision import Decision, Matrix
from tasks.retrieval.entail.records import LABELS, Answer, Example, Passages, Statement
from tasks.retrieval.fusion import fuse, ranking
from tasks.retrieval.lexical import LexicalIndex

Embed = Callable[[Sequence[str]], Vectors]

BEST: Final = 3  # passages that are read closely
_DEPTH: Final = 20  # of each ranking
_SHRUNK: Final = 3.0  # penalty of the ridge regression: examples are few, and each says little alone
_FOLDS: Final = 3  # parts in which settings are chosen: each is read by what was learned on the others
_SHARED: Final = (1.0, 10.0, 100.0)  # tried: penalty on the weights
_FORCES: Final = get_args(Force)
_SAID: Final[tuple[Force, ...]] = ("must", "must_not", "may")  # what a statement may claim


class _Read(NamedTuple):
    passages: list[str]
    words: list[frozenset[str]]
    duties: list[tuple[Duty, ...]]
    lexical: LexicalIndex
    vectors: Vectors


class Nearest(NamedTuple):
    """The passages of a document that come nearest to a statement.

    Attributes:
        positions: Of the passages, best first.
        signals: How near they come, and what they lay down beside what the statement claims.
        vector: Their mean, of length one.
    """

    positions: tuple[int, ...]
    signals: tuple[float, ...]
    vector: Vectors


class WordSearch:
    """Finds the passages nearest to statements; each document is read once."""

    def __init__(self, embed: Embed) -> None:
        """Take what embeds texts as rows."""
        self.embed = embed
        self._read = lru_cache(maxsize=512)(self._reading)
        self.nearest = lru_cache(maxsize=20_000)(self._nearest)

    def _reading(self, document: Passages) -> _Read:
        said = document.said()
        words = [terms(passage) for passage in said]
        vectors = unit_rows(self.embed(said))
        return _Read(said, [frozenset(w) for w in words], [duties(s) for s in said], LexicalIndex(words), vectors)

    def _nearest(self, document: Passages, statement: Statement) -> Nearest:
        read = self._read(document)
        asked = terms(statement.text)
        alike = read.vectors @ unit_rows(self.embed([statement.text]))[0]
        by_words = ranking(read.lexical.scores(asked), _DEPTH, positive=True)
        best = [i for i, _ in fuse([by_words, ranking(alike, _DEPTH)])][:BEST]
        weights = {word: read.lexical.rarity(word) for word in set(asked)}
        shares = [sum(w for word, w in weights.items() if word in read.words[i]) for i in best]
        covered = np.array(shares) / max(sum(weights.values()), 1e-9)
        near = [float(covered[0]), float(covered.max()), float(alike[best[0]]), float(alike[best].mean())]
        laid = _laid_down(duties(statement.text), [duty for i in best for duty in read.duties[i]], frozenset(asked))
        return Nearest(tuple(best), (*near, *laid), unit_rows(read.vectors[best].mean(axis=0, keepdims=True))[0])


def _laid_down(claimed: Sequence[Duty], found: Sequence[Duty], asked: frozenset[str]) -> list[float]:
    """Return for each force that the statement claims how much of its words each force of the passages governs."""
    says = {duty.force for duty in claimed}
    governs = [
        max((len(asked & set(duty.governed)) for duty in found if duty.force == force), default=0) for force in _FORCES
    ]
    return [float(n) * (claim in says) for claim in _SAID for n in governs]


class UnknownReader:
    """Answers statements of which no example was seen."""

    def __init__(
        self,
        documents: Sequence[Passages],
        statements: Sequence[Statement],
        examples: Sequence[Example],
        search: WordSearch,
    ) -> None:
        """Learn from other statements, each answered for at least one document; there are at least two of them.

        What exemplars say of an example leaves out all examples of its statement: the statement to be answered has
        none either.
        """
        self._search = search
        held = {document.document: document for document in documents}
        self._keys = [statement.key for statement in statements]
        self._statements = unit_rows(search.embed([statement.text for statement in statements]))
        texts = {statement.key: statement for statement in statements}
        near = [search.nearest(held[e.document], texts[e.statement]) for e in examples]
        self._numbers = np.array([self._keys.index(e.statement) for e in examples])
        self._vectors = np.stack([n.vector for n in near])
        labels = np.array([LABELS.index(e.label) for e in examples])
        targets = np.eye(len(LABELS))[labels]
        self._mean = targets.mean(axis=0)
        kernel = self._kernel(self._statements[self._numbers], self._vectors)
        inverse = np.linalg.inv(kernel + _SHRUNK * np.eye(len(labels)))
        self._dual = inverse @ (targets - self._mean)
        told = np.zeros_like(targets)
        for number in np.unique(self._numbers):
            mine = np.flatnonzero(self._numbers == number)
            told[mine] = targets[mine] - np.linalg.solve(inverse[np.ix_(mine, mine)], self._dual[mine])
        signals = np.hstack([np.array([n.signals for n in near]), told])
        self._decision = _decided(signals, labels, self._numbers)

    def _kernel(self, statements: Vectors, vectors: Vectors) -> Matrix:
        """Return how alike other statements with their passages are to those of the examples."""
        alike = np.maximum(statements @ self._statements[self._numbers].T, 0)
        kernel: Matrix = alike.astype(np.float64) * (vectors @ self._vectors.T)
        return kernel

    def answers(self, documents: Sequence[Passages], statements: Sequence[Statement]) -> list[Answer]:
        """Return the answer of each document to each statement; its evidence is the nearest passage."""
        places = [(document, statement) for document in documents for statement in statements]
        if not places:
            return []
        near = [self._search.nearest(*place) for place in places]
        asked = unit_rows(self._search.embed([statement.text for _, statement in places]))
        told = self._mean + self._kernel(asked, np.stack([n.vector for n in near])) @ self._dual
        signals = np.hstack([np.array([n.signals for n in near]), told])
        chances = self._decision.chances(signals, np.zeros(len(near), dtype=np.int64))
        found = []
        for (document, statement), row, n in zip(places, chances, near, strict=True):
            one, two, three = (float(chance) for chance in row)
            label = LABELS[int(np.argmax(row))]
            found.append(
                Answer(
                    document=document.document,
                    statement=statement.key,
                    label=label,
                    chances=(one, two, three),
                    evidence=() if label == "neutral" else n.positions[:1],
                )
            )
        return found


def _decided(signals: Matrix, labels: NDArray[np.int64], numbers: NDArray[np.int64]) -> Decision:
    """Return what weighs the signals, with the penalty under which statements left out surprise least."""
    none = np.zeros(len(labels), dtype=np.int64)
    lost = dict.fromkeys(_SHARED, 0.0)
    for shared in _SHARED:
        for fold in range(_FOLDS):
            asked = numbers % _FOLDS == fold
            if asked.any() and not asked.all():
                part = Decision(signals[~asked], none[~asked], labels[~asked], 0, 0.0, shared)
                said = part.chances(signals[asked], none[asked])
                lost[shared] -= float(np.log(said[np.arange(len(said)), labels[asked]] + 1e-12).sum())
    return Decision(signals, none, labels, 0, 0.0, min(lost, key=lambda tried: lost[tried]))
