"""The rows of a judgement by a reference checklist."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from tasks.judging.records import JudgeReport
from warehouse.checklist_records import ChecklistItemRow, ChecklistScoreRow
from warehouse.row import Row


def checklist_rows(attempt_id: str, report: JudgeReport, judged: datetime) -> Iterator[Row]:
    """Yield the scores, and a row for each applicable item; nothing for a judgement by criteria."""
    found = report.checklist
    if found is None:
        return
    owner = {"attempt_id": attempt_id, "judge_profile": report.profile, "judged_utc": judged}
    residual = found.residual
    yield ChecklistScoreRow.model_validate(
        {
            **owner,
            "checklist": found.checklist,
            "checklist_version": found.version,
            "alpha": found.alpha,
            "applicable": len(found.items),
            "unscored": sum(item.score is None for item in found.items),
            "s_checklist": found.s_checklist,
            "s_residual": found.s_residual,
            "s_style": found.s_style,
            "s_gavel": found.s_gavel,
            "residual_ratio": residual.ratio if residual else None,
            "dropped_values": found.dropped_values,
            "dropped_evidence": found.dropped_evidence,
        }
    )
    status = {f"checklist:{item.item}": item for item in found.items}
    for position, verdict in enumerate(v for v in report.verdicts if v.criterion_id in status):
        item = status[verdict.criterion_id]
        yield ChecklistItemRow.model_validate(
            {
                **owner,
                "position": position,
                "item_id": item.item,
                "item_group": item.group,
                "manner": item.manner,
                "status": verdict.status,
                "relation": item.relation,
                "reference_values": item.reference,
                "candidate_values": item.candidate,
                "matched": item.matched,
                "score": item.score,
            }
        )
