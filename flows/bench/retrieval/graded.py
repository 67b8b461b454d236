"""Lawyers' drafting queries over clauses that lawyers rated: ACORD, and any folder of the same form.

``data`` is a folder in BEIR form: ``queries.jsonl``, ``corpus.jsonl`` and ``qrels/*.tsv`` with ratings 0 to 4 (1 to 5
stars). A query ranks the clauses that were rated for it and no others. Each clause is a document of one matter, so
that what is measured is the ``search`` of a matter; a clause stands where its best passage stands.

The result, one JSON object, per cent::

    {"acord": {"<system>": {"n", "ndcg": {"5", "10"}, "precision": {"3", "4", "5"}, "milliseconds": {"median", "p95"},
                            "splits": {name of a qrels file: {"n", "ndcg", "precision"}}}},
     "about": {"measures", "clauses", "queries", "limit", "systems": {system: profile}, "skipped": {system: reason}}}
"""

from __future__ import annotations

import csv
import json
import math
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from flows.bench.retrieval.measure import chunked, sampled
from flows.bench.retrieval.measures import milliseconds
from tasks.matter.base import content_hash
from tasks.matter.failures import SolonError
from tasks.models.access import ModelAccess
from tasks.retrieval.chunks import ChunkPolicy
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.sources.records import CanonicalText

CUTS = (5, 10)  # ranks at which ACORD reports NDCG
STARS = (3, 4, 5)  # grades from which ACORD counts a clause as right
MEASURES = (
    "ndcg: gain is the rating (0 to 4), at 5 and 10 clauses; precision: by stars, the clauses among the first five "
    "with at least so many (rating + 1), over the most there could be; a query without any such clause is left out"
)
_OF_FIVE = 5  # rank at which ACORD reports precision
_RETURNED = 100  # passages asked for: ten clauses have fewer
SYSTEMS: Mapping[str, IndexProfile] = MappingProxyType(
    {
        "bm25": IndexProfile(
            embedder="none",
            routing=False,
            synonym_weight=0.0,
            topic_weight=0.0,
            reading_weight=0.0,
            policy=ChunkPolicy(fixed=1_000_000),
        ),
        "solon": IndexProfile(),
        "solon_without_cues": IndexProfile(topic_weight=0.0),
        "solon_bge_small": IndexProfile(embedder="bge-small", dense_weight=1.0),
    }
)


@dataclass(frozen=True)
class RatedQuery:
    """A query with the ratings (0 to 4) of its clauses, and the file it comes from."""

    split: str
    text: str
    ratings: Mapping[str, int]


def systems_rated(embedder: str = "", chunks: Sequence[str] = ()) -> dict[str, IndexProfile]:
    """Return the systems; one more, named after it, where another embedder or kind of chunks is named."""
    rows = chunked(SYSTEMS, chunks)
    named = {profile.embedder for profile in SYSTEMS.values()}
    if not embedder or embedder in named:
        return {**SYSTEMS, **rows}
    own = IndexProfile(embedder=embedder, dense_weight=1.0)
    return {**SYSTEMS, **rows, f"solon_{embedder.replace('-', '_')}": own}


def is_rated_collection(data: Path) -> bool:
    """Tell whether a folder has the form that this bench reads."""
    return (data / "queries.jsonl").is_file() and (data / "corpus.jsonl").is_file() and (data / "qrels").is_dir()


def load_rated(data: Path) -> tuple[list[RatedQuery], dict[str, CanonicalText]]:
    """Return the queries of all qrels files, and the clauses by id."""
    words = {row["_id"]: row["text"] for row in _rows(data / "queries.jsonl")}
    queries = []
    for path in sorted((data / "qrels").glob("*.tsv")):
        ratings: dict[str, dict[str, int]] = {}
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                ratings.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
        queries += [RatedQuery(path.stem, words[name], found) for name, found in ratings.items()]
    return queries, {row["_id"]: _clause(row["_id"], row["text"]) for row in _rows(data / "corpus.jsonl")}


def ndcg(ranked: Sequence[int], ratings: Sequence[int], cut: int) -> float:
    """Return the discounted gain of ranked ratings over that of the best order, from 0 to 1."""
    best = _gain(sorted(ratings, reverse=True)[:cut])
    return _gain(ranked[:cut]) / best if best else 0.0


def star_precision(ranked: Sequence[int], ratings: Sequence[int], stars: int) -> float | None:
    """Return the share of the first five that reach so many stars; None where no clause does.

    Where fewer than five clauses do, their number is what is divided by, as in the ACORD paper.
    """
    there = sum(rating + 1 >= stars for rating in ratings)
    if not there:
        return None
    return sum(rating + 1 >= stars for rating in ranked[:_OF_FIVE]) / min(_OF_FIVE, there)


def run_rated(
    data: Path,
    limit: int | None = None,
    systems: Mapping[str, IndexProfile] = SYSTEMS,
    say: Callable[[str], object] = str,
) -> dict[str, Any]:
    """Run every system over the queries of a folder; a system whose model is not installed is skipped and named.

    Args:
        data: The folder.
        limit: Queries of each qrels file at most, chosen by hash; all when None.
        systems: Index profiles by name.
        say: Takes a line of progress; ``str`` keeps silent.
    """
    queries, clauses = load_rated(data)
    if limit is not None:
        queries = _few(queries, limit)
    rows: dict[str, Any] = {}
    skipped: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as cache:
        for system, profile in systems.items():
            say(f"{system}, {len(queries)} queries over {len(clauses)} clauses")
            try:
                rows[system] = _run_system(queries, clauses, Path(cache), profile)
            except SolonError as error:
                skipped[system] = str(error)
    about = {
        "measures": MEASURES,
        "clauses": len(clauses),
        "queries": len(queries),
        "limit": limit,
        "systems": {system: profile.model_dump(mode="json") for system, profile in systems.items()},
        "skipped": skipped,
    }
    return {"acord": rows, "about": about}


def render_rated(result: Mapping[str, Any]) -> str:
    """Return a result of :func:`run_rated` as plain text: one row a system, for all queries and for each file."""
    about = result["about"]
    heads = [*(f"NDCG@{cut}" for cut in CUTS), *(f"P@{_OF_FIVE} {stars} stars" for stars in STARS)]
    lines = [f"{about['queries']} queries over {about['clauses']:,} clauses; {about['measures']}", ""]
    lines.append(
        f"{'system':20} {'queries':10} {'n':>4} " + " ".join(f"{head:>12}" for head in heads) + f" {'ms p50':>7}"
    )
    for system, row in result["acord"].items():
        for name, part in {"all": row, **row["splits"]}.items():
            cells = [*part["ndcg"].values(), *part["precision"].values()]
            speed = f" {row['milliseconds']['median']:7.0f}" if name == "all" else ""
            figures = " ".join(f"{cell:12.1f}" for cell in cells)
            lines.append(f"{system:20} {name:10} {part['n']:4} {figures}{speed}")
    lines += [f"{system}: skipped: {reason}" for system, reason in about["skipped"].items()]
    return "\n".join(lines)


def _run_system(
    queries: Sequence[RatedQuery], clauses: Mapping[str, CanonicalText], cache: Path, profile: IndexProfile
) -> dict[str, Any]:
    if profile.embedder != "none":
        ModelAccess().client(profile.embedder, "embeddings").embed(["load"])  # a missing model is known before the work
    index = MatterIndex(clauses, cache, profile)
    index.search("load the index", 1)
    ranked, seconds = [], []
    for query in queries:
        started = time.perf_counter()
        ranked.append(_ranked(index, query))
        seconds.append(time.perf_counter() - started)
    splits = sorted({query.split for query in queries})
    return {
        **_summary(queries, ranked),
        "milliseconds": milliseconds(seconds),
        "splits": {split: _summary(*_of(split, queries, ranked)) for split in splits},
    }


def _ranked(index: MatterIndex, query: RatedQuery) -> list[int]:
    """Return the ratings of the clauses in the order of the search."""
    passages = index.search(query.text, _RETURNED, list(query.ratings))
    return [query.ratings[name] for name in dict.fromkeys(passage.span.document for passage in passages)]


def _summary(queries: Sequence[RatedQuery], ranked: Sequence[Sequence[int]]) -> dict[str, Any]:
    pairs = [(found, list(query.ratings.values())) for query, found in zip(queries, ranked, strict=True)]
    precise = {str(s): [p for f, r in pairs if (p := star_precision(f, r, s)) is not None] for s in STARS}
    return {
        "n": len(pairs),
        "ndcg": {str(cut): _per_cent([ndcg(f, r, cut) for f, r in pairs]) for cut in CUTS},
        "precision": {stars: _per_cent(found) for stars, found in precise.items()},
    }


def _of(
    split: str, queries: Sequence[RatedQuery], ranked: Sequence[list[int]]
) -> tuple[list[RatedQuery], list[list[int]]]:
    kept = [i for i, query in enumerate(queries) if query.split == split]
    return [queries[i] for i in kept], [ranked[i] for i in kept]


def _few(queries: Sequence[RatedQuery], limit: int) -> list[RatedQuery]:
    kept = []
    for split in sorted({query.split for query in queries}):
        own = [{"query": query.text, "of": query} for query in queries if query.split == split]
        kept += [row["of"] for row in sampled(own, limit)]
    return kept


def _gain(ratings: Sequence[int]) -> float:
    return sum(rating / math.log2(rank + 2) for rank, rating in enumerate(ratings))


def _per_cent(shares: Sequence[float]) -> float:
    return round(100 * sum(shares) / len(shares), 2) if shares else 0.0


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]


def _clause(name: str, text: str) -> CanonicalText:
    return CanonicalText(document=name, sha256=content_hash(text), extractor="bench", media="txt", text=text)
