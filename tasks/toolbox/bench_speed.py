"""Speed of the scanners on one megabyte of contract text, and of the readers on real files."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

_MEGABYTE = 1_000_000
_SUFFIXES = {".docx", ".xlsx", ".pptx", ".eml", ".pdf", ".txt", ".md", ".csv", ".html", ".json"}


def measure_speed(folder: Path, limit: int) -> dict[str, Any]:
    """Measure on the documents below a folder.

    Args:
        folder: Any folder of documents.
        limit: Most files read.

    Returns:
        ``{"readers": {media: {"documents", "documents_a_second"}}, "scanners": {name: MB/s}, "bytes"}``.
    """
    from tasks.sources.scan.citations import scan_citations
    from tasks.sources.scan.dates import scan_dates
    from tasks.sources.scan.numbers import scan_numbers
    from tasks.sources.scan.windows import scan_windows
    from tasks.sources.texts import read_file

    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in _SUFFIXES and p.name != "task.json")[:limit]
    if files:
        read_file(files[0])  # starts the reading processes
    seconds: dict[str, list[float]] = defaultdict(list)
    texts = []
    for path in files:
        start = time.perf_counter()
        text = read_file(path)
        seconds[text.media or path.suffix.lstrip(".")].append(time.perf_counter() - start)
        texts.append(text.text)
    corpus = _megabyte("\n".join(texts))
    scanners: dict[str, Callable[[str], Any]] = {
        "number_scan": scan_numbers,
        "date_scan": lambda text: (scan_dates(text), scan_windows(text)),
        "citation_scan": scan_citations,
    }
    return {
        "files": len(files),
        "readers": {
            m: {"documents": len(t), "documents_a_second": round(len(t) / sum(t), 2)} for m, t in seconds.items()
        },
        "bytes": len(corpus),
        "scanners": {name: round(_speed(scan, corpus), 3) for name, scan in scanners.items()},
    }


def _megabyte(text: str) -> str:
    text = text or "The fee is $5 million, due within ten days. "
    return (text * (_MEGABYTE // len(text) + 1))[:_MEGABYTE]


def _speed(scan: Callable[[str], Any], text: str) -> float:
    start = time.perf_counter()
    scan(text)
    return len(text) / 1e6 / (time.perf_counter() - start)
