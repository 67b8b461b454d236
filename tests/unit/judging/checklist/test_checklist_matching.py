"""One-to-one matching, and what every comparison of lists must keep."""

import random
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tasks.judging.checklist.comparing import compare
from tasks.judging.checklist.matching import pair_up
from tasks.judging.checklist.offline import OfflineComparator
from tasks.judging.checklist.records import Relation

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14)
WORDS = st.sampled_from(
    [
        "2 May 2022",
        "May 2022",
        "Motion to stay",
        "The motion to stay",
        "not granted",
        "granted",
        "$5",
        "five dollars",
        "Yes",
    ]
)
VALUES = st.lists(WORDS, max_size=6)


def largest(pairs):
    """Try every order: the size of a largest matching, by brute force."""
    rights = sorted({r for _, r in pairs})
    lefts = sorted({left for left, _ in pairs})
    allowed = set(pairs)
    best = 0
    for order in permutations(rights + [None] * len(lefts), len(lefts)) if len(lefts) <= 3 else ():
        best = max(best, sum((left, r) in allowed for left, r in zip(lefts, order, strict=True)))
    return best


@given(PAIRS)
def test_no_position_stands_twice_and_no_pair_is_invented(pairs):
    found = pair_up(pairs)
    assert set(found) <= set(pairs)
    assert len({left for left, _ in found}) == len({right for _, right in found}) == len(found)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=8))
def test_as_many_have_a_partner_as_can(pairs):
    assert len(pair_up(pairs)) == largest(pairs)


@given(PAIRS, st.randoms())
def test_the_order_of_the_pairs_and_the_side_do_not_change_the_number(pairs, chance):
    mixed = chance.sample(pairs, len(pairs))
    assert len(pair_up(mixed)) == len(pair_up(pairs)) == len(pair_up((right, left) for left, right in pairs))


@given(PAIRS, st.tuples(st.integers(0, 5), st.integers(0, 5)))
def test_another_pair_never_makes_fewer(pairs, more):
    assert len(pair_up(pairs)) <= len(pair_up([*pairs, more])) <= len(pair_up(pairs)) + 1


def test_a_value_that_covers_two_is_matched_once():
    assert len(pair_up([(0, 0), (1, 0), (2, 0)])) == 1


def score(gavel, ours, theirs):
    items = compare(gavel.checklist, gavel.filled(filings=ours), gavel.filled(filings=theirs), OfflineComparator())
    return items[0].score if items else None


@given(VALUES, VALUES, st.randoms())
def test_a_score_knows_neither_sides_nor_order(gavel, ours, theirs, chance):
    expected = score(gavel, ours, theirs)
    assert score(gavel, theirs, ours) == expected
    assert score(gavel, chance.sample(ours, len(ours)), chance.sample(theirs, len(theirs))) == expected
    assert expected is None or 0 <= expected <= 1


@given(VALUES)
def test_a_list_against_itself_scores_one(gavel, values):
    assert score(gavel, values, values) in {None, 1.0}


@given(VALUES, VALUES, WORDS)
def test_a_right_value_more_never_lowers_a_score_and_a_wrong_one_never_raises_it(gavel, ours, theirs, more):
    right = score(gavel, [*ours, f"{more} one"], [*theirs, f"{more} one"])
    wrong = score(gavel, [*ours, f"{more} of nobody"], theirs)
    before = score(gavel, ours, theirs)
    if before is not None and len(ours) != 1 != len(theirs):  # two single values may share half a point
        assert right >= before >= wrong


@given(WORDS, WORDS)
def test_a_relation_seen_from_the_other_side_is_its_flip(gavel, one, other):
    by, item = OfflineComparator(), gavel.items["filings"]
    assert by.relation(item, one, other) is by.relation(item, other, one).flipped()
    matched = bool(by.match(item, [one], [other]).pairs)
    assert matched is (by.relation(item, one, other) is Relation.EQUAL)


def test_five_hundred_values_against_five_hundred_are_matched_whole(gavel):
    chance = random.Random(0)
    theirs = [f"Motion {n} of {chance.choice(['Ann', 'Bob', 'Eve'])} to dismiss claim {n * 7}" for n in range(500)]
    ours = chance.sample(theirs, 400) + [f"Another motion about claim {n}" for n in range(100)]
    assert score(gavel, ours, theirs) == 2 * 400 / 1000


def test_a_dense_judge_of_five_hundred_values_is_matched_whole():
    assert len(pair_up((a, b) for a in range(500) for b in range(500) if (a * 31 + b * 17) % 7)) == 500
