"""BM25 over chunks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class LexicalIndex:
    """BM25 (Lucene's variant) over token lists; scores are comparable within one index only."""

    def __init__(self, documents: Sequence[Sequence[str]], k1: float = 1.2, b: float = 0.6) -> None:
        """Index token lists; an empty collection is allowed."""
        import bm25s

        self._size = len(documents)
        self._known = Counter(token for tokens in documents for token in frozenset(tokens))
        self._model: Any = None
        if self._known:
            self._model = bm25s.BM25(method="lucene", k1=k1, b=b)
            self._model.index([list(tokens) for tokens in documents], show_progress=False)

    def scores(self, query: Sequence[str]) -> NDArray[np.float32]:
        """Return one score per document; 0 where it shares no token with the query."""
        wanted = [token for token in query if token in self._known]
        if self._model is None or not wanted:
            return np.zeros(self._size, dtype=np.float32)
        scores: NDArray[np.float32] = self._model.get_scores(wanted)
        return scores

    def rarity(self, token: str) -> float:
        """Return how rare a token is among the documents; a token that none has is the rarest."""
        return math.log(1 + self._size / (1 + self._known[token]))
