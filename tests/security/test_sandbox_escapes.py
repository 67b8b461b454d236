"""Ways out of a sandbox: the quick part of ``solon bench sandbox``, and that the bench would notice."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.bench.sandbox.attempts import escape_attempts
from flows.bench.sandbox.bench import ESCAPED, measure_sandbox, render, try_attempt
from flows.bench.sandbox.scene import Scene, marked
from tasks.drafting.workspace.records import Bounds, Command, Ended, Process, Ran, Room
from tasks.drafting.workspace.sandboxes import standings

_WORKING = [s.name for s in standings() if not s.fault]


@pytest.mark.skipif(not _WORKING, reason="; ".join(f"{s.name}: {s.fault}" for s in standings()))
def test_no_quick_attempt_escapes():
    result = measure_sandbox(quick=True)
    assert result["broke"] == 0, render(result)
    assert set(result["sandboxes"]) == set(_WORKING)
    assert result["attempts"] >= 20


def test_there_are_enough_attempts_of_each_kind():
    attempts = escape_attempts()
    assert len(attempts) >= 60
    assert len({a.name for a in attempts}) == len(attempts)
    groups = {a.group for a in attempts}
    assert groups == {"files", "network", "processes", "resources", "kernel", "credentials", "collecting"}


class _Unconfined:
    """No sandbox at all: what the bench must notice happens."""

    name = "unconfined"

    def run(self, command: Command, room: Room, bounds: Bounds) -> Ran:
        given = {"PATH": os.environ["PATH"], **command.environment}
        process = subprocess.Popen(
            command.words,
            cwd=room.output.parent,
            env=given,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        out, err = process.communicate(timeout=30)
        time.sleep(0.1)  # for the services to note the call
        texts = {"stdout": out.decode(errors="replace"), "stderr": err.decode(errors="replace")}
        return Ran(ended=Ended.EXITED, exit_code=process.returncode, seconds=0.0, **texts)

    def start(self, command: Command, room: Room, bounds: Bounds, stdout: Path, stderr: Path) -> Process:
        raise NotImplementedError


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with Scene() as made:
        yield made
        for pid in marked(made.mark):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.examples(4)
@pytest.mark.parametrize("attempt", [a for a in escape_attempts() if a.unconfined], ids=lambda a: a.name)
def test_the_bench_notices_what_succeeds_without_a_sandbox(scene: Scene, attempt):
    tried = try_attempt(attempt, _Unconfined(), scene)
    assert tried.result == ESCAPED, tried.said


def test_an_attempt_that_is_itself_at_fault_does_not_count_as_refused(scene: Scene):
    attempt = escape_attempts(only=["by its path"])[0].model_copy(update={"script": "no_such_name()"})
    assert "at fault" in try_attempt(attempt, _Unconfined(), scene).said
