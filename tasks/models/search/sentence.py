"""Any model of sentence-transformers, on CPU or GPU. The library is no dependency of Solon; it is used where it is."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from tasks.matter.failures import FailureCause
from tasks.models.search.profiles import RetrievalModel
from tasks.models.search.vectors import Matrix, failed, unit_rows


class SentenceEmbedder:
    """A bi-encoder."""

    def __init__(self, profile: RetrievalModel) -> None:
        """Load the model from the library's own cache, or from a folder."""
        self.name = profile.name
        self._profile = profile
        self._model: Any = _opened("SentenceTransformer", profile)
        self.dimensions = int(self._model.get_sentence_embedding_dimension() or profile.dimensions)

    def embed(self, texts: Sequence[str], query: bool = False) -> Matrix:
        """Return one unit row a text."""
        prefix = self._profile.query_prefix if query else self._profile.passage_prefix
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        rows = self._model.encode(
            [prefix + text for text in texts],
            batch_size=self._profile.batch,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return unit_rows(np.asarray(rows, dtype=np.float32))


class SentenceReranker:
    """A cross-encoder."""

    def __init__(self, profile: RetrievalModel) -> None:
        """Load the model from the library's own cache, or from a folder."""
        self.name = profile.name
        self._profile = profile
        self._model: Any = _opened("CrossEncoder", profile)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text; logits are brought into [0, 1] by the sigmoid."""
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        raw = np.asarray(self._model.predict(pairs, batch_size=self._profile.batch, show_progress_bar=False))
        scores = raw.astype(np.float64).reshape(len(texts), -1)[:, 0]
        if scores.min() < 0 or scores.max() > 1:
            scores = 1.0 / (1.0 + np.exp(-scores))
        return [float(score) for score in scores]


def _opened(name: str, profile: RetrievalModel) -> Any:
    try:
        library = importlib.import_module("sentence_transformers")
    except ImportError as error:
        message = "This profile needs sentence-transformers, which is not installed."
        remedy = "Install sentence-transformers beside Solon (it brings torch), or use bge-small, wordllama or none."
        raise failed(profile.name, message, remedy, FailureCause.CAPACITY) from error
    options = {"device": profile.device} if profile.device else {}
    try:
        return getattr(library, name)(profile.model, **options)
    except (OSError, ValueError, RuntimeError) as error:
        message = f"The model {profile.model!r} cannot be loaded: {' '.join(str(error).split())[:200]}"
        raise failed(profile.name, message, "Bring its weights to this machine, or correct its name.") from error
