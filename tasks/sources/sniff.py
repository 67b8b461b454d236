"""Decides the type of a file: by content first, by suffix where the content is ambiguous."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

from tasks.sources.limits import GuardedZip, OverBudgetError, ReaderLimits, UnreadableError
from tasks.sources.readers import FORMATS

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
TEXT_SUFFIXES = {suffix: media for media, form in FORMATS.items() if form.text for suffix in form.suffixes}
_LOOKED_AT = {"txt", "html"}  # a suffix that many use for other text: the content decides
_MAIL_HEADER = re.compile(
    r"^(received|return-path|from|to|subject|date|message-id|mime-version|delivered-to|x-[\w-]+|content-type|cc):",
    re.IGNORECASE | re.MULTILINE,
)
_HTML = re.compile(r"<\s*(!doctype\s+html|html|head|body|table|div)\b", re.IGNORECASE)
_BINARY = {
    b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"II*\x00": "tiff", b"MM\x00*": "tiff",
    b"PK\x03\x04": "zip", b"PK\x05\x06": "zip", b"Rar!": "rar", b"7z\xbc\xaf": "7z",
    **{form.magic: media for media, form in FORMATS.items() if form.magic},
}  # fmt: skip
# Chosen by eye, not measured.
_HEADERS = 3  # of a mail ("From:", "Date:", …) that a memorandum does not begin with
_TOO_SHORT = 20  # bytes below which zeros tell nothing
_LATIN, _ZERO = 0.9, 0.05  # shares of zeros: the high bytes of Latin letters in UTF-16 are zero, the low ones never
_ODD = 100  # bytes of text, among which one that steers may be damage


def hint_of(name: str) -> str:
    """Return the media that the suffix suggests for plain text; empty for every other suffix."""
    return TEXT_SUFFIXES.get(PurePosixPath(name).suffix.lower(), "")


def media_of(data: bytes, name: str, limits: ReaderLimits | None = None) -> str:
    """Return the media of a file, or ``encrypted``, ``ole``, ``zip``, ``rtf``, … for what has no reader."""
    head = data[:1024].lstrip()
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(OLE):
        return _media_of_ole(data)
    for magic, media in _BINARY.items():
        if head.startswith(magic):
            return _media_of_zip(data, name, limits) if media == "zip" else media
    return _media_of_text(data, name)


def _media_of_ole(data: bytes) -> str:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return "encrypted"
    if "__substg1.0_".encode("utf-16-le") in data or "__properties_version1.0".encode("utf-16-le") in data:
        return "msg"
    if "Workbook".encode("utf-16-le") in data:
        return "xlsx"
    return "doc" if "WordDocument".encode("utf-16-le") in data else "ole"


def _media_of_zip(data: bytes, name: str, limits: ReaderLimits | None) -> str:
    try:
        names = {n.lower() for n in GuardedZip(data, limits or ReaderLimits()).names()}
    except (UnreadableError, OverBudgetError):
        suffix = PurePosixPath(name).suffix.lower().lstrip(".")
        return suffix if suffix in {"docx", "xlsx", "pptx"} else "zip"
    if names >= {"mimetype", "content.xml"}:
        kind = re.match(rb"application/vnd\.oasis\.opendocument\.(text|spreadsheet)", data[38:100])
        return {b"text": "odt", b"spreadsheet": "ods"}.get(kind.group(1), "odf") if kind else "odf"
    for media, folder in (("docx", "word/"), ("xlsx", "xl/"), ("pptx", "ppt/")):
        if any(n.lstrip("/").startswith(folder) for n in names):
            return media
    return "zip"


def _media_of_text(data: bytes, name: str) -> str:
    hint = hint_of(name)
    sample = data[:20_000].decode("utf-8", "replace").lstrip("\ufeff \r\n\t")
    head = sample.split("\n\n", 1)[0][:4000]
    if hint == "eml" or (len(_MAIL_HEADER.findall(head)) >= _HEADERS and _MAIL_HEADER.match(head)):
        return "eml"
    if hint and hint not in _LOOKED_AT:
        return hint
    if _HTML.search(sample[:2000]) and sample.startswith("<"):
        return "html"
    if hint != "txt" and sample[:1] in "{[" and _is_json(data):
        return "json"
    if hint == "html":
        return "html"
    return "txt" if _looks_like_text(data) else "binary"


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def wide_encoding(data: bytes) -> str:
    """Return the encoding of text with two bytes per character and no mark of it; empty for other data."""
    sample = data[:4096]
    for encoding, high in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        low = sample[::2] if encoding == "utf-16-le" else sample[1::2]
        if len(sample) > _TOO_SHORT and high.count(0) > _LATIN * len(high) and low.count(0) < _ZERO * len(low):
            return encoding
    return ""


def _looks_like_text(data: bytes) -> bool:
    sample = data[:8192]
    if sample[:2] in {b"\xff\xfe", b"\xfe\xff"} or not sample or wide_encoding(data):
        return True
    odd = sum(1 for byte in sample if byte < 9 or 13 < byte < 32)  # no white space (9 to 13): signs that steer
    return odd <= len(sample) // _ODD
