"""The date and window claims of a draft: what is claimed, in which sentence, about which document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from tasks.sources.records import CanonicalText, SegmentKind
from tasks.sources.scan.dates import scan_dates
from tasks.sources.scan.records import DateMention, Window
from tasks.sources.scan.windows import scan_windows

_RUN_DATE: Final = re.compile(
    r"^[\s|>*_#-]{0,8}(?:run\s)?date(?:d|\sof\s(?:the\s)?(?:run|memo(?:randum)?))?[\s*_]{0,4}[:|\t]", re.IGNORECASE
)
_HEADER_LINES: Final = 40
_HEADING: Final = re.compile(r"^\s{0,3}#{1,6}\s")


class Claim(NamedTuple):
    """A date or window that a draft states.

    Attributes:
        paragraph: Bounds of its line of canonical text (a paragraph or a table row).
        documents: Documents that its sentence, row or heading names; empty where none is named.
    """

    mention: DateMention | Window
    paragraph: tuple[int, int]
    documents: frozenset[str]

    @property
    def is_date(self) -> bool:
        """Whether it is a date rather than a window."""
        return isinstance(self.mention, DateMention)


def read_claims(draft: CanonicalText, names: Sequence[str]) -> list[Claim]:
    """Collect the claims of a draft.

    The draft's own date (the line "Date:" of its header) and dates within file names are not claims.

    Args:
        draft: Canonical text of the deliverable.
        names: Documents of the data room.
    """
    text = draft.text
    named = _named(text, names)
    headings = _headings(draft)
    mentions: list[DateMention | Window] = [*scan_dates(text), *scan_windows(text)]
    claims = []
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        line = _line(text, mention.start)
        if _is_run_date(text, line) or any(start <= mention.start < end for start, end, _ in named):
            continue
        claims.append(Claim(mention, line, _documents(mention.start, line, named, headings)))
    return claims


def _line(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return start, len(text) if end < 0 else end


def _is_run_date(text: str, line: tuple[int, int]) -> bool:
    if text.count("\n", 0, line[0]) >= _HEADER_LINES:
        return False
    return _RUN_DATE.match(text[line[0] : line[1]]) is not None


def _named(text: str, names: Sequence[str]) -> list[tuple[int, int, str]]:
    """Find where the draft names documents: by file name, or by its stem where that is distinctive."""
    lowered = text.lower()
    found = []
    for name in names:
        path = PurePosixPath(name)
        forms = {path.name.lower()} | ({path.stem.lower()} if len(path.stem) >= 8 else set())
        for form in forms:
            at = lowered.find(form)
            while at >= 0:
                found.append((at, at + len(form), name))
                at = lowered.find(form, at + len(form))
    return sorted(found)


def _headings(draft: CanonicalText) -> list[tuple[int, int]]:
    marked = [(seg.start, seg.end) for seg in draft.segments if seg.kind is SegmentKind.HEADING]
    return marked or list(_markdown_headings(draft.text))


def _markdown_headings(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.split("\n"):
        if _HEADING.match(line):
            yield at, at + len(line)
        at += len(line) + 1


def _documents(
    offset: int, line: tuple[int, int], named: Sequence[tuple[int, int, str]], headings: Sequence[tuple[int, int]]
) -> frozenset[str]:
    on_line = frozenset(name for start, _, name in named if line[0] <= start < line[1])
    if on_line:
        return on_line
    above = [heading for heading in headings if heading[0] <= offset]
    for start, end in reversed(above):
        inside = frozenset(name for at, _, name in named if start <= at < end)
        if inside:
            return inside
    return frozenset()
