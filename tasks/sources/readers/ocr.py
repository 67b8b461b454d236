"""Character recognition of scanned pages with the ``tesseract`` command, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.sources.builder import TextBuilder
from tasks.sources.readers.pdf.layout import PrintedLine

_SCALE = 300 / 72  # 300 dots per inch, as tesseract recommends
_TIMEOUT = 90.0  # seconds for one page


@dataclass
class Recogniser:
    """Reads images of pages under a budget of pages for the document."""

    budget: int

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
        bitmap = page.render(scale=min(_SCALE, 5000 / max(width, 1.0)), grayscale=True)
        try:
            return lines_of_tsv(_recognise(command, bitmap), page.get_height() / bitmap.height)
        except (subprocess.SubprocessError, OSError) as error:
            out.fail(
                FailureCause.READER, f"p. {number}: character recognition failed ({error}).", "Supply a PDF with text."
            )
            return []


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


def lines_of_tsv(tsv: str, scale: float) -> list[PrintedLine]:
    """Turn tesseract's table of words into lines placed as a PDF's are."""
    grouped: dict[tuple[str, ...], list[tuple[str, float, float, float, float]]] = {}
    for row in tsv.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) < 12 or cells[0] != "5" or not cells[11].strip():
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
