"""Labels of a reader, kept by the hash of the title, beside the titles and labels of the index.

``labels.csv`` holds 200 titles of the index, the first by SHA-256 of ``router-kept|`` and the title. They were labelled
from the title and the list of classes alone, before the router or the index's own labels were looked at. The titles
are not ours to publish, so each is named by its SHA-256, and the index is needed to measure.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.bench.request import misuse
from flows.bench.router.run import Row, class_name, measure_rows
from tasks.harness import Harness

LABELS = Path(__file__).parent / "labels.csv"
INDEX = Path("lab/inventory_2010.jsonl.gz")
FORMAL = ("contracts", "firm-knowledge")  # areas whose titles have a form that gives them away
_COLUMNS = ("title_sha256", "area", "work_type")


def measure_kept(data: Path, harness: Harness, labels: Path | None = None) -> dict[str, Any]:
    """Measure the router on the kept labels, and the index's own labels beside them.

    A title that the index holds more than once counts with its last row.

    Args:
        data: The shared data, with the index of matters.
        harness: The harness whose router is measured.
        labels: CSV with the columns ``title_sha256``, ``area`` and ``work_type``; the committed one when None.

    Returns:
        What ``measure_rows`` tells, and ``other`` (the same without the areas of ``FORMAL`` by the reader), ``index``
        and ``index_other`` (``n`` and the shares of ``class``, ``area`` and ``work_type`` on which the index agrees
        with the reader), and ``missing`` (labels whose title the index does not hold).

    Raises:
        SolonError: The index or the labels are missing or something else, or share no title.
    """
    kept = _labels(labels or LABELS)
    index = _index(data / INDEX)
    pairs = [(row | {"title": index[sha]["title"]}, index[sha]) for sha, row in kept.items() if sha in index]
    if not pairs:
        raise misuse(str(data / INDEX), "holds none of the labelled titles", "name the index they were drawn from")
    others = [(row, own) for row, own in pairs if row["area"] not in FORMAL]
    return {
        **measure_rows([row for row, _ in pairs], harness),
        "other": _headline(measure_rows([row for row, _ in others], harness)),
        "index": _agreement(pairs),
        "index_other": _agreement(others),
        "missing": len(kept) - len(pairs),
    }


def render_kept(result: Mapping[str, Any]) -> str:
    """Return what stands above the table of a measurement on kept labels."""
    other, whole, rest = result["other"], result["index"], result["index_other"]
    lines = [
        f"without {' and '.join(FORMAL)}: {other['n']} titles, class first {other['top1']:.1%}, among three "
        f"{other['top3']:.1%}; area {other['area']:.1%}, work type {other['work_type']:.1%}",
        f"index and reader agree on {whole['class']:.1%} of the classes, {whole['area']:.1%} of the areas and "
        f"{whole['work_type']:.1%} of the work types; "
        f"of the {rest['n']} on {rest['class']:.1%}, {rest['area']:.1%} and {rest['work_type']:.1%}",
    ]
    if result["missing"]:
        lines.append(f"{result['missing']} labelled titles are not in this index and are not counted")
    return "\n".join(lines)


def _headline(measured: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in measured.items() if name != "classes"}


def _agreement(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    parts: dict[str, Callable[[str], str]] = {
        "class": lambda name: name,
        "area": lambda name: name.partition("/")[0],
        "work_type": lambda name: name.partition("/")[2],
    }
    named = [(class_name(reader), class_name(own)) for reader, own in pairs]
    shares = {k: sum(part(a) == part(b) for a, b in named) / len(named) if named else 0.0 for k, part in parts.items()}
    return {"n": len(named), **shares}


def _labels(file: Path) -> dict[str, Row]:
    if not file.is_file():
        raise misuse(file.name, "is not there", "name a CSV with --labels FILE")
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    if not rows or any(row.get(column) is None for row in rows for column in _COLUMNS):
        raise misuse(
            file.name, f"has no rows with the columns {', '.join(_COLUMNS)}", "write them as a CSV with a header"
        )
    return {row["title_sha256"]: row for row in rows}


def _index(file: Path) -> dict[str, Row]:
    if not file.is_file():
        raise misuse(
            str(file),
            "is not there: the titles of the kept labels stand in it alone",
            "name the shared data with --data DIR, or titles of your own with --titles FILE: title, area, work_type",
        )
    try:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            read = [json.loads(line) for line in stream if line.strip()]
        rows = [{name: str(row.get(name) or "") for name in ("title", "area", "work_type")} for row in read]
    except (OSError, EOFError, ValueError, AttributeError) as error:
        raise misuse(str(file), "is no index of matters", "take it from the shared data again") from error
    return {hashlib.sha256(row["title"].encode()).hexdigest(): row for row in rows}
