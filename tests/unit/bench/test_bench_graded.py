"""The bench of rated clauses, on a collection of our own in BEIR form, and its measures counted by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from flows.bench.registry import measure
from flows.bench.request import BenchRequest
from flows.bench.retrieval.graded import (
    SYSTEMS,
    is_rated_collection,
    load_rated,
    ndcg,
    run_rated,
    star_precision,
    systems_rated,
)
from flows.bench.retrieval.table import render
from flows.settings import Settings
from tasks.matter.failures import SolonError
from tasks.retrieval.indexed_documents import IndexProfile

CLAUSES = {
    "capped": "In no event shall the liability of Acme exceed the fees paid in the year before the claim.",
    "carved": "Except for fraud, in no event shall the liability of Acme exceed the fees paid in the year before.",
    "fraud": "Each party reports fraud, the suspicion of fraud and liability for fraud to the board.",
    "law": "This Agreement is governed by the laws of the State of Ohio.",
    "stray": "Fraud exception to cap on liability. Rated for no query.",
}
RATED = {
    "train": {"fraud exception to cap on liability": {"carved": 4, "capped": 1, "fraud": 0, "law": 0}},
    "valid": {'"laws of the State" clause': {"law": 3, "capped": 0, "fraud": 0}},
}
QUICK = {name: SYSTEMS[name] for name in ("bm25", "solon", "solon_without_cues")}


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "rated"
    (folder / "qrels").mkdir(parents=True)
    rows = [json.dumps({"_id": name, "text": text}) for name, text in CLAUSES.items()]
    (folder / "corpus.jsonl").write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    words = [query for queries in RATED.values() for query in queries]
    text = "\n".join(json.dumps({"_id": query, "text": query}) for query in words)
    (folder / "queries.jsonl").write_text(text, encoding="utf-8")
    for split, queries in RATED.items():
        lines = ["query-id\tcorpus-id\tscore"]
        for query, ratings in queries.items():
            name = '"' + query.replace('"', '""') + '"' if '"' in query else query
            lines += [f"{name}\t{clause}\t{rating}" for clause, rating in ratings.items()]
        (folder / "qrels" / f"{split}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("ranked", "ratings", "cut", "expected"),
    [
        ([4, 1], [4, 1, 0], 5, 1.0),
        ([1, 4], [4, 1], 5, (1 + 4 / math.log2(3)) / (4 + 1 / math.log2(3))),  # the gain is the rating itself
        ([0, 0, 0, 0, 0, 4], [4, 0, 0, 0, 0, 0], 5, 0.0),
        ([0, 0, 0, 0, 0, 4], [4, 0, 0, 0, 0, 0], 10, 1 / math.log2(7)),
        ([4], [4, 4], 5, 4 / (4 + 4 / math.log2(3))),  # what is not returned is not gained
        ([], [4], 5, 0.0),
        ([0], [0], 5, 0.0),
    ],
)
def test_discounted_gain_is_linear_in_the_rating(
    ranked: list[int], ratings: list[int], cut: int, expected: float
) -> None:
    assert ndcg(ranked, ratings, cut) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranked", "ratings", "stars", "expected"),
    [
        ([4, 3, 2, 1, 0, 4], [4, 4, 3, 2, 1, 0], 3, 3 / 4),  # rating 2 is three stars; only the first five count
        ([4, 3, 2, 1, 0], [4, 3, 2, 1, 0], 4, 1.0),  # of two that there are
        ([4, 3, 2, 1, 0], [4, 4, 4, 4, 4, 4], 5, 1 / 5),
        ([2, 2], [2, 2], 5, None),  # no clause has five stars
    ],
)
def test_precision_by_stars_is_over_what_there_could_be(
    ranked: list[int], ratings: list[int], stars: int, expected: float | None
) -> None:
    assert star_precision(ranked, ratings, stars) == expected


def test_queries_keep_their_quotation_marks_and_their_file(collection: Path) -> None:
    queries, clauses = load_rated(collection)
    assert [(q.split, q.text) for q in queries] == [(s, q) for s, found in RATED.items() for q in found]
    assert queries[0].ratings == RATED["train"]["fraud exception to cap on liability"]
    assert clauses["law"].text == CLAUSES["law"]
    assert is_rated_collection(collection)
    assert not is_rated_collection(collection / "qrels")


def test_a_query_ranks_the_clauses_rated_for_it(collection: Path) -> None:
    result = run_rated(collection, systems=QUICK)
    solon, plain = result["acord"]["solon"], result["acord"]["bm25"]
    assert solon["ndcg"] == {"5": 100.0, "10": 100.0}  # the stray clause would come first
    assert solon["precision"] == {"3": 100.0, "4": 100.0, "5": 100.0}
    assert plain["ndcg"]["5"] < 100.0  # it reports fraud before the cap that excepts it
    assert (solon["n"], solon["splits"]["train"]["n"], solon["splits"]["valid"]["n"]) == (2, 1, 1)
    assert plain["splits"]["valid"]["precision"]["5"] == 0.0  # no clause of five stars: nothing to average
    assert set(result["acord"]) == set(QUICK)
    json.dumps(result)


def test_a_system_without_its_model_is_skipped_with_the_reason(collection: Path) -> None:
    systems = {"bm25": SYSTEMS["bm25"], "absent": IndexProfile(embedder="no-such-embedder")}
    result = run_rated(collection, systems=systems)
    assert set(result["acord"]) == {"bm25"}
    assert "no-such-embedder" in result["about"]["skipped"]["absent"]
    assert "absent: skipped: " in render(result)


def test_a_limit_is_of_each_file(collection: Path) -> None:
    assert run_rated(collection, 1, {"bm25": SYSTEMS["bm25"]})["acord"]["bm25"]["n"] == 2


def test_an_embedder_that_is_named_is_a_system_of_its_own() -> None:
    assert systems_rated("wordllama") == systems_rated() == dict(SYSTEMS)
    assert systems_rated("minilm-l6")["solon_minilm_l6"].embedder == "minilm-l6"


def test_the_bench_knows_such_a_folder_by_its_form(collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.bench.retrieval.graded.SYSTEMS", {"bm25": SYSTEMS["bm25"]})
    settings = Settings(home=collection / "home")
    result = measure("retrieval", BenchRequest(settings, collection, None, ()))
    assert set(result["acord"]["bm25"]["ndcg"]) == {"5", "10"}
    text = render(result)
    assert {"bm25", "NDCG@5", "valid"} <= set(text.split())
    with pytest.raises(SolonError, match="BEIR"):
        measure("retrieval", BenchRequest(settings, collection / "qrels", None, ()))
