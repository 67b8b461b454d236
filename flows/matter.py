"""One matter through the stages.

inventory -> index -> gather -> draft -> five checks in parallel -> release -> [revise, at most k times]
-> judge -> trace -> the ended attempt.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from flows.compute.protocol import Compute, Handle, Resources
from flows.prefect.recording import recorded
from flows.prefect.stage_runs import Doors
from flows.runs import stages as bodies
from flows.runs.attempts import AttemptStore, changed, nothing_to_judge, write_json, writing
from flows.runs.cells import resolve_cell
from flows.runs.orders import Attempt, Order, Outcome, Solved, utc_now
from flows.runs.plan import Plan, begin, new_run_id, open_from, open_harness, pin
from flows.settings import Settings, secure
from tasks.drafting.records import WorkProduct
from tasks.judging.reading import OUR_FAULT
from tasks.judging.records import Tally
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Corpus, Matter
from tasks.matter.usage import Usage
from tasks.release.records import ReleaseReport


@dataclass(frozen=True)
class Bench:
    """What every attempt of a run shares. Stays in the driver; ``sealed`` goes to judge bodies alone.

    Attributes:
        judge: Judge profile; empty to leave the attempts unjudged.
        detail: stage, matter or batch.
        stage_seconds: Wall limit of a stage other than drafting.
    """

    store: AttemptStore
    compute: Compute
    sealed: Path
    judge_cache: Path
    judge: str
    detail: str
    stage_seconds: float


def run_attempt(order: Order, bench: Bench) -> Attempt:
    """Solve, judge and end one attempt; an infrastructure failure is its outcome, not an exception.

    The documents are looked at again after the last stage that reads them: what was drafted while they changed is kept
    as evidence, and is no attempt at the matter.

    Raises:
        SolonError: The folder of the attempt cannot be written; there is no attempt then.
    """
    with writing(order.folder):
        return _attempted(order, bench)


def _attempted(order: Order, bench: Bench) -> Attempt:
    doors = Doors(bench.compute, order.label, recorded=bench.detail == "stage")
    started, begun = utc_now(), time.monotonic()
    solved: Solved | None = None
    broken: Failure | None = None
    write_json(order.folder / "matter.json", order.matter)
    write_json(order.folder / "config.json", _config(order))
    try:
        solved = solve_in_stages(order, bench, doors) if bench.detail == "stage" else solve_at_once(order, bench, doors)
        write_solved(order, solved)
    except SolonError as exc:
        broken = exc.failure
    void = altered(order, bench, solved) or blinded(solved)
    outcome: Outcome = "failed" if void or not solved else solved.product.outcome
    if broken and not void:
        outcome = _outcome(broken)
    failures = (*void, *([broken] if broken else ()), *(solved.product.failures if solved else ()))
    tally, judge_failures = judge_attempt(order, bench, doors, solved, outcome, failures)
    seconds = time.monotonic() - begun if bench.detail == "stage" or not solved else worked(solved, doors)
    attempt = conclude(order, solved, outcome, tally, (*failures, *judge_failures), started, seconds, doors)
    bench.store.end(order.folder, attempt)
    return attempt


class Drafted(Record):
    """One matter drafted, with its release report as Markdown."""

    attempt: Attempt
    folder: Path
    release: str


def draft_matter(
    folder: Path,
    settings: Settings,
    *,
    cell: str = "extractive",
    ask: str | None = None,
    deliverables: Sequence[str] = (),
    output: Path | None = None,
) -> Drafted:
    """Draft one matter of a task directory or a plain folder; nothing is judged.

    Args:
        folder: A task directory, or a folder of documents where ``ask`` is given.
        settings: What is in force.
        cell: Name of the cell.
        ask: The brief for a plain folder.
        deliverables: File names to write for a plain folder.
        output: Folder that also receives the deliverables.

    Raises:
        SolonError: The folder is no matter, or there is no such cell.
    """
    secure(settings)
    chosen = resolve_cell(cell, settings)
    matter = open_matter(folder, settings, ask, deliverables)
    corpus = Corpus(root=folder, matters=(matter,))
    plan = Plan("matter-" + new_run_id(), corpus, [chosen], open_harness(settings))
    store = AttemptStore(settings.runs, plan.run_id)
    detail = "stage" if settings.detail == "auto" else settings.detail
    drafted: list[Attempt] = []
    with store.locked(), closing(open_from(settings)) as compute:
        pin(plan, store, settings, folder.resolve())

        def body(level: str) -> None:
            bench = Bench(
                store=store,
                compute=compute,
                sealed=settings.sealed,
                judge_cache=settings.judge_cache,
                judge="",
                detail=level,
                stage_seconds=settings.stage_seconds,
            )
            drafted.append(run_attempt(begin(plan.work()[0], plan, store, settings.cache, settings.model_cache), bench))

        name = f"{matter.matter_id} {cell}"
        recorded("matter", name, settings, lambda: body(detail), lambda: body("matter"), stop=compute.close)
    attempt = drafted[0]
    where = store.path(attempt)
    if output is not None:
        hand_over(where / "output", output)
    report = where / "release.md"
    return Drafted(attempt=attempt, folder=where, release=report.read_text("utf-8") if report.is_file() else "")


def hand_over(deliverables: Path, target: Path) -> None:
    """Copy deliverables out of Solon's own folders; whoever may read the place they go to may read them."""
    place = next(p for p in (target, *target.resolve().parents) if p.is_dir())
    rights = place.stat().st_mode
    for file in sorted(p for p in deliverables.rglob("*") if p.is_file() and not p.is_symlink()):
        copy = target / file.relative_to(deliverables)
        for folder in reversed([p for p in (copy.parent, *copy.parent.parents) if not p.is_dir()]):
            folder.mkdir()
            folder.chmod(rights & 0o755 | 0o700)
        shutil.copyfile(file, copy)
        copy.chmod(rights & 0o644 | 0o600)


def open_matter(folder: Path, settings: Settings, ask: str | None, deliverables: Sequence[str]) -> Matter:
    """Load a task directory, or a plain folder with a brief."""
    from tasks.matter.loading import load_corpus, load_folder

    if ask is not None or not (folder / "task.json").is_file():
        matter = load_folder(folder, ask or "", deliverables)
        _outside(folder, settings)
        return matter
    corpus = load_corpus(folder, settings.sealed, 1, settings.cache)
    if not corpus.matters:
        raise SolonError(corpus.problems[0])
    return corpus.matters[0]


def _outside(folder: Path, settings: Settings) -> None:
    """Refuse a data room around what Solon writes: drafts and sealed rubrics would count as its documents."""
    room = folder.resolve()
    for name in ("home", "runs", "sealed", "judge_cache", "warehouse"):
        place = Path(getattr(settings, name)).resolve()
        inside = place.relative_to(room).parts if place.is_relative_to(room) else (".",)
        if not any(part.startswith(".") for part in inside):  # hidden folders are no part of a data room
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="matter",
                    subject=str(place),
                    message=f"what Solon writes ({name}) would lie inside the data room",
                    remedy=f"choose another place with --home, or a hidden folder such as {room / '.solon'}",
                )
            )


def solve_at_once(order: Order, bench: Bench, doors: Doors) -> Solved:
    """Run all solver stages as one body in one process."""
    passes = 1 + order.cell.revise
    limit = passes * order.cell.limits.wall_seconds + 4 * bench.stage_seconds
    handle = doors.through(bodies.solve, order, resources=_resources(order, "solve", limit))
    return _solved(handle)


def solve_in_stages(order: Order, bench: Bench, doors: Doors) -> Solved:
    """Run each solver stage as a body of its own; results travel between them by reference."""

    def need(stage: str) -> Resources:
        return _resources(order, stage, bench.stage_seconds)

    def drafted(stage: str, report: str) -> Handle:
        resources = _resources(order, stage, order.cell.limits.wall_seconds + 60)
        return doors.through(bodies.draft, order, state, pack, report, resources=resources)

    def released() -> ReleaseReport:
        handles = [doors.open(bodies.check, order, gate, state, pack, resources=need(gate)) for gate in bodies.GATES]
        for gate, handle in zip(bodies.GATES, handles, strict=True):
            doors.hold(handle, f"check {gate}")
        report = doors.through(bodies.release, order, state, *handles, resources=need("release")).result()
        assert isinstance(report, ReleaseReport)
        return report

    state = doors.through(bodies.inventory, order, resources=need("inventory"))
    doors.through(bodies.index, order, resources=need("index"))
    pack = doors.through(bodies.gather, order, state, resources=need("gather"))
    product: WorkProduct = drafted("draft", "").result()
    report = released()
    passes = 0
    while bodies.needs_revision(order, product, report, passes):
        passes += 1
        product = drafted("revise", bodies.render(report)).result()
        report = released()
    trajectory = doors.through(bodies.trace, order, product, resources=need("trace")).result()
    skill = pack.result().skill.skill_id
    words = doors.compute.submit(bodies.words, order, resources=need("words")).result()
    return Solved(product=product, report=report, trajectory=trajectory, words=words, passes=passes, skill_id=skill)


def altered(order: Order, bench: Bench, solved: Solved | None) -> tuple[Failure, ...]:
    """Return which documents changed while the attempt was made, and which of its own files since it was drafted."""
    need = _resources(order, "changes", bench.stage_seconds)
    try:
        now: tuple[Failure, ...] = bench.compute.submit(bodies.changes, order, resources=need).result()
    except SolonError as exc:
        return (exc.failure,)
    met = [f for entry in solved.report.coverage for f in entry.failures] if solved else []
    known = {f.subject for f in now}
    then = [f for f in met if f.cause is FailureCause.CHANGED and f.subject not in known]
    return (*now, *then, *([_rewritten(name) for name in changed(order.folder)] if solved else []))


def blinded(solved: Solved | None) -> tuple[Failure, ...]:
    """Return what kept our readers from a data room of which they read nothing: an attempt to be made again.

    A room whose files are all malformed is a fact of the matter, and its draft is judged.
    """
    coverage = solved.report.coverage if solved else ()
    ours = [f for entry in coverage for f in entry.failures if f.cause in OUR_FAULT]
    return tuple(ours[:1]) if all(entry.status == "unread" for entry in coverage) else ()


def judge_attempt(
    order: Order,
    bench: Bench,
    doors: Doors,
    solved: Solved | None,
    outcome: Outcome,
    failures: tuple[Failure, ...],
) -> tuple[Tally | None, tuple[Failure, ...]]:
    """Judge what was drafted; where nothing could be, every criterion is unscored with the cause.

    The judge's process writes the verdicts into the attempt's folder; this process receives counts alone.
    """
    if not bench.judge:
        return None, ()
    need = Resources(stage="judge", role="judge", seconds=4 * bench.stage_seconds)
    try:
        if cause := nothing_to_judge(outcome, failures, solved.product if solved else None):
            return _unscored(order, bench, cause, need), ()
        arguments = (order.matter, order.folder, bench.sealed, bench.judge, bench.judge_cache)
        return doors.through(bodies.score, *arguments, resources=need).result(), ()
    except SolonError as exc:
        try:
            return _unscored(order, bench, exc.failure, need), (exc.failure,)
        except SolonError as again:
            return None, (exc.failure, again.failure)


def worked(solved: Solved, doors: Doors) -> float:
    """Return the seconds of an attempt without the time it stood in the queue for a worker."""
    return sum(solved.stage_seconds.values()) + doors.seconds.get("judge", 0.0)


def conclude(
    order: Order,
    solved: Solved | None,
    outcome: Outcome,
    tally: Tally | None,
    failures: tuple[Failure, ...],
    started: datetime,
    seconds: float,
    doors: Doors,
) -> Attempt:
    """Put the record of the ended attempt together."""
    matter = order.matter
    usage = solved.product.usage if solved else bodies.account(order).used
    return Attempt(
        attempt_id=order.attempt_id,
        key=order.key,
        run_id=order.run_id,
        number=order.number,
        epoch=order.epoch,
        cell=order.cell,
        cell_digest=order.cell.digest,
        matter_id=matter.matter_id,
        matter_digest=matter.digest,
        title=matter.title,
        area=matter.area,
        work_type=matter.work_type,
        documents=len(matter.documents),
        deliverables=len(solved.product.files) if solved else 0,
        harness_version=order.harness.version,
        outcome=outcome,
        release_status=solved.report.status if solved and outcome == solved.product.outcome else "",
        words=solved.words if solved else 0,
        turns=solved.trajectory.turns if solved else 0,
        skill_id=solved.skill_id if solved else "",
        actions=dict(Counter(a.bucket for a in solved.trajectory.actions)) if solved else {},
        usage=solved.trajectory.usage if solved and not usage.calls else usage,
        judge_profile=tally.profile if tally else "",
        judged_utc=tally.judged_utc if tally else None,
        judge_usage=tally.usage if tally else Usage(),
        criteria=tally.criteria if tally else 0,
        passed=tally.passed if tally else 0,
        unscored=tally.unscored if tally else 0,
        seconds=round(seconds, 3),
        stage_seconds={**doors.seconds, **(solved.stage_seconds if solved else {})},
        started_utc=started,
        ended_utc=max(started, utc_now()),  # a clock set back must not end an attempt before it starts
        failures=failures,
    )


def write_solved(order: Order, solved: Solved) -> None:
    """Write what the solver's stages gave into the attempt's folder."""
    write_json(order.folder / "work.json", solved.product)
    write_json(order.folder / "release.json", solved.report)
    (order.folder / "release.md").write_text(bodies.render(solved.report), encoding="utf-8")
    write_json(order.folder / "trajectory.json", solved.trajectory)


def _config(order: Order) -> dict[str, object]:
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


def _resources(order: Order, stage: str, seconds: float) -> Resources:
    wanted = order.cell.options.get("resources", {})
    custom = {k: float(v) for k, v in wanted.items() if k not in {"CPU", "GPU"}}
    drafting = stage in {"draft", "revise", "solve"}
    return Resources(
        stage=stage,
        seconds=seconds,
        gpus=float(wanted.get("GPU", 0)) if drafting else 0.0,
        custom=custom if drafting else {},
    )


def _solved(handle: Handle) -> Solved:
    result = handle.result()
    assert isinstance(result, Solved)
    return result


def _unscored(order: Order, bench: Bench, cause: Failure, need: Resources) -> Tally:
    arguments = (order.matter, order.folder, bench.sealed, bench.judge, bench.judge_cache, cause)
    tally = bench.compute.submit(bodies.score, *arguments, resources=need).result()
    assert isinstance(tally, Tally)
    return tally


def _rewritten(name: str) -> Failure:
    message = "was altered or lost between the draft and its judgement"
    remedy = "run again with the same --run-id: the attempt is made anew"
    return Failure(cause=FailureCause.CHANGED, stage="drafting", subject=name, message=message, remedy=remedy)


def _outcome(broken: Failure) -> Outcome:
    causes: dict[FailureCause, Outcome] = {FailureCause.TIMEOUT: "timeout", FailureCause.BUDGET: "budget"}
    return causes.get(broken.cause, "failed")
