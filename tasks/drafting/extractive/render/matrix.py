"""The matrix: one row per document and ask, with typed answer, quotation and place; beside it what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.asks.records import AskState, Entry
from tasks.asks.table import COLUMNS as ASKED
from tasks.asks.table import TITLE, ask_rows
from tasks.drafting.extractive.render.told import Point, Told

COLUMNS: Mapping[str, str] = {
    "Document": "text",
    "Parties": "text",
    "Topic": "text",
    "Answer": "auto",
    "Clause": "text",
    "Quotation": "text",
    "Page": "text",
    "Confidence": "text",
    "Comment": "text",
}


def tables(told: Told) -> list[dict[str, Any]]:
    """Return the tables of the workbook as ``build_deliverable`` takes them."""
    made = [_table("Matrix", COLUMNS, [_row(told, p) for p in _in_order(told)])] if told.points else []
    if told.events:
        rows = [_event(told, p) for p in told.events]
        made.append(_table("Chronology", {"Date": "auto", "Event": "text", "Source": "text"}, rows))
    asked = [list(row) for row in ask_rows(told.asks, told.answers.values())]
    return [*made, _table(TITLE, dict.fromkeys(ASKED, "text"), asked)]


def _table(name: str, columns: Mapping[str, str], rows: list[list[Any]]) -> dict[str, Any]:
    return {"name": name, "columns": [{"name": c, "type": kind} for c, kind in columns.items()], "rows": rows}


def _in_order(told: Told) -> Sequence[Point]:
    """Return the rows of each document together, in the order of the data room; those of none at the end."""
    place = {document: n for n, document in enumerate(told.readings)}
    return sorted(told.points, key=lambda p: place.get(p.entry.document, len(place)))


def _row(told: Told, point: Point) -> list[Any]:
    entry = point.entry
    reading = told.readings.get(entry.document)
    found = entry.state is AskState.ANSWERED
    units = told.units(point) if found else []
    quotes = told.quotes(point, told.settings.matrix_words) if found else []
    return [
        entry.document,
        "; ".join(reading.identity.parties[:2]) if reading else "",
        told.label(point.ask),
        (entry.day or entry.answer) if found else "not found" if entry.state is AskState.NOT_FOUND else "",
        units[0].label if units else "",
        " ".join(q.text for q in quotes),
        units[0].page if units else "",
        _confidence(entry),
        _comment(told, point),
    ]


def _confidence(entry: Entry) -> str:
    if entry.state is AskState.NOT_ATTEMPTED:
        return "left open"
    said = "high" if entry.state is AskState.ANSWERED else "not found"
    return said if entry.certain else "to be verified"


def _comment(told: Told, point: Point) -> str:
    entry = point.entry
    if entry.state is AskState.NOT_FOUND:
        return f"{entry.answer}; searched for: {'; '.join(dict.fromkeys(entry.searched))}. {entry.note}".strip()
    if entry.state is AskState.NOT_ATTEMPTED:
        near = [u for span in entry.nearest if (u := told.nearest(point.ask, span))]
        return f"{entry.reason}{'; nearest: ' if near else ''}{' '.join(told.citation(u) for u in near)}"
    return " ".join(
        part for part in (entry.note, f"Basis: {entry.basis}" if entry.basis not in ("", entry.note) else "") if part
    )


def _event(told: Told, point: Point) -> list[Any]:
    said = told.label(point.ask) if point.entry.answer == point.entry.day else point.entry.answer
    return [point.entry.day, said, told.where(point)]
