"""Candidate harness versions: copies of the editable surfaces with an edit applied."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from skills_repo.learned import FOLDERS, TESTS
from tasks.harness import HarnessRef, find_harness
from tasks.learning.records import Edit
from tasks.matter.failures import Failure, FailureCause, SolonError

_FOLDERS = {"knowledge": "knowledge_db/data", "skills": "skills_repo", "agents": "skills_repo", "tools": "skills_repo"}
_PLAIN = 0o644  # a plain file that others may read: what is learned is no secret
_CODE = shutil.ignore_patterns("__pycache__", "*.py", "*.pyc")


def candidate(base: HarnessRef, edit: Edit, store: Path) -> HarnessRef:
    """Write the base with the edit applied into ``store/<version>`` and return it; raises as :func:`with_edits`."""
    return with_edits(base, (edit,), store)


def with_edits(base: HarnessRef, edits: Sequence[Edit], store: Path) -> HarnessRef:
    """Write the base with edits applied into ``store/<version>`` and return it.

    Args:
        base: The incumbent.
        edits: Edits of different files that passed the gates; with none it is the base.
        store: Folder of harness versions.

    Raises:
        SolonError: A file does not hold the text that its edit was made from (``input``).
    """
    if not edits:
        return base
    store.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=store, prefix=".candidate-"))
    try:
        shutil.copytree(base.knowledge, work / "knowledge_db" / "data", ignore=_CODE)
        shutil.copytree(base.skills, work / "skills_repo", ignore=partial(_no_code_of_ours, base.skills))
        for edit in edits:
            if text_of(base, edit) != edit.before:
                raise _stale(edit)
            target = work / _FOLDERS[edit.surface] / edit.path
            _write(target, edit.after)
            if edit.tests:
                tests = target.parent / TESTS / target.name
                _write(tests, edit.tests if edit.after else "")
        version = find_harness(work).version
        final = store / version
        if not final.exists():
            work.replace(final)
        return stored(store, version)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def stored(store: Path, version: str) -> HarnessRef:
    """Return a version from the store.

    Raises:
        SolonError: It is not there, or its files are not those that its name is the hash of (``input``).
    """
    found = find_harness(store / version)
    if found.version != version:
        gone = not (store / version).is_dir()
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="learning",
                subject=f"harness {version[:12]}",
                message="is not there any more" if gone else "was changed after the loop wrote it",
                remedy="restore the folder as it was, or learn under another --learn-id",
            )
        )
    return found


def text_of(harness: HarnessRef, edit: Edit) -> str:
    """Return the text that a harness holds where an edit would change it; empty where there is no such file."""
    folder = harness.knowledge if edit.surface == "knowledge" else harness.skills
    path = folder / edit.path
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _write(path: Path, text: str) -> None:
    """Write a file; with nothing to write, take away what an edit had added."""
    path.unlink(missing_ok=True)  # a new file: neither the mode nor a link of the old one is taken over
    if text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(_PLAIN)


def _no_code_of_ours(skills: Path, folder: str, names: list[str]) -> set[str]:
    """Leave the modules of the package out; what a learner wrote is code too, and goes with the harness."""
    below = Path(folder).relative_to(skills).parts
    return {"__pycache__"} if below and below[0] in FOLDERS else _CODE(folder, names)


def _stale(edit: Edit) -> SolonError:
    return SolonError(
        Failure(
            cause=FailureCause.INPUT,
            stage="learning",
            subject=edit.path,
            message="the edit was made from another text than the incumbent's",
            remedy="propose it again from the current harness",
        )
    )
