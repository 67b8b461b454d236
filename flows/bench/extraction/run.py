"""The bench of extraction: methods by length bin, and each item."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from flows.bench.extraction.corpus import Measured
from flows.bench.extraction.methods import FillingMethod
from tasks.judging.checklist.offline import OfflineComparator
from tasks.judging.checklist.records import ChecklistScore
from tasks.judging.checklist.scoring import score
from tasks.judging.checklist.side import Side
from tasks.judging.checklist.tables import score_rows
from tasks.legaltext.checklists.definition import Checklist

_KB_PER_MB = 1024  # the kernel gives the peak in KiB
# Of the table: the key, its heading, and the width in characters.
_COLUMNS = (
    ("style", "style", 6),
    ("bin", "bin", 7),
    ("cases", "cases", 6),
    ("s_checklist", "S_checklist", 13),
    ("lowest", "lowest", 8),
    ("unscored", "unscored", 10),
    ("documents", "documents", 10),
    ("characters", "characters", 12),
    ("tokens", "tokens", 11),
    ("calls", "calls", 7),
    ("seconds", "seconds", 9),
    ("peak_mb", "peak MB", 9),
)


def measure_extraction(cases: Iterable[Measured], methods: Sequence[FillingMethod]) -> dict[str, Any]:
    """Fill the checklist of each case by each method, and compare it with what is true, without a model.

    Cases are taken one at a time, so that a corpus never stands in memory; ``peak_mb`` is the most that the process
    has held up to the end of a row, which tells about the row where the longest cases come last.
    """
    rows: list[dict[str, Any]] = []
    scores: dict[str, list[ChecklistScore]] = {}
    checklist: Checklist | None = None
    for case in cases:
        checklist = case.checklist
        for method in methods:
            row, found = _measured(case, method)
            rows.append(row)
            scores.setdefault(method.name, []).append(found)
    return {
        "cases": rows,
        "table": _table(rows),
        "items": {name: _items(checklist, found) for name, found in scores.items()} if checklist else {},
    }


def _measured(case: Measured, method: FillingMethod) -> tuple[dict[str, Any], ChecklistScore]:
    begun = time.perf_counter()
    done = method.fill(case)
    filled = done.filled
    seconds = time.perf_counter() - begun
    found = score(case.checklist, Side(filled, {}), Side(case.reference, {}), OfflineComparator())
    return {
        "method": method.name,
        "scripted": method.scripted,
        "case": case.key,
        "bin": case.bin,
        "style": case.style,
        "characters": case.characters,
        "documents": len(case.texts),
        "s_checklist": found.s_checklist,
        "unscored": sum(item.score is None for item in found.items),
        "values": sum(len(entry.values) for entry in filled.entries.values()),
        "dropped_values": filled.dropped_values,
        "failures": [f.line() for f in done.failures],
        "tokens": done.usage.tokens,
        "calls": done.calls,
        "seconds": round(seconds, 3),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KB_PER_MB),
    }, found


def _table(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each method, style and bin."""
    keys = list(dict.fromkeys((r["method"], r["style"], r["bin"]) for r in rows))
    return [_mean(key, [r for r in rows if (r["method"], r["style"], r["bin"]) == key]) for key in keys]


def _mean(key: tuple[str, str, str], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    told = [r["s_checklist"] for r in rows if r["s_checklist"] is not None]
    return {
        **dict(zip(("method", "style", "bin"), key, strict=True)),
        "scripted": rows[0]["scripted"],
        "cases": len(rows),
        "s_checklist": round(fmean(told), 1) if told else None,
        "lowest": round(min(told), 1) if told else None,
        "unscored": sum(r["unscored"] for r in rows),  # items in no score: nobody looked, or it cannot be told
        **{name: round(fmean(r[name] for r in rows)) for name in ("documents", "characters", "tokens", "calls")},
        "seconds": round(fmean(r["seconds"] for r in rows), 2),
        "peak_mb": max(r["peak_mb"] for r in rows),
    }


def _items(checklist: Checklist, scores: Sequence[ChecklistScore]) -> list[dict[str, Any]]:
    return [
        {
            "item": r.name,
            "kind": r.kind,
            "title": r.title,
            "applicable": r.applicable,
            "score": r.score,
            "under": r.under,
            "over": r.over,
        }
        for r in score_rows(checklist, scores)
    ]


def render(result: Mapping[str, Any]) -> str:
    """Return the tables: methods by bin, then items by method."""
    if "made" in result:
        return "\n".join(
            f"{m['case']:16} {m['documents']:4} documents {m['characters']:>10,} characters" for m in result["made"]
        )
    lines = [f"{'method':20}" + "".join(f"{head:>{width}}" for _, head, width in _COLUMNS)]
    for row in result["table"]:
        name = f"{row['method']}{'*' if row['scripted'] else ''}"
        lines.append(f"{name:20}" + "".join(f"{_said(row[key]):>{width}}" for key, _, width in _COLUMNS))
    if any(row["scripted"] for row in result["table"]):
        lines.append("* a script that was given the answers: it shows the path and measures no model")
    lines += [f"{r['case']}, {r['method']}: {line}" for r in result["cases"] for line in r["failures"]]
    names = list(result["items"])
    lines += ["", f"{'item':50}{'applies':>8}" + "".join(f"{name:>20}" for name in names)]
    for rows in zip(*result["items"].values(), strict=True):
        if rows[0]["applicable"]:
            title = f"{'  ' if rows[0]['kind'] == 'item' else ''}{rows[0]['title']}"
            lines.append(f"{title:50}{rows[0]['applicable']:>8}" + "".join(f"{_said(r['score']):>20}" for r in rows))
    return "\n".join(lines)


def _said(value: object) -> str:
    return (
        "–"
        if value is None
        else f"{value:.2f}"
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int)
        else str(value)
    )
