"""Character recognition of scanned pages with the ``tesseract`` command, where it is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.sources.builder import TextBuilder
from tasks.sources.readers.pdf.layout import PrintedLine

_SCALE = 300 / 72  # 300 dots per inch, as tesseract recommends
_TIMEOUT = 90.0  # seconds for one page
_MOST_PIXELS = 5000  # of a page's longer side, 16 inches at 300 dots: a poster is read at less, to bound memory
_COLUMNS = 12  # of tesseract's table; the words stand in the last
DOUBTFUL = 85
"""Per cent of certainty below which nothing on a page is stated as a fact: of words at 80, one in five is misread."""


@dataclass
class Recogniser:
    """Reads images of pages under a budget of pages for the document.

    Attributes:
        budget: Pages that it still reads.
        sure: How sure tesseract is of each page that was read, in per cent, by its number.
    """

    budget: int
    sure: dict[int, int] = field(default_factory=dict)

    def lines(self, page: Any, number: int, out: TextBuilder) -> list[PrintedLine]:
        """Recognise a page; where that is impossible, record a problem and return nothing."""
        command = shutil.which("tesseract")
        if command is None:
            out.fail(
                FailureCause.READER,
                f"p. {number} is a scan without text and no character recognition is installed.",
                "Install tesseract (Debian: tesseract-ocr) or supply a PDF with text, and run again.",
            )
            return []
        if self.budget <= 0:
            out.fail(FailureCause.CAPACITY, f"p. {number} is a scan beyond the budget of pages.", "Split the PDF.")
            return []
        self.budget -= 1
        width = max(page.get_width(), page.get_height())
        bitmap = page.render(scale=min(_SCALE, _MOST_PIXELS / max(width, 1.0)), grayscale=True)
        try:
            table = _recognise(command, bitmap)
        except (subprocess.SubprocessError, OSError) as error:
            out.fail(
                FailureCause.READER, f"p. {number}: character recognition failed ({error}).", "Supply a PDF with text."
            )
            return []
        self.sure[number] = sureness(table)
        if self.sure[number] < DOUBTFUL:
            out.fail(
                FailureCause.READER,
                f"p. {number} is a scan that character recognition reads with {self.sure[number]} % certainty.",
                "Compare what rests on it with the scan, or supply a better one.",
            )
        return lines_of_tsv(table, page.get_height() / bitmap.height)


def _recognise(command: str, bitmap: Any) -> str:
    with tempfile.TemporaryDirectory(prefix="solon-ocr-") as folder:
        image = Path(folder) / "page.pgm"
        stride, width, height = bitmap.stride, bitmap.width, bitmap.height
        raw = bytes(bitmap.buffer)
        rows = b"".join(raw[y * stride : y * stride + width] for y in range(height))
        image.write_bytes(b"P5 %d %d 255\n" % (width, height) + rows)
        done = subprocess.run(
            [command, str(image), "stdout", "--psm", "3", "tsv"],
            capture_output=True,
            timeout=_TIMEOUT,
            check=True,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    return done.stdout.decode("utf-8", "replace")


def page_label(number: int, sure: int | None) -> str:
    """Return how a page is cited: one that was recognised says so wherever it is quoted, and how surely."""
    return f"p. {number}" if sure is None else f"p. {number}, OCR {sure} %"


def sureness_of(label: str) -> int | None:
    """Return the per cent of a page label; None for a page that was not recognised."""
    found = re.search(r", OCR (\d+) %", label)
    return int(found[1]) if found else None


def sureness(tsv: str) -> int:
    """Return how sure tesseract is of the words of a page, in per cent, each weighed by its length; 0 without words."""
    rows = [cells for row in tsv.splitlines()[1:] if len(cells := row.split("\t")) >= _COLUMNS and cells[11].strip()]
    words = [(float(cells[10]), len(cells[11].strip())) for cells in rows if cells[0] == "5" and float(cells[10]) >= 0]
    return round(sum(sure * length for sure, length in words) / max(1, sum(length for _, length in words)))


def lines_of_tsv(tsv: str, scale: float) -> list[PrintedLine]:
    """Turn tesseract's table of words into lines placed as a PDF's are."""
    grouped: dict[tuple[str, ...], list[tuple[str, float, float, float, float]]] = {}
    for row in tsv.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) < _COLUMNS or cells[0] != "5" or not cells[11].strip():
            continue
        left, top, width, height = (float(c) for c in cells[6:10])
        grouped.setdefault(tuple(cells[1:5]), []).append((cells[11].strip(), left, top, width, height))
    lines = []
    for words in grouped.values():
        text = " ".join(w[0] for w in words)
        right = max(w[1] + w[3] for w in words)
        bottom = max(w[2] + w[4] for w in words)
        height = max(w[4] for w in words)
        lines.append(PrintedLine(text, words[0][1] * scale, right * scale, -bottom * scale, height * scale))
    return lines
