"""A tool past its limit has ended, at every door, when its caller hears of it: nothing is written afterwards."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from flows.compute.guard import _WallLimit, wall_limit
from tasks.matter.failures import FailureCause, SolonError
from tasks.toolbox.desk import Desk
from tasks.toolbox.process import ToolProcess, forked, spawned
from tasks.toolbox.registry import Tool, ToolRegistry, discover

PROJECT = Path(__file__).resolve().parents[2]
SLOW = '''
import signal
import time
from pathlib import Path
from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def polite(desk: Desk, path: str) -> dict[str, Any]:
    """Take long in small steps, catching whatever it can, and write in the end."""
    for _ in range(60):
        try:
            time.sleep(0.01)
        except Exception:
            pass
    Path(path).write_text("late")
    return {}


def deaf(desk: Desk, path: str) -> dict[str, Any]:
    """Hear no alarm, as a library that does not return to Python, and write in the end."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(1.5)
    Path(path).write_text("late")
    return {}


def greedy(desk: Desk, path: str) -> dict[str, Any]:
    """Ask for more memory than there is."""
    return {"size": len(bytearray(1 << 45))}


def quick(desk: Desk, path: str) -> dict[str, Any]:
    """Write at once."""
    Path(path).write_text("in time")
    return {"written": path}


def tools() -> dict[str, Tool]:
    """Return them."""
    return {f.__name__: Tool(f, stage="intake", seconds=0.25) for f in (polite, deaf, greedy, quick)}
'''
Door = Callable[[str, str], dict[str, object]]


def slow_tools(folder: Path, source: str) -> dict[str, Tool]:
    (folder / "slow_tools.py").write_text(source)
    spec = importlib.util.spec_from_file_location("slow_tools", folder / "slow_tools.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, Tool] = module.tools()
    return found


@pytest.fixture(params=["thread", "main", "forked", "spawned"])
def door(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Door:
    """The tools above by each way of calling them."""
    monkeypatch.setenv("PYTHONPATH", f"{PROJECT}:{tmp_path}")
    tools = slow_tools(tmp_path, SLOW)
    registry = ToolRegistry(Desk(), tools)
    if request.param == "main":
        return lambda name, path: registry.call(name, {"path": path})
    if request.param == "thread":
        return lambda name, path: in_a_thread(registry, name, path)
    start = partial(forked, registry) if request.param == "forked" else partial(spawned, Desk(), "slow_tools:tools")
    process = ToolProcess(tools, start, grace=0.3)
    process.warm()
    if request.param == "spawned":
        process.grace = 30.0
        process.call("quick", {"path": str(tmp_path / "warm")})  # its start is no part of a limit
        process.grace = 0.3
    request.addfinalizer(process.close)  # noqa: PT021
    return lambda name, path: process.call(name, {"path": path})


def in_a_thread(registry: ToolRegistry, name: str, path: str) -> dict[str, object]:
    outcome: list[dict[str, object] | SolonError] = []

    def body() -> None:
        try:
            outcome.append(registry.call(name, {"path": path}))
        except SolonError as exc:
            outcome.append(exc)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if isinstance(outcome[0], SolonError):
        raise outcome[0]
    return outcome[0]


def test_a_tool_past_its_limit_writes_nothing_afterwards(door: Door, tmp_path: Path) -> None:
    late = tmp_path / "late.txt"
    with pytest.raises(SolonError, match=r"was stopped at its limit of 0\.25 s") as caught:
        door("polite", str(late))
    assert caught.value.failure.cause is FailureCause.TIMEOUT
    time.sleep(0.9)
    assert not late.exists()
    assert door("quick", str(tmp_path / "next.txt"))  # the door stays open
    assert (tmp_path / "next.txt").read_text() == "in time"


@pytest.mark.parametrize("door", ["forked", "spawned"], indirect=True)
def test_a_tool_that_hears_no_alarm_is_killed(door: Door, tmp_path: Path) -> None:
    late = tmp_path / "late.txt"
    with pytest.raises(SolonError, match="with the process that ran it") as caught:
        door("deaf", str(late))
    assert caught.value.failure.cause is FailureCause.TIMEOUT
    time.sleep(1.5)
    assert not late.exists()


def test_a_tool_that_takes_all_memory_fails_typed(door: Door, tmp_path: Path) -> None:
    with pytest.raises(SolonError) as caught:
        door("greedy", "x")
    assert caught.value.failure.cause is FailureCause.CAPACITY


def test_a_door_bounds_the_memory_of_its_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tasks.toolbox.process.memory_share", lambda: 2 << 30)
    tools = slow_tools(tmp_path, SLOW.replace("1 << 45", "3 << 30"))
    process = ToolProcess(tools, partial(forked, ToolRegistry(Desk(), tools)))
    with pytest.raises(SolonError) as caught:
        process.call("greedy", {"path": "x"})
    assert caught.value.failure.cause is FailureCause.CAPACITY


@pytest.mark.slow
def test_a_document_that_unpacks_without_end_fails_typed_at_the_command(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as into,
        into.open("word/document.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(500):
            member.write(b"\0" * (1 << 20))
    for args in (["read", "bomb.docx"], ["redline", "out.docx", "--source", "bomb.docx", "--edited", "x"]):
        done = subprocess.run(
            [sys.executable, "-m", "flows.cli", "tool", *args],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(PROJECT)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 1, args
        assert "[capacity]" in done.stderr
    assert not (tmp_path / "out.docx").exists()


def test_the_limit_of_the_stage_around_a_tool_stays(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The fee is $5.")
    read = discover()["read"].function
    for limit, seconds in ((30.0, 1.0), (0.5, 2.0)):  # the tool's own limit is the longer, then the shorter one
        tools = ToolRegistry(Desk(roots=(tmp_path,)), {"read": Tool(read, stage="intake", seconds=limit)})

        def body(tools: ToolRegistry = tools) -> None:
            tools.call("read", {"path": "a.txt"})
            time.sleep(20)

        with pytest.raises(_WallLimit), wall_limit(seconds):
            body()


def test_a_forked_process_that_is_ended_at_once_is_gone() -> None:
    for _ in range(5):
        process = ToolProcess({}, partial(forked, ToolRegistry(Desk(), {})))
        process.warm()
        process.close()


def test_an_argument_cannot_break_the_protocol(door: Door, tmp_path: Path) -> None:
    with pytest.raises(SolonError) as caught:
        door("quick", str(tmp_path / "no" / 'a"b\n{}\ud800.txt'))
    assert caught.value.failure.cause is FailureCause.UNKNOWN
    assert door("quick", str(tmp_path / "next.txt"))
