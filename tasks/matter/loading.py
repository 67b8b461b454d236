"""Loads corpora and plain folders. Rubrics never enter this process: see ``tasks.judging.sealing``."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from tasks.matter.dataroom import list_documents
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.interpreter import import_path, module_command
from tasks.matter.records import Corpus, Deliverable, Matter, repeated, safe_filename


def load_corpus(root: Path, sealed: Path, limit: int | None = None, cache: Path | None = None) -> Corpus:
    """Load every task below ``root`` and seal its rubric.

    Documents whose bytes do not show all their text are read once, to look for the rubric in them.

    Args:
        root: A corpus, or the folder of a single task.
        sealed: Root of the sealed store; created with mode 0700.
        limit: At most so many matters, in the order of their paths.
        cache: Cache of the solver's stages, which keeps what is read here; None keeps nothing.

    Returns:
        The matters that can be run, and one problem for each task that cannot.

    Raises:
        SolonError: Where ``root`` is not a folder, holds no task, or lies around the sealed store.
    """
    if not root.is_dir():
        raise _misuse(root, "is not a folder", "name the folder of a corpus or of a task")
    if limit is not None and limit < 1:
        raise _misuse(root, f"cannot load {limit} matters", "give a limit of 1 or more")
    command = module_command("tasks.judging.sealing", str(root.resolve()), str(sealed.resolve()))
    command.append(str(cache.resolve()) if cache else "")
    done = subprocess.run(
        command + ([str(limit)] if limit is not None else []),
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": import_path()},
        cwd=Path(__file__).resolve().parents[2],
    )
    if done.returncode != 0:
        # only the type of the error: a traceback of the sealer may quote a rubric
        said = re.match(r"[A-Za-z_][\w.]{0,60}(?=:|$)", (done.stderr.strip().splitlines() or [""])[-1])
        kind = said[0] if said and said[0].endswith(("Error", "Exception", "Interrupt")) else "no reason"
        raise _misuse(root, f"the sealer ended with code {done.returncode} ({kind})", "check disk space and rights")
    corpus = Corpus.model_validate_json(done.stdout)
    if not corpus.matters and not corpus.problems:
        raise _misuse(root, "holds no task.json", "see `solon matter --help` for a plain folder of documents")
    return corpus


def load_folder(
    folder: Path,
    ask: str,
    deliverables: Sequence[str],
    refuse: Callable[[Path], str] | None = None,
    title: str = "",
) -> Matter:
    """Make a matter of a plain folder of documents and a question.

    Args:
        folder: The data room; every file below it is a document.
        ask: The brief.
        deliverables: Bare file names to write; empty lets the runtime choose.
        refuse: Returns why the caller may not read a file; such files are withheld.
        title: The subject of the work product; a runtime makes one of the request where it is empty.

    Raises:
        SolonError: Where the folder is missing or empty, the brief is empty or a file name is unusable.
    """
    if not folder.is_dir():
        raise _misuse(folder, "is not a folder", "name the folder that holds the documents")
    if not ask.strip():
        raise _misuse(folder, "has no brief", "say what is wanted with --ask TEXT")
    for name in deliverables:
        if not safe_filename(name):
            raise _misuse(folder, f"deliverable {name!r} is not a bare file name", "e.g. --deliverable memo.docx")
    if twice := repeated(deliverables):
        raise _misuse(folder, f"two deliverables have the file name {twice!r}", "give each a name of its own")
    documents, problems = list_documents(folder.resolve(), folder.resolve(), refuse)
    if not documents:
        raise _misuse(folder, "holds no documents", "put the documents of the matter there")
    name = folder.resolve().name
    return Matter(
        matter_id=re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "matter",
        title=title,
        area="",
        instructions=ask.strip(),
        deliverables=tuple(Deliverable(name=d, filename=d) for d in deliverables),
        documents=tuple(documents),
        problems=tuple(problems),
    )


def _misuse(path: Path, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="matter", subject=str(path), message=message, remedy=remedy)
    )
