"""A scheduled run: named by schedule and time, never beside another of its schedule, with one line on its end."""

from __future__ import annotations

import fcntl
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from flows.corpus import run_corpus
from flows.runs.progress import write_status
from flows.runs.summary import CellSummary
from flows.settings import load_settings
from tasks.matter.failures import Failure, FailureCause, SolonError

FOLDER = "SOLON_SERVED_FROM"
"""Variable that names the folder of solon.toml to a scheduled run, which is started in a folder without modules."""


class RunSkippedError(Exception):
    """A scheduled run that was not started because the previous one is still running."""


def due_name(schedule: str, due: datetime, timezone: str) -> str:
    """Return the name of a scheduled run, e.g. ``nightly 2026-11-22 03:00``; unique also where clocks are put back."""
    local = due.astimezone(ZoneInfo(timezone))
    seconds = f":{local:%S}" if local.second else ""  # started by hand
    zone = f" {local:%Z}" if timezone != "UTC" else ""
    return f"{schedule} {local:%Y-%m-%d %H:%M}{seconds}{zone}"


def scheduled(
    schedule: str, name: str, corpus: str, cells: list[str], limit: int | None = None, epochs: int = 1
) -> str:
    """Run a corpus from a deployment: plain parameters, settings of the serving process.

    Args:
        schedule: Its name; two runs of one schedule never go on side by side.
        name: Of this run, as ``due_name`` gives it.
        corpus: Folder of the corpus.
        cells: Names of cells.
        limit: Maximum number of matters.
        epochs: Attempts of each matter and cell.

    Returns:
        One line on how it ended.

    Raises:
        SkippedError: The run before it is still going.
        SolonError: Nothing could be run, or what was run could not be landed.
    """
    _enter_folder()
    settings = load_settings()
    run_id = _plain(name)
    with _locked(settings.home / "schedules" / f"{_plain(schedule)}.lock", name):
        write_status(f"{name}: started as run {run_id}")
        try:
            result = run_corpus(Path(corpus), cells, settings, limit=limit, run_id=run_id, epochs=epochs, quiet=True)
            line = "; ".join(_summary_line(cell) for cell in result.cells)
            if result.report is None:
                message = f"not landed: {' '.join(result.notes)}"
                raise SolonError(
                    Failure(cause=FailureCause.UNKNOWN, stage="land", subject=run_id, message=message or line)
                )
        except SolonError as exc:
            write_status(f"{name}: failed: {exc}")
            raise
        write_status(f"{name}: {line}")
        return line


def _enter_folder() -> None:
    """Go to the folder of solon.toml; what stands there is read, and no module of it is imported."""
    if folder := os.environ.get(FOLDER):
        sys.path[:] = [place for place in sys.path if place not in ("", ".")]  # Prefect puts "." first
        os.chdir(folder)


@contextmanager
def _locked(lock: Path, name: str) -> Iterator[None]:
    """Lock the schedule; the kernel releases the lock when this process ends, however it ends."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            handle.seek(0)
            line = f"{name}: skipped, {handle.read() or 'the run before it'} is still going"
            write_status(line)
            raise RunSkippedError(line) from None
        handle.truncate(0)
        handle.write(name)
        handle.flush()
        yield


def _summary_line(cell: CellSummary) -> str:
    passed = "none of the criteria scored" if cell.pooled_pass is None else f"{cell.pooled_pass:.1%} of criteria passed"
    return f"{cell.cell}: {cell.matters} matters, {passed}, {cell.unscored} unscored"


def _plain(name: str) -> str:
    """Return a name as a run id and a file may have it."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name.replace(":", "")).lstrip("._-")[:100]
