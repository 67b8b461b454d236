"""Finds a rubric that lies among the documents of its own matter.

Works on bytes, before any reader, and by content as the readers do, never by suffix: whatever is no archive is
searched as text (UTF-8, UTF-16, JSON escapes, base64 and quoted-printable parts of mails), archives by their members.
Bounded in size; scanned pages and compressed PDF streams are not searched.
"""

from __future__ import annotations

import base64
import binascii
import html
import io
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

_BUDGET = 20 * 1024 * 1024
_STEP = 64 * 1024
_MIN_NEEDLE = 40
_KEY = re.compile(r'["\']?match_criteria["\']?\s*[:=]')
_TAGS = re.compile(r"<[^>]{0,2000}>")
_NON_WORD = re.compile(r"[^0-9a-z]+")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{40,}={0,2}\r?\n?)+(?:[A-Za-z0-9+/]+={0,2})?")
_DEPTH = 3  # archives and attachments within one another


def fold(text: str) -> str:
    """Fold to lower-case letters and digits, so that layout cannot hide a match."""
    return _NON_WORD.sub("", text.lower())


class RubricScan:
    """Looks for the match criteria of one rubric in documents."""

    def __init__(self, match_criteria: Iterable[str]) -> None:
        folded = (fold(text) for text in match_criteria)
        self._needles = [needle for needle in folded if len(needle) >= _MIN_NEEDLE]

    def leaks(self, path: Path) -> bool:
        """Tell whether the document holds a rubric: the field itself, or a criterion verbatim."""
        return any(self._hit(text) for text in _texts(path))

    def _hit(self, text: str) -> bool:
        if _KEY.search(text):
            return True
        folded = fold(text)
        return any(needle in folded for needle in self._needles)


def _texts(path: Path) -> Iterator[str]:
    with path.open("rb") as stream:
        head = stream.read(4)
        if head.startswith(b"PK"):
            yield from _members(path, _Budget())
        elif head != b"%PDF":
            yield from _decoded(head + stream.read(_BUDGET), _Budget(), 0)


class _Budget:
    """Bytes that may still be unpacked for one document."""

    left = _BUDGET


def _decoded(data: bytes, budget: _Budget, depth: int) -> Iterator[str]:
    """Yield what the bytes say in the encodings a reader would try, and what is packed inside them."""
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    yield text
    if "<" in text or "&" in text:
        yield html.unescape(_TAGS.sub("", text))
    if "\\u" in text:
        yield _ESCAPE.sub(lambda hit: chr(int(hit[1], 16)), text)
    if b"\x00" in data[:64]:
        yield data.decode("utf-16-le", "replace")
        yield data.decode("utf-16-be", "replace")
    if b"=\n" in data or b"=\r\n" in data:
        yield quopri.decodestring(data).decode("utf-8", "replace")
    if depth >= _DEPTH:
        return
    for run in _BASE64.finditer(data):
        packed = re.sub(rb"\s", b"", run[0])
        try:
            inner = base64.b64decode(packed[: len(packed) // 4 * 4])
        except binascii.Error:
            continue
        budget.left -= len(inner)
        if budget.left <= 0:
            return
        yield from (_members if inner[:2] == b"PK" else _decoded)(inner, budget, depth + 1)


def _members(source: Path | bytes, budget: _Budget, depth: int = 0) -> Iterator[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
            for member in archive.infolist():
                if budget.left <= 0:
                    return
                with archive.open(member) as stream:
                    data = bytearray()
                    # read in steps: a declared size proves nothing
                    while budget.left > 0 and (step := stream.read(min(_STEP, budget.left))):
                        data += step
                        budget.left -= len(step)
                if data[:2] == b"PK" and depth < _DEPTH:
                    yield from _members(bytes(data), budget, depth + 1)
                else:
                    yield html.unescape(_TAGS.sub("", data.decode("utf-8", "replace")))
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, RuntimeError, EOFError, ValueError):
        return  # a damaged archive is reported by the reader, with its remedy
