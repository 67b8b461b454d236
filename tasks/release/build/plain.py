"""Deliverables in text formats: Markdown, plain text, CSV, JSON, mail."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from email.message import EmailMessage
from typing import Any

from tasks.release.tables import Cell, Table, cell_text

_STARTS = frozenset("=@+-＝＠＋－")  # also as full-width characters, which some locales take for the plain ones
_BLANKS = frozenset("\t\r\n")
_SIGNED = re.compile(r"[+-]\s?[$€£]?\s?[\d.,]*\d\s?%?")  # a signed amount is no formula unless something follows it


def markdown_table(table: Table) -> str:
    """Render a table as a pipe table under its name."""
    lines = [f"### {table.name}", ""] if table.name else []
    lines.append("| " + " | ".join(_pipe(c.name) for c in table.columns) + " |")
    lines.append("|" + "---|" * len(table.columns))
    for row in table.rows:
        cells = [_pipe(cell_text(row[i]) if i < len(row) else "") for i in range(len(table.columns))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _pipe(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def md_bytes(markdown: str, tables: Sequence[Table]) -> bytes:
    """Render Markdown with the tables at its end."""
    parts = [markdown.rstrip("\n")] if markdown.strip() else []
    parts.extend(markdown_table(t).rstrip("\n") for t in tables)
    return ("\n\n".join(parts) + "\n").encode("utf-8", "replace")


def txt_bytes(markdown: str, tables: Sequence[Table]) -> bytes:
    """Render plain text: Markdown is readable as it stands, tables are tab-separated."""
    parts = [markdown.rstrip("\n")] if markdown.strip() else []
    for table in tables:
        rows = [[c.name for c in table.columns], *[[cell_text(c) for c in row] for row in table.rows]]
        body = "\n".join("\t".join(" ".join(cell.split()) for cell in row) for row in rows)
        parts.append(f"{table.name}\n{body}" if table.name else body)
    return ("\n\n".join(parts) + "\n").encode("utf-8", "replace")


def csv_bytes(markdown: str, tables: Sequence[Table]) -> bytes:
    """Render the tables as CSV, one blank line between them; a cell never starts a formula."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    if not tables:
        writer.writerows([_inert(line)] for line in markdown.splitlines() if line.strip())
    for n, table in enumerate(tables):
        if n:
            writer.writerow([])
        writer.writerow([_inert(c.name) for c in table.columns])
        writer.writerows([_inert(_bare(c)) for c in row] for row in table.rows)
    return out.getvalue().encode("utf-8", "replace")


def _bare(cell: Cell) -> str:
    return str(cell) if isinstance(cell, (int, Decimal)) and not isinstance(cell, bool) else cell_text(cell)


def _inert(text: str) -> str:
    """Keep spreadsheet programs from running a cell: text that starts a formula gets an apostrophe."""
    bare = text.lstrip()
    starts = bare[:1] in _STARTS or text[:1] in _BLANKS
    return f"'{text}" if text and starts and not _SIGNED.fullmatch(bare) else text


def json_bytes(markdown: str, tables: Sequence[Table]) -> bytes:
    """Render the text and the tables as JSON; a single table without text becomes a list of rows."""
    rendered = [{"name": t.name, "rows": [_row(t, row) for row in t.rows]} for t in tables]
    value: Any = {"text": markdown, "tables": rendered}
    if not markdown.strip() and len(rendered) == 1:
        value = rendered[0]["rows"]
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


def _row(table: Table, row: Sequence[Cell]) -> dict[str, Any]:
    return {c.name: _jsonable(row[i] if i < len(row) else None) for i, c in enumerate(table.columns)}


def _jsonable(cell: Cell) -> Any:
    if isinstance(cell, Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    return cell.isoformat() if isinstance(cell, date) else cell


def eml_bytes(markdown: str, tables: Sequence[Table]) -> bytes:
    """Render a mail whose subject is the first heading; addresses are left to the sender."""
    lines = markdown.splitlines()
    heading = next((line.lstrip("# ").strip() for line in lines if line.startswith("#")), "Draft")
    message = EmailMessage()
    message["Subject"] = " ".join(heading.split())[:200] or "Draft"
    message.set_content(txt_bytes(markdown, tables).decode(), cte="quoted-printable")
    return message.as_bytes()
