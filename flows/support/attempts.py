"""Attempt directories: begun in a hidden sibling, renamed when ended, never touched again."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from flows.support.orders import Attempt
from tasks.drafting.records import WorkProduct
from tasks.judging.records import JudgeReport
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.private import keep_private

_PARTIAL = re.compile(r"^\.\d+\.partial-")
_RUN_ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")


class AttemptStore:
    """The attempts of one run below ``<runs>/<run-id>``."""

    def __init__(self, runs: Path, run_id: str) -> None:
        if not _RUN_ID.match(run_id):
            raise _failure(run_id, "is no run id", "use letters, digits, dots, dashes and underscores")
        self.run_id = run_id
        self.folder = runs / run_id

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the run for this process, and sweep away what a killed one left unfinished.

        Raises:
            SolonError: Another process has the run.
        """
        keep_private(self.folder)
        with (self.folder / ".lock").open("w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise _failure(
                    self.run_id, "is being run by another process", "wait, or choose another run id"
                ) from None
            for path in list(self.folder.rglob(".*.partial-*")):
                if _PARTIAL.match(path.name):
                    shutil.rmtree(path, ignore_errors=True)
            yield

    def ended(self) -> list[Attempt]:
        """Return every ended attempt, ordered by matter, cell and number."""
        found: list[Attempt] = []
        for folder, names, files in os.walk(self.folder):
            attempt = read_attempt(Path(folder) / "attempt.json") if "attempt.json" in files else None
            if attempt and self.path(attempt) == Path(folder):
                found.append(attempt)
                names.clear()  # whatever a solver left below is not ours
            names[:] = [n for n in names if not n.startswith(".")]
        return sorted(found, key=lambda a: (a.matter_id, a.cell.name, a.number))

    def path(self, attempt: Attempt) -> Path:
        """Return the directory of an ended attempt."""
        return self.folder / attempt.matter_id / attempt.cell.name / str(attempt.number)

    def next_number(self, matter_id: str, cell: str) -> int:
        """Return the number of the next attempt."""
        folder = self.folder / matter_id / cell
        taken = [int(p.name) for p in folder.iterdir() if p.name.isdigit()] if folder.is_dir() else []
        return max(taken, default=0) + 1

    def begin(self, matter_id: str, cell: str, number: int) -> Path:
        """Make the private folder in which an attempt runs."""
        folder = self.folder / matter_id / cell / f".{number}.partial-{os.getpid()}"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "output").mkdir(parents=True)
        return folder

    def end(self, folder: Path, attempt: Attempt) -> Path:
        """Write attempt.json and publish the folder by rename."""
        write_json(folder / "attempt.json", attempt)
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        target = self.path(attempt)
        folder.rename(target)
        return target


def changed(folder: Path) -> list[str]:
    """Return the deliverables of an ended attempt that are not as it left them: altered, gone, or put in since."""
    try:
        left = {
            f.filename: f.sha256 for f in WorkProduct.model_validate_json((folder / "work.json").read_bytes()).files
        }
    except (OSError, ValidationError):
        return ["work.json"] if (folder / "release.json").is_file() else []  # an attempt that failed has neither
    output = folder / "output"
    found = {
        p.relative_to(output).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in output.rglob("*")
        if p.is_file() and not p.is_symlink()
    }
    return sorted(name for name in left.keys() | found.keys() if left.get(name) != found.get(name))


def read_attempt(path: Path) -> Attempt | None:
    """Read attempt.json; None when it is not one of ours."""
    try:
        return Attempt.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def write_json(path: Path, value: BaseModel | dict[str, Any]) -> None:
    """Write a record as indented JSON by rename."""
    data = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with temporary.open("w", encoding="utf-8", errors="backslashreplace") as handle:
        json.dump(data, handle, indent=2, ensure_ascii=False, sort_keys=True, default=str)
        handle.write("\n")
        handle.flush()
        os.fsync(handle.fileno())
    temporary.replace(path)


def lab_scores(report: JudgeReport, scored_at: str) -> dict[str, Any]:
    """Return scores.json in LAB's layout; ``unscored`` verdicts count for nobody."""
    passed = sum(v.status == "pass" for v in report.verdicts)
    scored = sum(v.status != "unscored" for v in report.verdicts)
    complete = bool(report.verdicts) and scored == len(report.verdicts)
    all_pass = complete and passed == scored
    return {
        "score": 1.0 if all_pass else 0.0,
        "max_score": 1.0,
        "summary": f"{passed}/{scored} criteria passed; {len(report.verdicts) - scored} unscored",
        "all_pass": all_pass,
        "n_criteria": len(report.verdicts),
        "n_passed": passed,
        "n_unscored": len(report.verdicts) - scored,
        "criteria_results": [_criterion(v.model_dump(mode="json")) for v in report.verdicts],
        "judge_model": report.profile,
        "scored_at": scored_at,
        "cost": report.usage.cost_usd,
    }


def _criterion(verdict: dict[str, Any]) -> dict[str, Any]:
    result = {"id": verdict["criterion_id"], "title": verdict["title"], "verdict": verdict["status"]}
    return result | {k: verdict[k] for k in ("reasoning", "cause", "match_kind", "error_class", "quote") if verdict[k]}


def _failure(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="attempts", subject=subject, message=message, remedy=remedy)
    )
