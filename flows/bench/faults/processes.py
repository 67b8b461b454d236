"""Attacks on processes: the driver killed or asked to stop, its server, workers and readers killed."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator

from flows.bench.faults.records import Case
from flows.bench.faults.scene import AttackSkippedError, Done, Scene, killed, wait_until_ended

_PATIENCE = 20.0
"""Seconds in which a command must have ended after it was asked to."""
_BY_ITSELF = 60.0  # seconds in which it must have ended by itself


def killed_at_any_moment(scene: Scene) -> Iterator[str]:
    """Kill -9 the driver, then finish the run under the same id."""
    yield from _stopped_by_signal(scene, signal.SIGKILL)


def asked_to_stop(scene: Scene) -> Iterator[str]:
    """Send SIGTERM: the command ends in time, says so, leaves nothing behind, and the run can be finished."""
    yield from _stopped_by_signal(scene, signal.SIGTERM)


def interrupted(scene: Scene) -> Iterator[str]:
    """Send SIGINT, as Ctrl-C does."""
    yield from _stopped_by_signal(scene, signal.SIGINT)


def _stopped_by_signal(scene: Scene, with_signal: signal.Signals) -> Iterator[str]:
    scene.plant()
    process = scene.begin("struck")
    scene.wait_for("struck", scene.random.choice([0, 1, 1, 2]), process)
    time.sleep(scene.random.uniform(0.0, 4.0 if scene.compute == "inline" else 8.0))
    stopped = killed(process, with_signal)
    if with_signal is not signal.SIGKILL:
        yield from _ended_in_time(scene, stopped)
    yield from scene.wrongs(scene.run("struck"), "struck")


def _ended_in_time(scene: Scene, stopped: Done) -> Iterator[str]:
    if stopped.code is None or stopped.seconds > _PATIENCE:
        yield f"did not end within {_PATIENCE:g} s of being asked to"
    elif stopped.code not in (0, 1):  # 0: it had just finished
        yield f"ended with {stopped.code} instead of 1"
    if "Traceback" in stopped.err:
        yield "a traceback when asked to stop"
    yield from scene.left_behind()


def server_killed(scene: Scene) -> Iterator[str]:
    """Kill -9 the Prefect server in mid-run: its records are lost, the run is not, and it ends in time."""
    scene.prefect = True
    scene.plant()
    process = scene.begin("orphan")
    scene.wait_for("orphan", 1, process)
    for pid in scene.named("prefect server start") or scene.named("uvicorn"):
        os.kill(pid, signal.SIGKILL)
    scene.wait_for("orphan", scene.matters, process)
    start = time.monotonic()
    done = wait_until_ended(process)
    if time.monotonic() - start > _BY_ITSELF:
        yield f"took {time.monotonic() - start:.0f} s to end after the last attempt"
    yield from scene.wrongs(done, "orphan")


def driver_killed_with_server(scene: Scene) -> Iterator[str]:
    """Kill -9 the driver of a recorded run: the next start of Solon leaves no server behind."""
    scene.prefect = True
    scene.plant()
    process = scene.begin("recorded")
    scene.wait_for("recorded", 1, process)
    killed(process)
    yield from scene.wrongs(scene.run("recorded"), "recorded")


def worker_killed(scene: Scene) -> Iterator[str]:
    """Kill -9 the worker processes: nothing is scored as a fail, and a retry cures it."""
    yield from _child_killed(scene, ".worker")


def reader_killed(scene: Scene) -> Iterator[str]:
    """Kill -9 the processes that read documents."""
    yield from _child_killed(scene, "tasks.sources.worker")


def _child_killed(scene: Scene, words: str) -> Iterator[str]:
    scene.plant()
    process = scene.begin("child")
    if not scene.wait(lambda: bool(scene.named(words)) or process.poll() is not None, 120.0) or not scene.named(words):
        wait_until_ended(process)
        raise AttackSkippedError(f"no process {words} was seen")
    time.sleep(scene.random.uniform(0.0, 3.0))
    for pid in scene.named(words):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    done = wait_until_ended(process)
    fails = [k for k, v in scene.verdicts("child").items() if v == "fail"]
    if fails:
        yield f"{len(fails)} verdicts are fail after a child was killed, e.g. {fails[0]}"
    yield from scene.disagreements(done, "child")
    yield from scene.wrongs(scene.run("child", "--retry-failed"), "child")


CASES = (
    Case("kill -9 of the driver", "processes", killed_at_any_moment, trials=6),
    Case("kill -9 of the driver", "processes", killed_at_any_moment, compute="ray", trials=2),
    Case("SIGTERM", "processes", asked_to_stop, trials=4, quick=True),
    Case("SIGTERM", "processes", asked_to_stop, compute="ray", trials=1),
    Case("SIGINT", "processes", interrupted, trials=2),
    Case("Prefect server killed in mid-run", "processes", server_killed, trials=2),
    Case("kill -9 of the driver of a recorded run", "processes", driver_killed_with_server, trials=2),
    Case("workers killed", "processes", worker_killed, trials=2),
    Case("readers killed", "processes", reader_killed, trials=2),
)
