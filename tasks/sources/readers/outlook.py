"""Outlook messages (.msg), written exactly as other mail; attached messages are read in place."""

from __future__ import annotations

import email.parser
import io
import struct
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder, problem
from tasks.sources.limits import UnreadableError
from tasks.sources.readers import Source
from tasks.sources.readers.mail import Attachment, write_attachments, write_body, write_headers

# Properties by their numbers in the format's documentation (MS-OXPROPS).
_SUBJECT, _HEADERS, _SENT, _DELIVERED = 0x0037, 0x007D, 0x0039, 0x0E06
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP, _FOR = 0x0C1A, 0x0C1F, 0x5D01, 0x0042
_BODY, _HTML = 0x1000, 0x1013
_NAME, _ADDRESS, _SMTP, _KIND = 0x3001, 0x3003, 0x39FE, 0x0C15
_LONG_NAME, _SHORT_NAME, _DATA = 0x3707, 0x3704, 0x3701
_DISPLAYED = {"To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02}
_KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
_INNER = "__substg1.0_3701000D"  # where an attachment keeps a message instead of bytes
_OUTER_HEADER, _INNER_HEADER, _ITEM_HEADER = 32, 24, 8  # bytes before the first property


def read(source: Source) -> Reading:
    """Read a message saved by Outlook."""
    import olefile  # type: ignore[import-untyped]
    from oxmsg.storage import Storage

    try:
        with olefile.OleFileIO(io.BytesIO(source.data)) as file:
            storage = Storage.from_ole(file)
        return _message(storage, _OUTER_HEADER, source, source.depth)
    except (LookupError, ValueError, OSError, AttributeError, TypeError, struct.error, OverflowError) as error:
        raise UnreadableError(f"The Outlook message is damaged ({error}).", "Save it as .eml.") from error


def _message(storage: Any, header: int, source: Source, depth: int) -> Reading:
    """Return the reading of a message: the file's own, or one that is attached to another."""
    if depth > source.limits.depth:
        note = problem(FailureCause.CAPACITY, "Attachments are nested too deeply.", "Unpack them by hand.")
        return Reading("", (), (note,))
    from oxmsg.properties import Properties

    fields = Properties(storage, properties_header_offset=header)
    out = TextBuilder()
    write_headers(out, _headers(fields, storage))
    write_body(out, fields.str_prop_value(_BODY) or "", _html(fields))
    found = [_attachment(item, source, depth) for item in storage.iter_attachment_storages()]
    write_attachments(out, found, source)
    return out.build()


def _headers(fields: Any, storage: Any) -> list[tuple[str, str]]:
    """Return the headers that a lawyer cites; those sent with the message count before those Outlook keeps."""
    sent = email.parser.HeaderParser().parsestr(fields.str_prop_value(_HEADERS) or "")
    date = fields.date_prop_value(_SENT) or fields.date_prop_value(_DELIVERED)
    return [
        ("From", str(sent["from"] or "") or _sender(fields)),
        *((kind, people) for kind, people in _recipients(fields, storage).items()),
        ("Date", date.isoformat(sep=" ") if date else str(sent["date"] or "")),
        ("Subject", fields.str_prop_value(_SUBJECT) or ""),
    ]


def _sender(fields: Any) -> str:
    name = (fields.str_prop_value(_SENDER) or "").strip()
    address = fields.str_prop_value(_SENDER_SMTP) or fields.str_prop_value(_SENDER_ADDRESS)
    if not address:
        return name or str(fields.str_prop_value(_FOR) or "")
    return f'"{name}" <{address}>' if name else f"<{address}>"


def _recipients(fields: Any, storage: Any) -> dict[str, str]:
    """Return who the message went to, by To, Cc and Bcc."""
    from oxmsg.properties import Properties

    people: dict[str, list[str]] = {kind: [] for kind in _KINDS.values()}
    for item in storage.iter_recipient_storages():
        one = Properties(item, properties_header_offset=_ITEM_HEADER)
        name, address = one.str_prop_value(_NAME), one.str_prop_value(_SMTP) or one.str_prop_value(_ADDRESS)
        kind = _KINDS.get(one.int_prop_value(_KIND) or 1, "To")
        people[kind].append(f"{name or ''} <{address}>".strip() if address else name or "")
    return {
        kind: ", ".join(filter(None, named)) or str(fields.str_prop_value(_DISPLAYED[kind]) or "")
        for kind, named in people.items()
    }


def _html(fields: Any) -> str:
    data = fields.binary_prop_value(_HTML)
    if data:
        return str(data.decode(fields.body_encoding, "replace"))
    return str(fields.str_prop_value(_HTML) or "")


def _attachment(storage: Any, source: Source, depth: int) -> Attachment:
    """Return an attached file, or the reading of an attached message."""
    from oxmsg.properties import Properties

    fields = Properties(storage, properties_header_offset=_ITEM_HEADER)
    names = (fields.str_prop_value(pid) for pid in (_LONG_NAME, _SHORT_NAME, _NAME))
    name = next(filter(None, names), "attachment")
    inner = next((s for s in storage.storages if s.name == _INNER), None)
    if inner is not None:
        return Attachment(name, b"", _message(inner, _INNER_HEADER, source, depth + 1))
    return Attachment(name, fields.binary_prop_value(_DATA) or b"")
