"""Long-lived reading processes: many documents per process; a crash or a timeout costs one document."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import resource
import selectors
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

import tasks
from tasks.matter import lifetime
from tasks.matter.failures import FailureCause
from tasks.matter.interpreter import module_command
from tasks.sources.builder import problem
from tasks.sources.limits import OUT_OF_MEMORY, ReaderLimits
from tasks.sources.records import CanonicalText

_RECYCLE = 400  # documents after which a process is replaced, against slow leaks in parsers
_PRESSED = 0.6  # of the memory allowed: a process that took so much and crashed was short of it
_GLANCE = 1.0  # seconds between two looks at a process that reads
_PATIENCE = 4  # looks at which it had no memory left
_CRUMB = 2 * 1024**2  # bytes; Python asks for a megabyte at a time
_KEPT = {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TESSDATA_PREFIX", "LD_LIBRARY_PATH", "SYSTEMROOT", "TZ"}


class _CrashedError(Exception):
    """The process ended without an answer."""


class _StarvedError(Exception):
    """The process hangs without memory: Python 3.11 may raise MemoryError again and again without progress."""


@dataclass
class _Worker:
    """One reading process in a process group of its own."""

    process: subprocess.Popen[bytes]
    limits: ReaderLimits
    served: int = 0
    buffer: bytearray = field(default_factory=bytearray)
    peak: int = 0

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Return the answer line; raises TimeoutError, _StarvedError or _CrashedError."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(request)
            self.process.stdin.flush()
        except OSError as error:
            raise _CrashedError from error
        deadline = time.monotonic() + seconds
        starved = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.buffer[-65536:]:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError
                if not selector.select(min(left, _GLANCE)):
                    starved = starved + 1 if self._starves() else 0
                    if starved >= _PATIENCE:
                        raise _StarvedError
                    continue
                piece = os.read(self.process.stdout.fileno(), 65536)
                if not piece:
                    raise _CrashedError
                self.buffer += piece
        line, self.buffer = bytes(self.buffer), bytearray()
        self.served += 1
        return line

    def _starves(self) -> bool:
        """Tell whether no memory is left; False where the system does not report it."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[0])
        except (OSError, ValueError, IndexError):
            return False
        return self.limits.memory_bytes - pages * os.sysconf("SC_PAGE_SIZE") < _CRUMB

    def exit_code(self) -> int:
        """Return the exit code of a process that stopped answering."""
        deadline = time.monotonic() + 2.0
        while not self._ended() and time.monotonic() < deadline:
            time.sleep(0.01)
        ended = self.process.returncode is not None
        code = self.kill()
        if ended and self.peak > _PRESSED * self.limits.memory_bytes:
            return -signal.SIGABRT  # a library in C that gets no memory dies of anything
        return code

    def _ended(self) -> bool:
        """Tell whether the process has ended, and record its peak memory."""
        if self.process.returncode is None:
            try:
                found, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            except ChildProcessError:
                return self.process.poll() is not None
            if found:
                self.process.returncode = os.waitstatus_to_exitcode(status)
                # a child inherits its parent's peak: only what goes beyond that is its own
                ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                self.peak = usage.ru_maxrss * 1024 if usage.ru_maxrss > ours else 0
        return self.process.returncode is not None

    def kill(self) -> int:
        """End the process and everything it started; return its exit code."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        code = self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        return code


def _start(limits: ReaderLimits) -> _Worker:
    """Start a process with no secrets in its environment, away from the caller's working directory."""
    root = str(Path(tasks.__file__).resolve().parents[1])
    environment = {k: v for k, v in os.environ.items() if k in _KEPT}
    environment.update(lifetime.lifetime_environment())
    environment.update(PYTHONPATH=root, OMP_THREAD_LIMIT="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    process = subprocess.Popen(
        module_command("tasks.sources.worker"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd="/",
        start_new_session=True,
    )
    return _Worker(process, limits)


class ReaderPool:
    """A bounded set of reading processes; safe to use from many threads."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._owner = os.getpid()
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(size)
        # a reader ends with the thread that started it: not the caller's, which may be gone before the reader is
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="readers")

    def read(
        self, path: Path, name: str, limits: ReaderLimits | None = None, redlines: bool = False, tables: bool = False
    ) -> CanonicalText:
        """Read a file in a limited process; a crash or timeout is a problem of that document."""
        limits = limits or ReaderLimits()
        request = json.dumps(
            {
                "path": str(path.absolute()),
                "name": name,
                "limits": asdict(limits),
                "redlines": redlines,
                "tables": tables,
            }
        ).encode()
        request += b"\n"
        with self._slots:
            worker = self._take(limits)
            used = worker.served > 0
            read = self._ask(worker, request, name, limits)
            if isinstance(read, int) and used:  # what an earlier document did to the process is not this one's fault
                read = self._ask(self._start(limits), request, name, limits)
        return _crash(name, read, limits) if isinstance(read, int) else read

    def _ask(self, worker: _Worker, request: bytes, name: str, limits: ReaderLimits) -> CanonicalText | int:
        """Return the answer, or the exit code of a process that ended without one."""
        try:
            answer = worker.ask(request, limits.wall_seconds)
        except _StarvedError:
            worker.kill()
            return OUT_OF_MEMORY
        except TimeoutError:
            worker.kill()
            message = f"Reading took more than {limits.wall_seconds:.0f} s."
            return _unread(name, FailureCause.TIMEOUT, message, "Split the file.")
        except _CrashedError:
            return worker.exit_code()
        except BaseException:
            worker.kill()
            raise
        read = CanonicalText.model_validate_json(answer)
        self._give_back(worker, spent=any(p.cause is FailureCause.CAPACITY for p in read.problems))
        return read

    def _take(self, limits: ReaderLimits) -> _Worker:
        """Return an idle process with the same limits (a memory limit cannot be raised again), or start one."""
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.limits == limits and worker.process.poll() is None:
                    return worker
                worker.kill()
        return self._start(limits)

    def _start(self, limits: ReaderLimits) -> _Worker:
        return self._starter.submit(_start, limits).result()

    def _give_back(self, worker: _Worker, spent: bool) -> None:
        """Keep a process for the next document unless it is old or its memory is spent."""
        if spent or worker.served >= _RECYCLE:
            worker.kill()
            return
        with self._lock:
            self._idle.append(worker)

    def close(self) -> None:
        """End the idle processes; a forked child leaves its parent's alone."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()


def _crash(name: str, code: int, limits: ReaderLimits) -> CanonicalText:
    if code == -signal.SIGXCPU:
        return _unread(
            name, FailureCause.TIMEOUT, f"Reading used more than {limits.cpu_seconds} s of CPU.", "Split it."
        )
    if code in {-signal.SIGKILL, -signal.SIGABRT, OUT_OF_MEMORY}:
        return _unread(name, FailureCause.CAPACITY, "Reading was ended for want of memory.", "Split the document.")
    message = f"The reading process ended without an answer (exit code {code})."
    return _unread(name, FailureCause.READER, message, "Open and save the file in its own program, or as PDF.")


def _unread(name: str, cause: FailureCause, message: str, remedy: str) -> CanonicalText:
    failure = problem(cause, message, remedy)
    return CanonicalText(document=name, sha256="", extractor="none/0", media="", text="", problems=(failure,))


@lru_cache(maxsize=2)
def _pool_of(pid: int) -> ReaderPool:
    """Return the pool of this process id: a forked child must not use its parent's readers."""
    del pid
    pool = ReaderPool(size=max(1, min(2, os.cpu_count() or 1)))
    atexit.register(pool.close)
    return pool


def reader_pool() -> ReaderPool:
    """Return this process's pool of readers."""
    return _pool_of(os.getpid())
