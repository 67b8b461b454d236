"""The fit of the scorer: a conditional logit over the sentences of a question and none, and a logit of being right.

Both by gradient descent with moments (D. Kingma, J. Ba, "Adam", 2015) over all questions at once; what is said of the
fit is measured on folds by request and paper.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import BaseModel

from flows.studies.answers.records import SENTENCE, SURE, Labelled, Rows
from knowledge_db.answers import SentenceWeights, SureWeights

_STEPS, _PACE, _FIRST, _SECOND = 200, 0.1, 0.9, 0.999  # of Adam: steps, their length, and its two usual decays
_RIDGE = 3.0  # 0.3 to 10 rank the held-back questions alike
_TINY = 1e-9  # keeps a column without spread from dividing by nothing
Bounds = tuple[Rows, Rows]


@dataclass(frozen=True)
class SentenceFit:
    """Weights of the signals of a sentence, and what speaks for none."""

    weights: Rows
    nothing: float

    def chances(self, rows: Rows) -> Rows:
        """Return the chance of each sentence."""
        logits = rows @ self.weights
        most = max(float(logits.max()), self.nothing)
        odds = np.exp(logits - most)
        chances: Rows = odds / (odds.sum() + np.exp(self.nothing - most))
        return chances


def fold_of(group: str, folds: int) -> int:
    """Return the fold of a request or paper."""
    return zlib.crc32(group.encode()) % folds


def bounds_of(weights: type[BaseModel], names: Sequence[str]) -> Bounds:
    """Return the bounds of the weights, from the record that holds them."""
    held = [weights.model_fields[name].metadata for name in names]
    low = [next(m.ge for m in rules if hasattr(m, "ge")) for rules in held]
    high = [next(m.le for m in rules if hasattr(m, "le")) for rules in held]
    return np.array(low, float), np.array(high, float)


def fit_choice(found: Sequence[Labelled]) -> SentenceFit:
    """Fit which sentence answers."""
    rows = np.concatenate([f.rows for f in found])
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + _TINY
    scaled = (rows - mean) / spread
    starts = np.cumsum([0, *(len(f.rows) for f in found)])[:-1]
    of = np.repeat(np.arange(len(found)), [len(f.rows) for f in found])
    good = np.concatenate([f.answers for f in found]).astype(float)
    none = np.array([0.0 if f.answers.any() else 1.0 for f in found])
    share = np.array([f.weight for f in found])

    def slope(theta: Rows) -> Rows:
        logits, nothing = scaled @ theta[:-1], theta[-1]
        most = np.maximum(np.maximum.reduceat(logits, starts), nothing)
        odds, odds_none = np.exp(logits - most[of]), np.exp(nothing - most)
        whole = np.add.reduceat(odds, starts) + odds_none
        right = np.add.reduceat(odds * good, starts) + odds_none * none
        over = (odds / whole[of] - odds * good / right[of]) * share[of]
        over_none = ((odds_none / whole - odds_none * none / right) * share).sum()
        return np.append(scaled.T @ over + _RIDGE * theta[:-1], over_none)

    theta = _descended(slope, bounds_of(SentenceWeights, SENTENCE))
    weights = theta[:-1] / spread
    return SentenceFit(weights, float(theta[-1] + mean @ weights))


def fit_sure(rows: Rows, right: Rows, share: Rows) -> tuple[Rows, float]:
    """Fit how likely an answer is right: the weights of its signals, and the odds before."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + _TINY
    scaled = (rows - mean) / spread

    def slope(theta: Rows) -> Rows:
        over = (1.0 / (1.0 + np.exp(-(scaled @ theta[:-1] + theta[-1]))) - right) * share
        return np.append(scaled.T @ over + _RIDGE * theta[:-1], over.sum())

    theta = _descended(slope, bounds_of(SureWeights, SURE))
    weights = theta[:-1] / spread
    return weights, float(theta[-1] - mean @ weights)


def _descended(slope: Callable[[Rows], Rows], bounds: Bounds) -> Rows:
    """Return the result of the descent, with the weights kept within their bounds."""
    low, high = (np.append(b, side) for b, side in zip(bounds, (-np.inf, np.inf), strict=True))
    theta = np.zeros(len(low))
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for step in range(1, _STEPS + 1):
        at = slope(theta)
        first, second = _FIRST * first + (1 - _FIRST) * at, _SECOND * second + (1 - _SECOND) * at * at
        moved = first / (1 - _FIRST**step) / (np.sqrt(second / (1 - _SECOND**step)) + _TINY)
        theta = np.clip(theta - _PACE * moved, low, high)
    return theta
