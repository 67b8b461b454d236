"""The self-evolving loop over a corpus.

split off a holdout -> each step: draw a minibatch, run and judge it, redact, propose, gate, evaluate the candidate
on the same matters, accept or roll back -> ledger -> warehouse. This process receives counts and classes of verdicts;
what reads or lands the verdicts themselves runs in judge processes.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from flows.compute.planes import open_compute
from flows.compute.protocol import Compute, Resources
from flows.corpus import run_missing
from flows.land import land_runs
from flows.prefect.artifacts import publish_ledger
from flows.prefect.recording import recorded
from flows.runs import stages
from flows.runs.attempts import AttemptStore
from flows.runs.cells import resolve_cell
from flows.runs.edit_rows import edit_rows, holdout_rows
from flows.runs.home import check_warehouse, secure
from flows.runs.models import models_of, require_keys
from flows.runs.orders import Attempt
from flows.runs.plan import Plan, new_run_id, open_from, open_harness, pin_run
from flows.runs.progress import write_status
from flows.runs.serving import served
from flows.runs.summary import counted
from flows.settings import Settings
from tasks.drafting.records import Cell, WorkProduct
from tasks.harness import HarnessRef, find_harness
from tasks.judging.records import Tally
from tasks.learning.acceptance import policy_of, told
from tasks.learning.ledger import read as read_ledger
from tasks.learning.proposers.registry import proposer_of
from tasks.learning.records import LedgerRow, Observation, Surface
from tasks.learning.step import LearnSettings, draw, learn_step, split_holdout
from tasks.matter.base import Record, content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Corpus, Matter


class LearnResult(Record):
    """What a learning run left: one line per ledger row, and where everything is stored."""

    learn_id: str
    steps: tuple[str, ...]
    accepted: int
    harness: Path
    harness_version: str
    ledger: Path
    inputs: Path


def learn_corpus(
    corpus: Path,
    settings: Settings,
    *,
    cell: str = "extractive",
    steps: int = 1,
    minibatch: int = 4,
    holdout: float = 0.25,
    max_edits: int = 1,
    seed: int = 0,
    limit: int | None = None,
    learn_id: str | None = None,
    surfaces: tuple[Surface, ...] = ("skills", "knowledge"),
) -> LearnResult:
    """Take steps of the loop.

    Args:
        corpus: Folder of the corpus.
        settings: What is in force; ``harness`` is where the loop starts.
        cell: Name of the cell that solves.
        steps: Steps to take.
        minibatch: Matters per step.
        holdout: Share of matters that no step learns from.
        max_edits: Edits per step.
        seed: Of the split and of the minibatches.
        limit: Maximum number of matters.
        learn_id: Name of the learning run.
        surfaces: Surfaces that edits may change, in the order in which they are tried.

    Raises:
        SolonError: The corpus cannot be loaded, there is no such cell, policy or proposer, a number is out of its
            range, or another process takes steps under this name.
    """
    from tasks.matter.loading import load_corpus

    _check(steps=steps, minibatch=minibatch, holdout=holdout, max_edits=max_edits)
    decides, proposes = policy_of(settings.policy), proposer_of(settings.proposer, surfaces)
    name = learn_id or "learn-" + new_run_id()
    AttemptStore(settings.runs, name)  # refuses a name that no folder of ours may have
    check_warehouse(settings)
    secure(settings)
    chosen = resolve_cell(cell, settings)
    models = models_of([chosen], settings, settings.judge)
    require_keys(models)
    loaded = load_corpus(corpus, settings.sealed, limit, settings.cache)
    learn, held = split_holdout(loaded.matters, holdout, seed)
    home = settings.home / "learning" / name
    with _locked(home, name):
        before = read_ledger(home / "ledger.jsonl")
        harness, rows = _incumbent(before, home / "harnesses", settings), list[LedgerRow]()
        first = 1 + max((row.step for row in before), default=-1)

        with served(models, settings), closing(open_from(settings)) as compute:
            evaluate = evaluator(name, loaded, chosen, settings, compute)
            taken = LearnSettings(
                learn_id=name,
                proposer=proposes,
                policy=decides,
                store=home / "harnesses",
                ledger=home / "ledger.jsonl",
                inputs=home / "inputs",
                max_edits=max_edits,
                names=_names(learn, settings, compute),
            )

            def body(shown: bool = True) -> None:
                nonlocal harness
                for step in range(first, first + steps):
                    harness, new = learn_step(harness, draw(learn, minibatch, step, seed), held, step, evaluate, taken)
                    rows.extend(new)
                if shown:
                    publish_ledger(name, [_line(row) for row in (*before, *rows)])

            recorded("learn", name, settings, body, lambda: body(shown=False), stop=compute.close)
        # Landing reads verdicts: it gets a process of its own on this machine, which alone writes the warehouse.
        with closing(open_compute("inline", workers=1, logs=settings.logs)) as beside:
            need = Resources(stage="land", role="judge")
            beside.submit(_land, name, (*before, *rows), chosen, settings, resources=need).result()
        return LearnResult(
            learn_id=name,
            steps=tuple(_line(row) for row in rows),
            accepted=sum(row.accepted for row in rows),
            harness=harness.skills.parent,
            harness_version=harness.version,
            ledger=taken.ledger,
            inputs=taken.inputs,
        )


def _check(*, steps: int, minibatch: int, holdout: float, max_edits: int) -> None:
    """Refuse numbers with which the loop cannot run."""
    least = {"steps": (steps, 1), "minibatch": (minibatch, 1), "max-edits": (max_edits, 1)}
    wrong = [f"--{name} {value} is under {low}" for name, (value, low) in least.items() if value < low]
    if not 0 <= holdout < 1:
        wrong.append(f"--holdout {holdout:g} is no share from 0 to under 1")
    if wrong:
        raise _misuse("learn", "; ".join(wrong), "see `solon learn --help`")


@contextmanager
def _locked(home: Path, name: str) -> Iterator[None]:
    """Lock a learning run: two at once would give their steps the same numbers and write the same ledger."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / ".lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise _misuse(name, "is already running in another process", "wait, or choose another --learn-id") from None
        yield


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="learn", subject=subject, message=message, remedy=remedy))


def evaluator(
    learn_id: str, corpus: Corpus, cell: Cell, settings: Settings, compute: Compute
) -> Callable[[HarnessRef, Sequence[Matter]], Sequence[Observation]]:
    """Return the function that runs and judges matters under a harness.

    Attempts of a harness version are kept in one run, so what was already run under it is not run again; its score
    is recomputed from the stored verdicts each time.
    """

    def evaluate(harness: HarnessRef, matters: Sequence[Matter]) -> Sequence[Observation]:
        chosen = corpus.model_copy(update={"matters": tuple(matters), "problems": ()})
        plan = Plan(run_of(learn_id, harness), chosen, [cell], harness, adds=True)
        store = AttemptStore(settings.runs, plan.run_id)
        with store.locked():
            pin_run(plan, store, settings, corpus.root)
            work = plan.missing(store.ended())
            if work:
                run_missing(plan, work, store, settings, compute, quiet=True)
            ended = counted(plan.of_cell(cell, store.ended()))
        by_id = {m.matter_id: m for m in matters}
        need = Resources(stage="tally", role="judge", seconds=settings.stage_seconds)
        counts = [compute.submit(stages.tallied, a, store.path(a), resources=need) for a in ended]
        return [observe(by_id[a.matter_id], a, store.path(a), n.result()) for a, n in zip(ended, counts, strict=True)]

    return evaluate


def observe(matter: Matter, attempt: Attempt, folder: Path, tally: Tally) -> Observation:
    """Reduce a judged attempt to what the learner's redaction takes: counts and classes, no words of a rubric."""
    work = folder / "work.json"
    message = WorkProduct.model_validate_json(work.read_bytes()).final_message if work.is_file() else ""
    usage = attempt.usage
    return Observation(
        matter_key=content_hash(matter.digest)[:16],
        work_type=matter.work_type,
        document_suffixes=tuple(Path(d.name).suffix.lower() for d in matter.documents),
        deliverable_suffixes=tuple(d.suffix for d in matter.deliverables),
        skill_id=attempt.skill_id,
        passed=tally.passed,
        failed=tally.failed,
        unscored=tally.unscored,
        final_message=message,
        tool_uses=attempt.actions,
        tokens=usage.tokens,
    )


def run_of(learn_id: str, harness: HarnessRef) -> str:
    """Return the run that holds the attempts of a harness version."""
    return f"{learn_id}-{harness.version[:10]}"


def _incumbent(ledger: Sequence[LedgerRow], store: Path, settings: Settings) -> HarnessRef:
    """Return the harness to continue with: the last one accepted under this name, else the one in force."""
    accepted = [row.candidate_version for row in ledger if row.accepted]
    return find_harness(store / accepted[-1]) if accepted else open_harness(settings)


def _names(matters: Sequence[Matter], settings: Settings, compute: Compute) -> dict[str, tuple[str, ...]]:
    need = Resources(stage="names", seconds=settings.stage_seconds)
    handles = {m.matter_id: compute.submit(stages.names, m, settings.cache, resources=need) for m in matters}
    return {matter_id: handle.result() for matter_id, handle in handles.items()}


def _land(learn_id: str, rows: Sequence[LedgerRow], cell: Cell, settings: Settings) -> None:
    from warehouse.parts import write_parts

    write_parts(settings.parts, [*edit_rows(rows, cell), *holdout_rows(rows)])
    runs = sorted(p.name for p in settings.runs.glob(f"{learn_id}-*") if p.is_dir())
    for line in land_runs(settings, runs).lines()[1:]:
        write_status(line)


def _line(row: LedgerRow) -> str:
    if row.surface == "none":
        return f"step {row.step}: nothing to propose"
    verdict = "accepted" if row.accepted else "rolled back"
    reason = row.decision.reason if row.decision else next((g.reason for g in row.gates if not g.passed), "")
    before, after = row.holdout_before, row.holdout_after
    held = f"; holdout {told(before)} -> {told(after)}" if before is not None or after is not None else ""
    return f"step {row.step}: {row.surface} {row.path}: {row.told} -> {verdict} ({reason}){held}"
