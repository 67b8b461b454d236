"""Which folders of a tree are attempts, and how each is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from flows.imports import lab, psionic
from flows.imports.reading import slug, task_id, work_files
from flows.imports.records import Told, bad_tree

Reader = Callable[[Path, Path], Told]


def find_attempts(root: Path) -> list[tuple[Path, Reader]]:
    """Return the folders of attempts, in the order of their paths, with what reads each.

    Folders with a file that a runner leaves are attempts in its layout. Where a tree has none of them, each folder that
    holds files is a bare work product.

    Raises:
        SolonError: The tree is no folder, or holds nothing.
    """
    if not root.is_dir():
        raise bad_tree(root, "is not a folder", "name the folder of the results")
    found = [*_marked(root)] or [*_bare(root)]
    if not found:
        marks = ", ".join((*lab.MARKS, *psionic.MARKS))
        raise bad_tree(root, "holds no results", f"name a folder of deliverables, or one that has any of: {marks}")
    return found


def _marked(root: Path) -> Iterator[tuple[Path, Reader]]:
    """Yield the folders of attempts that a runner marked.

    Scores or metrics alone may be a summary of the attempts below them; they are an attempt where there is none.
    """
    summaries: list[tuple[Path, Reader]] = []
    inside: set[Path] = set()
    for parent, folders, files in os.walk(root):
        folder = Path(parent)
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        reader = _reader(folder, files)
        if reader is lab.read_lab and not {*files, *folders} & {*lab.SURE}:
            summaries.append((folder, reader))
        elif reader:
            folders.clear()
            inside |= {*folder.parents}
            yield folder, reader
    for folder, reader in summaries:
        if folder not in inside and not any(folder in other.parents for other, _ in summaries):
            yield folder, reader


def _reader(folder: Path, files: list[str]) -> Reader | None:
    if "attempt.json" in files:
        return _ours
    if any((folder / mark).exists() for mark in psionic.MARKS):
        return psionic.read_psionic
    return lab.read_lab if any(mark in files for mark in lab.MARKS) else None


def _ours(folder: Path, _root: Path) -> Told:
    remedy = "move the folder of its run below the folder of runs, and `solon land`"
    raise bad_tree(folder, "is an attempt of Solon's own", remedy)


def _bare(root: Path) -> Iterator[tuple[Path, Reader]]:
    for parent, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        if any(not name.startswith(".") for name in files):
            folders.clear()
            yield Path(parent), read_bare


def read_bare(folder: Path, root: Path) -> Told:
    """Read a folder of deliverables; only its path names the task."""
    place = folder.parent if folder.name == "output" and folder != root else folder
    path = place.relative_to(root).as_posix()
    return Told(
        folder=folder,
        layout="folder",
        task=task_id(path if path != "." else slug(place.resolve().name, "matter")),
        cell="imported",
        files=work_files(folder),
        notes=("a bare folder tells neither who made it nor when, with what, or for how much",),
    )
