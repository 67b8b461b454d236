"""Files of a foreign tree: bounded and regular; a file that cannot be read is named in the message."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from flows.imports.records import NOT_TOLD, bad_tree
from tasks.judging.records import Verdict
from tasks.judging.taxonomy import classify
from tasks.matter.failures import FailureCause
from tasks.tracing import values

MAX_JSON: Final = 64 * 2**20  # bytes of one JSON file, which is parsed in memory
MAX_FILE: Final = 512 * 2**20  # bytes of one file of a foreign run, which is only copied
MAX_FILES: Final = 2_000  # of one result; a folder with more is not that of a result
_LONGEST_NAME: Final = 400  # bytes of a path below the result, so that it can be stored below a home
_LONGEST: Final = 30 * 86_400.0  # seconds; a longer attempt is a clock that was set
_LAST: Final = datetime(2199, 1, 1, tzinfo=UTC)
_SLUG: Final = re.compile(r"[^A-Za-z0-9._+-]+")


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file; empty where there is no such file.

    Raises:
        SolonError: It is no regular file, too large, or holds no JSON object.
    """
    if not path.exists() and not path.is_symlink():
        return {}
    remedy = "repair the file, or remove it and import again"
    try:
        refuse_odd(path, MAX_JSON)
        told = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as exc:
        raise bad_tree(path, f"cannot be read ({exc.strerror})", remedy) from None
    except (ValueError, RecursionError):
        raise bad_tree(path, "is not JSON", remedy) from None
    if not isinstance(told, dict):
        raise bad_tree(path, "holds no JSON object", remedy)
    return told


def refuse_odd(path: Path, most: int = MAX_FILE) -> None:
    """Refuse a link, a pipe, and a file that is too large.

    Raises:
        SolonError: It is one of these.
    """
    if path.is_symlink() or not path.is_file():
        raise bad_tree(path, "is no regular file", "put the file itself there; links are not followed")
    if path.stat().st_size > most:
        raise bad_tree(path, f"is larger than {most // 2**20} MiB", "take it out of the tree")


def transcript_of(path: Path) -> Path | None:
    """Return the transcript of an attempt; None where there is none.

    Raises:
        SolonError: It is no regular file, or too large.
    """
    if not path.exists() and not path.is_symlink():
        return None
    refuse_odd(path)
    return path


def work_files(folder: Path, without: Iterable[Path] = ()) -> dict[str, Path]:
    """Return the files of a work product by name relative to its folder; hidden ones are passed over.

    Raises:
        SolonError: One is a link or too large, or there are too many.
    """
    if folder.is_symlink():
        raise bad_tree(folder, "is a link", "put the folder itself there; links are not followed")
    left = frozenset(without)
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        name = path.relative_to(folder)
        if path in left or (path.is_dir() and not path.is_symlink()) or any(p.startswith(".") for p in name.parts):
            continue
        refuse_odd(path)
        if not name.as_posix().isprintable() or len(name.as_posix().encode("utf-8", "surrogateescape")) > _LONGEST_NAME:
            raise bad_tree(path, "has a name that cannot be stored", "rename the file")
        found[name.as_posix()] = path
        if len(found) > MAX_FILES:
            raise bad_tree(folder, f"holds more than {MAX_FILES} files", "name the folder of the results alone")
    return found


def slug(name: str, otherwise: str = "") -> str:
    """Return a name as part of a path: letters, digits, dots, dashes; ``otherwise`` where nothing is left."""
    return _SLUG.sub("-", name).strip("-.")[:120] or otherwise


def task_id(name: str) -> str:
    """Return the id of a task as a path below a run."""
    return "/".join(part for part in map(slug, name.split("/")) if part)


def seconds(value: Any, of_one: float = 1.0) -> float:
    """Return a length of time in seconds, at most 30 days; 0 for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0.0
    return min(max(float(value) * of_one, 0.0), _LONGEST)


def moment(value: Any, of_one: float = 1.0) -> datetime:
    """Return a time given in seconds since 1970 (times ``of_one``) or as ISO text; else NOT_TOLD."""
    try:
        if isinstance(value, str):
            told = datetime.fromisoformat(value)
            told = told if told.tzinfo else told.replace(tzinfo=UTC)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            told = NOT_TOLD + timedelta(seconds=value * of_one)
        else:
            return NOT_TOLD
        return told.astimezone(UTC) if NOT_TOLD <= told < _LAST else NOT_TOLD
    except (ValueError, OverflowError):
        return NOT_TOLD


def verdicts(told: Any, path: Path, id_key: str) -> tuple[Verdict, ...]:
    """Return the verdicts of a list of results; anything but pass or fail is unscored.

    Raises:
        SolonError: A result has no id, or two have the same.
    """
    found: dict[str, Verdict] = {}
    for verdict in _each(values.items(told), path, id_key):
        if verdict.criterion_id in found:
            message = f"gives two verdicts of the criterion {verdict.criterion_id[:80]!r}"
            raise bad_tree(path, message, "leave the one that counts, and import again")
        found[verdict.criterion_id] = verdict
    return tuple(found.values())


def _each(told: list[Any], path: Path, id_key: str) -> Iterator[Verdict]:
    for row in map(values.mapping, told):
        name = values.bounded_text(row.get(id_key), 400).strip()
        if not name:
            raise bad_tree(path, f"holds a verdict without {id_key!r}", "give each result the id of its criterion")
        title = values.bounded_text(row.get("title"), 2_000)
        reasoning = values.bounded_text(row.get("reasoning"), 20_000)
        match str(row.get("verdict")).strip().lower():
            case "pass":
                yield Verdict(criterion_id=name, title=title, status="pass", reasoning=reasoning)
            case "fail":
                error = classify(title, reasoning)
                yield Verdict(criterion_id=name, title=title, status="fail", reasoning=reasoning, error_class=error)
            case _:
                cause = FailureCause.JUDGE
                yield Verdict(criterion_id=name, title=title, status="unscored", reasoning=reasoning, cause=cause)
