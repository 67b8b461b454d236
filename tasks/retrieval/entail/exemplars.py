"""What lawyers said where other documents read alike: a kernel regression over labelled passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from scipy.special import expit

Matrix = NDArray[np.float64]
BEST: Final = 3  # passages of a document that are compared


def pooled(rows: csr_matrix, odds: NDArray[np.float32]) -> csr_matrix:
    """Return the passages of a document that speak most of a statement, as one row of length one.

    Args:
        rows: One for each passage of the document.
        odds: Log-odds of each that it speaks of the statement.
    """
    best = np.argsort(-odds, kind="stable")[:BEST]
    weights = expit(odds[best].astype(np.float64))
    one = csr_matrix(weights) @ rows[best]
    length = float(np.sqrt(one.multiply(one).sum()))
    return one / length if length else one


class Exemplars:
    """Labelled rows, of which the nearest tell the label of another: kernel ridge regression on the labels."""

    def __init__(self, rows: Sequence[csr_matrix], labels: Sequence[int], shrunk: float) -> None:
        """Take the rows of one statement, the number of the label of each, and how far the answer keeps to the mean."""
        self._rows = vstack(rows).tocsr()
        targets = np.eye(3)[list(labels)]
        self._mean = targets.mean(axis=0)
        inverse = np.linalg.inv((self._rows @ self._rows.T).toarray().astype(np.float64) + shrunk * np.eye(len(labels)))
        self._dual = inverse @ (targets - self._mean)
        self.left_out: Matrix = targets - self._dual / np.diag(inverse)[:, None]
        """What the others say of each of them."""

    def said(self, rows: Sequence[csr_matrix]) -> Matrix:
        """Return what they say of other rows: one column a label."""
        near = (vstack(rows).tocsr() @ self._rows.T).toarray().astype(np.float64)
        found: Matrix = self._mean + near @ self._dual
        return found
