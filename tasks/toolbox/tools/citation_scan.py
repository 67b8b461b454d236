"""Scan the legal citations of a document."""

from __future__ import annotations

from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def citation_scan(desk: Desk, path: str) -> dict[str, Any]:
    """Find every citation of a document: cases, statutes, regulations, rules, neutral citations, Id. and supra.

    ``kind`` is case, neutral, statute, regulation, rule, administrative, restatement, id or supra. A range gives its
    two ends and a list each of its sections; ``canonical`` of an Id. or a supra is what it refers to, empty where
    nothing before it answers (a contract's own sections are no law).

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
    """
    from tasks.legaltext.citations.scan import scan_citations

    text = desk.text(path)
    return {"document": text.document, "items": [c.model_dump(mode="json") for c in scan_citations(text.text)]}


TOOL = Tool(citation_scan, stage="reconcile", example="brief.docx --json")
