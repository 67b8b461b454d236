"""Profiles of embedders and rerankers, and what stands behind them; endpoints and libraries are scripted."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tasks.matter.failures import FailureCause, SolonError
from tasks.models.search import hosted, local
from tasks.models.search.hosted import ApiEmbedder, ApiReranker
from tasks.models.search.profiles import RetrievalModel, find_model
from tasks.models.search.vectors import threads
from tasks.retrieval.dense import lent, load_embedder, load_reranker, model_key

CONFIG = {
    "embedders": {
        "big": {"model": "openai/text-embedding-3-large", "dimensions": 3, "batch": 2, "api_key_env": "EMBED_KEY"},
        "here": {"kind": "sentence-transformers", "model": "BAAI/bge-m3", "device": "cuda"},
        "odd": {"model": "x/y", "batch": 0},
        "static": {"kind": "static", "model": "l2_supercat_256"},
        "no-model": {"batch": 8},
        "typo": {"model": "x/y", "dimension": 8},
    },
    "rerankers": {"judge": {"model": "cohere/rerank-english-v3.0"}},
}


# -- profiles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "role", "kind", "model"),
    [
        ("wordllama", "embedders", "static", "l2_supercat_256"),
        ("bge-small", "embedders", "onnx", "BAAI/bge-small-en-v1.5"),
        ("minilm-l6", "embedders", "onnx", "sentence-transformers/all-MiniLM-L6-v2"),
        ("none", "embedders", "none", "none"),
        ("big", "embedders", "api", "openai/text-embedding-3-large"),
        ("here", "embedders", "sentence-transformers", "BAAI/bge-m3"),
        ("sentence-transformers:BAAI/bge-m3", "embedders", "sentence-transformers", "BAAI/bge-m3"),
        ("voyage/voyage-law-2", "embedders", "api", "voyage/voyage-law-2"),
        ("minilm-reranker", "rerankers", "onnx", "cross-encoder/ms-marco-MiniLM-L-12-v2"),
        ("judge", "rerankers", "api", "cohere/rerank-english-v3.0"),
        ("cross-encoder:BAAI/bge-reranker-v2-m3", "rerankers", "sentence-transformers", "BAAI/bge-reranker-v2-m3"),
    ],
)
def test_a_profile_by_name(name, role, kind, model):
    found = find_model(name, role, CONFIG)
    assert (found.name, found.kind, found.model) == (name, kind, model)


@pytest.mark.parametrize(
    ("name", "role", "says"),
    [
        ("nothing", "embedders", "Configure [embedders.nothing]"),
        ("judge", "embedders", "Configure [embedders.judge]"),
        ("cross-encoder:x", "embedders", "There is no"),
        ("sentence-transformers:", "embedders", "There is no"),
        ("odd", "embedders", "batch"),
        ("no-model", "embedders", "model"),
        ("typo", "embedders", "dimension"),
        ("static", "embedders", "built in"),
        ("bge-small", "rerankers", "There is no"),
    ],
)
def test_a_profile_that_cannot_be(name, role, says):
    with pytest.raises(SolonError) as error:
        find_model(name, role, CONFIG)
    assert says in error.value.failure.line()


def test_profiles_come_from_the_file_in_force(tmp_path, monkeypatch):
    file = tmp_path / "solon.toml"
    file.write_text('[embedders.ours]\nmodel = "openai/ours"\napi_base = "http://127.0.0.1:9"\n', encoding="utf-8")
    monkeypatch.setenv("SOLON_MODELS", str(file))
    assert find_model("ours", "embedders").model == "openai/ours"
    file.write_text("[embedders", encoding="utf-8")
    with pytest.raises(SolonError, match="cannot be read"):
        find_model("ours", "embedders")


def test_vectors_are_kept_under_what_changes_them():
    base = RetrievalModel(name="e", model="openai/e")
    same = [{"batch": 7}, {"api_key_env": "K"}, {"retries": 1}, {"timeout_seconds": 9}, {"device": "cuda"}]
    other = [
        {"model": "openai/f"},
        {"version": "2"},
        {"dimensions": 64},
        {"query_prefix": "q"},
        {"api_base": "http://h"},
    ]
    assert {base.model_copy(update=u).key for u in same} == {base.key}
    assert len({base.key, *(base.model_copy(update=u).key for u in other)}) == len(other) + 1
    assert model_key("wordllama") == "wordllama"  # caches of the default stay valid


# -- embedded models -------------------------------------------------------------------------------------------------

TEXTS = [f"Section {i}. The Supplier shall deliver lot {i} within {i} days of the order." for i in range(9)]


def test_one_text_at_a_time_in_any_number_of_threads(monkeypatch):
    embedder = load_embedder("bge-small")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    alone = embedder.embed(TEXTS)
    monkeypatch.setattr(local, "threads", lambda: 3)
    assert np.array_equal(embedder.embed(TEXTS), alone)
    assert np.array_equal(embedder.embed(TEXTS[4:5]), alone[4:5])
    assert np.array_equal(embedder.embed([TEXTS[2], TEXTS[1], TEXTS[2]]), alone[[2, 1, 2]])
    assert embedder.embed([]).shape == (0, 384)


def test_the_reranker_reads_each_pair_alone(monkeypatch):
    reranker = load_reranker()
    monkeypatch.setattr(local, "threads", lambda: 2)
    together = reranker.score("when is lot 3 delivered?", TEXTS[:8])
    assert together[3] == reranker.score("when is lot 3 delivered?", [TEXTS[3]])[0]
    assert all(0 <= score <= 1 for score in together)


@pytest.mark.parametrize(("wanted", "most"), [("1", 1), ("64", 64), ("", 8), ("many", 8)])
def test_threads_obey_the_compute_plane(monkeypatch, wanted, most):
    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    assert 1 <= threads() <= most


def test_weights_that_are_not_installed_name_their_package(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SolonError) as error:
        local.OnnxEmbedder(find_model("minilm-l6", "embedders"))
    assert error.value.failure.cause is FailureCause.CAPACITY
    assert "Install" in error.value.failure.remedy


def test_an_embedder_may_be_lent_in_its_name():
    remote = SimpleNamespace(name="wordllama", dimensions=1, embed=lambda texts, query=False: np.ones((len(texts), 1)))
    with lent(remote):
        assert load_embedder("wordllama") is remote
        assert load_embedder("none") is None
    assert load_embedder("wordllama") is not remote


# -- endpoints -------------------------------------------------------------------------------------------------------


class Endpoint:
    """A scripted litellm: embeds a text as its length, its first letter and 1."""

    def __init__(self, failures=(), reply=None):
        self.calls, self.failures, self.reply = [], list(failures), reply

    def embedding(self, **asked):
        self.calls.append(asked)
        if self.failures:
            raise self.failures.pop(0)
        if self.reply is not None:
            return self.reply
        rows = [{"index": i, "embedding": [len(t), ord(t[0]), 1.0]} for i, t in enumerate(asked["input"])]
        return SimpleNamespace(data=rows[::-1])

    def rerank(self, **asked):
        self.calls.append(asked)
        if self.reply is not None:
            return self.reply
        rows = [{"index": i, "relevance_score": len(t) / 10} for i, t in enumerate(asked["documents"])]
        return {"results": rows[::-1]}


@pytest.fixture
def endpoint(monkeypatch):
    def script(**how):
        found = Endpoint(**how)
        monkeypatch.setattr(hosted, "load_litellm", lambda: found)
        return found

    return script


def embedder(**fields):
    profile = RetrievalModel(name="api", model="openai/e", batch=2, **fields)
    return ApiEmbedder(profile, pause=lambda seconds: None)


def test_texts_go_in_batches_and_come_back_in_their_order(endpoint):
    found = endpoint()
    rows = embedder().embed(["aa", "b", "cccc", "aa", "b"])
    assert [len(call["input"]) for call in found.calls] == [2, 1]
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert np.array_equal(rows[0], rows[3])
    assert not np.array_equal(rows[0], rows[2])


def test_the_key_is_read_where_it_is_used_and_kept_nowhere(endpoint, monkeypatch):
    found = endpoint()
    monkeypatch.setenv("EMBED_KEY", "s3cret")
    one = embedder(api_key_env="EMBED_KEY")
    one.embed(["a"])
    assert found.calls[0]["api_key"] == "s3cret"
    assert "s3cret" not in repr(vars(one))


def test_questions_are_prefixed_and_asked_once(endpoint):
    found = endpoint()
    one = embedder(query_prefix="Q: ", dimensions=3)
    first, again = one.embed(["who pays?"], query=True), one.embed(["who pays?"], query=True)
    assert np.array_equal(first, again)
    assert [call["input"] for call in found.calls] == [["Q: who pays?"]]
    assert found.calls[0]["dimensions"] == 3


class RateLimitError(Exception):
    pass


class AuthenticationError(Exception):
    pass


class Timeout(Exception):
    pass


def test_passing_failures_are_tried_again(endpoint):
    found = endpoint(failures=[RateLimitError("slow down"), Timeout("late")])
    assert embedder().embed(["a"]).shape == (1, 3)
    assert len(found.calls) == 3


@pytest.mark.parametrize(
    ("failures", "cause", "calls"),
    [
        ([RateLimitError("x")] * 9, FailureCause.PROVIDER, 3),
        ([Timeout("x")] * 9, FailureCause.TIMEOUT, 3),
        ([AuthenticationError("bad key")], FailureCause.PROVIDER, 1),
        ([ValueError("no such model")], FailureCause.PROVIDER, 1),
    ],
)
def test_failures_are_typed(endpoint, failures, cause, calls):
    found = endpoint(failures=failures)
    with pytest.raises(SolonError) as error:
        embedder(retries=2).embed(["a"])
    assert error.value.failure.cause is cause
    assert error.value.failure.remedy
    assert len(found.calls) == calls


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"data": []},
        {"data": [{"index": 0, "embedding": [float("nan")]}]},
        {"data": [{"index": 0, "embedding": "AAAA"}]},
        {"data": [{"embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]},
        {"data": None},
    ],
)
def test_a_strange_reply_is_a_failure_of_the_endpoint(endpoint, reply):
    endpoint(reply=reply)
    with pytest.raises(SolonError) as error:
        embedder().embed(["a"])
    assert error.value.failure.cause is FailureCause.PROVIDER


def test_wrong_width_is_refused(endpoint):
    endpoint()
    with pytest.raises(SolonError, match="dimensions"):
        embedder(dimensions=8).embed(["a"])


def test_reranking_through_an_endpoint(endpoint):
    found = endpoint()
    reranker = ApiReranker(RetrievalModel(name="r", model="cohere/r", batch=2))
    assert reranker.score("q", ["a", "bbb", "c" * 20]) == [0.1, 0.3, 1.0]
    assert [len(call["documents"]) for call in found.calls] == [2, 1]


@pytest.mark.parametrize(
    "rows", [[{"index": 5, "relevance_score": 1}], [{"index": 0, "relevance_score": float("nan")}], [{"index": "x"}], 3]
)
def test_strange_scores_are_refused(endpoint, rows):
    endpoint(reply={"results": rows})
    with pytest.raises(SolonError):
        ApiReranker(RetrievalModel(name="r", model="cohere/r")).score("q", ["a"])


def test_a_text_without_a_score_has_none(endpoint):
    endpoint(reply={"results": [{"index": 1, "relevance_score": 0.4}]})
    assert ApiReranker(RetrievalModel(name="r", model="cohere/r")).score("q", ["a", "b"]) == [0.0, 0.4]


# -- sentence-transformers -------------------------------------------------------------------------------------------


def test_a_missing_library_names_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    for load in (
        lambda: load_embedder("sentence-transformers:BAAI/bge-m3"),
        lambda: load_reranker("cross-encoder:BAAI/bge-reranker-v2-m3"),
    ):
        with pytest.raises(SolonError) as error:
            load()
        assert "Install sentence-transformers" in error.value.failure.remedy


class FakeSentences:
    def __init__(self, model, device=None):
        if model == "absent":
            raise OSError("no such model\nin the cache")
        self.device = device

    def get_sentence_embedding_dimension(self):
        return 2

    def encode(self, texts, **_):
        return [[len(t), 1] for t in texts]

    def predict(self, pairs, **_):
        return [len(text) - 3 for _, text in pairs]


def test_the_library_is_used_where_it_is(monkeypatch):
    fake = SimpleNamespace(SentenceTransformer=FakeSentences, CrossEncoder=FakeSentences)
    monkeypatch.setitem(sys.modules, "sentence_transformers", fake)
    rows = load_embedder("sentence-transformers:ours/one").embed(["a", "bbb"])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    scores = load_reranker("cross-encoder:ours/two").score("q", ["a", "bbb", "ccccc"])
    assert scores == sorted(scores)
    assert scores[1] == 0.5
    with pytest.raises(SolonError, match="cannot be loaded"):
        load_embedder("sentence-transformers:absent")
