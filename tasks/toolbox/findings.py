"""How the reconciling tools report what a check found."""

from __future__ import annotations

from typing import Any

from tasks.reconcile.records import GateCheck
from tasks.toolbox.desk import Desk
from tasks.toolbox.folder import DataRoom


def check_draft(desk: Desk, room: DataRoom, draft: str, *gates: str) -> list[GateCheck]:
    """Run checks over one draft: those of the gates named, or all."""
    from tasks.asks.parse import parse_asks
    from tasks.reconcile.check import CheckJob
    from tasks.reconcile.registry import CHECKS, run_check

    text = desk.text(draft)
    asks = parse_asks(room.matter, room.state, desk.knows)
    # Only denials are searched for: a check of figures alone must not index the folder.
    index = room.index if not gates or "citation" in gates else None
    drafts = {text.document: text}
    job = CheckJob(drafts, room.texts, room.matter, room.state, room.pack, desk.knows, asks, index=index)
    return [run_check(gate, job) for gate in gates or CHECKS]


def as_json(check: GateCheck) -> dict[str, Any]:
    """Return findings and grounded items of a check."""
    findings = [
        {**f.model_dump(mode="json"), "grounding": f.grounding.model_dump(mode="json") if f.grounding else None}
        for f in check.findings
    ]
    grounded = [g.model_dump(mode="json") for g in check.grounded]
    return {"gate": check.gate, "checked": check.checked, "findings": findings, "grounded": grounded}
