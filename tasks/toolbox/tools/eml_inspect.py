"""Inspect an e-mail."""

from __future__ import annotations

from typing import Any

from tasks.sources.records import CanonicalText, Segment, SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.mail_thread import thread
from tasks.toolbox.registry import Tool
from tasks.toolbox.views import head, opened, row, rows

_BODY = 20_000  # characters of a message that are shown: some 5,000 tokens


def eml_inspect(desk: Desk, path: str) -> dict[str, Any]:
    """Show an e-mail: headers, body, quoted replies, attachments and forwarded messages, each with its place.

    ``thread`` holds the earlier messages that the body quotes, with who wrote them and when.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
    """
    text = opened(desk, path, "eml", "msg")
    messages = [s for s in text.segments if s.kind is SegmentKind.ATTACHMENT]
    nested = [s for s in text.segments if s.kind is SegmentKind.MAIL_HEADER and _holder(messages, s) is not None]
    return {
        **head(text),
        "message": _fields(text, [s for s in text.segments if s.kind is SegmentKind.MAIL_HEADER and s not in nested]),
        "forwarded": [
            {"attachment": m.label, "start": m.start, "end": m.end, **_fields(text, own)}
            for m in messages
            if (own := [s for s in nested if _holder(messages, s) is m])
        ],
        "headers": rows(text, SegmentKind.MAIL_HEADER, preview=2_000),
        "bodies": rows(text, SegmentKind.BODY, preview=_BODY),
        "quoted": rows(text, SegmentKind.QUOTED, preview=_BODY),
        "thread": thread(text),
        "attachments": [
            {**row(text, m), "characters": m.end - m.start, "problems": _problems(text, m)} for m in messages
        ],
    }


def _holder(messages: list[Segment], header: Segment) -> Segment | None:
    """Return the innermost attachment that a header stands in."""
    around = [m for m in messages if m.start <= header.start and header.end <= m.end]
    return min(around, key=lambda m: m.end - m.start, default=None)


def _problems(text: CanonicalText, attachment: Segment) -> list[str]:
    """Return what could not be read of an attachment."""
    return [p.line() for p in text.problems if attachment.label in p.subject.split(": ")]


def _fields(text: CanonicalText, headers: list[Segment]) -> dict[str, str]:
    """Return headers by name: from, to, cc, date, subject."""
    return {h.label.lower().replace("-", "_"): text.text[h.start : h.end].partition(":")[2].strip() for h in headers}


TOOL = Tool(eml_inspect, stage="intake", example="notice.eml")
