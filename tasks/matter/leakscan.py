"""Finds a rubric among the documents of its own matter.

Works on bytes, before any reader, and by content as the readers do, never by suffix: whatever is no archive is
searched as text (UTF-8, UTF-16, JSON escapes, base64 and quoted-printable parts of mails), archives by their members.
Bytes show everything of plain text alone. In every other format words may be coded, struck out or broken up by what a
reader leaves out; so the sealer then searches the text that a solver would be given too. The bytes are searched all
the same, for what that text does not give: notes of the file, comments, parts that no reader opens.
"""

from __future__ import annotations

import base64
import binascii
import html
import io
import quopri
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tasks.matter.base import content_hash

_BUDGET = 20 * 1024 * 1024  # bytes of one document that are unpacked: a bomb must not hold a worker
_STEP = 64 * 1024  # bytes read at once
_MIN_NEEDLE = 40  # weight of a rubric's words that are looked for: shorter ones are in documents by chance
_KEY = re.compile(r'["\']?(?:match_criteria|reference_checklist)["\']?\s*[:=]')
_PLAIN = frozenset({".txt", ".text", ".log", ".md", ".markdown", ".csv", ".tsv", ".json", ".jsonl"})
_MARKED_UP = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<|[A-Za-z][\w-]*:)")  # how a page or a mail begins
_TAGS = re.compile(r"<[^>]{0,2000}>")
_NON_WORD = re.compile(r"[\W_]+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|[nrtbf/\"\\])")
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{40,}={0,2}\r?\n?)+(?:[A-Za-z0-9+/]+={0,2})?")
_DEPTH = 3  # archives and attachments within one another
_OLE, _RTF = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf"
_END = 20  # characters of a criterion that find it again where a page ends within it
_FURNITURE = 600  # folded characters that the foot of one page and the head of the next may put in between
_CHANCE = 12  # first characters of that furniture that may go on like the criterion by chance


def fold_letters(text: str) -> str:
    """Fold to lower-case letters and digits of any script: layout, ligatures and hyphens cannot hide a match."""
    plain = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return _NON_WORD.sub("", plain.casefold())


def _weight(needle: str) -> int:
    """Count letters; a Chinese or Japanese character counts as three."""
    return len(needle) + 2 * sum("\u3040" <= sign <= "\u9fff" for sign in needle)


@dataclass
class ScanResult:
    """The result of scanning the bytes of one document.

    Attributes:
        left: Bytes that may still be unpacked.
        unseen: Whether a reader may extract words that the bytes do not show.
    """

    left: int = _BUDGET
    unseen: bool = False


class RubricScan:
    """Looks for the sealed texts of one task in documents: its match criteria, and its reference work product whole.

    Values of a reference checklist are not looked for: what they say stands in the documents that it was drawn from.
    """

    def __init__(self, sealed_texts: Iterable[str]) -> None:
        folded = (fold_letters(text) for text in sealed_texts)
        self._needles = [needle for needle in folded if _weight(needle) >= _MIN_NEEDLE]

        self.digest = content_hash(self._needles)

    def leaks(self, path: Path, look: ScanResult | None = None) -> bool:
        """Tell whether the bytes of a document hold a rubric; ``look`` then says whether they showed everything."""
        return any(self.found_in(text) for text in _texts(path, look or ScanResult()))

    def found_in(self, text: str) -> bool:
        """Tell whether a text holds a rubric: the field itself, or a criterion verbatim."""
        if _KEY.search(text):
            return True
        folded = fold_letters(text)
        backward = folded[::-1]
        return any(n in folded or _broken(n, folded) or _broken(n[::-1], backward) for n in self._needles)


def _broken(needle: str, text: str) -> bool:
    """Tell whether a text holds a criterion that a page break interrupts after its first characters."""
    at = text.find(needle[:_END])
    while at >= 0:
        same = next(
            (i for i, (a, b) in enumerate(zip(needle, text[at : at + len(needle)], strict=False)) if a != b),
            len(text) - at,
        )
        for rest in range(same, max(_END, same - _CHANCE) - 1, -1):
            if text.find(needle[rest:], at + rest, at + rest + _FURNITURE + len(needle)) >= 0:
                return True
        at = text.find(needle[:_END], at + 1)
    return False


def _is_opaque(data: bytes | bytearray) -> bool:
    return b"%PDF-" in data[:1024] or data.startswith(_OLE) or data[:64].lstrip().startswith(_RTF)


def _texts(path: Path, look: ScanResult) -> Iterator[str]:
    with path.open("rb") as stream:
        head = stream.read(4)
        if head.startswith(b"PK"):
            look.unseen = True
            yield from _members(path, look)
        else:
            data = head + stream.read(_BUDGET)
            look.unseen |= bool(stream.read(1)) or not _is_plain(path.suffix, data)
            yield from _decoded(data, look, 0)


def _is_plain(suffix: str, data: bytes) -> bool:
    """Tell whether a reader returns exactly the bytes: plain text in UTF-8, neither mail nor HTML."""
    if suffix.lower() not in _PLAIN or _MARKED_UP.match(data):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decoded(data: bytes, budget: ScanResult, depth: int) -> Iterator[str]:
    """Yield the bytes decoded in each encoding that a reader would try, and the contents packed inside them."""
    if _is_opaque(data):
        budget.unseen = True
        yield data.decode("ascii", "ignore")  # what stands in it plainly
        return
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    yield text
    if "<" in text or "&" in text:
        yield html.unescape(_TAGS.sub("", text))
    if "\\" in text:
        yield _ESCAPE.sub(lambda hit: chr(int(hit[1], 16)) if hit[1] else " ", text)
    if b"\x00" in data[:64]:
        yield data.decode("utf-16-le", "replace")
        yield data.decode("utf-16-be", "replace")
    if b"=\n" in data or b"=\r\n" in data:
        yield quopri.decodestring(data).decode("utf-8", "replace")
    if depth >= _DEPTH:
        budget.unseen = True
        return
    for run in _BASE64.finditer(data):
        packed = re.sub(rb"\s", b"", run[0])
        try:
            inner = base64.b64decode(packed[: len(packed) // 4 * 4])
        except binascii.Error:
            continue
        budget.left -= len(inner)
        if budget.left <= 0:
            budget.unseen = True
            return
        yield from (_members if inner[:2] == b"PK" else _decoded)(inner, budget, depth + 1)


def _members(source: Path | bytes, budget: ScanResult, depth: int = 0) -> Iterator[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
            for member in archive.infolist():
                if budget.left <= 0:
                    budget.unseen = True
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
                    budget.unseen |= _is_opaque(data)
                    yield html.unescape(_TAGS.sub("", data.decode("utf-8", "replace")))
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, RuntimeError, EOFError, ValueError):
        budget.unseen = True
        return  # a damaged archive is reported by the reader, with its remedy
