"""The model client: cache, replay, budgets, retries, fallbacks and prices, on scripted models."""

import json

import pytest

from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.ledger import Ledger
from tasks.models.loading import load_profiles, resolve_profile
from tasks.models.profile import ModelProfile, Prices
from tasks.models.records import Reply, Request, RetryableError, failed
from tasks.models.transports.scripted import ScriptedModel

PROFILE = ModelProfile(name="main", model="scripted", retries=2)
ASK = [{"role": "user", "content": "four words of prompt"}]


def client(*replies, profile=PROFILE, **fields):
    model = ScriptedModel(list(replies))
    fields.setdefault("wait", lambda seconds: None)
    return ModelClient(profile, transport=model, **fields), model


def passing(cause=FailureCause.PROVIDER):
    return RetryableError(failed(PROFILE, cause, "busy"))


def final(cause):
    return SolonError(failed(PROFILE, cause, "no"))


def test_a_reply_carries_text_usage_and_the_profile_that_gave_it():
    asked, _ = client("two words")
    reply = asked.complete(ASK)
    assert (reply.text, reply.model, reply.replayed) == ("two words", "main", False)
    assert (reply.usage.input_uncached, reply.usage.output, reply.usage.calls) == (4, 2, 1)


def test_a_recorded_reply_is_replayed_without_a_call(tmp_path):
    first, _ = client("once", cache=tmp_path, mode="read_write")
    first.complete(ASK)
    second, model = client(cache=tmp_path, mode="replay")
    reply = second.complete(ASK)
    assert reply.replayed
    assert reply.text == "once"
    assert reply.usage.input_uncached == 4
    assert model.requests == []


def test_a_reply_is_paid_for_once(tmp_path):
    """A replay costs nothing, but for the attempt that paid: a try of it was killed before it could say so."""

    def cost(owner, *script):
        return client(*script, cache=tmp_path, mode="read_write", owner=owner)[0].complete(ASK).usage

    usage = Usage(output=2, cost_usd=0.5, cost_source="reported", calls=1)
    first = cost("run/a/1", Reply(text="once", usage=usage))
    assert first.cost_usd > 0
    assert cost("run/a/1") == first
    other = cost("run/b/1")
    assert (other.cost_usd, other.output) == (0.0, first.output)
    assert cost("").cost_usd == 0.0


def test_a_replay_without_a_recording_fails(tmp_path):
    asked, _ = client("x", cache=tmp_path, mode="replay")
    with pytest.raises(SolonError) as caught:
        asked.complete(ASK)
    assert caught.value.failure.cause is FailureCause.PROVIDER


@pytest.mark.parametrize(
    "change", [{"temperature": 1.0}, {"model": "scripted2"}, {"seed": 3}, {"effort": "high"}, {"script": ("b",)}]
)
def test_another_configuration_does_not_share_a_recording(tmp_path, change):
    client("a", cache=tmp_path, mode="read_write")[0].complete(ASK)
    other = PROFILE.model_copy(update=change)
    assert client("b", profile=other, cache=tmp_path, mode="read_write")[0].complete(ASK).text == "b"


def test_a_salt_a_schema_and_other_words_make_another_request(tmp_path):
    client("a", cache=tmp_path, mode="read_write")[0].complete(ASK)
    salted, _ = client("b", cache=tmp_path, mode="read_write", salt="epoch-2")
    assert salted.complete(ASK).text == "b"
    asked, _ = client("c", "d", cache=tmp_path, mode="read_write")
    assert asked.complete(ASK, schema={"type": "object"}).text == "c"
    assert asked.complete([{"role": "user", "content": "other"}]).text == "d"


def test_a_torn_recording_is_asked_again(tmp_path):
    client("a", cache=tmp_path, mode="read_write")[0].complete(ASK)
    (recorded,) = tmp_path.rglob("*.json")
    recorded.write_text(recorded.read_text()[:20])
    assert client("b", cache=tmp_path, mode="read_write")[0].complete(ASK).text == "b"


def test_a_passing_failure_is_tried_again_with_growing_waits():
    waits = []
    asked, model = client(passing(), passing(), "at last", wait=waits.append)
    assert asked.complete(ASK).text == "at last"
    assert waits == [1.0, 2.0]
    assert len(model.requests) == 3


def test_retries_end():
    asked, model = client(*[passing() for _ in range(9)])
    with pytest.raises(SolonError) as caught:
        asked.complete(ASK)
    assert caught.value.failure.cause is FailureCause.PROVIDER
    assert len(model.requests) == 3


def test_a_refusal_is_not_tried_again_but_a_fallback_is():
    asked, model = client(final(FailureCause.PROVIDER), "second", fallbacks=[ModelProfile(name="spare", model="s")])
    reply = asked.complete(ASK)
    assert (reply.text, reply.model) == ("second", "spare")
    assert len(model.requests) == 2


def test_the_budget_ends_work_with_a_typed_failure():
    priced = PROFILE.model_copy(update={"prices": Prices(input_uncached=1e6, output=1e6)})
    ledger = Ledger("attempt", max_usd=5.0)
    asked, model = client("one two", "three", "four", profile=priced, ledger=ledger)
    asked.complete(ASK)  # four words in, two out: six dollars
    with pytest.raises(SolonError) as caught:
        asked.complete(ASK)
    assert caught.value.failure.cause is FailureCause.BUDGET
    assert ledger.used.cost_usd == pytest.approx(6.0)
    assert len(model.requests) == 1


def test_a_token_budget_and_replays_that_cost_nothing(tmp_path):
    ledger = Ledger("attempt", max_tokens=6)
    asked, _ = client("one two", ledger=ledger, cache=tmp_path, mode="read_write")
    asked.complete(ASK)
    assert asked.complete(ASK).replayed
    assert ledger.tokens == 6
    with pytest.raises(SolonError):
        asked.complete([{"role": "user", "content": "new"}])


def test_stages_in_several_processes_share_one_account_and_its_budget(tmp_path):
    one, two = (Ledger("attempt", max_tokens=10, file=tmp_path / "spent.jsonl") for _ in range(2))
    client("two words", ledger=one)[0].complete(ASK)
    assert (two.tokens, two.used) == (6, one.used)
    client("two words", ledger=two)[0].complete(ASK)
    with pytest.raises(SolonError, match="12 of 10 tokens"):
        one.check()


def test_half_a_line_of_a_killed_process_costs_no_other_entry(tmp_path):
    file = tmp_path / "spent.jsonl"
    client("two words", ledger=Ledger("attempt", file=file))[0].complete(ASK)
    file.write_text(file.read_text() + '{"kind": "chat", "usa')
    client("two words", ledger=Ledger("attempt", file=file))[0].complete(ASK)
    assert Ledger("attempt", file=file).used.calls == 2


def test_a_killed_try_is_paid_for_once_and_counts_against_the_budget(tmp_path):
    usage = Usage(output=2, cost_usd=0.5, cost_source="reported", calls=1)
    recording = {"cache": tmp_path, "mode": "read_write", "owner": "run/a/1"}
    client(Reply(text="once", usage=usage), **recording)[0].complete(ASK)  # its account is lost with it
    ledger = Ledger("attempt", max_usd=0.4)
    again, _ = client(ledger=ledger, **recording)
    again.complete(ASK)
    again.complete(ASK)
    assert (ledger.used.cost_usd, ledger.tokens) == (0.5, 0)
    with pytest.raises(SolonError, match="budget"):
        again.complete([{"role": "user", "content": "new"}])


def test_a_recording_of_an_earlier_version_is_found_and_read(tmp_path):
    """The key and the form of a chat reply are those of before embedders were recorded too."""
    key = "f1a3e35e3f5d0a0f962cda0fb6e5cf8dfc2b86f65eab5e40cd31bb96787999d8"
    folder = tmp_path / key[:2]
    folder.mkdir()
    kept = {
        "text": "of before", "tool_calls": [], "usage": Usage(output=2, calls=1).model_dump(), "finish_reason": "stop",
        "model": "main", "replayed": False, "made_for": "",
    }  # fmt: skip
    (folder / f"{key}.json").write_text(json.dumps(kept))
    asked, model = client(cache=tmp_path, mode="replay", salt="epoch 2")
    assert asked.complete(ASK, schema={"type": "object"}).text == "of before"
    assert model.requests == []


def test_prices_bill_cached_tokens_truthfully_unless_told_otherwise():
    usage = Usage(input_uncached=1_000_000, cache_read=1_000_000, cache_write=1_000_000, output=1_000_000)
    assert Prices(input_uncached=0.75, cache_read=0.075, output=4.5).cost(usage) == pytest.approx(6.075)
    assert Prices(input_uncached=0.75, cache_read=0.0, output=4.5).cost(usage) == pytest.approx(6.0)
    assert Prices(input_uncached=1, output=0).cost(usage) == pytest.approx(3)


def test_profiles_load_from_toml_and_mappings(tmp_path):
    file = tmp_path / "models.toml"
    file.write_text('[models.big]\nmodel = "openai/x"\nfallbacks = ["small"]\n[models.small]\nmodel = "openai/y"\n')
    profiles = load_profiles(file)
    assert {n for n, p in profiles.items() if p.kind == "chat"} == {"big", "scripted", "small"}
    profile, fallbacks = resolve_profile("big", profiles)
    assert (profile.model, [f.model for f in fallbacks]) == ("openai/x", ["openai/y"])
    assert load_profiles({"a": {"model": "m"}})["a"].model == "m"
    assert load_profiles({"models": {"a": {"model": "m"}}})["a"].model == "m"
    assert resolve_profile("openai/gpt-x", profiles)[0].model == "openai/gpt-x"


@pytest.mark.parametrize(
    "bad",
    [{"a": {"model": "m", "colour": 1}}, {"a": {}}, {"a": 3}, {"a": {"model": "m", "fallbacks": ["b"]}}],
)
def test_a_bad_profile_is_a_clear_failure(bad):
    with pytest.raises(SolonError) as caught:
        load_profiles(bad)
    assert caught.value.failure.cause is FailureCause.INPUT
    assert caught.value.failure.subject == "a"


KEY = "sk-" + "a1b2c3d4" * 5


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"model": "m", "zzz": 1}, "zzz: there is no such field (there are api_base, api_key_env, batch, "),
        ({"modle": "m"}, "modle: there is no such field (is it model?)"),
        ({"model": "m", "api_key": KEY}, "api_key: there is no such field (is it api_key_env?)"),
        ({"model": "m", "api_key_env": KEY}, "name the variable that holds the key, never the key"),
        ({"model": "m", "api_key_env": KEY.replace("-", "_")}, "name the variable that holds the key, never the key"),
        ({"model": "m", "context_window": 4096, "max_output_tokens": 4096}, "no room for a prompt"),
        ({"model": "m", "fallbacks": ["a"]}, "cannot stand in for itself"),
        ({"model": "m", "temperature": -1}, "temperature: Input should be greater"),
    ],
)
def test_a_bad_profile_is_told_by_what_is_wrong_and_never_by_its_key(fields, said):
    with pytest.raises(SolonError) as caught:
        load_profiles({"a": fields})
    assert said in caught.value.failure.message
    assert "a1b2c3d4" not in str(caught.value)


def test_a_small_window_keeps_room_for_a_prompt():
    budgets = {w: ModelProfile(name="a", model="m", context_window=w).prompt_budget for w in (4096, 8192, 128_000)}
    assert budgets == {4096: 2764, 8192: 5529, 128_000: 107_827}
    vectors = ModelProfile(name="a", model="m", kind="embeddings")
    assert vectors.max_output_tokens == ModelProfile(name="a", model="m").max_output_tokens == 8192


def test_an_unknown_profile_names_the_known_ones():
    with pytest.raises(SolonError, match="scripted"):
        resolve_profile("nope", load_profiles())


def test_the_script_can_be_a_function_and_its_end_is_a_failure():
    model = ScriptedModel(lambda messages: json.dumps({"n": len(messages)}))
    assert model.send(PROFILE, Request(ASK)).text == '{"n": 1}'
    with pytest.raises(SolonError, match="call 1"):
        ScriptedModel([]).send(PROFILE, Request(ASK))


def test_a_whole_reply_can_be_scripted():
    reply = Reply(text="x", usage=Usage(output=7))
    assert client(reply)[0].complete(ASK).usage.output == 7
