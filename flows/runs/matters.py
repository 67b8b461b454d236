"""The one matter of `solon matter`: opened from a folder, its deliverables copied out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from errno import ENOTDIR
from filecmp import cmp
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile

from flows.settings import Settings
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter


def open_matter(
    folder: Path, settings: Settings, ask: str | None, deliverables: Sequence[str], title: str = ""
) -> Matter:
    """Load a task directory, or a plain folder with a brief."""
    from tasks.matter.loading import load_corpus, load_folder

    if ask is not None or not (folder / "task.json").is_file():
        matter = load_folder(folder, ask or "", deliverables, title=title)
        _outside(folder, settings)
        return matter
    corpus = load_corpus(folder, settings.sealed, 1, settings.cache)
    if not corpus.matters:
        raise SolonError(corpus.problems[0])
    return corpus.matters[0]


def _outside(folder: Path, settings: Settings) -> None:
    """Refuse a data room that contains folders Solon writes: drafts and rubrics would count as its documents."""
    room = folder.resolve()
    for name in ("home", "runs", "sealed", "judge_cache", "warehouse"):
        place = Path(getattr(settings, name)).resolve()
        inside = place.relative_to(room).parts if place.is_relative_to(room) else (".",)
        if not any(part.startswith(".") for part in inside):  # hidden folders are no part of a data room
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="matter",
                    subject=str(place),
                    message=f"what Solon writes ({name}) would lie inside the data room",
                    remedy=f"choose another place with --home, or a hidden folder such as {room / '.solon'}",
                )
            )


def make_ready(target: Path) -> None:
    """Make the folder for the deliverables and check that it can be written, before anything is drafted.

    Raises:
        SolonError: It cannot be made or written (``input``).
    """
    try:
        _make(target)
        with TemporaryFile(dir=target):
            pass
    except OSError as exc:
        remedy = "name a folder that you may write with --output, or leave it out"
        raise SolonError(_failure(target, f"cannot receive the work product: {exc.strerror}", remedy)) from exc


def copy_deliverables(deliverables: Path, target: Path) -> tuple[Path, ...]:
    """Copy deliverables out of Solon's own folders; the target folder decides who may read them.

    Returns:
        The files that were there under such a name with other content: they are kept under another.

    Raises:
        SolonError: The copy failed; the message says where the work product lies (``input``).
    """
    kept = []
    try:
        for file in sorted(p for p in deliverables.rglob("*") if p.is_file() and not p.is_symlink()):
            copy = target / file.relative_to(deliverables)
            _make(copy.parent)
            if copy.is_file() and not cmp(copy, file, shallow=False):
                kept.append(copy.rename(_free(copy)))
            shutil.copyfile(file, copy)
            copy.chmod(copy.parent.stat().st_mode & 0o644 | 0o600)
    except OSError as exc:
        remedy = f"the work product is whole in {deliverables}: copy it from there"
        raise SolonError(_failure(target, f"cannot receive the work product: {exc.strerror}", remedy)) from exc
    return tuple(kept)


def _make(folder: Path) -> None:
    """Make a folder with the permissions of the folder above it."""
    place = next(p for p in (folder, *folder.resolve().parents) if p.is_dir())
    rights = place.stat().st_mode
    for part in reversed([p for p in (folder, *folder.parents) if not p.exists()]):
        part.mkdir()
        part.chmod(rights & 0o755 | 0o700)
    if not folder.is_dir():
        raise NotADirectoryError(ENOTDIR, "a file of this name is in the way", str(folder))


def _free(file: Path) -> Path:
    """Return the first name "memo (earlier 1).docx" that is not taken."""
    names = (file.with_stem(f"{file.stem} (earlier {n})") for n in count(1))
    return next(name for name in names if not name.exists())


def _failure(place: Path, message: str, remedy: str) -> Failure:
    return Failure(cause=FailureCause.INPUT, stage="matter", subject=str(place), message=message, remedy=remedy)
