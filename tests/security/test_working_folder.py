"""No file of the folder in which Solon is started is run as a module of one of its processes."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from flows import scheduled
from flows.compute.planes import open_compute
from flows.compute.protocol import Resources
from flows.prefect import server
from flows.runs.serving import served
from flows.settings import load_settings
from tasks.matter.failures import SolonError
from tasks.matter.interpreter import import_path, module_command, safe_children
from tasks.matter.loading import load_corpus
from tasks.models.loading import load_profiles
from tasks.sources.pool import ReaderPool
from tasks.toolbox.desk import Desk
from tasks.toolbox.process import spawned

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ("flows", "tasks", "knowledge_db", "skills_repo", "warehouse")
MODULES = ("attr", "json", "pydantic", "typing_extensions", "flows", "tasks")
"""Of the standard library, of others, and ours."""


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with modules of usual names; the file ``imported`` says that one was run."""
    told = tmp_path / "imported"
    folder = tmp_path / "room"
    folder.mkdir()
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open({str(told)!r}, 'a').write('{name} ')\nraise SystemExit(7)\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep)  # an empty entry is the working folder, too
    return told


def _worker(folder: Path) -> None:
    compute = open_compute("inline", workers=1)
    try:
        assert compute.submit(os.getcwd, resources=Resources(stage="s")).result() == str(Path.cwd())
    finally:
        compute.close()


def _sealer(folder: Path) -> None:
    task = folder / "corpus" / "lease"
    (task / "documents").mkdir(parents=True)
    (task / "documents" / "lease.txt").write_text("The rent is $1.")
    criteria = [{"id": "C-1", "title": "t", "match_criteria": "PASS if right."}]
    told = {"title": "t", "instructions": "Read it.", "deliverables": {"m.docx": "m.docx"}, "criteria": criteria}
    (task / "task.json").write_text(json.dumps(told))
    assert len(load_corpus(folder / "corpus", folder / "sealed").matters) == 1


def _keeper(folder: Path) -> None:
    serve = {"command": [sys.executable, "-P", "-c", "print('it is kept') # {port}"]}
    house = load_profiles({"house": {"model": "openai/local", "serve": serve}})["house"]
    settings = load_settings({"home": folder / "home"}, cwd=folder, env={})
    with pytest.raises(SolonError, match="it is kept"), served([house], settings):
        pass


def _tools(folder: Path) -> None:
    process = spawned(Desk(roots=(folder,)))
    try:
        assert process.ask(b'{"name": "nosuch", "arguments": {}}\n', 60)
    finally:
        process.kill()


def _reader(folder: Path) -> None:
    (folder / "lease.txt").write_text("The rent is $1.")
    pool = ReaderPool(1)
    try:
        assert "rent" in str(pool.read(folder / "lease.txt", "lease.txt"))
    finally:
        pool.close()


@pytest.mark.parametrize("start", [_worker, _sealer, _keeper, _tools, _reader], ids=lambda start: start.__name__[1:])
def test_a_process_of_ours_imports_nothing_of_the_working_folder(
    start: Callable[[Path], None], planted: Path, tmp_path: Path
) -> None:
    start(tmp_path)
    assert not planted.exists(), planted.read_text()


@pytest.mark.slow
def test_the_prefect_server_and_what_it_starts_import_nothing_of_it(
    planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    try:
        assert server.healthy(server.obtain_server(home).url), (home / "server.log").read_text()
    finally:
        server.release_server(home)
    assert not planted.exists(), planted.read_text()


@pytest.mark.slow
def test_workers_of_ray_import_nothing_of_it(planted: Path) -> None:
    compute = open_compute("ray")
    try:
        told = compute.submit(lambda: list(sys.path), resources=Resources(stage="s")).result()
        assert str(planted.parent / "room") not in told
    finally:
        compute.close()
    assert not planted.exists(), planted.read_text()


def _path() -> list[str]:
    return [os.path.abspath(place) for place in sys.path]  # noqa: PTH100 - as the path of modules reads it


def test_a_scheduled_run_enters_the_folder_without_importing_from_it(
    planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [".", *sys.path])  # as Prefect leaves it
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(scheduled.FOLDER, str(tmp_path / "room"))
    scheduled._enter_folder()
    assert Path.cwd() == tmp_path / "room"
    assert str(tmp_path / "room") not in _path()


def test_what_a_library_starts_leaves_the_folder_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with safe_children():
        assert os.environ["PYTHONSAFEPATH"] == "1"
    assert "PYTHONSAFEPATH" not in os.environ
    monkeypatch.setenv("PYTHONPATH", f"{os.pathsep}/one{os.pathsep}")
    assert import_path() == f"{ROOT}{os.pathsep}/one"
    assert module_command("m", "w") == [sys.executable, "-P", "-m", "m", "w"]


GUARD = re.compile(r'"-[PI]"|-IS\b')
NO_START = {  # they say where the interpreter lies
    "tasks/drafting/workspace/layout.py",
    "tasks/drafting/workspace/bubblewrap.py",
    "flows/bench/tools/others.py",
}
STARTS_OTHERS = re.compile(r"\bmultiprocessing\b|\bray\.init\(|\bprefect\.runner\b")


def test_every_start_of_python_leaves_the_folder_out() -> None:
    files = [path for folder in SOURCE for path in sorted((ROOT / folder).rglob("*.py"))]
    found = {}
    for path in files:
        text, name = path.read_text("utf-8"), path.relative_to(ROOT).as_posix()
        lines = [line for line in text.splitlines() if "sys.executable" in line and not GUARD.search(line)]
        if lines and name not in NO_START:
            found[name] = lines
        if STARTS_OTHERS.search(text) and not re.search(r"safe_children\(\)|SAFE_PATH", text):
            found[name] = ["a library starts processes here"]
    assert not found
    assert any("sys.executable" in path.read_text("utf-8") for path in files)
