"""Other converters on the same files in the same run: their speed, and whose text holds more of the other's words."""

from __future__ import annotations

import importlib
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

_WORD = re.compile(r"\w+")


def compare(files: Sequence[Path], ours: Mapping[Path, tuple[str, float]]) -> dict[str, Any]:
    """Measure pandoc and markitdown beside our readers; a converter that is not installed says so.

    Args:
        files: The documents.
        ours: Canonical text and seconds of each.

    Returns:
        For each converter the files that both read, documents a second of both, how many times faster we are, and
        the text recall of both: the share of the other's words that a text holds, with their count, and by distinct
        word (page numbers and the running lines of pages, which our readers keep once, count there once too).
    """
    return {name: _measure(name, files, ours) for name in ("pandoc", "markitdown")}


def _measure(name: str, files: Sequence[Path], ours: Mapping[Path, tuple[str, float]]) -> dict[str, Any]:
    try:
        convert = _converter(name)
    except (ImportError, OSError):
        return {"installed": False, "note": "not installed"}
    seconds = own_seconds = 0.0
    refused: Counter[str] = Counter()
    held = of_theirs = kept = of_ours = both = distinct = of_distinct = 0
    for path in files:
        start = time.perf_counter()
        try:
            text = convert(path)
        except Exception:  # noqa: BLE001 - boundary: a converter may raise anything on a file it does not know
            refused[path.suffix.lower()] += 1
            continue
        seconds += time.perf_counter() - start
        own, own_time = ours[path]
        own_seconds += own_time
        mine, theirs = Counter(_words(own)), Counter(_words(text))
        common = sum((mine & theirs).values())
        held, of_theirs = held + common, of_theirs + theirs.total()
        distinct, of_distinct = distinct + len(mine.keys() & theirs.keys()), of_distinct + len(theirs)
        kept, of_ours, both = kept + common, of_ours + mine.total(), both + 1
    return {
        "installed": True,
        "files": both,
        "refused": dict(refused),
        "documents_a_second": _rate(both, seconds),
        "ours_documents_a_second": _rate(both, own_seconds),
        "times_faster": _rate(seconds, own_seconds),
        "our_recall_of_its_words": round(held / of_theirs, 4) if of_theirs else None,
        "our_recall_of_its_distinct_words": round(distinct / of_distinct, 4) if of_distinct else None,
        "its_recall_of_our_words": round(kept / of_ours, 4) if of_ours else None,
    }


def _words(text: str) -> list[str]:
    return [w.lower() for w in _WORD.findall(text.replace("_", " "))]


def _rate(count: float, seconds: float) -> float | None:
    return round(count / seconds, 2) if seconds else None


def _converter(name: str) -> Callable[[Path], str]:
    """Return a converter to plain text.

    Raises:
        ImportError, OSError: It is not installed.
    """
    if name == "pandoc":
        pypandoc = importlib.import_module("pypandoc")
        pypandoc.get_pandoc_version()
        known, _ = pypandoc.get_pandoc_formats()

        def pandoc(path: Path) -> str:
            suffix = path.suffix.lower().lstrip(".")
            source = {"md": "markdown", "txt": "markdown"}.get(suffix, suffix)
            if source not in known:
                raise ValueError(f"pandoc reads no {suffix}")
            return str(pypandoc.convert_file(str(path), "plain", format=source, extra_args=["--wrap=none"]))

        return pandoc
    converter = importlib.import_module("markitdown").MarkItDown()
    return lambda path: str(converter.convert(str(path)).text_content)
