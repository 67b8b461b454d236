"""hard-10: which matters it takes, that its plan is frozen, and what it tells of two solvers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from flows.settings import Settings
from flows.studies import hard_ten
from flows.studies.hard_ten import MeasuredMatter, climbed, hardest, lines, run_hard_ten
from flows.studies.request import StudyRequest
from tasks.learning import ledger
from tasks.learning.records import Decision, LedgerRow
from tasks.matter.failures import SolonError


def measured(name: str, area: str, rate: float, load: int = 2, criteria: int = 9) -> MeasuredMatter:
    return MeasuredMatter(matter_id=name, digest=name, area=area, rate=rate, load=load, criteria=criteria)


def test_the_hardest_of_each_area_come_first_and_then_the_second_ones() -> None:
    found = hardest(
        [
            measured("easy", "tax", 0.9), measured("hard", "tax", 0.1), measured("middle", "tax", 0.5),
            measured("light", "labor", 0.4), measured("heavy", "labor", 0.4, load=7),
            measured("long", "labor", 0.4, criteria=80), measured("ip", "ip", 0.8),
        ],
        most=5,
    )  # fmt: skip
    assert [one.matter_id for one in found] == ["hard", "heavy", "ip", "long", "middle"]
    assert hardest([]) == ()


def test_of_fewer_areas_than_ten_each_gives_one_before_any_gives_a_second() -> None:
    areas = ["a", "b", "c", "d", "e", "f", "g"]
    rich = [measured(f"{area}{n}", area, 0.1 * n if area == "a" else 0.9) for area in areas for n in range(6)]
    found = [one.area for one in hardest(rich)]
    assert sorted(found[:7]) == areas
    assert found[7] == "a"
    assert len(found) == 10


def test_a_matter_with_one_document_or_few_criteria_is_not_chosen() -> None:
    small, short = measured("small", "tax", 0.0, load=1), measured("short", "ip", 0.0, criteria=4)
    assert [one.matter_id for one in hardest([small, short, measured("fair", "tax", 0.9)])] == ["fair"]


def row(step: int, before: float, after: float, *, accepted: bool) -> LedgerRow:
    decision = Decision(policy="best_so_far", accepted=accepted, incumbent=before, candidate=after, reason="")
    return LedgerRow(
        learn_id="s-1", step=step, minibatch=2, base_version="a", candidate_version="b", surface="skills", path="p",
        rationale="r", diff="", edit_digest="d", gates=(), decision=decision, accepted=accepted,
    )  # fmt: skip


def test_a_solver_stands_where_its_last_kept_edit_brought_it() -> None:
    rows = [row(0, 0.2, 0.1, accepted=False), row(0, 0.2, 0.3, accepted=True), row(1, 0.3, 0.2, accepted=False)]
    assert [(point.step, point.score, point.accepted) for point in climbed("c", rows)] == [
        (-1, 0.2, 0), (0, 0.3, 1), (1, 0.3, 0)
    ]  # fmt: skip
    assert [point.score for point in climbed("c", [])] == [None]


def asked(home: Path, *cells: str, proposer: str = "rules", edits: int = 3) -> StudyRequest:
    settings = Settings(home=home, proposer=proposer)
    return StudyRequest("hard-10", settings, home / "corpus", cells or ("extractive", "extractive:none"), edits=edits)


def test_the_plan_is_frozen_and_only_steps_that_are_left_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    baselines: list[str] = []
    taken: list[dict[str, Any]] = []

    def baseline(ask: StudyRequest, run_id: str, *_: object) -> list[MeasuredMatter]:
        baselines.append(run_id)
        return [measured(f"m{n}", f"area {n}", n / 20) for n in range(14)]

    def learn(corpus: Path, settings: Settings, **given: Any) -> None:
        taken.append(given | {"policy": settings.policy})
        file = settings.home / "learning" / given["learn_id"] / "ledger.jsonl"
        begun = len(ledger.read(file))
        for step in range(begun, begun + given["steps"] - (begun == 0)):  # the first start is killed before its last
            ledger.append(file, row(step, 0.1 * step, 0.1 * (step + 1), accepted=True))

    monkeypatch.setattr(hard_ten, "_baseline", baseline)
    monkeypatch.setattr(hard_ten, "learn_corpus", learn)
    monkeypatch.setattr(hard_ten, "resolve_cell", lambda name, _: type("Cell", (), {"digest": f"digest of {name}"}))
    first = run_hard_ten(asked(tmp_path), "s")
    looked: list[str] = []
    monkeypatch.setattr(hard_ten, "record_looks", lambda seen, _, purpose: looked.append(purpose))
    again = run_hard_ten(asked(tmp_path), "s")
    assert looked == ["study hard-10"], "the baseline of each matter is told again"
    assert baselines == ["s-baseline"]
    assert first["matters"] == again["matters"]
    assert taken[0]["only"] == {f"m{n}" for n in range(10)}
    assert [(one["learn_id"], one["steps"], one["holdout"], one["policy"]) for one in taken] == [
        ("s-1", 10, 0.0, "best_so_far"), ("s-2", 10, 0.0, "best_so_far"),
        ("s-1", 1, 0.0, "best_so_far"), ("s-2", 1, 0.0, "best_so_far"),
    ]  # fmt: skip
    assert {one["max_edits"] for one in taken} == {3}
    assert [point["step"] for point in again["climb"] if point["cell"] == "extractive"] == list(range(-1, 10))
    assert lines(again)[-2].startswith("extractive:none: 0.000 -> 0.100 -> 0.200")
    with pytest.raises(SolonError, match="begun with other proposer"):
        run_hard_ten(asked(tmp_path, proposer="catalogue"), "s")
    with pytest.raises(SolonError, match="begun with other edits"):
        run_hard_ten(asked(tmp_path, edits=2), "s")
    with pytest.raises(SolonError, match="a step brings no edit"):
        run_hard_ten(asked(tmp_path, edits=0), "s")


@pytest.mark.parametrize("cells", [("extractive",), ("a", "b", "c")])
def test_two_solvers_are_compared(tmp_path: Path, cells: Sequence[str]) -> None:
    with pytest.raises(SolonError, match="two solvers"):
        run_hard_ten(asked(tmp_path, *cells), "s")
