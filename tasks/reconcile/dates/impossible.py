"""What no scanner reads as a date: "June 31, 2024", and a repeated passage in which the date was replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.months import TITLED_OR_SHORT
from tasks.reconcile.dates.claims import DateClaim
from tasks.reconcile.dates.sources import Mention, Sourced, Sources, WordRuns
from tasks.reconcile.records import Finding
from tasks.sources.records import Span

_MONTH: Final = TITLED_OR_SHORT
_SHAPED: Final = re.compile(
    rf"(?<![\w/.\-])(?:{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s[12]\d{{3}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?:\sday)?(?:\sof)?\s{_MONTH}\.?,?\s[12]\d{{3}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)(?:\sday)?\sof\s{_MONTH}"
    r"|[12]\d{3}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/(?:[12]\d{3}|\d{2}))(?![\w]|[-/]\d)"
)
_CELLS: Final = " | "
_STOP: Final = re.compile(r"(?<=\d)[.;]+\s|\n\n")
_CONTEXT: Final = 5  # words that must repeat before a date; chosen by eye on the development contracts
_BEHIND: Final = 3  # words that must repeat behind it; chosen by eye
_MOST_BETWEEN: Final = 8  # words that an altered date may take


def impossible_dates(deliverable: str, text: str, sources: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a finding for each thing written as a date that the calendar does not have and no source repeats."""
    for match in _SHAPED.finditer(text):
        days = [one for one in scan_dates(match[0]) if one.precision in {"day", "day_of_year"}]
        if days or any(match[0] in source for source in sources.values()):
            continue
        checked = f"“{match[0]}” was checked against the calendar; there is no such day."
        yield _finding(deliverable, text, match.span(), checked, None)


def altered_passages(
    deliverable: str, text: str, words: WordRuns, claims: Sequence[DateClaim], sources: Sources
) -> Iterator[Finding]:
    """Yield a finding where the draft repeats the words around a source date but has no such date between them."""
    seen: set[int] = set()
    for document in sources.texts:
        mentions: list[Mention] = [*sources.dates[document], *sources.windows[document]]
        source = sources.words(document)
        for mention in mentions:
            first, last = source.index_at(mention.start), source.index_at(mention.end)
            left, right = source.words[max(0, first - _CONTEXT) : first], source.words[last : last + _BEHIND]
            if len(left) < _CONTEXT or len(right) < _BEHIND:
                continue
            for at in words.find(left, limit=3):
                gap = _gap(words, at + _CONTEXT, right)
                between = words.words[at + _CONTEXT : at + _CONTEXT + gap] if gap else []
                if not gap or between == source.words[first:last] or at in seen:
                    continue
                if not any(word[:1].isdigit() for word in between):
                    continue  # "the settlement date" in the place of a date is another sentence, not an alteration
                span = _one_sentence(text, words.starts[at + _CONTEXT], words.ends[at + _CONTEXT + gap - 1])
                if _CELLS in text[span[0] : span[1]]:
                    continue  # words of several cells are no passage
                if not any(claim.mention.start < span[1] and span[0] < claim.mention.end for claim in claims):
                    seen.add(at)
                    checked = f"The passage repeats {document}, which has “{mention.text}” here."
                    yield _finding(deliverable, text, span, checked, Sourced(document, mention).span)


def _one_sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out of an altered date the sentence that the draft put behind it."""
    stop = _STOP.search(text, start, end)
    return start, stop.start() if stop else end


def _gap(words: WordRuns, start: int, right: Sequence[str]) -> int:
    """Count the words between the repeated left and right contexts; 0 where the right one does not follow."""
    for gap in range(1, _MOST_BETWEEN + 1):
        if words.words[start + gap : start + gap + len(right)] == list(right):
            return gap
    return 0


def _finding(deliverable: str, text: str, span: tuple[int, int], checked: str, grounding: Span | None) -> Finding:
    start = text.rfind("\n", 0, span[0]) + 1
    end = text.find("\n", span[1])
    return Finding(
        gate="date",
        kind="near_miss" if grounding else "unsourced",
        deliverable=deliverable,
        text=text[span[0] : span[1]],
        start=span[0],
        end=span[1],
        sentence=text[start : end if end >= 0 else len(text)].strip()[:600],
        checked=checked,
        grounding=grounding,
        remedy="Compare with the source and correct the date.",
    )
