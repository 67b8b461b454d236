"""One foreign attempt, stored like our own: its work product, trace, scores, and the findings of our gates."""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flows.imports.records import IMPORTED_NAME, RUNTIME, Imported, ImportedVerdicts, Told
from flows.runs import stages
from flows.runs.attempts import AttemptStore, lab_scores, write_json, writing
from flows.runs.concluding import of_order
from flows.runs.orders import Attempt, ModelCache, Order
from tasks.drafting.records import Cell, OutputFile, WorkProduct
from tasks.harness import HarnessRef
from tasks.judging.records import JudgeReport
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.matter.usage import Usage
from tasks.release.records import ReleaseReport
from tasks.tracing.about import About
from tasks.tracing.records import Trajectory
from tasks.tracing.stage import trace

TRANSCRIPT: Final = "transcript.jsonl"


@dataclass(frozen=True)
class Into:
    """Where attempts are stored, and what the gates need to check them."""

    store: AttemptStore
    cache: Path
    harness: HarnessRef
    replies: ModelCache = "read_write"


def source_hash(told: Told) -> str:
    """Return the content hash of all that an attempt is imported from."""
    named = {f"output/{name}": path for name, path in told.files.items()}
    named |= {p.relative_to(told.folder).as_posix(): p for p in (*told.sources, *filter(None, [told.transcript]))}
    return content_hash({name: _sha256(path) for name, path in named.items()})


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def store_attempt(told: Told, matter: Matter, source: str, into: Into) -> tuple[Attempt, Imported]:
    """Store one attempt; what its tree lacks stays empty.

    Args:
        told: What the tree tells.
        matter: Its matter: of the corpus where one was given, with documents; else what the tree says of it.
        source: Its folder relative to the tree.
        into: Where it goes.

    Raises:
        SolonError: It cannot be written.
    """
    number = _number(told, matter, into.store)
    cell = Cell(name=told.cell, runtime=RUNTIME, profile=told.model)
    folder = into.store.begin(matter.matter_id, cell.name, number)
    order = Order(
        run_id=into.store.run_id,
        matter=matter,
        cell=cell,
        epoch=number,
        number=number,
        folder=folder,
        cache=into.cache,
        harness=into.harness,
        model_cache=into.replies,
    )
    try:
        with writing(folder):
            return _stored(told, order, source, into)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # all of an attempt, or nothing
        raise


def _number(told: Told, matter: Matter, store: AttemptStore) -> int:
    taken = store.folder / matter.matter_id / told.cell / str(told.number)
    return told.number if told.number and not taken.exists() else store.next_number(matter.matter_id, told.cell)


def _stored(told: Told, order: Order, source: str, into: Into) -> tuple[Attempt, Imported]:
    product, trajectory = _work(told, order)
    report, failures = None, told.failures
    if order.matter.documents and product.outcome != "failed":
        try:
            report, trajectory = _gated(order, product)
        except SolonError as exc:
            failures = (*failures, exc.failure)
    write_json(order.folder / "matter.json", order.matter)
    write_json(order.folder / "work.json", product)
    write_json(order.folder / "trajectory.json", trajectory)
    if report:
        write_json(order.folder / "release.json", report)
        (order.folder / "release.md").write_text(stages.render(report), encoding="utf-8")
    imported = Imported(
        source=source, layout=told.layout, sha256=source_hash(told), gated=report is not None, notes=told.notes
    )
    write_json(order.folder / IMPORTED_NAME, imported)
    judged = _judged(told.scored, order) if told.scored else None
    attempt = _attempt(told, order, product, trajectory, report, judged, failures)
    into.store.end(order.folder, attempt)
    return attempt, imported


def _work(told: Told, order: Order) -> tuple[WorkProduct, Trajectory]:
    """Copy the files and the trace, and read the trace."""
    files = []
    for name, path in told.files.items():
        copy = order.folder / "output" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        files.append(OutputFile(filename=name, sha256=_sha256(copy), size=copy.stat().st_size))
    if told.transcript:
        shutil.copyfile(told.transcript, order.folder / TRANSCRIPT)
        trajectory = trace(order.folder / TRANSCRIPT, told.trace_format, About(usage=told.usage))
        trajectory = trajectory.model_copy(update={"defects": ()})  # they need the documents
    else:
        trajectory = Trajectory(trace_format=told.trace_format, turns=0, actions=())
    product = WorkProduct(
        files=tuple(files),
        outcome=told.outcome,
        transcript=TRANSCRIPT if told.transcript else "",
        trace_format=told.trace_format,
        final_message=trajectory.final_message,
        usage=trajectory.usage if trajectory.usage.tokens else told.usage,
        failures=told.failures,
    )
    return product, trajectory


def _gated(order: Order, product: WorkProduct) -> tuple[ReleaseReport, Trajectory]:
    """Check a work product with the release gates, as if one of our cells had made it."""
    state = stages.inventory(order)
    stages.index(order)
    asks, pack = stages.asks(order, state), stages.gather(order, state)
    checks = [stages.check(order, gate, state, asks, pack, product) for gate in stages.gates()]
    report = stages.release(order, state, *checks)
    trajectory = stages.trace(order, pack, product, report)
    # no skill of ours was given to it, and nobody knows how its cell was built
    defects = tuple(d for d in trajectory.defects if not d.by_construction)
    measures = trajectory.measures.model_copy(update={"mandatory": {}}) if trajectory.measures else None
    return report, trajectory.model_copy(update={"defects": defects, "measures": measures})


def _judged(scored: ImportedVerdicts, order: Order) -> JudgeReport:
    """Write the verdicts of the tree under the profile ``imported``, so that they are never mixed with ours."""
    from flows.imports.reading import slug

    report = JudgeReport(
        matter_id=order.matter.matter_id,
        matter_digest=order.matter.digest,
        profile=f"{RUNTIME}:{slug(scored.judge, 'unnamed')}",
        verdicts=scored.verdicts,
        usage=Usage(cost_usd=scored.cost_usd, cost_source="reported" if scored.cost_usd else "none"),
    )
    told = scored.judged_utc.isoformat() if scored.judged_utc else ""
    write_json(order.folder / "scores.json", lab_scores(report, told))
    write_json(order.folder / "judgement.json", report)
    return report


def _attempt(
    told: Told,
    order: Order,
    product: WorkProduct,
    trajectory: Trajectory,
    report: ReleaseReport | None,
    judged: JudgeReport | None,
    failures: tuple[Failure, ...],
) -> Attempt:
    matter, statuses = order.matter, [v.status for v in judged.verdicts] if judged else []
    if told.outcome != "finished" and not failures:
        message = f"the tree says that it ended by {told.outcome}"
        cause = FailureCause.TIMEOUT if told.outcome == "timeout" else FailureCause.BUDGET
        failures = (Failure(cause=cause, stage="import", subject=matter.matter_id, message=message),)
    return Attempt(
        **of_order(order),
        key=content_hash([RUNTIME, source_hash(told), matter.digest]),
        deliverables=len(product.files),
        harness_version="",
        outcome=told.outcome,
        release_status=report.status if report else "",
        words=stages.words(order),
        turns=trajectory.turns,
        actions=dict(Counter(a.bucket for a in trajectory.actions)),
        usage=product.usage,
        judge_profile=judged.profile if judged else "",
        judged_utc=(told.scored.judged_utc or told.ended_utc) if judged and told.scored else None,
        judge_usage=judged.usage if judged else Usage(),
        criteria=len(statuses),
        passed=statuses.count("pass"),
        unscored=statuses.count("unscored"),
        seconds=told.seconds,
        started_utc=told.started_utc,
        ended_utc=max(told.started_utc, told.ended_utc),
        failures=failures,
    )
