"""Agreement measures against figures worked out by hand or published."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.judging.agreement.intervals import cluster_interval
from tasks.judging.agreement.lists import matching_f1, word_coverage
from tasks.judging.agreement.measures import (
    accuracy,
    cohen_kappa,
    confusion,
    fleiss_kappa,
    krippendorff_alpha,
    mcnemar,
)
from tasks.judging.agreement.repeats import repeats

# Fleiss 1971 as the textbooks work it: ten items, fourteen judges, five labels, kappa 0.210
FLEISS = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip
# Krippendorff 2011, section C: four observers, twelve units, gaps; nominal alpha 0.743
OBSERVED = [
    (1, 1, None, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
    (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (None, 5, 5, 5), (None, None, 1, 1), (None, None, 3, None),
]  # fmt: skip


def test_published_examples():
    rows = [[label for label, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    assert fleiss_kappa(rows) == pytest.approx(0.210, abs=0.0005)
    assert krippendorff_alpha(OBSERVED) == pytest.approx(0.743, abs=0.0005)
    table = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(table) == pytest.approx(0.4)


def test_what_is_not_defined_is_none():
    assert accuracy([(None, "pass")]) is None
    assert cohen_kappa([("pass", "pass")] * 5) is None
    assert cohen_kappa([]) is None
    assert fleiss_kappa([]) is None
    assert krippendorff_alpha([("a",), (None, "b")]) is None
    assert mcnemar([("pass", "pass")]) is None
    assert matching_f1(set(), set()) is None
    assert word_coverage([], [], []) is None
    with pytest.raises(ValueError, match="same two or more judges"):
        fleiss_kappa([("a", "b"), ("a",)])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40))
def test_two_judges_are_a_panel_of_two(pairs):
    kappa = cohen_kappa(pairs)
    assert accuracy(pairs) == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    assert kappa == cohen_kappa([(b, a) for a, b in pairs])
    assert kappa is None or kappa <= 1
    if all(a == b for a, b in pairs) and len({a for a, _ in pairs}) > 1:
        assert kappa == fleiss_kappa(pairs) == krippendorff_alpha(pairs) == 1


def test_mcnemar_is_the_exact_binomial_of_the_items_that_differ():
    pairs = [("pass", "fail")] * 8 + [("fail", "pass")] * 1 + [("pass", "pass")] * 50
    expected = 2 * sum(math.comb(9, k) for k in (0, 1)) / 2**9
    assert mcnemar(pairs) == pytest.approx(expected)
    assert mcnemar([(b, a) for a, b in pairs]) == pytest.approx(expected)


def test_confusion_counts_labels_that_were_not_given():
    assert confusion([("pass", None), ("pass", "fail"), ("pass", "fail")]) == {("pass", "fail"): 2, ("pass", "none"): 1}


def test_matches_and_words():
    assert matching_f1({(1, 1), (2, 2)}, {(1, 1), (2, 2)}) == 1
    assert matching_f1({(1, 1)}, set()) == 0
    words = [(0, 3), (4, 7), (8, 11), (12, 15)]
    assert word_coverage(words, [(0, 7)], [(0, 7)]) == 1
    assert word_coverage(words, [(0, 7)], [(4, 15)]) == 0.25  # the second word alone; three are covered by one side
    assert word_coverage(words, [(0, 5)], [(0, 3)]) == 1  # a word is covered as a whole or not


def test_an_interval_draws_matters_and_not_criteria():
    random_ = random.Random(1)
    items = [random_.random() < 0.7 for _ in range(200)]

    def share(drawn):
        return sum(drawn) / len(drawn)

    alone = cluster_interval(items, range(200), share)
    assert alone == cluster_interval(items, range(200), share)
    assert alone[0] < share(items) < alone[1]
    halves = [i for i in range(20) for _ in range(10)]
    together = cluster_interval([i < 10 for i in halves], halves, share)
    assert together[1] - together[0] > 3 * (0.5 * 1.96 / math.sqrt(200))  # ten criteria that go together are one
    assert cluster_interval(items, [0] * 200, share) is None


def test_judge_and_answer_are_told_apart():
    steady = {c: {a: [bool(a % 2)] * 3 for a in range(4)} for c in range(5)}
    found = repeats(steady)
    assert (found.judge_flips, found.judge_variance) == (0, 0)
    assert found.answer_flips == pytest.approx(4 / 6)
    assert found.answer_variance == pytest.approx(1 / 3)
    fickle = {c: {a: [True, False] for a in range(4)} for c in range(5)}
    found = repeats(fickle)
    assert (found.judge_flips, found.judge_variance) == (1, 0.5)
    assert found.answer_flips is None  # all ties
    assert found.answer_variance == pytest.approx(-0.25)  # the spread of means is 0: less than chance would give
    once = repeats({0: {0: [True], 1: [False]}, 1: {0: []}})
    assert (once.criteria, once.judge_flips, once.answer_flips, once.answer_variance) == (1, None, 1, None)


def test_the_two_variances_of_a_known_source_come_back():
    random_ = random.Random(7)
    verdicts = {}
    for c in range(400):
        rates = [random_.choice((0.1, 0.9)) for _ in range(4)]  # variance of the rate: 0.16
        verdicts[c] = {a: [random_.random() < r for _ in range(4)] for a, r in enumerate(rates)}
    found = repeats(verdicts)
    assert found.judge_variance == pytest.approx(0.09, abs=0.01)
    assert found.answer_variance == pytest.approx(0.16, abs=0.015)
