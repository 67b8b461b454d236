"""The earlier messages that a mail quotes, from its own words: who wrote when, to whom, and how deep."""

from __future__ import annotations

import re
from typing import Any

from tasks.sources.records import CanonicalText, SegmentKind

_MARKS = r"(?P<marks>[ \t>]*)"
_WROTE = re.compile(rf"^{_MARKS}On (?P<said>[^\n]{{5,200}}?(?:\n[^\n]{{0,100}}?)??)\swrote:[ \t]*$", re.MULTILINE)
_WHEN = re.compile(r"(?P<date>.*\d(?:\s*[ap]\.?m\.?)?),?\s+(?P<from>\S.*)", re.IGNORECASE | re.DOTALL)
_HEADER = re.compile(
    rf"^{_MARKS}\*?(?P<name>From|Sent|Date|To|Cc|Subject):\*?[ \t]*(?P<value>[^\n]+)", re.MULTILINE | re.IGNORECASE
)
_FORWARD = re.compile(r"(?:forwarded (?:message|by)|begin forwarded message)", re.IGNORECASE)
_NEAR = 4  # lines that may stand between the headers of one message
_FORWARDED = 120  # characters before a header in which it is told that what follows was forwarded; chosen by eye
_FIELDS = 4  # of a message: kind, depth, start and sender; without one more header it is no message


def thread(text: CanonicalText) -> list[dict[str, Any]]:
    """Return the messages quoted in the bodies, in reading order.

    Each has ``from``, ``to``, ``cc``, ``date`` and ``subject`` as far as it says them, ``depth`` (how many ">" stand
    before it), ``kind`` (reply or forward) and its place; it ends where the next one begins.
    """
    quoted = [(s.start, s.end) for s in text.segments if s.kind is SegmentKind.QUOTED]
    found: list[dict[str, Any]] = []
    for start, end in quoted:
        found += [_reply(m) for m in _WROTE.finditer(text.text, start, end)]
        found += _blocks(text, start, end)
    found.sort(key=lambda f: f["start"])
    for number, message in enumerate(found):
        limit = next(e for s, e in quoted if s <= message["start"] < e)
        message["end"] = min([limit, *(f["start"] for f in found[number + 1 : number + 2])])
        message["line"] = text.line_of(message["start"])
    return found


def _reply(match: re.Match[str]) -> dict[str, Any]:
    said, bracket, address = _flat(match["said"]).partition(" <")
    parts = _WHEN.fullmatch(said)
    date, sender = (parts["date"], parts["from"]) if parts else ("", said)
    return {
        "kind": "reply",
        "from": sender + bracket + address,
        "date": date.rstrip(","),
        "depth": match["marks"].count(">"),
        "start": match.start(),
    }


def _blocks(text: CanonicalText, start: int, end: int) -> list[dict[str, Any]]:
    """Return the messages that begin with a block of headers, as Outlook and forwarded mail have them."""
    found: list[dict[str, Any]] = []
    last = -_NEAR - 1
    for header in _HEADER.finditer(text.text, start, end):
        name, line = header["name"].lower(), text.line_of(header.start())
        name = "date" if name == "sent" else name
        if not found or line - last > _NEAR or name in found[-1]:
            if name not in {"from", "date", "subject"}:
                continue
            forwarded = _FORWARD.search(text.text, max(start, header.start() - _FORWARDED), header.start())
            kind = "forward" if forwarded else "reply"
            found.append({"kind": kind, "depth": header["marks"].count(">"), "start": header.start()})
        found[-1][name] = _flat(header["value"])
        last = line
    return [message for message in found if "from" in message and len(message) > _FIELDS]


def _flat(value: str) -> str:
    return re.sub(r"[\s>*]+(?=\s)|\s*\n[> \t]*", " ", value).strip(" *")
