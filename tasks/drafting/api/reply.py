"""Extracts deliverables from a model's reply, even if it departs from the requested form."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from tasks.legaltext.fold import FoldedText, fold
from tasks.legaltext.sentences import sentences
from tasks.models.parsing import find_object

_OPEN = re.compile(
    r"^[ \t>*#`]*={2,}\s*(?:BEGIN\s+)?FILE\s*(?::|\s)\s*(?P<name>[^=\n]{1,200}?)\s*={2,}[ \t*`]*$",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSE = re.compile(r"^[ \t>*#`]*={2,}\s*END(?:\s+(?:OF\s+)?FILE)?\b[^\n]*$", re.IGNORECASE | re.MULTILINE)
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^```[a-z]*\s*\n(.*?)\n```\s*$", re.DOTALL | re.MULTILINE | re.IGNORECASE)
_DOCUMENT = re.compile(r"^(?:#{1,6}\s|\|.*\|)", re.MULTILINE)
_AFTER_ECHO = re.compile(r"\A[.!:\"”'’)*_>\]]*\s*")  # what closes the words of an echo
_PROSE = 80  # words from which text without a heading may be a document
_CHAT = re.compile(r"^(?:sure|certainly|of course|here (?:is|are)|below is)\b[^\n]*\n+", re.IGNORECASE)


def parse_deliverables(reply: str, wanted: Sequence[str]) -> dict[str, str]:
    """Return Markdown by file name; only names that are wanted, in their exact spelling.

    Tries the marker lines, then a JSON object of names and texts, then, where one file is wanted, a fenced
    block or the whole reply.
    """
    text = _THINKING.sub("", reply).strip()
    if not text:
        return {}
    found = _marked(text, wanted) or _json(text, wanted)
    if not found and len(wanted) == 1 and not _OPEN.search(text):
        body = _bare(text)
        # A refusal or a question back is no work product.
        found = {wanted[0]: body} if _DOCUMENT.search(body) or len(body.split()) >= _PROSE else {}
    return found


def parse_edits(body: str) -> list[dict[str, str]]:
    """Return the edits of a redline from a JSON list, whatever surrounds it; empty where there are none.

    An edit that the tool would refuse is left out: one without words to find, or without a change.
    """
    start, end = body.find("["), body.rfind("]")
    try:
        rows = json.loads(body[start : end + 1], strict=False) if 0 <= start < end else []
    except (ValueError, RecursionError):
        return []
    kept = []
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and isinstance(row.get("find"), str) and row["find"].strip():
            edit = {k: row[k] for k in ("find", "replace", "comment") if isinstance(row.get(k), str)}
            if edit["find"] != edit.get("replace"):
                kept.append(edit)
    return kept


def joined(text: str, more: str, request: str) -> str:
    """Join a reply that was cut off and its continuation, without the request for it, which some models repeat.

    Args:
        text: The reply so far.
        more: What came when the rest was asked for.
        request: The words that asked for it.
    """
    parts = [fold(request), *(fold(request[a:b]) for a, b in sentences(request))]
    rest = more
    while rest and (echo := next((p for p in parts if p and fold(rest).startswith(p)), "")):
        found = FoldedText("", rest).find(echo)
        rest = _AFTER_ECHO.sub("", rest[found[1] :]) if found else ""
    return text + rest


def without_fences(markdown: str, code: str) -> str:
    """Remove fence lines of the prompt that a model copied together with a document."""
    return "\n".join(line for line in markdown.split("\n") if code not in line).strip()


def _marked(text: str, wanted: Sequence[str]) -> dict[str, str]:
    opens = list(_OPEN.finditer(text))
    found: dict[str, str] = {}
    for i, hit in enumerate(opens):
        end = opens[i + 1].start() if i + 1 < len(opens) else len(text)
        close = _CLOSE.search(text, hit.end(), end)
        body = _unfenced(text[hit.end() : close.start() if close else end])
        name = match_name(hit.group("name"), wanted)
        if name is None and len(wanted) == len(opens) == 1 and _suffix(hit.group("name")) == _suffix(wanted[0]):
            name = wanted[0]  # the right file under a wrong name
        if name is not None and body:
            found[name] = body  # a file written twice: the later one is the author's last word
    return found


def _json(text: str, wanted: Sequence[str]) -> dict[str, str]:
    value = find_object(text)
    if value is None:
        return {}
    inner = value.get("deliverables", value.get("files", value))
    if isinstance(inner, list):
        pairs = [
            (str(i.get("name") or i.get("filename") or i.get("path") or ""), i.get("markdown") or i.get("content"))
            for i in inner
            if isinstance(i, dict)
        ]
    elif isinstance(inner, dict):
        pairs = [(str(k), v) for k, v in inner.items()]
    else:
        return {}
    named = ((match_name(name, wanted), body) for name, body in pairs)
    return {name: body.strip() for name, body in named if name and isinstance(body, str) and body.strip()}


def _suffix(name: str) -> str:
    return PurePosixPath(name.strip().strip("`'\"*<>[] ")).suffix.lower()


def match_name(name: str, wanted: Sequence[str]) -> str | None:
    """Return the wanted file that a name means, ignoring case, quotes, folders and a missing suffix."""
    bare = PurePosixPath(name.strip().strip("`'\"*<>[] ").replace("\\", "/")).name.lower()
    for file in wanted:
        if bare == file.lower() or bare == PurePosixPath(file).name.lower():
            return file
    stems = [file for file in wanted if PurePosixPath(file).stem.lower() == PurePosixPath(bare).stem]
    return stems[0] if len(stems) == 1 and bare else None


def _unfenced(body: str) -> str:
    """Remove one code fence around a whole body."""
    hit = _FENCE.fullmatch(body.strip())
    return (hit.group(1) if hit else body).strip()


def _bare(text: str) -> str:
    blocks = [b.strip() for b in _FENCE.findall(text)]
    longest = max(blocks, key=len, default="")
    if len(longest) > len(text) / 2:
        return longest
    return _CHAT.sub("", text).strip()
