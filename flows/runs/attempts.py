"""Attempt directories: begun in a hidden sibling, renamed when ended, never touched again."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime, BaseModel, Field, ValidationError

from flows.imports.records import IMPORTED_NAME, Imported
from flows.prefect.processes import sweep_owned
from flows.runs.orders import Attempt
from tasks.drafting.records import WorkProduct
from tasks.judging.records import JudgeReport
from tasks.matter.failures import OWN_ENDS, Failure, FailureCause, Outcome, SolonError
from tasks.matter.private import keep_private

_PARTIAL = re.compile(r"^\.\d+\.partial-")
_RUN_ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")


class _Start(BaseModel):
    """The fields of one start in run.json that every reader needs."""

    utc: AwareDatetime
    matters: int
    compute: str


class _Begun(BaseModel):
    """The fields of run.json that every reader needs; fields that only later versions write are not required."""

    run_id: str
    corpus: str
    harness_version: str
    judge_profile: str
    cells: dict[str, dict[str, Any]]
    packages: dict[str, str]
    starts: list[_Start] = Field(min_length=1)
    matters: dict[str, str] = {}
    work: list[dict[str, Any]] = []


def is_run_id(name: str) -> bool:
    """Tell whether this can be the name of a run's folder."""
    return _RUN_ID.match(name) is not None


class AttemptStore:
    """The attempts of one run below ``<runs>/<run-id>``."""

    def __init__(self, runs: Path, run_id: str) -> None:
        if not is_run_id(run_id):
            raise _failure(run_id, "is no run id", "use letters, digits, dots, dashes and underscores")
        self.run_id = run_id
        self.folder = runs / run_id

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the run for this process, and remove what a killed process left unfinished.

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
            sweep_owned()  # of a killed driver on Ray two agents stay, also where it left no work to do
            for path in list(self.folder.rglob(".*.partial-*")):
                if _PARTIAL.match(path.name):
                    shutil.rmtree(path, ignore_errors=True)
            yield

    def pinned(self) -> dict[str, Any] | None:
        """Return the content of run.json; None where the run has not begun.

        Raises:
            SolonError: It cannot be read, or is that of another run: the folder was copied or renamed.
        """
        path = self.folder / "run.json"
        try:
            known: dict[str, Any] = json.loads(path.read_bytes())
            begun = _Begun.model_validate(known)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as exc:
            remedy = f"restore {path}, or move the folder of the run away"
            raise _failure(self.run_id, f"has a run.json that cannot be read ({_first(exc)})", remedy) from None
        if begun.run_id != self.run_id:
            # its attempts bear the other name, and would be counted there while this run shows none
            remedy = f"name the folder {begun.run_id} again, or choose another run id"
            raise _failure(
                self.run_id, f"is a copy of the run {begun.run_id}: its folder was copied or renamed", remedy
            )
        return known

    def ended(self, but: Container[str] = frozenset()) -> list[Attempt]:
        """Return every ended attempt, ordered by matter, cell and number.

        Args:
            but: Ids of attempts that are left out unread.
        """
        found: list[Attempt] = []
        for folder, names, files in os.walk(self.folder):
            if "attempt.json" in files and f"{self.run_id}{folder[len(str(self.folder)) :]}" in but:
                names.clear()
                continue
            attempt = read_attempt(Path(folder) / "attempt.json") if "attempt.json" in files else None
            if attempt and attempt.run_id == self.run_id and self.path(attempt) == Path(folder):
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


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn an error of the file system in an attempt into a failure that names its folder.

    Raises:
        SolonError: The folder cannot be written: the disk is full, or somebody took it away.
    """
    try:
        yield
    except OSError as exc:
        message = f"the attempt cannot be written ({exc.strerror or exc})"
        remedy = "free space, or repair the folder; start it again with the same --run-id to continue"
        raise SolonError(
            Failure(cause=FailureCause.CAPACITY, stage="attempts", subject=str(folder), message=message, remedy=remedy)
        ) from exc


def changed_files(folder: Path) -> list[str]:
    """Return the files of an attempt that were altered, removed or added since its draft ended."""
    product, released = work_of(folder), (folder / "release.json").is_file()
    if product is None:
        return ["work.json"] if released else []  # an attempt that failed has neither
    if not released and not is_ungated(folder):
        return ["release.json"]
    left = {f.filename: f.sha256 for f in product.files}
    output = folder / "output"
    found = {
        p.relative_to(output).as_posix(): _sha256(p) for p in output.rglob("*") if p.is_file() and not p.is_symlink()
    }
    return sorted(name for name in left.keys() | found.keys() if left.get(name) != found.get(name))


def is_ungated(folder: Path) -> bool:
    """Whether an attempt was imported without the documents of its matter, which the release gates need."""
    try:
        return not Imported.model_validate_json((folder / IMPORTED_NAME).read_bytes()).gated
    except (OSError, ValidationError):
        return False


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""  # no file hashes to this: what cannot be read is not as it was left


def nothing_to_judge(outcome: Outcome, failures: Sequence[Failure], product: WorkProduct | None) -> Failure | None:
    """Say why an attempt left no work that can be judged; None if it left some.

    A failure of infrastructure is never judged as work, and neither is a draft that was cut off before its first file.
    """
    cut_off = product is None or (outcome not in OWN_ENDS and not product.files)
    if outcome != "failed" and not cut_off:
        return None
    if failures:
        return failures[0]
    message = "the runtime left no work product"
    return Failure(cause=FailureCause.UNKNOWN, stage="drafting", subject="output", message=message)


def work_of(folder: Path) -> WorkProduct | None:
    """Return the work product of an attempt; None if its draft did not end."""
    try:
        return WorkProduct.model_validate_json((folder / "work.json").read_bytes())
    except (OSError, ValidationError):
        return None


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
    """Return scores.json in LAB's layout; ``unscored`` verdicts are not counted."""
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
        "judge_version": report.profile_version,
        "scored_at": scored_at,
        "cost": report.usage.cost_usd,
    }


def _criterion(verdict: dict[str, Any]) -> dict[str, Any]:
    result = {"id": verdict["criterion_id"], "title": verdict["title"], "verdict": verdict["status"]}
    return result | {
        k: verdict[k] for k in ("reasoning", "cause", "match_kind", "outcome", "error_class", "quote") if verdict[k]
    }


def _first(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    found = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, found['loc'])) or 'content'}: {found['msg'].lower()}"


def _failure(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="attempts", subject=subject, message=message, remedy=remedy)
    )
