"""A question and a sentence read together, by the cross-encoder that Solon brings (ms-marco-MiniLM-L-12-v2).

Word vectors and notions are made of a question and of a sentence apart; this model sees both at once, and so knows who
does what to whom. It costs some five milliseconds a pair, so only the likeliest sentences are read so. Rows of law are
read by the same model after it was trained on stories and the law that governs them (docs/law_reader.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from tasks.models.access import ModelAccess
from tasks.models.client import ModelClient

_LONGEST = 900  # characters of a sentence that are read
_REMEMBERED = 20_000  # pairs of a process: a matter run again under another harness asks for most of them again
_READ: dict[tuple[str, str, str], float] = {}
_SENTENCES, _LAW = "minilm-reranker", "law-reader"
_LEAST = 1e-9  # a chance is never none, nor certain


def read_together(question: str, sentences: Sequence[tuple[str, str]]) -> list[float]:
    """Return the logit that each sentence answers a question.

    Args:
        question: In words that can be understood alone.
        sentences: Each with the heading above it, empty where it has none.
    """
    texts = [f"{heading}: {text[:_LONGEST]}" if heading else text[:_LONGEST] for text, heading in sentences]
    return _read(_SENTENCES, question, texts)


def read_rows(question: str, texts: Sequence[str]) -> list[float]:
    """Return the logit that each row of the knowledge answers a question."""
    return _read(_LAW, question, [text[:_LONGEST] for text in texts])


def _read(model: str, question: str, texts: Sequence[str]) -> list[float]:
    if len(_READ) > _REMEMBERED:
        _READ.clear()
    keys = [(model, question, text) for text in texts]
    known = {key: _READ[key] for key in keys if key in _READ}
    if new := [key for key in dict.fromkeys(keys) if key not in known]:
        found = dict(zip(new, _reader(model).rerank(question, [text for _, _, text in new]), strict=True))
        known |= found
        _READ.update(found)
    return [_logit(known[key]) for key in keys]


def _logit(chance: float) -> float:
    kept = min(max(chance, _LEAST), 1.0 - _LEAST)
    return math.log(kept / (1.0 - kept))


@lru_cache(maxsize=2)
def _reader(name: str) -> ModelClient:
    """Return a model, the same for all matters of a process."""
    return ModelAccess({}).client(name, "reranker")
