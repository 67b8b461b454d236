"""Whether a judge scored anything: if no criterion could be scored, there is no result."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.matter.failures import FailureCause

NOBODY_TO_ASK = FailureCause.POLICY  # no anchor, and no model is configured: as it was asked for


def nothing_scored(criteria: int, causes: Mapping[str, int]) -> str:
    """Say that no criterion was scored because infrastructure failed; empty if some were, or none could be.

    Args:
        criteria: Criteria that were judged.
        causes: How many of them are unscored, by cause.
    """
    if not criteria or sum(causes.values()) < criteria or set(causes) <= {NOBODY_TO_ASK}:
        return ""
    told = ", ".join(f"{n} {cause}" for cause, n in sorted(causes.items(), key=lambda item: (-item[1], item[0])))
    return (
        f"none of the {criteria} criteria could be scored ({told}), so there is no result; "
        "`solon sql which_criteria_are_unscored_and_why` says why"
    )
