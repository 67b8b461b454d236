"""Splits a corpus when it is loaded: public matters out, rubrics into the sealed store.

Runs in a process of its own (``tasks.judging.sealing``), so that the process that drives a run never holds a byte of
a rubric.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Protocol

from tasks.matter.base import Record, content_hash
from tasks.matter.checklist_file import parse_checklist
from tasks.matter.code import code_version
from tasks.matter.dataroom import list_documents, unopened
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.leakscan import RubricScan, ScanResult
from tasks.matter.private import CHECKLIST, keep_private
from tasks.matter.records import Corpus, DocumentRef, Matter
from tasks.matter.rubric import ReferenceChecklist, Rubric
from tasks.matter.taskfile import TaskFile, bad_task, parse_task

_DOCUMENTS = "documents"
_TASK = "task.json"


Refusal = Callable[[ReferenceChecklist], str]


def _accept(_: ReferenceChecklist) -> str:
    return ""


def find_tasks(root: Path, closed: Callable[[OSError], None] | None = None) -> Iterator[Path]:
    """Yield the folders that hold a task file, in the order of their paths; data rooms are not searched.

    Args:
        root: The corpus.
        closed: Called with each folder that cannot be listed.
    """
    for parent, folders, files in os.walk(root, onerror=closed):
        folders[:] = sorted(f for f in folders if f != _DOCUMENTS and not f.startswith("."))
        if _TASK in files:
            yield Path(parent)


def _matter_id(folder: Path, root: Path) -> str:
    relative = folder.relative_to(root).as_posix()
    return folder.resolve().name if relative == "." else relative


def _clash(name: str, taken: set[str]) -> Failure | None:
    """Return why a task cannot be run beside those before it; None where it can.

    Attempts are stored below ``<task>/<cell>/<number>``: a task in such a folder would be taken for an attempt.
    """
    parts = name.split("/")
    around = ["/".join(parts[:n]) for n in range(1, len(parts) - 1) if parts[n + 1].isdigit()]
    outer = next((task for task in (*around, name) if task in taken), None)
    if outer is None:
        return None
    clash = "has the name of" if outer == name else "lies where attempts are kept of"
    remedy = "rename its folder, or move it out of that task's folder"
    return bad_task(f"{name}/{_TASK}", f"{clash} the task {outer}", remedy).failure


class Eyes(Protocol):
    """Reads a document as a solver would, to find what its bytes do not show.

    Attributes:
        version: Of the readers: another version may see what this one did not.
    """

    version: str

    def text(self, document: DocumentRef) -> str | Failure:
        """Return the canonical text; the failure where it could not be read now but may be another time."""
        ...

    def keep(self, document: DocumentRef) -> None:
        """Keep the text for the solver: no rubric is in it."""
        ...


class Scan(Record):
    """What the scan of a data room found; kept beside the rubric, so that the same room is not read again."""

    withheld: tuple[str, ...]


def seal_task(folder: Path, root: Path, sealed: Path, eyes: Eyes, refuse: Refusal = _accept) -> Matter:
    """Load one task, put its rubric into the sealed store and return the public matter.

    Args:
        folder: The folder of the task.
        root: The corpus.
        sealed: The sealed store.
        eyes: Extracts the text that the bytes of a document do not show.
        refuse: Tells why a judge could not use a reference checklist.

    Raises:
        SolonError: Where the task cannot be run; nothing is sealed then.
    """
    matter_id = _matter_id(folder, root)
    subject = f"{matter_id}/{_TASK}"
    try:
        matter_id.encode("utf-8")
    except UnicodeEncodeError as error:
        shown = subject.encode("utf-8", "backslashreplace").decode("utf-8")
        raise bad_task(shown, "lies in a folder whose name is not UTF-8", "rename the folder") from error
    task = parse_task(folder / _TASK, subject)
    checklist = _checklist(folder, f"{matter_id}/{CHECKLIST}", refuse)
    room = _data_room(folder, task, root, subject)
    documents, problems = list_documents(room, root)
    if unlisted := next((p for p in problems if p.subject == "./"), None):
        raise bad_task(subject, f"`{room.name}/`: {unlisted.message}", unlisted.remedy, unlisted.cause)
    documents, leaks = _withhold_leaks(documents, task, checklist, sealed, eyes)
    problems += leaks
    if not documents:
        raise bad_task(subject, f"no documents in `{room.name}/`", "put the documents of the matter there")
    matter = Matter(
        matter_id=matter_id,
        title=task.title,
        area=matter_id.split("/")[0] if "/" in matter_id else "",
        work_type=task.work_type,
        tags=task.tags,
        instructions=task.instructions,
        deliverables=task.deliverables,
        documents=tuple(documents),
        problems=tuple(problems),
    )
    _write_sealed(matter, task, checklist, sealed)
    return matter


def _data_room(folder: Path, task: TaskFile, root: Path, subject: str) -> Path:
    room = folder / (task.docs_dir or _DOCUMENTS)
    try:
        room.stat()
    except FileNotFoundError:
        pass  # said below, with the folder's name
    except OSError as error:
        raise bad_task(subject, f"`docs_dir` cannot be opened ({error.strerror})", "name a folder") from error
    if task.docs_dir and not room.resolve().is_relative_to(root.resolve()):
        raise bad_task(
            subject,
            f"`docs_dir` {task.docs_dir!r} leads out of the corpus",
            "run the folder that holds both, or move the documents",
            FailureCause.POLICY,
        )
    if not room.is_dir():
        raise bad_task(subject, f"no documents: there is no folder `{task.docs_dir or _DOCUMENTS}`", "add the folder")
    return room.resolve() if task.docs_dir else room


def _checklist(folder: Path, subject: str, refuse: Refusal) -> ReferenceChecklist | None:
    found = parse_checklist(folder, subject)
    if found is not None and (why := refuse(found)):
        raise bad_task(subject, why, "see `checklist.json` in docs/gavel.md")
    return found


def _withhold_leaks(
    documents: list[DocumentRef], task: TaskFile, checklist: ReferenceChecklist | None, sealed: Path, eyes: Eyes
) -> tuple[list[DocumentRef], list[Failure]]:
    secrets = [*(c.match_criteria for c in task.criteria), *([checklist.text] if checklist else [])]
    found = _scanned(documents, RubricScan(secrets), sealed, eyes)
    withheld = [_withheld(name, leaks) for name, leaks in found.items() if leaks]
    return [d for d in documents if not found[d.name]], withheld


def _withheld(name: str, leaks: Failure | bool) -> Failure:
    """Return why a document is withheld: it holds the rubric, or this could not be determined."""
    cause, message = FailureCause.POLICY, "withheld: a rubric lies among the documents"
    remedy = "remove it from the data room"
    if isinstance(leaks, Failure):
        cause, message = leaks.cause, f"withheld: it could not be searched for the rubric. {leaks.message}"
        remedy = f"run again under another --run-id; where that does not help: {leaks.remedy}"
    return Failure(cause=cause, stage="matter", subject=name, message=message, remedy=remedy)


def _scanned(documents: list[DocumentRef], scan: RubricScan, sealed: Path, eyes: Eyes) -> dict[str, Failure | bool]:
    """Return whether each document holds the rubric, using an earlier scan of the same data room if there is one.

    The result is a failure where this could not be determined: such a document is scanned again the next time.
    """
    key = content_hash([scan_version(), eyes.version, scan.digest, [[d.name, d.sha256] for d in documents]])
    path = sealed / "scans" / f"{key}.json"
    try:
        kept = Scan.model_validate_json(path.read_bytes()).withheld
        return {d.name: d.name in kept for d in documents}
    except (OSError, ValueError):
        pass  # never scanned, or torn: it is scanned now
    found = {d.name: _leaks(d, scan, eyes) for d in documents}
    if not any(isinstance(leaks, Failure) for leaks in found.values()):
        _write(path, Scan(withheld=tuple(name for name, leaks in found.items() if leaks)))
    return found


def _leaks(document: DocumentRef, scan: RubricScan, eyes: Eyes) -> Failure | bool:
    """Tell whether a document holds the rubric; return the failure where it could not be scanned this time."""
    look = ScanResult()
    if scan.leaks(document.path, look):
        return True
    if not look.unseen:
        return False
    text = eyes.text(document)
    if isinstance(text, Failure):
        return text
    leaks = scan.found_in(text)
    if not leaks:
        eyes.keep(document)
    return leaks


def scan_version() -> str:
    """Return a hash of the scanning code: documents that older code passed are scanned again."""
    return code_version("tasks.matter.seal")


def _write_sealed(matter: Matter, task: TaskFile, checklist: ReferenceChecklist | None, sealed: Path) -> None:
    rubric = Rubric(
        matter_id=matter.matter_id,
        matter_digest=matter.digest,
        title=matter.title,
        instructions=matter.instructions,
        criteria=task.criteria,
        checklist=checklist,
    )
    _write(sealed / f"{matter.digest}.json", rubric)


def _write(path: Path, record: Record) -> None:
    keep_private(path.parent)
    handle, temporary = tempfile.mkstemp(dir=path.parent)  # mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(record.model_dump_json())
    Path(temporary).replace(path)


def seal_corpus(
    root: Path, sealed: Path, eyes: Eyes, limit: int | None = None, at_once: int = 1, refuse: Refusal = _accept
) -> Corpus:
    """Seal every task below ``root``; a bad task becomes one problem and does not stop the others.

    Args:
        root: The corpus.
        sealed: The sealed store.
        eyes: Extracts the text that the bytes of a document do not show.
        limit: Maximum number of matters.
        at_once: Number of tasks scanned side by side; reading is done in other processes.
        refuse: Tells why a judge could not use a reference checklist; empty where it can.
    """
    matters: list[Matter] = []
    problems: list[Failure] = []
    taken: set[str] = set()

    def closed(error: OSError) -> None:
        problems.append(unopened(f"{Path(error.filename).relative_to(root).as_posix()}/", error))

    folders = find_tasks(root, closed)
    with ThreadPoolExecutor(at_once) as threads:
        # as many at a time as are still wanted: what a bad task leaves open, the next ones fill
        while batch := list(islice(folders, None if limit is None else limit - len(matters))):
            for found in threads.map(lambda folder: _sealed(folder, root, sealed, eyes, refuse), batch):
                failure = found if isinstance(found, Failure) else _clash(found.matter_id, taken)
                if isinstance(found, Matter) and failure is None:
                    taken.add(found.matter_id)
                    matters.append(found)
                problems += [failure] if failure else []
    return Corpus(root=root, matters=tuple(matters), problems=tuple(problems))


def _sealed(folder: Path, root: Path, sealed: Path, eyes: Eyes, refuse: Refusal) -> Matter | Failure:
    try:
        return seal_task(folder, root, sealed, eyes, refuse)
    except SolonError as error:
        return error.failure
    except (ValueError, TypeError, RecursionError, UnicodeError) as error:  # a value no rule above foresaw
        subject = folder.relative_to(root).joinpath(_TASK).as_posix()  # is UTF-8: seal_task checked that first
        message = f"cannot be used ({type(error).__name__})"  # not its words: they may quote the rubric
        return bad_task(subject, message, "see the task format in README.md").failure
