"""The measures of the retrieval bench on hand-counted spans."""

import json

import pytest

from flows.bench.retrieval.measure import SYSTEMS, characters, load_benchmark, overlap, run_bench, systems_with
from flows.bench.retrieval.measures import judge_query, milliseconds, summarize_queries, within_budget
from flows.bench.retrieval.published import published
from flows.bench.retrieval.table import render


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        ([("a", 0, 10)], [("a", 5, 15)], 5),
        ([("a", 0, 10), ("a", 5, 12)], [("a", 0, 20)], 12),
        ([("a", 0, 10)], [("b", 0, 10)], 0),
        ([("a", 0, 10)], [("a", 2, 4), ("a", 3, 6)], 4),
        ([], [("a", 0, 1)], 0),
        ([("a", 0, 10), ("b", 0, 10)], [("a", 9, 20), ("b", 9, 20)], 2),
    ],
)
def test_overlap_counts_each_character_once(found, gold, expected):
    assert overlap(found, gold) == expected


def test_characters_of_overlapping_spans():
    assert characters([("a", 0, 10), ("a", 5, 12), ("b", 0, 3)]) == 15


GOLD = [("a", 100, 200), ("a", 500, 550), ("b", 0, 50)]


@pytest.mark.parametrize(
    ("found", "k", "recall", "precision", "span_recall", "span_precision"),
    [
        ([], 1, 0, 0, 0, 0),
        ([("a", 100, 200)], 1, 0.5, 1, 1 / 3, 1),
        ([("a", 150, 250)], 1, 0.25, 0.5, 1 / 3, 1),
        ([("a", 200, 300)], 1, 0, 0, 0, 0),  # touching ends share no character
        ([("a", 0, 1000)], 1, 0.75, 0.15, 2 / 3, 1),
        ([("c", 0, 100), ("b", 0, 100)], 2, 0.25, 0.25, 1 / 3, 0.5),
        ([("c", 0, 100), ("b", 0, 100)], 1, 0, 0, 0, 0),
        ([("a", 100, 150), ("a", 150, 200)], 8, 0.5, 1, 1 / 3, 1),  # two hits on one gold span
    ],
)
def test_a_query_by_characters_and_by_spans(found, k, recall, precision, span_recall, span_precision):
    outcome = judge_query(found, GOLD, ks=(k,))
    by_characters = (outcome.recall[k], outcome.precision[k])
    by_spans = (outcome.span_recall[k], outcome.span_precision[k])
    assert by_characters == pytest.approx((recall, precision))
    assert by_spans == pytest.approx((span_recall, span_precision))


@pytest.mark.parametrize(
    ("names", "first", "eight"),
    [("a", 0, 0), ("c", 1, 1), ("ca", 1, 0.5), ("acaa", 0, 0.25), ("aaaaaaaacccc", 0, 0), ("", 0, 0)],
)
def test_wrong_documents_at_one_and_among_eight(names, first, eight):
    outcome = judge_query([(name, i, i + 1) for i, name in enumerate(names)], GOLD)
    assert (outcome.wrong_first, outcome.wrong_eight) == (first, eight)


def test_a_budget_cuts_the_span_that_crosses_it():
    found = [("a", 0, 400), ("b", 0, 300)]
    assert within_budget(found, 500) == [("a", 0, 400), ("b", 0, 100)]
    assert within_budget(found, 400) == [("a", 0, 400)]
    outcome = judge_query([("a", 0, 150), ("b", 0, 1000)], GOLD)
    assert outcome.budget[500] == 0.5
    assert outcome.budget[1000] == outcome.budget[16_000] == 0.5


def test_means_over_queries():
    outcomes = [judge_query([("a", 100, 200)], GOLD, 0.010), judge_query([("c", 0, 300)], GOLD, 0.030)]
    found = summarize_queries(outcomes)
    assert found["n"] == 2
    assert found["recall"][1] == 25.0
    assert found["characters"][1] == 200
    assert found["recall_per_1000_characters"][1] == 125.0
    assert found["wrong_document_rate"] == 0.5
    assert found["milliseconds"] == {"median": 10.0, "p95": 30.0}
    assert summarize_queries([]) == {"n": 0}


@pytest.mark.parametrize(("n", "median", "p95"), [(1, 1, 1), (2, 1, 2), (20, 10, 19), (100, 50, 95)])
def test_percentiles_by_nearest_rank(n, median, p95):
    assert milliseconds([i / 1000 for i in range(n, 0, -1)]) == {"median": median, "p95": p95}


def test_published_figures_carry_their_label():
    assert published("cuad")["recall"] == {1: 16.52, 2: 24.76, 4: 33.34, 8: 46.67, 16: 59.53}
    assert published("contractnli")["span_recall"][8] == 89.86
    assert "whole" in published("all")["label"]
    assert published("our own") == {}


@pytest.fixture
def benchmark(tmp_path):
    """Two data sets of our own in the benchmark's layout; each contract answers two questions."""
    for name in ("leases", "cuad"):
        corpus = tmp_path / "corpus" / name
        corpus.mkdir(parents=True)
        tests = []
        for party in ("Acme", "Bolt", "Crane"):
            law = f"2. Governing Law. This Agreement of {party} is governed by the laws of the State of Ohio."
            term = f"1. Term. The term of this Agreement with {party} ends on the third anniversary of its date."
            text = f"SUPPLY AGREEMENT of {party} Incorporated\n\n{term}\n\n{law}\n"
            (corpus / f"{party}.txt").write_text(text, encoding="utf-8")
            for gold, ask in ((law, "which law governs?"), (term, "when does the term end?")):
                start = text.index(gold)
                span = {"file_path": f"{name}/{party}.txt", "span": [start, start + len(gold)], "answer": gold}
                tests.append({"query": f"In the agreement of {party}, {ask}", "snippets": [span]})
        (tmp_path / "benchmarks").mkdir(exist_ok=True)
        (tmp_path / "benchmarks" / f"{name}.json").write_text(json.dumps({"tests": tests}), encoding="utf-8")
    return tmp_path


def test_a_run_holds_every_system_and_protocol(benchmark):
    lines = []
    result = run_bench(benchmark, rerank=0, say=lines.append)
    assert lines
    assert result["about"]["data_sets"]["leases"] == {
        "queries": 6,
        "documents": 3,
        "characters": sum(len(p.read_text()) for p in (benchmark / "corpus" / "leases").iterdir()),
        "gold_spans": 6,
    }
    for name in ("leases", "cuad"):
        assert {"fixed500", "bm25", "solon", "solon_narrow", "published"} == set(result[name])
        whole, narrowed = (result[name][s]["document"]["characters"][8] for s in ("solon", "solon_narrow"))
        assert narrowed <= whole
        for system in ("fixed500", "bm25", "solon"):
            assert result[name][system]["megabytes_a_minute"] > 0
            assert set(result[name][system]["milliseconds_at_8"]) == {"median", "p95"}
            assert all(result[name][system][p]["n"] == 6 for p in ("corpus", "document"))
            assert result[name][system]["document"]["wrong_document_rate"] == 0
            assert result[name][system]["corpus"]["recall"][64] == 100
    assert result["leases"]["published"] == {}
    assert result["cuad"]["published"]["recall"][8] == 46.67
    assert result["pooled"]["solon"]["corpus"]["n"] == 12
    both = [result[name]["solon"]["corpus"]["recall"][1] for name in ("leases", "cuad")]
    assert result["mean_of_data_sets"]["solon"]["corpus"]["recall"][1] == pytest.approx(sum(both) / 2, abs=0.01)
    json.dumps(result)


def test_a_model_may_choose_the_sentences_of_some_queries(benchmark):
    class First:
        def choose(self, question, heading, found):
            return (0,)

    result = run_bench(benchmark, datasets=["cuad"], rerank=0, model=First())
    assert result["cuad"]["solon_filter"]["document"]["n"] == 6
    assert "solon_filter" in render(result)


def test_the_table_says_n_and_whose_figures(benchmark):
    text = render(run_bench(benchmark, datasets=["cuad"], rerank=0))
    assert "cuad, whole corpus searched (3 documents" in text
    assert "PAKTON*" in text
    assert "its corpora are whole, ours are a part" in text
    assert "\n  solon " in text


def test_a_sample_is_the_same_each_time(benchmark):
    first, _ = load_benchmark(benchmark, "leases", 3)
    again, _ = load_benchmark(benchmark, "leases", 3)
    assert len(first) == 3
    assert first == again


@pytest.mark.parametrize(
    ("name", "kept"), [("fixed500", {"dense_weight"}), ("bm25", {"lexical_weight", "dense_weight"})]
)
def test_a_baseline_has_nothing_of_solon(name, kept):
    profile = SYSTEMS[name]
    weights = {f: getattr(profile, f) for f in type(profile).model_fields if f.endswith("_weight") and f not in kept}
    assert {f for f, weight in weights.items() if weight} <= {"rerank_weight"}  # of no effect without a reranker
    assert not profile.routing
    assert not profile.reranker
    assert profile.policy.fixed == 500
    assert name == "fixed500" or profile.embedder == "none"


def test_another_embedder_changes_the_dense_systems_alone():
    systems = systems_with("bge-small")
    assert [systems[s].embedder for s in ("fixed500", "bm25", "solon")] == ["bge-small", "none", "bge-small"]
    assert systems["solon"].dense_weight == 1.0
    assert systems_with("") == systems_with("")
