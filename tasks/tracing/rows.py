"""A trajectory as rows of the warehouse."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tasks.drafting.mechanisms.records import Firing
from tasks.models.flow import FlowEntry
from tasks.models.ledger import LedgerEntry
from tasks.tracing.flow import FlowCheck, messages_sent
from tasks.tracing.records import Trajectory
from warehouse.records import ActionRow
from warehouse.row import Row
from warehouse.trace_records import (
    CallRow,
    DefectRow,
    FiringRow,
    FlowCheckRow,
    MandatoryToolRow,
    MeasureRow,
    MessageRow,
    RescoringRow,
    ServedRow,
)


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


def measure_rows(attempt_id: str, trajectory: Trajectory) -> list[Row]:
    """Return what the trajectory was like, what it was shown of each document, and its defects.

    A trajectory that was not measured (an earlier version traced it) gives none.
    """
    measures, shown = trajectory.measures, trajectory.served
    if measures is None:
        return []
    of_fields = measures.model_dump(exclude={"mandatory"})
    row = MeasureRow(
        attempt_id=attempt_id,
        trace_format=trajectory.trace_format,
        actions=len(trajectory.actions),
        documents=len(shown),
        documents_opened=sum(one.served > 0 for one in shown),
        characters=sum(one.characters for one in shown),
        served=sum(one.served for one in shown),
        **of_fields,
    )
    return [
        row,
        *(ServedRow(attempt_id=attempt_id, **one.model_dump()) for one in shown),
        *(MandatoryToolRow(attempt_id=attempt_id, tool=t, calls=n) for t, n in measures.mandatory.items()),
        *(DefectRow(attempt_id=attempt_id, **one.model_dump()) for one in trajectory.defects),
    ]


def firing_rows(attempt_id: str, firings: Sequence[Firing]) -> list[FiringRow]:
    """Return one row for each time that a mechanism acted, in order."""
    return [
        FiringRow(
            attempt_id=attempt_id,
            position=position,
            mechanism=firing.mechanism,
            moment=firing.moment.value,
            turn=max(0, firing.turn),
            note=firing.note,
            n_files=len(firing.files),
            files=", ".join(firing.files),
        )
        for position, firing in enumerate(firings)
    ]


def call_rows(attempt_id: str, account: Sequence[LedgerEntry]) -> list[CallRow]:
    """Return one row for each reply that an attempt was charged with, in order."""
    return [
        CallRow(
            attempt_id=attempt_id,
            position=position,
            sha256=entry.key,
            **entry.model_dump(exclude={"usage", "key", "charged_utc"}),
            **entry.usage.model_dump(),
        )
        for position, entry in enumerate(account)
    ]


def rescoring_rows(attempt_id: str, profile: str, judged: datetime, log: Sequence[FlowEntry]) -> list[RescoringRow]:
    """Return what each role was sent while an ended attempt was judged again, by hash and size."""
    of = {"attempt_id": attempt_id, "judge_profile": profile, "judged_utc": judged}
    return [RescoringRow.model_validate(of | sent.model_dump()) for sent in messages_sent(log)]


def flow_rows(attempt_id: str, log: Sequence[FlowEntry], check: FlowCheck) -> list[Row]:
    """Return what each role was sent, by hash and size, and whether it is sound."""
    return [
        *(MessageRow(attempt_id=attempt_id, **sent.model_dump()) for sent in messages_sent(log)),
        FlowCheckRow(
            attempt_id=attempt_id,
            status="violated" if check.problems else "sound",
            problems="; ".join(check.problems),
            **check.model_dump(exclude={"problems"}),
        ),
    ]
