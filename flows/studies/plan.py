"""The frozen plan of a study: what runs, with which cells and harness. A later start that differs is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flows.runs.attempts import write_json
from flows.runs.cells import resolve_cell
from flows.runs.plan import open_harness
from flows.settings import Settings
from flows.studies.request import Arm, StudyRequest
from tasks.matter.base import Record
from tasks.matter.failures import SolonError
from tasks.matter.loading import load_corpus


class PlannedArm(Record):
    """One arm: its run, its cell, and the harness that it is run under. Arms of one harness share a run."""

    run_id: str
    cell: str
    cell_digest: str
    harness: str
    harness_version: str


class StudyPlan(Record):
    """A study as it was begun.

    Attributes:
        matters: Digest of each matter by its id.
        questions: Named questions of the warehouse that answer it.
    """

    schema_version: int = 1
    study: str
    study_id: str
    matters: dict[str, str]
    limit: int | None
    epochs: int
    judge: str
    arms: tuple[PlannedArm, ...]
    questions: tuple[str, ...]

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs, in the order in which they are made."""
        return tuple(dict.fromkeys(arm.run_id for arm in self.arms))


def planned(
    ask: StudyRequest, study_id: str, arms: Sequence[Arm], questions: Sequence[str], settings: Settings
) -> StudyPlan:
    """Return the plan of a study.

    Args:
        ask: The request.
        study_id: Its name, which the names of its runs begin with.
        arms: What is to run.
        questions: What answers it.
        settings: What is in force, with the cells of the arms.

    Raises:
        SolonError: There is no corpus, no such cell, no such harness, or fewer than one arm.
    """
    loaded = load_corpus(ask.corpus, settings.sealed, ask.limit, settings.cache)
    versions: dict[str, str] = {}
    made = []
    for arm in arms:
        harness = open_harness(settings.model_copy(update={"harness": arm.harness} if arm.harness else {}))
        run_id = versions.setdefault(harness.version, f"{study_id}-{len(versions) + 1}")
        made.append(
            PlannedArm(
                run_id=run_id,
                cell=arm.cell,
                cell_digest=resolve_cell(arm.cell, settings).digest,
                harness=str(arm.harness.resolve()) if arm.harness else "",
                harness_version=harness.version,
            )
        )
    return StudyPlan(
        study=ask.name,
        study_id=study_id,
        matters={matter.matter_id: matter.digest for matter in loaded.matters},
        limit=ask.limit,
        epochs=ask.epochs,
        judge=settings.judge,
        arms=tuple(dict.fromkeys(made)),
        questions=tuple(questions),
    )


def frozen(file: Path, plan: StudyPlan, ask: StudyRequest) -> StudyPlan:
    """Write the plan, or check that the study was begun with the same.

    Raises:
        SolonError: It was begun with another; the message names what differs.
    """
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_json(file, plan)
        return plan
    begun = StudyPlan.model_validate_json(file.read_bytes())
    if different := [name for name, value in plan if getattr(begun, name) != value]:
        raise _differs(ask, plan.study_id, different)
    return begun


def _differs(ask: StudyRequest, study_id: str, different: Sequence[str]) -> SolonError:
    told = ", ".join(name.replace("_", " ") for name in different)
    return ask.misuse(
        f"{study_id} was begun with other {told}", "ask as it was begun, or name another study with --study-id"
    )
