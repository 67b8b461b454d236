"""The scores of verdict counts, over any number of simulated runs at once: the one place where each is computed.

The last axis is that of the attempts; a learning run has no other, the simulator has one for its runs.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


class Counts(NamedTuple):
    """Verdict counts of attempts, each of shape (..., attempts); ``unscored`` criteria are in neither other count."""

    passed: Floats
    failed: Floats
    unscored: Floats
    tokens: Floats


def rates(of: Counts) -> Floats:
    """Return the pass rate of each attempt, from 0 to 1; NaN where nothing was scored."""
    return _share(of.passed, of.passed + of.failed)


def per_task(of: Counts) -> Floats:
    """Return the mean of the pass rates; attempts without a scored criterion are left out. NaN where none has one."""
    rate = rates(of)
    known = ~np.isnan(rate)
    return _share(np.where(known, rate, 0.0).sum(axis=-1), known.sum(axis=-1).astype(np.float64))


def pooled(of: Counts) -> Floats:
    """Return passed over scored criteria, from 0 to 1; NaN where nothing was scored."""
    return _share(of.passed.sum(axis=-1), (of.passed + of.failed).sum(axis=-1))


def whole(of: Counts) -> NDArray[np.bool_]:
    """Return whether every criterion of each attempt passed, none unscored."""
    every: NDArray[np.bool_] = (of.passed > 0) & (of.failed == 0) & (of.unscored == 0)
    return every


def all_pass(of: Counts) -> Floats:
    """Return the share of attempts whose every criterion passed; 0 where there are none."""
    every = whole(of)
    share: Floats = every.sum(axis=-1) / max(1, every.shape[-1])
    return share


def million_tokens(of: Counts) -> Floats:
    """Return the mean of an attempt's tokens, in millions; 0 where there are none."""
    mean: Floats = of.tokens.sum(axis=-1) / max(1, of.tokens.shape[-1]) / 1e6
    return mean


def _share(part: Floats, of: Floats) -> Floats:
    share: Floats = np.divide(part, of, out=np.full(np.shape(of), np.nan), where=np.asarray(of) > 0)
    return share
