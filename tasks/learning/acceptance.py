"""Acceptance policies. Each computes its scores anew from the verdict counts that it is handed.

No policy keeps a score: an incumbent's number from an earlier step, under other matters or other
weights, can therefore never be compared with a candidate's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from tasks.learning.records import Decision, Evaluation
from tasks.matter.failures import Failure, FailureCause, SolonError


class AcceptancePolicy(Protocol):
    """Decides between the incumbent and a candidate on the same matters."""

    name: str

    def decide(self, incumbent: Evaluation, candidate: Evaluation) -> Decision:
        """Return the decision with both scores and the reason."""
        ...


class BestSoFar:
    """The strict gate of Parthenon: the per-task pass rate must rise, on the same matters.

    Source: Parthenon, appendix B.6.
    """

    name = "best_so_far"

    def decide(self, incumbent: Evaluation, candidate: Evaluation) -> Decision:
        """Accept a strict gain; refuse a comparison over different or unscored matters."""
        problem = comparable(incumbent, candidate)
        before, after = incumbent.per_task, candidate.per_task
        accepted = not problem and before is not None and after is not None and after > before
        reason = problem or f"per-task pass rate {told(before)} -> {told(after)}"
        return Decision(policy=self.name, accepted=accepted, incumbent=before, candidate=after, reason=reason)


class BlendedMargin:
    """Pooled + 0.5 all-pass - 0.005 per million tokens, by a margin of one point.

    Source: the evolved harness on LAB; the incumbent is recomputed under the current weights.
    """

    name = "blended_margin"

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

    def decide(self, incumbent: Evaluation, candidate: Evaluation) -> Decision:
        """Accept a gain of at least the margin in the blended score."""
        problem = comparable(incumbent, candidate)
        before, after = self._score(incumbent), self._score(candidate)
        accepted = not problem and before is not None and after is not None and after - before >= self._margin
        reason = problem or f"blended score {told(before)} -> {told(after)}, margin {self._margin}"
        return Decision(policy=self.name, accepted=accepted, incumbent=before, candidate=after, reason=reason)

    def _score(self, of: Evaluation) -> float | None:
        if of.pooled is None:
            return None
        tokens = sum(s.tokens for s in of.scores) / max(1, len(of.scores)) / 1_000_000
        return of.pooled + self._all_pass * of.all_pass - self._tokens * tokens


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


POLICIES: Mapping[str, Callable[[], AcceptancePolicy]] = {kind.name: kind for kind in (BestSoFar, BlendedMargin)}
DEFAULT_POLICY = BestSoFar.name


def policy_of(name: str) -> AcceptancePolicy:
    """Return the policy of a name.

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
    return make()
