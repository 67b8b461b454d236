"""``solon bench scale``: time and memory of index, queries and graph at a matter of 1.5 million tokens.

A second row is one document of 3 MB.

Each row is measured in a process of its own, from a cold cache, so that its peak memory is its own. The texts are the
contracts of ``corpus/`` of a LegalBench-RAG folder; where they do not suffice they are repeated with other numbers.

The result::

    {"<row>": {"documents", "characters", "index_seconds", "megabytes_a_minute", "reload_seconds",
               "milliseconds": {"median", "p95"}, "graph_seconds", "expand_milliseconds": {…},
               "peak_megabytes": {"start", "index", "queries", "graph"}}}
"""

from __future__ import annotations

import multiprocessing
import re
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from flows.bench.retrieval.measures import milliseconds
from tasks.matter.base import content_hash
from tasks.matter.interpreter import safe_children
from tasks.sources.records import CanonicalText

SCALES: Mapping[str, tuple[int, int]] = {"matter": (120, 6_500_000), "document": (1, 3_000_000)}
_QUESTIONS = (
    "Which law governs?",
    "May the agreement be assigned without consent?",
    "What is the cap on liability?",
    "When does the term end, and does it renew?",
    "Who owns the intellectual property that is developed?",
    "Is there a covenant not to compete?",
    "What happens upon a change of control?",
    "Which insurance must be kept?",
)
_ROUNDS = 4  # times that each question is asked, for a median
_NO_TIME = 1e-9  # seconds: no division by zero


def measure_scale(data: Path, scales: Mapping[str, tuple[int, int]] = SCALES, embedder: str = "") -> dict[str, Any]:
    """Measure each scale, given as documents and characters, in a process of its own."""
    context = multiprocessing.get_context("spawn")
    rows: dict[str, Any] = {}
    for name, (documents, characters) in scales.items():
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_measure, args=(sender, data, documents, characters, embedder))
        with safe_children():
            process.start()
        sender.close()
        try:
            rows[name] = receiver.recv()
        except EOFError:  # the process was ended, for want of memory as a rule
            rows[name] = {"documents": documents, "characters": characters, "failed": "the process was ended"}
        process.join()
    return rows


def made_up(data: Path, documents: int, characters: int) -> dict[str, CanonicalText]:
    """Return so many documents with so many characters in total, made of real contracts."""
    pieces = _pieces(data)
    texts: dict[str, CanonicalText] = {}
    share = characters // documents
    for i in range(documents):
        parts, size = [], 0
        while size < share:
            part = next(pieces)
            parts.append(part)
            size += len(part) + 2
        text = "\n\n".join(parts)[:share]
        name = f"{i:04d}.txt"
        texts[name] = CanonicalText(document=name, sha256=content_hash(text), extractor="bench", media="txt", text=text)
    return texts


def _pieces(data: Path) -> Iterator[str]:
    """Yield the contracts; each further round replaces every number by another."""
    paths = sorted(p for p in (data / "corpus").rglob("*.txt"))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
    turn = 0
    while texts:
        for text in texts:
            yield re.sub(r"\b\d{3,}\b", lambda m: str(int(m[0]) + turn), text) if turn else text  # noqa: B023 (used at once)
        turn += 1


def _measure(sender: Any, data: Path, documents: int, characters: int, embedder: str) -> None:
    from tasks.retrieval.index import MatterIndex
    from tasks.retrieval.indexed_documents import IndexProfile

    texts = made_up(data, documents, characters)
    profile = IndexProfile(embedder=embedder) if embedder else IndexProfile()
    size = sum(len(text.text) for text in texts.values())
    row: dict[str, Any] = {"documents": len(texts), "characters": size}
    peaks = {"start": _peak()}
    with tempfile.TemporaryDirectory() as cache:
        MatterIndex({}, Path(cache), profile).search("load the models", 1)
        index = MatterIndex(texts, Path(cache), profile)
        row["index_seconds"] = _seconds(index.prepare)
        row["megabytes_a_minute"] = round(size / 1e6 / max(row["index_seconds"], _NO_TIME) * 60, 2)
        peaks["index"] = _peak()
        asked = [_seconds(lambda q=q: index.search(q, 8)) for q in _QUESTIONS * _ROUNDS]
        row["milliseconds"] = milliseconds(asked)
        peaks["queries"] = _peak()
        again = MatterIndex(texts, Path(cache), profile)
        row["reload_seconds"] = _seconds(again.prepare)
        del again
        row.update(_graph(texts, index))
        peaks["graph"] = _peak()
    row["peak_megabytes"] = peaks
    sender.send(row)


def _graph(texts: Mapping[str, CanonicalText], index: Any) -> dict[str, Any]:
    from tasks.retrieval.graph.graph import build_graph

    started = time.perf_counter()
    graph = build_graph(texts, {name: index.clauses(name) for name in texts})
    seconds = round(time.perf_counter() - started, 2)
    spans = [passage.span for question in _QUESTIONS for passage in index.search(question, 4)]
    return {
        "graph_seconds": seconds,
        "expand_milliseconds": milliseconds([_seconds(lambda s=s: graph.expand(s)) for s in spans]),
    }


def _peak() -> float:
    """Return the most memory that this process has held, in MB."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(used / (1e6 if sys.platform == "darwin" else 1e3), 1)


def _seconds(work: Any) -> float:
    started = time.perf_counter()
    work()
    return round(time.perf_counter() - started, 6)
