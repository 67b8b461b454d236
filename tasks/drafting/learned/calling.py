"""Calls a learned tool or mechanism: JSON in, JSON out, in a sandbox with nothing in it, never outside of one."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from skills_repo.learned import Learned
from tasks.drafting.workspace.records import Bounds, Command, Ended, Room, Sandbox
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.secrets import redact_keys

FindSandbox = Callable[[], Sandbox]
MOST_RESULT: Final = 400_000  # bytes
BOUNDS: Final = Bounds(
    seconds=20, cpu_seconds=10, memory_mb=512, processes=8, file_mb=1, room_mb=1, files=16, output_bytes=MOST_RESULT
)
_RUNNER: Final = Path(__file__).parent / "inside" / "runner.py"
_PLACE: Final = "/learned/runner.py"
_FOLDERS: Final = ("documents", "text", "output", "scratch")


def call(learned: Learned, given: object, find: FindSandbox = find_sandbox) -> Mapping[str, Any]:
    """Return what ``run`` makes of an argument.

    Args:
        learned: The tool or mechanism.
        given: Its one argument, which JSON can say.
        find: Finds a sandbox; it raises where there is none, and nothing is run.

    Raises:
        SolonError: No sandbox (``sandbox``); it took too long (``timeout``), failed, or gave no JSON object
            (``unknown``).
    """
    result = _ask({"source": learned.source, "given": given}, learned.called, find).get("result")
    if not isinstance(result, dict):
        raise _failure(FailureCause.UNKNOWN, learned.called, "gave no JSON object")
    return result


def failing_tests(learned: Learned, tests: str, find: FindSandbox = find_sandbox) -> str:
    """Run the tests of a learned file; say why they do not pass, or would pass without it. Empty where all is well.

    Raises:
        SolonError: As :func:`call`.
    """
    said = _ask({"source": learned.source, "tests": tests}, learned.called, find)
    if said["tests"] < 2:
        return "has fewer than two tests"
    if said["failed"]:
        name, why = next(iter(said["failed"].items()))
        return f"{len(said['failed'])} of {said['tests']} tests fail: {name}: {why}"
    for stub, passed in said["stubs"].items():
        if passed == said["tests"]:
            return f"its tests pass with a function that {stub}"
    return ""


def _ask(order: Mapping[str, object], name: str, find: FindSandbox) -> Mapping[str, Any]:
    sandbox = find()
    command = Command(
        words=(str(Path(sys.executable).resolve()), "-I", "-S", "-B", _PLACE),
        stdin=json.dumps(order, ensure_ascii=False, default=str).encode("utf-8", "replace"),
        shown={_PLACE: _RUNNER},
    )
    with tempfile.TemporaryDirectory(prefix="solon-learned-") as folder:
        room = Room(*(Path(folder) / place for place in _FOLDERS))
        for place in (room.documents, room.text, room.output, room.scratch):
            place.mkdir(mode=0o755)
        ran = sandbox.run(command, room, BOUNDS)
    if ran.ended is Ended.TIME:
        raise _failure(FailureCause.TIMEOUT, name, f"did not end within {BOUNDS.seconds:g} s")
    try:
        said = json.loads(ran.stdout) if ran.exit_code == 0 and not ran.cut else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        words = (ran.stderr.strip().splitlines() or [ran.note or "it gave no JSON"])[-1]
        raise _failure(FailureCause.UNKNOWN, name, f"failed in its sandbox: {redact_keys(words)[:200]}")
    return said


def _failure(cause: FailureCause, name: str, message: str) -> SolonError:
    remedy = "Take it out of the harness, or learn another."
    return SolonError(Failure(cause=cause, stage="learned", subject=name, message=message, remedy=remedy))
