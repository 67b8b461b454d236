"""The end of an attempt: whether it is void, its files, and its record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from flows.runs import stages
from flows.runs.attempts import changed_files, write_json
from flows.runs.context import RunContext
from flows.runs.flow import checked_flow
from flows.runs.orders import Attempt, Order, Solved, utc_now
from tasks.judging.reading import OUR_FAULT
from tasks.judging.records import Tally
from tasks.matter.failures import Failure, FailureCause, Outcome, SolonError
from tasks.matter.usage import Usage
from tasks.sources.readers import FORMATS
from tasks.tracing.flow import flow_failures

_SUFFIXES = frozenset(suffix for form in FORMATS.values() for suffix in form.suffixes)


def altered(order: Order, context: RunContext, solved: Solved | None) -> tuple[Failure, ...]:
    """Return the documents that changed during the attempt, and the attempt's own files that changed after drafting."""
    need = context.need(order, "changes")
    try:
        now: tuple[Failure, ...] = context.compute.submit(stages.changes, order, resources=need).result()
    except SolonError as exc:
        return (exc.failure,)
    met = [f for entry in solved.report.coverage for f in entry.failures] if solved else []
    known = {f.subject for f in now}
    then = [f for f in met if f.cause is FailureCause.CHANGED and f.subject not in known]
    return (*now, *then, *([_rewritten(name) for name in changed_files(order.folder)] if solved else []))


def _rewritten(name: str) -> Failure:
    message = "was altered or lost between the draft and its judgement"
    remedy = "run again with the same --run-id: the attempt is made anew"
    return Failure(cause=FailureCause.CHANGED, stage="drafting", subject=name, message=message, remedy=remedy)


def blinded(solved: Solved | None) -> tuple[Failure, ...]:
    """Say why our readers could read no document of a data room; the attempt must then be made again.

    A room whose files are all malformed is a fact of the matter, and its draft is judged.
    """
    coverage = solved.report.coverage if solved else ()
    ours = [f for entry in coverage for f in entry.failures if f.cause in OUR_FAULT]
    return tuple(ours[:1]) if all(entry.status == "unread" for entry in coverage) else ()


def locked_out(solved: Solved | None) -> tuple[Failure, ...]:
    """Return the refusals of a key during the draft, whatever its runtime made of them: such a draft is no attempt."""
    return tuple(f for f in solved.product.failures if f.cause is FailureCause.LOGIN) if solved else ()


def outcome_of(solved: Solved | None, broken: Failure | None, void: tuple[Failure, ...]) -> Outcome:
    """Return the outcome of an attempt: void, failed, or the outcome of its draft."""
    if void:
        return "failed"
    if broken:
        causes: dict[FailureCause, Outcome] = {FailureCause.TIMEOUT: "timeout", FailureCause.BUDGET: "budget"}
        return causes.get(broken.cause, "failed")
    return solved.product.outcome if solved else "failed"


def flow_of(order: Order, outcome: Outcome, failures: tuple[Failure, ...]) -> tuple[Failure, ...]:
    """Say what is unsound in the information flow of an attempt; its log now includes the judge's messages."""
    return flow_failures(checked_flow(order.folder, outcome, len(failures)), order.attempt_id)


def config_of(order: Order) -> dict[str, object]:
    """Return config.json in LAB's layout."""
    return {
        "schema_version": 1,
        "attempt_id": order.attempt_id,
        "task": order.matter.matter_id,
        "model": order.cell.profile or order.cell.runtime,
        "cell": order.cell.model_dump(mode="json"),
        "epoch": order.epoch,
        "harness_version": order.harness.version,
        "matter_digest": order.matter.digest,
    }


def write_solved(order: Order, solved: Solved) -> None:
    """Write the results of the solver's stages into the attempt's folder."""
    write_json(order.folder / "work.json", solved.product)
    write_json(order.folder / "release.json", solved.report)
    (order.folder / "release.md").write_text(stages.render(solved.report), encoding="utf-8")
    write_json(order.folder / "trajectory.json", solved.trajectory)


def conclude(
    order: Order,
    solved: Solved | None,
    outcome: Outcome,
    tally: Tally | None,
    failures: tuple[Failure, ...],
    started: datetime,
    seconds: float,
    stage_seconds: Mapping[str, float],
) -> Attempt:
    """Build the record of the ended attempt."""
    usage = solved.product.usage if solved else order.account().used
    return Attempt(
        **of_order(order),
        key=order.key,
        deliverables=len(solved.product.files) if solved else 0,
        harness_version=order.harness.version,
        outcome=outcome,
        release_status=solved.report.status if solved and outcome == solved.product.outcome else "",
        words=solved.words if solved else 0,
        turns=solved.trajectory.turns if solved else 0,
        skill_id=solved.skill_id if solved else "",
        actions=dict(Counter(a.bucket for a in solved.trajectory.actions)) if solved else {},
        usage=solved.trajectory.usage if solved and not usage.calls else usage,
        usage_by_role=order.account().by_role,
        routed=order.routed,
        judge_profile=tally.profile if tally else "",
        judge_version=tally.profile_version if tally else "",
        judged_utc=tally.judged_utc if tally else None,
        judge_usage=tally.usage if tally else Usage(),
        criteria=tally.criteria if tally else 0,
        passed=tally.passed if tally else 0,
        unscored=tally.unscored if tally else 0,
        seconds=round(seconds, 3),
        stage_seconds=dict(stage_seconds),
        started_utc=started,
        ended_utc=max(started, utc_now()),  # a clock set back must not end an attempt before it starts
        failures=failures,
    )


def of_order(order: Order) -> dict[str, Any]:
    """Return the part of an attempt that its order defines: ids, cell, and the matter's shape."""
    matter = order.matter
    return {
        "attempt_id": order.attempt_id,
        "run_id": order.run_id,
        "number": order.number,
        "epoch": order.epoch,
        "cell": order.cell,
        "cell_digest": order.cell.digest,
        "matter_id": matter.matter_id,
        "matter_digest": matter.digest,
        "title": matter.title,
        "area": matter.area,
        "work_type": matter.work_type,
        "documents": len(matter.documents),
        "document_formats": _formats(PurePosixPath(d.name).suffix for d in matter.documents),
        "deliverable_formats": _formats(d.suffix for d in matter.deliverables),
    }


def _formats(suffixes: Iterable[str]) -> tuple[str, ...]:
    """Return the formats that we know, by our names; other suffixes may be anything."""
    lowered = (suffix.lower() for suffix in suffixes)
    return tuple(sorted({suffix[1:] if suffix in _SUFFIXES else "other" for suffix in lowered}))
