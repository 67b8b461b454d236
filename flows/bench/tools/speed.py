"""Speed of the scanners on one megabyte of contract text, and of the readers on real files."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

_MEGABYTE = 1_000_000  # characters that each tool reads; the speed is told for one


def measure_speed(folder: Path, limit: int) -> dict[str, Any]:
    """Measure on the documents below a folder.

    Args:
        folder: Any folder of documents.
        limit: Most files read.

    Returns:
        ``{"readers": {media: {"documents", "documents_a_second"}}, "scanners": {name: MB/s}, "bytes", "beside"}``;
        ``beside`` compares our readers with other converters on the files that both read.
    """
    from flows.bench.tools.others import measure_converters
    from tasks.legaltext.citations.scan import scan_citations
    from tasks.legaltext.dates.scan import scan_dates
    from tasks.legaltext.numbers.scan import scan_numbers
    from tasks.legaltext.windows.scan import scan_windows
    from tasks.sources.records import SegmentKind
    from tasks.sources.texts import read_file

    files = _chosen(folder, limit)
    for first in {p.suffix.lower(): p for p in files}.values():
        read_file(first)  # starts the reading process and its libraries, which serve hundreds of documents
    seconds: dict[str, list[float]] = defaultdict(list)
    texts: dict[Path, str] = {}

    def read(path: Path) -> tuple[str, float]:
        start = time.perf_counter()
        text = read_file(path)
        took = time.perf_counter() - start
        if path not in texts:
            seconds[text.media or path.suffix.lstrip(".")].append(took)
            texts[path] = text.text
        # Page numbers are taken out of the running text and kept as the names of its pages.
        pages = [s.label for s in text.segments if s.kind is SegmentKind.PAGE]
        return "\n".join([text.text, *pages]), took

    beside = measure_converters(files, read)
    corpus = _megabyte("\n".join(texts.values()))
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
        "beside": beside,
        "bytes": len(corpus),
        "scanners": {name: round(_speed(scan, corpus), 3) for name, scan in scanners.items()},
    }


def _chosen(folder: Path, limit: int) -> list[Path]:
    """Return at most ``limit`` files, taking every format in turn so that none is left out of a small sample."""
    from tasks.sources.readers import FORMATS

    suffixes = {suffix for form in FORMATS.values() for suffix in form.suffixes}
    by_suffix: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in suffixes and path.name != "task.json" and path.is_file():
            by_suffix[path.suffix.lower()].append(path)
    turns = zip_longest(*(by_suffix[s] for s in sorted(by_suffix)))
    return sorted([path for turn in turns for path in turn if path is not None][:limit])


def _megabyte(text: str) -> str:
    text = text or "The fee is $5 million, due within ten days. "
    return (text * (_MEGABYTE // len(text) + 1))[:_MEGABYTE]


def _speed(scan: Callable[[str], Any], text: str) -> float:
    start = time.perf_counter()
    scan(text)
    return len(text) / 1e6 / (time.perf_counter() - start)
