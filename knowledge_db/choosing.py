"""Which of the likeliest authorities answers a question, or that none does: a conditional logit over what is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_db.ranking import ChoiceWeights

SURE = 9.0
"""Logit beyond which a model that reads is believed no more."""
_FAR = 4.0  # logits before the next best beyond which a lead counts no more


@dataclass(frozen=True)
class Candidate:
    """An authority that may answer a question.

    Attributes:
        number: Its row.
        points: Its points, of the whole question.
        asking: Its points by the part of the question that asks.
        window: The most points of a window that it sets.
        read: The logit that it answers, of a model that reads it together with the question.
        phrases: How many questions are known by which it is asked for.
    """

    number: int
    points: float
    asking: float
    window: float
    read: float
    phrases: int


def chances(candidates: Sequence[Candidate], nothing: float, weights: ChoiceWeights) -> dict[int, float]:
    """Return the chance of each candidate by its row; what is left of one is the chance that none answers.

    Args:
        candidates: The likeliest rows.
        nothing: The logit that none answers.
        weights: What speaks for one.
    """
    points, phrases = [c.points for c in candidates], [math.log1p(c.phrases) for c in candidates]
    usual = sum(phrases) / max(1, len(phrases))
    read = [c.read for c in candidates]
    logits = [
        weights.points * c.points
        + weights.asking * c.asking
        + weights.windows * c.window
        + weights.lead * (max(-1.0, (c.points - _rival(c.points, points)) / c.points) if c.points else -1.0)
        + weights.read * c.read
        + weights.read_lead * _lead(c.read, read)
        + weights.phrases * (known - usual)
        for c, known in zip(candidates, phrases, strict=True)
    ]
    top = max((*logits, nothing))
    odds = [math.exp(logit - top) for logit in logits]
    whole = sum(odds) + math.exp(nothing - top)
    return {c.number: one / whole for c, one in zip(candidates, odds, strict=True)}


def _rival(own: float, all_of: Sequence[float], none: float = 0.0) -> float:
    """Return the best of some values, or of the best itself the next."""
    first, second = (*sorted(all_of, reverse=True), none)[:2]
    return first if own < first else second


def _lead(own: float, all_of: Sequence[float]) -> float:
    """Return by how much a logit leads the next best, or trails the best."""
    return min(max(own - _rival(own, all_of, -SURE), -_FAR), _FAR)
