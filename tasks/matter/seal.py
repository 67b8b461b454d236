"""Splits a corpus at the door: public matters out, rubrics into the sealed store.

Runs as its own process (``python -m tasks.matter.seal ROOT SEALED [LIMIT]``), so that the process
that drives a run never holds a byte of a rubric. Prints one ``Corpus`` as JSON.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tasks.matter.dataroom import list_documents
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.leakscan import RubricScan
from tasks.matter.private import keep_private
from tasks.matter.records import Corpus, DocumentRef, Matter
from tasks.matter.rubric import Criterion, Rubric
from tasks.matter.taskfile import TaskFile, bad_task, parse_task

_DOCUMENTS = "documents"
_TASK = "task.json"


def find_tasks(root: Path) -> Iterator[Path]:
    """Yield the folders that hold a task file, in the order of their paths; data rooms are not searched."""
    for parent, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f != _DOCUMENTS and not f.startswith("."))
        if _TASK in files:
            yield Path(parent)


def seal_task(folder: Path, root: Path, sealed: Path) -> Matter:
    """Load one task, put its rubric into the sealed store and return the public matter.

    Raises:
        SolonError: Where the task cannot be run; nothing is sealed then.
    """
    relative = folder.relative_to(root).as_posix()
    matter_id = folder.resolve().name if relative == "." else relative
    subject = f"{matter_id}/{_TASK}"
    try:
        matter_id.encode("utf-8")
    except UnicodeEncodeError as error:
        shown = subject.encode("utf-8", "backslashreplace").decode("utf-8")
        raise bad_task(shown, "lies in a folder whose name is not UTF-8", "rename the folder") from error
    task = parse_task(folder / _TASK, subject)
    room = _data_room(folder, task, root, subject)
    documents, problems = list_documents(room, root)
    documents, leaks = _withhold_leaks(documents, task.criteria)
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
    _write_sealed(matter, task, sealed)
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


def _withhold_leaks(
    documents: list[DocumentRef], criteria: tuple[Criterion, ...]
) -> tuple[list[DocumentRef], list[Failure]]:
    scan = RubricScan(c.match_criteria for c in criteria)
    kept: list[DocumentRef] = []
    leaks: list[Failure] = []
    for document in documents:
        if scan.leaks(document.path):
            leaks.append(
                Failure(
                    cause=FailureCause.POLICY,
                    stage="matter",
                    subject=document.name,
                    message="withheld: a rubric lies among the documents",
                    remedy="remove it from the data room",
                )
            )
        else:
            kept.append(document)
    return kept, leaks


def _write_sealed(matter: Matter, task: TaskFile, sealed: Path) -> None:
    rubric = Rubric(
        matter_id=matter.matter_id,
        matter_digest=matter.digest,
        title=matter.title,
        instructions=matter.instructions,
        criteria=task.criteria,
    )
    keep_private(sealed)
    handle, temporary = tempfile.mkstemp(dir=sealed)  # mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(rubric.model_dump_json())
    Path(temporary).replace(sealed / f"{matter.digest}.json")


def seal_corpus(root: Path, sealed: Path, limit: int | None = None) -> Corpus:
    """Seal every task below ``root``; a bad task becomes one problem and does not stop the others."""
    matters: list[Matter] = []
    problems: list[Failure] = []
    for folder in find_tasks(root):
        if limit is not None and len(matters) >= limit:
            break
        try:
            matters.append(seal_task(folder, root, sealed))
        except SolonError as error:
            problems.append(error.failure)
        except (ValueError, TypeError, RecursionError, UnicodeError) as error:  # a value no rule above foresaw
            subject = folder.relative_to(root).joinpath(_TASK).as_posix()  # is UTF-8: seal_task checked that first
            message = f"cannot be used ({type(error).__name__})"  # not its words: they may quote the rubric
            problems.append(bad_task(subject, message, "see the task format in README.md").failure)
    return Corpus(root=root, matters=tuple(matters), problems=tuple(problems))


def main(arguments: list[str]) -> int:
    """Seal ``ROOT`` into ``SEALED`` and print the public corpus."""
    root, sealed = Path(arguments[0]), Path(arguments[1])
    limit = int(arguments[2]) if len(arguments) > 2 else None
    sys.stdout.write(seal_corpus(root, sealed, limit).model_dump_json())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
