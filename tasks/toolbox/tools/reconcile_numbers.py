"""Reconcile the figures of a draft with the sources."""

from __future__ import annotations

from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.findings import as_json, check_draft
from tasks.toolbox.folder import open_room
from tasks.toolbox.registry import Tool


def reconcile_numbers(desk: Desk, *, draft: str, sources: str | None = None) -> dict[str, Any]:
    """Match every figure of a draft against the sources: grounded with its span, or flagged with the nearest one.

    Args:
        desk: What the caller may look at.
        draft: File of the draft.
        sources: Folder of the source documents; the data room of the matter, or the folders served, when absent.
    """
    return as_json(check_draft(desk, open_room(desk, sources, (draft,)), draft, "number")[0])


TOOL = Tool(reconcile_numbers, stage="reconcile", seconds=600.0, example="--draft memo.docx --sources documents --json")
