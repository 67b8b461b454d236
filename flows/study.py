"""A study: cells over a corpus by a frozen plan, and the questions of the warehouse that answer it.

freeze the plan -> one run for each harness, resumed where it was left -> ask the warehouse -> draw the report
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from flows.corpus import run_corpus
from flows.land import render_report
from flows.runs.attempts import AttemptStore
from flows.runs.plan import new_run_id
from flows.runs.summary import counted
from flows.settings import Settings
from flows.studies import named
from flows.studies.plan import StudyPlan, frozen, planned
from flows.studies.request import Arm, StudyRequest
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class ArmEnd(Record):
    """How the attempts of one arm ended: what did not finish is judged as it was left, and lowers the arm's score."""

    run_id: str
    cell: str
    attempts: int
    outcomes: dict[str, int]

    @property
    def never_finished(self) -> bool:
        """Whether no attempt finished, so that the arm compares nothing."""
        return not self.outcomes.get("finished")

    @property
    def told(self) -> str:
        """What did not finish, in words; empty where all did."""
        lost = {name: n for name, n in self.outcomes.items() if name != "finished"}
        if self.attempts and not lost:
            return ""
        how = ", ".join(f"{name} {n}" for name, n in sorted(lost.items())) or "none was made"
        whole = "no attempt finished: its gains say nothing" if self.never_finished else "some did not finish"
        return f"{self.run_id} {self.cell}: {whole} ({how}, of {self.attempts})"


class StudyResult(Record):
    """What a study found.

    Attributes:
        runs: Its runs; those of one harness share one.
        arms: How the attempts of each arm ended.
        answers: The rows of each question, of these runs alone.
    """

    study: str
    study_id: str
    plan: Path
    runs: tuple[str, ...]
    answers: dict[str, list[dict[str, Any]]]
    report: Path
    arms: tuple[ArmEnd, ...] = ()

    @property
    def never_finished(self) -> bool:
        """Whether an arm of the study compares nothing."""
        return any(arm.never_finished for arm in self.arms)


def studies() -> dict[str, str]:
    """Return the studies that run cells, with the first line of what each compares."""
    return {name: (_study(name).__doc__ or "").partition("\n")[0] for name in _names()}


def run_study(ask: StudyRequest, study_id: str = "", *, quiet: bool = False) -> StudyResult:
    """Run a study, or finish what an earlier start of it left.

    Args:
        ask: What is compared.
        study_id: Name of the study; a new one when empty.
        quiet: Print nothing on stderr meanwhile.

    Raises:
        SolonError: No such study, nothing to compare, or it was begun with another plan.
    """
    if ask.name not in _names():
        raise _misuse(ask.name, "is no study", f"use one of {', '.join(_names())}")
    name = study_id or f"{ask.name}-{new_run_id()}"
    if not _NAME.fullmatch(name):
        raise _misuse(name, "is not a valid name for a study", "use letters, digits, _ and -, at most 64")
    study = _study(ask.name)
    arms: Sequence[Arm] = study.arms(ask)
    settings = _with_cells(ask.settings, arms)
    file = ask.settings.home / "studies" / name / "plan.json"
    plan = frozen(file, planned(ask, name, arms, study.QUESTIONS, settings), ask)
    for run_id in plan.runs:
        _run(plan, run_id, ask, settings, quiet)
    return StudyResult(
        study=ask.name,
        study_id=name,
        plan=file,
        runs=plan.runs,
        answers=answers(settings.warehouse, plan),
        report=render_report(settings, plan.runs, name),
        arms=ends(plan, settings),
    )


def ends(plan: StudyPlan, settings: Settings) -> tuple[ArmEnd, ...]:
    """Return how the attempts of each arm ended that count."""
    ended = {run_id: AttemptStore(settings.runs, run_id).ended() for run_id in plan.runs}
    found = []
    for arm in plan.arms:
        ours = counted(a for a in ended[arm.run_id] if a.cell.name == arm.cell)
        outcomes = Counter[str](a.outcome for a in ours)
        found.append(ArmEnd(run_id=arm.run_id, cell=arm.cell, attempts=len(ours), outcomes=outcomes))
    return tuple(found)


def answers(warehouse: Path, plan: StudyPlan) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each question of a study, for its own runs only."""
    from warehouse.sql import ask, of_runs, open_warehouse

    with open_warehouse(warehouse) as con, of_runs(con, plan.runs) as ours:
        found = {question: ask(ours, question) for question in plan.questions}
    return {
        question: frame.filter(frame["run_id"].is_in(plan.runs)).to_dicts() if "run_id" in frame.columns else []
        for question, frame in found.items()
    }


def _run(plan: StudyPlan, run_id: str, ask: StudyRequest, settings: Settings, quiet: bool) -> None:
    """Make the run of one harness, with all its cells."""
    of_run = [arm for arm in plan.arms if arm.run_id == run_id]
    folder = Path(of_run[0].harness) if of_run[0].harness else settings.harness
    run_corpus(
        ask.corpus,
        [arm.cell for arm in of_run],
        settings.model_copy(update={"harness": folder}),
        limit=plan.limit,
        run_id=run_id,
        epochs=plan.epochs,
        quiet=quiet,
        purpose=f"study {plan.study}",
    )


def _with_cells(settings: Settings, arms: Sequence[Arm]) -> Settings:
    made: Mapping[str, Any] = {arm.cell: dict(arm.table) for arm in arms if arm.table is not None}
    return settings.model_copy(update={"cells": {**settings.cells, **made}})


def _names() -> list[str]:
    return sorted(found.name for found in pkgutil.iter_modules(named.__path__))


def _study(name: str) -> ModuleType:
    return importlib.import_module(f"{named.__name__}.{name}")


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="study", subject=subject, message=message, remedy=remedy))
