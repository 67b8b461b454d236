"""Scan the dates and windows of a document."""

from __future__ import annotations

from typing import Any, Literal

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def date_scan(desk: Desk, path: str, *, order: Literal["us", "dmy"] = "us") -> dict[str, Any]:
    """Find every date (`iso`) and every period counted from an event (`window`) of a document.

    Args:
        desk: What the caller may look at.
        path: Name of a document of the matter, or path of a file.
        order: Reading of a numeric date that could be read both ways: us is month first, dmy day first.
    """
    from tasks.legaltext.dates.scan import scan_dates
    from tasks.legaltext.windows.scan import scan_windows

    text = desk.text(path)
    items: list[dict[str, Any]] = [
        d.model_dump(mode="json", exclude=None if d.also else {"also"}) for d in scan_dates(text.text, order)
    ]
    for window in scan_windows(text.text):
        row = window.model_dump(mode="json")
        said, unit = row.pop("said_n"), row.pop("said_unit")
        if said is not None:  # "3.5 years" is printed as it is said, beside the whole count that is reckoned with
            row = {**row, "n": float(said), "unit": unit, "exact": {"n": row["n"], "unit": row["unit"]}}
        place = {key: row.pop(key) for key in ("start", "end", "text")}
        items.append({**place, "window": row})
    return {"document": text.document, "items": sorted(items, key=lambda i: (i["start"], i["end"]))}


TOOL = Tool(date_scan, stage="reconcile", example="lease.pdf --json")
