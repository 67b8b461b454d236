"""How far two sources agree on shares of votes: cosine, mean absolute error, and tests of whether they differ at all.

A source gives for each criterion the shares of its votes. The measures by criterion compare two rows of shares; the
tests by category compare, over the criteria, all shares of one category. With nine criteria a test finds only what is
gross: that it finds no difference does not prove that there is none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scipy import stats

Row = Sequence[float]


def cosine(one: Row, other: Row) -> float | None:
    """Return the cosine of two rows of shares; None where a row is all zeros.

    >>> round(cosine((0.6, 0.3, 0.1), (0.5, 0.3, 0.2)), 4)  # 0.41 / (0.678233 * 0.616441)
    0.9806
    """
    sizes = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / sizes if sizes else None


def mean_absolute_error(one: Row, other: Row) -> float:
    """Return the mean of the absolute differences of two rows of shares.

    >>> round(mean_absolute_error((0.6, 0.3, 0.1), (0.5, 0.3, 0.2)), 4)
    0.0667
    """
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)


def root_mean_square_error(one: Row, other: Row) -> float:
    """Return the root of the mean of the squared differences of two rows of shares.

    >>> round(root_mean_square_error((0.6, 0.3, 0.1), (0.5, 0.3, 0.2)), 4)  # sqrt(0.02 / 3)
    0.0816
    """
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) / len(one))


def p_values(one: Row, other: Row) -> dict[str, float | None]:
    """Return the p-values of three tests of whether two samples come from one distribution; None where undefined.

    ``ks`` is the two-sample Kolmogorov-Smirnov test, ``mann_whitney`` the rank test of Mann and Whitney, and
    ``variance`` the two-sided F-test of equal variances, which takes the shares for normal.

    >>> {name: round(p, 3) for name, p in p_values([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]).items()}
    {'ks': 1.0, 'mann_whitney': 1.0, 'variance': 1.0}
    """
    if len(one) < 2 or len(other) < 2:
        return {"ks": None, "mann_whitney": None, "variance": None}
    return {
        "ks": float(stats.ks_2samp(one, other).pvalue),
        "mann_whitney": float(stats.mannwhitneyu(one, other, alternative="two-sided").pvalue),
        "variance": _f_test(one, other),
    }


def agreement(one: Mapping[str, Row], other: Mapping[str, Row], categories: Sequence[str]) -> dict[str, object]:
    """Return how far two sources agree over the criteria that both have.

    Args:
        one: Shares by criterion of one source.
        other: Those of the other.
        categories: Names of the shares, in their order.

    Returns:
        ``criteria``: cosine, MAE and RMSE of each; ``mean``: their means; ``tests``: p-values by category.
    """
    both = [name for name in one if name in other]
    rows = {
        name: {
            "cosine": cosine(one[name], other[name]),
            "mae": mean_absolute_error(one[name], other[name]),
            "rmse": root_mean_square_error(one[name], other[name]),
        }
        for name in both
    }
    means = {
        measure: sum(given) / len(given)
        for measure in ("cosine", "mae", "rmse")
        if (given := [value for row in rows.values() if (value := row[measure]) is not None])
    }
    by_category = {
        category: p_values([one[name][at] for name in both], [other[name][at] for name in both])
        for at, category in enumerate(categories)
    }
    return {"criteria": rows, "mean": means, "tests": by_category}


def _f_test(one: Row, other: Row) -> float | None:
    first, second = (float(stats.tvar(row)) for row in (one, other))
    if not first or not second:
        return None
    below = float(stats.f.cdf(first / second, len(one) - 1, len(other) - 1))
    return min(1.0, 2 * min(below, 1 - below))
