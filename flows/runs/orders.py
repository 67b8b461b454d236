"""The order for one attempt, and its result."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, Field

from tasks.drafting.records import Cell, WorkProduct
from tasks.harness import HarnessRef
from tasks.matter.base import Record, content_hash
from tasks.matter.code import code_version
from tasks.matter.failures import Failure, FailureCause, Outcome
from tasks.matter.records import Matter
from tasks.matter.usage import Usage
from tasks.models.ledger import Ledger
from tasks.models.routing import ROUTE_NAME, RouteChoice
from tasks.release.records import ReleaseReport, Status
from tasks.tracing.records import Trajectory

_STAGES = ("sources", "retrieval", "asks", "drafting", "reconcile", "release", "tracing", "toolbox")

_VOIDING = frozenset({FailureCause.CHANGED, FailureCause.LOGIN})
SPENT_NAME = "spent.jsonl"
"""The account of an attempt's model calls, in its folder."""

ModelCache = Literal["off", "read_write", "replay"]


class Order(Record):
    """One attempt to make. Holds nothing of a rubric: solver processes receive it.

    Attributes:
        number: Number of the attempt within its matter and cell; a retry has the next one.
        folder: Private folder of the attempt while it runs.
        cache: Cache of the solver's stages.
        model_cache: What becomes of recorded model replies: read_write, replay or off.
    """

    run_id: str
    matter: Matter
    cell: Cell
    epoch: int
    number: int
    folder: Path
    cache: Path
    harness: HarnessRef
    model_cache: ModelCache = "read_write"

    @property
    def attempt_id(self) -> str:
        """Return ``<run>/<matter>/<cell>/<number>``."""
        return f"{self.run_id}/{self.matter.matter_id}/{self.cell.name}/{self.number}"

    def account(self) -> Ledger:
        """Open the one account of the attempt's model calls: its stages charge it, in whatever process each runs."""
        limits = self.cell.limits
        return Ledger(self.matter.matter_id, limits.max_tokens, limits.max_usd, self.folder / SPENT_NAME)

    @property
    def routed(self) -> str:
        """Return the profile that the route of the cell chose, once it has; else nothing."""
        kept = self.folder / ROUTE_NAME
        return RouteChoice.model_validate_json(kept.read_bytes()).profile if kept.is_file() else ""

    @property
    def label(self) -> str:
        """Return matter and cell, for run names."""
        return f"{self.matter.matter_id} {self.cell.name}"

    @property
    def key(self) -> str:
        """Return the work key."""
        return work_key(self.matter, self.cell, self.epoch, self.harness)


def work_key(matter: Matter, cell: Cell, epoch: int, harness: HarnessRef) -> str:
    """Return the content hash of everything that defines an attempt but its number, the code of the stages included."""
    return content_hash([matter.digest, cell.digest, epoch, harness.version, stages_version()])


def stages_version() -> str:
    """Return the hash of the code of the stages, so that a resumed run does not mix what two versions of it made."""
    return code_version(*(f"tasks.{stage}" for stage in _STAGES))


class Solved(Record):
    """What the solver's stages gave."""

    product: WorkProduct
    report: ReleaseReport
    trajectory: Trajectory
    words: int = 0
    passes: int = 0
    skill_id: str = ""
    stage_seconds: dict[str, float] = Field(default_factory=dict)


class Attempt(Record):
    """An ended attempt: the content of attempt.json.

    Attributes:
        key: The work key; what ended under a key is not redone.
        document_formats, deliverable_formats: Suffixes that we know ("docx"), and "other"; never a name. Empty in an
            attempt of an earlier version.
        skill_id: The routed skill.
        actions: Number of the solver's actions by bucket.
        failures: What ended it early, and what its stages met.
        usage_by_role: What the model calls used, by the role that asked (solver, chooser, …); they add up to ``usage``
            where the runtime makes its calls through Solon.
        routed: Profile that the route of the cell chose; empty where the cell names none.
        judge_version: Hash of all that decided the verdicts; empty in an attempt of an earlier Solon.
        criteria, passed, unscored: Counts of the judge's verdicts at the time.
    """

    schema_version: int = 1
    attempt_id: str
    key: str
    run_id: str
    number: int
    epoch: int
    cell: Cell
    cell_digest: str
    matter_id: str
    matter_digest: str
    title: str
    area: str
    work_type: str
    documents: int
    document_formats: tuple[str, ...] = ()
    deliverable_formats: tuple[str, ...] = ()
    deliverables: int = 0
    harness_version: str
    outcome: Outcome
    release_status: Status | Literal[""] = ""
    words: int = 0
    turns: int = 0
    skill_id: str = ""
    actions: dict[str, int] = Field(default_factory=dict)
    usage: Usage = Usage()
    usage_by_role: dict[str, Usage] = Field(default_factory=dict)
    routed: str = ""
    judge_profile: str = ""
    judge_version: str = ""
    judged_utc: AwareDatetime | None = None
    judge_usage: Usage = Usage()
    criteria: int = 0
    passed: int = 0
    unscored: int = 0
    seconds: float = 0.0
    stage_seconds: dict[str, float] = Field(default_factory=dict)
    started_utc: AwareDatetime
    ended_utc: AwareDatetime
    failures: tuple[Failure, ...] = ()

    @property
    def void(self) -> bool:
        """Whether it was no attempt at that matter: its documents or files changed under it, or no model let it in."""
        return self.outcome == "failed" and any(f.cause in _VOIDING for f in self.failures)

    @property
    def locked_out(self) -> Failure | None:
        """The failure by which an endpoint refused the key, of the solver or of its judge; None where none did."""
        return next((f for f in self.failures if f.cause is FailureCause.LOGIN), None)


def utc_now() -> datetime:
    """Return the time, with its zone."""
    return datetime.now(UTC)


def time_after(earlier: Iterable[datetime]) -> datetime:
    """Return the current time, or a time just after the latest of ``earlier`` if the clock was set back."""
    return max([utc_now(), *(time + timedelta(microseconds=1) for time in earlier)])
