"""The retrieval bench for a reader: one table per data set and protocol, with n and the meaning of each figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flows.bench.retrieval.graded import render_rated

_SHOWN = (1, 2, 4, 8, 16, 64)  # ranks that are shown: the table stays within a terminal


def render(result: Mapping[str, Any]) -> str:
    """Return the tables of a result of ``run_bench``, or of ``run_rated``, as plain text."""
    about = result["about"]
    if "data_sets" not in about:
        return render_rated(result)
    parts = [_models(about)]
    for name in [*about["data_sets"], "pooled"]:
        corpus = about["data_sets"].get(name)
        for protocol in about["protocols"]:
            head = f"{name}, {_PROTOCOL[protocol]}"
            if corpus:
                head += f" ({corpus['documents']} documents, {corpus['characters']:,} characters)"
            rows = [_row(system, row, protocol) for system, row in result[name].items() if protocol in row]
            if name in about["data_sets"] and (said := result[name].get("published")):
                rows.append(_published(said))
            parts.append("\n".join([head, *_align([_HEAD, *rows])]))
    parts.append(f"PAKTON*: {about['note']}. k: passages returned; chars: characters returned at k = 8.")
    return "\n\n".join(parts)


def render_scale(result: Mapping[str, Any]) -> str:
    """Return the rows of :func:`flows.bench.retrieval.scale.measure_scale` as plain text."""
    head = ["", "documents", "characters", "MB/min", "reload s", "query ms p50", "p95", "graph s", "expand ms p95"]
    rows = [[*head, "peak MB: start", "index", "queries", "graph"]]
    for name, row in result.items():
        if "failed" in row:
            rows.append([name, str(row["documents"]), f"{row['characters']:,}", row["failed"], *["-"] * 9])
            continue
        speed, peaks = row["milliseconds"], row["peak_megabytes"]
        cells = [f"{row['megabytes_a_minute']:.1f}", f"{row['reload_seconds']:.1f}"]
        cells += [f"{speed['median']:.0f}", f"{speed['p95']:.0f}", f"{row['graph_seconds']:.1f}"]
        cells += [f"{row['expand_milliseconds']['p95']:.0f}", *(f"{peak:.0f}" for peak in peaks.values())]
        rows.append([name, str(row["documents"]), f"{row['characters']:,}", *cells])
    return "\n".join(_align(rows))


_PROTOCOL = {"corpus": "whole corpus searched", "document": "the queried document searched"}
_HEAD = [
    "system",
    "n",
    *(f"R@{k}" for k in _SHOWN),
    "P@8",
    "spanR@8",
    "chars",
    "R/1000ch",
    "R 4000ch",
    "wrong@1",
    "wrong@8",
    "ms p50",
    "ms p95",
    "MB/min",
]


def _row(system: str, row: Mapping[str, Any], protocol: str) -> list[str]:
    found = row[protocol]
    speed = row.get("milliseconds_at_8") or {}
    return [
        system,
        str(found["n"]),
        *(f"{found['recall'][k]:.1f}" for k in _SHOWN),
        f"{found['precision'][8]:.1f}",
        f"{found['span_recall'][8]:.1f}",
        f"{found['characters'][8]:,}",
        f"{found['recall_per_1000_characters'][8]:.1f}",
        f"{found['recall_within_characters'][4_000]:.1f}",
        f"{found['wrong_document_rate']:.3f}",
        f"{found['wrong_document_rate_first_8']:.3f}",
        *(f"{speed[name]:.0f}" if name in speed else "-" for name in ("median", "p95")),
        f"{row['megabytes_a_minute']:.1f}" if "megabytes_a_minute" in row else "-",
    ]


def _published(said: Mapping[str, Any]) -> list[str]:
    recall, returned = said["recall"], said.get("characters", {})
    ratio = f"{1000 * recall[8] / returned[8]:.1f}" if 8 in returned else "-"
    cells = [f"{recall[k]:.1f}" if k in recall else "-" for k in _SHOWN]
    tail = [f"{said['precision'][8]:.1f}", f"{said['span_recall'][8]:.1f}"]
    return ["PAKTON*", "-", *cells, *tail, f"{returned[8]:,}" if 8 in returned else "-", ratio, *["-"] * 6]


def _models(about: Mapping[str, Any]) -> str:
    loads = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in about["model_load_seconds"].items())
    limit = "all queries" if about["limit"] is None else f"at most {about['limit']} queries a data set, by hash"
    return f"LegalBench-RAG: {limit}; models loaded in {loads} (kept apart from the speeds)"


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  " + "  ".join(cells))
    return lines
