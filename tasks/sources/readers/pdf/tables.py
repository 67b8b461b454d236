"""The tables of a PDF through pdfplumber, ruled or in columns: slow and careful, so only on request."""

from __future__ import annotations

import io
import re
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.sources.builder import Reading, TextBuilder
from tasks.sources.limits import UnreadableError
from tasks.sources.readers import Source
from tasks.sources.readers.pdf.columns import aligned_tables
from tasks.sources.records import SegmentKind

_MAX_PAGES = 300  # the search for tables is slow; bounds the time of one document
_MAX_OBJECTS = 40_000  # a page of drawings would keep the search for rulings busy for minutes


def read_tables(source: Source) -> Reading:
    """Read the tables of two rows and two columns or more; raises UnreadableError where nothing can be opened."""
    import pdfplumber

    out = TextBuilder()
    try:
        document = pdfplumber.open(io.BytesIO(source.data))
    except MemoryError:
        raise
    except Exception as error:  # pdfminer raises many kinds on damaged files
        raise UnreadableError(
            f"The PDF cannot be searched for tables ({type(error).__name__}).", "Use read."
        ) from error
    with document:
        if len(document.pages) > _MAX_PAGES:
            out.fail(FailureCause.CAPACITY, f"Only the first {_MAX_PAGES} pages were searched for tables.", "Split it.")
        for number, page in enumerate(document.pages[:_MAX_PAGES], start=1):
            _page(page, number, out)
            page.close()
    return out.build()


def _page(page: Any, number: int, out: TextBuilder) -> None:
    rulings = len(page.lines) + len(page.rects) + len(page.curves)
    if rulings > _MAX_OBJECTS:
        out.fail(FailureCause.CAPACITY, f"Page {number} has too many drawings to search for tables.", "Look at it.")
        return
    ruled = page.find_tables() if rulings else []
    found = [(t.extract(), "") for t in ruled]
    words = [w for w in page.extract_words() if not any(_inside(w, t.bbox) for t in ruled)]
    found += [(rows, " (no rulings)") for rows in aligned_tables(words)]
    ordinal = 0
    for rows, how in found:
        filled = [[re.sub(r"\s+", " ", cell or "").strip() for cell in row] for row in rows]
        filled = [row for row in filled if any(row)]
        if len(filled) < 2 or max(map(len, filled)) < 2:
            continue
        ordinal += 1
        out.gap()
        label = f"p. {number}, table {ordinal}{how}"
        with out.segment(SegmentKind.TABLE, label):
            for n, row in enumerate(filled, start=1):
                out.block(" | ".join(row), SegmentKind.ROW, f"{label}, row {n}", gap=1)


def _inside(word: dict[str, Any], box: tuple[float, float, float, float]) -> bool:
    left, top, right, bottom = box
    return bool(left <= word["x0"] and word["x1"] <= right and top <= word["top"] and word["bottom"] <= bottom)
