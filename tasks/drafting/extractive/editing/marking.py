"""What became of an instruction, and the edits of the ``redline`` tool that carry it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.asks.changing.record import Change
from tasks.drafting.extractive.editing.occurrences import Occurrence, loose
from tasks.drafting.extractive.editing.paper import EditedPaper
from tasks.sources.records import Span

_LONGEST = 600  # characters by which an edit finds its words
_STEP = 30  # characters by which a passage is made longer until it stands in the paper once


@dataclass
class Marking:
    """What became of one instruction.

    Attributes:
        edits: Arguments of the ``redline`` tool.
        place: Where the change stands.
        support: The words of the source that change.
        changed: Those words, and what is written there instead.
        reason: Why nothing was changed; empty where something was.
        check: What a lawyer must look at because of the change.
        absent: What was searched for, where the document holds nothing that could be changed so.
        kept: Whether the words stay as they are, because the instruction refuses a change.
    """

    change: Change
    edits: list[dict[str, object]] = field(default_factory=list)
    place: str = ""
    support: tuple[Span, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    check: str = ""
    absent: str = ""
    kept: bool = False


def marked(
    paper: EditedPaper,
    change: Change,
    found: Sequence[Occurrence],
    edits: list[dict[str, object]],
    place: str,
    check: str = "",
) -> Marking:
    """Return the marking of a change that was made at the places found."""
    spans = tuple(Span(document=paper.reading.document, start=o.start, end=o.end) for o in found)
    changed = tuple(_shown(paper, o) for o in found)
    return Marking(change, edits, place, spans, changed, check=check or _left(paper, change, found))


def edit_of(paper: EditedPaper, found: Occurrence) -> dict[str, object]:
    """Return an edit; words that stand more than once are found together with their sentence."""
    start, end = found.start, found.end
    first, last = paper.text.rfind("\n\n", 0, start) + 2, paper.text.find("\n\n", end)
    first, last = first if first > 1 else 0, last if last > 0 else len(paper.text)
    left, right = start, end
    while len(list(loose(paper.text[left:right], whole=False).finditer(paper.text))) != 1 and right - left < min(
        _LONGEST, last - first
    ):
        left, right = max(first, left - _STEP), min(last, right + _STEP)
    return {
        "find": paper.text[left:right],
        "replace": paper.text[left:start] + rewritten(paper, found) + paper.text[end:right],
    }


def rewritten(paper: EditedPaper, found: Occurrence) -> str:
    """Return the new wording from the first to the last character that changes."""
    new, at = "", found.start
    for a, b, words in found.swaps:
        new, at = new + paper.text[at:a] + words, b
    return new


def _shown(paper: EditedPaper, found: Occurrence) -> tuple[str, str]:
    """Return the old and the new wording, with the bracket that closes "thirty (30)"."""
    old = paper.text[found.start : found.end]
    rest = ")" if old.count("(") > old.count(")") and paper.text[found.end : found.end + 1] == ")" else ""
    return old + rest, rewritten(paper, found) + rest


def _left(paper: EditedPaper, change: Change, found: Sequence[Occurrence]) -> str:
    """Say where else the old value stands, and which ordinals are left in the sentence."""
    if change.quoted or change.every:
        return ""
    words = paper.text[found[0].swaps[-1][0] : found[0].swaps[-1][1]]
    if re.match(r"[A-Z][a-z]", words) and not re.search(r"\d", words):
        count = len(re.findall(rf"\b{re.escape(words)}\b", paper.text)) - len(found)
        return f"{words} is named elsewhere too: left as it is." if count else ""
    value = re.search(r"\d+", words)
    unit = paper.unit(found[0].start)
    again = re.search(rf"\b{value[0]}(?:st|nd|rd|th)\b(?: \w+){{0,4}}", unit.text) if value and unit else None
    return f"the clause also says “{again[0].strip()}”; conform it." if again else ""
