"""The slices of a claim: what a proposer says that its edit mends and does not harm is run before it is compared.

Matters of the step alone are run, which are training matters; incumbent and candidate fresh, in epochs that no other
comparison uses: the attempts that the proposer saw were chosen by it, so that to compare with them would find a gain
in whatever it named. The edit must raise its fix slice, and may not lower its regression slice by the least gain that
counts (``SequentialRule.least_gain``; a slice that moves less is flat). Both are rates of whole slices: a matter that
swings alone says nothing. This promotes nothing; whoever passes is compared like any other.

Source: the evolved harness on LAB (a fix slice and a regression slice of five matters each, pooled).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from tasks.harness import HarnessRef
from tasks.learning.acceptance import ROUNDING
from tasks.learning.comparison import Arena, evaluations
from tasks.learning.records import Claim, Edit, GateVerdict, Slice, Slices
from tasks.learning.scores import rates
from tasks.learning.sequential import RULE
from tasks.matter.records import Matter

LEAST: Final = 5  # matters of a slice: fewer are a change for one matter


def tried(
    edit: Edit, incumbent: HarnessRef, candidate: HarnessRef, shown: Mapping[str, Matter], arena: Arena, number: int
) -> Slices | None:
    """Run the slices that an edit's proposer named; None where it named none.

    Args:
        edit: The edit, with its claim.
        incumbent: The harness without it.
        candidate: The harness with it.
        shown: The matters of the step by the keys under which the proposer saw them.
        arena: Where matters are run.
        number: Which comparison of the learning run comes next: the epochs are its own.
    """
    if edit.claim is None:
        return None
    return Slices(
        fix=_slice(incumbent, candidate, _matters(edit.claim.fix, shown), arena, number),
        regression=_slice(incumbent, candidate, _matters(edit.claim.regression, shown), arena, number),
    )


def slices_gate(claim: Claim, seen: Slices) -> GateVerdict:
    """Refuse an edit that does not do what its proposer says it does."""
    problem = ""
    if min(len(set(claim.fix)), len(set(claim.regression))) < LEAST:
        problem = f"a slice names fewer than {LEAST} matters"
    elif seen.fix.gain is None or seen.regression.gain is None:
        problem = "a slice cannot be compared"
    elif seen.fix.gain <= ROUNDING:
        problem = "its own fix slice does not rise"
    elif seen.regression.gain <= ROUNDING - RULE.least_gain:
        problem = "its own regression slice falls"
    return GateVerdict(gate="slices", passed=not problem, reason=f"{problem}: {seen.told}" if problem else seen.told)


def _matters(keys: Sequence[str], shown: Mapping[str, Matter]) -> list[Matter]:
    return [shown[key] for key in dict.fromkeys(keys) if key in shown]


def _slice(incumbent: HarnessRef, candidate: HarnessRef, matters: Sequence[Matter], arena: Arena, number: int) -> Slice:
    """Run matters under both; what the candidate alone left unscored counts as failed."""
    drawn = [(matter, epoch) for epoch in arena.slice_epochs(number) for matter in matters]
    sides = evaluations(incumbent, candidate, arena.paired(incumbent, candidate, drawn))
    before, after = (side.counts for side in sides)
    judged = before.passed + before.failed
    same = (judged > 0) & (judged == after.passed + after.failed)
    if not same.any():
        return Slice(compared=0, before=None, after=None)
    lost = np.maximum(0.0, after.unscored - before.unscored)
    with_it = after.passed[same] / (judged + lost)[same]
    compared = {drawn[at][0].matter_id for at in np.flatnonzero(same)}
    return Slice(compared=len(compared), before=float(rates(before)[same].mean()), after=float(with_it.mean()))
