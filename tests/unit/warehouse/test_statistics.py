"""Statistics: known values, and what an interval must do."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from warehouse import statistics
from warehouse.statistics import exact_p, ratio_interval, share_intervals


@pytest.mark.parametrize(("up", "down"), [(0, 0), (1, 0), (5, 5), (6, 0), (0, 6), (9, 1), (3, 11), (40, 61)])
def test_the_exact_test_is_the_binomial_sum(up: int, down: int) -> None:
    n = up + down
    tail = sum(comb(n, k) for k in range(min(up, down) + 1))
    assert exact_p(up, down) == pytest.approx(min(1.0, 2 * tail / 2**n))


def test_the_exact_test_of_a_whole_corpus_takes_no_time() -> None:
    """Twenty thousand discordant criteria are what two cells of the paper have."""
    assert exact_p(10_000, 10_000) == 1.0
    assert 0 < exact_p(9_000, 11_000) < 1e-40


def test_the_interval_of_a_mean_is_that_of_its_standard_error() -> None:
    draws = np.random.default_rng(1).normal(0.1, 1.0, 400).tolist()
    low, high = ratio_interval(draws, [1.0] * 400)
    middle, error = float(np.mean(draws)), float(np.std(draws)) / 20
    assert (low, high) == (
        pytest.approx(middle - 1.96 * error, abs=0.02),
        pytest.approx(middle + 1.96 * error, abs=0.02),
    )


def test_clusters_are_drawn_whole() -> None:
    """Ten matters of fifty criteria that fall together say no more than ten."""
    low, high = ratio_interval([50.0] * 5 + [0.0] * 5, [50.0] * 10)
    assert high - low > 0.5
    low, high = ratio_interval([25.0] * 10, [50.0] * 10)
    assert (low, high) == (0.5, 0.5)


def test_the_same_seed_gives_the_same_interval_and_another_another() -> None:
    parts, wholes = [n % 7.3 for n in range(60)], [8.0] * 60
    assert ratio_interval(parts, wholes) == ratio_interval(parts, wholes)
    assert ratio_interval(parts, wholes) != ratio_interval(parts, wholes, seed=1)


@pytest.mark.parametrize(("parts", "wholes"), [([], []), ([0.0], [0.0])])
def test_of_nothing_there_is_no_interval(parts: list[float], wholes: list[float]) -> None:
    assert ratio_interval(parts, wholes) == []


def test_clusters_without_anything_in_them_are_no_ratio() -> None:
    low, high = ratio_interval([1.0, 0.0], [2.0, 0.0])
    assert (low, high) == (0.5, 0.5)


def test_blocks_of_rounds_give_an_interval_too(monkeypatch: pytest.MonkeyPatch) -> None:
    parts, wholes = [float(n % 3) for n in range(90)], [2.0] * 90
    whole = ratio_interval(parts, wholes)
    monkeypatch.setattr(statistics, "_AT_ONCE", 900)
    assert ratio_interval(parts, wholes) == pytest.approx(whole, abs=0.02)


def test_two_right_of_two_are_not_certain() -> None:
    """By hand, Wilson at 95 % of 2 of 2: (1 + 3.8415 / 4 - 3.8415 / 4) / (1 + 3.8415 / 2) = 1 / 2.9207 = 0.3424."""
    assert ratio_interval([2.0], [2.0]) == [1.0, 1.0]
    (found,) = share_intervals([[2.0]], [[2.0]])
    assert found == [pytest.approx(0.3424, abs=1e-4), 1.0]


def test_the_interval_of_a_share_is_the_wider_of_both() -> None:
    """Ten matters of fifty criteria that fall together are drawn whole; where they are alike, Wilson's is wider."""
    together, alike = share_intervals([[50.0] * 5 + [0.0] * 5, [25.0] * 10], [[50.0] * 10] * 2)
    assert together == ratio_interval([50.0] * 5 + [0.0] * 5, [50.0] * 10)
    assert alike == [pytest.approx(0.4564, abs=1e-4), pytest.approx(0.5436, abs=1e-4)]
    assert share_intervals([[]], [[]]) == share_intervals([[0.0]], [[0.0]]) == [[]]


def test_one_cluster_is_every_sample_and_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "_draws", None)
    assert ratio_interval([3.0], [4.0]) == [0.75, 0.75]
