"""The one matter of `solon matter`: opened from a folder, its deliverables copied out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

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


def copy_deliverables(deliverables: Path, target: Path) -> None:
    """Copy deliverables out of Solon's own folders; the target folder decides who may read them."""
    place = next(p for p in (target, *target.resolve().parents) if p.is_dir())
    rights = place.stat().st_mode
    for file in sorted(p for p in deliverables.rglob("*") if p.is_file() and not p.is_symlink()):
        copy = target / file.relative_to(deliverables)
        for folder in reversed([p for p in (copy.parent, *copy.parent.parents) if not p.is_dir()]):
            folder.mkdir()
            folder.chmod(rights & 0o755 | 0o700)
        shutil.copyfile(file, copy)
        copy.chmod(rights & 0o644 | 0o600)
