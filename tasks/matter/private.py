"""What Solon hides from tools: the folders it writes into, and the files that say how work is judged.

A folder of ours carries a marker file. Every access to a path calls ``why_private`` first, which looks upward
from the resolved path. So links, ``..`` and other spellings of a name change nothing, and no settings are needed to
recognise our folders.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

MARKER = ".solon-private"
HOME_NAME = ".solon"
CHECKLIST = "checklist.json"
OUTPUT = "output"
_JUDGING = frozenset({"task.json", CHECKLIST, "scores.json", "judgement.json"})
_RUNNING = re.compile(r"\.\d+\.partial-\d+")  # the folder of an attempt that has not ended
_SAID = "This folder belongs to Solon: no tool reads below it. It holds drafts, verdicts or sealed rubrics.\n"


def keep_private(folder: Path) -> Path:
    """Make a folder that its owner alone may enter, marked as ours; an existing folder becomes such a folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) != 0o700:
        folder.chmod(0o700)
    if not is_marked(folder):
        handle = os.open(folder / MARKER, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(_SAID)
    return folder


def is_marked(folder: Path) -> bool:
    """Whether a folder carries our marker."""
    return os.path.lexists(folder / MARKER)


def is_judging_file(name: str) -> bool:
    """Whether a file of this name may hold a rubric or verdicts, wherever it lies."""
    return PurePosixPath(name.replace("\\", "/")).name.casefold() in _JUDGING


def is_deliverable_name(name: str) -> bool:
    """Whether a deliverable may have this name: a filled checklist may be called as the reference is."""
    return not is_judging_file(name) or name.casefold() == CHECKLIST


def why_private(path: Path, desks: Iterable[Path] = (), places: Iterable[Path] = ()) -> str:
    """Return why a path must not be read or written by a tool; empty when it may.

    Args:
        path: The path, as it was asked for.
        desks: Folders given to the caller. One of an attempt that still runs is open to that attempt's own tools,
            though it lies among our folders; what it has written into its ``output`` may be called ``checklist.json``.
        places: Folders and files of ours known by settings, marked or not. A hard link to one of their files counts
            as that file.
    """
    real = path.resolve()
    own = {d for d in (desk.resolve() for desk in desks) if any(_RUNNING.fullmatch(part) for part in d.parts)}
    written = is_deliverable_name(real.name) and any(real.parent == desk / OUTPUT for desk in own)
    if not written and (is_judging_file(path.name) or is_judging_file(real.name)):
        return "may hold a rubric or verdicts"
    known = {place.resolve() for place in places}
    for folder in (real, *real.parents):
        if folder in known or folder.name == HOME_NAME or is_marked(folder):
            return "lies in a folder that Solon keeps to itself"
        if folder in own:
            break
    return "is a link into a folder that Solon keeps to itself" if _is_linked(real, known) else ""


def _is_linked(real: Path, places: Iterable[Path]) -> bool:
    """Tell whether a file is a hard link to one below the places; searches only for files with several links."""
    try:
        facts = real.stat()
    except OSError:
        return False
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink < 2:
        return False
    return any(_same(file, facts) for place in places for file in _files(place))


def _files(place: Path) -> Iterable[str]:
    yield str(place)
    for parent, _, files in os.walk(place):
        yield from (os.path.join(parent, name) for name in files)  # noqa: PTH118 - runs may hold very many files


def _same(file: str, facts: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.lstat(file), facts)
    except OSError:
        return False
