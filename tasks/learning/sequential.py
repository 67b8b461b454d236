r"""An anytime-valid test on paired differences: the policy ``paired_sequential``.

**The formula.** The i-th pair is one attempt of the incumbent and one of the candidate on the same matter, both made
for this comparison. Over the criteria that both had judged, D_i = the candidate's pass rate less the incumbent's, less
0.005 for each million tokens more, cut to [-1, 1]. Two bettors start with a wealth of 1 and bet against the candidate
being no better:

    W_n = product over i of (1 + 0.6 tanh(D_i / 0.1))        and        M_n = product over i of (1 + 0.98 D_i)

The candidate is promoted at the first n at which W_n >= K / alpha and M_n >= 5, with K the candidates planned for the
run and alpha = 0.05, if besides the guards hold (below).

**The bound.** tanh is odd and rising. If D_i, given all before it, is symmetric about a mean of at most 0, then
E[tanh(D_i / c)] <= 0, W is a non-negative supermartingale, and P(W ever reaches K / alpha) <= alpha / K (Ville's
inequality): whenever one looks, however often, and whatever made one stop. So of K such candidates, the probability
that any is promoted is at most alpha (union bound: the comparisons need not be independent). A do-nothing edit meets
the assumption exactly, whatever the noise looks like, rare collapses to zero included: two attempts of one harness can
be exchanged. M needs no symmetry: it is a supermartingale where the mean of D_i is at most 0, whatever the shape. It
bounds the promotion of any edit that does not help on average, such as one that gains a little on most matters and lets
few collapse (which W alone would promote), by 1/5 a comparison; over a run of such edits that is no bound to rely on.

**Why this bet.** With 1 + tanh(lambda D), lambda = gain / spread^2 from A/A runs, a collapse takes nearly the whole
wealth at a bold lambda (1 - tanh(5.6) < 0.0001), and a spread that rare collapses make leads to a timid one. A bet of
0.6 of the wealth and a scale of 0.1 let a collapse take 60 %, need no calibration, and reach a gain of 5 points with
well under half of the pairs; the bound is the same for any fixed bet under 1.

**Assumptions.** (1) Pairs are interleaved, so that a provider's bad hour hits both arms. (2) The proposer saw none of
these matters; all it ever hears of them is one word a candidate. (3) A cell that samples may try a matter again in a
later pass: the bound then holds for "does not help on these matters", and the held-out side speaks for others. (4) In a
deterministic cell the same harness gives D = 0 for certain, its randomness is that of which matters come: each counts
once, in an order drawn for the comparison, and symmetry is asked of the differences over matters.

**Screening, futility, guards.** Before, on a few training matters, and from the twelfth pair on, the mean of
tanh(D / 0.1) must be positive, else the candidate is dropped; stopping for nothing cannot promote. The gain that is
promoted is at least 1 point even if every criterion that the candidate alone left unscored is counted as failed, and no
fewer matters pass whole. At the cap an undecided candidate is refused, and so is one beyond the K planned.

Sources: Ville (1939); Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2023);
Ramdas et al., "Game-theoretic statistics and safe anytime-valid inference" (2023); Miller, arXiv 2411.00640 (paired,
clustered by matter). Power and false promotions are measured by ``solon bench learner``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.learning.records import Decision, Evaluation, Sampling, known
from tasks.learning.scores import Counts, Floats, per_task, rates, whole

RUNNING, REFUSED, PROMOTED = 0, -1, 1  # states of a test, as they stand in arrays


@dataclass(frozen=True)
class Rule:
    """The numbers of the test; each is explained at the head of the module.

    Attributes:
        alpha: Bound on the probability that a run of ``candidates`` do-nothing edits promotes any.
        candidates: Candidates planned for the run.
        scale: Difference at which the bet begins to saturate.
        bet, mean_bet: Shares of the wealth that are bet; under 1.
        mean_wealth: What the bettor on the mean must reach.
        least_gain: Smallest mean difference that is promoted.
        futile_from: Pairs from which a candidate that does not lead is dropped.
        most: Pairs after which it is refused.
        per_million_tokens: What a million tokens more take off a difference.
    """

    alpha: float = 0.05
    candidates: int = 10
    scale: float = 0.1
    bet: float = 0.6
    mean_bet: float = 0.98
    mean_wealth: float = 5.0
    least_gain: float = 0.01
    futile_from: int = 12
    most: int = 150
    per_million_tokens: float = 0.005

    @property
    def wealth(self) -> float:
        """What the bettor on the sign must reach: 200 for ten candidates at 5 %."""
        return self.candidates / self.alpha


RULE: Final = Rule()


class Differences(NamedTuple):
    """What the pairs say, each of shape (..., pairs); NaN where a pair cannot be compared.

    Attributes:
        gain: Difference of the pass rates, less the price of more tokens.
        cautious: The same with what the candidate alone left unscored counted as failed.
        whole: 1 where only the candidate passed whole, -1 where only the incumbent did.
    """

    gain: Floats
    cautious: Floats
    whole: Floats


def differences(before: Counts, after: Counts, rule: Rule = RULE) -> Differences:
    """Return the differences of pairs; one that was not judged by as many criteria on both sides is dropped."""
    judged = before.passed + before.failed
    same = (judged > 0) & (judged == after.passed + after.failed)
    base = np.where(same, rates(before), np.nan)
    cost = rule.per_million_tokens * (after.tokens - before.tokens) / 1e6
    lost = np.maximum(0.0, after.unscored - before.unscored)
    share = np.divide(after.passed, judged + lost, out=np.zeros_like(judged), where=judged > 0)
    turned = whole(after).astype(np.float64) - whole(before)
    gain = np.clip(rates(after) - base - cost, -1.0, 1.0)
    return Differences(gain, share - base - cost, np.where(same, turned, 0.0))


class Walk(NamedTuple):
    """How comparisons ended, each of shape (...): see :func:`walk`."""

    state: NDArray[np.int8]
    pairs: NDArray[np.int64]
    wealth: Floats
    mean: Floats
    futile: NDArray[np.bool_]


def walk(seen: Differences, rule: Rule = RULE) -> Walk:
    """Walk along the pairs to the first at which the test ends.

    Args:
        seen: Differences in the order in which the pairs were drawn.
        rule: The numbers of the test.

    Returns:
        The state (promoted, refused, or running where the pairs were not enough), the pairs drawn up to there, the
        wealth and the mean difference there, and whether it was refused because it did not lead.
    """
    used = ~np.isnan(seen.gain)
    gain = np.where(used, seen.gain, 0.0)
    count = used.cumsum(axis=-1)
    leads = np.tanh(gain / rule.scale)
    wealth = np.log1p(rule.bet * leads).cumsum(axis=-1)
    of_mean = np.log1p(rule.mean_bet * gain).cumsum(axis=-1)
    cautious = np.where(used, seen.cautious, 0.0).cumsum(axis=-1) / np.maximum(count, 1)
    guarded = (cautious >= rule.least_gain) & (seen.whole.cumsum(axis=-1) >= 0)
    promoted = (wealth >= np.log(rule.wealth)) & (of_mean >= np.log(rule.mean_wealth)) & guarded
    futile = (count >= rule.futile_from) & (leads.cumsum(axis=-1) <= 0) & ~promoted
    drawn = np.arange(1, gain.shape[-1] + 1)
    ended = promoted | futile | (drawn >= rule.most)
    at = np.where(ended.any(axis=-1), ended.argmax(axis=-1), gain.shape[-1] - 1)[..., None]

    def there(of: NDArray[Any]) -> NDArray[Any]:
        return np.take_along_axis(of, at, axis=-1)[..., 0]

    state = np.where(there(promoted), PROMOTED, np.where(there(ended), REFUSED, RUNNING)).astype(np.int8)
    mean = there(gain.cumsum(axis=-1)) / np.maximum(there(count), 1)
    return Walk(state, at[..., 0] + 1, np.exp(there(wealth)), mean, there(futile))


def leading(seen: Differences, rule: Rule = RULE) -> NDArray[np.bool_]:
    """Return whether candidates lead on a few pairs, as those must that are to be compared on more."""
    return lead_of(seen.gain, rule) > 0


def lead_of(gains: Floats, rule: Rule = RULE) -> Floats:
    """Return by how much differences of shape (..., pairs) speak for a candidate; NaN speaks for nothing."""
    lead: Floats = np.tanh(np.nan_to_num(gains) / rule.scale).sum(axis=-1)
    return lead


class PairedSequential:
    """The test as an acceptance policy; see the head of the module."""

    name = "paired_sequential"
    sampling = Sampling(draws="confirm", trials=3, screen=8, batch=6)

    def __init__(self, rule: Rule = RULE) -> None:
        self.rule = rule
        self.sampling = type(self).sampling.model_copy(update={"candidates": rule.candidates})

    def decide(self, incumbent: Evaluation, candidate: Evaluation) -> Decision:
        """Decide from the pairs so far, in the order in which they were drawn; ``more`` says whether to draw on."""
        problem = _unpaired(incumbent, candidate)
        before, after = incumbent.counts, candidate.counts
        scores = known(per_task(before)), known(per_task(after))
        if problem:
            return self._decision(*scores, reason=problem)
        if not candidate.scores:
            return self._decision(*scores, reason="no pair was drawn", more=self.sampling.batch)
        seen = differences(before, after, self.rule)
        ended = walk(seen, self.rule)
        state, pairs, wealth = int(ended.state), int(ended.pairs), float(ended.wealth)
        dropped = int(np.isnan(seen.gain[:pairs]).sum())
        found = f"{pairs} pairs{f' ({dropped} not comparable)' if dropped else ''}, mean difference {ended.mean:+.4f}"
        why = f"wealth {wealth:.4g} of {self.rule.wealth:g}"
        if state == REFUSED:
            why = "does not lead" if ended.futile else f"undecided at the cap: {why}"
        more = min(self.sampling.batch, self.rule.most - pairs) if state == RUNNING else 0
        told = self._decision(*scores, reason=f"{found}; {why}", accepted=state == PROMOTED, more=more)
        return told.model_copy(update={"pairs": pairs, "evidence": wealth})

    def _decision(
        self, before: float | None, after: float | None, *, reason: str, accepted: bool = False, more: int = 0
    ) -> Decision:
        return Decision(
            policy=self.name, accepted=accepted, incumbent=before, candidate=after, reason=reason, more=more
        )


def promising(incumbent: Evaluation, candidate: Evaluation, rule: Rule = RULE) -> str:
    """Say why a candidate is not worth a comparison, from a few training matters; empty where it is."""
    if problem := _unpaired(incumbent, candidate):
        return problem
    if leading(differences(incumbent.counts, candidate.counts, rule), rule):
        return ""
    return f"does not lead on {len(candidate.scores)} training matters"


def _unpaired(incumbent: Evaluation, candidate: Evaluation) -> str:
    """Say why two evaluations are no pairs; empty where they are."""
    keys = ([s.matter_key for s in e.scores] for e in (incumbent, candidate))
    return "" if next(keys) == next(keys) else "the two were not run on the same matters in the same order"
