"""Finds a rubric that lies among the documents of its own matter.

Works on bytes, before any reader: plain text formats as they are, Office files by the text of
their XML parts. Bounded in size; scanned pages and PDF streams are not searched.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

_TEXT_SUFFIXES = {".json", ".jsonl", ".txt", ".md", ".csv", ".html", ".htm", ".eml", ".xml", ".yaml", ".yml", ".toml"}
_OFFICE_SUFFIXES = {".docx", ".xlsx", ".pptx", ".docm", ".xlsm"}
_BUDGET = 20 * 1024 * 1024
_STEP = 64 * 1024
_MIN_NEEDLE = 40
_KEY = re.compile(r'["\']?match_criteria["\']?\s*[:=]')
_TAGS = re.compile(r"<[^>]{0,2000}>")
_NON_WORD = re.compile(r"[^0-9a-z]+")


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
    suffix = path.suffix.lower()
    if suffix in _TEXT_SUFFIXES:
        with path.open("rb") as stream:
            yield stream.read(_BUDGET).decode("utf-8", "replace")
    elif suffix in _OFFICE_SUFFIXES:
        yield from _office_texts(path)


def _office_texts(path: Path) -> Iterator[str]:
    budget = _BUDGET
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if not member.filename.endswith(".xml") or budget <= 0:
                    continue
                with archive.open(member) as stream:
                    data = bytearray()
                    # read in steps: a declared size proves nothing
                    while budget > 0 and (step := stream.read(min(_STEP, budget))):
                        data += step
                        budget -= len(step)
                yield _TAGS.sub("", data.decode("utf-8", "replace"))
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, ValueError):
        return  # a damaged archive is reported by the reader, with its remedy
