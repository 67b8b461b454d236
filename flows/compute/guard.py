"""The worker's side of a stage: a wall-clock limit, and every error mapped to the failure vocabulary."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.secrets import redact_keys, redacted_stderr
from warehouse.disk import REMEDY, full_place, is_full


class _WallLimit(BaseException):
    """Raised in the worker's main thread; not an ``Exception``, so that no stage catches it."""


@contextmanager
def wall_limit(seconds: float | None) -> Iterator[None]:
    """End the block after ``seconds`` of wall time, where the platform lets us (main thread, SIGALRM)."""
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise _WallLimit

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def exit_past(seconds: float | None, grace: float = 30.0) -> Iterator[None]:
    """End the worker process itself when a body ignores its wall limit (a library that never returns to Python)."""
    if not seconds:
        yield
        return
    watch = threading.Timer(seconds + grace, os._exit, (70,))
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def guarded(fn: Callable[..., Any], args: tuple[Any, ...], stage: str, seconds: float | None) -> Any:
    """Run a stage body in a worker.

    Raises:
        SolonError: With cause timeout at the wall limit, capacity when memory or disk ran out, else unknown.
    """
    os.umask(0o077)  # what a body writes is for its user alone, also on a cluster that others started
    with redacted_stderr():
        return _guarded(fn, args, stage, seconds)


def _guarded(fn: Callable[..., Any], args: tuple[Any, ...], stage: str, seconds: float | None) -> Any:
    try:
        with wall_limit(seconds):
            return fn(*args)
    except SolonError:
        raise
    except _WallLimit:
        raise SolonError(timed_out(stage, seconds or 0.0)) from None
    except MemoryError as exc:
        message = "ran out of memory"
        raise SolonError(Failure(cause=FailureCause.CAPACITY, stage=stage, subject=stage, message=message)) from exc
    except Exception as exc:  # noqa: BLE001 - process boundary: a defect of one matter must not end the run
        raise SolonError(_named(exc, stage)) from None


def _named(error: Exception, stage: str) -> Failure:
    # the words of an error, and the paths in it, may be those of a rubric, and a failure is public
    secret = os.environ.get("SOLON_ROLE") == "judge"
    if is_full(error):
        return full_disk(stage, "no space left on the disk of the judge" if secret else full_place(error))
    with contextlib.suppress(OSError):  # the log may lie on a full disk, which must not end the worker
        if secret:
            traceback.print_tb(error.__traceback__)
        else:
            traceback.print_exception(error)
    message = (
        f"{type(error).__name__} in the judge's process"
        if secret
        else redact_keys(f"{type(error).__name__}: {error}")[:500]
    )
    return Failure(cause=FailureCause.UNKNOWN, stage=stage, subject=stage, message=message)


def full_disk(stage: str, message: str) -> Failure:
    """Return the failure of a stage that found the disk full."""
    remedy = f"{REMEDY}, then run again with the same --run-id and --retry-failed"
    return Failure(cause=FailureCause.CAPACITY, stage=stage, subject=stage, message=message, remedy=remedy)


def worker_ended(stage: str, code: int) -> Failure:
    """Return the failure of a stage whose worker process ended, by its exit code (negative: the signal)."""
    if code == -signal.SIGXFSZ:
        return full_disk(stage, "no space left on the disk: a file reached the file-size limit")
    if code == -signal.SIGBUS:  # the disk, or /dev/shm, was full when a page of a mapped file was to be written
        return full_disk(stage, "no space left on the disk of a memory-mapped file (it may be /dev/shm)")
    message = f"the worker process ended with code {code} (killed, or out of memory)"
    return Failure(cause=FailureCause.CAPACITY, stage=stage, subject=stage, message=message)


def timed_out(stage: str, seconds: float) -> Failure:
    """Return the failure of a stage that reached its wall limit."""
    return Failure(
        cause=FailureCause.TIMEOUT,
        stage=stage,
        subject=stage,
        message=f"stopped at its wall limit of {seconds:g} s",
        remedy="raise stage_seconds in solon.toml, or the cell's limits.wall_seconds",
    )
