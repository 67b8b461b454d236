"""How a command is stopped: Ctrl-C, SIGTERM and a closed terminal all end it within seconds."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from flows.runs.progress import write_status

_PATIENCE = 20.0  # seconds that tidying up may take
_ECHO = 1.0  # seconds in which a repeated signal is the same one: a terminal and a wrapper both pass Ctrl-C on


class _Ending:
    """Turns the first signal into KeyboardInterrupt; a second signal, or too long a wait, ends the process at once."""

    def __init__(self, patience: float) -> None:
        self._patience, self._told = patience, 0.0

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if not self._told:
            self._told = now
            leave_soon(1, self._patience)
            raise KeyboardInterrupt
        if now - self._told > _ECHO:
            leave(1, "solon: ended at once")


@contextmanager
def ended_by_signals(patience: float = _PATIENCE) -> Iterator[None]:
    """Make SIGINT, SIGTERM and SIGHUP raise KeyboardInterrupt in the block; an ignored signal (nohup) stays ignored."""
    ending = _Ending(patience)
    before: dict[signal.Signals, Any] = {}
    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(kind) is not signal.SIG_IGN:
            before[kind] = signal.signal(kind, ending)
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def leave_soon(code: int, seconds: float = 10.0) -> None:
    """End the process after some seconds if its threads keep it alive: Prefect waits for a server that is gone."""
    timer = threading.Timer(seconds, leave, (code,))
    timer.daemon = True
    timer.start()


def leave(code: int, line: str = "") -> None:
    """End the process without waiting for any thread. Its workers and its server end by themselves."""
    if line:
        write_status(line)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
    os._exit(code)


def open_standard_streams() -> None:
    """Open the null device where a standard stream is closed; otherwise the next opened file would take its place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
