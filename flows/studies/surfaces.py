"""Harnesses between two: the one in force with one surface of a learned one, to see which surface brings the gain."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tasks.harness import HarnessRef, find_harness, surface_paths, surface_versions

_IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc")


def parts_of(base: HarnessRef, learned: HarnessRef, store: Path) -> dict[str, Path]:
    """Return the base with each surface of the learned harness that differs, by the name of the surface.

    Args:
        base: The harness in force.
        learned: A learned one.
        store: Folder of the harnesses that are made; one that is there is used again.
    """
    before, after = surface_versions(base), surface_versions(learned)
    return {name: _mixed(base, learned, name, store) for name in before if before[name] != after[name]}


def _mixed(base: HarnessRef, learned: HarnessRef, surface: str, store: Path) -> Path:
    store.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=store, prefix=".part-"))
    try:
        shutil.copytree(base.knowledge, work / "knowledge_db" / "data", ignore=_IGNORED)
        shutil.copytree(base.skills, work / "skills_repo", ignore=_IGNORED)
        made = HarnessRef(knowledge=work / "knowledge_db" / "data", skills=work / "skills_repo", version="")
        _replace(surface_paths(learned)[surface], surface_paths(made)[surface])
        final = store / f"{surface}-{find_harness(work).version[:16]}"
        if not final.exists():
            work.replace(final)
        return final
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _replace(source: Path, target: Path) -> None:
    """Replace a surface; remove it if the source lacks it."""
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=_IGNORED)
    elif source.is_file():
        shutil.copyfile(source, target)
