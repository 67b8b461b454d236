"""What every embedder and every reranker gives."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tasks.matter.failures import Failure, FailureCause, SolonError

Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Text to unit vectors."""

    name: str
    dimensions: int

    def embed(self, texts: Sequence[str], query: bool = False) -> Matrix:
        """Return one unit row a text; ``query`` marks texts that ask rather than state."""
        ...


class CrossEncoder(Protocol):
    """Reads query and passage together."""

    name: str

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text in [0, 1]."""
        ...


def unit_rows(rows: Matrix) -> Matrix:
    """Scale rows to length one; rows of zeros stay."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(norms == 0, 1.0, norms)).astype(np.float32)


def package_folder(name: str, package: str = "") -> Path:
    """Return where an installed package lies, without importing it; ``package`` is its name in the registry."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        message = "The package that carries the weights of this profile is not installed."
        remedy = f"Install {package or name} beside Solon, or choose another profile (none: no embeddings)."
        raise failed(name, message, remedy, FailureCause.CAPACITY)
    return Path(spec.submodule_search_locations[0])


def threads() -> int:
    """Return how many threads a model may use: ``OMP_NUM_THREADS`` where the compute plane sets it, else the cores."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(int(wanted), cores) if wanted.isdigit() else min(cores, 8))


def failed(subject: str, message: str, remedy: str, cause: FailureCause = FailureCause.INPUT) -> SolonError:
    """Return a failure of this stage."""
    return SolonError(Failure(cause=cause, stage="retrieval", subject=subject, message=message, remedy=remedy))
