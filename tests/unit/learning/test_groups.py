"""Groups of edits with planted ones among them: what hides behind a helpful edit is found, and what helps is kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tasks.learning.simulator import groups
from tasks.learning.simulator.groups import CROWDED, NEAR, Groups, Offer, measure_groups, offered

WORLD = Groups()


@pytest.mark.slow
def test_few_planted_edits_are_kept_and_more_of_what_helps_than_before() -> None:
    found = measure_groups(WORLD, 20)
    ours, before = found["as_it_is"], found["taken_back"]
    for label, share in {"harmful": 0.01, "spoilt": 0.03, "hidden": 0.1, "nothing": 0.01, "worse": 0.08}.items():
        assert ours["kept"][label] <= share, label
    assert before["kept"]["worse"] > 0.2
    assert ours["kept"]["helpful"] > before["kept"]["helpful"]
    assert ours["regrown"] > 0.8 > before["regrown"]
    assert ours["promoted"] == before["promoted"] == 1.0
    assert measure_groups(WORLD, 2) == measure_groups(WORLD, 2)


@pytest.mark.slow
def test_what_answers_in_the_place_of_a_sound_edit_hardly_ever_stays_beside_it() -> None:
    """Where the sound one is not kept it is better than nothing, and may stay."""
    beside = []
    for run in range(20):
        rng = np.random.default_rng([0, run])
        matters, edits = groups._Matters(WORLD, groups.FARES, rng), offered(WORLD, rng)
        kept = groups.learners(groups._World(matters, WORLD), edits)
        of = {label: {one.target for one in kept if one.label == label} for label in ("hidden", groups.SOUND)}
        assert of[groups.SOUND]
        beside += of["hidden"] & of[groups.SOUND]
    assert len(beside) <= 0.02 * 20 * WORLD.hiding


@pytest.mark.slow
def test_many_rivals_keep_little_of_what_helps_out() -> None:
    """Half of the kinds have a rival of each label, as in the catalogue of the contract matters."""
    found = measure_groups(CROWDED, 20)["as_it_is"]
    assert found["regrown"] > 0.93
    assert found["kept"]["helpful"] > 0.9
    assert found["kept"]["harmful"] <= 0.01
    assert found["kept"]["worse"] <= 0.03
    assert found["kept"].keys() == {"helpful", *groups.RIVALS, "nothing"}


@pytest.mark.slow
def test_edits_that_need_each_other_are_kept_in_company() -> None:
    """By the evidence of each alone the whole is taken apart again; what is planted to harm stays out all the same."""
    found = measure_groups(NEAR, 20)
    ours, strict = found["as_it_is"], found["own_evidence"]
    assert strict["promoted"] < 0.75
    assert ours["promoted"] > 0.95
    assert ours["regrown"] > 0.9
    assert strict["regrown"] < 0.6
    for label, share in {"harmful": 0.01, "spoilt": 0.03, "nothing": 0.01, "worse": 0.05}.items():
        assert ours["kept"][label] <= share, label


def test_a_neighbour_takes_the_criteria_of_a_target_until_it_has_an_edit_too() -> None:
    near = replace(NEAR, targets=2, near=1)
    matters = groups._Matters(near, {**groups.FARES, groups.TAKEN: 0.0}, np.random.default_rng(1))
    ((target, neighbour),) = matters._neighbour.items()
    own, other = (Offer(groups.SOUND, of, ("file", of)) for of in (target, neighbour))
    assert matters.change(target, (), [other]).sum() < 0 < matters.change(target, [other], [other, own]).sum()
    assert matters.change(neighbour, (), [own]).sum() == pytest.approx(0.0)
    assert matters.rate([other, own]) == pytest.approx(matters.rate([]) + matters.gains((), [other, own]))


@pytest.mark.thorough  # the bound of test_sequential, with groups of edits around it
def test_edits_that_gain_and_lose_alike_are_promoted_no_more_often_than_is_said() -> None:
    for world in (WORLD, NEAR):
        found = measure_groups(replace(world, targets=12, planted=6, near=min(world.near, 12)), 60)
        assert found["as_it_is"]["false_promotion"] <= 0.05 / world.candidates


def test_what_is_offered_is_as_the_world_says() -> None:
    edits = offered(WORLD, np.random.default_rng(0))
    rivals = [one for one in edits if one.label in groups.RIVALS]
    assert {one.file for one in rivals} < {one.file for one in edits if one.label == groups.SOUND}
    assert not {one.file for one in edits if one.label == "hidden"} & {one.file for one in rivals}
    assert len(edits) == WORLD.targets + 3 * WORLD.planted + WORLD.hiding + WORLD.idle


def test_an_edit_changes_the_criteria_of_its_target_alone() -> None:
    matters = groups._Matters(WORLD, groups.FARES, np.random.default_rng(1))
    one, other = (Offer(groups.SOUND, target, ("file", target)) for target in (0, 1))
    both = matters.gains((), [one, other])
    assert both == pytest.approx(matters.gains((), [one]) + matters.gains([one], [one, other]))
    assert matters.rate([one, other]) - matters.rate([]) == pytest.approx(both)
    assert matters.gains((), [Offer(groups.NOTHING, -1, ("idle", 0))]) == pytest.approx(0.0)
