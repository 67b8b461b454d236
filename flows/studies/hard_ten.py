"""hard-10: ten steps of the loop from an empty harness on the ten hardest matters, by two solvers.

baseline of every matter by the first solver -> the ten hardest, frozen -> ten steps by each solver -> how they converge

The protocol is the paper's: every step sees all ten, nothing is held out, and the strict gate decides. It shows how
fast a loop climbs, and bounds nothing: what it gains here says nothing of other matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.corpus import run_corpus
from flows.learn import learn_corpus
from flows.runs.attempts import AttemptStore, write_json
from flows.runs.cells import resolve_cell
from flows.runs.held_out import record_looks, to_read
from flows.runs.plan import open_harness
from flows.settings import Settings
from flows.studies.request import StudyRequest
from tasks.learning import ledger
from tasks.learning.records import LedgerRow
from tasks.matter.base import Record

MOST: Final = 10  # matters, as the name of the study says
STEPS: Final = 10  # steps of the learner on them, as many as a run of the learner plans
LEAST_DOCUMENTS: Final = 2
LEAST_CRITERIA: Final = 5
"""A matter with a smaller data room, or fewer scored criteria, shows too little of a climb to be chosen."""
POLICY: Final = "best_so_far"


class MeasuredMatter(Record):
    """A matter with what says how hard it is.

    Attributes:
        rate: Share of its criteria that the baseline passes, 0 to 1.
        load: Documents of its data room.
        criteria: Criteria that were scored.
    """

    matter_id: str
    digest: str
    area: str
    rate: float
    load: int
    criteria: int


class HardPlan(Record):
    """The study as it was begun.

    Attributes:
        cells: The solvers, with the digest of each; the first one's baseline chose the matters.
        base_version: The harness that both begin with.
        edits: Edits that a step may bring.
    """

    schema_version: int = 1
    study_id: str
    cells: dict[str, str]
    base_version: str
    proposer: str
    steps: int = STEPS
    edits: int = 1
    policy: str = POLICY
    matters: tuple[MeasuredMatter, ...]


@dataclass(frozen=True)
class ScorePoint:
    """Where a solver stood after a step; ``score`` is the mean pass rate over the ten matters, None before one."""

    cell: str
    step: int
    score: float | None
    accepted: int


def hardest(measured: Iterable[MeasuredMatter], most: int = MOST) -> tuple[MeasuredMatter, ...]:
    """Return the hardest matters: first one of each practice area, then a second one of each, and so on.

    Matters with few documents or criteria are left out. Of one area the one that the baseline passes least of comes
    first; of those alike the one with more documents, then the one with more criteria. So a corpus of seven areas gives
    one of each, and the three that are hardest among the second ones.
    """
    enough = (one for one in measured if one.load >= LEAST_DOCUMENTS and one.criteria >= LEAST_CRITERIA)
    order = sorted(enough, key=lambda one: (one.rate, -one.load, -one.criteria, one.matter_id))
    turns: dict[str, int] = {}
    ranked = []
    for place, one in enumerate(order):
        turns[one.area] = turns.get(one.area, -1) + 1
        ranked.append((turns[one.area], place, one))
    return tuple(one for _, _, one in sorted(ranked, key=lambda of: of[:2])[:most])


def run_hard_ten(ask: StudyRequest, study_id: str, *, quiet: bool = False) -> dict[str, Any]:
    """Run the study, or finish what an earlier start of it left.

    Returns:
        The plan, and for each solver where it stood after each step.

    Raises:
        SolonError: There are not two solvers, nothing was scored, or it was begun otherwise (``input``).
    """
    if len(ask.cells) != 2:
        raise ask.misuse("two solvers are compared", "name them: --cell A --cell B")
    if ask.edits < 1:
        raise ask.misuse("a step brings no edit", "name one or more: --max-edits 3")
    settings = ask.settings.model_copy(update={"policy": POLICY})
    file = settings.home / "studies" / study_id / "plan.json"
    plan = _frozen(file, ask, study_id, settings, quiet)
    chosen = frozenset(one.matter_id for one in plan.matters)
    points: list[ScorePoint] = []
    for number, cell in enumerate(plan.cells, start=1):
        learn_id = f"{study_id}-{number}"
        left = plan.steps - _taken(settings, learn_id)
        if left > 0:
            learn_corpus(
                ask.corpus, settings, cell=cell, steps=left, minibatch=len(chosen), holdout=0.0, learn_id=learn_id,
                max_edits=plan.edits, surfaces=("skills", "knowledge", "agents"), only=chosen,
            )  # fmt: skip
        points += climbed(cell, ledger.read(settings.home / "learning" / learn_id / "ledger.jsonl"))
    told = [vars(point) for point in points]
    return {"study": ask.name, "study_id": study_id, "plan": str(file), **plan.model_dump(mode="json"), "climb": told}


def climbed(cell: str, rows: Sequence[LedgerRow]) -> list[ScorePoint]:
    """Return where a solver stood before the first step (step -1) and after each, by the ledger."""
    decided = [row.decision for row in rows if row.decision]
    points = [ScorePoint(cell, -1, decided[0].incumbent if decided else None, 0)]
    for step in sorted({row.step for row in rows}):
        kept = [row.decision for row in rows if row.step == step and row.accepted and row.decision]
        score = kept[-1].candidate if kept else points[-1].score
        points.append(ScorePoint(cell, step, score, len(kept)))
    return points


def lines(result: dict[str, Any]) -> list[str]:
    """Return the result for a reader: the matters, then a line for each solver with its score after each step."""
    told = [f"{one['matter_id']} ({one['area']}): baseline {one['rate']:.0%}" for one in result["matters"]]
    for cell in result["cells"]:
        scores = [one["score"] for one in result["climb"] if one["cell"] == cell]
        told.append(f"{cell}: " + " -> ".join("not scored" if s is None else f"{s:.3f}" for s in scores))
    return [*told, f"`solon sql how_did_the_frontier_climb` and the report of {result['study_id']}-1 and -2 draw it"]


def _taken(settings: Settings, learn_id: str) -> int:
    rows = ledger.read(settings.home / "learning" / learn_id / "ledger.jsonl")
    return 1 + max((row.step for row in rows), default=-1)


def _frozen(file: Path, ask: StudyRequest, study_id: str, settings: Settings, quiet: bool) -> HardPlan:
    """Return the plan that the study was begun with, or measure, choose and freeze."""
    cells = {cell: resolve_cell(cell, settings).digest for cell in ask.cells}
    given: dict[str, Any] = {
        "cells": cells,
        "base_version": open_harness(settings).version,
        "proposer": settings.proposer,
    }
    given["edits"] = ask.edits
    if file.is_file():
        begun = HardPlan.model_validate_json(file.read_bytes())
        if different := [name for name, value in given.items() if getattr(begun, name) != value]:
            raise ask.misuse(
                f"{study_id} was begun with other {', '.join(different).replace('_', ' ')}",
                "ask as it was begun, or name another study with --study-id",
            )
        store = AttemptStore(settings.runs, f"{study_id}-baseline")
        record_looks(to_read(store.ended(), store), settings, f"study {ask.name}")
        return begun
    chosen = hardest(_baseline(ask, f"{study_id}-baseline", settings, quiet))
    if not chosen:
        raise ask.misuse(
            "no matter has documents and scored criteria enough", "choose a judge that scores, or a corpus"
        )
    plan = HardPlan(study_id=study_id, matters=chosen, **given)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_json(file, plan)
    return plan


def _baseline(ask: StudyRequest, run_id: str, settings: Settings, quiet: bool) -> list[MeasuredMatter]:
    from tasks.matter.loading import load_corpus

    run_corpus(
        ask.corpus,
        ask.cells[:1],
        settings,
        limit=ask.limit,
        run_id=run_id,
        quiet=quiet,
        purpose=f"study {ask.name}",
    )
    matters = {m.matter_id: m for m in load_corpus(ask.corpus, settings.sealed, ask.limit, settings.cache).matters}
    ended = {a.matter_id: a for a in AttemptStore(settings.runs, run_id).ended() if a.criteria > a.unscored}
    return [
        MeasuredMatter(
            matter_id=name,
            digest=matters[name].digest,
            area=matters[name].area,
            rate=a.passed / (a.criteria - a.unscored),
            load=len(matters[name].documents),
            criteria=a.criteria - a.unscored,
        )
        for name, a in sorted(ended.items())
        if name in matters
    ]
