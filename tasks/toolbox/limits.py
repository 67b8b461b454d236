"""Strict limits of a tool call: when the caller is told, the call has ended and writes nothing more.

The call runs in the caller's own thread and is interrupted there, by an alarm in the main thread of a process and by an
exception sent to any other thread. Nothing is left running behind the caller's back. Neither can break into a library
that does not return to Python; so ``solon tool`` and ``solon mcp`` run tools in a process of their own that they kill
(``tasks.toolbox.process``), and a stage body is ended with its worker.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AT_ONCE = 0.001  # seconds: a timer of 0 would never ring
_LEAST_MEMORY = 4 * 1024**3  # bytes of address space, of which models and indexes reserve more than they use


class LimitMet(BaseException):
    """Ends a tool at its limit; not an Exception, so that no tool swallows it."""


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raise ``LimitMet`` inside the block once so many seconds of wall time have passed."""
    main = threading.current_thread() is threading.main_thread()
    with _by_alarm(seconds) if main else _by_exception(seconds):
        yield


@contextmanager
def _by_alarm(seconds: float) -> Iterator[None]:
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    if 0 < left <= seconds:  # the stage around it ends first
        yield
        return

    ended = False

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if not ended:
            raise LimitMet

    start = time.monotonic()
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        try:
            yield
        finally:
            ended = True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(_AT_ONCE, left - (time.monotonic() - start)))


@contextmanager
def _by_exception(seconds: float) -> Iterator[None]:
    thread = ctypes.c_ulong(threading.get_ident())
    lock, ended, sent = threading.Lock(), threading.Event(), threading.Event()

    def ring() -> None:
        with lock:
            if not ended.is_set():
                sent.set()
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(LimitMet))

    watch = threading.Timer(seconds, ring)
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        with lock:
            ended.set()
            if sent.is_set():  # and perhaps not yet raised. To take back what was never sent would slow the
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)  # interpreter down for good (CPython 3.11)
        watch.cancel()


def memory_share() -> int:
    """Return the address space of a process that serves tools: half of the machine's memory, at least 4 GiB."""
    return max(_LEAST_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)


def bound_memory(wanted: int) -> None:
    """Let this process fail typed, for want of memory, before the machine does; a stricter bound stays."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY or wanted < soft:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
