"""Span retrieval measured on LegalBench-RAG: character precision and recall at k, beside simple baselines.

``data`` is a folder with ``benchmarks/<name>.json`` and ``corpus/<name>/``. Two protocols: ``corpus`` searches all
documents of a data set, ``document`` only those that the question is about.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks.matter.base import content_hash
from tasks.retrieval.chunks import ChunkPolicy
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.pieces import IndexProfile
from tasks.sources.records import CanonicalText

KS = (1, 2, 4, 8, 16, 32, 64)
SYSTEMS: Mapping[str, IndexProfile] = {
    "fixed500": IndexProfile(
        routing=False, synonym_weight=0.0, lexical_weight=0.0, dense_weight=1.0, policy=ChunkPolicy(fixed=500)
    ),
    "bm25": IndexProfile(routing=False, synonym_weight=0.0, embedder="none", policy=ChunkPolicy(fixed=500)),
    "solon": IndexProfile(),
}
Spans = Sequence[tuple[str, int, int]]


def overlap(found: Spans, gold: Spans) -> int:
    """Return how many characters of ``found`` lie in ``gold``; neither counts a character twice."""
    total = 0
    for document in {name for name, _, _ in found}:
        one, two = _union(found, document), _union(gold, document)
        total += sum(max(0, min(a2, b2) - max(a1, b1)) for a1, a2 in one for b1, b2 in two)
    return total


def characters(spans: Spans) -> int:
    """Return how many characters spans cover."""
    return sum(b - a for name in {n for n, _, _ in spans} for a, b in _union(spans, name))


def _union(spans: Spans, document: str) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((a, b) for name, a, b in spans if name == document):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def load_benchmark(
    data: Path, name: str, sample: int | None = None
) -> tuple[list[dict[str, Any]], dict[str, CanonicalText]]:
    """Return the questions of a data set (a sample chosen by hash, so that it never shifts) and its documents."""
    tests = json.loads((data / "benchmarks" / f"{name}.json").read_text(encoding="utf-8"))["tests"]
    if sample is not None and sample < len(tests):
        tests = sorted(tests, key=lambda t: content_hash(t["query"]))[:sample]
    texts = {}
    for path in sorted((data / "corpus" / name).iterdir()):
        key = f"{name}/{path.name}"
        text = path.read_bytes().decode("utf-8")
        texts[key] = CanonicalText(document=key, sha256=content_hash(text), extractor="bench", media="txt", text=text)
    return tests, texts


def measure(
    index: MatterIndex, tests: Iterable[Mapping[str, Any]], protocol: str, ks: Sequence[int] = KS
) -> dict[str, Any]:
    """Return mean precision and recall at each k, the wrong-document rate at 1, and the time a query takes."""
    recall, precision, returned = dict.fromkeys(ks, 0.0), dict.fromkeys(ks, 0.0), dict.fromkeys(ks, 0.0)
    wrong, n, seconds = 0, 0, 0.0
    for test in tests:
        gold = [(s["file_path"], *s["span"]) for s in test["snippets"]]
        only = sorted({name for name, _, _ in gold}) if protocol == "document" else None
        started = time.perf_counter()
        passages = index.search(test["query"], max(ks), only)
        seconds += time.perf_counter() - started
        found = [(p.span.document, p.span.start, p.span.end) for p in passages]
        wrong += bool(found) and found[0][0] not in {name for name, _, _ in gold}
        size = characters(gold)
        for k in ks:
            hit, out = overlap(found[:k], gold), characters(found[:k])
            recall[k] += hit / size
            precision[k] += hit / out if out else 0.0
            returned[k] += out
        n += 1
    total = max(n, 1)
    return {
        "n": n,
        "recall": {k: round(100 * v / total, 2) for k, v in recall.items()},
        "precision": {k: round(100 * v / total, 2) for k, v in precision.items()},
        "characters": {k: round(v / total) for k, v in returned.items()},
        "wrong_document_rate": round(wrong / total, 4),
        "milliseconds_a_query": round(1000 * seconds / total, 2),
    }


def run_bench(
    data: Path,
    cache: Path,
    datasets: Sequence[str] = ("contractnli", "cuad", "privacy_qa"),
    sample: int | None = 100,
    systems: Mapping[str, IndexProfile] = SYSTEMS,
) -> dict[str, Any]:
    """Run every system under both protocols on each data set.

    Returns:
        ``{data set: {system: {protocol: measures, "megabytes_a_minute": …}}}``.
    """
    results: dict[str, Any] = {}
    for name in datasets:
        tests, texts = load_benchmark(data, name, sample)
        size = sum(len(text.text) for text in texts.values())
        for system, profile in systems.items():
            index = MatterIndex(texts, cache / system, profile)
            started = time.perf_counter()
            index.prepare()
            speed = size / 1e6 / max(time.perf_counter() - started, 1e-9) * 60
            row: dict[str, Any] = {"megabytes_a_minute": round(speed, 1)}
            row.update({protocol: measure(index, tests, protocol) for protocol in ("corpus", "document")})
            results.setdefault(name, {})[system] = row
    return results
