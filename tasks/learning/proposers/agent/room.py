"""The room of the agent: a copy of the editable text that it may change, and the redacted input, which it may read."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from skills_repo.learned import FOLDERS, TESTS
from tasks.drafting.workspace.records import Room
from tasks.learning.proposers.agent.pending import PENDING, Pending
from tasks.learning.proposers.showing import editable
from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.private import keep_private

COPY: Final = "harness"
_KNOWLEDGE: Final = "knowledge"
_LARGEST: Final = 400_000  # bytes of a file that is read back


def open_room(home: Path, given: LearnerInput, surfaces: Sequence[Surface]) -> Room:
    """Lay the room out anew, the agent's own folder left as it is: it holds the session that goes on.

    Args:
        home: Folder of the learning run.
        given: The redacted input; nothing but it is in the room.
        surfaces: Surfaces that may be edited.
    """
    base = keep_private(home / "agent") / "room"
    room = Room(base / "documents", base / "text", base / "output", base / "scratch")
    for folder in (room.documents, room.text, room.output):
        shutil.rmtree(folder, ignore_errors=True)
    for folder in (base, room.documents, room.text, room.output, room.scratch):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
    for path, (surface, text) in editable(given, surfaces).items():
        _write(room.output / COPY / _place(surface, path), text)
    for name, text in _told(given).items():
        _write(room.documents / name, text)
    return room


def close_room(home: Path, forget: bool = False) -> None:
    """Take the copy away; with ``forget`` the agent's own folder too, and with it its session."""
    base = home / "agent" / "room"
    for name in ("documents", "text", "output", *(["scratch"] if forget else [])):
        shutil.rmtree(base / name, ignore_errors=True)


def edits_of(kept: Path, given: LearnerInput, surfaces: Sequence[Surface], pending: Pending) -> list[Edit]:
    """Return what differs between the copy that came back and the text that was given, one edit for each file.

    Args:
        kept: What the agent left in its output, as plain files.
        given: The input that the copy was made from.
        surfaces: Surfaces that may be edited.
        pending: What the agent says of its change.

    Raises:
        SolonError: A file was taken away, or one added that belongs to no surface (``unknown``).
    """
    files = {
        _place(surface, path): (surface, path, text) for path, (surface, text) in editable(given, surfaces).items()
    }
    found = dict(_files(kept / COPY))
    tests = {name: text for name, text in found.items() if TESTS in Path(name).parts[1:-1]}
    edits = []
    for place in sorted(files.keys() | found.keys() - tests.keys()):
        known = files.get(place)
        before, after = known[2] if known else "", found.get(place, "")
        if after == before:
            continue
        if not after:
            raise unusable("took a file of the harness away")
        own = known[0] if known else _surface_of(place, surfaces)
        beside = str(Path(place).parent / TESTS / Path(place).name)
        edits.append(
            Edit(
                surface=own,
                path=known[1] if known else place,
                before=before,
                after=after,
                rationale=pending.change,
                reason=pending.reason,
                tests=tests.get(beside, "") if own == "tools" else "",
                claim=pending.claim,
            )
        )
    return edits


def unusable(message: str) -> SolonError:
    """Return the failure of an iteration of which nothing can be used."""
    remedy = "The next iteration begins from the incumbent."
    return SolonError(
        Failure(
            cause=FailureCause.UNKNOWN,
            stage="learning",
            subject="agent proposer",
            message=f"The iteration {message}.",
            remedy=remedy,
        )
    )


def _told(given: LearnerInput) -> Mapping[str, str]:
    signals: dict[str, list[object]] = {key: [] for key in given.keys}
    for number, one in zip(given.matters, given.signals, strict=True):
        signals[given.keys[number - 1]].append(one.model_dump(mode="json"))
    return {
        "signals.json": json.dumps(signals, indent=1),
        "reasons.json": json.dumps({r.value: words for r, words in given.sentences.items()}, indent=1),
        "history.md": "\n".join(f"- {line}" for line in given.history) or "Nothing was tried yet.",
        "observed.md": "\n".join(f"- {line}" for line in given.observed) or "No slice was run yet.",
        "classes.md": "\n".join(f"- {name}" for name in given.classes) or "No class was met that has no skill.",
    }


def _place(surface: Surface, path: str) -> str:
    return f"{_KNOWLEDGE}/{path}" if surface == "knowledge" else path


def _surface_of(place: str, surfaces: Sequence[Surface]) -> Surface:
    first = place.partition("/")[0]
    surface: Surface = "tools" if first in FOLDERS else "skills"
    if first not in (*FOLDERS, "skills") or surface not in surfaces:
        raise unusable("added a file that belongs to no surface it may edit")
    return surface


def _files(top: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top).as_posix()
        if path.is_file() and "__pycache__" not in name:
            if path.stat().st_size > _LARGEST:
                raise unusable("left a file of the harness that is too large")
            try:
                yield name, path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                raise unusable("left a file of the harness that is no text") from None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)


def pending_of(kept: Path, given: LearnerInput) -> Pending:
    """Read what the agent says of its change.

    Raises:
        SolonError: The file is missing, or does not say what it must (``unknown``).
    """
    file = kept / PENDING
    if not file.is_file() or file.stat().st_size > _LARGEST:
        raise unusable(f"left no {PENDING}")
    problem, found = Pending.read(file.read_bytes(), given.keys)
    if found is None:
        raise unusable(f"left a {PENDING} that {problem}")
    return found
