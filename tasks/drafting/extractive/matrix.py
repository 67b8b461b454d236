"""The matrix: one row per document and topic, with typed answer, quotation and place."""

from __future__ import annotations

from typing import Any

from tasks.drafting.extractive.memo import Report, cell, short_quotes

COLUMNS = (
    ("Document", "text"),
    ("Parties", "text"),
    ("Topic", "text"),
    ("Answer", "auto"),
    ("Clause", "text"),
    ("Quotation", "text"),
    ("Page", "text"),
    ("Confidence", "text"),
    ("Comment", "text"),
)


def matrix(report: Report) -> list[dict[str, Any]]:
    """Return the tables of the workbook as ``build_deliverable`` takes them."""
    rows: list[list[Any]] = []
    for reading in report.readings:
        parties = "; ".join(reading.identity.parties[:2])
        for answer in report.answers[reading.document]:
            quotes = short_quotes(report, answer, reading) if answer.found else []
            first = answer.support[0] if answer.support and answer.found else None
            comment = answer.note if answer.found else f"No {answer.topic.words} provision was found."
            rows.append(
                [
                    reading.document,
                    parties,
                    answer.topic.words,
                    answer.day.isoformat() if answer.day else cell(answer),
                    first.label if first else "",
                    " ".join(q.text for q in quotes),
                    first.page if first else "",
                    "high" if answer.certain else "verify",
                    comment,
                ]
            )
    columns = [{"name": name, "type": kind} for name, kind in COLUMNS]
    return [{"name": "Matrix", "columns": columns, "rows": rows}]
