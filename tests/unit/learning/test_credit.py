"""What each edit of a promoted group is credited with: by itself, beside the others, and never by chance alone."""

from __future__ import annotations

import numpy as np
import pytest

from tasks.learning.credit import SHARE, beside_the_others, best_of, by_itself, credited, e_value


def gains(*edits: tuple[int, int], matters: int = 20, size: float = 0.06) -> np.ndarray:
    """Each edit gains on its first matters and loses on the next."""
    rows = np.zeros((len(edits), matters))
    for row, (gained, lost) in zip(rows, edits, strict=True):
        row[:gained], row[gained : gained + lost] = size, -size
    return rows


def test_an_e_value_is_one_on_average_where_a_gain_is_as_likely_as_a_loss() -> None:
    gained = np.arange(7)
    chances = np.array([1, 6, 15, 20, 15, 6, 1]) / 64
    assert float((chances * e_value(gained, 6 - gained)).sum()) == pytest.approx(1.0)
    assert (np.diff(e_value(gained, 6 - gained)) > 0).all()


def test_an_edit_alone_needs_five_matters_that_it_gains_on() -> None:
    assert [credited(gains((count, 0)))[0].passed for count in (4, 5)] == [False, True]
    assert not credited(gains((7, 2)))[0].passed
    assert not by_itself(np.array([])).any()


def test_where_ten_gain_and_none_loses_one_matter_each_is_enough() -> None:
    assert all(one.passed for one in credited(gains(*[(1, 0)] * 10)))
    assert not any(one.passed for one in credited(gains(*[(1, 0)] * 9)))


def test_what_loses_is_counted_against_what_gains_as_little() -> None:
    strong, weak = [(3, 0)] * 12, [(1, 0)] * 5
    found = credited(gains(*strong, *weak, (0, 1)))
    assert [one.passed for one in found] == [True] * 12 + [False] * 6
    assert all(one.passed for one in credited(gains(*strong, *weak)))


def test_what_acts_on_nothing_or_cannot_be_compared_never_passes() -> None:
    rows = gains(*[(3, 0)] * 12, (0, 0), (3, 0))
    rows[-1] = np.nan
    assert [one.passed for one in credited(rows)] == [True] * 12 + [False] * 2
    assert str(credited(rows)[0]).startswith("adds on 3 and takes away on 0 of 20 matters, lead 1.6")


def test_of_edits_that_do_not_add_few_pass_beside_many_that_do() -> None:
    """The bound is of the share of those that pass, over learning runs: 2 SHARE for the two counts together."""
    rng = np.random.default_rng(5)
    shares = {"signs": 0.0, "both": 0.0}
    for _ in range(300):
        sound, idle = (rng.random((20, 21)) < 0.15) * 0.06, rng.choice([-0.06, 0.0, 0.06], (20, 21), p=[0.1, 0.8, 0.1])
        rows = np.concatenate([sound, idle])
        leads = np.tanh(rows / 0.1).sum(axis=1)
        passed = {"signs": beside_the_others(leads), "both": np.array([one.passed for one in credited(rows)])}
        for name, which in passed.items():
            shares[name] += which[20:].sum() / max(1, which.sum()) / 300
    assert shares["signs"] <= SHARE
    assert shares["both"] <= 2 * SHARE


def test_of_rivals_that_gain_the_same_the_first_is_taken() -> None:
    assert best_of(gains((2, 0), (3, 0), (3, 0))) == 1
    assert best_of(gains((2, 1), (1, 0))) == 0


def test_of_rivals_that_win_here_and_lose_there_the_one_that_gains_more_is_taken() -> None:
    rows = np.zeros((2, 20))
    rows[0, 5], rows[1, :2] = 0.06, 0.06
    assert best_of(rows) == 1
    rows[0, 6:8] = 0.06
    assert best_of(rows) == 0
