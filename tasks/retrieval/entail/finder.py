"""Finds the passages that speak for or against a statement, as those do which lawyers named for it elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from tasks.retrieval.entail.passages import TraitVocabulary, by_document
from tasks.retrieval.entail.records import LABELS, Example, Passages

Rows = NDArray[np.float32]
SPOKEN: Final = LABELS[:2]  # a passage speaks for a statement or against it; nothing is neutral by its words

_SHRUNK: Final = 0.3  # penalty on the weights
_FOUND: Final = 3.0  # what a named passage counts: there are a hundred others
_STEPS: Final = 60  # of the optimiser; bounds the time of a fitting


class Finder:
    """One logistic regression for each statement and each of the two ways to speak of it."""

    def __init__(self, documents: Sequence[Passages], statements: Sequence[str], examples: Sequence[Example]) -> None:
        """Learn from the passages that examples name; the examples are of these documents and statements."""
        self.statements = tuple(statements)
        self.vocabulary = TraitVocabulary(documents)
        self._weights = _fit(self.vocabulary.rows(documents), self._named(documents, examples))

    def _named(self, documents: Sequence[Passages], examples: Sequence[Example]) -> Rows:
        sizes = [len(document.spans) for document in documents]
        first = dict(zip((d.document for d in documents), np.cumsum([0, *sizes]), strict=False))
        named = np.zeros((sum(sizes), 2 * len(self.statements)), dtype=np.float32)
        for example in examples:
            if example.label in SPOKEN:
                column = 2 * self.statements.index(example.statement) + SPOKEN.index(example.label)
                named[[first[example.document] + i for i in example.evidence], column] = 1
        return named

    def scores(self, documents: Sequence[Passages]) -> list[Rows]:
        """Return for each document the log-odds: passage by statement by way to speak."""
        found = self.vocabulary.rows(documents) @ self._weights[:-1] + self._weights[-1]
        return by_document(documents, found.reshape(len(found), len(self.statements), 2).astype(np.float32))


def _fit(rows: csr_matrix, named: Rows) -> Rows:
    """Return the weights of the traits, and below them the constant, for each column of ``named``."""
    width, outputs = rows.shape[1], named.shape[1]
    turned = rows.T.tocsr()
    counted = 1 + (_FOUND - 1) * named

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(width + 1, outputs).astype(np.float32)
        odds = rows @ weights[:-1] + weights[-1]
        off = counted * (expit(odds) - named)
        lost = (counted * (np.logaddexp(0, odds) - named * odds)).sum(dtype=np.float64)
        slope = np.vstack([turned @ off + _SHRUNK * weights[:-1], off.sum(axis=0, keepdims=True)])
        penalty = 0.5 * _SHRUNK * float((weights[:-1] ** 2).sum(dtype=np.float64))
        return float(lost) + penalty, slope.ravel().astype(np.float64)

    start = np.zeros((width + 1, outputs))
    start[-1] = -4  # few passages speak of a statement
    best = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS, "maxcor": 6})
    weights: Rows = best.x.reshape(width + 1, outputs).astype(np.float32)
    return weights
