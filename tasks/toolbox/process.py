"""A process that serves tools to an interface: it is killed when a call exceeds its limit, and its memory is bounded.

``solon mcp`` starts one that serves call after call, with the readers it has running; ``solon tool`` forks one for its
only call, which costs milliseconds instead of a second start of Python. Requests and answers are JSON, one per line.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.interpreter import import_path, module_command
from tasks.toolbox.desk import Desk
from tasks.toolbox.limits import bound_memory, memory_share
from tasks.toolbox.registry import Tool, ToolRegistry

GRACE = 10.0  # seconds past its limit after which a call that heeds no interruption is ended with its process
TOOLS = "tasks.toolbox.registry:discover"


@dataclass
class ToolProcess:
    """Calls tools in another process, one call at a time. Safe to use from many threads.

    Attributes:
        tools: What is served, by name.
        start: Starts a process; called again after one was ended.
        grace: Seconds past a tool's own limit after which the process is killed.
    """

    tools: Mapping[str, Tool]
    start: Callable[[], PipedProcess]
    grace: float = GRACE
    _running: PipedProcess | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run a tool under its limits.

        Raises:
            SolonError: As ``ToolRegistry.call``; or the process was killed at the limit, or ended for want of memory.
        """
        request = json.dumps({"name": name, "arguments": dict(arguments)}, default=str).encode() + b"\n"
        seconds = self.tools[name].seconds if name in self.tools else 0.0
        with self._lock:
            self.warm()
            assert self._running
            try:
                answer = json.loads(self._running.ask(request, seconds + self.grace))
            except TimeoutError:
                self.close()
                message = f"was stopped at its limit of {seconds:g} s, with the process that ran it"
                raise _failed(FailureCause.TIMEOUT, name, message, "give it less to read") from None
            except (EOFError, OSError):
                self.close()
                message = "ended with the process that ran it (killed, or out of memory)"
                raise _failed(FailureCause.CAPACITY, name, message, "give it less to read") from None
            except BaseException:
                self.close()  # interrupted: nobody waits for the answer any more
                raise
            if "failure" not in answer:
                result: dict[str, Any] = answer["result"]
                return result
            failure = Failure.model_validate(answer["failure"])
            if failure.cause is FailureCause.CAPACITY:
                self.close()  # its memory is spent
            raise SolonError(failure)

    def warm(self) -> None:
        """Start the process if none runs."""
        self._running = self._running or self.start()

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._running:
            self._running.kill()
        self._running = None


@dataclass
class PipedProcess:
    """A process with a pipe to it and one from it, in a process group of its own."""

    pid: int
    requests: IO[bytes]
    answers: IO[bytes]

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Return the answer to a request; raises TimeoutError, EOFError or OSError."""
        self.requests.write(request)
        self.requests.flush()
        deadline, buffer = time.monotonic() + seconds, bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self.answers, selectors.EVENT_READ)
            while not buffer.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise TimeoutError
                piece = os.read(self.answers.fileno(), 1 << 20)
                if not piece:
                    raise EOFError
                buffer += piece
        return bytes(buffer)

    def kill(self) -> None:
        """Kill the process and its group."""
        for end in (os.killpg, os.kill):  # the second for a process that has no group of its own yet
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        for pipe in (self.requests, self.answers):
            with contextlib.suppress(OSError):
                pipe.close()


def spawned(desk: Desk, tools: str = TOOLS) -> PipedProcess:
    """Start a process over a desk of paths.

    Args:
        desk: Roots, workspace, private places and cache; a matter at hand is not carried over.
        tools: ``module:function`` that returns the tools.
    """
    process = subprocess.Popen(
        module_command("tasks.toolbox.process"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": import_path()},
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    told = {
        "roots": [str(r.resolve()) for r in desk.roots],
        "workspace": str(desk.workspace.resolve()) if desk.workspace else None,
        "private": [str(p) for p in desk.private],
        "cache": str(desk.cache) if desk.cache else None,
        "tools": tools,
    }
    process.stdin.write(json.dumps(told).encode() + b"\n")
    process.stdin.flush()
    process.returncode = 0  # it is waited for here, by its number
    return PipedProcess(process.pid, process.stdin, process.stdout)


def forked(registry: ToolRegistry) -> PipedProcess:
    """Fork a process that serves a registry. Only for a process without other threads."""
    (asked, ask), (answered, answer) = os.pipe(), os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            os.close(ask)
            os.close(answered)
            _serve(registry, os.fdopen(asked, "rb"), os.fdopen(answer, "wb"))
        finally:
            os._exit(0)
    os.close(asked)
    os.close(answer)
    return PipedProcess(pid, os.fdopen(ask, "wb"), os.fdopen(answered, "rb"))


def _serve(registry: ToolRegistry, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until nobody asks any more."""
    os.dup2(2, 1)  # what a reader prints must not look like a result
    bound_memory(memory_share())
    for line in requests:
        answers.write(_answer(registry, line) + b"\n")
        answers.flush()


def _answer(registry: ToolRegistry, line: bytes) -> bytes:
    request = json.loads(line)
    try:
        return json.dumps({"result": registry.call(request["name"], request["arguments"])}, default=str).encode()
    except SolonError as exc:
        failure = exc.failure
    except MemoryError:
        failure = _failed(FailureCause.CAPACITY, request["name"], "ran out of memory", "give it less to read").failure
    return json.dumps({"failure": failure.model_dump(mode="json")}).encode()


def _failed(cause: FailureCause, tool: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=cause, stage="toolbox", subject=tool[:100], message=message, remedy=remedy))


def main() -> None:
    """Serve calls until the pipe closes."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a file descriptor, not a path
        os.dup2(nothing.fileno(), 0)
    told = json.loads(requests.readline())
    module, _, function = told["tools"].partition(":")
    desk = Desk(
        roots=tuple(map(Path, told["roots"])),
        workspace=Path(told["workspace"]) if told["workspace"] else None,
        private=tuple(map(Path, told["private"])),
        cache=Path(told["cache"]) if told["cache"] else None,
    )
    _serve(ToolRegistry(desk, getattr(import_module(module), function)()), requests, answers)


if __name__ == "__main__":
    main()
