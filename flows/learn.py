"""The self-evolving loop over a corpus.

freeze the split -> each step: draw a minibatch, run and judge it, redact, propose, gate, compare the candidate with the
incumbent, accept or roll back -> ledger -> one look at the holdout beside the gain -> warehouse. This process receives
counts and classes of verdicts; what reads or lands the verdicts themselves runs in judge processes.
"""

from __future__ import annotations

import fcntl
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from flows.compute.planes import open_compute
from flows.compute.protocol import Compute, Resources
from flows.land import land_runs
from flows.prefect.artifacts import publish_ledger
from flows.prefect.recording import recorded
from flows.runs import stages
from flows.runs.attempts import AttemptStore
from flows.runs.cells import resolve_cell
from flows.runs.edit_rows import access_rows, edit_rows, proposer_rows
from flows.runs.holdout import looked
from flows.runs.home import check_warehouse, secure
from flows.runs.learning_terms import terms_of
from flows.runs.models import models_of, require_callable
from flows.runs.plan import new_run_id, open_from, open_harness
from flows.runs.progress import write_status
from flows.runs.proposing import ACCOUNT, means_of, proposing
from flows.runs.serving import served
from flows.runs.trials import Trials
from flows.settings import Settings
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef
from tasks.learning.acceptance import policy_of, told
from tasks.learning.audit import Vocabulary
from tasks.learning.beside import lines
from tasks.learning.comparison import Arena
from tasks.learning.harnesses import stored
from tasks.learning.holdout import HoldoutLog, HoldoutLook
from tasks.learning.ledger import append as append_ledger
from tasks.learning.ledger import read as read_ledger
from tasks.learning.proposers.agent.proposer import AgentProposer
from tasks.learning.proposers.registry import proposer_of
from tasks.learning.reach import RUNTIME, StandIns
from tasks.learning.records import Beside, LedgerRow, Sampling, Surface
from tasks.learning.rows import LearnSettings, nothing_row
from tasks.learning.splits import GIANT_TOKENS, Sized, Split, frozen, split
from tasks.learning.step import draw, learn_step
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Corpus, Matter
from tasks.models.profile import ModelProfile
from tasks.models.tokens import CHARS_PER_TOKEN

_CONFIRM = 0.4  # share of the matters that candidates are compared on, where the policy draws pairs; chosen by hand
_TRIALS = 3  # attempts of a matter by a model, which answers differently each time; the number of ``blended_margin``

_NEXT = "Try another --proposer or --surface, or begin a run (--learn-id) over more matters a step (--minibatch)."


class LearnResult(Record):
    """What a learning run left: one line per ledger row, and where everything is stored.

    Attributes:
        beside: What stands beside the gain: the holdout, and best-of-k at the same budget. None was looked at where
            nothing was promoted.
        split: The frozen split; ``holdout_looks`` counts the looks at its test side and giant slice, ever.
    """

    learn_id: str
    steps: tuple[str, ...]
    accepted: int
    harness: Path
    harness_version: str
    ledger: Path
    inputs: Path
    split: Path
    holdout_looks: int = 0
    beside: tuple[Beside, ...] = ()


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
    confirm: float | None = None,
    trials: int | None = None,
    candidates: int = 10,
    best_of: int = 3,
    giant_tokens: int = GIANT_TOKENS,
    together: int = 0,
    only: Collection[str] | None = None,
) -> LearnResult:
    """Take steps of the loop.

    Args:
        corpus: Folder of the corpus.
        settings: What is in force; ``harness`` is where the loop starts.
        cell: Name of the cell that solves.
        steps: Steps to take.
        minibatch: Matters per step.
        holdout: Share of matters that no step learns from and nothing is decided on.
        max_edits: Edits per step.
        seed: Of the split and of the minibatches.
        limit: Maximum number of matters.
        learn_id: Name of the learning run.
        surfaces: Surfaces that edits may change, in the order in which they are tried.
        confirm: Share of matters that candidates are compared on and no proposer sees; by default 0.4 for a policy
            that draws pairs, else none.
        trials: Attempts of a matter; by default those of the policy (3) with a model, else 1.
        candidates: Comparisons planned for the whole run, over which a bound on false promotions is spread.
        best_of: Attempts of each held-out matter with the first harness that best-of-k chooses among, at most.
        giant_tokens: From so many tokens on a matter is reported apart.
        together: Edits of a step that are compared as one, for a policy that draws pairs; 0 compares each alone.
        only: Ids of the matters that are learned from and reported on; all of the corpus where it is None.

    Raises:
        SolonError: The corpus cannot be loaded, there is no such cell, policy or proposer, a number is out of its
            range, the run began with another split, harness, cell, judge, policy or size, or another process takes
            steps under this name.
    """
    name = learn_id or "learn-" + new_run_id()
    home = settings.home / "learning" / name
    decides = policy_of(settings.policy, candidates)
    proposes = proposer_of(settings.proposer, means_of(settings, home, surfaces, seed))
    pairs_are_drawn = decides.sampling.draws == "confirm"
    compared = confirm if confirm is not None else _CONFIRM if pairs_are_drawn else 0.0
    least = {"steps": steps, "minibatch": minibatch, "max-edits": max_edits, "candidates": candidates}
    least |= {"best-of": best_of, "giant-tokens": giant_tokens} | ({} if trials is None else {"trials": trials})
    _check(least, holdout, compared, pairs_are_drawn, together)
    if isinstance(proposes, AgentProposer):
        proposes.preflight(minibatch)
    models, samples = _ready(name, chosen := resolve_cell(cell, settings), settings)
    loaded = _loaded(corpus, settings, limit, only)
    with _locked(home, name):
        before, first = read_ledger(home / "ledger.jsonl"), open_harness(settings)
        harness = _incumbent(before, home / "harnesses", first, name)
        with _planes(models, settings) as (landing, compute):
            sizes = _sized(loaded.matters, settings, compute)
            tries = attempts_of(trials, decides.sampling, samples)
            terms = terms_of(chosen, decides, settings, trials=tries, minibatch=minibatch, together=together)
            given = {"seed": seed, "candidates": candidates, "giant_tokens": giant_tokens}
            wanted = split(sizes, test=holdout, confirm=compared, terms=terms, **given)
            parted = frozen(home / "split.json", wanted)
            names = _names(parted.of("training", loaded.matters), settings, compute)
            runs = Trials(name, loaded, chosen, settings, compute, landing, names)
            arena = _arena(runs, parted, loaded, chosen, tries, samples)
            taken = LearnSettings(name, proposes, decides, home / "harnesses", home / "ledger.jsonl", home / "inputs")
            taken = replace(taken, max_edits=max_edits, names=names, together=together)
            taken = replace(taken, vocabulary=_words_asked(runs, arena))
            looks = HoldoutLog(home / "holdout.jsonl", name, parted.digest)
            loop = _Loop(first, harness, runs, arena, taken, parted, loaded, looks, before, steps, minibatch, best_of)
            recorded("learn", name, settings, loop.run, lambda: loop.run(shown=False), stop=compute.close)
            rows = (name, (*before, *loop.rows), looks.looks(), chosen, settings)
            landing.submit(_land, *rows, resources=Resources(stage="land", role="judge")).result()
        return loop.result(home / "split.json")


def _ready(name: str, cell: Cell, settings: Settings) -> tuple[tuple[ModelProfile, ...], bool]:
    """Check the name, the warehouse, the folders and the keys.

    Returns:
        The models that the run calls, and whether the solver samples: embedders alone give the same each time.
    """
    AttemptStore(settings.runs, name)  # refuses a name that no folder of ours may have
    check_warehouse(settings)
    secure(settings)
    models = models_of([cell], settings, settings.judge) + proposing(settings)
    require_callable(models)
    return models, any(model.kind == "chat" for model in models_of([cell], settings))


def _words_asked(runs: Trials, arena: Arena) -> Vocabulary:
    """Return what asks a judge process whether words are those of a rubric of the matters that are learned from."""
    known = [*arena.training, *arena.confirm]
    return lambda text, general: runs.shares_words(text, general, known)


@contextmanager
def _planes(models: Sequence[ModelProfile], settings: Settings) -> Iterator[tuple[Compute, Compute]]:
    """Serve the models; give the process that lands, and the compute plane.

    Landing reads verdicts: it gets a process of its own on this machine, which alone writes the warehouse.
    """
    with (
        served(models, settings),
        closing(open_compute("inline", workers=1, logs=settings.logs)) as landing,
        closing(open_from(settings)) as compute,
    ):
        yield landing, compute


def _loaded(corpus: Path, settings: Settings, limit: int | None, only: Collection[str] | None) -> Corpus:
    """Load the corpus, or those of its matters alone that are to be learned from."""
    from tasks.matter.loading import load_corpus

    loaded = load_corpus(corpus, settings.sealed, limit, settings.cache)
    if only is None:
        return loaded
    return loaded.model_copy(update={"matters": tuple(m for m in loaded.matters if m.matter_id in only)})


@dataclass
class _Loop:
    """The steps of one start of the loop, and what they left so far.

    Attributes:
        first: The harness with which the learning run began.
        harness: The one in force; an accepted edit changes it.
        before: Rows of the ledger of earlier starts; ``rows`` are those of this one.
        steps: How many steps this start takes.
    """

    first: HarnessRef
    harness: HarnessRef
    runs: Trials
    arena: Arena
    taken: LearnSettings
    parted: Split
    loaded: Corpus
    looks: HoldoutLog
    before: Sequence[LedgerRow]
    steps: int
    minibatch: int
    best_of: int
    rows: list[LedgerRow] = field(default_factory=list)

    def run(self, shown: bool = True) -> None:
        """Take the steps, then look at the holdout once where something was promoted."""
        begin = 1 + max((row.step for row in self.before), default=-1)
        for step in range(begin, begin + self.steps):
            drawn = draw(self.arena.training, self.minibatch, step, self.parted.seed)
            self.harness, new = learn_step(self.harness, drawn, step, self.arena, self.taken)
            self.rows.extend(new)
            if any(row.failure and row.failure.cause is FailureCause.BUDGET for row in new):
                break  # the proposer stops: its budget is spent, or it brought nothing for long
        self._look(begin + self.steps - 1)
        if shown:
            publish_ledger(self.taken.learn_id, [line for row in (*self.before, *self.rows) for line in _lines(row)])

    def _look(self, step: int) -> None:
        if not _gained((*self.before, *self.rows)):
            return
        held = looked(
            self.runs, self.arena, self.first, self.harness, self.parted, self.loaded, self.looks, step, self.best_of
        )
        if held:
            self.rows.append(nothing_row(step, 0, self.harness, self.taken, held))
            append_ledger(self.taken.ledger, self.rows[-1])

    def result(self, parted: Path) -> LearnResult:
        """Return what this start left, with the file of its split."""
        return LearnResult(
            learn_id=self.taken.learn_id,
            steps=tuple(line for row in self.rows for line in _lines(row)),
            accepted=sum(row.accepted for row in self.rows),
            harness=self.harness.skills.parent,
            harness_version=self.harness.version,
            ledger=self.taken.ledger,
            inputs=self.taken.inputs,
            split=parted,
            holdout_looks=len(self.looks.looks()),
            beside=next((row.beside for row in reversed(self.rows) if row.beside), ()),
        )


def attempts_of(trials: int | None, sampling: Sampling, samples: bool) -> int:
    """Return how often a matter is tried; says so where more attempts were asked for than can differ.

    Args:
        trials: What was asked for; None for what the policy is made for.
        sampling: Of the policy.
        samples: Whether the cell may give another work product in another epoch.
    """
    if samples:
        return trials or sampling.trials
    if trials and trials > 1:
        write_status(f"--trials {trials} changes nothing: this cell gives the same work product each time")
    return 1


def _arena(runs: Trials, parted: Split, loaded: Corpus, cell: Cell, trials: int, samples: bool) -> Arena:
    """Return where candidates are compared: the matters of the split, and the ways to run them."""
    return Arena(
        evaluate=runs.evaluate,
        pairs=runs.pairs,
        signals=runs.signals,
        training=parted.of("training", loaded.matters),
        confirm=parted.of("confirm", loaded.matters),
        samples=samples,
        trials=trials,
        seed=parted.seed,
        stand_in=StandIns() if cell.runtime == RUNTIME and not samples else None,
    )


def _gained(rows: Sequence[LedgerRow]) -> bool:
    """Tell whether an edit was promoted without a holdout comparison yet, also by a start that was killed."""
    latest = max((at for at, row in enumerate(rows) if row.beside), default=-1)
    return any(row.accepted for row in rows[latest + 1 :])


def _sized(matters: Sequence[Matter], settings: Settings, compute: Compute) -> list[Sized]:
    need = Resources(stage="sizes", seconds=settings.stage_seconds)
    handles = [compute.submit(stages.characters, m, settings.cache, resources=need) for m in matters]
    return [Sized(matter=m, tokens=int(h.result() / CHARS_PER_TOKEN)) for m, h in zip(matters, handles, strict=True)]


def _check(least: dict[str, int], holdout: float, confirm: float, pairs_are_drawn: bool, together: int) -> None:
    """Refuse settings with which the loop cannot run."""
    wrong = [f"--{name} {value} is under 1" for name, value in least.items() if value < 1]
    for name, share in (("holdout", holdout), ("confirm", confirm)):
        if not 0 <= share < 1:
            wrong.append(f"--{name} {share:g} is no share from 0 to under 1")
    if not wrong and holdout + confirm >= 1:
        wrong.append(f"--holdout {holdout:g} and --confirm {confirm:g} leave nothing to learn from")
    if pairs_are_drawn and not confirm:
        wrong.append("this policy compares candidates on matters that no proposer saw, and --confirm 0 leaves none")
    if together and not pairs_are_drawn:
        wrong.append("this policy draws no pairs, so it cannot compare the edits of a step as one (--together)")
    if wrong:
        raise _misuse("learn", "; ".join(wrong), "see `solon learn --help`")


@contextmanager
def _locked(home: Path, name: str) -> Iterator[None]:
    """Lock a learning run: two processes would give their steps the same numbers and write the same ledger."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / ".lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise _misuse(name, "is already running in another process", "wait, or choose another --learn-id") from None
        yield


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="learn", subject=subject, message=message, remedy=remedy))


def _incumbent(ledger: Sequence[LedgerRow], store: Path, first: HarnessRef, name: str) -> HarnessRef:
    """Return the harness to continue with: the last one accepted under this name, else the one in force."""
    if ledger and ledger[0].base_version != first.version:
        raise _misuse(name, "was begun from another harness", "restore it (--harness), or choose another --learn-id")
    accepted = [row.candidate_version for row in ledger if row.accepted]
    return stored(store, accepted[-1]) if accepted else first


def _names(matters: Sequence[Matter], settings: Settings, compute: Compute) -> dict[str, tuple[str, ...]]:
    need = Resources(stage="names", seconds=settings.stage_seconds)
    handles = {m.matter_id: compute.submit(stages.names, m, settings.cache, resources=need) for m in matters}
    return {matter_id: handle.result() for matter_id, handle in handles.items()}


def _land(
    learn_id: str, rows: Sequence[LedgerRow], looks: Collection[HoldoutLook], cell: Cell, settings: Settings
) -> None:
    from warehouse.parts import write_parts

    account = settings.home / "learning" / learn_id / ACCOUNT
    write_parts(settings.parts, [*edit_rows(rows, cell), *access_rows(looks), *proposer_rows(learn_id, account)])
    runs = sorted(p.name for p in settings.runs.glob(f"{learn_id}-*") if p.is_dir())
    for line in land_runs(settings, runs).lines()[1:]:
        write_status(line)


def _lines(row: LedgerRow) -> list[str]:
    if row.beside:
        return [line for one in row.beside for line in lines(one)]
    if row.surface == "none":
        why = f"no edit: {row.failure.line()}" if row.failure else _nothing(row)
        return [f"step {row.step}: {why}"]
    verdict = "accepted" if row.accepted else "rolled back"
    stopped = next((g.reason for g in row.gates if not g.passed), "")
    reason = stopped or (row.decision.reason if row.decision else "")
    before, after = row.holdout_before, row.holdout_after
    held = f"; holdout {told(before)} -> {told(after)}" if before is not None or after is not None else ""
    return [f"step {row.step}: {row.surface} {row.path}: {row.told} -> {verdict} ({reason}){held}"]


def _nothing(row: LedgerRow) -> str:
    """Say why a step had no edit, and what can be done; a row of an earlier version does not know why."""
    return f"nothing to propose: {row.rationale}. {_NEXT}" if row.rationale else "nothing to propose"
