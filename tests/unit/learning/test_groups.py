"""Groups of edits with planted ones among them: what hides behind a helpful edit is found, and what helps is kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tasks.learning.simulator import groups
from tasks.learning.simulator.groups import CROWDED, Groups, Offer, measure_groups, offered

WORLD = Groups()


@pytest.mark.slow
def test_few_planted_edits_are_kept_and_more_of_what_helps_than_before() -> None:
    found = measure_groups(WORLD, 20)
    ours, before = found["own_evidence"], found["taken_back"]
    for label, share in {"harmful": 0.01, "spoilt": 0.03, "hidden": 0.03, "nothing": 0.01, "worse": 0.08}.items():
        assert ours["kept"][label] <= share, label
    assert before["kept"]["worse"] > 0.2
    assert ours["kept"]["helpful"] > before["kept"]["helpful"]
    assert ours["regrown"] > 0.8 > before["regrown"]
    assert ours["promoted"] == before["promoted"] == 1.0
    assert measure_groups(WORLD, 2) == measure_groups(WORLD, 2)


@pytest.mark.slow
def test_many_rivals_keep_little_of_what_helps_out() -> None:
    """Half of the kinds have a rival of each label, as in the catalogue of the contract matters."""
    found = measure_groups(CROWDED, 20)["own_evidence"]
    assert found["regrown"] > 0.93
    assert found["kept"]["helpful"] > 0.9
    assert found["kept"]["harmful"] <= 0.01
    assert found["kept"]["worse"] <= 0.03
    assert found["kept"].keys() == {"helpful", *groups.RIVALS, "nothing"}


@pytest.mark.thorough  # the bound of test_sequential, with groups of edits around it
def test_edits_that_gain_and_lose_alike_are_promoted_no_more_often_than_is_said() -> None:
    assert measure_groups(replace(WORLD, targets=12), 60)["own_evidence"]["false_promotion"] <= 0.05 / WORLD.candidates


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
