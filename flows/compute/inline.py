"""Inline compute: worker processes on this machine, separate for each role, each killable with its process group."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from flows.compute.guard import timed_out, worker_ended
from flows.compute.protocol import JUDGE_ONLY, Resources, Role, missing
from flows.compute.worker import receive, send
from tasks.matter import lifetime
from tasks.matter.failures import SolonError
from tasks.matter.interpreter import import_path, module_command

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_GRACE = 5.0  # the worker's own limit comes first; past it the process group is killed
_LEAST_SHARE = 6 * 1024**3  # bytes of address space, of which models and indexes reserve more than they use


class Worker:
    """One worker process, driven by one thread at a time; any thread may kill it."""

    def __init__(self, env: Mapping[str, str], role: Role, log: Path | None) -> None:
        with contextlib.ExitStack() as stack:
            self._process = subprocess.Popen(
                module_command("flows.compute.worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stack.enter_context(_opened(log)) if log else None,
                env={
                    "SOLON_WORKER_BYTES": str(share()),
                    **worker_environment(role),
                    **env,
                    **lifetime.lifetime_environment(),
                    "SOLON_ROLE": role,
                    "PYTHONPATH": import_path(),
                },
                start_new_session=True,
            )

    def call(self, message: bytes, resources: Resources) -> tuple[bool, Any]:
        """Run one pickled call; kill the process group when it overruns its limit."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            send(self._process.stdin, message)
            if resources.seconds and not self._readable(resources.seconds + _GRACE):
                self.close()
                return False, timed_out(resources.stage, resources.seconds)
            return pickle.loads(receive(self._process.stdout))  # type: ignore[no-any-return]  # noqa: S301 - own worker
        except (EOFError, BrokenPipeError, ValueError, OSError):
            self.close()
            return False, worker_ended(resources.stage, self._process.wait())

    def _readable(self, seconds: float) -> bool:
        assert self._process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            return bool(selector.select(seconds))

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process and whatever it started.

        Its pipes stay open: a thread that waits for an answer then sees the end of the pipe. Were the pipe closed by
        another thread, it would wait until its limit.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Kill the process and close its pipes; only for the thread that drives it."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()


def share() -> int:
    """Return the address space of one worker in bytes: half of the machine's memory, never under six gigabytes."""
    return max(_LEAST_SHARE, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)


def worker_environment(role: Role) -> dict[str, str]:
    """Return the environment for a worker: that of this process, without the place of rubrics for a solver."""
    return {k: v for k, v in os.environ.items() if role == "judge" or k not in JUDGE_ONLY}


def own_threads(workers: int) -> dict[str, str]:
    """Return how many threads the libraries in a worker may use: its share of the cores.

    Each takes all cores by default, and threads of two processes that wait for the same core wait in vain: fitting the
    readers of ``solon bench nli`` took fifty times as long beside another such process. What the user sets stands.
    """
    share = str(max(1, (os.cpu_count() or 1) // workers))
    return {name: share for name in THREADS if name not in os.environ}


def _opened(log: Path) -> IO[bytes]:
    log.parent.mkdir(parents=True, exist_ok=True)
    return log.open("ab")


class _Pool:
    """Threads that each control at most one worker; workers start when first needed."""

    def __init__(self, size: int, env: Mapping[str, str], role: Role, log: Path | None) -> None:
        self._threads = ThreadPoolExecutor(size, thread_name_prefix=f"solon-{role}")
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        self._env, self._role, self._log = env, role, log
        self._lock, self._all, self._closed = threading.Lock(), set[Worker](), False

    def submit(
        self, fn: Callable[..., Any], args: tuple[Any, ...], resources: Resources, clock: list[float]
    ) -> Future[Any]:
        try:
            return self._threads.submit(self._run, fn, args, resources, clock)
        except RuntimeError:  # shut down
            raise CancelledError from None

    def _take(self) -> Worker:
        with contextlib.suppress(queue.Empty):
            return self._idle.get_nowait()
        with self._lock:  # a worker started while the pool closes would be left behind
            if self._closed:
                raise CancelledError
            worker = Worker(self._env, self._role, self._log)
            self._all.add(worker)
        return worker

    def _run(self, fn: Callable[..., Any], args: tuple[Any, ...], resources: Resources, clock: list[float]) -> Any:
        import cloudpickle  # type: ignore[import-untyped]

        values = tuple(a.result() if isinstance(a, InlineHandle) else a for a in args)
        message = cloudpickle.dumps((fn, values, resources.stage, resources.seconds))
        worker, began = self._take(), time.monotonic()
        ok, value = worker.call(message, resources)
        clock.append(time.monotonic() - began)
        if self._closed and not ok:
            raise CancelledError  # nobody's failure: the run was stopped, and its attempt has not ended
        if worker.alive and not self._closed:
            self._idle.put(worker)
        else:
            with self._lock:
                self._all.discard(worker)
        if not ok:
            raise SolonError(value)
        return value

    def close(self) -> None:
        with self._lock:
            self._closed, workers = True, list(self._all)
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()


@dataclass(frozen=True)
class InlineHandle:
    """A future of this process.

    Attributes:
        clock: Seconds of the body, from when a worker took it on; empty until it ended.
    """

    future: Future[Any]
    clock: Sequence[float] = ()

    @property
    def worked(self) -> float | None:
        """Seconds of the body itself."""
        return self.clock[0] if self.clock else None

    def ready(self) -> None:
        """Wait; raises what the body raised."""
        self.future.result()

    def result(self) -> Any:
        """Wait for the result."""
        return self.future.result()


class InlineCompute:
    """Worker processes on this machine. Implements ``Compute``."""

    name = "inline"

    def __init__(self, workers: int, env: Mapping[str, str], logs: Mapping[Role, Path]) -> None:
        self.slots = workers or os.cpu_count() or 1
        judges = max(1, self.slots // 2)
        env = {**own_threads(self.slots), **env}
        self._pools: dict[Role, _Pool] = {
            "solver": _Pool(self.slots, env, "solver", logs.get("solver")),
            "judge": _Pool(judges, env, "judge", logs.get("judge")),
        }

    def submit(self, fn: Callable[..., Any], *args: Any, resources: Resources) -> InlineHandle:
        """Queue a body, first in, first out: a body never waits for a later one.

        Raises:
            CancelledError: This compute was closed; callers that wait for its bodies get the same error.
        """
        clock: list[float] = []
        return InlineHandle(self._pools[resources.role].submit(fn, args, resources, clock), clock)

    def preflight(self, wanted: Mapping[str, float]) -> None:
        """Inline has processors only."""
        missing({"CPU": float(os.cpu_count() or 1)}, wanted)

    def close(self) -> None:
        """Kill the workers."""
        for pool in self._pools.values():
            pool.close()
