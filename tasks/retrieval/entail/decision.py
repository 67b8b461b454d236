"""Weighs signals to the chances of the three labels: a logistic regression whose weights lean on what all share."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from tasks.retrieval.entail.records import LABELS

Matrix = NDArray[np.float64]
Whole = NDArray[np.int64]

_CONSTANT: Final = 0.3  # penalty on the constant of a statement
_STEPS: Final = 200  # bound on the steps of the fit, which ends by itself where it converges


class SignalWeights:
    """A weight of each signal for all statements, and what each statement departs from it."""

    def __init__(
        self, signals: Matrix, statements: Whole, labels: Whole, count: int, own: float, shared: float = 1.0
    ) -> None:
        """Learn from one row of signals a question.

        Args:
            signals: One row a question.
            statements: Number of the statement of each.
            labels: Number of the right label of each.
            count: How many statements there are; 0 where none is known and all is shared.
            own: Penalty on what a statement departs from the shared weights.
            shared: Penalty on the shared weights.
        """
        self._count = count
        self._middle = signals.mean(axis=0)
        self._spread = signals.std(axis=0) + 1e-9  # so that nothing is divided by zero
        width = signals.shape[1]
        kept = [np.full(width, shared), np.full(max(count, 1), _CONSTANT), np.full(width * count, own)]
        self._weights = _fit(self._columns(signals, statements), labels, np.concatenate(kept)[:, None])

    def _columns(self, signals: Matrix, statements: Whole) -> Matrix:
        """Return the signals, a constant and the signals once more in the columns of the statement."""
        scaled = (signals - self._middle) / self._spread
        if not self._count:
            return np.hstack([scaled, np.ones((len(scaled), 1))])
        which = np.eye(self._count)[statements]
        own = (which[:, :, None] * scaled[:, None, :]).reshape(len(scaled), -1)
        return np.hstack([scaled, which, own])

    def chances(self, signals: Matrix, statements: Whole) -> Matrix:
        """Return the chances of the labels: one row a question, which sums to one."""
        return _softmax(self._columns(signals, statements) @ self._weights)


def _softmax(odds: Matrix) -> Matrix:
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    chances: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return chances


def _fit(columns: Matrix, labels: Whole, kept: Matrix) -> Matrix:
    right = np.eye(len(LABELS))[labels]

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        weights = flat.reshape(-1, len(LABELS))
        said = _softmax(columns @ weights)
        lost = -np.log((said * right).sum(axis=1) + 1e-12).sum() + 0.5 * (kept * weights**2).sum()
        return float(lost), (columns.T @ (said - right) + kept * weights).ravel()

    start = np.zeros(columns.shape[1] * len(LABELS))
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    weights: Matrix = best.x.reshape(-1, len(LABELS))
    return weights
