"""``solon bench retrieval``: Solon and simple baselines on LegalBench-RAG, in one run.

``data`` is a folder with ``benchmarks/<name>.json`` and ``corpus/<name>/``. Two protocols: ``corpus`` searches all
documents of a data set (the benchmark's own), ``document`` only those that the question is about.

The result, one JSON object::

    {"about": {"protocols", "ks", "limit", "rerank", "note",
               "systems": {system: profile},
               "data_sets": {name: {"queries", "documents", "characters", "gold_spans"}},
               "model_load_seconds": {model: s}},
     "<data set>": {"<system>": {"megabytes_a_minute", "index_seconds", "milliseconds_at_8": {"median", "p95"},
                                 "corpus": measures, "document": measures},
                    "published": PAKTON's figures under their label},
     "pooled": {"<system>": {"corpus": measures, "document": measures}},             every query counts once
     "mean_of_data_sets": {"<system>": {protocol: {"recall": {k: …}, …}}, "published": …}}   every data set does

``measures``: n; recall, precision (by characters), span_recall, span_precision, all in per cent by k; characters
returned by k; recall_per_1000_characters by k; recall_within_characters by budget; wrong_document_rate (of the first
passage) and wrong_document_rate_first_8; milliseconds_a_query (mean) and milliseconds (median, p95) at the largest k.
``solon_narrow`` returns sentences instead of passages, chosen by cues and words; ``solon_filter`` lets a model choose
them on some queries; ``solon_rerank`` adds ``without``: Solon without the cross-encoder on the very same queries.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from flows.bench.retrieval.measures import (
    BUDGETS,
    KS,
    QueryOutcome,
    characters,
    judge_query,
    milliseconds,
    overlap,
    summarize_queries,
)
from flows.bench.retrieval.published import LABEL, published
from tasks.matter.base import content_hash
from tasks.models.access import ModelAccess
from tasks.retrieval.chunks import ChunkPolicy
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.retrieval.narrowing import CueChooser, SentenceChooser, narrow
from tasks.retrieval.provisions import Provision
from tasks.sources.records import CanonicalText

__all__ = ["BUDGETS", "KS", "SYSTEMS", "characters", "load_benchmark", "measure", "overlap", "run_bench"]

PROTOCOLS = ("corpus", "document")
RERANKED = 25  # questions of each data set that the cross-encoder reads, which is slow on a processor
RERANKER = "minilm-reranker"
_TIMED = 25  # questions of each data set that are timed: the median of so many is steady
_PLAIN = IndexProfile(
    routing=False, synonym_weight=0.0, topic_weight=0.0, reading_weight=0.0, policy=ChunkPolicy(fixed=500)
)
SYSTEMS: Mapping[str, IndexProfile] = MappingProxyType(
    {
        "fixed500": _PLAIN.model_copy(update={"lexical_weight": 0.0, "dense_weight": 1.0}),
        "bm25": _PLAIN.model_copy(update={"embedder": "none"}),
        "solon": IndexProfile(),
    }
)
Test = Mapping[str, Any]
Choice = Callable[[Sequence[Provision]], SentenceChooser]
Say = Callable[[str], object]
_NO_TIME = 1e-9  # seconds: no division by zero


def data_sets(data: Path) -> list[str]:
    """Return the data sets of a folder that have both questions and documents."""
    names = (path.stem for path in sorted((data / "benchmarks").glob("*.json")))
    return [name for name in names if (data / "corpus" / name).is_dir()]


def systems_with(embedder: str = "", chunks: Sequence[str] = ()) -> dict[str, IndexProfile]:
    """Return the systems, both baselines and Solon; the fixed chunks and Solon with another embedder where named.

    An embedder that reads words in their context is trusted as much as BM25 (:class:`IndexProfile`). Each kind of
    chunks that is named is a row of its own.
    """
    changed = _with_embedder(embedder)
    return {**changed, **chunked(changed, chunks)}


def chunked(systems: Mapping[str, IndexProfile], kinds: Sequence[str]) -> dict[str, IndexProfile]:
    """Return Solon's profile with each kind of chunks, by the name of its row."""
    rows = {}
    for kind in kinds:
        solon = systems["solon"]
        policy = ChunkPolicy.model_validate({**solon.policy.model_dump(), "kind": kind})
        rows[f"solon_{kind}"] = solon.model_copy(update={"policy": policy})
    return rows


def _with_embedder(embedder: str) -> dict[str, IndexProfile]:
    changed = dict(SYSTEMS)
    if not embedder:
        return changed
    changed["fixed500"] = SYSTEMS["fixed500"].model_copy(update={"embedder": embedder})
    weight = SYSTEMS["solon"].dense_weight if embedder == "wordllama" else 1.0
    changed["solon"] = SYSTEMS["solon"].model_copy(update={"embedder": embedder, "dense_weight": weight})
    return changed


def load_benchmark(
    data: Path, name: str, sample: int | None = None
) -> tuple[list[dict[str, Any]], dict[str, CanonicalText]]:
    """Return the questions of a data set (a sample chosen by hash, so that it never shifts) and its documents."""
    tests = json.loads((data / "benchmarks" / f"{name}.json").read_text(encoding="utf-8"))["tests"]
    texts = {}
    for path in sorted((data / "corpus" / name).iterdir()):
        key = f"{name}/{path.name}"
        text = path.read_bytes().decode("utf-8")
        texts[key] = CanonicalText(document=key, sha256=content_hash(text), extractor="bench", media="txt", text=text)
    return sampled(tests, sample), texts


def sampled(tests: Sequence[Any], sample: int | None) -> list[Any]:
    """Return all questions, or so many, chosen by the hash of their words."""
    if sample is None or sample >= len(tests):
        return list(tests)
    return sorted(tests, key=lambda t: content_hash(t["query"]))[:sample]


def outcomes_of(
    index: MatterIndex, tests: Iterable[Test], protocol: str, ks: Sequence[int] = KS, chosen: Choice | None = None
) -> list[QueryOutcome]:
    """Ask every question in order and judge the passages; they are narrowed where ``chosen`` is given."""
    outcomes = []
    for test in tests:
        gold = [(s["file_path"], *s["span"]) for s in test["snippets"]]
        only = sorted({name for name, _, _ in gold}) if protocol == "document" else None
        started = time.perf_counter()
        passages = index.search(test["query"], max(ks), only)
        if chosen is not None:
            question, sought = index.sought(test["query"], only)
            passages = narrow(passages, question, chosen(sought))
        seconds = time.perf_counter() - started
        found = [(p.span.document, p.span.start, p.span.end) for p in passages]
        outcomes.append(judge_query(found, gold, seconds, ks))
    return outcomes


def measure(index: MatterIndex, tests: Iterable[Test], protocol: str, ks: Sequence[int] = KS) -> dict[str, Any]:
    """Return the measures of a system under one protocol."""
    return summarize_queries(outcomes_of(index, tests, protocol, ks))


def run_bench(
    data: Path,
    datasets: Sequence[str] = (),
    sample: int | None = None,
    systems: Mapping[str, IndexProfile] = SYSTEMS,
    rerank: int = RERANKED,
    say: Say = str,
    model: SentenceChooser | None = None,
) -> dict[str, Any]:
    """Run every system under both protocols on each data set, from a cold cache.

    Args:
        data: The benchmark.
        datasets: Names of data sets; all of the folder when empty.
        sample: Maximum number of questions per data set; all when None.
        systems: Index profiles by name; the one named ``solon`` is also run with the cross-encoder.
        rerank: Questions per data set that are asked with the cross-encoder, which takes about a second per question;
            0 leaves it out.
        say: Takes a line of progress; ``str`` keeps silent.
        model: Chooses the sentences of the first ten passages on so many questions as the cross-encoder gets.
    """
    names = list(datasets) or data_sets(data)
    loads = load_models(systems, rerank > 0)
    rows: dict[str, Any] = {}
    pooled: dict[str, dict[str, list[QueryOutcome]]] = {}
    corpora: dict[str, Any] = {}
    for name in names:
        tests, texts = load_benchmark(data, name, sample)
        corpora[name] = _corpus(tests, texts)
        rows[name] = {}
        with tempfile.TemporaryDirectory() as cache:
            for system, profile in systems.items():
                say(f"{name}: {system}, {len(tests)} queries")
                row, outcomes = _run_system(texts, tests, Path(cache), profile)
                rows[name][system] = row
                _add(pooled, system, outcomes)
                if system == "solon":
                    row, again = _run_narrowed(texts, tests, Path(cache), profile, CueChooser)
                    rows[name]["solon_narrow"] = row
                    _add(pooled, "solon_narrow", again)
                if system == "solon" and model is not None:
                    few = sampled(tests, rerank or RERANKED)
                    say(f"{name}: solon_filter, {len(few)} queries")
                    row, again = _run_narrowed(texts, few, Path(cache), profile, lambda _: model)
                    rows[name]["solon_filter"] = row
                    _add(pooled, "solon_filter", again)
                if system == "solon" and rerank:
                    few = sampled(tests, rerank)
                    say(f"{name}: solon_rerank, {len(few)} queries")
                    row, again = _run_reranked(texts, few, Path(cache), profile, _same(tests, few, outcomes))
                    rows[name]["solon_rerank"] = row
                    _add(pooled, "solon_rerank", again)
        rows[name]["published"] = published(name)
    about = {
        "protocols": list(PROTOCOLS),
        "ks": list(KS),
        "limit": sample,
        "rerank": rerank,
        "note": LABEL,
        "systems": {system: profile.model_dump(mode="json") for system, profile in systems.items()},
        "data_sets": corpora,
        "model_load_seconds": loads,
    }
    together = {s: {p: summarize_queries(found) for p, found in by.items()} for s, by in pooled.items()}
    return {"about": about, **rows, "pooled": together, "mean_of_data_sets": _mean_of_data_sets(rows)}


def load_models(systems: Mapping[str, IndexProfile], rerank: bool) -> dict[str, float]:
    """Load the models that the systems need; return the seconds for each, which the speeds leave out."""
    loads: dict[str, float] = {}
    models = ModelAccess()
    for name in sorted({profile.embedder for profile in systems.values()} - {"none"}):
        loads[name] = _seconds(lambda name=name: models.client(name, "embeddings").embed(["load"]))  # type: ignore[misc]
    if rerank:
        loads["reranker"] = _seconds(lambda: models.client(RERANKER, "reranker").rerank("load", ["it"]))
    return loads


def _run_system(
    texts: Mapping[str, CanonicalText], tests: Sequence[Test], cache: Path, profile: IndexProfile
) -> tuple[dict[str, Any], dict[str, list[QueryOutcome]]]:
    """Index from a cold cache and ask, under both protocols."""
    size = sum(len(text.text) for text in texts.values())
    index = MatterIndex(texts, cache / content_hash(profile.model_dump(mode="json"))[:16], profile)
    seconds = _seconds(index.prepare)
    outcomes = {protocol: outcomes_of(index, tests, protocol) for protocol in PROTOCOLS}
    row: dict[str, Any] = {
        "megabytes_a_minute": round(size / 1e6 / max(seconds, _NO_TIME) * 60, 2),
        "index_seconds": round(seconds, 2),
        "milliseconds_at_8": _timed(index, tests),
        **{protocol: summarize_queries(found) for protocol, found in outcomes.items()},
    }
    return row, outcomes


def _run_reranked(
    texts: Mapping[str, CanonicalText],
    tests: Sequence[Test],
    cache: Path,
    profile: IndexProfile,
    without: Mapping[str, Sequence[QueryOutcome]],
) -> tuple[dict[str, Any], dict[str, list[QueryOutcome]]]:
    """Ask the same index with the cross-encoder; the result is reported beside Solon's on the same queries."""
    folder = cache / content_hash(profile.model_dump(mode="json"))[:16]
    index = MatterIndex(texts, folder, profile.model_copy(update={"reranker": RERANKER}))
    index.prepare()
    outcomes = {protocol: outcomes_of(index, tests, protocol) for protocol in PROTOCOLS}
    row: dict[str, Any] = {
        "milliseconds_at_8": _timed(index, tests[:10]),
        **{protocol: summarize_queries(found) for protocol, found in outcomes.items()},
        "without": {protocol: summarize_queries(found) for protocol, found in without.items()},
    }
    return row, outcomes


def _run_narrowed(
    texts: Mapping[str, CanonicalText], tests: Sequence[Test], cache: Path, profile: IndexProfile, chosen: Choice
) -> tuple[dict[str, Any], dict[str, list[QueryOutcome]]]:
    """Ask the same index and return sentences of the first ten passages, then the passages after them."""
    index = MatterIndex(texts, cache / content_hash(profile.model_dump(mode="json"))[:16], profile)
    outcomes = {protocol: outcomes_of(index, tests, protocol, chosen=chosen) for protocol in PROTOCOLS}
    return {protocol: summarize_queries(found) for protocol, found in outcomes.items()}, outcomes


def _timed(index: MatterIndex, tests: Sequence[Test]) -> dict[str, float]:
    """Return wall times of searches as a caller makes them: eight passages from all documents."""
    return milliseconds([_seconds(lambda t=t: index.search(t["query"], 8)) for t in tests[:_TIMED]])  # type: ignore[misc]


def _same(
    tests: Sequence[Test], few: Sequence[Test], outcomes: Mapping[str, Sequence[QueryOutcome]]
) -> dict[str, list[QueryOutcome]]:
    places = {id(test): i for i, test in enumerate(tests)}
    return {protocol: [found[places[id(test)]] for test in few] for protocol, found in outcomes.items()}


def _add(
    pooled: dict[str, dict[str, list[QueryOutcome]]], system: str, outcomes: Mapping[str, list[QueryOutcome]]
) -> None:
    for protocol, found in outcomes.items():
        pooled.setdefault(system, {}).setdefault(protocol, []).extend(found)


def _mean_of_data_sets(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Average the data sets, each of the same weight, as PAKTON's ALL does over its four."""
    systems = {system for row in rows.values() for system in row if system != "published"}
    means: dict[str, Any] = {"published": published("all")}
    for system in sorted(systems):
        for protocol in PROTOCOLS:
            found = [row[system][protocol] for row in rows.values() if row.get(system, {}).get(protocol, {}).get("n")]
            means.setdefault(system, {})[protocol] = {
                name: {k: round(sum(m[name][k] for m in found) / len(found), 2) for k in KS}
                for name in ("recall", "precision", "span_recall", "span_precision")
                if found
            }
    return means


def _corpus(tests: Sequence[Test], texts: Mapping[str, CanonicalText]) -> dict[str, int]:
    return {
        "queries": len(tests),
        "documents": len(texts),
        "characters": sum(len(text.text) for text in texts.values()),
        "gold_spans": sum(len(test["snippets"]) for test in tests),
    }


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return round(time.perf_counter() - started, 6)
