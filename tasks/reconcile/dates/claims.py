"""The date and window claims of a draft: each with its sentence and the documents it is about."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.records import DateMention, Window
from tasks.legaltext.windows.scan import scan_windows
from tasks.reconcile.draft_view import DraftView

_RUN_DATE: Final = re.compile(
    r"^[\s|>*_#-]{0,8}(?:run\s)?date(?:d|\sof\s(?:the\s)?(?:run|memo(?:randum)?))?[\s*_]{0,4}[:|\t]", re.IGNORECASE
)
_HEADER_LINES: Final = 40  # lines in which the header of a draft may stand; chosen by eye


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
    mentions: list[DateMention | Window] = [*scan_dates(text), *scan_windows(text)]
    claims = []
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        line = view.line_at(mention.start)
        if _is_run_date(text, line) or view.in_name(mention.start):
            continue
        # A row that names its document by file and a sentence that cites one may both be meant.
        documents = {name for start, _, name in view.named if line[0] <= start < line[1]}
        claims.append(DateClaim(mention, line, frozenset(documents.union(view.cited_near(mention.start)))))
    return claims


def _is_run_date(text: str, line: tuple[int, int]) -> bool:
    if text.count("\n", 0, line[0]) >= _HEADER_LINES:
        return False
    return _RUN_DATE.match(text[line[0] : line[1]]) is not None
