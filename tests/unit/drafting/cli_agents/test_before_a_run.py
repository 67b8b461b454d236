"""What is wrong with an agent program is said once, before the first matter."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from flows.runs.cells import resolve_cell
from flows.settings import load_settings
from tasks.drafting.cli_agents.records import ProgramFound, adapter
from tasks.drafting.cli_agents.runtime import CliRuntime
from tasks.drafting.records import Cell
from tasks.matter.failures import SolonError
from tasks.models.profile import ModelProfile

CELL = Cell(name="codex:m", runtime="codex", profile="m")
FOUND = ProgramFound(path="/opt/codex", version="1.2.3", sha256="a" * 64)


def runtime(found=FOUND):
    return CliRuntime("codex", find=lambda adapter: found, sandboxes=lambda wanted: None)


def test_version_and_hash_are_part_of_the_cell():
    one = runtime().examined(CELL, [ModelProfile(name="m", model="openai/x")])
    other = runtime(FOUND.model_copy(update={"sha256": "b" * 64})).examined(CELL, [])
    assert one == f"codex 1.2.3 {'a' * 16}"
    assert other != one


def test_an_effort_or_a_model_that_does_not_fit_is_refused():
    with pytest.raises(SolonError, match="heroic"):
        runtime().examined(CELL.model_copy(update={"effort": "heroic"}), [])
    with pytest.raises(SolonError, match="heroic"):
        runtime().examined(CELL, [ModelProfile(name="m", model="openai/x", effort="heroic")])
    with pytest.raises(SolonError, match="cannot be given"):
        runtime().examined(CELL, [ModelProfile(name="m", kind="reranker", model="x", via="onnx")])


def test_a_missing_program_ends_a_run_before_it_begins(tmp_path, monkeypatch):
    models = tmp_path / "solon.toml"
    models.write_text('[models.m]\nmodel = "openai/x"\n')
    monkeypatch.setenv("SOLON_MODELS", str(models))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    with pytest.raises(SolonError, match=f"{adapter('openhands').program} is not on PATH"):
        resolve_cell("openhands:m", load_settings({"home": tmp_path / "home"}))
