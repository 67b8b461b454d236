"""Many matters by cells, resumable.

load -> plan (what has not ended yet) -> one attempt per matter, cell and epoch -> land -> report.
The folders of ended attempts decide what is resumed; Prefect only records.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from flows.compute.protocol import Compute
from flows.land import land_runs, render_report
from flows.matter import run_attempt
from flows.prefect.artifacts import RunArtifacts
from flows.prefect.link import Link
from flows.prefect.recording import recorded
from flows.runs.attempts import AttemptStore
from flows.runs.cells import detail_of, resolve_cells
from flows.runs.context import RunContext
from flows.runs.feed import Feed
from flows.runs.held_out import record_looks, to_make, to_read
from flows.runs.home import check_warehouse, secure
from flows.runs.models import models_of, require_callable
from flows.runs.orders import Attempt
from flows.runs.plan import (
    Plan,
    WorkItem,
    begin_attempt,
    new_run_id,
    open_from,
    open_harness,
    pin_run,
    require_one_judge,
)
from flows.runs.progress import Observer, Progress, write_status
from flows.runs.scoring import nothing_scored
from flows.runs.serving import served
from flows.runs.summary import CellSummary, counted, summarize
from flows.settings import Settings
from tasks.matter.base import Record
from tasks.matter.failures import Failure, SolonError

if TYPE_CHECKING:
    from prefect.futures import PrefectFuture

_NAMED = 5  # matters that a message names


class RunResult(Record):
    """What a run prints: the contract of ``solon run --json``, and the problems beside it."""

    run_id: str
    cells: tuple[CellSummary, ...]
    warehouse: Path
    report: Path | None
    problems: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    landed: bool = True
    unscored: dict[str, int] = Field(default_factory=dict)
    """How many criteria the judge of this run could not score, by cause."""

    @property
    def nothing_scored(self) -> str:
        """Why no criterion has a score, if infrastructure failed; empty if some have one, or none could."""
        return nothing_scored(sum(c.criteria for c in self.cells), self.unscored)

    @property
    def came_to_nothing(self) -> bool:
        """Whether there was work to do and every attempt at it failed."""
        return any(c.attempts for c in self.cells) and all(c.failed == c.attempts for c in self.cells)


def run_corpus(
    corpus: Path,
    cells: Sequence[str],
    settings: Settings,
    *,
    limit: int | None = None,
    run_id: str | None = None,
    epochs: int = 1,
    retry_failed: bool = False,
    quiet: bool = False,
    purpose: str = "run",
) -> RunResult:
    """Run a corpus by cells, finishing what an earlier start of the same run left.

    Args:
        corpus: Folder of the corpus, or of one task.
        cells: Names of cells (solon.toml or ``runtime[:profile[:effort]]``).
        settings: What is in force.
        limit: Maximum number of matters.
        run_id: Of a run to resume; a new one when None.
        epochs: Attempts of each matter and cell.
        retry_failed: Make a new attempt where the last one failed.
        quiet: Print nothing on stderr during the run.
        purpose: What it is for, as a look at matters that a learning run holds out is recorded.

    Raises:
        SolonError: Nothing could be run: no corpus, no such cell, a cluster that lacks a resource.
    """
    from tasks.matter.loading import load_corpus

    check_warehouse(settings)
    secure(settings)
    chosen = resolve_cells(cells, settings)
    models = models_of(chosen, settings, settings.judge)
    store = AttemptStore(settings.runs, run_id or new_run_id())
    if store.pinned() is None:  # of an earlier run perhaps only the table is wanted, and that needs no key
        require_callable(models)
    loaded = load_corpus(corpus, settings.sealed, limit, settings.cache)
    plan = Plan(store.run_id, loaded, chosen, open_harness(settings), epochs, retry_failed)
    with store.locked():
        pinned = pin_run(plan, store, settings, corpus.resolve())
        begun = store.ended()
        require_one_judge(store, begun, pinned)
        work = plan.missing(begun)
        if work:
            require_callable(models)
        record_looks(chain(to_make(work, plan.harness.version), to_read(begun, store)), settings, purpose)
        if work:
            with (
                _named_where_stopped(plan.run_id),
                served(models, settings),
                closing(open_from(settings)) as compute,
            ):
                run_missing(plan, work, store, settings, compute, quiet=quiet)
        ended = store.ended()
        table = tuple(summarize(c.name, plan.of_cell(c, ended)) for c in chosen)
        return finish(plan, table, settings, pinned)


@contextmanager
def _named_where_stopped(run_id: str) -> Iterator[None]:
    """Say which run an interrupted command leaves, even if its name was not chosen by the user."""
    try:
        yield
    except KeyboardInterrupt:
        write_status(f"run {run_id} has not ended; --run-id {run_id} goes on with it")
        raise


def run_missing(
    plan: Plan, work: Sequence[WorkItem], store: AttemptStore, settings: Settings, compute: Compute, *, quiet: bool
) -> None:
    """Make the attempts that are missing, recorded by Prefect at the chosen detail."""
    detail = detail_of(settings.detail, plan.cells)
    total = len(plan.work())
    with Progress(total, total - len(work), quiet) as progress, Feed(plan.run_id, settings, compute) as feed:
        compute.preflight(_wanted(plan))
        version = (store.pinned() or {}).get("judge_version", "")
        context = RunContext.of(settings, store, compute, judge=settings.judge, detail=detail, judge_version=version)
        link = Link()
        artifacts = RunArtifacts(plan.run_id, total, total - len(work), link)

        def attempt(one: WorkItem, at: RunContext = context) -> Attempt:
            made = run_attempt(begin_attempt(one, plan, store, settings.cache, settings.model_cache), at)
            if made.locked_out:  # every later call would fail alike: nothing more is spent, or counted
                raise SolonError(_resumable(made.locked_out, plan.run_id))
            return made

        def observe(made: Attempt) -> None:
            progress(made)
            feed.note()
            artifacts.ended(made, store.path(made))

        def body() -> None:
            artifacts.start()
            if detail == "batch":
                _in_batches(work, attempt, observe, compute, settings.batch)
            else:
                _one_by_one(work, attempt, observe, compute)
            ended = store.ended()
            artifacts.cells([summarize(c.name, plan.of_cell(c, ended)) for c in plan.cells])

        def observe_plainly(made: Attempt) -> None:
            progress(made)
            feed.note()

        def plainly() -> None:
            # nobody keeps task runs: at detail `stage` each would look for a server
            unrecorded = replace(context, detail="matter")
            _in_threads(work, lambda one: attempt(one, unrecorded), observe_plainly, compute)

        recorded("corpus", plan.run_id, settings, body, plainly, link=link, stop=compute.close)


def _resumable(refusal: Failure, run_id: str) -> Failure:
    """Say how to continue the run once the key is valid, even if its name was not chosen by the user."""
    return refusal.model_copy(update={"remedy": f"{refusal.remedy} Then --run-id {run_id} goes on with this run."})


def _one_by_one(work: Sequence[WorkItem], attempt: Any, observe: Observer, compute: Compute) -> None:
    """One task run per matter, held by threads of the driver."""
    from prefect import task
    from prefect.cache_policies import NO_CACHE
    from prefect.futures import as_completed as in_order
    from prefect.task_runners import ThreadPoolTaskRunner

    def submit(one: WorkItem) -> PrefectFuture[Attempt]:
        name = f"{one.matter.matter_id} {one.cell.name} {one.epoch}"
        shown = task(name="attempt", task_run_name=name, cache_policy=NO_CACHE, persist_result=False)(
            lambda: attempt(one)
        )
        return runner.submit(shown, parameters={})

    runner: ThreadPoolTaskRunner[Attempt] = ThreadPoolTaskRunner(max_workers=_in_flight(compute))
    with runner, _stopped(compute):
        for future in in_order([submit(one) for one in work]):
            observe(future.result())


def _in_batches(work: Sequence[WorkItem], attempt: Any, observe: Observer, compute: Compute, size: int) -> None:
    """One task run per batch; inside it the attempts run side by side."""
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    for start in range(0, len(work), size):
        batch = work[start : start + size]
        name = f"{batch[0].matter.matter_id} +{len(batch) - 1}"
        shown = task(name="batch", task_run_name=name, cache_policy=NO_CACHE, persist_result=False)
        shown(lambda these=batch: _in_threads(these, attempt, observe, compute))()


def _in_threads(work: Sequence[WorkItem], attempt: Any, observe: Observer, compute: Compute) -> None:
    with ThreadPoolExecutor(_in_flight(compute), thread_name_prefix="attempt") as threads, _stopped(compute):
        futures: list[Future[Attempt]] = [threads.submit(attempt, one) for one in work]
        try:
            for future in as_completed(futures):
                observe(future.result())
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)  # what has not begun shall not begin
            raise


def unjudged(plan: Plan, ended: Sequence[Attempt]) -> tuple[Failure, ...]:
    """Say why attempts have no verdict at all; no rate counts them, so the run reports them."""
    lacking = [a for c in plan.cells for a in counted(plan.of_cell(c, ended)) if not a.criteria]
    return tuple(f.model_copy(update={"subject": a.attempt_id}) for a in lacking for f in a.failures[-1:])


def left_out(plan: Plan, matters: Collection[str]) -> tuple[str, ...]:
    """Name the matters of the run that this start leaves out; its rates do not count them."""
    absent = sorted(set(matters) - {m.matter_id for m in plan.corpus.matters})
    if not absent:
        return ()
    named = ", ".join(absent[:_NAMED]) + (", …" if len(absent) > _NAMED else "")
    return (f"this start leaves out {len(absent)} of {len(matters)} matters of the run: {named}",)


@contextmanager
def _stopped(compute: Compute) -> Iterator[None]:
    """End the bodies when the block fails; otherwise the process would wait for their threads."""
    try:
        yield
    except BaseException:
        compute.close()
        raise


def finish(plan: Plan, table: tuple[CellSummary, ...], settings: Settings, pinned: dict[str, Any]) -> RunResult:
    """Land the run and render its report."""
    from flows.runs.rows import failure_rows
    from warehouse.parts import write_parts

    write_parts(settings.parts, failure_rows(plan.run_id, plan.corpus.problems))
    landing = land_runs(settings, [plan.run_id])
    if landing.published:
        table = tuple(_as_landed(line, plan, settings, pinned) for line in table)
    lacking = unjudged(plan, AttemptStore(settings.runs, plan.run_id).ended()) if settings.judge else ()
    return RunResult(
        run_id=plan.run_id,
        cells=table,
        warehouse=settings.warehouse,
        report=render_report(settings, plan.run_id) if landing.published else None,
        problems=(*plan.corpus.problems, *lacking),
        notes=(*left_out(plan, pinned["matters"]), *_of_judge(settings), *landing.lines()[1:]),
        landed=landing.published,
        unscored=_unscored(plan, settings) if landing.published and settings.judge else {},
    )


def _unscored(plan: Plan, settings: Settings) -> dict[str, int]:
    """Return how many criteria of the cells of this start are unscored, by cause: counts alone leave the warehouse."""
    from warehouse.sql import run_query

    query = (
        "SELECT cause, CAST(sum(criteria) AS BIGINT) FROM unscored_causes "
        "WHERE run_id = ? AND judge_profile = ? AND list_contains(?, cell) GROUP BY cause ORDER BY cause"
    )
    return dict(
        run_query(settings.warehouse, query, [plan.run_id, settings.judge, [c.name for c in plan.cells]]).rows()
    )


def _of_judge(settings: Settings) -> tuple[str, ...]:
    from flows.trust import unproven

    return unproven(settings.judge, settings) if settings.judge else ()


def _as_landed(line: CellSummary, plan: Plan, settings: Settings, pinned: dict[str, Any]) -> CellSummary:
    """Return the line of a cell from the warehouse's figures.

    The counts in attempt.json come from the first judgement. What was judged again or altered by hand
    since then counts by its verdicts; they are all of the version of the judge that run.json names.
    """
    from warehouse.sql import run_query

    query = (
        "SELECT matters, criteria, round(pooled_pass, 6) AS pooled_pass, round(all_pass, 6) AS all_pass, unscored, "
        "blocked, round(coalesce(cost_usd, 0), 6) AS cost_usd, round(seconds, 3) AS seconds FROM cells "
        "WHERE run_id = ? AND cell = ? AND judge_profile IN (?, '') ORDER BY judge_profile DESC LIMIT 1"
    )
    landed = run_query(settings.warehouse, query, [plan.run_id, line.cell, settings.judge]).to_dicts()
    version = pinned.get("judge_version", "") if line.judge_profile else ""
    return line.model_copy(update=landed[0] | {"judge_version": version}) if landed else line


def _in_flight(compute: Compute) -> int:
    return compute.slots + 1  # while one waits for its judge, the solvers stay busy


def _wanted(plan: Plan) -> dict[str, float]:
    wanted: dict[str, float] = {}
    for cell in plan.cells:
        for name, amount in cell.options.get("resources", {}).items():
            wanted[name] = max(wanted.get(name, 0.0), float(amount))
    return wanted
