"""Attacks on the data room while a run goes on, and between two starts of one run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from flows.bench.faults.corpus import lease
from flows.bench.faults.records import Case
from flows.bench.faults.scene import Scene, wait_until_ended

_CALM = 2
"""Matters that are left alone, so that there is time to alter the others after the corpus was loaded."""


def _change(path: Path) -> None:
    path.write_text(lease(99), encoding="utf-8")


def _to_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


ALTERATIONS: Mapping[str, Callable[[Path], object]] = MappingProxyType(
    {
        "unlinked": Path.unlink,
        "renamed": lambda path: path.rename(path.with_name("moved.txt")),
        "changed": _change,
        "truncated": lambda path: os.truncate(path, path.stat().st_size // 2),
        "fifo": _to_fifo,
        "directory": _to_folder,
        "room gone": lambda path: shutil.rmtree(path.parent),
    }
)


def altered_in_mid_run(scene: Scene) -> Iterator[str]:
    """Alter one document of each matter after loading: no criterion fails, and once restored the run finishes."""
    scene.matters = _CALM + len(ALTERATIONS)
    tasks = scene.plant()
    process = scene.begin("altered")
    scene.wait_for("altered", 1, process)
    victims = dict(zip(ALTERATIONS, tasks[_CALM:], strict=True))
    early = [name for name, task in victims.items() if _has_ended(scene, task)]
    for name, task in victims.items():
        ALTERATIONS[name](task / "documents" / "lease.txt")
    done = wait_until_ended(process)
    if done.code != 0:
        yield f"the run ended with {done.code}: {done.err.strip()[-200:]}"
    verdicts = scene.verdicts("altered")
    for name, task in victims.items():
        matter = task.relative_to(scene.corpus).as_posix()
        told = {criterion: status for (of, criterion), status in verdicts.items() if of == matter}
        expected = {"pass", "unscored"} if name in early else {"unscored"}
        if not told or not set(told.values()) <= expected:
            yield f"{name}: {told or 'not in the warehouse'}"
    yield from scene.disagreements(done, "altered")
    for i, task in enumerate(tasks):
        _restore(task / "documents", i)
    yield from scene.wrongs(scene.run("altered"), "altered")


def other_corpus_on_resume(scene: Scene) -> Iterator[str]:
    """Change documents between two starts of one run: the second start is refused and names them."""
    tasks = scene.plant()
    first = scene.run("twice")
    before = scene.verdicts("twice")
    _change(tasks[1] / "documents" / "lease.txt")
    second = scene.run("twice")
    if second.code != 2 or "lease-01" not in second.err:
        yield f"resumed over another corpus with code {second.code}: {second.err.strip()[-200:]}"
    if scene.verdicts("twice") != before:
        yield "the verdicts of the run are not the same"
    _restore(tasks[1] / "documents", 1)
    yield from scene.wrongs(first, "twice")
    yield from scene.wrongs(scene.run("twice"), "twice")


def _restore(room: Path, i: int) -> None:
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir()
    (room / "lease.txt").write_text(lease(i), encoding="utf-8")


def _has_ended(scene: Scene, task: Path) -> bool:
    folder = scene.home / "runs" / "altered" / task.relative_to(scene.corpus)
    return any(".partial-" not in str(p) for p in folder.rglob("attempt.json"))


CASES = (
    Case("documents altered in mid-run", "documents", altered_in_mid_run, trials=2),
    Case("documents altered in mid-run", "documents", altered_in_mid_run, compute="ray"),
    Case("another corpus on resume", "documents", other_corpus_on_resume),
)
