"""The share of a gain that came back: pooled over criteria, with an interval that draws whole matters."""

from __future__ import annotations

import numpy as np
import pytest

from tasks.learning.records import MatterScore
from tasks.learning.share import FEW_MATTERS, UNTOLD, Share, lines, share_of


def scored(key: str, criteria: int, *passed: int) -> tuple[MatterScore, ...]:
    return tuple(MatterScore(matter_key=key, passed=p, failed=criteria - p, unscored=0, tokens=0) for p in passed)


def ten(**changed: tuple[int, int, int, int]) -> list[tuple[MatterScore, ...]]:
    counts = {f"m{n}": (10 + n, n % 3, n % 3 + 3 + n % 2, 8 + n % 3) for n in range(10)} | changed
    return [scored(key, *of) for key, of in counts.items()]


def test_the_share_is_what_was_learned_of_what_the_shipped_harness_gains() -> None:
    found = share_of([scored("a", 10, 2, 6, 10), scored("b", 20, 3, 6, 15)])
    assert (found.empty.pooled, found.learned.pooled, found.shipped.pooled) == (5 / 30, 12 / 30, 25 / 30)
    assert found.learned_gain is not None
    assert found.shipped_gain is not None
    assert (found.learned_gain.points, found.shipped_gain.points) == (round(7 / 30, 6), round(20 / 30, 6))
    assert found.share == 0.35
    assert found.interval == (0.25, 0.5), "of two matters the samples are one, the other, or both"
    assert found.caveats == (FEW_MATTERS,)


def test_the_interval_draws_matters_with_all_their_attempts_and_stays_the_same() -> None:
    """Each sample is a count of each matter; the share of a sample is that of the matters drawn."""
    scores = ten()
    found = share_of(scores)
    again = share_of(list(reversed(scores)))
    assert (again.share, again.interval, again.shipped_gain) == (found.share, found.interval, found.shipped_gain)
    times = np.random.default_rng(found.seed).multinomial(10, [0.1] * 10, size=found.rounds)
    gains = np.array([[each[at].passed - each[0].passed for at in (1, 2)] for each in scores])
    drawn = times @ gains
    low, high = np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])
    assert found.interval == pytest.approx((low, high), abs=1e-6)
    assert low < found.share < high  # type: ignore[operator]
    assert found.caveats == ()


def test_two_attempts_at_a_matter_are_one_of_what_is_drawn() -> None:
    scores = ten()
    twice = share_of([*scores, *scores])
    assert (twice.matters, twice.share, twice.interval) == (10, share_of(scores).share, share_of(scores).interval)


def test_of_a_gain_that_is_none_there_is_no_share() -> None:
    flat = share_of(ten(**{f"m{n}": (10, 5, 6, 4 + 2 * (n % 2)) for n in range(10)}))
    assert (flat.share, flat.interval, flat.caveats) == (None, None, (UNTOLD,))
    assert any("came back: not told" in line for line in lines(flat))
    nothing = share_of([scored("a", 0, 0, 0, 0)])
    assert (nothing.matters, nothing.learned_gain, nothing.share) == (0, None, None)
    assert "empty not scored, learned not scored, shipped not scored" in lines(nothing)[0]


def test_it_is_told_with_its_interval() -> None:
    told = lines(share_of([scored("a", 10, 2, 6, 10), scored("b", 20, 3, 6, 15)]))
    assert told[0].startswith("held out: empty 0.1667, learned 0.4000, shipped 0.8333; n 2 matters, 30 criteria")
    assert told[2].startswith("share of the shipped gain that came back: 35.0% [25.0%, 50.0%] (95 %, paired bootstrap")
    assert Share.model_validate_json(share_of(ten()).model_dump_json()) == share_of(ten())
