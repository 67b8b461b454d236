"""Paired comparison of two cells: hand-made verdicts with known answers."""

from __future__ import annotations

import random

import pytest

from tasks.learning.paired import FEW, compare
from warehouse.statistics import exact_p


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


# -- properties --------------------------------------------------------------------------------------------------------


def drawn(rng: random.Random, matters: int, letters: str = "PFU") -> dict[tuple[str, int, str], str]:
    return verdicts(**{f"m{n}": "".join(rng.choices(letters, k=rng.randint(1, 9))) for n in range(matters)})


@pytest.mark.parametrize("seed", range(12))
def test_turning_the_two_cells_round_turns_every_sign(seed):
    rng = random.Random(seed)
    base, other = drawn(rng, 8), drawn(rng, 8)
    there, back = compare(base, other, rounds=60), compare(other, base, rounds=60)
    assert there.pooled_difference == -back.pooled_difference
    assert there.matter_difference == pytest.approx(-back.matter_difference, abs=2e-6)
    assert (there.better, there.worse, there.same) == (back.worse, back.better, back.same)
    assert (there.gained, there.lost) == (back.lost, back.gained)
    assert (there.sign_p, there.mcnemar_p) == (back.sign_p, back.mcnemar_p)
    assert (there.criteria, there.left_out, there.matters) == (back.criteria, back.left_out, back.matters)
    low, high = there.pooled_interval
    assert back.pooled_interval == pytest.approx((-high, -low))


@pytest.mark.parametrize("seed", range(12))
def test_the_parts_add_up(seed):
    rng = random.Random(seed)
    base, other = drawn(rng, 7), drawn(rng, 9)
    paired = compare(base, other, rounds=60)
    assert paired.criteria + paired.left_out == len({*base, *other})
    assert paired.better + paired.worse + paired.same == paired.matters == len(paired.by_matter)
    assert paired.pooled_difference * paired.criteria == pytest.approx(paired.gained - paired.lost, abs=1e-4)
    assert paired.matter_difference == pytest.approx(sum(paired.by_matter.values()) / max(1, paired.matters), abs=2e-6)
    for difference, (low, high) in (
        (paired.pooled_difference, paired.pooled_interval),
        (paired.matter_difference, paired.matter_interval),
    ):
        assert -1 <= low <= difference <= high <= 1


def test_the_order_in_which_verdicts_come_says_nothing():
    rng = random.Random(3)
    base, other = drawn(rng, 8), drawn(rng, 8)
    turned = dict(reversed(base.items())), dict(reversed(other.items()))
    assert compare(*turned, rounds=60) == compare(base, other, rounds=60)


def test_more_matters_of_the_same_kind_make_the_interval_narrower():
    def width(matters: int) -> float:
        base = {f"m{n}": "F" * 4 for n in range(matters)}
        other = {f"m{n}": "PPFF" if n % 2 else "FFFF" for n in range(matters)}
        low, high = compare(verdicts(**base), verdicts(**other), rounds=400).pooled_interval
        return high - low

    assert width(64) < 0.6 * width(16) < 0.36 * width(4)


def test_another_seed_moves_the_interval_and_nothing_else():
    rng = random.Random(5)
    base, other = drawn(rng, 9, "PF"), drawn(rng, 9, "PF")
    one, two = (compare(base, other, seed=seed, rounds=50) for seed in (0, 1))
    moved = {"pooled_interval", "matter_interval", "seed"}
    assert one.model_dump(exclude=moved) == two.model_dump(exclude=moved)
    assert one.pooled_interval != two.pooled_interval
    assert (one.seed, two.seed, one.rounds) == (0, 1, 50)


def test_the_interval_is_the_middle_95_percent():
    """Of one matter that gains and one that loses, a sample of two is -1, 0 or 1: a quarter, a half, a quarter."""
    paired = compare(verdicts(a="F", b="P"), verdicts(a="P", b="F"), rounds=400)
    assert paired.pooled_interval == paired.matter_interval == (-1.0, 1.0)
    many = {f"m{n}": "F" for n in range(40)}
    one_gain = compare(verdicts(**many), verdicts(**{**many, "m0": "P"}), rounds=2_000)
    low, high = one_gain.pooled_interval
    assert low == 0.0
    assert high == pytest.approx(3 / 40)  # drawn more than thrice of forty: 1.8 %


@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_the_exact_test_is_a_probability(n):
    ps = [exact_p(k, n - k) for k in range(n + 1)]
    assert ps == ps[::-1]  # two-sided
    assert all(0 < p <= 1 for p in ps)
    assert ps[: n // 2 + 1] == sorted(ps[: n // 2 + 1])  # more uneven, less likely
    assert ps[0] == pytest.approx(min(1.0, 2 / 2**n))


def test_lines_say_every_number_with_its_sign():
    paired = compare(verdicts(a="FFU", b="PP"), verdicts(a="PFP", b="PF"), rounds=10)
    first, pooled, matters, criteria, *notes = paired.lines()
    assert first == "n 2 matters, 4 criteria scored under both (1 left out)"
    assert pooled.startswith("pooled difference +0.0000 [")
    assert pooled.endswith("(95 %, bootstrap by matter, seed 0)")
    assert matters == "matters better 1, worse 1, same 0; sign test p 1.0000"
    assert criteria == "criteria gained 1, lost 1; McNemar p 1.0000"
    assert len(notes) == 2
