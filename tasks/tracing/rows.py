"""A trajectory as rows of the warehouse."""

from __future__ import annotations

from tasks.tracing.records import Trajectory
from warehouse.records import ActionRow


def action_rows(attempt_id: str, trajectory: Trajectory) -> list[ActionRow]:
    """Return one row per action, in order."""
    return [
        ActionRow(
            attempt_id=attempt_id,
            position=position,
            turn=max(0, action.turn),
            tool=action.tool,
            bucket=action.bucket,
            failed=action.failed,
            arguments=action.arguments,
            result_preview=action.result_preview,
        )
        for position, action in enumerate(trajectory.actions)
    ]
