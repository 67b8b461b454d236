"""Which mechanisms a cell has, and in which order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skills_repo.mechanism_settings import MechanismSettings, parse_mechanisms
from skills_repo.schema import SkillError
from tasks.drafting.mechanisms.records import Compaction, Guard, Landing, Moment, Picks, Repair
from tasks.drafting.mechanisms.registry import MOMENTS, mechanisms_of
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef, find_harness, packaged
from tasks.matter.failures import SolonError

_PROTOCOLS = {
    Moment.CALL: Repair, Moment.CONTEXT: Compaction, Moment.FINISH: Guard, Moment.END: Landing, Moment.PICK: Picks,
}  # fmt: skip


def cell(**switches: Any) -> Cell:
    return Cell(name="c", runtime="basic", options={"mechanisms": switches} if switches else {})


def test_every_mechanism_of_the_file_is_made_in_order_and_fits_its_moment() -> None:
    everyone = mechanisms_of(cell(**dict.fromkeys(MechanismSettings.names(), True)), packaged())
    assert tuple(m.name for m in everyone) == MechanismSettings.names()
    assert all(isinstance(m, _PROTOCOLS[m.moment]) for m in everyone)
    assert {m.name: m.moment for m in everyone} == MOMENTS


@pytest.mark.parametrize("name", MechanismSettings.names())
def test_a_cell_switches_a_mechanism_either_way(name: str) -> None:
    usual = [m.name for m in mechanisms_of(cell(), packaged())]
    assert (name in usual) == packaged().mechanisms.switched_on(name)
    assert name not in [m.name for m in mechanisms_of(cell(**{name: False}), packaged())]
    assert name in [m.name for m in mechanisms_of(cell(**{name: True}), packaged())]


@pytest.mark.parametrize(
    ("told", "said"),
    [({"laning": True}, "is no mechanism of this version"), ({"call_repair": "no"}, "is 'no'"), ([1], "is no table")],
)
def test_a_switch_that_means_nothing_is_refused(told: Any, said: str) -> None:
    odd = Cell(name="c", runtime="basic", options={"mechanisms": told})
    with pytest.raises(SolonError, match=said):
        mechanisms_of(odd, packaged())


def test_the_warehouse_takes_every_moment() -> None:
    import tomllib

    import warehouse

    file = Path(warehouse.__file__).parent / "expectations" / "mechanism_firing.toml"
    sets = [e.get("value_set") for e in tomllib.loads(file.read_text())["expect"] if e.get("column") == "moment"]
    assert [sorted(known) for known in sets] == [sorted(moment.value for moment in Moment)]


def shipped() -> str:
    return (find_harness().skills / "mechanisms.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[call_repair]", "[call_repairs]", "call_repair: Field required"),
        ("prefix_least = 3", "prefix_least = 0", "call_repair.prefix_least"),
        ("on = true", 'on = "yes"', "call_repair.on"),
        ("on = true", "on = true\nspeed = 1", "call_repair.speed"),
        ("[call_repair]", "[call_repair", "is no TOML"),
    ],
)
def test_a_file_that_breaks_its_schema_is_named(old: str, new: str, said: str) -> None:
    with pytest.raises(SkillError, match=said):
        parse_mechanisms(shipped().replace(old, new, 1))


def test_the_mechanisms_count_in_the_version_of_the_harness(tmp_path: Any) -> None:
    import shutil

    from tasks.harness import harness_version

    ref: HarnessRef = find_harness()
    shutil.copytree(ref.skills, tmp_path / "skills")
    before = harness_version(ref.knowledge, tmp_path / "skills")
    (tmp_path / "skills" / "mechanisms.toml").write_text(shipped().replace("on = true", "on = false", 1), "utf-8")
    assert harness_version(ref.knowledge, tmp_path / "skills") != before
