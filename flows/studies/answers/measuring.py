"""The quality of the fit on questions that it was not fitted on, by cross-validation over requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from flows.studies.answers.fitting import SentenceFit, fit_choice, fit_sure, fold_of
from flows.studies.answers.records import Flags, Labelled, Rows
from tasks.drafting.extractive.ways.scoring import agreeing

# Edges of the bands of scores whose share of right answers is told; narrow where answers are stated.
_BANDS = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class Scorer:
    """The fitted scorer: which sentence answers, and how sure that is."""

    choice: SentenceFit
    sure: Rows
    base: float

    def surety(self, of: Labelled) -> float:
        """Return how likely the likeliest sentence answers rightly."""
        return float(1.0 / (1.0 + np.exp(-(signals_of_top(of, self.choice) @ self.sure + self.base))))


def signals_of_top(of: Labelled, choice: SentenceFit) -> Rows:
    """Return the signals that the likeliest sentence answers rightly, in the order of ``SURE``."""
    chances = choice.chances(of.rows)
    top = int(np.argmax(chances))
    return np.append(of.standing[top], agreeing(chances.tolist(), of.said, top))


def fitted(found: Sequence[Labelled], folds: int) -> Scorer:
    """Fit the scorer; how sure it is, on the choices of fits that had not seen the question."""
    rows, right, share = [], [], []
    for fold in range(folds):
        choice = fit_choice([f for f in found if fold_of(f.group, folds) != fold])
        for f in found:
            if f.stated and fold_of(f.group, folds) == fold:
                rows.append(signals_of_top(f, choice))
                right.append(_carries(f, choice))
                share.append(f.weight)
    sure, base = fit_sure(np.array(rows), np.array(right, float), np.array(share))
    return Scorer(fit_choice(found), sure, base)


def _carries(of: Labelled, choice: SentenceFit) -> bool:
    return bool(of.carried[int(np.argmax(choice.chances(of.rows)))])


@dataclass(frozen=True)
class HeldOut:
    """A question that a scorer was not fitted on, with what it says."""

    of: Labelled
    chances: Rows
    surety: float

    @property
    def right(self) -> bool:
        """Return whether the likeliest sentence may be stated."""
        return bool(self.of.carried[int(np.argmax(self.chances))])

    def rank(self, good: Flags) -> int:
        """Return the place of the first sentence that is good, 0 for the likeliest."""
        return int(np.argmax(good[np.argsort(-self.chances, kind="stable")]))


def held_back(found: Sequence[Labelled], folds: int) -> Iterator[HeldOut]:
    """Yield the natural questions, each scored by a fit on other requests."""
    for fold in range(folds):
        scorer = fitted([f for f in found if not f.natural or fold_of(f.group, folds) != fold], folds)
        for f in found:
            if f.natural and fold_of(f.group, folds) == fold:
                yield HeldOut(f, scorer.choice.chances(f.rows), scorer.surety(f) if f.stated else 0.0)


def told(held: Sequence[HeldOut]) -> list[str]:
    """Return what the fit is worth, as lines."""
    there = [h for h in held if h.of.answers.any()]
    ranks = [h.rank(h.of.answers) for h in there]
    shares = ", ".join(f"first {k} {_percent([r < k for r in ranks])}" for k in (1, 2, 3, 5))
    lines = [f"{len(held)} questions; of {len(there)} whose answer stands there, among the {shares}"]
    chances = [(float(h.chances.max()), h.rank(h.of.answers) == 0 and bool(h.of.answers.any())) for h in held]
    sureties = [(h.surety, h.right) for h in held if h.of.stated]
    for name, of in (("chance of the first", chances), ("sure of it", sureties)):
        for low, high in pairwise(_BANDS):
            inside = [right for p, right in of if low <= p < high]
            lines.append(f"{name}: {low:.2f} to {high:.2f}: {len(inside)}, right {_percent(inside)}")
    return lines


def _percent(good: Sequence[bool]) -> str:
    return f"{100 * sum(good) / len(good):.1f} %" if good else "–"
