"""Numbers that name a thing: of a case, a patent, a policy, an account, an invoice. None of them may be made up.

Such a number measures nothing, so the reconciliation of figures leaves it alone. It must stand in a paper, in the brief
or in the law that the draft started from, in whatever way its parts are joined: "16-cv-2327" is "1:16-CV-02327 (SH)".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.dates.scan import scan_dates
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.records import Finding, Grounding

_LABEL = (
    r"(?:case|docket|civil action|cause|matter|claim|patent|application|registration|serial|policy|account|acct|loan|"
    r"invoice|order|permit|licen[cs]e|certificate|instrument|parcel|file|reference|ref)"
    r"\.?\s+(?:no\b\.?|nos\b\.?|number|\#)\s*:?\s*"
)
_JOINED = re.compile(r"(?<![\w$€£.,:/@-])(?=[\w:/.-]*\d)\w+(?:[:/.-]\w+)+(?![\w@/])")
_LABELLED = re.compile(rf"\b{_LABEL}(?P<number>(?=[\w,.:/-]*\d)\w[\w,.:/-]*\w)", re.IGNORECASE)
_DOCKET = re.compile(r"(?:\d{1,2}:)?\d{2,4}-[a-z]{2,4}-\d{2,6}(?:-[a-z]{2,4})*", re.IGNORECASE)
_PARTS = re.compile(r"\d+|[a-z]+")
_FILE = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE)
_DIGITS = 5  # of a number that names a thing, at least: "10-K", "12-month" and "Section 4.2(b)" have fewer


class Identifiers:
    """What names a thing in the papers."""

    def __init__(self, known: Iterable[str]) -> None:
        """Take what is known: texts of documents, the brief, the law."""
        texts = tuple(known)
        self._apart = " " + " | ".join(map(_parts, texts)) + " "
        self._joined = "|".join(map(_joined, texts))

    def check(self, deliverable: str, view: DraftView) -> Iterator[Grounding | Finding]:
        """Yield each number of the draft that names a thing: grounded without a span, or made up."""
        for start, end in named_things(view.text):
            text = view.text[start:end]
            if self._holds(text):
                yield Grounding(deliverable=deliverable, start=start, end=end, text=text, sources=())
            else:
                yield Finding(
                    gate="number",
                    kind="unknown_identifier",
                    deliverable=deliverable,
                    text=text,
                    start=start,
                    end=end,
                    sentence=view.sentence_text(start),
                    checked="No document, nor the brief, has this number.",
                    remedy="Take it from the paper that has it, or leave it out.",
                )

    def _holds(self, text: str) -> bool:
        return f" {_parts(text)} " in self._apart or _joined(text) in self._joined


def named_things(text: str) -> Iterator[tuple[int, int]]:
    """Yield where numbers stand that name a thing, in order; dates, citations of law and names of files are none."""
    taken = [(m.start, m.end) for m in scan_dates(text)] + [(m.start, m.end) for m in scan_citations(text)]
    found = {m.span("number") for m in _LABELLED.finditer(text)}
    found |= {m.span() for m in _JOINED.finditer(text) if _names(m[0])}
    end = 0
    for a, b in sorted(found, key=lambda span: (span[0], -span[1])):
        enough = sum(c.isdigit() for c in text[a:b]) >= _DIGITS and not _FILE.search(text[a:b])
        if a >= end and enough and not any(a < late and early < b for early, late in taken):
            yield a, b
            end = b


def _names(joined: str) -> bool:
    """Tell whether a joined word names a thing wherever it stands: a docket number, or letters and digits in a part."""
    return _DOCKET.fullmatch(joined) is not None or any(
        any(c.isdigit() for c in part) and any(c.isalpha() for c in part) for part in re.split(r"[:/.-]", joined)
    )


def _parts(text: str) -> str:
    """Return the runs of letters and of digits, parted by spaces, in lower case and without leading zeros."""
    return " ".join(part.lstrip("0") or "0" for part in _PARTS.findall(text.casefold()))


def _joined(text: str) -> str:
    """Return the letters and digits alone, in lower case."""
    return "".join(_PARTS.findall(text.casefold()))
