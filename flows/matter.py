"""One matter: solve -> check the documents for changes -> judge -> the ended attempt."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path, PurePosixPath

from flows.prefect.recording import recorded
from flows.prefect.stage_runs import StageByStage, StageRuns
from flows.runs.attempts import AttemptStore, write_json, writing
from flows.runs.cells import resolve_cell
from flows.runs.concluding import altered, blinded, conclude, config_of, flow_of, locked_out, outcome_of, write_solved
from flows.runs.context import RunContext
from flows.runs.held_out import record_looks, to_make
from flows.runs.home import secure
from flows.runs.judging import judge_attempt
from flows.runs.matters import copy_deliverables, make_ready, open_matter
from flows.runs.models import models_of, require_callable
from flows.runs.orders import Attempt, Order, Solved, utc_now
from flows.runs.plan import Plan, begin_attempt, new_run_id, open_from, open_harness, pin_run
from flows.runs.serving import served
from flows.runs.solving import solve, solve_in_process
from flows.settings import Settings
from tasks.asks.records import AskOutcome
from tasks.matter.base import Record
from tasks.matter.failures import Failure, SolonError
from tasks.matter.records import Corpus
from tasks.release.build.deliverable import require_format
from tasks.release.records import ReleaseReport
from tasks.release.report import headline


def run_attempt(order: Order, context: RunContext) -> Attempt:
    """Solve, judge and end one attempt; an infrastructure failure is its outcome, not an exception.

    The documents are checked again after the last stage that reads them. A draft made while they changed is kept as
    evidence and does not count as an attempt.

    Raises:
        SolonError: The folder of the attempt cannot be written; there is no attempt then.
    """
    with writing(order.folder):
        return _attempted(order, context)


def _attempted(order: Order, context: RunContext) -> Attempt:
    runs = StageRuns(context.compute, order.label, recorded=context.detail == "stage")
    started, begun = utc_now(), time.monotonic()
    write_json(order.folder / "matter.json", order.matter)
    write_json(order.folder / "config.json", config_of(order))
    solved, broken = _solved(order, context, runs)
    void = altered(order, context, solved) or blinded(solved) or locked_out(solved)
    outcome = outcome_of(solved, broken, void)
    failures = tuple(
        dict.fromkeys((*void, *([broken] if broken else ()), *(solved.product.failures if solved else ())))
    )
    tally, judge_failures = judge_attempt(order, context, runs, solved, outcome, failures)
    unsound = flow_of(order, outcome, (*failures, *judge_failures))
    seconds = time.monotonic() - begun - runs.waited  # the time it stood in the queue for a worker is not its own
    if solved and context.detail != "stage":
        seconds = sum(solved.stage_seconds.values()) + runs.seconds.get("judge", 0.0)
    spent = {**runs.seconds, **(solved.stage_seconds if solved else {})}
    attempt = conclude(order, solved, outcome, tally, (*failures, *judge_failures, *unsound), started, seconds, spent)
    context.store.end(order.folder, attempt)
    return attempt


def _solved(order: Order, context: RunContext, runs: StageRuns) -> tuple[Solved | None, Failure | None]:
    """Run the solver's stages, separately or all in one process, and write their results, or return what failed."""
    try:
        if context.detail == "stage":
            solved = solve(order, StageByStage(runs, partial(context.need, order)))
        else:
            solved = runs.through(solve_in_process, order, resources=context.need(order, "solve")).result()
    except SolonError as exc:
        return None, exc.failure
    write_solved(order, solved)
    return solved, None


class Drafted(Record):
    """One matter drafted, with its release report as Markdown, and what became of its asks.

    Attributes:
        headline: The release in one line; empty where the draft did not end.
        kept: Files of the output folder that had the name of a deliverable, under their new names.
    """

    attempt: Attempt
    folder: Path
    release: str
    headline: str = ""
    asks: tuple[AskOutcome, ...] = ()
    kept: tuple[Path, ...] = ()


def draft_matter(
    folder: Path,
    settings: Settings,
    *,
    cell: str = "extractive",
    ask: str | None = None,
    deliverables: Sequence[str] = (),
    title: str = "",
    output: Path | None = None,
) -> Drafted:
    """Draft one matter of a task directory or a plain folder; nothing is judged.

    Args:
        folder: A task directory, or a folder of documents where ``ask`` is given.
        settings: What is in force.
        cell: Name of the cell.
        ask: The brief for a plain folder.
        deliverables: File names to write for a plain folder.
        title: Subject of the work product on a plain folder; made of the request where it is empty.
        output: Folder that also receives the deliverables.

    Raises:
        SolonError: The folder is no matter, or there is no such cell.
    """
    for name in deliverables:
        require_format(PurePosixPath(name).suffix, name)
    secure(settings)
    chosen = resolve_cell(cell, settings)
    models = models_of([chosen], settings)
    require_callable(models)
    matter = open_matter(folder, settings, ask, deliverables, title)
    if output is not None:
        make_ready(output)
    corpus = Corpus(root=folder, matters=(matter,))
    plan = Plan("matter-" + new_run_id(), corpus, [chosen], open_harness(settings))
    store = AttemptStore(settings.runs, plan.run_id)
    record_looks(to_make(plan.work(), plan.harness.version), settings, "matter")
    detail = "stage" if settings.detail == "auto" else settings.detail
    drafted: list[Attempt] = []
    with store.locked(), served(models, settings), closing(open_from(settings)) as compute:
        pin_run(plan, store, settings, folder.resolve())

        def body(level: str) -> None:
            context = RunContext.of(settings, store, compute, judge="", detail=level)
            order = begin_attempt(plan.work()[0], plan, store, settings.cache, settings.model_cache)
            drafted.append(run_attempt(order, context))

        name = f"{matter.matter_id} {cell}"
        recorded("matter", name, settings, lambda: body(detail), lambda: body("matter"), stop=compute.close)
    attempt = drafted[0]
    where = store.path(attempt)
    kept = copy_deliverables(where / "output", output) if output is not None else ()
    told = where / "release.json"
    if not told.is_file():
        return Drafted(attempt=attempt, folder=where, release="", kept=kept)
    report = ReleaseReport.model_validate_json(told.read_bytes())
    page = (where / "release.md").read_text("utf-8")
    return Drafted(attempt=attempt, folder=where, release=page, headline=headline(report), asks=report.asks, kept=kept)
