"""Embedders and rerankers behind an endpoint, called through litellm in batches."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tasks.matter.failures import FailureCause, SolonError
from tasks.models.search.profiles import RetrievalModel
from tasks.models.search.vectors import Matrix, failed, unit_rows

_REMEMBERED = 256
_PASSING = ("RateLimitError", "APIConnectionError", "InternalServerError", "ServiceUnavailableError", "APIError")


class ApiEmbedder:
    """Vectors from an endpoint. Those of passages are kept with the index, the last questions in memory."""

    def __init__(self, profile: RetrievalModel, pause: Callable[[float], None] = time.sleep) -> None:
        """Remember the profile; nothing is asked yet."""
        self.name, self.dimensions = profile.name, profile.dimensions
        self._profile, self._pause = profile, pause
        self._questions: dict[str, Matrix] = {}

    def embed(self, texts: Sequence[str], query: bool = False) -> Matrix:
        """Return one unit row a text, asking for ``batch`` texts at a time and for a text that comes twice once."""
        if query and len(texts) == 1:
            return self._question(texts[0])
        return self._asked(texts, self._profile.passage_prefix if not query else self._profile.query_prefix)

    def _question(self, text: str) -> Matrix:
        if text not in self._questions:
            if len(self._questions) >= _REMEMBERED:
                self._questions.pop(next(iter(self._questions)))
            self._questions[text] = self._asked([text], self._profile.query_prefix)
        return self._questions[text]

    def _asked(self, texts: Sequence[str], prefix: str) -> Matrix:
        once = list(dict.fromkeys(texts))
        step = self._profile.batch
        blocks = [self._batch([prefix + text for text in once[i : i + step]]) for i in range(0, len(once), step)]
        if not blocks:
            return np.zeros((0, self.dimensions or self._asked(["width"], "").shape[1]), dtype=np.float32)
        widths = {block.shape[1] for block in blocks}
        if len(widths) > 1:
            raise _strange(self._profile, "vectors of several widths")
        places = {text: i for i, text in enumerate(once)}
        rows = np.vstack(blocks)[[places[text] for text in texts]]
        self.dimensions = rows.shape[1]
        return unit_rows(rows.astype(np.float32))

    def _batch(self, texts: Sequence[str]) -> Matrix:
        options: dict[str, Any] = {}
        if self._profile.dimensions:  # litellm knows of some models only that they take it
            options = {"dimensions": self._profile.dimensions, "allowed_openai_params": ["dimensions"]}
        answer = _called(self._profile, "embedding", {"input": list(texts), **options}, self._pause)
        try:
            rows = sorted(_value(answer, "data"), key=lambda row: int(_value(row, "index")))
            matrix = np.asarray([_value(row, "embedding") for row in rows], dtype=np.float32)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise _strange(self._profile, "no list of vectors") from error
        if matrix.ndim != 2 or len(matrix) != len(texts) or not np.isfinite(matrix).all():
            raise _strange(self._profile, f"vectors of shape {matrix.shape} for {len(texts)} texts")
        if self._profile.dimensions and matrix.shape[1] != self._profile.dimensions:
            raise _strange(self._profile, f"{matrix.shape[1]} dimensions where {self._profile.dimensions} were asked")
        return matrix


class ApiReranker:
    """Relevance from an endpoint."""

    def __init__(self, profile: RetrievalModel, pause: Callable[[float], None] = time.sleep) -> None:
        """Remember the profile; nothing is asked yet."""
        self.name = profile.name
        self._profile, self._pause = profile, pause

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text, cut to [0, 1]; a text that the endpoint leaves out has none."""
        step = self._profile.batch
        return [s for i in range(0, len(texts), step) for s in self._batch(query, texts[i : i + step])]

    def _batch(self, query: str, texts: Sequence[str]) -> list[float]:
        asked = {"query": query, "documents": list(texts), "top_n": len(texts), "return_documents": False}
        answer = _called(self._profile, "rerank", asked, self._pause)
        scores = [0.0] * len(texts)
        try:
            for row in _value(answer, "results"):
                place, score = int(_value(row, "index")), float(_value(row, "relevance_score"))
                if not 0 <= place < len(texts) or not math.isfinite(score):
                    raise _strange(self._profile, "a score for no text")
                scores[place] = min(1.0, max(0.0, score))
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise _strange(self._profile, "no list of scores") from error
        return scores


def load_litellm() -> Any:
    """Import litellm with everything that would reach for a network turned off."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    return litellm


def _called(profile: RetrievalModel, what: str, asked: Mapping[str, Any], pause: Callable[[float], None]) -> Any:
    """Send a request; passing failures are tried again after 1, 2, 4 … seconds."""
    key = os.environ.get(profile.api_key_env, "") if profile.api_key_env else ("none" if profile.api_base else "")
    where = {"api_base": profile.api_base or None, "api_key": key or None}
    arguments = {"model": profile.model, "timeout": profile.timeout_seconds, "max_retries": 0, **asked}
    arguments.update({name: value for name, value in where.items() if value})
    call = getattr(load_litellm(), what)
    for attempt in range(profile.retries + 1):
        try:
            return call(**arguments)
        except Exception as error:  # the boundary to every provider's SDK: typed below
            passing = type(error).__name__ in (*_PASSING, "Timeout")
            if not passing or attempt == profile.retries:
                raise _mapped(profile, error) from error
        pause(float(2**attempt))
    raise AssertionError("unreachable")


def _mapped(profile: RetrievalModel, error: Exception) -> SolonError:
    name, said = type(error).__name__, " ".join(str(error).split())[:300]
    if name == "Timeout":
        message = f"No reply within {profile.timeout_seconds:g} s."
        return failed(profile.name, message, "Raise timeout_seconds of the profile.", FailureCause.TIMEOUT)
    if name in {"AuthenticationError", "PermissionDeniedError"}:
        place = profile.api_key_env or "the provider's usual variable"
        message = f"The endpoint refused the key: {said}"
        return failed(profile.name, message, f"Set a valid key in {place}.", FailureCause.PROVIDER)
    remedy = "Try again later." if name in _PASSING else "Check model and api_base of the profile."
    return failed(profile.name, f"The endpoint failed ({name}): {said}", remedy, FailureCause.PROVIDER)


def _strange(profile: RetrievalModel, what: str) -> SolonError:
    remedy = "Check that the model of the profile is of this kind."
    return failed(profile.name, f"The endpoint sent {what}.", remedy, FailureCause.PROVIDER)


def _value(row: Any, name: str) -> Any:
    return row[name] if isinstance(row, Mapping) else getattr(row, name)
