"""Acceptance policies: what they compare, what they refuse to compare, and what they say of it."""

from __future__ import annotations

import random

import pytest

from tasks.learning.acceptance import POLICIES, BestSoFar, BlendedMargin, comparable, policy_of
from tasks.learning.records import Evaluation, MatterScore
from tasks.matter.failures import SolonError


def scores(*counts: tuple[int, int], unscored: tuple[int, ...] = (), tokens: tuple[int, ...] = ()) -> Evaluation:
    """Return an evaluation of matters named by their place: (passed, failed), unscored criteria and tokens of each."""
    return Evaluation(
        harness_version="v",
        scores=tuple(
            MatterScore(
                matter_key=str(n), passed=passed, failed=failed, unscored=dict(enumerate(unscored)).get(n, 0),
                tokens=dict(enumerate(tokens)).get(n, 0),
            )
            for n, (passed, failed) in enumerate(counts)
        ),
    )  # fmt: skip


def test_rates_of_an_evaluation():
    one = scores((9, 1), (0, 2), (0, 0), (3, 0), unscored=(0, 0, 4, 1))
    assert one.per_task == pytest.approx((0.9 + 0 + 1) / 3)  # a matter without a scored criterion is left out
    assert one.pooled == pytest.approx(12 / 15)
    assert one.all_pass == 0.0  # the last has an unscored criterion: not all-pass
    assert scores((3, 0), (0, 0), (1, 1), (2, 0)).all_pass == 0.5
    nothing = scores()
    assert (nothing.per_task, nothing.pooled, nothing.all_pass) == (None, None, 0.0)
    assert scores((0, 0), unscored=(4,)).pooled is None  # nothing scored is no 0 %


def test_the_blended_score_is_its_three_terms():
    """Pooled pass, half a point for all-pass, and half a point per million tokens of a matter on average."""
    policy = BlendedMargin()
    one = scores((8, 2), (5, 0), tokens=(3_000_000, 1_000_000))
    decision = policy.decide(one, one)
    assert decision.incumbent == decision.candidate == pytest.approx(13 / 15 + 0.5 * 0.5 - 0.005 * 2)
    other = BlendedMargin(margin=0.0, all_pass=0.0, per_million_tokens=0.1).decide(one, one)
    assert other.candidate == pytest.approx(13 / 15 - 0.1 * 2)
    assert other.accepted  # a margin of nothing is met by no loss


def test_a_lone_all_pass_counts_and_the_margin_is_met_from_its_edge():
    base, one_more = scores((9, 1), (9, 1)), scores((10, 0), (8, 2))
    assert BlendedMargin().decide(base, one_more).accepted  # + 0.25 for all-pass at the same pooled rate
    assert not BestSoFar().decide(base, one_more).accepted
    edge = BlendedMargin(margin=0.25, all_pass=0.0, per_million_tokens=0.0)
    assert edge.decide(scores((2, 2)), scores((3, 1))).accepted
    assert not edge.decide(scores((2, 6)), scores((3, 5))).accepted


@pytest.mark.parametrize("policy", [BestSoFar(), BlendedMargin()])
@pytest.mark.parametrize(
    ("incumbent", "candidate", "reason"),
    [
        (scores((1, 9)), scores((9, 1), (9, 1)), "not run on the same matters"),
        (scores((1, 9), (1, 9)), scores((9, 1)), "not run on the same matters"),
        (scores(), scores(), "nothing was scored"),
        (scores((1, 9)), scores((0, 0)), "nothing was scored"),
        (scores((1, 9)), scores((9, 0), unscored=(1,)), "different numbers of criteria unscored"),
        (scores((1, 8), unscored=(1,)), scores((9, 1)), "different numbers of criteria unscored"),
        # the criteria that failed are gone, and nothing says that they were not judged
        (scores((1, 9)), scores((1, 0)), "different numbers of criteria, so"),
        (scores((5, 5), (5, 5)), scores((9, 0), (5, 6)), "different numbers of criteria, so"),
        # an incumbent that nobody could judge is no incumbent to beat
        (scores((0, 0), unscored=(9,)), scores((9, 0)), "nothing was scored"),
        # more on one matter, fewer on another: still a gain from what was not judged
        (
            scores((1, 9), (1, 8), unscored=(0, 1)),
            scores((9, 0), (9, 0), unscored=(1, 0)),
            "different numbers of criteria unscored",
        ),
    ],
)
def test_what_cannot_be_compared_is_not_accepted_and_says_why(policy, incumbent, candidate, reason):
    decision = policy.decide(incumbent, candidate)
    assert not decision.accepted
    assert reason in decision.reason
    assert decision.policy == policy.name
    if not any(s.passed + s.failed for s in incumbent.scores):
        assert decision.incumbent is None  # and no score that a report could take for 0 %


def test_what_neither_could_be_judged_on_is_no_obstacle():
    assert comparable(scores((1, 8), unscored=(1,)), scores((8, 1), unscored=(1,))) == ""
    assert comparable(scores((0, 0), (1, 1)), scores((0, 0), (1, 1))) == ""  # one matter was scored


def test_a_decision_says_both_scores():
    said = BestSoFar().decide(scores((1, 3)), scores((3, 1)))
    assert (said.accepted, said.reason) == (True, "per-task pass rate 0.2500 -> 0.7500")
    said = BlendedMargin().decide(scores((1, 3)), scores((3, 1)))
    assert (said.accepted, said.reason) == (True, "blended score 0.2500 -> 0.7500, margin 0.01")


def test_no_such_policy_names_those_there_are():
    with pytest.raises(SolonError) as caught:
        policy_of("always")
    failure = caught.value.failure
    assert (failure.subject, failure.message) == ("always", "is no acceptance policy")
    assert (
        failure.remedy
        == f"use one of {', '.join(POLICIES)}"
        == "use one of best_so_far, blended_margin, paired_sequential"
    )


# -- properties --------------------------------------------------------------------------------------------------------


def several(*attempts: tuple[str, int, int, int]) -> Evaluation:
    """Return an evaluation of attempts: matter, passed, failed, unscored."""
    names = ("matter_key", "passed", "failed", "unscored")
    told = tuple(MatterScore.model_validate(dict(zip(names, attempt, strict=True))) for attempt in attempts)
    return Evaluation(harness_version="v", scores=told)


def test_every_attempt_of_a_matter_is_compared_and_not_its_last_alone():
    """The first attempt of the incumbent left nine criteria unscored; the candidate's gain is what was not judged."""
    incumbent = several(("a", 0, 1, 9), ("a", 5, 5, 0))
    candidate = several(("a", 9, 1, 0), ("a", 5, 5, 0))
    assert "unscored" in comparable(incumbent, candidate)
    assert "unscored" in comparable(candidate, incumbent)
    assert comparable(candidate, several(("a", 5, 5, 0), ("a", 9, 1, 0))) == ""  # in any order
    assert "same matters" in comparable(candidate, several(("a", 9, 1, 0)))


def drawn(rng: random.Random, matters: int = 6) -> Evaluation:
    rows = tuple(
        MatterScore(matter_key=str(n), passed=(passed := rng.randint(0, 9)), failed=9 - passed, unscored=0,
                    tokens=rng.randrange(4_000_000))
        for n in range(matters)
    )  # fmt: skip
    return Evaluation(harness_version="v", scores=rows)


POLICY_LIST = [BestSoFar(), BlendedMargin(), BlendedMargin(margin=0.05, all_pass=0.0)]


@pytest.mark.parametrize("policy", POLICY_LIST, ids=range(3))
@pytest.mark.parametrize("seed", range(10))
def test_laws_of_acceptance(policy, seed):
    """Nothing is better than itself; of two, at most one is better; the order of matters says nothing."""
    rng = random.Random(seed)
    one, other = drawn(rng), drawn(rng)
    there, back = policy.decide(one, other), policy.decide(other, one)
    assert not policy.decide(one, one).accepted
    assert not (there.accepted and back.accepted)
    assert (there.incumbent, there.candidate) == (back.candidate, back.incumbent)
    turned = other.model_copy(update={"scores": other.scores[::-1], "harness_version": "w"})
    again = policy.decide(one, turned)
    assert (again.accepted, again.candidate) == (there.accepted, pytest.approx(there.candidate))


@pytest.mark.parametrize("policy", POLICY_LIST, ids=range(3))
@pytest.mark.parametrize("seed", range(10))
def test_one_more_criterion_never_lowers_a_score(policy, seed):
    one = drawn(random.Random(seed))
    for at, score in enumerate(one.scores):
        if score.failed:
            better = score.model_copy(update={"passed": score.passed + 1, "failed": score.failed - 1})
            more = one.model_copy(update={"scores": (*one.scores[:at], better, *one.scores[at + 1 :])})
            decision = policy.decide(one, more)
            assert decision.candidate > decision.incumbent
    assert one.pooled == pytest.approx(one.per_task)  # matters of the same number of criteria weigh the same


@pytest.mark.parametrize("seed", range(5))
def test_tokens_cost_in_the_blended_score_alone(seed):
    one = drawn(random.Random(seed))
    dearer = tuple(s.model_copy(update={"tokens": s.tokens + 1_000_000}) for s in one.scores)
    spent = one.model_copy(update={"scores": dearer})
    plain, blended = BestSoFar().decide(one, spent), BlendedMargin().decide(one, spent)
    assert plain.candidate == plain.incumbent
    assert blended.candidate == pytest.approx(blended.incumbent - 0.005)  # a million more for each matter
    assert not blended.accepted


def test_a_large_matter_weighs_more_in_the_pooled_rate_alone():
    one = scores((90, 10), (0, 2))
    assert one.pooled == pytest.approx(90 / 102)
    assert one.per_task == pytest.approx(0.45)
    # nine criteria lost in the large matter, one gained in the small one: the two rates disagree
    other = scores((81, 19), (1, 1))
    assert BestSoFar().decide(one, other).accepted
    assert not BlendedMargin().decide(one, other).accepted
