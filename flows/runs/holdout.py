"""The looks of a learning run at what no decision may depend on: the test side of its split, and the giant slice."""

from __future__ import annotations

from flows.runs.trials import Trials
from tasks.harness import HarnessRef
from tasks.learning.beside import beside, pairs_of
from tasks.learning.comparison import Arena
from tasks.learning.holdout import BEST, GAIN, HoldoutLog, Side
from tasks.learning.records import Beside, Observation
from tasks.learning.splits import Split
from tasks.matter.records import Corpus


def looked(
    runs: Trials,
    arena: Arena,
    first: HarnessRef,
    last: HarnessRef,
    parted: Split,
    loaded: Corpus,
    looks: HoldoutLog,
    step: int,
    best_of: int,
) -> list[Beside]:
    """Look at the holdout, once per start; each look is recorded before a matter of it is run."""
    tokens, evaluations = runs.spent({*parted.training, *parted.confirm})
    found = []
    sides: tuple[Side, ...] = ("test", "giant")
    for side in sides:
        matters = parted.of(side, loaded.matters)
        if not matters:
            continue
        attempts = 2 * len(matters) * arena.trials
        looks.look(side, GAIN, last.version, step=step, matters=len(matters), attempts=attempts)
        pairs = pairs_of(runs.pairs, first, last, matters, arena.epochs)
        epochs = range(1, (best_of if arena.samples else 1) + 1)
        looks.look(side, BEST, first.version, step=step, matters=len(matters), attempts=len(matters) * len(epochs))
        sampled: dict[str, list[Observation]] = {}
        for seen in runs.evaluate(first, matters, epochs):  # epoch by epoch
            sampled.setdefault(seen.matter_key, []).append(seen)
        found.append(
            beside(
                side,
                pairs,
                list(sampled.values()),
                first,
                tokens=tokens,
                evaluations=evaluations,
                samples=arena.samples,
            )
        )
    return found
