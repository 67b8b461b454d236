"""Every setting has a value and an origin; precedence is file < environment < flag."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from flows.cli import build_parser
from flows.compute.planes import PlaneName
from flows.settings import OPTIONS, Settings, find_config, load_settings
from tasks.matter.failures import SolonError


def test_no_stage_is_imported_to_read_a_command_line() -> None:
    """Every command pays for what the parser of all of them imports; numpy and the records of drafting were 0.4 s."""
    code = (
        "import sys; from flows.cli import build_parser; build_parser(); "
        "print(sorted({'numpy', 'tasks.drafting.records', 'tasks.harness', 'tasks.learning.gates'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_defaults_lie_below_the_working_directory(tmp_path: Path) -> None:
    settings = load_settings(cwd=tmp_path, env={})
    assert settings.home == tmp_path / ".solon"
    assert settings.runs == tmp_path / ".solon" / "runs"
    assert settings.warehouse == tmp_path / ".solon" / "warehouse" / "solon.duckdb"
    assert settings.parts == tmp_path / ".solon" / "warehouse" / "parts"
    assert settings.harness is None
    assert settings.origins["home"] == "default"
    assert settings.origins["runs"] == "derived"
    assert list(settings.origins) == list(OPTIONS)


def test_file_is_found_upward_and_its_paths_are_beside_it(tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text('home = "store"\nworkers = 3\n[cells.fast]\nruntime = "extractive"\n')
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    settings = load_settings(cwd=deep, env={})
    assert find_config(deep) == tmp_path / "solon.toml"
    assert settings.home == tmp_path / "store"
    assert settings.workers == 3
    assert settings.origins["workers"] == "solon.toml"
    assert settings.cells == {"fast": {"runtime": "extractive"}}


@pytest.mark.parametrize(
    ("env", "flags", "value", "origin"),
    [
        ({}, {}, 3, "solon.toml"),
        ({"SOLON_WORKERS": "4"}, {}, 4, "SOLON_WORKERS"),
        ({"SOLON_WORKERS": "4"}, {"workers": 5}, 5, "flag"),
        ({"SOLON_WORKERS": ""}, {"workers": None}, 3, "solon.toml"),
    ],
)
def test_precedence(tmp_path: Path, env: dict[str, str], flags: dict[str, int], value: int, origin: str) -> None:
    (tmp_path / "solon.toml").write_text("workers = 3\n")
    settings = load_settings(flags, cwd=tmp_path, env=env)
    assert (settings.workers, settings.origins["workers"]) == (value, origin)


def test_paths_of_environment_and_flags_are_relative_to_the_working_directory(tmp_path: Path) -> None:
    (tmp_path / "solon.toml").write_text('home = "store"\n')
    deep = tmp_path / "deep"
    deep.mkdir()
    assert load_settings({"runs": Path("r")}, cwd=deep, env={}).runs == deep / "r"
    assert load_settings(cwd=deep, env={"SOLON_RUNS": "e"}).runs == deep / "e"


@pytest.mark.parametrize(
    ("content", "env", "message"),
    [
        ("home = [", {}, "cannot be read as TOML"),
        ("hoem = 'x'", {}, "unknown setting 'hoem'"),
        ("", {"SOLON_WORKERS": "many"}, "SOLON_WORKERS: 'many' cannot be used: input should be a valid integer"),
        ("", {"SOLON_KEEP_SERVER": "perhaps"}, "should be a valid boolean"),
        ("workers = -1", {}, "solon.toml: -1 cannot be used: input should be greater than or equal to 0"),
        ("compute = 'abacus'", {}, f"input should be '{get_args(PlaneName)[0]}', "),
        ("cells = 3", {}, "cells in"),
        ("home = 3", {}, "home in"),
        ("file = 'x'", {}, "unknown setting 'file'"),  # what Settings keeps beside its fields is no setting
        ("\x00", {}, "cannot be read as TOML"),
    ],
)
def test_misuse_is_one_clear_line(tmp_path: Path, content: str, env: dict[str, str], message: str) -> None:
    (tmp_path / "solon.toml").write_text(content)
    with pytest.raises(SolonError, match="\\[input\\] Remedy") as caught:
        load_settings(cwd=tmp_path, env=env)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_setting_says_in_a_sentence_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith("."), name
    with pytest.raises(SystemExit):
        build_parser().parse_args(["run", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    for name in ("home", "compute", "workers", "model_cache", "judge"):  # a flag says what the setting says
        assert (Settings.model_fields[name].description or "")[1:].rstrip(".") in told, name
    assert "(default inline)" in told


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("learn", "share of matters never learned from (default 0.25)"),
        ("learn", "an existing one goes on, under the same cell, judge, policy and sizes"),
        ("bench", "for learner: N simulated runs (default 10000)"),
    ],
)
def test_help_tells_the_default_and_what_a_number_counts(
    command: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args([command, "--help"])
    assert words in " ".join(capsys.readouterr().out.split())


def test_a_flag_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(SolonError, match="--stage-seconds: 0 cannot be used"):
        load_settings({"stage_seconds": 0}, cwd=tmp_path, env={})


def test_settings_survive_a_process_boundary(tmp_path: Path) -> None:
    settings = load_settings(cwd=tmp_path, env={})
    over = pickle.loads(pickle.dumps(settings))
    assert (over, over.origins, over.file) == (settings, settings.origins, settings.file)
    with pytest.raises(AttributeError):
        settings.no_such_thing  # noqa: B018


def test_a_judges_log_does_not_lie_with_the_solvers(tmp_path: Path) -> None:
    settings = load_settings(cwd=tmp_path, env={})
    assert settings.logs["judge"].parent == settings.judge_cache
    assert settings.logs["solver"].parent == settings.home / "logs"


@pytest.mark.parametrize(("table", "kind"), [("embedders", "embeddings"), ("rerankers", "reranker")])
def test_tables_that_moved_name_the_new_one(tmp_path: Path, table: str, kind: str) -> None:
    (tmp_path / "solon.toml").write_text(f'[{table}.far]\nmodel = "openai/far"\n')
    with pytest.raises(SolonError) as error:
        load_settings(cwd=tmp_path, env={})
    assert f'[models.far] and add kind = "{kind}"' in error.value.failure.remedy
