"""Answer variance and judge variance apart, from several judgements of several attempts at the same criterion."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations

from tasks.matter.base import Record


class Repeats(Record):
    """How much verdicts move when an answer is judged again, and when the work is done again.

    Attributes:
        criteria: Criteria of matters, each under one cell, with at least one scored verdict.
        judge_pairs: Pairs of judgements of the same attempt at the same criterion.
        judge_flips: Share of these with unlike verdicts; None without pairs.
        answer_pairs: Pairs of attempts at the same criterion that were each judged.
        answer_flips: Share of these whose majority verdicts are unlike, ties left out; None without pairs.
        judge_variance: Mean variance of a verdict (pass 1, fail 0) when the same answer is judged again.
        answer_variance: Mean variance of an answer's true pass rate between attempts: the variance between attempts
            less what the judge's own variance puts into it; may be a little below zero by chance.
    """

    criteria: int
    judge_pairs: int
    judge_flips: float | None
    answer_pairs: int
    answer_flips: float | None
    judge_variance: float | None
    answer_variance: float | None


def repeats(verdicts: Mapping[Hashable, Mapping[Hashable, list[bool]]]) -> Repeats:
    """Measure repeats.

    Args:
        verdicts: By criterion (of a matter, under a cell) and attempt: its verdicts, one a judgement; unscored ones
            are left out before.

    The two variances are those of the one-way analysis of variance with attempts as groups, by criterion, averaged
    over the criteria that have two judgements of an attempt (judge) or two attempts (answer). With one judgement an
    attempt the judge's variance is not known, and the answer's cannot be told from it: both are None.
    """
    told = {c: {a: v for a, v in of.items() if v} for c, of in verdicts.items()}
    told = {c: of for c, of in told.items() if of}
    judged = [pair for of in told.values() for v in of.values() for pair in combinations(v, 2)]
    answered = [pair for of in told.values() for pair in combinations(_majorities(of.values()), 2)]
    within = [_variance(v) for of in told.values() for v in of.values() if len(v) > 1]
    judge = _mean(within)
    between = [b for of in told.values() if (b := _between(list(of.values()))) is not None]
    return Repeats(
        criteria=len(told),
        judge_pairs=len(judged),
        judge_flips=_mean([a != b for a, b in judged]),
        answer_pairs=len(answered),
        answer_flips=_mean([a != b for a, b in answered]),
        judge_variance=judge,
        answer_variance=None if judge is None else _mean(between),
    )


def _majorities(attempts: Iterable[Sequence[bool]]) -> list[bool]:
    return [2 * sum(v) > len(v) for v in attempts if 2 * sum(v) != len(v)]


def _between(attempts: Sequence[Sequence[bool]]) -> float | None:
    """Return the variance between attempts, less the judge's share of it; None where it cannot be told."""
    several = [v for v in attempts if len(v) > 1]
    if len(several) < 2:
        return None
    spread = _variance([sum(v) / len(v) for v in several])
    return spread - sum(_variance(v) / len(v) for v in several) / len(several)


def _variance(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
