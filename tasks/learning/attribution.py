"""The last gate: with the edit taken back, the gain must go.

Taken back, the candidate must be the incumbent to the byte: then nothing but the edit parts the two. Where the policy
compared attempts that had been made before, the incumbent is run once more beside it: a gain that is there without the
edit as well (a better hour of the provider, a lucky or an unlucky first attempt) was not the edit's.

Where the policy draws pairs (``paired_sequential``), nothing is run again: each pair was the harness with the edit and
the one with it taken back, run fresh and in turns on matters that no proposer saw. A second round of pairs would ask
the same question of the same matters; the gate checks that what was compared is the edit alone, and says on how many
pairs the gain rests. Edits that were compared as one are taken back one by one (``credit.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tasks.harness import HarnessRef
from tasks.learning.acceptance import ROUNDING, told
from tasks.learning.comparison import Arena, evaluation
from tasks.learning.harnesses import candidate
from tasks.learning.records import Edit, Observation
from tasks.matter.failures import SolonError
from tasks.matter.records import Matter

IN_PAIRS: Final = "each pair was the harness with the edit and the one with it taken back; pairs"


def attributed(
    edit: Edit,
    incumbent: HarnessRef,
    challenger: HarnessRef,
    seen: Sequence[Observation],
    minibatch: Sequence[Matter],
    arena: Arena,
    number: int,
    store: Path,
) -> str:
    """Say why a gain is not the edit's; empty where it is.

    Args:
        edit: The edit.
        incumbent: The harness without it.
        challenger: The harness with it.
        seen: What was observed of the challenger on the minibatch; empty where the policy compared fresh pairs, whose
            incumbent is the harness with the edit taken back.
        minibatch: The matters of the step.
        arena: Where matters are run.
        number: Which comparison of the learning run it is.
        store: Folder of harness versions.
    """
    back = edit.model_copy(update={"before": edit.after, "after": edit.before})
    try:
        reverted = candidate(challenger, back, store)
    except SolonError as error:
        return f"the edit cannot be taken back: {error.failure.message}"
    if reverted.version != incumbent.version:
        return "without the edit the candidate is not the incumbent: something else was changed with it"
    if not seen:
        return ""
    epochs = [arena.fresh(number, at) for at in range(arena.trials)]
    without = evaluation(reverted, arena.evaluate(reverted, minibatch, epochs)).per_task
    gained = evaluation(challenger, seen).per_task
    if gained is not None and without is not None and gained - without > ROUNDING:
        return ""
    return f"with the edit taken back and run again the gain stays: {told(without)} without, {told(gained)} with it"
