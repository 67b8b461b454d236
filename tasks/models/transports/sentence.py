"""Any model of sentence-transformers, on CPU or GPU. The library is not a dependency; it is used where installed."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from tasks.matter.failures import FailureCause, SolonError
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request, failed


class SentenceModel:
    """A bi-encoder or a cross-encoder, by the kind of the profile."""

    def __init__(self, profile: ModelProfile) -> None:
        """Load the model from the library's own cache, or from a folder."""
        self._model: Any = _opened("CrossEncoder" if profile.kind == "reranker" else "SentenceTransformer", profile)

    def send(self, profile: ModelProfile, request: Request) -> Reply:
        """Return the vectors of the texts, or their scores; logits are brought into [0, 1] by the sigmoid."""
        options = {"batch_size": profile.batch, "show_progress_bar": False}
        if profile.kind == "embeddings":
            rows = self._model.encode(list(request.texts), convert_to_numpy=True, **options)
            return Reply(vectors=np.asarray(rows, dtype=np.float32))
        raw = np.asarray(self._model.predict([(request.query, text) for text in request.texts], **options))
        scores = raw.astype(np.float64).reshape(len(request.texts), -1)[:, 0]
        if scores.min() < 0 or scores.max() > 1:
            scores = 1.0 / (1.0 + np.exp(-scores))
        return Reply(scores=tuple(float(score) for score in scores))


def _opened(name: str, profile: ModelProfile) -> Any:
    try:
        library = importlib.import_module("sentence_transformers")
    except ImportError as error:
        message = "This profile needs sentence-transformers, which is not installed."
        remedy = "Install sentence-transformers beside Solon (it brings torch), or use bge-small, wordllama or none."
        raise SolonError(failed(profile, FailureCause.CAPACITY, message, remedy)) from error
    options = {"device": profile.device} if profile.device else {}
    try:
        return getattr(library, name)(profile.model, **options)
    except (OSError, ValueError, RuntimeError) as error:
        message = f"The model {profile.model!r} cannot be loaded: {' '.join(str(error).split())[:200]}"
        remedy = "Bring its weights to this machine, or correct its name."
        raise SolonError(failed(profile, FailureCause.INPUT, message, remedy)) from error
