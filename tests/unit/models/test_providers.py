"""The client against a provider on loopback that fails: what is tried again, what is paid for, what ends the run."""

from __future__ import annotations

import contextlib
import math
import time
from types import SimpleNamespace

import pytest

from flows.bench.faults.provider import PRICES, ScriptedProvider, serving
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.access import ModelAccess
from tasks.models.client import ModelClient
from tasks.models.cooling import Cooling
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile
from tasks.models.records import RetryableError, failed
from tasks.models.transports.errors import mapped
from tasks.models.transports.scripted import ScriptedModel
from tasks.models.transports.streaming import streamed

ASK = [{"role": "system", "content": "Read the lease."}, {"role": "user", "content": "When does the term end?"}]
TOOLS = [{"type": "function", "function": {"name": "read", "parameters": {"type": "object", "properties": {}}}}]
SAID = "The term ends on 31 July 2028, five years after the commencement date."
PLAIN, STREAM = {"stream": False}, {"stream": True, "idle_seconds": 1.0}


def words(body):
    return {"role": "assistant", "content": SAID}


def client_of(provider, waits=None, **fields):
    options = {"retries": 3, "timeout_seconds": 20, "prices": PRICES, **fields}
    profile = ModelProfile(name="p", model="openai/scripted", api_base=provider.base, **options)
    return ModelClient(profile, wait=(waits if waits is not None else []).append)


@contextlib.contextmanager
def failing_first(fault, times=1, **fields):
    """A provider whose first calls fail in one way."""
    with serving(ScriptedProvider(words, **fields)) as provider:
        left = [fault] * times
        provider.fault_of = lambda body: (provider.requests.append(body), left.pop(0) if left else "")[1]
        yield provider


@pytest.mark.parametrize("form", [PLAIN, STREAM], ids=["plain", "stream"])
@pytest.mark.parametrize("fault", ["500", "dropped", "truncated", "empty", "wrong tool"])
def test_a_passing_failure_on_the_first_turn_is_tried_again_and_paid_for_once(fault, form):
    with failing_first(fault) as provider:
        waits = []
        asked = client_of(provider, waits, **form)
        reply = asked.complete(ASK)
        assert (reply.text, reply.finish_reason) == (SAID, "stop")
        assert (len(provider.requests), waits) == (2, [1.0])
        spent = asked.ledger.used
        assert (spent.input_uncached, spent.cache_read, spent.output, spent.calls) == tuple(
            provider.billed[k] for k in ("input", "cached", "output", "calls")
        )
        assert math.isclose(spent.cost_usd, provider.usd, abs_tol=1e-9)


@pytest.mark.parametrize("form", [PLAIN, STREAM], ids=["plain", "stream"])
def test_a_call_without_words_is_an_answer_where_tools_are_open(form):
    with failing_first("loop") as provider:
        reply = client_of(provider, **form).complete(ASK, tools=TOOLS)
        assert [(c.name, c.arguments) for c in reply.tool_calls] == [("read", '{"path": "lease.txt"}')]
        assert (len(provider.requests), reply.usage.calls) == (1, 1)


def test_a_model_that_goes_on_saying_nothing_is_taken_at_its_word_and_all_of_it_is_paid():
    with failing_first("empty", times=9) as provider:
        asked = client_of(provider, retries=2)
        reply = asked.complete(ASK)
        assert (reply.text, len(provider.requests), reply.usage.calls) == ("", 3, 3)
        assert math.isclose(asked.ledger.used.cost_usd, provider.usd, abs_tol=1e-9)


def test_what_lost_replies_cost_is_on_the_account_of_a_call_that_failed():
    with failing_first("empty") as provider:
        asked = client_of(provider, retries=1)
        sound = provider.said

        def refused(body, fault):
            provider.refuse = 500
            return sound(body, fault)

        provider.said = refused
        with pytest.raises(SolonError):
            asked.complete(ASK)
        assert asked.ledger.used.cost_usd == pytest.approx(provider.usd)
        assert provider.usd > 0


def test_the_wait_that_the_provider_asks_for_is_kept():
    with failing_first("429", times=2) as provider:
        waits = []
        assert client_of(provider, waits).complete(ASK).text == SAID
        assert waits == [1.0, 2.0]  # it asks for one second; the second pause has grown past that


@pytest.mark.parametrize(
    ("form", "limit"),
    [({"timeout_seconds": 1.0}, "timeout_seconds"), (STREAM, "idle_seconds")],
    ids=["plain", "stream"],
)
def test_a_stalled_reply_is_given_up_and_asked_for_again(form, limit):
    with failing_first("stalled") as provider:
        assert client_of(provider, **form).complete(ASK).text == SAID
        assert len(provider.requests) == 2
    with failing_first("stalled") as provider, pytest.raises(SolonError, match=f"within 1 s.*Raise {limit}") as caught:
        client_of(provider, **{**form, "retries": 0}).complete(ASK)
    assert caught.value.failure.cause is FailureCause.TIMEOUT


@pytest.mark.parametrize("form", [PLAIN, STREAM], ids=["plain", "stream"])
@pytest.mark.parametrize("status", [401, 402, 403])
def test_a_refused_key_is_said_once_and_no_fallback_is_asked(status, form, monkeypatch):
    monkeypatch.setenv("HOUSE_KEY", "of-last-year")
    with serving(ScriptedProvider(words, refuse=status)) as provider, serving(ScriptedProvider(words)) as spare:
        asked = client_of(provider, api_key_env="HOUSE_KEY", **form)
        asked.fallbacks = [client_of(spare).profile]
        with pytest.raises(SolonError) as caught:
            asked.complete(ASK)
        assert caught.value.failure.cause is FailureCause.LOGIN
        assert "HOUSE_KEY" in caught.value.failure.remedy
        assert (len(provider.requests), len(spare.requests)) == (1, 0)


def test_a_failed_endpoint_is_passed_over_by_all_calls_until_it_has_cooled():
    now = [0.0]
    cooling = Cooling(clock=lambda: now[0])
    with serving(ScriptedProvider(words, refuse=500)) as first, serving(ScriptedProvider(words)) as spare:

        def ask():
            asked = client_of(first, retries=1, cooldown_seconds=30)
            asked.fallbacks, asked.cooling = [client_of(spare).profile.model_copy(update={"name": "spare"})], cooling
            return asked.complete(ASK).model

        assert [ask(), ask()] == ["spare", "spare"]
        assert len(first.requests) == 2  # one call with its retry; the second call never came here
        first.refuse, now[0] = 0, 31.0
        assert ask() == "p"


def test_all_clients_of_a_process_share_what_cools():
    one, two = (ModelAccess({n: {"model": "scripted"}}).client(n) for n in ("a", "b"))
    assert one.cooling is two.cooling
    assert one.within(5.0).cooling is one.cooling


def test_where_all_have_failed_all_are_tried():
    cooling = Cooling(clock=lambda: 0.0)
    one, two = (ModelProfile(name=n, model=n) for n in ("one", "two"))
    cooling.failed(one, after=0.0)
    cooling.failed(two, after=0.0)
    assert [p.name for p in cooling.order([one, two])] == ["one", "two"]
    assert [p.name for p in cooling.order([one, ModelProfile(name="three", model="three")])] == ["three", "one"]


def test_a_provider_that_asks_for_an_hour_is_not_waited_for():
    passing = RetryableError(failed(ModelProfile(name="p", model="scripted"), FailureCause.PROVIDER, "busy"))
    passing.after = 3000.0
    waits = []
    spare = ModelProfile(name="spare", model="spare")
    model = ScriptedModel([passing, "from the spare"])
    asked = ModelClient(ModelProfile(name="p", model="scripted"), [spare], transport=model, wait=waits.append)
    assert (asked.complete(ASK).model, waits) == ("spare", [])
    assert [p.name for p in asked.cooling.order([asked.profile, spare])] == ["spare", "p"]


def test_a_reply_that_trickles_is_cut_off_at_its_time():
    class Stream:
        received_finish_reason, closed = "stop", False

        def __iter__(self):
            while not self.closed:
                time.sleep(0.02)
                yield "a word"

        @property
        def completion_stream(self):
            return self

        def close(self):
            self.closed = True

    stream = Stream()
    litellm = SimpleNamespace(completion=lambda **call: stream)
    with pytest.raises(RetryableError, match="not whole after"):
        streamed(litellm, ModelProfile(name="p", model="m", stream=True, timeout_seconds=0.1), {"messages": ASK})
    assert stream.closed


def test_a_reply_whose_end_has_come_waits_for_its_count_and_is_not_thrown_away(monkeypatch):
    clock = iter((0.0, 9.0, 11.0))  # the start, the end of the reply, the count of its tokens

    class Late:
        received_finish_reason = "stop"

        def __iter__(self):
            return iter(("the end", "the count of tokens"))

    monkeypatch.setattr("tasks.models.transports.streaming.time", SimpleNamespace(monotonic=lambda: next(clock)))
    litellm = SimpleNamespace(completion=lambda **call: Late(), stream_chunk_builder=lambda chunks, messages: chunks)
    profile = ModelProfile(name="p", model="m", stream=True, timeout_seconds=10)
    assert streamed(litellm, profile, {"messages": ASK}) == ["the end", "the count of tokens"]


def test_a_setting_without_effect_is_refused():
    with pytest.raises(ValueError, match="stream = true"):
        ModelProfile(name="p", model="m", idle_seconds=5.0)


def test_retries_end_where_the_time_of_the_caller_does():
    passing = RetryableError(failed(ModelProfile(name="p", model="scripted"), FailureCause.PROVIDER, "busy"))
    model = ScriptedModel([passing] * 9)
    asked = ModelClient(ModelProfile(name="p", model="scripted", retries=8), transport=model, wait=lambda s: None)
    with pytest.raises(SolonError):
        asked.within(3.0).complete(ASK)
    assert len(model.requests) == 3  # after pauses of one and two seconds a third would outlast the caller


def test_roles_add_up(tmp_path):
    ledger = Ledger("m", file=tmp_path / "spent.jsonl")
    for role in ("solver", "chooser", "solver"):
        model = ScriptedModel(["two words"])
        ModelClient(ModelProfile(name="p", model="s"), ledger=ledger, role=role, transport=model).complete(ASK)
    by_role = Ledger("m", file=tmp_path / "spent.jsonl").by_role
    assert {role: usage.calls for role, usage in by_role.items()} == {"solver": 2, "chooser": 1}
    assert sum(u.tokens for u in by_role.values()) == ledger.used.tokens


def test_a_shared_prefix_is_marked_for_those_who_want_it_and_is_no_part_of_the_question(tmp_path):
    marked = [{**ASK[0], "cache": True}, ASK[1]]
    with serving(ScriptedProvider(words)) as provider:
        kept = {"cache": tmp_path, "mode": "read_write"}
        for wanted in (True, None):
            asked = client_of(provider, cache_control=wanted)
            asked.complete(marked)
        asked = client_of(provider)
        asked.cache, asked.mode = kept["cache"], kept["mode"]
        asked.complete(ASK)
        assert asked.complete(marked).replayed
    told = [body["messages"][0] for body in provider.requests]
    assert told[0]["content"] == [{"type": "text", "text": ASK[0]["content"], "cache_control": {"type": "ephemeral"}}]
    assert told[1:] == [ASK[0], ASK[0]]
    assert marked[0]["cache"] is True


def test_a_mark_within_a_message_parts_it_and_loses_no_word():
    marked = [{"role": "user", "content": "The lease. The question.", "cache": 10}]
    with serving(ScriptedProvider(words)) as provider:
        client_of(provider, cache_control=True).complete(marked)
        client_of(provider).complete(marked)
    parts, plain = (body["messages"][0]["content"] for body in provider.requests)
    assert [(p["text"], "cache_control" in p) for p in parts] == [("The lease.", True), (" The question.", False)]
    assert plain == "The lease. The question."


def test_a_tool_call_is_replayed_as_it_was_recorded(tmp_path):
    with failing_first("loop") as provider:
        asked = client_of(provider)
        asked.cache, asked.mode = tmp_path, "read_write"
        first = asked.complete(ASK, tools=TOOLS)
    replaying = client_of(provider)  # nobody listens there any more
    replaying.cache, replaying.mode = tmp_path, "replay"
    again = replaying.complete(ASK, tools=TOOLS)
    assert (again.tool_calls, again.finish_reason) == (first.tool_calls, first.finish_reason)
    assert again.replayed
    history = [
        *ASK,
        {"role": "assistant", "content": None, "tool_calls": [{"id": again.tool_calls[0].id, "function": {}}]},
    ]
    with pytest.raises(SolonError, match="No recorded reply"):
        replaying.complete(history, tools=TOOLS)


@pytest.mark.parametrize(
    ("fields", "remedy"),
    [
        ({"api_base": "http://127.0.0.1:9/v1"}, "api_key_env of the profile"),
        ({"api_base": "http://127.0.0.1:9/v1", "api_key_env": "HOUSE_KEY"}, "HOUSE_KEY"),
        ({}, "the provider's usual variable"),
    ],
)
def test_a_refused_key_says_where_the_key_belongs(fields, remedy):
    error = type("AuthenticationError", (Exception,), {"status_code": 401})("no")
    assert remedy in mapped(ModelProfile(name="p", model="openai/x", **fields), error, "").failure.remedy
