"""The statistics that SQL lacks, as functions of any question: ``exact_p``, ``ratio_interval``, ``share_interval``.

Questions call them; views do not, so that a published warehouse can be opened by any program that reads DuckDB files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import duckdb
    import numpy as np

SEED: Final = 0
ROUNDS: Final = 1_000  # drawings for an interval: its ends are then steady to about a point
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
    return ratio_intervals([parts], [wholes], seed, rounds)[0]


def ratio_intervals(
    parts: Sequence[Sequence[float]], wholes: Sequence[Sequence[float]], seed: int = SEED, rounds: int = ROUNDS
) -> list[list[float]]:
    """Return ``ratio_interval`` of each pair of lists; those of one length share their draws, and one product."""
    import numpy as np

    found: list[list[float]] = [[] for _ in parts]
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, (part, whole) in enumerate(zip(parts, wholes, strict=True)):
        if len(part) and float(np.sum(whole)):
            by_length[len(part)].append(place)
    for place in by_length.pop(1, []):  # every sample of one cluster is that cluster
        found[place] = [parts[place][0] / wholes[place][0]] * 2
    for length, places in by_length.items():
        held = np.array([column for place in places for column in (parts[place], wholes[place])], dtype=float).T
        drawn = np.concatenate([times @ held for times in _draws(length, rounds, seed)])
        for place, ends in zip(places, _percentiles(drawn[:, ::2], drawn[:, 1::2]), strict=True):
            found[place] = ends
    return found


def _percentiles(parts: np.ndarray, wholes: np.ndarray) -> list[list[float]]:
    """Return the 2.5th and the 97.5th percentile of each column of ratios, of arrays of rounds by columns."""
    import numpy as np

    ends = [2.5, 97.5]
    empty = ~wholes.all(axis=0)  # columns with a sample of nothing but empty clusters, which has no ratio
    found = np.empty((len(ends), wholes.shape[1]))
    found[:, ~empty] = np.percentile(parts[:, ~empty] / wholes[:, ~empty], ends, axis=0)
    for column in np.flatnonzero(empty):
        some = wholes[:, column] != 0
        found[:, column] = np.percentile(parts[some, column] / wholes[some, column], ends)
    return [[float(low), float(high)] for low, high in found.T]


def share_intervals(parts: Sequence[Sequence[float]], wholes: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the 95 % interval of each share ``sum(parts) / sum(wholes)``, where no part is more than its whole.

    It reaches from the lower of two lower ends to the higher of two upper ends: of ``ratio_interval``, which knows that
    what stands in one matter falls together but says 1 to 1 of two right ones of two, and of Wilson's interval (1927),
    which knows how little two of two are but takes each for itself.
    """
    return [
        [min(drawn[0], low), max(drawn[1], high)] if drawn else []
        for drawn, (low, high) in zip(ratio_intervals(parts, wholes), map(_wilson, parts, wholes), strict=True)
    ]


def _wilson(parts: Sequence[float], wholes: Sequence[float]) -> tuple[float, float]:
    """Return Wilson's score interval at 95 % of the totals; 0 to 1 of nothing."""
    import numpy as np

    n = float(np.sum(wholes))
    if not n:
        return 0.0, 1.0
    z, share = 1.959964, float(np.sum(parts)) / n
    middle, half = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))


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
    for name, of_all in (("ratio_interval", ratio_intervals), ("share_interval", share_intervals)):
        con.create_function(name, partial(_intervals, of_all), of_lists, "DOUBLE[]", type="arrow")


def _intervals(of_all: Callable[[Any, Any], list[list[float]]], parts: Any, wholes: Any) -> Any:
    """Call a function of many intervals with arrays, as SQL does; DuckDB resolves the types, so Arrow names none."""
    import pyarrow as pa

    return pa.array(of_all(_lists(parts), _lists(wholes)), pa.list_(pa.float64()))


def _lists(column: Any) -> list[Any]:
    """Return each list of an Arrow column as an array of floats; an empty one where the column holds none."""
    import pyarrow as pa

    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    found = []
    for chunk in chunks:
        values = chunk.values.to_numpy(zero_copy_only=False)
        edges = zip(chunk.offsets.to_pylist()[:-1], chunk.offsets.to_pylist()[1:], strict=True)
        found += [values[start:end] for start, end in edges]
    return found
