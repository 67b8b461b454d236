"""The judgement of an attempt that has just been made."""

from __future__ import annotations

from flows.compute.protocol import Resources
from flows.prefect.stage_runs import StageRuns
from flows.runs import judge_side
from flows.runs.attempts import nothing_to_judge
from flows.runs.context import RunContext
from flows.runs.orders import Order, Solved
from tasks.judging.records import Tally
from tasks.matter.failures import Failure, Outcome, SolonError


def judge_attempt(
    order: Order,
    context: RunContext,
    stage_runs: StageRuns,
    solved: Solved | None,
    outcome: Outcome,
    failures: tuple[Failure, ...],
) -> tuple[Tally | None, tuple[Failure, ...]]:
    """Judge the draft; if nothing could be drafted, every criterion is unscored with the cause.

    The judge's process writes the verdicts into the attempt's folder; this process receives counts alone.
    """
    if not context.judge:
        return None, ()
    need = Resources(stage="judge", role="judge", seconds=4 * context.stage_seconds)
    try:
        if cause := nothing_to_judge(outcome, failures, solved.product if solved else None):
            return _unscored(order, context, cause, need), ()
        place = (order.matter, order.folder, context.sealed, context.judge, context.judge_cache)
        arguments = (*place, None, context.judge_version)
        return stage_runs.through(judge_side.score, *arguments, resources=need).result(), ()
    except SolonError as exc:
        try:
            return _unscored(order, context, exc.failure, need), (exc.failure,)
        except SolonError as again:
            return None, (exc.failure, again.failure)


def _unscored(order: Order, context: RunContext, cause: Failure, need: Resources) -> Tally:
    arguments = (order.matter, order.folder, context.sealed, context.judge, context.judge_cache, cause)
    tally = context.compute.submit(judge_side.score, *arguments, resources=need).result()
    assert isinstance(tally, Tally)
    return tally
