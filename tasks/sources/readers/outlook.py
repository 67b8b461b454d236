"""Outlook messages (.msg), written exactly as other mail."""

from __future__ import annotations

import io

from tasks.sources.builder import Reading, TextBuilder
from tasks.sources.limits import UnreadableError
from tasks.sources.readers import Source
from tasks.sources.readers.mail import Attachment, write_attachments, write_body, write_headers


def read(source: Source) -> Reading:
    """Read a message saved by Outlook."""
    from oxmsg import Message

    out = TextBuilder()
    try:
        message = Message.load(io.BytesIO(source.data))
        recipients = ", ".join(f"{r.name} <{r.email_address}>" for r in message.recipients)
        sent = message.sent_date.isoformat(sep=" ") if message.sent_date else ""
        headers = [
            ("From", message.sender or ""),
            ("To", recipients),
            ("Date", sent),
            ("Subject", message.subject or ""),
        ]
        plain, html = message.body or "", message.html_body or ""
        attachments = [Attachment(a.file_name or "attachment", a.file_bytes or b"") for a in message.attachments]
    except (KeyError, ValueError, OSError, AttributeError, TypeError, IndexError) as error:
        raise UnreadableError(f"The Outlook message is damaged ({error}).", "Save it as .eml.") from error
    write_headers(out, headers)
    write_body(out, plain, html)
    write_attachments(out, attachments, source)
    return out.build()
