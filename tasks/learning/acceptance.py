"""Acceptance policies. Each computes its scores anew from the verdict counts that it is handed.

No policy keeps a score: an incumbent's number from an earlier step, under other matters or other
weights, can therefore never be compared with a candidate's. The arithmetic of each is a function over arrays, so that
the simulator (``simulator/``) asks the very code that decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tasks.learning.records import Decision, Evaluation, Sampling, known
from tasks.learning.scores import Counts, Floats, all_pass, million_tokens, per_task, pooled
from tasks.learning.sequential import PairedSequential, SequentialRule
from tasks.learning.terms import Number
from tasks.matter.failures import Failure, FailureCause, SolonError

ROUNDING: Final = 1e-9  # below this a difference of two scores is that of two orders of summing


class AcceptancePolicy(Protocol):
    """Decides between the incumbent and a candidate on the same matters."""

    name: str
    sampling: Sampling

    @property
    def numbers(self) -> Mapping[str, Number]:
        """Its thresholds and sizes by name: what a learning run freezes of it."""
        ...

    def decide(self, incumbent: Evaluation, candidate: Evaluation) -> Decision:
        """Return the decision with both scores and the reason; or that more pairs are wanted."""
        ...

    def over(self, pairs: int, /) -> AcceptancePolicy:
        """Return the policy for a comparison that has so many pairs at most; itself where it draws none."""
        ...


class BestSoFar:
    """The strict gate of Parthenon: the per-task pass rate must rise, on the same matters.

    It bounds nothing: of ten do-nothing edits, one or more is promoted nine times in ten (``solon bench learner``).
    Source: Parthenon, appendix B.6.
    """

    name = "best_so_far"
    sampling = Sampling(draws="minibatch")

    @property
    def numbers(self) -> Mapping[str, Number]:
        """What is frozen of it."""
        return self.sampling.model_dump()

    def decide(self, incumbent: Evaluation, candidate: Evaluation) -> Decision:
        """Accept a strict gain; refuse a comparison over different or unscored matters."""
        problem = comparable(incumbent, candidate)
        before, after = incumbent.counts, candidate.counts
        scores = known(per_task(before)), known(per_task(after))
        return Decision(
            policy=self.name,
            accepted=not problem and bool(self.promotes(before, after)),
            incumbent=scores[0],
            candidate=scores[1],
            reason=problem or f"per-task pass rate {told(scores[0])} -> {told(scores[1])}",
            pairs=len(candidate.scores),
        )

    def over(self, _: int, /) -> BestSoFar:
        """Return itself: it is shown all pairs at once."""
        return self

    def promotes(self, before: Counts, after: Counts) -> NDArray[np.bool_]:
        """Return whether candidates are promoted, over arrays of shape (..., attempts)."""
        return per_task(after) - per_task(before) > ROUNDING


class BlendedMargin:
    """Pooled + 0.5 all-pass - 0.005 per million tokens, by a margin of one point.

    It bounds nothing either: the margin is about the noise that three trials leave. Source: the evolved harness on
    LAB; the incumbent is recomputed under the current weights.
    """

    name = "blended_margin"
    sampling = Sampling(draws="minibatch")

    def __init__(self, margin: float = 0.01, all_pass: float = 0.5, per_million_tokens: float = 0.005) -> None:
        """Set the weights of the score.

        Args:
            margin: Least gain that is accepted; 0.01 is one point.
            all_pass: What an all-pass rate of 1 adds to a pooled rate of 1.
            per_million_tokens: What a million tokens per attempt takes off.
        """
        self._margin = margin
        self._all_pass = all_pass
        self._tokens = per_million_tokens

    @property
    def numbers(self) -> Mapping[str, Number]:
        """What is frozen of it."""
        weights = {"margin": self._margin, "all_pass": self._all_pass, "per_million_tokens": self._tokens}
        return {**self.sampling.model_dump(), **weights}

    def decide(self, incumbent: Evaluation, candidate: Evaluation) -> Decision:
        """Accept a gain of at least the margin in the blended score."""
        problem = comparable(incumbent, candidate)
        before, after = incumbent.counts, candidate.counts
        scores = known(self.score(before)), known(self.score(after))
        return Decision(
            policy=self.name,
            accepted=not problem and bool(self.promotes(before, after)),
            incumbent=scores[0],
            candidate=scores[1],
            reason=problem or f"blended score {told(scores[0])} -> {told(scores[1])}, margin {self._margin}",
            pairs=len(candidate.scores),
        )

    def over(self, _: int, /) -> BlendedMargin:
        """Return itself: it is shown all pairs at once."""
        return self

    def promotes(self, before: Counts, after: Counts) -> NDArray[np.bool_]:
        """Return whether candidates are promoted, over arrays of shape (..., attempts)."""
        return self.score(after) - self.score(before) >= self._margin - ROUNDING

    def score(self, of: Counts) -> Floats:
        """Return the blended score; NaN where nothing was scored."""
        return pooled(of) + self._all_pass * all_pass(of) - self._tokens * million_tokens(of)


def told(rate: float | None) -> str:
    """Write a score for the ledger; one that does not exist is no number."""
    return "not scored" if rate is None else f"{rate:.4f}"


def comparable(incumbent: Evaluation, candidate: Evaluation) -> str:
    """Return why two evaluations cannot be compared; empty where they can."""
    if sorted(s.matter_key for s in incumbent.scores) != sorted(s.matter_key for s in candidate.scores):
        return "the two were not run on the same matters"
    if any(all(s.rate is None for s in e.scores) for e in (incumbent, candidate)):
        return "nothing was scored"
    # Attempt by attempt: a matter may have several.
    shapes = [sorted((s.matter_key, s.unscored) for s in e.scores) for e in (incumbent, candidate)]
    if shapes[0] != shapes[1]:
        return "the two left different numbers of criteria unscored, so a gain could come from what was not judged"
    judged = [sorted((s.matter_key, s.passed + s.failed) for s in e.scores) for e in (incumbent, candidate)]
    if judged[0] != judged[1]:
        return "the two were judged by different numbers of criteria, so a gain could come from those that are gone"
    return ""


POLICIES: Final[Mapping[str, Callable[[int], AcceptancePolicy]]] = {
    BestSoFar.name: lambda _: BestSoFar(),
    BlendedMargin.name: lambda _: BlendedMargin(),
    PairedSequential.name: lambda candidates: PairedSequential(SequentialRule(candidates=candidates)),
}


def policy_of(name: str, candidates: int = 10) -> AcceptancePolicy:
    """Return the policy of a name.

    Args:
        name: One of ``POLICIES``.
        candidates: Candidates planned for the run, over which a bound on false promotions is spread.

    Raises:
        SolonError: No policy has this name (``input``).
    """
    make = POLICIES.get(name)
    if make is None:
        remedy = f"use one of {', '.join(POLICIES)}"
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="learning",
                subject=name,
                message="is no acceptance policy",
                remedy=remedy,
            )
        )
    return make(candidates)
