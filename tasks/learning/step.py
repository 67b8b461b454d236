"""One step of the loop: observe, propose, gate, compare, take back, accept or roll back, write the ledger.

The stage never runs a matter and never judges: both are handed in as an ``Arena``. It receives verdict counts and
error classes, never a rubric; of those who hold one it asks yes or no.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tasks.harness import HarnessRef
from tasks.learning import editable, ledger
from tasks.learning.attribution import IN_PAIRS, attributed
from tasks.learning.comparison import Arena, Told, confirmed, evaluation
from tasks.learning.gating import gate_verdicts, rewritten_edit
from tasks.learning.harnesses import candidate
from tasks.learning.records import Edit, GateVerdict, LearnerInput, LedgerRow, Slices
from tasks.learning.redaction import signal
from tasks.learning.rows import LearnSettings, Trial, nothing_row, why_nothing
from tasks.learning.slices import slices_gate, tried
from tasks.learning.together import weighed
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.reasons import Reason
from tasks.matter.records import Matter


def draw(matters: Sequence[Matter], size: int, step: int, seed: int) -> list[Matter]:
    """Draw the matters of a step. None comes again before the others had their turn.

    Args:
        matters: What may be drawn.
        size: Matters per step; fewer are drawn only where there are fewer.
        step: Number of the step, from 0.
        seed: The same seed gives the same draws.
    """
    if not matters:
        return []
    size = min(size, len(matters))
    per_epoch = len(matters) // size
    epoch, position = divmod(step, per_epoch)
    order = sorted(matters, key=lambda m: m.matter_id)
    random.Random(f"{seed}:{epoch}").shuffle(order)
    return order[position * size : (position + 1) * size]


def in_order(told: Iterable[Told]) -> list[Told]:
    """Return what may be seen of attempts in an order that says nothing of how they were made."""
    return sorted(told, key=lambda one: one[1].model_dump_json())


def learner_input(
    harness: HarnessRef, told: Iterable[Told], rows: list[LedgerRow], matters: Sequence[Matter] = ()
) -> LearnerInput:
    """Put together what a proposer may see of a minibatch; of the matters, the classes that no skill is for.

    Args:
        harness: The incumbent.
        told: Signals, each with the key of its matter, which is not told.
        rows: The ledger so far.
        matters: The matters of the step.
    """
    shown = in_order(told)
    signals, first = [one for _, one in shown], list(dict.fromkeys(key for key, _ in shown))
    skills = {}
    for skill_id in sorted({one.skill_id for one in signals}):
        path = harness.skills / "skills" / skill_id / "SKILL.md"
        if path.is_file():
            skills[skill_id] = path.read_text(encoding="utf-8")
    return LearnerInput(
        signals=tuple(signals),
        matters=tuple(first.index(key) + 1 for key, _ in shown),
        observed=ledger.observed(rows),
        sentences={r: r.sentence for r in Reason if any(r in one.reasons for one in signals)},
        skills=skills,
        history=ledger.history(rows),
        knowledge=editable.knowledge_of(harness),
        agents=editable.agents_of(harness),
        tools=editable.tools_of(harness),
        classes=editable.classes_of(harness, matters),
    )


def learn_step(
    harness: HarnessRef, minibatch: Sequence[Matter], step: int, arena: Arena, settings: LearnSettings
) -> tuple[HarnessRef, list[LedgerRow]]:
    """Take one step.

    Args:
        harness: The incumbent.
        minibatch: Matters to learn from.
        step: Number of the step, from 0.
        arena: Where matters are run and candidates compared.
        settings: Proposer, policy and folders.

    Returns:
        The harness to go on with (the incumbent where nothing helped), and the rows written to the ledger.
    """
    before = ledger.read(settings.ledger)
    compares_pairs = settings.policy.sampling.draws == "confirm"
    epochs = (1,) if compares_pairs else arena.epochs
    base = list(arena.evaluate(harness, minibatch, epochs))
    names = [name for matter in minibatch for name in settings.names.get(matter.matter_id, ())]
    told = (
        arena.signals(harness, minibatch, epochs)
        if arena.signals
        else [(one.matter_key, signal(one, names)) for one in base]
    )
    given = learner_input(harness, told, before, minibatch)
    shown = _shown(given, told, minibatch)
    settings.inputs.mkdir(parents=True, exist_ok=True)
    (settings.inputs / f"step-{step:04d}.json").write_text(given.model_dump_json(indent=1), encoding="utf-8")
    rows: list[LedgerRow] = []
    current, current_seen = harness, base
    try:
        edits = settings.proposer.propose(given, settings.max_edits)
    except SolonError as error:
        if error.failure.cause is FailureCause.INPUT:  # what it was made with: no later step would go better
            raise
        edits = []
        rows.append(nothing_row(step, len(minibatch), harness, settings, failure=error.failure))
    if settings.together and compares_pairs:
        current, compared_as_one = _as_one(harness, edits, step, minibatch, shown, names, before, arena, settings)
        rows += compared_as_one
        edits = []
    waiting = deque(edits)
    rewritten = False
    while waiting:
        edit = waiting.popleft()
        trial = Trial(step, len(minibatch), current, edit, settings, names)
        tools = any(row.surface == "tools" for row in rows)
        verdicts = gate_verdicts(edit, names, current, harness, settings.vocabulary, tools)
        if not verdicts[-1].passed:
            rows.append(trial.row(current.version, verdicts, None))
            if not rewritten and (other := rewritten_edit(settings.proposer, edit, verdicts[-1])):
                waiting.appendleft(other)
                rewritten = True  # once a step: each further question would tell it more of the answer
            continue
        challenger = candidate(current, edit, settings.store)
        compared = [row.decision for row in (*before, *rows) if row.decision]
        slices = tried(edit, current, challenger, shown, arena, len(compared))
        if edit.claim and slices:
            verdicts.append(said := slices_gate(edit.claim, slices))
            if not said.passed:
                rows.append(trial.row(challenger.version, verdicts, None, slices))
                continue
        if compares_pairs:
            decision = confirmed(settings.policy, current, challenger, arena, len(compared), _spent((*before, *rows)))
            seen = []
        else:
            seen = list(arena.evaluate(challenger, minibatch, arena.epochs))
            decision = settings.policy.decide(evaluation(current, current_seen), evaluation(challenger, seen))
        verdicts.append(GateVerdict(gate="evaluation", passed=decision.accepted, reason=decision.reason))
        if decision.accepted:
            problem = attributed(edit, current, challenger, seen, minibatch, arena, len(compared), settings.store)
            rests = f"{IN_PAIRS}: {decision.pairs}" if compares_pairs else ""
            verdicts.append(GateVerdict(gate="attribution", passed=not problem, reason=problem or rests))
        rows.append(trial.row(challenger.version, verdicts, decision, slices))
        if verdicts[-1].passed:
            current, current_seen = challenger, seen
    if not rows:
        why = why_nothing(given, settings.proposer.name)
        rows.append(nothing_row(step, len(minibatch), harness, settings, why=why))
    for row in rows:
        ledger.append(settings.ledger, row)
    return current, rows


def _shown(given: LearnerInput, told: Iterable[Told], minibatch: Sequence[Matter]) -> dict[str, Matter]:
    """Return the matters of the step by the keys under which a proposer is told of them."""
    by_key = {matter.key: matter for matter in minibatch}
    first = dict.fromkeys(key for key, _ in in_order(told))
    return {shown: by_key[key] for shown, key in zip(given.keys, first, strict=True) if key in by_key}


def _spent(rows: Sequence[LedgerRow]) -> int:
    """Return how many comparisons of the run came to the test."""
    return len({row.comparison for row in rows} - {""})


def _as_one(
    harness: HarnessRef,
    edits: Sequence[Edit],
    step: int,
    minibatch: Sequence[Matter],
    shown: Mapping[str, Matter],
    names: Sequence[str],
    before: Sequence[LedgerRow],
    arena: Arena,
    settings: LearnSettings,
) -> tuple[HarnessRef, list[LedgerRow]]:
    """Gate the edits of a step one by one, and compare as one those that passed and lead; others are not drawn."""
    gated: dict[str, tuple[Edit, list[GateVerdict]]] = {}
    sliced: dict[str, Slices | None] = {}
    number, spent = sum(row.decision is not None for row in before), _spent(before)

    def passing() -> Iterator[Edit]:
        for edit in edits:
            tools = any(one.surface == "tools" for one, _ in gated.values())
            verdicts = gate_verdicts(edit, names, harness, harness, settings.vocabulary, tools)
            gated[edit.digest] = edit, verdicts
            if verdicts[-1].passed and edit.claim:
                challenger = candidate(harness, edit, settings.store)
                if seen := tried(edit, harness, challenger, shown, arena, number):
                    sliced[edit.digest] = seen
                    verdicts.append(slices_gate(edit.claim, seen))
            if verdicts[-1].passed:
                yield edit

    last, found = weighed(harness, passing(), settings.policy, arena, number, spent, settings.together, settings.store)
    rows = []
    for digest, (edit, verdicts) in gated.items():
        trial, one = Trial(step, len(minibatch), harness, edit, settings, names), found.get(digest)
        if one is None:
            rows.append(trial.row(harness.version, verdicts, None, sliced.get(digest)))
            continue
        verdicts.append(GateVerdict(gate="evaluation", passed=one.decision.accepted, reason=one.decision.reason))
        if one.decision.accepted:
            verdicts.append(GateVerdict(gate="attribution", passed=not one.problem, reason=one.problem or one.credit))
        row = trial.row(one.version, verdicts, one.decision, sliced.get(digest))
        rows.append(row.model_copy(update={"together": one.together}))
    return last, rows
