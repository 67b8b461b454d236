"""A filled checklist as a deliverable: JSON, or tables with item, value, quoted words and their place.

The form is the one in which a filled checklist is read back (docs/gavel.md): by item, a value in the cell beside the
name, what is said about the value in the columns behind it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from tasks.asks.records import AskAnswer, Asks
from tasks.asks.table import TITLE, ask_rows, ask_table
from tasks.drafting.extraction.sheet import ABSENT
from tasks.legaltext.checklists.definition import Checklist, Item
from tasks.legaltext.checklists.records import Entry, Evidence, Filled
from tasks.sources.records import CanonicalText, SegmentKind

TEXTUAL: Final = frozenset({".md", ".txt"})
_NOTHING: Final = "Not stated"
_COLUMNS: Final = ("Item", "Value", "Words of the document", "Document and place")
_QUOTED: Final = 600  # characters of a quotation in a cell
_ASKED: Final = ("number", "asked", "state", "answer", "where")


@dataclass(frozen=True)
class AskAnswers:
    """The asks of a brief, and what a filled checklist says to each."""

    asks: Asks
    answers: tuple[AskAnswer, ...]


def as_json(
    checklist: Checklist, filled: Filled, texts: Mapping[str, CanonicalText], told: AskAnswers | None = None
) -> str:
    """Return a filled checklist as JSON: a list of values for each item, each with its evidence, and the asks."""
    made: dict[str, Any] = {item.id: _values(filled.of(item.id), texts) for item in checklist.items()}
    lost = {item.id: entry.message for item in checklist.items() if (entry := filled.of(item.id)).cause is not None}
    asked = [dict(zip(_ASKED, row, strict=True)) for row in ask_rows(told.asks, told.answers)] if told else []
    made |= ({"not_examined": lost} if lost else {}) | ({"asks": asked} if asked else {})
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def as_markdown(
    checklist: Checklist, filled: Filled, texts: Mapping[str, CanonicalText], told: AskAnswers | None = None
) -> str:
    """Return a filled checklist as one table, a row for each value, with the table of asks below it.

    Groups have no headings: some are called as one of their items is, and a heading begins an item.
    """
    rows = [_COLUMNS, ("---",) * len(_COLUMNS)]
    rows += [row for item in checklist.items() for row in _rows(item, filled.of(item.id), texts)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    asked = f"\n## {TITLE}\n\n{ask_table(told.asks, told.answers)}\n" if told and told.asks.asks else ""
    return f"# {checklist.title}\n\n## Checklist\n\n{table}\n{asked}"


def written(
    name: str, checklist: Checklist, filled: Filled, texts: Mapping[str, CanonicalText], told: AskAnswers | None = None
) -> tuple[str, bool]:
    """Return a deliverable of this name, and whether it is to be built from that text into another format."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == ".json":
        return as_json(checklist, filled, texts, told), False
    return as_markdown(checklist, filled, texts, told), suffix not in TEXTUAL


def place_of(one: Evidence, texts: Mapping[str, CanonicalText]) -> str:
    """Return the place of a quotation in its document: page, slide or sheet, and line."""
    text = texts[one.document]
    part = text.locate(one.start, SegmentKind.PAGE, SegmentKind.SLIDE, SegmentKind.SHEET)
    line = f"line {text.line_of(one.start)}"
    return f"{part.label}, {line}" if part is not None and part.label else line


def _values(entry: Entry, texts: Mapping[str, CanonicalText]) -> list[dict[str, Any]]:
    if entry.excluded:
        return [{"value": ABSENT, "evidence": [_evidence(one, texts) for one in entry.excluded]}]
    return [{"value": v.text, "evidence": [_evidence(one, texts) for one in v.evidence]} for v in entry.values]


def _evidence(one: Evidence, texts: Mapping[str, CanonicalText]) -> dict[str, Any]:
    place = place_of(one, texts)
    return {"text": one.text, "source_document": one.document, "location": place, "start": one.start, "end": one.end}


def _rows(item: Item, entry: Entry, texts: Mapping[str, CanonicalText]) -> Iterator[tuple[str, ...]]:
    if entry.excluded:
        yield (_cell(item.title), ABSENT, *_shown(entry.excluded, texts))
    for value in entry.values:
        yield (_cell(item.title), _cell(value.text), *_shown(value.evidence, texts))
    if not (entry.values or entry.excluded):
        why = f"not examined: {entry.message}" if entry.cause else "nothing was found"
        yield (_cell(item.title), _NOTHING, _cell(why), "")


def _shown(evidence: tuple[Evidence, ...], texts: Mapping[str, CanonicalText]) -> tuple[str, str]:
    words = " / ".join(f"“{' '.join(one.text.split())[:_QUOTED]}”" for one in evidence)
    places = " / ".join(f"{one.document}, {place_of(one, texts)}" for one in evidence)
    return _cell(words), _cell(places)


def _cell(text: str) -> str:
    """Return a text that ends no cell."""
    return " ".join(text.replace("|", "¦").split())
