"""Inspect an e-mail."""

from __future__ import annotations

from typing import Any

from tasks.sources.records import SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool
from tasks.toolbox.views import head, opened, rows

_BODY = 20_000


def eml_inspect(desk: Desk, path: str) -> dict[str, Any]:
    """Show an e-mail: headers, body, quoted replies, attachments and forwarded messages, each with its place.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
    """
    text = opened(desk, path, "eml", "msg")
    return {
        **head(text),
        "headers": rows(text, SegmentKind.MAIL_HEADER, preview=2_000),
        "bodies": rows(text, SegmentKind.BODY, preview=_BODY),
        "quoted": rows(text, SegmentKind.QUOTED, preview=_BODY),
        "attachments": rows(text, SegmentKind.ATTACHMENT),
    }


TOOL = Tool(eml_inspect, stage="intake")
