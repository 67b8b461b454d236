"""Progress: a bar on a terminal, plain lines elsewhere. Always on stderr."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # every command imports this file, and few make an attempt
    from flows.runs.orders import Attempt

Observer: TypeAlias = "Callable[[Attempt], None]"


def write_status(line: str) -> None:
    """Write one line to standard error; a closed terminal never ends a run."""
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


class Progress:
    """Counts ended attempts; used as a context manager."""

    def __init__(self, total: int, done: int, quiet: bool = False) -> None:
        self._total, self._done, self._quiet = total, done, quiet
        self._lock, self._last = threading.Lock(), 0.0
        self._bar: object | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty() and not self._quiet:
            from rich.console import Console
            from rich.progress import Progress as Bar

            self._bar = bar = Bar(console=Console(stderr=True), transient=True)
            bar.start()
            self._task = bar.add_task("matters", total=self._total, completed=self._done)
        elif self._done and not self._quiet:
            write_status(f"resuming: {self._done} of {self._total} attempts have ended")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()  # type: ignore[attr-defined]

    def __call__(self, attempt: Attempt) -> None:
        """Note one ended attempt."""
        with self._lock:
            self._done += 1
            if self._bar is not None:
                self._bar.update(self._task, advance=1, description=attempt.matter_id[-40:])  # type: ignore[attr-defined]
            elif not self._quiet and (self._due() or attempt.outcome != "finished"):
                write_status(f"[{self._done}/{self._total}] {line_of(attempt)}")

    def _due(self) -> bool:
        now = time.monotonic()
        due = now - self._last >= 2.0 or self._done == self._total
        self._last = now if due else self._last
        return due


def line_of(attempt: Attempt) -> str:
    """Return one line on an ended attempt."""
    scored = attempt.criteria - attempt.unscored
    score = f"{attempt.passed}/{scored} criteria" if scored else "not scored" if attempt.criteria else "not judged"
    cause = f" [{attempt.failures[0].line()}]" if attempt.failures and attempt.outcome != "finished" else ""
    state = attempt.release_status or attempt.outcome
    return f"{attempt.matter_id} · {attempt.cell.name}: {state}, {score}, {attempt.seconds:.1f} s{cause}"
