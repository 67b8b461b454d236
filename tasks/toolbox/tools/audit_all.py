"""Run every check over a draft, as the release gates will."""

from __future__ import annotations

from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.findings import as_json, check_draft
from tasks.toolbox.folder import open_room
from tasks.toolbox.registry import Tool


def audit_all(desk: Desk, *, draft: str, sources: str | None = None) -> dict[str, Any]:
    """Run the checks of all release gates over a draft: {gates}.

    A duration that both the number and the date gate flag is one finding, of the date gate.

    Args:
        desk: What the caller may look at.
        draft: File of the draft.
        sources: Folder of the source documents; the data room of the matter, or the folders served, when absent.
    """
    from tasks.reconcile.duplicate_findings import without_duplicates

    checks = [as_json(c) for c in without_duplicates(check_draft(desk, open_room(desk, sources, (draft,)), draft))]
    findings = [{"gate": c["gate"], **f} for c in checks for f in c["findings"]]
    order = {"block": 0, "flag": 1, "note": 2}
    return {
        "draft": draft,
        "blocked": any(f["severity"] == "block" for f in findings),
        "findings": sorted(findings, key=lambda f: order[f["severity"]]),
        "checks": [{"gate": c["gate"], "checked": c["checked"], "grounded": len(c["grounded"])} for c in checks],
    }


def _gates() -> dict[str, str]:
    from tasks.reconcile.registry import GATES

    return {"gates": ", ".join(GATES)}


TOOL = Tool(
    audit_all,
    stage="release",
    seconds=900.0,
    example="--draft memo.docx --sources documents --json",
    slots=_gates,
)
