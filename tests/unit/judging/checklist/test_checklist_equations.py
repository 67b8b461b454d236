"""Equations 1 and 2 with numbers worked by hand."""

import doctest
import math

import pytest

from tasks.judging.checklist import coverage, equations, matching
from tasks.judging.checklist.comparing import compare
from tasks.judging.checklist.equations import list_score, s_checklist, s_gavel, s_residual, s_style, single_score
from tasks.judging.checklist.offline import OfflineComparator
from tasks.judging.checklist.records import Relation


@pytest.mark.parametrize("module", [equations, matching, coverage])
def test_the_numbers_of_the_docstrings_are_right(module):
    assert doctest.testmod(module).attempted > 0
    assert doctest.testmod(module).failed == 0


def test_a_single_value_scores_one_half_or_nothing():
    assert [single_score(r) for r in Relation] == [1.0, 0.5, 0.5, 0.0]


@pytest.mark.parametrize(("matched", "ours", "theirs"), [(3, 5, 5), (1, 1, 2), (2, 6, 4), (0, 3, 1), (7, 7, 7)])
def test_the_score_of_a_list_is_the_harmonic_mean_of_precision_and_recall(matched, ours, theirs):
    precision, recall = matched / ours, matched / theirs
    harmonic = 2 * precision * recall / (precision + recall) if matched else 0.0
    assert list_score(matched, ours, theirs) == pytest.approx(harmonic)


def test_the_figure_of_the_paper_with_precision_one_and_recall_one_half():
    assert list_score(1, 1, 2) == pytest.approx(2 / 3)  # item Appeal of case 43417, figure 16


def test_items_that_do_not_apply_do_not_count():
    assert s_checklist([1.0, 0.0]) == 50.0  # not (1 + 0 + 24 · 1) / 26
    assert s_checklist([]) is None


def test_style_runs_from_0_to_100():
    assert (s_style([1, 1, 1, 1, 1]), s_style([3]), s_style([5, 5, 5, 5, 5])) == (0.0, 50.0, 100.0)


def test_equation_2_by_hand():
    # 0.889 · 0.9 · 60 + 0.111 · 0.9 · 20 + 0.1 · 71 = 48.006 + 1.998 + 7.1
    assert s_gavel(0.9, 0.111, 60, 20, 71) == pytest.approx(57.104)
    assert s_gavel(1.0, 0.25, 80, 40, None) == pytest.approx(70.0)  # style has no weight
    assert s_gavel(0.9, 1.0, None, 50, 50) == pytest.approx(50.0)  # nor has the checklist where all is residual


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_part_with_weight_that_is_missing_leaves_no_score(missing):
    parts = [50.0, 50.0, 50.0]
    parts[missing] = None
    assert s_gavel(0.9, 0.5, *parts) is None


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("ratio", [0.0, 0.2, 1.0])
def test_equal_parts_give_their_own_value_whatever_the_weights(alpha, ratio):
    assert math.isclose(s_gavel(alpha, ratio, 42.0, 42.0, 42.0), 42.0)


def test_no_residual_fact_on_either_side_is_no_score():
    assert s_residual(0, 0, 0) is None
    assert s_residual(0, 3, 0) == 0.0


def test_four_items_by_hand(gavel):
    # equal 1; a part ½; 2 of 3 matched on both sides ⅔; left out 0: (1 + 0.5 + 0.667 + 0) / 4 = 54.17
    theirs = gavel.filled(
        filing_date=["2 May 2022"],
        judge_name=["Ann Bell of Boston"],
        filings=["Motion to dismiss", "Motion to stay", "Motion for fees"],
        appeals=["Doe appealed"],
    )
    ours = gavel.filled(
        filing_date=["05/02/2022"],
        judge_name=["Judge Ann Bell"],
        filings=["Motion for costs", "The motion to stay", "The motion to dismiss"],
    )
    items = compare(gavel.checklist, ours, theirs, OfflineComparator())
    assert [round(i.score, 3) for i in items] == [1.0, 0.5, 0.667, 0.0]
    assert [i.manner for i in items] == ["single", "single", "list", "single"]
    assert [i.relation for i in items] == ["equal", "contained", "", ""]
    assert (items[2].missed, items[2].added) == ((2,), (0,))
    assert s_checklist([i.score for i in items]) == pytest.approx(54.1667, abs=1e-3)
