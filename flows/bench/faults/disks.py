"""Attacks on the disk: full, or with a limit on the size of files, while attempts are written and while they land."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from flows.bench.faults.records import Case
from flows.bench.faults.scene import AttackSkippedError, Done, Scene

_WORDS = ("space", "disk", "file size", "too large", "larger than")
_LEAST = 400_000  # bytes: enough to begin, too few for the whole file


def landing_over_file_limit(scene: Scene) -> Iterator[str]:
    """Forbid files as large as the warehouse: nothing incomplete is published, and with room again all rows land."""
    scene.plant()
    limited = scene.run("narrow", file_limit=400_000)
    yield from _error_problems(limited)
    yield from _published_whole(scene)
    yield from scene.wrongs(scene.run("narrow"), "narrow")


def second_landing_over_file_limit(scene: Scene) -> Iterator[str]:
    """The same attack where a good warehouse is already published: that warehouse stays as it was."""
    scene.plant()
    first = scene.run("first")
    size = (scene.home / "warehouse" / "solon.duckdb").stat().st_size
    before = scene.verdicts("first")
    limited = scene.run("second", file_limit=max(_LEAST, size // 2))
    yield from _error_problems(limited)
    if scene.verdicts("first") != before:
        yield "the warehouse that was served before is not the same"
    yield from _published_whole(scene)
    yield from scene.wrongs(first, "first")
    yield from scene.wrongs(scene.run("second"), "second")


def attempts_over_file_limit(scene: Scene) -> Iterator[str]:
    """Forbid any file of more than 6 kB: attempts cannot be written; nothing is scored as a fail."""
    scene.plant()
    limited = scene.run("tiny", file_limit=6_000)
    if "Traceback" in limited.err:
        yield "a traceback instead of a message"
    fails = [k for k, v in scene.verdicts("tiny").items() if v == "fail"]
    if fails:
        yield f"{len(fails)} verdicts are fail for want of disk"
    yield from scene.wrongs(scene.run("tiny", "--retry-failed"), "tiny")


def full_file_system(scene: Scene) -> Iterator[str]:
    """Run on a file system that fills up, then with room."""
    scene.home_name = "small/home"
    place = scene.folder / "small"
    with _small_file_system(place, megabytes=scene.random.choice([1, 2, 4])):
        scene.plant()
        filled = scene.run("full")
        if filled.code == 0:
            yield from scene.wrongs(filled, "full")
            return
        yield from _error_problems(filled)
        fails = [k for k, v in scene.verdicts("full").items() if v == "fail"]
        if fails:
            yield f"{len(fails)} verdicts are fail for want of disk"
        yield from _published_whole(scene)
        _resize(place, megabytes=300)
        yield from scene.wrongs(scene.run("full", "--retry-failed"), "full")


def _error_problems(done: Done) -> Iterator[str]:
    if done.code != 1:
        yield f"ended with {done.code} on a full disk: {done.err.strip()[-200:]}"
    if not any(word in done.err.lower() for word in _WORDS):
        yield f"does not say that the disk is full: {done.err.strip()[-200:]}"
    if "Traceback" in done.err:
        yield "a traceback instead of a message"


def _published_whole(scene: Scene) -> Iterator[str]:
    """What is served holds the rows of every attempt that its manifest names."""
    short = scene.rows(
        "SELECT attempt_id, count(v.criterion_id) FROM attempt LEFT JOIN verdict v USING (attempt_id) "
        "GROUP BY ALL HAVING count(v.criterion_id) < 4"  # each matter of the bench has four criteria
    )
    for attempt, found in short:
        yield f"{attempt} was published with {found} of 4 verdicts"
    orphans = scene.rows(
        "SELECT part FROM manifest WHERE part LIKE 'attempt/%' AND "
        "(SELECT count(*) FROM attempt) < (SELECT count(*) FROM manifest WHERE part LIKE 'attempt/%')"
    )
    if orphans:
        yield f"{len(orphans)} parts are called landed and their rows are not there"


@contextlib.contextmanager
def _small_file_system(place: Path, megabytes: int) -> Iterator[None]:
    place.mkdir()
    if os.geteuid() != 0 or shutil.which("mount") is None or not _mounted(place, f"size={megabytes}m"):
        raise AttackSkippedError("a small file system cannot be mounted here (needs root)")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=False, capture_output=True)


def _resize(place: Path, megabytes: int) -> None:
    _mounted(place, f"remount,size={megabytes}m")


def _mounted(place: Path, options: str) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


CASES = (
    Case("landing over a limit of file size", "disk", landing_over_file_limit),
    Case("landing over a limit beside a good warehouse", "disk", second_landing_over_file_limit),
    Case("attempts over a limit of file size", "disk", attempts_over_file_limit),
    Case("full file system", "disk", full_file_system, trials=3),
)
