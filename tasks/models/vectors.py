"""Rows of vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]


def unit_rows(rows: Matrix) -> Matrix:
    """Scale rows to length one; rows of zeros stay."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(norms == 0, 1.0, norms)).astype(np.float32)
