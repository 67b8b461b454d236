"""No tool serves what Solon keeps to itself, through any door, whatever its root and however the path is spelled."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from flows.runs.attempts import AttemptStore
from flows.runs.home import secure, written_folders
from flows.settings import load_settings
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.private import MARKER, keep_private, why_private
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

PROJECT = Path(__file__).resolve().parents[2]
CANARY = "CANARYheliotrope7"
SAID = f"PASS if the lessor of the vineyard renewed for nine years {CANARY}."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project folder as a user has it: documents, tasks, and Solon's home beside them."""
    root = tmp_path / "project"
    (root / "room").mkdir(parents=True)
    (root / "room" / "lease.txt").write_text("The rent of the vineyard is $900.")
    settings = load_settings({"home": root / "solon-home"}, cwd=root, env={})
    secure(settings)
    with AttemptStore(settings.runs, "r").locked():
        pass
    for file in PRIVATE:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"criteria": SAID}))
    links = root / "room" / "links"
    links.mkdir()
    (links / "file.txt").symlink_to(root / PRIVATE[0])
    (links / "folder").symlink_to(root / "solon-home" / "sealed")
    (links / "task.txt").symlink_to(root / "tax" / "memo" / "task.json")
    (links / "hard.txt").hardlink_to(root / PRIVATE[0])
    return root


PRIVATE = (
    "solon-home/sealed/abc.json",
    "solon-home/judge-cache/judge/ab.json",
    "solon-home/runs/r/tax/memo/extractive/1/attempt.json",
    "solon-home/runs/r/tax/memo/extractive/1/output/memo.md",
    "solon-home/warehouse/parts/verdict/a.txt",
    "solon-home/warehouse/solon.duckdb",
    "solon-home/reports/r/index.html",
    "solon-home/prefect/prefect.db",
    "solon-home/logs/solver.log",
    "tax/memo/task.json",
    "tax/memo/TASK.JSON",
    "room/scores.json",
    "room/Judgement.json",
)
SPELLINGS = (
    *PRIVATE,
    "room/links/file.txt",
    "room/links/folder/abc.json",
    "room/links/task.txt",
    "room/../solon-home/sealed/abc.json",
    "./room/./../solon-home//sealed/abc.json",
)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize("rooted", [False, True])
def test_a_desk_serves_nothing_private(
    project: Path, monkeypatch: pytest.MonkeyPatch, spelling: str, absolute: bool, rooted: bool
) -> None:
    monkeypatch.chdir(project)
    tools = ToolRegistry(Desk(roots=(project,) if rooted else ()))  # knows no settings: the marks alone
    path = f"{project}/{spelling}" if absolute else spelling
    for name, arguments in (
        ("read", {"path": path}),
        ("number_scan", {"path": path}),
        ("summarize_docs", {"paths": [path]}),
        ("build_deliverable", {"path": path, "markdown": "# Overwritten"}),
        ("redline", {"path": "new.docx", "source": path, "edited": "x"}),
        ("redline", {"path": "new.docx", "source": "room/lease.txt", "edited_file": path}),
    ):
        with pytest.raises(SolonError) as caught:
            tools.call(name, arguments)
        assert caught.value.failure.cause is FailureCause.POLICY, (name, caught.value.failure)
        assert CANARY not in str(caught.value)
    assert CANARY in (project / spelling).read_text()


def test_searching_around_the_home_finds_nothing_of_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    attached = base64.encodebytes(SAID.encode()).decode()
    (project / "room" / "mail.eml").write_text(
        "Subject: x\nFrom: a@b.c\nTo: d@e.f\nMIME-Version: 1.0\nContent-Type: application/json\n"
        f'Content-Disposition: attachment; filename="Task.json"\nContent-Transfer-Encoding: base64\n\n{attached}\n'
    )
    places = written_folders(load_settings({"home": project / "solon-home"}, cwd=project, env={}))
    for roots in ((), (project,)):
        tools = ToolRegistry(Desk(roots=roots, private=places))
        found = tools.call("search", {"query": "who renewed the vineyard for nine years?", "sources": "."})
        assert "$900" in json.dumps(found)
        assert CANARY not in json.dumps(found)
        assert CANARY not in json.dumps(tools.call("read", {"path": "room/mail.eml"}))
        for folder in ("solon-home", "solon-home/sealed", "room/links/folder"):
            with pytest.raises(SolonError) as caught:
                tools.call("search", {"query": "vineyard", "sources": folder})
            assert caught.value.failure.cause is FailureCause.POLICY


def test_a_hard_link_into_a_known_place_is_that_place(project: Path) -> None:
    places = written_folders(load_settings({"home": project / "solon-home"}, cwd=project, env={}))
    with pytest.raises(SolonError, match="is a link into a folder"):
        Desk(roots=(project,), private=places).text("room/links/hard.txt")
    (project / "room" / "twice.txt").hardlink_to(project / "room" / "lease.txt")
    assert "$900" in Desk(roots=(project,), private=places).text("room/twice.txt").text


def test_places_outside_the_home_are_private_before_and_after_they_are_marked(tmp_path: Path) -> None:
    flags = {"home": tmp_path / "h", "sealed": tmp_path / "s", "runs": tmp_path / "r", "warehouse": tmp_path / "w.db"}
    settings = load_settings(flags, cwd=tmp_path, env={})
    for name in ("s", "r"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(CANARY)
    for path in ("s/a.txt", "r/a.txt", "w.db", "parts/verdict/x.parquet", "h/prefect/x"):
        assert why_private(tmp_path / path, places=written_folders(settings)), path
    secure(settings)
    assert (tmp_path / "s" / MARKER).exists()
    assert not (tmp_path / "r" / MARKER).exists()  # somebody's folder with other things in it
    with AttemptStore(settings.runs, "one").locked():
        assert why_private(tmp_path / "r" / "one" / "x")
    assert not why_private(tmp_path / "lease.txt", places=written_folders(settings))


def test_a_running_attempt_sees_its_own_folder_and_no_other(tmp_path: Path) -> None:
    runs = tmp_path / "home" / "runs"
    keep_private(tmp_path / "home")
    store = AttemptStore(runs, "r")
    with store.locked():
        mine, theirs = store.begin("m", "c", 1), store.begin("m", "d", 1)
        for folder in (mine, theirs):
            (folder / "output" / "memo.md").write_text(f"# {folder.parent.name}")
            (folder / "config.json").write_text("{}")
        (mine / "judgement.json").write_text(CANARY)
        desk = Desk(roots=(mine,), workspace=mine)
        assert desk.text("output/memo.md").text.strip() == "# c"
        assert desk.target("memo.docx") == mine / "output" / "memo.docx"
        for path in ("judgement.json", f"../../d/{theirs.name}/config.json", f"{theirs}/output/memo.md"):
            with pytest.raises(SolonError):
                desk.text(path)
        around = Desk(roots=(mine, runs), workspace=mine)
        with pytest.raises(SolonError, match="keeps to itself"):
            around.text(f"{theirs}/output/memo.md")


def run(cwd: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flows.cli", *args],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "SOLON_HOME": "solon-home"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.slow
def test_the_command_serves_ordinary_files_alone(project: Path) -> None:
    assert "$900" in run(project, "tool", "read", "room/lease.txt").stdout
    for path in (PRIVATE[0], "room/links/hard.txt", "tax/memo/TASK.JSON"):
        done = run(project, "tool", "read", path)
        assert done.returncode == 1
        assert "[policy]" in done.stderr
        assert CANARY not in done.stdout + done.stderr


@pytest.mark.slow
def test_the_server_asks_for_a_room(project: Path) -> None:
    for args, words in (
        ((), "--root ./deal-room"),
        (("--root", "nowhere"), "is no folder"),
        (("--root", "solon-home"), "keeps to itself"),
        (("--root", "solon-home/runs/r"), "keeps to itself"),
        (("--root", "room", "--workspace", "solon-home/runs"), "keeps to itself"),
    ):
        done = run(project, "mcp", *args)
        assert done.returncode == 2, args
        assert words in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_server_around_the_home_serves_nothing_of_it(project: Path) -> None:
    async def session() -> list[Any]:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "flows.cli", "mcp", "--root", str(project)],
            env={**os.environ, "PYTHONPATH": str(PROJECT), "SOLON_HOME": str(project / "solon-home")},
        )
        async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as client:
            await client.initialize()
            paths = ["room/lease.txt", *SPELLINGS, "room/links/hard.txt"]
            return [await client.call_tool("read", {"path": path}) for path in paths]

    with anyio.from_thread.start_blocking_portal() as portal:
        good, *bad = portal.call(session)
    assert "$900" in good.content[0].text
    for answer in bad:
        assert answer.isError
        assert answer.structuredContent["failure"]["cause"] == "policy"
        assert CANARY not in answer.content[0].text
