"""What stands beside a gain: the holdout, and what the same budget would have bought by plain sampling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, Literal

from tasks.harness import HarnessRef
from tasks.learning.comparison import Pairs, evaluation
from tasks.learning.paired import ROUNDS, PairedMatter, intervals
from tasks.learning.records import Beside, Evaluation, MatterScore, Observation, Rates
from tasks.matter.records import Matter
from warehouse.statistics import SEED

BEST_STATES: Final = ("released", "released_with_open_asks", "released_with_flags", "not_answered", "blocked", "")
"""How the release gates let an attempt go, best first: all that chooses among attempts without sight of a rubric."""

ALIKE: Final = "the cell gives the same work product each time: k attempts of it are one"
Score = tuple[MatterScore, MatterScore]


def rates(of: Evaluation) -> Rates:
    """Return the rates of an evaluation, computed from its counts."""
    return Rates(pooled=of.pooled, per_task=of.per_task, all_pass=of.all_pass)


def beside(
    side: Literal["test", "giant"],
    pairs: Sequence[Score],
    sampled: Sequence[Sequence[Observation]],
    harness: HarnessRef,
    *,
    tokens: int,
    evaluations: int,
    samples: bool,
) -> Beside:
    """Put together what stands beside a gain.

    Args:
        side: The side of the split.
        pairs: Attempts of the harness that the run began with and of the one that it ended with, matter by matter.
        sampled: Attempts of the first harness at each matter, in the order in which they were made.
        harness: The first harness.
        tokens: Tokens of all attempts that were made to learn.
        evaluations: How many attempts these were.
        samples: Whether the cell may give another work product in another attempt.
    """
    before, after = (Evaluation(harness_version="", scores=tuple(pair[at] for pair in pairs)) for at in (0, 1))
    matters = _by_matter(pairs)
    gain = _difference(before.pooled, after.pooled)
    every = [attempt for attempts in sampled for attempt in attempts]
    each = sum(a.tokens for a in every) / len(every) if every else 0
    k = max(1, int(tokens / each) if each else evaluations)
    k_run = max((len(attempts) for attempts in sampled), default=0)
    few = f"{k_run} of {k} attempts were made: a lower bound of what the budget would have bought" if k_run < k else ""
    return Beside(
        side=side,
        matters=len(matters),
        criteria=sum(m.criteria for m in matters),
        before=rates(before),
        after=rates(after),
        gain=gain,
        interval=intervals(matters, SEED, ROUNDS)[0] if matters else None,
        tokens=tokens,
        evaluations=evaluations,
        k=k,
        k_run=k_run,
        best_of_k=_chosen(harness, sampled, lambda a: BEST_STATES.index(a.release_status)),
        oracle=_chosen(harness, sampled, lambda a: -_rate(a)),
        note=few if samples else ALIKE,
    )


def _by_matter(pairs: Sequence[Score]) -> list[PairedMatter]:
    """Add up the attempts of each matter: it is the unit that the interval resamples."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for one, other in pairs:
        for at, count in enumerate((one.passed + one.failed, one.passed, other.passed)):
            counts[one.matter_key][at] += count
    return [
        PairedMatter(matter_id=key, criteria=criteria, base=base, other=other)
        for key, (criteria, base, other) in sorted(counts.items())
        if criteria
    ]


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else round(after - before, 6)


def _chosen(
    harness: HarnessRef, sampled: Sequence[Sequence[Observation]], order: Callable[[Observation], float]
) -> Rates:
    """Return the rates of the first harness with one attempt of each matter, the first of those that come first."""
    return rates(evaluation(harness, [min(attempts, key=order) for attempts in sampled if attempts]))


def _rate(attempt: Observation) -> float:
    scored = attempt.passed + len(attempt.failed)
    return attempt.passed / scored if scored else -1.0


def lines(of: Beside) -> list[str]:
    """Return it as lines for a terminal."""

    def told(rate: float | None) -> str:
        return "not scored" if rate is None else f"{rate:.4f}"

    where = "held out" if of.side == "test" else "giant slice"
    interval = f" [{of.interval[0]:+.4f}, {of.interval[1]:+.4f}]" if of.interval else ""
    gain = "not scored" if of.gain is None else f"{of.gain:+.4f}"
    return [
        f"{where}: pooled {told(of.before.pooled)} -> {told(of.after.pooled)}, gain {gain}{interval} "
        f"(95 %, by matter), all-pass {of.before.all_pass:.4f} -> {of.after.all_pass:.4f}; "
        f"n {of.matters} matters, {of.criteria} criteria",
        f"best of k: {told(of.best_of_k.pooled)} with the first harness at the same budget (k {of.k}, made "
        f"{of.k_run}), oracle {told(of.oracle.pooled)}; {of.evaluations} attempts, {of.tokens} tokens of learning"
        + (f"; {of.note}" if of.note else ""),
    ]


def pairs_of(
    pairs: Pairs, before: HarnessRef, after: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int]
) -> list[Score]:
    """Run matters in each of these epochs under both harnesses."""
    drawn = [(matter, epoch) for epoch in epochs for matter in matters]
    return list(pairs(before, after, [m for m, _ in drawn], [e for _, e in drawn]))
