"""`solon run` as a command: what it prints, and that a home of any name works and is its owner's alone.

Lies beside the flow tests because it runs the command over one of their corpora; it has a Prefect server of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.flow.conftest import PROJECT, in_process, write_task

ODD = "we ird #1%20 'q\" é[1]*{x};&=+"
CELL_KEYS = {
    "cell", "matters", "criteria", "pooled_pass", "all_pass", "unscored", "blocked", "cost_usd", "seconds", "attempts",
    "failed", "judge_profile", "judge_version",
}  # fmt: skip


def solon(home: Path, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "PREFECT_API_URL"} | more
    return subprocess.run(
        [sys.executable, "-m", "flows.cli", *args, "--home", str(home)],
        cwd=home.parent,
        env={**environment, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
        preexec_fn=lambda: os.umask(0o022),
    )


def open_to_others(folder: Path) -> list[str]:
    return [str(p) for p in (folder, *folder.rglob("*")) if stat.S_IMODE(p.lstat().st_mode) & 0o077]


class Ran(NamedTuple):
    """A command that ended, its home, and when the records of its server were last written before it began."""

    done: subprocess.CompletedProcess[str]
    home: Path
    before: int


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, new_records: Path) -> Ran:
    """One run of a corpus with a broken task, in a home of an odd name that an older version left open."""
    folder = tmp_path_factory.mktemp("odd")
    write_task(folder / "corpus" / "leases" / "lease-0", 0)
    broken = folder / "corpus" / "bad" / "task"
    broken.mkdir(parents=True)
    (broken / "task.json").write_text("{")
    home = folder / ODD / "home"
    for name in ("judge-cache", "runs", "warehouse", "prefect"):  # left by an older version, readable by all
        (home / name).mkdir(parents=True)
        (home / name).chmod(0o755)
    records = home / "prefect" / "prefect.db"
    shutil.copyfile(new_records, records)
    records.chmod(0o600)
    before = records.stat().st_mtime_ns
    done = solon(home, "run", str(folder / "corpus"), "--run-id", "r", "--workers", "1", "--json")
    return Ran(done, home, before)


@pytest.mark.slow
def test_the_json_contract(ran: Ran) -> None:
    done, home, _ = ran
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)  # exactly one object, and nothing else on standard output
    assert set(printed) == {"run_id", "cells", "warehouse", "report"}
    assert set(printed["cells"][0]) == CELL_KEYS
    assert Path(printed["warehouse"]).is_file()
    assert Path(printed["report"]).is_file()
    assert (home / "runs" / printed["run_id"] / "run.json").is_file()
    assert "bad/task" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_home_of_an_odd_name_works_and_is_shut(
    ran: Ran, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done, home, before = ran
    assert done.returncode == 0, done.stderr
    assert "without its records" not in done.stderr  # the Prefect server opened its database
    assert (home / "prefect" / "prefect.db").stat().st_mtime_ns > before  # and wrote to it
    assert (home / ".solon-private").is_file()
    assert open_to_others(home) == []
    monkeypatch.chdir(home.parent)
    assert in_process(["sql", "which_runs_are_here", "--json", "--home", str(home)]) == 0
    assert json.loads(capsys.readouterr().out)
    assert in_process(["report", "r", "--home", str(home)]) == 0
    assert in_process(["land", "--home", str(home)]) == 0
    assert open_to_others(home / "reports") == []


def test_a_home_with_a_question_mark_is_refused_in_one_line(
    corpus: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "what?" / "home"
    home.parent.mkdir()
    monkeypatch.chdir(home.parent)
    for args in (["run", str(corpus(1))], ["land"]):
        assert in_process([*args, "--home", str(home)]) == 2
        said = capsys.readouterr().err
        assert "choose a path without ?" in said
        assert len(said.strip().splitlines()) == 1


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "prefect"), [("home", "auto"), (".solon", "off")])
def test_a_new_home_is_marked_and_shut(corpus: Callable[..., Path], tmp_path: Path, name: str, prefect: str) -> None:
    home = tmp_path / name
    done = solon(home, *matter_of(corpus(1), tmp_path), SOLON_PREFECT=prefect)
    assert done.returncode == 0, done.stderr
    shut(home, tmp_path)


@pytest.mark.usefixtures("kept_workers")
def test_a_new_home_is_marked_and_shut_in_this_process(
    corpus: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOLON_PREFECT", "off")
    monkeypatch.chdir(tmp_path)
    home = tmp_path / ".solon"
    assert in_process([*matter_of(corpus(1), tmp_path), "--workers", "1", "--home", str(home)]) == 0
    shut(home, tmp_path)


def matter_of(corpus: Path, folder: Path) -> list[str]:
    """Return the command that makes one matter and puts its deliverables where others may read them."""
    folder.chmod(0o755)
    return ["matter", str(corpus / "leases" / "lease-0"), "--cell", "extractive", "--output", str(folder / "out")]


def shut(home: Path, tmp_path: Path) -> None:
    assert (home / ".solon-private").is_file()
    assert open_to_others(home) == []
    rights = {stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "out", *(tmp_path / "out").iterdir())}
    assert rights == {0o755, 0o644}  # a deliverable is for whoever may read the place that the user names
