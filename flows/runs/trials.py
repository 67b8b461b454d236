"""Attempts for the learner: matters that are run and judged under a harness version, and what the learner may see."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from types import MappingProxyType

from flows.compute.protocol import Compute, Resources
from flows.corpus import run_missing
from flows.runs import judge_side, stages
from flows.runs.attempts import AttemptStore
from flows.runs.judgements import latest_judgement
from flows.runs.orders import Attempt
from flows.runs.plan import Plan, judge_pin, pin_run
from flows.runs.signals import signals_of
from flows.runs.summary import counted
from flows.settings import Settings
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef
from tasks.judging.records import Tally
from tasks.learning.audit import general_words
from tasks.learning.comparison import Told
from tasks.learning.records import MatterScore, Observation
from tasks.matter.records import Corpus, Matter

Place = tuple[str, int]  # matter, epoch


class Trials:
    """Runs and judges matters under a harness. This process receives counts and classes of verdicts, never words.

    Attempts of a harness version are kept in one run, so what was already run under it is not run again; its score
    is recomputed from the stored verdicts each time.
    """

    def __init__(
        self,
        learn_id: str,
        corpus: Corpus,
        cell: Cell,
        settings: Settings,
        compute: Compute,
        landing: Compute,
        names: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """Set up the trials of a learning run.

        Args:
            learn_id: Name of the learning run.
            corpus: The corpus, of which matters are chosen.
            cell: The cell that solves.
            settings: What is in force.
            compute: Where attempts are made and counted.
            landing: A process of this machine for the judge's side, which alone writes the warehouse.
            names: Names of the matters that proposers may learn from. Of another matter no last message is told.
        """
        self._learn_id, self._corpus, self._cell, self._settings = learn_id, corpus, cell, settings
        self._compute, self._landing = compute, landing
        self._names, self._turns = names, 0

    def evaluate(
        self, harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int] = (1,)
    ) -> Sequence[Observation]:
        """Return what was observed of matters under a harness, in each of these epochs."""
        by_id = {m.matter_id: m for m in matters}
        need = Resources(stage="tally", role="judge", seconds=self._settings.stage_seconds)
        ended = [(a, folder) for epoch in sorted(set(epochs)) for a, folder in self._ended(harness, matters, epoch)]
        counts = [
            self._compute.submit(
                judge_side.tallied, self._verdicts(a), a.judged_utc or a.ended_utc, self._version, resources=need
            )
            for a, _ in ended
        ]
        return [observe(by_id[a.matter_id], a, tally.result()) for (a, _), tally in zip(ended, counts, strict=True)]

    def signals(self, harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int]) -> Sequence[Told]:
        """Land the ended attempts, and return what the learner may see of them in the published warehouse."""
        run_id = run_of(self._learn_id, harness)
        self._landing.submit(landed, self._settings, run_id, resources=Resources(stage="land", role="judge")).result()
        keys = {matter.key for matter in matters}
        place = (self._settings.warehouse, run_id, self._cell.name, self._settings.judge)
        return signals_of(*place, keys, epochs, self._last_words(harness, matters, epochs))

    def _last_words(
        self, harness: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int]
    ) -> dict[tuple[str, int], str]:
        """Return the last messages, redacted by the process that reads them; this one sees nothing else of them."""
        general = general_words(harness)
        keys = {m.matter_id: m.key for m in matters if m.matter_id in self._names}
        need = Resources(stage="last_words", seconds=self._settings.stage_seconds)
        ended = [one for epoch in sorted(set(epochs)) for one in self._ended(harness, matters, epoch)]
        told = {
            (keys[a.matter_id], a.epoch): self._compute.submit(
                stages.last_words, folder, self._names[a.matter_id], general, resources=need
            )
            for a, folder in ended
            if a.matter_id in keys
        }
        return {place: handle.result() for place, handle in told.items()}

    def pairs(
        self, incumbent: HarnessRef, candidate: HarnessRef, matters: Sequence[Matter], epochs: Sequence[int]
    ) -> Sequence[tuple[MatterScore, MatterScore]]:
        """Run matters, each in its epoch, under both harnesses; count the criteria that both were judged by."""
        return [(one, other) for one, other in self.together((incumbent, candidate), matters, epochs)]

    def together(
        self, arms: Sequence[HarnessRef], matters: Sequence[Matter], epochs: Sequence[int]
    ) -> Sequence[tuple[MatterScore, ...]]:
        """Run matters, each in its epoch, under each harness; count the criteria that all were judged by.

        The order of the harnesses changes from batch to batch, so that a provider's bad hour affects all.
        """
        self._turns += 1
        found: dict[str, dict[Place, tuple[Attempt, Path]]] = {}
        for arm in arms[:: 1 if self._turns % 2 else -1]:
            drawn = sorted(zip(epochs, matters, strict=True), key=lambda pair: pair[0])
            for epoch, of in groupby(drawn, key=lambda pair: pair[0]):
                for attempt, folder in self._ended(arm, [matter for _, matter in of], epoch):
                    found.setdefault(arm.version, {})[attempt.matter_id, epoch] = attempt, folder
        places = [(matter.matter_id, epoch) for matter, epoch in zip(matters, epochs, strict=True)]
        need = Resources(stage="tally", role="judge", seconds=self._settings.stage_seconds)
        made = [[found[arm.version][place][0] for arm in arms] for place in places]
        counts = [
            self._compute.submit(
                judge_side.judged_together, [self._verdicts(a) for a in each], self._version, resources=need
            )
            for each in made
        ]
        return [
            _scores(matter, each, handle.result()) for matter, each, handle in zip(matters, made, counts, strict=True)
        ]

    def shares_words(self, text: str, general: Collection[str], matters: Sequence[Matter]) -> bool:
        """Ask a judge process whether a text shares words with the rubrics of these matters."""
        need = Resources(stage="vocabulary", role="judge", seconds=self._settings.stage_seconds)
        arguments = (text, tuple(matters), self._settings.sealed, frozenset(general), self._settings.judge_cache)
        return bool(self._compute.submit(judge_side.shares_words, *arguments, resources=need).result())

    def spent(self, matters: Collection[str]) -> tuple[int, int]:
        """Return the tokens of all attempts at these matters in this learning run, and how many attempts there are."""
        runs = sorted(p.name for p in self._settings.runs.glob(f"{self._learn_id}-*") if p.is_dir())
        ended = [a for run_id in runs for a in AttemptStore(self._settings.runs, run_id).ended()]
        ours = [a for a in ended if a.matter_id in matters]
        return sum(a.usage.tokens for a in ours), len(ours)

    @cached_property
    def _version(self) -> str:
        """The version of the judge in force: verdicts of another are not counted with its own."""
        return judge_pin(self._settings, self._settings.judge)["judge_version"] if self._settings.judge else ""

    def _verdicts(self, attempt: Attempt) -> Path:
        """Return where the verdicts that count lie; they are read in a judge process alone."""
        store = AttemptStore(self._settings.runs, attempt.run_id)
        return latest_judgement(store, attempt, self._settings.judge)

    def _ended(self, harness: HarnessRef, matters: Sequence[Matter], epoch: int) -> list[tuple[Attempt, Path]]:
        chosen = self._corpus.model_copy(update={"matters": tuple(matters), "problems": ()})
        plan = Plan(run_of(self._learn_id, harness), chosen, [self._cell], harness, adds=True, since=epoch)
        store = AttemptStore(self._settings.runs, plan.run_id)
        with store.locked():
            pin_run(plan, store, self._settings, self._corpus.root)
            work = plan.missing(store.ended())
            if work:
                run_missing(plan, work, store, self._settings, self._compute, quiet=True)
            return [(a, store.path(a)) for a in counted(plan.of_cell(self._cell, store.ended()))]


def _scores(
    matter: Matter, attempts: Sequence[Attempt], counts: tuple[int, tuple[int, ...], tuple[int, ...]]
) -> tuple[MatterScore, ...]:
    every, passed, unscored = counts
    return tuple(
        MatterScore(matter_key=matter.key, passed=p, failed=every - p, unscored=open_, tokens=a.usage.tokens)
        for p, open_, a in zip(passed, unscored, attempts, strict=True)
    )


def observe(matter: Matter, attempt: Attempt, tally: Tally) -> Observation:
    """Reduce a judged attempt to counts and classes, without words of a rubric, a judge or a solver."""
    return Observation(
        matter_key=matter.key,
        work_type=matter.work_type,
        document_suffixes=tuple(Path(d.name).suffix.lower() for d in matter.documents),
        deliverable_suffixes=tuple(d.suffix for d in matter.deliverables),
        skill_id=attempt.skill_id,
        passed=tally.passed,
        failed=tally.failed,
        unscored=tally.unscored,
        tool_uses=attempt.actions,
        tokens=attempt.usage.tokens,
        release_status=attempt.release_status,
    )


def landed(settings: Settings, run_id: str) -> None:
    """Land a run in a judge process, since its verdicts land too."""
    from flows.land import land_runs

    land_runs(settings, [run_id], knowledge=False)


def run_of(learn_id: str, harness: HarnessRef) -> str:
    """Return the run that holds the attempts of a harness version."""
    return f"{learn_id}-{harness.version[:10]}"
