"""Paired comparison of two cells: hand-made verdicts with known answers."""

from __future__ import annotations

import random

import pytest

from tasks.learning.paired import FEW, compare, exact_p


def verdicts(**matters: str) -> dict[tuple[str, int, str], str]:
    """Make verdicts of ``matter="PFU"``: one letter a criterion."""
    names = {"P": "pass", "F": "fail", "U": "unscored"}
    return {(m, 1, f"c{n}"): names[letter] for m, letters in matters.items() for n, letter in enumerate(letters)}


def test_differences_are_taken_matter_by_matter():
    base, other = verdicts(a="PPFF", b="PF", c="PP"), verdicts(a="PPPP", b="FF", c="PP")
    paired = compare(base, other)
    assert paired.by_matter == {"a": 0.5, "b": -0.5, "c": 0.0}
    assert (paired.matters, paired.criteria, paired.left_out) == (3, 8, 0)
    assert (paired.better, paired.worse, paired.same) == (1, 1, 1)
    assert (paired.gained, paired.lost) == (2, 1)
    assert paired.pooled_difference == pytest.approx(1 / 8)
    assert paired.matter_difference == 0.0


def test_only_criteria_that_both_scored_count():
    """A criterion that one of the two left unscored, or never had, gains nothing for either."""
    base, other = verdicts(a="FFU", b="P"), verdicts(a="PUP", b="PP", d="P")
    paired = compare(base, other)
    assert (paired.criteria, paired.left_out) == (2, 4)
    assert (paired.gained, paired.lost, paired.matters) == (1, 0, 2)
    assert paired.pooled_difference == 0.5


def test_epochs_are_pairs_of_their_own():
    base = {("a", 1, "c"): "fail", ("a", 2, "c"): "fail"}
    paired = compare(base, {("a", 1, "c"): "pass", ("a", 2, "c"): "fail"})
    assert (paired.matters, paired.criteria, paired.by_matter) == (1, 2, {"a": 0.5})


def test_the_interval_is_by_matter_and_not_by_criterion():
    """Ten matters of fifty criteria that fall together say no more than ten: the interval must be that wide."""
    rng = random.Random(1)
    base = verdicts(**{f"m{n}": "F" * 50 for n in range(10)})
    other = verdicts(**{f"m{n}": ("P" if n < 5 else "F") * 50 for n in range(10)})
    low, high = compare(base, other).pooled_interval
    assert high - low > 0.5  # by criterion it would be below 0.09
    spread = {f"m{n}": "".join(rng.choice("PF") for _ in range(50)) for n in range(10)}
    low, high = compare(base, verdicts(**spread)).pooled_interval
    assert high - low < 0.15
    assert low < compare(base, verdicts(**spread)).pooled_difference < high


def test_the_pooled_and_the_mean_difference_weigh_matters_differently():
    base, other = verdicts(a="F" * 9, b="P"), verdicts(a="P" * 9, b="F")
    paired = compare(base, other)
    assert (paired.pooled_difference, paired.matter_difference) == (0.8, 0.0)
    assert paired.pooled_interval == (-1.0, 1.0)


def test_the_same_cell_differs_in_nothing_and_the_same_seed_gives_the_same_numbers():
    one = verdicts(a="PF", b="PPF")
    same = compare(one, one)
    assert (same.pooled_difference, same.pooled_interval, same.sign_p, same.mcnemar_p) == (0.0, (0.0, 0.0), 1.0, 1.0)
    other = verdicts(a="PP", b="FPF")
    assert compare(one, other) == compare(one, other)
    assert compare(one, other).by_matter == {k: -v for k, v in compare(other, one).by_matter.items()}


def test_nothing_in_common_is_said_and_no_crash():
    empty = compare({}, verdicts(a="P"))
    assert (empty.matters, empty.criteria, empty.left_out, empty.pooled_difference) == (0, 0, 1, None)
    assert "pooled difference not scored" in empty.lines()[1]


@pytest.mark.parametrize(
    ("up", "down", "p"), [(0, 0, 1.0), (1, 0, 1.0), (5, 5, 1.0), (6, 0, 0.03125), (0, 6, 0.03125), (9, 1, 0.021484375)]
)
def test_exact_test_of_a_split(up, down, p):
    assert exact_p(up, down) == pytest.approx(p)


def test_caveats_stand_where_they_are_due():
    few = compare(verdicts(a="F"), verdicts(a="P"))
    assert any("independent" in c for c in few.caveats)
    assert any("too narrow" in c for c in few.caveats)
    many = {f"m{n}": "F" for n in range(FEW)}
    assert compare(verdicts(**many), verdicts(**many)).caveats == ()
    assert any("McNemar p" in line for line in few.lines())
    assert any(line.startswith("note:") for line in few.lines())
