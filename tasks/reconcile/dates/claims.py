"""The date and window claims of a draft: each with its sentence and the documents it is about."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.records import DateMention, Window
from tasks.legaltext.windows.scan import scan_windows
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.names import DocumentNames

_RUN_DATE: Final = re.compile(
    r"^[\s|>*_#-]{0,8}(?:run\s)?date(?:d|\sof\s(?:the\s)?(?:run|memo(?:randum)?))?[\s*_]{0,4}[:|\t]", re.IGNORECASE
)
_HEADER_LINES: Final = 40  # lines in which the header of a draft may stand; chosen by eye
_DISTINCTIVE: Final = 8  # shorter names occur by chance


class DateClaim(NamedTuple):
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


def read_claims(view: DraftView) -> list[DateClaim]:
    """Collect the claims of a draft.

    The draft's own date (the line "Date:" of its header) and dates within file names are not claims.

    Args:
        view: The draft as the checks read it.
    """
    text = view.text
    named = _named(text, view.names)
    mentions: list[DateMention | Window] = [*scan_dates(text), *scan_windows(text)]
    claims = []
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        line = _line(text, mention.start)
        if _is_run_date(text, line) or any(start <= mention.start < end for start, end, _ in named):
            continue
        # A row that names its document by file and a sentence that cites one may both be meant.
        documents = {name for start, _, name in named if line[0] <= start < line[1]}
        claims.append(DateClaim(mention, line, frozenset(documents.union(view.cited_near(mention.start)))))
    return claims


def _line(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return start, len(text) if end < 0 else end


def _is_run_date(text: str, line: tuple[int, int]) -> bool:
    if text.count("\n", 0, line[0]) >= _HEADER_LINES:
        return False
    return _RUN_DATE.match(text[line[0] : line[1]]) is not None


def _named(text: str, names: DocumentNames) -> list[tuple[int, int, str]]:
    """Find where the draft names documents by file name or stem; titles count only in citations and headings."""
    lowered = text.lower()
    found = []
    for name in names.documents:
        path = PurePosixPath(name.lower())
        for form in {path.name, path.stem}:
            at = lowered.find(form) if len(form) >= _DISTINCTIVE else -1
            while at >= 0:
                found.append((at, at + len(form), name))
                at = lowered.find(form, at + len(form))
    return sorted(found)
