"""From votes to a verdict, by table."""

import pytest

from tasks.judging.records import Vote
from tasks.judging.rubric.votes import at_odds, decide, shares, standing
from tasks.matter.failures import FailureCause
from tasks.matter.usage import Usage

STATUS = {"p": "pass", "f": "fail", "-": "unscored", "$": "unscored"}


def votes(*seats):
    """One word a seat; a letter a round: p, f, - (unscored) or $ (the budget was spent); after > the larger model's."""
    found = []
    for seat, word in enumerate(seats):
        for rung, letters in enumerate(word.split(">")):
            for round_, letter in enumerate(letters):
                if letter != ".":
                    cause = {"-": FailureCause.JUDGE, "$": FailureCause.BUDGET}.get(letter)
                    said = {"reasoning": f"{seat}{letter}", "status": STATUS[letter], "cause": cause}
                    found.append(Vote(judge="j", seat=seat, rung=rung, round=round_, **said))
    return found


ALL = [
    (["p"], "pass", None),
    (["f"], "fail", None),
    (["-"], "unscored", FailureCause.JUDGE),
    (["$"], "unscored", FailureCause.BUDGET),
    (["p", "p"], "pass", None),
    (["p", "f"], "fail", None),
    (["f", "p"], "fail", None),
    (["p", "-"], "unscored", FailureCause.JUDGE),
    (["$", "p"], "unscored", FailureCause.BUDGET),
    (["-", "f"], "fail", None),  # the missing vote could change nothing
    (["-", "-"], "unscored", FailureCause.JUDGE),
    (["p", "p", "f"], "fail", None),
    # rounds of one seat
    (["ppf"], "pass", None),
    (["pff"], "fail", None),
    (["pf"], "unscored", FailureCause.JUDGE),
    (["pp-"], "pass", None),
    (["p--"], "unscored", FailureCause.JUDGE),
    (["pf$"], "unscored", FailureCause.BUDGET),
    (["ff$", "ppp"], "fail", None),
    (["pf", "pp"], "unscored", FailureCause.JUDGE),
    # a ladder: the last rung counts, also where it could not answer
    (["->p"], "pass", None),
    (["->f"], "fail", None),
    (["->-"], "unscored", FailureCause.JUDGE),
    (["pf>ff"], "fail", None),
    (["p-p>.f."], "pass", None),
    (["pf>p$"], "unscored", FailureCause.BUDGET),
    ([], "unscored", FailureCause.JUDGE),
]
MAJORITY = [
    (["p"], "pass", None),
    (["p", "p", "f"], "pass", None),
    (["p", "f", "f"], "fail", None),
    (["p", "p", "-"], "pass", None),
    (["f", "f", "$"], "fail", None),
    (["p", "f", "-"], "unscored", FailureCause.JUDGE),
    (["p", "$", "f"], "unscored", FailureCause.BUDGET),
    (["p", "-", "-"], "unscored", FailureCause.JUDGE),
    (["p", "f"], "unscored", FailureCause.JUDGE),
    (["p", "p", "f", "f"], "unscored", FailureCause.JUDGE),
    (["p", "p", "p", "f"], "pass", None),
    (["ppf", "pff", "ppp"], "pass", None),
    (["->p", "f", "p"], "pass", None),
    ([], "unscored", FailureCause.JUDGE),
]


@pytest.mark.parametrize(
    ("rule", "seats", "status", "cause"),
    [("all", *row) for row in ALL] + [("majority", *row) for row in MAJORITY],
)
def test_a_verdict_is_computed_from_its_votes(rule, seats, status, cause):
    decision = decide(votes(*seats), rule)
    assert (decision.status, decision.cause) == (status, cause)
    assert decision == decide(list(reversed(votes(*seats))), rule)
    if status != "unscored":
        assert decision.decisive.status == status


def test_a_later_rung_replaces_an_earlier_one_in_its_round_alone():
    said = [(v.seat, v.round, v.rung, v.status) for v in standing(votes("pf>.p", "p"))]
    assert said == [(0, 0, 0, "pass"), (0, 1, 1, "pass"), (1, 0, 0, "pass")]


@pytest.mark.parametrize(
    ("letters", "odds"), [("pp", False), ("pf", True), ("p-", False), ("p", False), ("-f$p", True)]
)
def test_rounds_are_at_odds_where_two_of_them_differ(letters, odds):
    assert at_odds(votes(letters)) is odds


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_the_shares_of_a_call_add_up_to_it(parts):
    usage = Usage(
        input_uncached=100, cache_read=13, cache_write=1, output=8, cost_usd=0.3, cost_source="priced", calls=1
    )
    each = shares(usage, parts)
    assert len(each) == parts
    total = sum(each, Usage())
    assert total.model_copy(update={"cost_usd": 0.3}) == usage
    assert total.cost_usd == pytest.approx(0.3)
    assert [u.calls for u in each] == [1] + [0] * (parts - 1)
