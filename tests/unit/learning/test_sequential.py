"""The test on paired differences: its arithmetic by hand, its guards, its bound, and what it may not look at."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import exp, log1p, tanh

import numpy as np
import pytest

from tasks.learning.acceptance import BestSoFar, policy_of
from tasks.learning.records import Evaluation, MatterScore
from tasks.learning.sequential import (
    PROMOTED,
    REFUSED,
    RULE,
    RUNNING,
    Differences,
    PairedSequential,
    SequentialRule,
    differences,
    exchanged,
    promising,
    walk,
)

POLICY = PairedSequential()


def evaluation(*rows: tuple[int, ...], keys: str = "") -> Evaluation:
    """Return an evaluation of attempts: passed, failed, and where they are given unscored and tokens."""
    names = ("passed", "failed", "unscored", "tokens")
    scores = [
        MatterScore.model_validate(
            {"matter_key": keys[n] if keys else str(n), "unscored": 0} | dict(zip(names, row, strict=False))
        )
        for n, row in enumerate(rows)
    ]
    return Evaluation(harness_version="v", scores=tuple(scores))


def gains(*points: float) -> tuple[Evaluation, Evaluation]:
    """Return pairs whose rates differ by so many points of a hundred criteria; neither passes whole."""
    base = evaluation(*[(50, 50)] * len(points))
    return base, evaluation(*[(50 + round(p), 50 - round(p)) for p in points])


def seen(*gain: float) -> Differences:
    every = np.array(gain, dtype=float)
    return Differences(every, every, np.zeros_like(every))


def test_the_wealth_is_the_product_of_the_bets():
    decision = POLICY.decide(*gains(6, -2, 4))
    assert decision.evidence == pytest.approx((1 + 0.6 * tanh(0.6)) * (1 + 0.6 * tanh(-0.2)) * (1 + 0.6 * tanh(0.4)))
    assert (decision.accepted, decision.pairs, decision.more) == (False, 3, 6)
    assert (decision.incumbent, decision.candidate) == (pytest.approx(0.5), pytest.approx(0.5 + 0.08 / 3))
    assert decision.reason == "3 pairs, mean difference +0.0267; wealth 1.431 of 400"


def test_it_promotes_at_the_first_pair_at_which_both_bettors_are_rich():
    wealth, mean = log1p(0.6 * tanh(2.0)), log1p(0.98 * 0.2)
    first = next(n for n in range(1, 99) if n * wealth >= np.log(400) and n * mean >= np.log(5))
    before, after = gains(*[20] * 60)
    decision = POLICY.decide(before, after)
    assert (decision.accepted, decision.pairs, decision.more) == (True, first, 0)
    assert decision.evidence == pytest.approx(exp(first * wealth))
    # what comes behind the pair at which it ended is not looked at
    worse = after.model_copy(update={"scores": (*after.scores[:first], *evaluation(*[(0, 100)] * 60).scores[first:])})
    assert POLICY.decide(before, worse).pairs == first


def test_the_threshold_is_that_of_the_candidates_planned():
    before, after = gains(*[20] * 60)
    assert [policy_of("paired_sequential", n).rule.wealth for n in (1, 10, 40)] == [40, 400, 1600]
    assert policy_of("paired_sequential", 10).rule.level == pytest.approx(0.0025)
    pairs = [policy_of("paired_sequential", n).decide(before, after).pairs for n in (1, 10, 400)]
    assert pairs == sorted(pairs)
    assert pairs[0] < pairs[2]


def test_the_sign_alone_promotes_nothing():
    """A little gained on most matters and everything lost on few, nothing in the mean: only the second bettor sees."""
    trap = walk(seen(*([0.05] * 14 + [-0.7]) * 9))
    alone = walk(seen(*([0.05] * 14 + [-0.7]) * 9), replace(RULE, mean_wealth=1e-9, least_gain=-1.0))
    assert (trap.state, alone.state) == (RUNNING, PROMOTED)


def test_a_tiny_gain_is_not_promoted_however_sure():
    rule = replace(RULE, mean_wealth=1.0, most=10_000)
    assert walk(seen(*[0.009] * 3_000), rule).state == RUNNING
    assert walk(seen(*[0.011] * 3_000), rule).state == PROMOTED


def test_what_does_not_lead_is_dropped_from_the_twelfth_pair_on():
    assert walk(seen(*[-0.01] * 11)).state == RUNNING
    ended = walk(seen(*[-0.01] * 40))
    assert (ended.state, ended.pairs, ended.futile) == (REFUSED, 12, True)
    assert POLICY.decide(*gains(*[-1] * 12)).reason.endswith("does not lead")


def test_a_deterministic_cell_that_gives_the_same_is_dropped_and_not_promoted():
    decision = POLICY.decide(*gains(*[0] * 20))
    assert (decision.accepted, decision.more, decision.pairs, decision.evidence) == (False, 0, 12, 1.0)
    assert promising(*gains(*[0] * 8)) == "does not lead on 8 training matters"


def test_undecided_at_the_cap_is_no():
    points = [4, -3, 1] * 60
    decision = POLICY.decide(*gains(*points))
    assert (decision.accepted, decision.more, decision.pairs) == (False, 0, RULE.most)
    assert "undecided after all pairs" in decision.reason
    assert POLICY.decide(*gains(*points[:148])).more == 2  # never asks for more than the cap


def test_a_refusal_says_which_of_the_guards_did_not_hold():
    """Twenty pairs that gain a little are enough for the sign, and too few to say that none collapses."""
    policy = POLICY.over(20)
    decision = policy.decide(*gains(*[7] * 20))
    assert not decision.accepted
    assert decision.evidence > RULE.wealth
    assert decision.reason.endswith("wealth of the mean 3.8 of 5")
    assert policy.decide(*gains(*[9] * 20)).accepted
    assert policy.decide(*gains(*[2, -1] * 10)).reason.endswith("a gain of +0.0050 at the least of 0.01")


def test_a_gain_from_what_was_not_judged_is_no_gain():
    """The candidate passes nine of ten, for nine of its twenty criteria nobody could judge: perhaps all failures."""
    base, hidden = evaluation(*[(5, 5, 0)] * 40), evaluation(*[(7, 3, 4)] * 40)
    assert POLICY.decide(base, evaluation(*[(7, 3, 0)] * 40)).accepted
    assert not POLICY.decide(base, hidden).accepted  # 7 of 14 is no gain
    assert POLICY.decide(evaluation(*[(5, 5, 4)] * 40), hidden).accepted  # the incumbent's are not judged either


def test_pairs_that_were_judged_by_other_criteria_are_dropped():
    base, other = evaluation(*[(5, 5)] * 30), evaluation(*[(9, 0)] * 30)
    assert np.isnan(differences(base.counts, other.counts).gain).all()
    decision = POLICY.decide(base, other)
    assert not decision.accepted
    assert "(30 not comparable)" in decision.reason
    nothing = POLICY.decide(evaluation(*[(0, 0, 9)] * 3), evaluation(*[(9, 0, 0)] * 3))
    assert (nothing.accepted, nothing.evidence, nothing.incumbent) == (False, 1.0, None)


def test_fewer_matters_that_pass_whole_hold_a_promotion_back():
    before = evaluation(*[(10, 0)], *[(5, 5)] * 40)
    assert POLICY.decide(before, evaluation((10, 0), *[(7, 3)] * 40)).accepted
    assert not POLICY.decide(before, evaluation((9, 1), *[(7, 3)] * 40)).accepted
    again = evaluation((9, 1), *[(7, 3)] * 39, (10, 0))  # as many as before, at the last
    decision = POLICY.decide(before, again)
    assert (decision.accepted, decision.pairs) == (True, 41)


def test_tokens_have_their_price():
    base, dear = evaluation((5, 5, 0, 0)), evaluation((6, 4, 0, 4_000_000))
    assert differences(base.counts, dear.counts).gain == pytest.approx([0.1 - 0.02])
    lost = differences(base.counts, evaluation((0, 10, 0, 400_000_000)).counts)
    assert lost.gain == [-1.0]  # cut: a bettor never loses more than was bet


def test_pairs_of_other_matters_or_in_another_order_are_no_pairs():
    for one, other in (("ab", "ba"), ("ab", "ac")):
        decision = POLICY.decide(evaluation((0, 9), (0, 9), keys=one), evaluation((9, 0), (9, 0), keys=other))
        assert (decision.accepted, decision.more) == (False, 0)
        assert "same order" in decision.reason
    assert "same order" in promising(evaluation((0, 9)), evaluation())


def test_before_any_pair_it_asks_for_the_first():
    decision = POLICY.decide(evaluation(), evaluation())
    assert (decision.accepted, decision.more) == (False, POLICY.sampling.batch)


@pytest.mark.parametrize("sizes", [(0.3,), (0.05, 0.4), (0.9, 0.02, 0.1)])
def test_the_wealth_of_exchangeable_pairs_is_one_in_the_mean(sizes):
    """The step of the proof, whole: over every toss of which attempt came first, each product of bets has mean 1."""
    for bet, shape in ((0.6, lambda d: tanh(d / 0.1)), (0.98, lambda d: d)):
        means = [
            np.prod([1 + bet * shape(sign * size) for sign, size in zip(signs, sizes, strict=True)])
            for signs in product((-1, 1), repeat=len(sizes))
        ]
        assert np.mean(means) == pytest.approx(1.0)


def test_a_do_nothing_edit_is_promoted_as_rarely_as_stated():
    """Exchangeable attempts with rare collapses, looked at after each pair: within alpha / K of each comparison."""
    rng = np.random.default_rng(4)
    rates = np.clip(0.7 + 0.05 * rng.standard_normal((2, 1_500, 150)), 0, 1) * (rng.random((2, 1_500, 150)) > 0.05)
    gain = rates[1] - rates[0]
    loose = replace(RULE, candidates=1, mean_wealth=1e-9, least_gain=-1.0, futile_from=10**6)  # the bound itself: 5 %
    promoted = walk(Differences(gain, gain, np.zeros_like(gain)), loose).state == PROMOTED
    assert 0.005 < promoted.mean() <= 0.05
    strict = walk(Differences(gain, gain, np.zeros_like(gain)), RULE).state == PROMOTED
    assert strict.mean() <= 0.005


UNEVEN = [0.4, 0, 0, 0.5, -0.1, 0, 0.3, 0.6, 0, 0.2, -0.1, 0, 0.5, 0, 0.3, -0.1, 0.4, 0, -0.05, 0, 0.6]


def test_the_end_finds_what_gains_much_on_some_matters_and_loses_a_little_on_few():
    """21 matters, 16 points in the mean: too little for the bettor on signs, enough for sizes with no look before."""
    rule = SequentialRule(candidates=4)
    on_the_way, ended = walk(seen(*UNEVEN), rule), walk(seen(*UNEVEN), rule.over(21))
    assert (on_the_way.state, ended.state) == (RUNNING, PROMOTED)
    assert ended.pairs == 21
    assert ended.wealth < rule.wealth / 2  # nor would the whole of what it may spend have been enough on the way
    assert ended.chance <= rule.level
    assert np.isnan(on_the_way.chance)
    assert walk(seen(*UNEVEN), replace(rule, at_end=0.0).over(21)).state == REFUSED
    assert walk(seen(*UNEVEN[:-3], 0, -0.4, -0.4), rule.over(21)).state == REFUSED


def test_the_end_is_told_in_words():
    points = [round(100 * gain) for gain in UNEVEN]
    base, other = evaluation(*[(20, 80)] * 21), evaluation(*[(20 + p, 80 - p) for p in points])
    decision = PairedSequential(SequentialRule(candidates=4)).over(21).decide(base, other)
    assert decision.accepted
    assert "of 160, by chance in 0.00" in decision.reason
    assert decision.reason.endswith("of exchanges, where 0.00625 is asked")


@pytest.mark.parametrize("sizes", [(0.3,), (0.05, 0.4), (0.9, 0.02, 0.1, 0.1), (0.5, 0.5, 0.5), (0.0, 0.2), ()])
def test_the_share_of_exchanges_is_exact(sizes):
    """Counted one by one; and over every toss it is at most a in at most a share a of cases, which is its bound."""
    found = []
    for signs in product((-1, 1), repeat=len(sizes)):
        gain = [round(100 * sign * size) for sign, size in zip(signs, sizes, strict=True)]
        sums = [sum(g for g, taken in zip(gain, of, strict=True) if taken) for of in product((0, 1), repeat=len(gain))]
        found.append(exchanged(np.array(gain) / 100))
        assert found[-1] == pytest.approx(np.mean([total <= 0 for total in sums]))
    assert all(np.mean([one <= a + 1e-12 for one in found]) <= a + 1e-12 for a in found)


def test_a_greater_difference_never_makes_the_share_greater():
    rng = np.random.default_rng(6)
    for _ in range(200):
        gain = rng.uniform(-0.5, 0.5, 8)
        more = gain + rng.uniform(0, 0.3, 8) * (rng.random(8) < 0.3)
        assert exchanged(more) <= exchanged(gain)


def test_the_end_alone_keeps_its_bound():
    """Half of 5 %, where nothing else holds a promotion back; and it is spent, so it is no empty bound."""
    rng = np.random.default_rng(7)
    gain = rng.choice([0, 0.1, 0.3, 0.7], (4_000, 21)) * rng.choice([-1, 1], (4_000, 21))
    rule = replace(RULE, candidates=1, mean_wealth=1e-9, least_gain=-1.0, futile_from=99, bet=0.0).over(21)
    promoted = walk(Differences(gain, gain, np.zeros_like(gain)), rule).state == PROMOTED
    assert 0.01 < promoted.mean() <= 0.025 + 3 * (0.025 / 4_000) ** 0.5


def test_the_papers_promote_such_an_edit_and_this_does_not():
    before, after = gains(*[1, -1] * 6), gains(*[1, -1, 1, 0] * 3)[1]
    assert BestSoFar().decide(before[0], after).accepted
    assert not POLICY.decide(before[0], after).accepted
