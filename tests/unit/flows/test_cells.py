"""Cells by name: what they are made of, what is refused before a run, and how much of them Prefect records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from flows.runs.cells import detail_of, resolve_cell, resolve_cells
from flows.settings import load_settings
from tasks.drafting.cli_agents.runtime import CliRuntime
from tasks.drafting.records import Cell
from tasks.matter.failures import SolonError
from tasks.models.profile import ModelProfile


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("extractive", ("extractive", "", "")),
        ("api:local", ("api", "local", "")),
        ("api:local:high", ("api", "local", "high")),
        ("api:scripted", ("api", "scripted", "")),
        ("careful", ("extractive", "", "")),
    ],
)
def test_cells_by_name(tmp_path: Path, name: str, expected: tuple[str, str, str]) -> None:
    given = '[cells.careful]\nruntime = "extractive"\nrevise = 2\n[models.local]\nmodel = "openai/x"\n'
    (tmp_path / "solon.toml").write_text(given)
    cell = resolve_cell(name, load_settings(cwd=tmp_path, env={}))
    assert (cell.runtime, cell.profile, cell.effort) == expected
    assert cell.revise == (2 if name == "careful" else 0)


@pytest.mark.parametrize(
    "name", ["nonsense", "api", "api:nobody", "codex", "", "../x", "a/b", "api gpt", ".x", "x" * 200]
)
def test_no_such_cell(tmp_path: Path, name: str) -> None:
    with pytest.raises(SolonError, match="\\[input\\]"):
        resolve_cell(name, load_settings(cwd=tmp_path, env={}))


def test_a_switch_of_a_mechanism_that_there_is_not_is_refused_before_a_run(tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text(
        "[cells.bare]\nruntime = 'basic'\noptions = { mechanisms = { laning = false } }\n", encoding="utf-8"
    )
    with pytest.raises(SolonError, match=r"mechanisms\.laning: is no mechanism of this version"):
        resolve_cell("bare", load_settings(cwd=tmp_path, env={}))


def test_a_malformed_cell_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text("[cells.bad]\nrevise = 'twice'\n")
    with pytest.raises(SolonError, match=r"cells\.bad: revise"):
        resolve_cell("bad", load_settings(cwd=tmp_path, env={}))


def test_another_model_under_the_same_name_is_another_cell(tmp_path: Path) -> None:
    digests = set()
    for model in ("openai/x", "openai/y"):
        (tmp_path / "solon.toml").write_text(f'[models.local]\nmodel = "{model}"\n')
        digests.add(resolve_cell("api:local", load_settings(cwd=tmp_path, env={})).digest)
    assert len(digests) == 2


def test_repeated_cells_count_once(tmp_path: Path) -> None:
    assert len(resolve_cells(["extractive", "extractive"], load_settings(cwd=tmp_path, env={}))) == 1


@pytest.mark.parametrize(
    ("detail", "runtimes", "expected"),
    [
        ("auto", ["extractive"], "matter"),
        ("auto", ["extractive", "api"], "stage"),
        ("batch", ["api"], "batch"),
        ("stage", ["extractive"], "stage"),
    ],
)
def test_detail_follows_the_rate(detail: str, runtimes: list[str], expected: str) -> None:
    assert detail_of(detail, [Cell(name=r, runtime=r) for r in runtimes]) == expected


def test_a_cell_is_never_named_like_an_attempt(tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text('[cells.7]\nruntime = "extractive"\n')
    with pytest.raises(SolonError, match="not digits alone"):
        resolve_cell("7", load_settings(cwd=tmp_path, env={}))


def test_what_a_scan_looks_for_is_part_of_its_cell_and_looked_at_before_the_run(tmp_path: Path) -> None:
    def scanning(checklist: str) -> Cell:
        (tmp_path / "solon.toml").write_text(
            f'[cells.s]\nruntime = "scan"\noptions = {{ checklist = "{checklist}" }}\n'
        )
        return resolve_cell("s", load_settings(cwd=tmp_path, env={}))

    assert scanning("case").digest != scanning("contract").digest
    assert scanning("case").options["program"] != scanning("contract").options["program"]
    with pytest.raises(SolonError, match="checklist"):
        scanning("none such")


def test_an_agent_with_a_model_of_its_own_table_is_looked_at_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[ModelProfile] = []

    class Agent(CliRuntime):
        def examined(self, cell: Cell, profiles: Sequence[ModelProfile]) -> str:
            asked.extend(profiles)
            return "codex 1.2.3"

    monkeypatch.setattr("flows.runs.cells.runtime", Agent)
    (tmp_path / "solon.toml").write_text('[cells.c]\nruntime = "codex"\noptions = { model = { model = "openai/x" } }\n')
    assert resolve_cell("c", load_settings(cwd=tmp_path, env={})).options["program"] == "codex 1.2.3"
    assert [profile.model for profile in asked] == ["openai/x"]
