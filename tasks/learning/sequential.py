r"""An anytime-valid test on paired differences: the policy ``paired_sequential``.

**The formula.** The i-th pair is one attempt of the incumbent and one of the candidate on the same matter, both made
for this comparison. Over the criteria that both had judged, D_i = the candidate's pass rate less the incumbent's, less
0.005 for each million tokens more, cut to [-1, 1]. Two bettors start with a wealth of 1 and bet against the candidate
being no better:

    W_n = product over i of (1 + 0.6 tanh(D_i / 0.1))        and        M_n = product over i of (1 + 0.98 D_i)

K candidates are planned for the run, alpha = 0.05, and each candidate has alpha / K to spend: one half on every look on
the way, one half on a look at the end, after the N-th pair. N is fixed before the first: the pairs that the split has,
150 at most. The candidate is promoted at the first n at which M_n >= 5, the guards hold (below), and

    W_n >= 2 K / alpha,        or        n = N and p <= alpha / (2 K)

p is the exact test of the mean by exchange. V_i is D_i rounded to hundredths, and

    p = the share of the 2^N sets F of pairs for which the sum of V_i over F is at most 0

(the pairs in F with their attempts exchanged, the sum of all is at least as great as it was).

**The bound on edits that do nothing.** tanh is odd and rising. If D_i, given all before it, is symmetric about a mean
of at most 0, then E[tanh(D_i / c)] <= 0, W is a non-negative supermartingale, and P(W ever reaches 2 K / alpha) is at
most alpha / (2 K) (Ville's inequality): whenever one looks, however often, and whatever made one stop. For p, write D_i
as S_i + m_i with m_i <= 0, where turning the sign of any S_i leaves the law of all of them as it is (each symmetric
about 0, and the sizes of later ones do not hang on the signs of earlier ones). Given their sizes, the signs of the S_i
are then tosses of a fair coin, so that over the S_i the share p is a permutation p-value: P(p <= a) <= a. V_i rises
with D_i and each sum over F with V_i, so p over the D_i is no smaller. Stopping before the end can only promote less at
it. So P(promoted) is at most alpha / K for a candidate, and for K of them at most alpha (union bound: the comparisons
need not be independent). A do-nothing edit meets the assumption exactly, whatever the noise looks like, rare collapses
to zero included: the two attempts of any pair can be exchanged.

**The bound on edits that harm in a skewed way.** Symmetry is what an edit lacks that gains a little on most matters and
lets few collapse: W and p promote it. M needs no symmetry: it is a supermartingale where the mean of D_i, given all
before, is at most 0, whatever the shape, so P(M ever reaches 5) <= 1/5 (Ville). That bounds the promotion of any edit
that does not help on average by 1/5 a comparison; over a run of such edits it is no bound to rely on. A stricter M has
its price: at 10 a gain of 5 points is found in 6 of 100 comparisons less, at 20 in 14 less (``solon bench learner``
measures such edits: ``trap`` gains nothing in the mean, ``skewed`` loses).

**Why these bets.** With 1 + tanh(lambda D), lambda = gain / spread^2 from A/A runs, a collapse takes nearly the whole
wealth at a bold lambda (1 - tanh(5.6) < 0.0001), and a spread that rare collapses make leads to a timid one. A bet of
0.6 of the wealth and a scale of 0.1 let a collapse take 60 %, need no calibration, and reach a gain of 5 points with
well under half of the pairs; the bound is the same for any fixed bet under 1. But it sees little of sizes: a loss of 10
points takes more of the wealth than a gain of 60 brings. Where a cell gives the same work product each time, each
matter counts once and the pairs end soon, so that a whole that gains much on some matters, nothing on many and loses a
little on few was left undecided. The look at the end weighs sizes as they are and pays nothing for looks on the way.
(The bet tanh(lambda D) makes exp(lambda D) / cosh(lambda D) of it, the self-normalised one. In simulations of such
wholes, 18 points better on 21 matters, mixtures of such bets promoted 12 to 25 of 100, this bettor alone 9, the look at
the end with sizes cut at 10, 30 and 60 points 14, 43 and 53, with sizes as they are 55.)

**Assumptions.** (1) Pairs are interleaved, so that a provider's bad hour hits both arms. (2) The proposer saw none of
these matters; all it ever hears of them is one word a candidate. (3) A cell that samples may try a matter again in a
later pass: the bound then holds for "does not help on these matters", and the held-out side speaks for others. (4) In a
deterministic cell the same harness gives D = 0 for certain, its randomness is that of which matters come: each counts
once, in an order drawn for the comparison, and symmetry is asked of the differences over matters.

**Screening, futility, guards.** Before, on a few training matters, and from the twelfth pair on, the mean of
tanh(D / 0.1) must be positive, else the candidate is dropped; stopping for nothing cannot promote. The gain that is
promoted is at least 1 point even if every criterion that the candidate alone left unscored is counted as failed, and no
fewer matters pass whole. At the cap an undecided candidate is refused, and so is one beyond the K planned.

Sources: Ville (1939); Fisher, "The Design of Experiments" (1935), for the exact test; de la Pena (1999), for bets on
symmetric differences; Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2023); Ramdas
et al., "Game-theoretic statistics and safe anytime-valid inference" (2023); Miller, arXiv 2411.00640 (paired, clustered
by matter). Power and false promotions are measured by ``solon bench learner``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.learning.records import Decision, Evaluation, Sampling, known
from tasks.learning.scores import Counts, Floats, per_task, rates, whole
from tasks.learning.terms import Number

RUNNING, REFUSED, PROMOTED = 0, -1, 1  # states of a test, as they stand in arrays
POINTS: Final = 100
"""Differences are rounded to points for the look at the end."""


@dataclass(frozen=True)
class SequentialRule:
    """The numbers of the test; each is explained at the head of the module.

    Attributes:
        alpha: Bound on the probability that a run of ``candidates`` do-nothing edits promotes any.
        candidates: Candidates planned for the run.
        scale: Difference at which the bet begins to saturate.
        at_end: Share of what a candidate may spend that is kept for the look at the end.
        bet, mean_bet: Shares of the wealth that are bet; under 1.
        mean_wealth: What the bettor on the mean must reach.
        least_gain: Smallest mean difference that is promoted.
        futile_from: Pairs from which a candidate that does not lead is dropped.
        most: Pairs planned, after which it is decided.
        per_million_tokens: What a million tokens more take off a difference.
    """

    alpha: float = 0.05
    candidates: int = 10
    scale: float = 0.1
    at_end: float = 0.5
    bet: float = 0.6
    mean_bet: float = 0.98
    mean_wealth: float = 5.0
    least_gain: float = 0.01
    futile_from: int = 12
    most: int = 150
    per_million_tokens: float = 0.005

    @property
    def wealth(self) -> float:
        """What the bettor on the sign must reach: 400 for ten candidates at 5 %, half of it spent on the way."""
        return self.candidates / self.alpha / (1 - self.at_end)

    @property
    def level(self) -> float:
        """What the share of exchanges must not exceed at the end: 0.0025 for ten candidates."""
        return self.alpha / self.candidates * self.at_end

    def over(self, pairs: int) -> SequentialRule:
        """Return the rule for a comparison that has so many pairs at most."""
        return replace(self, most=min(self.most, pairs))


RULE: Final = SequentialRule()


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


def differences(before: Counts, after: Counts, rule: SequentialRule = RULE) -> Differences:
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
    """How comparisons ended, each of shape (...): see :func:`walk`. ``chance`` is the p at the end, else NaN."""

    state: NDArray[np.int8]
    pairs: NDArray[np.int64]
    wealth: Floats
    chance: Floats
    mean: Floats
    futile: NDArray[np.bool_]


def walk(seen: Differences, rule: SequentialRule = RULE) -> Walk:
    """Walk along the pairs to the first at which the test ends.

    Args:
        seen: Differences in the order in which the pairs were drawn.
        rule: The numbers of the test.

    Returns:
        The state (promoted, refused, or running where the pairs were not enough), the pairs drawn up to there, the
        wealth, the chance and the mean difference there, and whether it was refused because it did not lead.
    """
    used = ~np.isnan(seen.gain)
    gain = np.where(used, seen.gain, 0.0)
    count = used.cumsum(axis=-1)
    leads = np.tanh(gain / rule.scale)
    wealth = np.log1p(rule.bet * leads).cumsum(axis=-1)
    of_mean = np.log1p(rule.mean_bet * gain).cumsum(axis=-1)
    cautious = np.where(used, seen.cautious, 0.0).cumsum(axis=-1) / np.maximum(count, 1)
    guarded = (cautious >= rule.least_gain) & (seen.whole.cumsum(axis=-1) >= 0)
    sound = (of_mean >= np.log(rule.mean_wealth)) & guarded
    promoted = (wealth >= np.log(rule.wealth)) & sound
    futile = (count >= rule.futile_from) & (leads.cumsum(axis=-1) <= 0) & ~promoted
    drawn = np.arange(1, gain.shape[-1] + 1)
    chance = np.full(gain.shape[:-1], np.nan)
    if gain.shape[-1] >= rule.most > 0:
        last = rule.most - 1
        asked = sound[..., last] & ~(promoted | futile)[..., : last + 1].any(axis=-1)
        chance[asked] = [exchanged(row[: rule.most]) for row in gain[asked]]
        promoted[..., last] |= chance <= rule.level
    ended = promoted | futile | (drawn >= rule.most)
    at = np.where(ended.any(axis=-1), ended.argmax(axis=-1), gain.shape[-1] - 1)[..., None]

    def there(of: NDArray[Any]) -> NDArray[Any]:
        return np.take_along_axis(of, at, axis=-1)[..., 0]

    state = np.where(there(promoted), PROMOTED, np.where(there(ended), REFUSED, RUNNING)).astype(np.int8)
    mean = there(gain.cumsum(axis=-1)) / np.maximum(there(count), 1)
    return Walk(state, at[..., 0] + 1, np.exp(there(wealth)), chance, mean, there(futile))


def exchanged(gain: Floats) -> float:
    """Return how often pairs speak as much for the candidate if coins are tossed for which attempt is whose.

    Exact: of all sets of pairs, the share over which the sizes add up to at most 0. Taking the losses out of a set or
    the gains into it, that is the share of sets of sizes whose sum is at most that of all losses.

    Args:
        gain: Differences of one comparison, of shape (pairs,).
    """
    sizes = np.rint(POINTS * gain).astype(np.int64)
    lost = int(-sizes[sizes < 0].sum())
    share = np.zeros(lost + 1)  # of sets of the sizes so far, by their sum; greater sums are let go
    share[0] = 1.0
    for size in np.abs(sizes[sizes != 0]):
        with_it = np.zeros_like(share)
        with_it[size:] = share[: max(0, lost + 1 - size)]
        share = (share + with_it) / 2
    return float(share.sum())


def _lacking(seen: Differences, pairs: int, rule: SequentialRule) -> list[str]:
    """Return the guards that the pairs of one comparison do not meet: what was asked beside the wealth."""
    gain, cautious, turned = (np.nan_to_num(part[:pairs]) for part in seen)
    of_mean = float(np.exp(np.log1p(rule.mean_bet * gain).sum()))
    least = float(cautious.sum()) / max(1, int((~np.isnan(seen.gain[:pairs])).sum()))
    lost = -int(turned.sum())
    found = [f"wealth of the mean {of_mean:.2g} of {rule.mean_wealth:g}"] if of_mean < rule.mean_wealth else []
    found += [f"a gain of {least:+.4f} at the least of {rule.least_gain:g}"] if least < rule.least_gain else []
    return found + ([f"{lost} fewer passed whole"] if lost > 0 else [])


def leading(seen: Differences, rule: SequentialRule = RULE) -> NDArray[np.bool_]:
    """Return whether candidates lead on a few pairs, as those must that are to be compared on more."""
    return lead_of(seen.gain, rule) > 0


def lead_of(gains: Floats, rule: SequentialRule = RULE) -> Floats:
    """Return by how much differences of shape (..., pairs) speak for a candidate; NaN speaks for nothing."""
    lead: Floats = np.tanh(np.nan_to_num(gains) / rule.scale).sum(axis=-1)
    return lead


class PairedSequential:
    """The test as an acceptance policy; see the head of the module."""

    name = "paired_sequential"
    sampling = Sampling(draws="confirm", screen=8, batch=6)

    def __init__(self, rule: SequentialRule = RULE) -> None:
        self.rule = rule
        self.sampling = type(self).sampling.model_copy(update={"candidates": rule.candidates})

    @property
    def numbers(self) -> Mapping[str, Number]:
        """What is frozen of it: what it draws, and the numbers of its test."""
        return {**self.sampling.model_dump(), **asdict(self.rule)}

    def over(self, pairs: int, /) -> PairedSequential:
        """Return the policy for a comparison that has so many pairs at most."""
        return PairedSequential(self.rule.over(pairs))

    def decide(self, incumbent: Evaluation, candidate: Evaluation) -> Decision:
        """Decide from the pairs so far, in the order in which they were drawn; ``more`` says whether to draw on."""
        problem = _unpaired(incumbent, candidate)
        before, after = incumbent.counts, candidate.counts
        scores = known(per_task(before)), known(per_task(after))
        if problem:
            return self._decision(*scores, reason=problem)
        if not candidate.scores:
            return self._decision(*scores, reason="no pair was drawn", more=min(self.sampling.batch, self.rule.most))
        seen = differences(before, after, self.rule)
        ended = walk(seen, self.rule)
        state, pairs, wealth = int(ended.state), int(ended.pairs), float(ended.wealth)
        dropped = int(np.isnan(seen.gain[:pairs]).sum())
        found = f"{pairs} pairs{f' ({dropped} not comparable)' if dropped else ''}, mean difference {ended.mean:+.4f}"
        why = f"wealth {wealth:.4g} of {self.rule.wealth:g}"
        if not np.isnan(ended.chance):
            why += f", by chance in {float(ended.chance):.2g} of exchanges, where {self.rule.level:g} is asked"
        if state == REFUSED:
            lacks = "".join(f", {guard}" for guard in _lacking(seen, pairs, self.rule))
            why = "does not lead" if ended.futile else f"undecided after all pairs: {why}{lacks}"
        more = min(self.sampling.batch, self.rule.most - pairs) if state == RUNNING else 0
        told = self._decision(*scores, reason=f"{found}; {why}", accepted=state == PROMOTED, more=more)
        return told.model_copy(update={"pairs": pairs, "evidence": wealth})

    def _decision(
        self, before: float | None, after: float | None, *, reason: str, accepted: bool = False, more: int = 0
    ) -> Decision:
        return Decision(
            policy=self.name, accepted=accepted, incumbent=before, candidate=after, reason=reason, more=more
        )


def promising(incumbent: Evaluation, candidate: Evaluation, rule: SequentialRule = RULE) -> str:
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
