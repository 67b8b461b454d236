"""Takes back what was scored though it could not be told: no fault of ours is a failure of the work."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.judging.checklist import equations
from tasks.judging.checklist.records import ChecklistScore, ItemScore
from tasks.matter.failures import FailureCause

Cause = tuple[FailureCause, str]


def without(score: ChecklistScore, lost: Mapping[str, Cause]) -> ChecklistScore:
    """Return a score without some of its items: they are unscored, and what rests on them is reckoned anew.

    Args:
        score: The score.
        lost: Cause and message by the id of the item.
    """
    items = tuple(_lost(item, lost[item.item]) if item.item in lost else item for item in score.items)
    kept = equations.s_checklist([item.score for item in items if item.score is not None])
    whole = None
    if score.residual is not None:
        whole = equations.s_gavel(score.alpha, score.residual.ratio, kept, score.s_residual, score.s_style)
    return score.model_copy(update={"items": items, "s_checklist": kept, "s_gavel": whole})


def voided(score: ChecklistScore, cause: Cause) -> ChecklistScore:
    """Return the score of a work product that could not be judged at all."""
    none = dict.fromkeys(("s_checklist", "residual", "s_residual", "s_style", "s_gavel"))
    items = tuple(_lost(item, cause) for item in score.items)
    return score.model_copy(update={**none, "items": items, "style": {}, "problems": ()})


def _lost(item: ItemScore, cause: Cause) -> ItemScore:
    none = {"score": None, "relation": "", "matched": 0, "missed": (), "added": ()}
    return item.model_copy(update={**none, "cause": cause[0], "message": cause[1]})
