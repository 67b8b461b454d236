"""E-mail: headers, body, quoted replies, forwarded messages, and attachments read by their own readers."""

from __future__ import annotations

import collections
import email
import email.errors
import email.header
import email.policy
import itertools
import re
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.sources.builder import MAX_CHARACTERS, Reading, TextBuilder, clean
from tasks.sources.limits import UnreadableError
from tasks.sources.readers import Source
from tasks.sources.records import SegmentKind

_HEADERS = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject")
# From one of these on everything belongs to an earlier message.
_EARLIER = re.compile(
    r"^[ \t]*(?:-{2,}\s*(?:Original Message|Forwarded message|Forwarded by)\b.*|_{10,}\s*$|Begin forwarded message:"
    r"|\*?From:\*?\s.+\n(?:.*\n){0,2}?[ \t]*\*?(?:Sent|Date|To|Cc|Subject):)",
    re.IGNORECASE | re.MULTILINE,
)
_WROTE = re.compile(r"^[ \t]*On .{5,200}?(?:\n.{0,100})? wrote:[ \t]*$", re.MULTILINE)
_BLANK = re.compile(r"\s*")
_MAX_ATTACHMENTS = 200  # bounds the time that one message may take
_MAX_PARTS = 1000  # bounds the time that one message may take
_PARSED_HEADER = 30_000  # characters; some thousand recipients
_PART = re.compile(rb"^content-type:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Attachment:
    """A file inside a message; ``reading`` is set where the message's own reader has already read it."""

    name: str
    data: bytes
    reading: Reading | None = None


def read(source: Source) -> Reading:
    """Read a message."""
    out = TextBuilder()
    message = email.message_from_bytes(_bounded(source.data, out), policy=email.policy.default)
    if not message.keys():
        raise UnreadableError("The file has no mail headers.", "Export the message again.")
    write_headers(out, [(name, _header(message, name)) for name in _HEADERS])
    plain, html, attachments = _parts(message, out)
    write_body(out, plain, html)
    write_attachments(out, attachments, source)
    return out.build()


def _bounded(data: bytes, out: TextBuilder) -> bytes:
    """Return the parts of a message that are parsed: each part costs time, however small it is."""
    parts = _PART.finditer(data)
    beyond = next(itertools.islice(parts, _MAX_PARTS, None), None)
    if beyond is None:
        return data
    out.fail(FailureCause.CAPACITY, f"Only the first {_MAX_PARTS} parts of the message were read.", "Split it.")
    return data[: beyond.start()]


def _header(message: EmailMessage, name: str) -> str:
    raw = [str(v) for k, v in message.raw_items() if k.lower() == name.lower()]
    if sum(map(len, raw)) > _PARSED_HEADER:  # the parser of the standard library takes the square of the length
        return ", ".join(map(_decoded, raw))
    try:
        values = message.get_all(name) or []
        return ", ".join(str(v) for v in values)
    except (ValueError, TypeError, IndexError, AttributeError):  # stdlib fails on some malformed headers
        return raw[0] if raw else ""


def _decoded(value: str) -> str:
    """Return a header with its encoded words read."""
    try:
        return str(email.header.make_header(email.header.decode_header(value)))
    except (LookupError, ValueError, email.errors.HeaderParseError):
        return value


def _parts(message: EmailMessage, out: TextBuilder) -> tuple[str, str, list[Attachment]]:
    """Return the plain and HTML bodies and the attachments, without descending into attached messages."""
    plain: list[str] = []
    html: list[str] = []
    attachments: list[Attachment] = []
    queue: list[Any] = [message]
    while queue and len(attachments) <= _MAX_ATTACHMENTS:
        part = queue.pop(0)
        kind = part.get_content_type()
        name = part.get_filename() or ""
        if kind == "message/rfc822":
            inner = part.get_payload(0) if part.is_multipart() else None
            data = inner.as_bytes() if inner is not None else part.get_payload(decode=True) or b""
            attachments.append(Attachment(name or "forwarded message.eml", data))
        elif part.is_multipart():
            queue[:0] = list(part.iter_parts())
        elif kind in {"text/plain", "text/html"} and part.get_content_disposition() != "attachment" and not name:
            (plain if kind == "text/plain" else html).append(_text(part))
        else:
            data = part.get_payload(decode=True) or b""
            if data:
                attachments.append(Attachment(name or f"attachment {len(attachments) + 1}", data))
    for defect in message.defects[:3]:
        out.fail(FailureCause.POLICY, f"The message has a defect: {type(defect).__name__}.")
    return "\n".join(plain)[: 2 * MAX_CHARACTERS], "\n".join(html), attachments


def _text(part: Any) -> str:
    data = part.get_payload(decode=True) or b""
    charset = part.get_content_charset() or "utf-8"
    try:
        return str(data.decode(charset))
    except (LookupError, UnicodeDecodeError):
        return str(data.decode("utf-8", "replace") if b"\xc3" in data else data.decode("cp1252", "replace"))


def write_headers(out: TextBuilder, headers: list[tuple[str, str]]) -> None:
    """Write the headers that a lawyer cites, one per line."""
    for name, value in headers:
        flat = re.sub(r"\s+", " ", value).strip()
        if flat:
            out.block(f"{name}: {flat}", SegmentKind.MAIL_HEADER, name, gap=1)


def write_body(out: TextBuilder, plain: str, html: str) -> None:
    """Write the body: the plain part unless it is empty, else the HTML part."""
    out.gap()
    start = out.offset
    if plain.strip():
        write_text(out, clean(plain))
    elif html.strip():
        import bs4

        from tasks.sources.readers.web import bounded, write_html

        write_html(out, bs4.BeautifulSoup(bounded(out, html), "html.parser"))
    out.mark(SegmentKind.BODY, "body", start, out.offset)


def write_text(out: TextBuilder, text: str) -> None:
    """Write plain text in blocks; what is quoted of earlier messages is marked, also between the lines of a reply."""
    for piece, quoted in _stretches(text):
        out.gap()
        begin = out.offset
        for block in re.split(r"\n[ \t]*\n", piece):
            out.block(block.replace("\f", "\n"))
        if quoted:
            out.mark(SegmentKind.QUOTED, "quoted reply", begin, out.offset)


def _stretches(text: str) -> list[tuple[str, bool]]:
    """Split a body into what its author wrote and what is quoted: lines marked ">", or the rest of the message."""
    earlier = _EARLIER.search(text)
    end = earlier.start() if earlier else len(text)
    for wrote in _WROTE.finditer(text, 0, end):
        if not text.startswith(
            ">", _first_shown(text, wrote.end())
        ):  # an earlier message that is not marked line by line
            end = wrote.start()
            break
    introductions = collections.deque(m.span() for m in _WROTE.finditer(text, 0, end))
    lines: list[tuple[str, bool]] = []
    at = 0
    for line in text[:end].splitlines(keepends=True):
        while introductions and introductions[0][1] <= at:
            introductions.popleft()
        marked = line.lstrip().startswith(">") or (bool(introductions) and introductions[0][0] <= at)
        blank = not line.strip()
        lines.append((line, lines[-1][1] if blank and lines else marked))
        at += len(line)
    found = [("".join(piece), quoted) for quoted, piece in _runs(lines)]
    return [*found, (text[end:], True)] if text[end:].strip() else found


def _first_shown(text: str, at: int) -> int:
    """Return the position of the first character that is not white space."""
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _runs(lines: list[tuple[str, bool]]) -> list[tuple[bool, list[str]]]:
    runs: list[tuple[bool, list[str]]] = []
    for line, quoted in lines:
        if not runs or runs[-1][0] != quoted:
            runs.append((quoted, []))
        runs[-1][1].append(line)
    return runs


def write_attachments(out: TextBuilder, attachments: list[Attachment], source: Source) -> None:
    """Read attachments with their own readers, each as a segment of the message."""
    if len(attachments) > _MAX_ATTACHMENTS:
        message = f"Only the first {_MAX_ATTACHMENTS} attachments were read."
        out.fail(FailureCause.CAPACITY, message, "Save the others as separate files.")
    for item in attachments[:_MAX_ATTACHMENTS]:
        name = re.sub(r"\s+", " ", clean(item.name)).strip() or "attachment"
        out.gap()
        start = out.offset
        out.block(f"[Attachment: {name}]", SegmentKind.HEADING, name)
        out.gap()
        reading = item.reading
        if reading is None and source.nested is not None:
            reading = source.nested(item.data, name, source.depth + 1)
        if reading is not None:
            out.splice(reading, name)
        out.mark(SegmentKind.ATTACHMENT, name, start, out.offset)
