"""What a start of a learning run gives of what is frozen at its first: see ``tasks/learning/terms.py``."""

from __future__ import annotations

from flows.runs.plan import judge_pin
from flows.settings import Settings
from tasks.drafting.records import Cell
from tasks.learning.acceptance import AcceptancePolicy
from tasks.learning.terms import Terms


def terms_of(
    cell: Cell, policy: AcceptancePolicy, settings: Settings, *, trials: int, minibatch: int, together: int
) -> Terms:
    """Return the terms of a start.

    Raises:
        SolonError: There is no such judge profile (``input``).
    """
    judge = judge_pin(settings, settings.judge)
    return Terms(
        cell=cell.name,
        cell_digest=cell.digest,
        judge=judge["judge_profile"],
        judge_version=judge["judge_version"],
        policy=policy.name,
        numbers=dict(policy.numbers),
        trials=trials,
        minibatch=minibatch,
        together=together,
    )
