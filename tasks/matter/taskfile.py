"""Reads a LAB task file and splits it: the public half, and the criteria for the sealed half.

Source of the format: Harvey LAB ``task.json``. Only the sealer imports this module.
"""

from __future__ import annotations

import json
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.private import is_deliverable_name
from tasks.matter.records import Deliverable, repeated, safe_filename
from tasks.matter.rubric import Anchor, AnchorMatch, Criterion

_MAX_BYTES = 64 * 1024**2  # of a task file, which is parsed in memory


@dataclass(frozen=True)
class TaskFile:
    """A task file, checked. ``docs_dir`` is as written, relative to the task's folder."""

    title: str
    work_type: str
    tags: tuple[str, ...]
    instructions: str
    deliverables: tuple[Deliverable, ...]
    docs_dir: str
    criteria: tuple[Criterion, ...]


def bad_task(subject: str, message: str, remedy: str, cause: FailureCause = FailureCause.INPUT) -> SolonError:
    """Build the error of a task that cannot be run."""
    return SolonError(Failure(cause=cause, stage="matter", subject=subject, message=message, remedy=remedy))


def parse_task(path: Path, subject: str) -> TaskFile:
    """Read and check a ``task.json``.

    Args:
        path: The file.
        subject: How to name it in errors.

    Raises:
        SolonError: Naming the file, what is wrong and the remedy.
    """
    raw = read_object(path, subject)
    title = _text(raw, "title", subject)
    instructions = _text(raw, "instructions", subject)
    deliverables = _deliverables(raw.get("deliverables"), subject)
    items = raw.get("criteria")
    if not isinstance(items, list) or not items:
        remedy = (
            "give a list of at least one criterion; for a draft alone, `solon matter` its documents with --ask TEXT"
        )
        raise bad_task(subject, "`criteria` is missing or empty", remedy)
    criteria = tuple(_criterion(item, n, deliverables, subject) for n, item in enumerate(items, 1))
    seen: dict[str, int] = {}
    for n, criterion in enumerate(criteria, 1):
        first = seen.setdefault(criterion.id, n)
        if first != n:
            raise bad_task(subject, f"criteria {first} and {n} have the same id", "give each criterion its own id")
    return TaskFile(
        title=title,
        work_type=str(raw.get("work_type") or ""),
        tags=_strings(raw.get("tags")),
        instructions=instructions,
        deliverables=deliverables,
        docs_dir=str(raw.get("docs_dir") or ""),
        criteria=criteria,
    )


def read_object(path: Path, subject: str) -> dict[str, Any]:
    """Read a JSON object from a file.

    Raises:
        SolonError: Naming the file, what is wrong and the remedy.
    """
    try:
        raw = json.loads(_content(path, subject).decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise bad_task(
            subject, f"broken JSON at line {error.lineno}, column {error.colno}: {error.msg}", "mend the file"
        ) from error
    except UnicodeDecodeError as error:
        raise bad_task(subject, f"is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    except RecursionError as error:
        raise bad_task(subject, "is nested too deeply", "mend the file") from error
    except ValueError as error:  # a number of thousands of digits
        raise bad_task(subject, "holds a number that is too long", "mend the file") from error
    except OSError as error:
        raise bad_task(subject, f"cannot be read ({error.strerror})", "check the file's permissions") from error
    if not isinstance(raw, dict):
        raise bad_task(subject, "is not a JSON object", "see the task format in README.md")
    try:
        json.dumps(raw, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise bad_task(subject, "holds half of a surrogate pair (\\ud800 to \\udfff)", "mend the file") from error
    return raw


def _content(path: Path, subject: str) -> bytes:
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):
        raise bad_task(subject, "is a pipe, a socket or a device, not a file", "replace it by the task file")
    if facts.st_size > _MAX_BYTES:
        raise bad_task(subject, f"is larger than {_MAX_BYTES // 1024**2} MB", "mend the file", FailureCause.CAPACITY)
    return path.read_bytes()


def _strings(raw: Any) -> tuple[str, ...]:
    """Return a list of strings; a single string counts as a list of one."""
    if isinstance(raw, list | tuple):
        return tuple(str(item) for item in raw)
    return (str(raw),) if raw else ()


def _text(raw: dict[str, Any], field: str, subject: str) -> str:
    value = raw.get(field)
    if not isinstance(value, str) or not value.strip():
        raise bad_task(subject, f"`{field}` is missing or empty", f"add a text field `{field}`")
    return value.strip()


def _deliverables(raw: Any, subject: str) -> tuple[Deliverable, ...]:
    if raw is None:
        return ()
    pairs = [(str(v), v) for v in raw] if isinstance(raw, list) else raw.items() if isinstance(raw, dict) else None
    if pairs is None:
        raise bad_task(subject, "`deliverables` is not a map of names to file names", "write {name: file name}")
    result = []
    for name, filename in pairs:
        if not isinstance(filename, str) or not safe_filename(filename):
            raise bad_task(
                subject, f"deliverable `{name}` has an unusable file name {filename!r}", "use a bare file name"
            )
        if not is_deliverable_name(filename):
            why = f"deliverable `{name}` has a file name that is withheld from solvers, {filename!r}"
            raise bad_task(subject, why, "call it otherwise")
        result.append(Deliverable(name=str(name), filename=filename))
    if twice := repeated([d.filename for d in result]):
        raise bad_task(subject, f"two deliverables have the file name {twice!r}", "give each a name of its own")
    return tuple(result)


def _criterion(raw: Any, number: int, deliverables: tuple[Deliverable, ...], subject: str) -> Criterion:
    if not isinstance(raw, dict):
        raise bad_task(subject, f"criterion {number} is not an object", "see the task format in README.md")
    label = str(number)  # its place, not its id: a failure is public, no byte of a rubric is
    for field in ("id", "title", "match_criteria"):
        if not isinstance(raw.get(field), str) or not raw[field].strip():
            raise bad_task(subject, f"criterion {label} lacks `{field}`", f"add a text field `{field}`")
    if "weight" in raw:
        raise bad_task(
            subject, f"criterion {label} has a `weight`; criteria are not weighted", "remove the field `weight`"
        )
    options = raw.get("evaluation_options")
    try:
        return Criterion(
            id=raw["id"],
            title=raw["title"],
            match_criteria=raw["match_criteria"],
            deliverables=_named(raw.get("deliverables"), deliverables, label, subject),
            sources=_strings(raw.get("sources")),
            include_redlines=bool(options.get("include_docx_redlines")) if isinstance(options, dict) else False,
            anchors=_anchors(raw.get("anchors")),
        )
    except ValidationError as error:
        known = {*Anchor.model_fields, *AnchorMatch.model_fields, *Criterion.model_fields}
        where = ".".join(str(p) if p in known else "…" for p in error.errors()[0]["loc"] if not isinstance(p, int))
        raise bad_task(
            subject, f"criterion {label} has unusable anchors ({where})", "see the anchor format in README.md"
        ) from error


def _named(raw: Any, deliverables: tuple[Deliverable, ...], label: str, subject: str) -> tuple[str, ...]:
    files = {d.name: d.filename for d in deliverables} | {d.filename: d.filename for d in deliverables}
    wanted = _strings(raw)
    for name in wanted:
        if deliverables and name not in files:
            raise bad_task(
                subject,
                f"criterion {label} names an unknown deliverable",
                f"use one of: {', '.join(sorted(files))}",
            )
    return tuple(files.get(str(name), str(name)) for name in wanted)


def _anchors(raw: Any) -> tuple[Anchor, ...]:
    items = raw if isinstance(raw, list) else [raw] if raw else []
    return tuple(Anchor.model_validate(item) for item in items)
