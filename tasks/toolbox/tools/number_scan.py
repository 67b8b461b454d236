"""Scan the figures of a document."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def number_scan(desk: Desk, path: str) -> dict[str, Any]:
    """Find every figure of a document: money, percentages, ratios, counts, shares, durations, with unit and value.

    Offsets are characters of the canonical text (tool `read`). A range gives its two ends, a word/figure pair
    ("fifteen (15)") both sides.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
    """
    from tasks.legaltext.numbers.scan import scan_numbers

    text = desk.text(path)
    items = []
    for figure in scan_numbers(text.text):
        row = figure.model_dump(mode="json")
        row["unit"] = figure.unit or "count"  # a bare number counts something that no word names
        items.append(
            {**row, "value": json_number(figure.value), "exact": str(figure.value), "scale": json_number(figure.scale)}
        )
    return {"document": text.document, "items": items}


def json_number(value: Decimal) -> int | float:
    """Return a decimal as a JSON number."""
    return int(value) if value == value.to_integral_value() else float(value)


TOOL = Tool(number_scan, stage="reconcile", example="agreement.docx --json")
