"""Parts -> warehouse -> checks -> report."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from flows.runs.attempts import is_run_id
from flows.runs.held_out import landed_attempts, record_looks
from flows.runs.home import check_warehouse, secure
from flows.runs.parts import ATTEMPTS_A_PART, landed_of, write_run_parts
from flows.runs.plan import open_harness
from flows.runs.session_rows import session_rows
from flows.settings import Settings
from tasks.matter.failures import Failure, FailureCause, SolonError
from warehouse.disk import REMEDY, full_place, is_full
from warehouse.parts import write_parts

if TYPE_CHECKING:
    from warehouse.knowledge import KnowledgeTables
    from warehouse.landing_result import LandingResult


def land_runs(settings: Settings, run_ids: Sequence[str] = (), *, knowledge: bool = True) -> LandingResult:
    """Land the existing parts; then write and land the parts of every ended attempt that has not landed.

    Args:
        settings: Where runs and warehouse lie.
        run_ids: Runs to look through; empty for all, and for the sessions of ``solon ask`` too.
        knowledge: Put the knowledge in force in the place of what the warehouse holds of it.

    Raises:
        SolonError: The landing could not begin.
    """
    check_warehouse(settings)
    secure(settings)
    rows = knowledge_rows(settings) if knowledge else None
    told = _land(settings, rows) if settings.warehouse.exists() or settings.parts.exists() else None
    # a file made anew from its parts may hold less than its runs do: the rows are counted
    passed_over = _write_missing(settings, run_ids, count=told is not None and not told.known)
    passed_over += [] if run_ids else _write_sessions(settings)
    told = _land(settings, rows).after(told)
    if told.quarantined:  # a part of many attempts is refused for what is wrong with one: the others land by themselves
        _write_missing(settings, run_ids, together=1)
        told = _land(settings, rows).after(told)
    return told.model_copy(update={"passed_over": tuple(failure.line() for failure in passed_over)})


def checked(result: LandingResult) -> LandingResult:
    """Return a landing with the expectations that the published warehouse breaks."""
    if not result.published or not result.database.is_file():
        return result
    from warehouse.expectations.suites import check_published

    logging.getLogger("great_expectations").setLevel(logging.WARNING)
    return result.model_copy(update={"violations": check_published(result.database)})


def _write_missing(
    settings: Settings, run_ids: Sequence[str], *, count: bool = False, together: int = ATTEMPTS_A_PART
) -> list[Failure]:
    """Write the parts that have not landed; return the runs for which that failed, unless they were named.

    Raises:
        SolonError: A run that was named cannot be read, or the disk is full.
    """
    passed_over: list[Failure] = []
    try:
        for name in run_ids or _all_runs(settings.runs):
            try:
                landed = landed_of(settings.warehouse, name, count=count)
                write_run_parts(settings, name, landed, together=together)
            except SolonError as exc:
                if run_ids:
                    raise
                passed_over.append(exc.failure)  # one run that cannot be read must not keep the others out
        settings.parts.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        if not is_full(exc):
            raise
        raise _refused(settings, full_place(exc, settings.parts), FailureCause.CAPACITY) from None
    return passed_over


def _write_sessions(settings: Settings) -> list[Failure]:
    """Write the parts of every question that was asked with ``solon ask``; return the sessions that cannot be read."""
    passed_over: list[Failure] = []
    for path in sorted((settings.home / "sessions").glob("*/*/session.json")):
        try:
            for rows in session_rows(path):
                write_parts(settings.parts, rows)
        except SolonError as exc:
            passed_over.append(exc.failure)
        except OSError as exc:
            if not is_full(exc):
                raise
            raise _refused(settings, full_place(exc, settings.parts), FailureCause.CAPACITY) from None
    return passed_over


def _land(settings: Settings, knowledge: KnowledgeTables | None) -> LandingResult:
    from warehouse.land import land
    from warehouse.publishing import LandingError, NoSpaceError

    try:
        return land(settings.parts, settings.warehouse, knowledge=knowledge)
    except NoSpaceError as exc:
        raise _refused(settings, str(exc), FailureCause.CAPACITY) from None
    except LandingError as exc:
        raise _refused(settings, str(exc), FailureCause.INPUT) from None


def _all_runs(runs: Path) -> list[str]:
    """Return the names of all runs; a folder whose name is no valid run id is not ours."""
    return sorted(p.name for p in runs.iterdir() if p.is_dir() and is_run_id(p.name)) if runs.is_dir() else []


def _refused(settings: Settings, message: str, cause: FailureCause) -> SolonError:
    remedy = f"{REMEDY}, then `solon land`; nothing that ended is lost" if cause is FailureCause.CAPACITY else ""
    return SolonError(
        Failure(cause=cause, stage="land", subject=str(settings.warehouse), message=message, remedy=remedy)
    )


def knowledge_rows(settings: Settings) -> KnowledgeTables:
    """Return the rows of the knowledge of the harness in force, by table.

    Raises:
        SolonError: A row breaks its schema.
    """
    harness = open_harness(settings)
    try:
        return _rows_of(harness.knowledge, harness.version)
    except ValueError as exc:
        remedy = "repair the row that the message names; `solon knowledge check` checks all rows"
        raise SolonError(
            Failure(cause=FailureCause.INPUT, stage="land", subject="knowledge", message=str(exc), remedy=remedy)
        ) from None


@lru_cache(maxsize=1)
def _rows_of(folder: Path, _version: str) -> KnowledgeTables:
    """Return the rows below a folder; the next landing of the same version reuses them."""
    from knowledge_db.tables import knowledge_tables
    from warehouse.knowledge import KeptTables

    return KeptTables(knowledge_tables(folder))


def render_report(settings: Settings, runs: str | Sequence[str] | None, name: str = "", *, purpose: str = "") -> Path:
    """Render the HTML report of a run, of the runs of a study under its name, or of the whole warehouse.

    Args:
        settings: Where warehouse and reports lie.
        runs: A run or several; None for all.
        name: Of the study.
        purpose: What the look at held-out matters is written down for; empty where the caller has written it down.

    Raises:
        SolonError: There is no such run or warehouse (``input``).
    """
    from warehouse.report import render
    from warehouse.sql import QueryError

    secure(settings)
    out = settings.reports / (name or (runs if isinstance(runs, str) else "all"))
    try:
        if purpose:
            record_looks(landed_attempts(settings, [runs] if isinstance(runs, str) else runs), settings, purpose)
        return render(settings.warehouse, out, runs, f"Study {name}" if name else "")
    except QueryError as exc:
        remedy = "`solon land` loads what runs left; --warehouse FILE says where it lies"
        raise SolonError(
            Failure(cause=FailureCause.INPUT, stage="report", subject="report", message=str(exc), remedy=remedy)
        ) from None
