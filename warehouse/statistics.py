"""The statistics that SQL lacks, as functions that any question may call: ``exact_p`` and ``ratio_interval``.

Questions call them; views do not, so that a published warehouse can be opened by any program that reads DuckDB files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import duckdb
    import numpy as np

SEED: Final = 0
ROUNDS: Final = 2_000
_AT_ONCE: Final = 4_000_000  # numbers drawn at a time: 32 MB


def exact_p(up: int, down: int) -> float:
    """Return the exact two-sided p-value of a split into ``up`` and ``down``, from 0 to 1.

    It is the probability of a split at least as uneven if both sides were equally likely: McNemar's exact test where
    the sides are discordant pairs, the sign test where they are signs. It is 1 where both are 0.
    """
    from scipy.special import bdtr

    n = up + down
    return min(1.0, 2.0 * float(bdtr(min(up, down), n, 0.5))) if n else 1.0


def ratio_interval(
    parts: Sequence[float], wholes: Sequence[float], seed: int = SEED, rounds: int = ROUNDS
) -> list[float]:
    """Return the 95 % interval of ``sum(parts) / sum(wholes)`` by a bootstrap that draws whole clusters.

    Args:
        parts: One number a cluster: of a matter, say, the criteria gained less those lost.
        wholes: What each is a part of: the criteria of the matter; all ones for a mean over clusters.
        seed: The same numbers and seed give the same interval.
        rounds: Samples drawn; at least 1.

    Returns:
        The 2.5th and the 97.5th percentile; an empty list where there is no cluster or the wholes are nothing.
    """
    import numpy as np

    if not parts or not sum(wholes):
        return []
    held = np.array([parts, wholes], dtype=float).T
    drawn = np.concatenate([times @ held for times in _draws(len(parts), rounds, seed)])
    drawn = drawn[drawn[:, 1] != 0]  # a sample of nothing but empty clusters has no ratio
    low, high = np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])
    return [float(low), float(high)]


def _draws(clusters: int, rounds: int, seed: int) -> Iterator[np.ndarray]:
    """Yield how often each cluster is drawn in each round, in blocks of rounds that fit in memory."""
    block = max(1, _AT_ONCE // clusters)
    for first in range(0, rounds, block):
        yield _counts(clusters, min(block, rounds - first), seed + first)


@lru_cache(maxsize=2)
def _counts(clusters: int, rounds: int, seed: int) -> np.ndarray:
    """Draw a block; it is kept, for a question compares many pairs of cells on the same number of matters."""
    import numpy as np

    times = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), size=rounds)
    return times.astype(float)  # once here, not at each product


def add_functions(con: duckdb.DuckDBPyConnection) -> None:
    """Let the questions of a connection call the statistics."""
    con.create_function("exact_p", exact_p, ["BIGINT", "BIGINT"], "DOUBLE")
    of_lists = ["DOUBLE[]", "DOUBLE[]"]
    con.create_function("ratio_interval", _interval, of_lists, "DOUBLE[]")


def _interval(parts: Sequence[float], wholes: Sequence[float]) -> list[float]:
    """Call ``ratio_interval`` as SQL can: it fixes how many arguments a function takes."""
    return ratio_interval(parts, wholes)
