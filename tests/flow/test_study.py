"""`solon study`: a frozen plan, resumed as it was begun, and answers from the warehouse of its own runs alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from flows.settings import Settings
from flows.studies.request import StudyRequest
from flows.studies.surfaces import parts_of
from flows.study import run_study
from tasks.harness import find_harness, surface_versions
from tasks.matter.failures import SolonError


def learned(folder: Path, *changed: str) -> Path:
    """A copy of the shipped harness with a line added to some of its files."""
    shipped = find_harness(None)
    shutil.copytree(shipped.skills, folder / "skills_repo", ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    shutil.copytree(shipped.knowledge, folder / "knowledge_db" / "data")
    for name in changed:
        file = folder / name
        file.write_text(file.read_text("utf-8") + "# learned\n", "utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.usefixtures("unchecked", "unpictured", "kept_workers", "sealed_here")
def test_a_study_is_run_resumed_and_answered(
    corpus: Callable[..., Path], offline: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = StudyRequest("revision", offline, corpus(1), ("extractive",), values=("0", "1"))
    first = run_study(ask, "deep", quiet=True)
    assert first.runs == ("deep-1",)
    assert [row["cell"] for row in first.answers["how_did_each_cell_do"]] == [
        "extractive.revise-0", "extractive.revise-1",
    ]  # fmt: skip
    assert {row["cell"] for row in first.answers["trace_defects"] if row["defect"] == "D5"} == {"extractive.revise-0"}
    assert "Study deep" in first.report.read_text("utf-8")
    attempts = sorted(offline.runs.rglob("attempt.json"))
    monkeypatch.setattr("flows.study.render_report", lambda *_: first.report)
    assert run_study(ask, "deep", quiet=True) == first
    assert sorted(offline.runs.rglob("attempt.json")) == attempts, "nothing is run twice"
    with pytest.raises(SolonError, match="was begun with other arms"):
        run_study(replace(ask, values=("0", "2")), "deep", quiet=True)


@pytest.mark.slow
@pytest.mark.usefixtures("unchecked", "unpictured", "kept_workers", "sealed_here")
def test_harnesses_are_compared_on_runs_of_their_own(
    corpus: Callable[..., Path], offline: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.study.render_report", lambda *_: tmp_path)  # drawn by the test above
    other = learned(tmp_path / "learned", "skills_repo/gates.toml")
    ask = StudyRequest("transfer", offline, corpus(1), ("extractive",), harnesses=(other,))
    moved = run_study(ask, "move", quiet=True)
    assert moved.runs == ("move-1", "move-2")
    told = moved.answers["what_does_a_harness_bring_each_cell"]
    assert [(row["run_id"], row["surfaces"], row["matters"], row["gain"]) for row in told] == [
        ("move-2", "gates", 1, 0.0)
    ]
    assert {row["run_id"] for row in moved.answers["how_did_each_cell_do"]} == set(moved.runs)
    again = replace(ask, name="rescue", harnesses=(find_harness(None).skills.parent, other))
    saved = run_study(again, "saved", quiet=True)
    told = saved.answers["which_matters_were_rescued_by_which_harness"]
    assert [(row["run_id"], row["gain"]) for row in told] == [("saved-1", 0.0), ("saved-2", 0.0)], "of no run before"


def test_a_learned_harness_is_taken_apart_by_surface(tmp_path: Path) -> None:
    base = find_harness(None)
    other = find_harness(learned(tmp_path / "learned", "skills_repo/gates.toml", "skills_repo/prompts/api.md"))
    parts = parts_of(base, other, tmp_path / "parts")
    assert set(parts) == {"gates", "prompts"}
    before, after = surface_versions(base), surface_versions(other)
    for name, folder in parts.items():
        made = surface_versions(find_harness(folder))
        assert made == {**before, name: after[name]}, "one surface is the learned one, all others are as they were"
    assert parts_of(base, other, tmp_path / "parts") == parts, "made once"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": "revision", "values": ("many",)}, "no number of passes"),
        ({"name": "effort"}, "asks no model"),
        ({"name": "summaries"}, "calls no tools"),
        ({"name": "frontier"}, "at least two cells"),
        ({"name": "rescue"}, "at least two harnesses"),
        ({"name": "transfer"}, "one learned harness"),
        ({"name": "curve", "learned": "never"}, "no learning run 'never'"),
        ({"name": "guesswork"}, "is no study"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    changes: dict[str, object], why: str, corpus: Callable[..., Path], offline: Settings
) -> None:
    ask = StudyRequest("length", offline, corpus(1), ("extractive",))
    with pytest.raises(SolonError, match=why):
        run_study(replace(ask, **changes), quiet=True)  # type: ignore[arg-type]


def test_no_study_of_several_harnesses_asks_for_the_front_of_one_run() -> None:
    """Each harness is a run of its own, and the front is that of a run: every harness alone would be on it."""
    for name in ("curve", "rescue", "transfer"):
        assert "what_does_each_point_of_score_cost" not in import_module(f"flows.studies.named.{name}").QUESTIONS
