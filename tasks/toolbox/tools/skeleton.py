"""The required form of a deliverable."""

from __future__ import annotations

from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def skeleton(desk: Desk, deliverable: str, *, about: str = "") -> dict[str, Any]:
    """Return the sections that a kind of deliverable needs, with the headings by which each is recognised.

    Args:
        desk: What the caller may look at.
        deliverable: File name or kind, e.g. "issues-memo.docx" or "research memorandum".
        about: What it is about, in words; the brief of the matter at hand when empty.
    """
    if desk.pack and deliverable in desk.pack.skeletons:
        return {"deliverable": deliverable, **desk.pack.skeletons[deliverable].model_dump(mode="json")}
    title, brief = (desk.matter.title, desk.matter.instructions) if desk.matter else ("", "")
    return {"deliverable": deliverable, **desk.knows.knowledge.skeleton(deliverable, title, about or brief)}


TOOL = Tool(skeleton, stage="drafting", example='"issues-memo.docx"')
