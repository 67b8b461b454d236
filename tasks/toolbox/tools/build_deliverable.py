"""Write a deliverable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tasks.release.tables import Table
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool

_SHOWN = 20  # signs that a message names


def build_deliverable(
    desk: Desk,
    path: str,
    *,
    markdown: str | None = None,
    markdown_file: str | None = None,
    tables: list[Table] | None = None,
) -> dict[str, Any]:
    """Write a deliverable from Markdown and typed tables, in the format of its file name; it is reopened to check.

    Formats: {formats}. Dates in tables are written as dates, money as numbers.

    Args:
        desk: What the caller may look at.
        path: File name of the deliverable, e.g. memo.docx.
        markdown: The text.
        markdown_file: File that holds the text, where it was written in parts; goes before `markdown`.
        tables: Tables: {"name", "columns": [{"name", "type"}], "rows": [[…]]}; a sheet each in a workbook.
    """
    from tasks.release.build.deliverable import build_deliverable
    from tasks.sources.texts import read_file

    if markdown_file is not None:
        markdown = desk.file(markdown_file).read_text(encoding="utf-8", errors="replace")
    target = desk.target(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    build_deliverable(markdown, tables, target)
    text = read_file(target, target.name)
    return {
        "path": str(target),
        "filename": target.name,
        "size": target.stat().st_size,
        "characters": len(text.text),
        "words": len(text.text.split()),
        "problems": [*(p.line() for p in text.problems), *_boxes(target, text.text)],
    }


def _boxes(target: Path, text: str) -> list[str]:
    """Say which characters of a PDF are printed as boxes; the other formats leave the font to who opens them."""
    from tasks.release.build.pdf import without_sign

    lacking = without_sign(text) if target.suffix.lower() == ".pdf" else ""
    if not lacking:
        return []
    named = ", ".join(f"{c} (U+{ord(c):04X})" for c in lacking[:_SHOWN])
    named += " and more" if len(lacking) > _SHOWN else ""
    return [f"printed as an empty box, for the font has no sign for it (the text of the PDF holds it): {named}"]


def _formats() -> dict[str, str]:
    from tasks.release.build.deliverable import BUILDERS

    return {"formats": " ".join(BUILDERS)}


TOOL = Tool(
    build_deliverable,
    stage="drafting",
    max_input=20_000_000,
    example='memo.docx --markdown "# Memo"',
    slots=_formats,
)
