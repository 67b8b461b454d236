"""Candidate harness versions: copies of the editable surfaces with an edit applied."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tasks.harness import HarnessRef, find_harness
from tasks.learning.records import Edit
from tasks.matter.failures import Failure, FailureCause, SolonError

_FOLDERS = {"knowledge": "knowledge_db/data", "skills": "skills_repo", "agents": "skills_repo", "tools": "skills_repo"}
_PLAIN = 0o644
_IGNORED = shutil.ignore_patterns("__pycache__", "*.py", "*.pyc")


def candidate(base: HarnessRef, edit: Edit, store: Path) -> HarnessRef:
    """Write the base with the edit applied into ``store/<version>`` and return it.

    Args:
        base: The incumbent.
        edit: An edit that passed the gates.
        store: Folder of harness versions.

    Raises:
        SolonError: The file no longer holds the text that the edit was made from (``input``).
    """
    store.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=store, prefix=".candidate-"))
    try:
        shutil.copytree(base.knowledge, work / "knowledge_db" / "data", ignore=_IGNORED)
        shutil.copytree(base.skills, work / "skills_repo", ignore=_IGNORED)
        if text_of(base, edit) != edit.before:
            raise _stale(edit)
        target = work / _FOLDERS[edit.surface] / edit.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)  # a new file: neither the mode nor a link of the old one is taken over
        if edit.after:  # nothing: a file that an edit had added is taken back
            target.write_text(edit.after, encoding="utf-8")
            target.chmod(_PLAIN)
        version = find_harness(work).version
        final = store / version
        if not final.exists():
            work.replace(final)
        return find_harness(final)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def text_of(harness: HarnessRef, edit: Edit) -> str:
    """Return the text that a harness holds where an edit would change it; empty where there is no such file."""
    folder = harness.knowledge if edit.surface == "knowledge" else harness.skills
    path = folder / edit.path
    return path.read_text(encoding="utf-8") if path.is_file() else ""


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
