"""An agent whose model does not speak its protocol: read, asked by litellm, and told in the agent's own words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from tasks.drafting.cli_agents.proxies.aims import Aim
from tasks.drafting.cli_agents.proxies.carrying import Carriers
from tasks.drafting.cli_agents.proxies.model import ModelProxy
from tasks.drafting.cli_agents.proxies.telling import told
from tasks.drafting.cli_agents.proxies.translating import UnreadableRequestError, translated
from tasks.drafting.cli_agents.proxies.usage import UsageMeter
from tasks.drafting.cli_agents.records import Speech
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.cooling import Cooling
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request, RetryableError, ToolCall, failed
from tests.live.fake_endpoint import KEY, fake_endpoint
from tests.unit.drafting.cli_agents.test_model_proxy import PATHS, post

SPEECHES: tuple[Speech, ...] = ("messages", "chat", "responses")
PRICES = {"input_uncached": 1.0, "output": 2.0, "cache_read": 0.5, "cache_write": 1.25}
CALL = ToolCall(id="c1", name="search", arguments='{"query": "rent"}')
USED = Usage(input_uncached=100, cache_read=20, output=40, calls=1, cost_usd=0.5, cost_source="reported")
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}}
SOUGHT = {"query": "rent"}
CALLED = {"name": "search", "arguments": '{"query": "rent"}'}
FUNCTION = {"name": "search", "description": "Searches.", "parameters": SCHEMA}
# The same conversation in each protocol: what the system says, a brief, one call and what it showed.
TALKS: dict[Speech, dict[str, Any]] = {
    "messages": {
        "system": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Obey."}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "What is the rent?"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "search", "input": SOUGHT}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "EUR 1,200"}]},
        ],
        "tools": [{"name": "search", "description": "Searches.", "input_schema": SCHEMA}],
        "max_tokens": 50,
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "high"},
    },
    "chat": {
        "messages": [
            {"role": "developer", "content": "Be brief.\nObey."},
            {"role": "user", "content": "What is the rent?"},
            {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": CALLED}]},
            {"role": "tool", "tool_call_id": "c1", "content": "EUR 1,200"},
        ],
        "tools": [{"type": "function", "function": FUNCTION}],
        "max_completion_tokens": 50,
    },
    "responses": {
        "instructions": "Be brief.\nObey.",
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "What is the rent?"}]},
            {"type": "reasoning", "summary": [], "encrypted_content": "kept"},
            {"type": "function_call", "call_id": "c1", "namespace": "mcp__solon", **CALLED},
            {"type": "function_call_output", "call_id": "c1", "output": "EUR 1,200"},
        ],
        "tools": [{"type": "namespace", "name": "mcp__solon", "tools": [{"type": "function", **FUNCTION}]}],
        "max_output_tokens": 50,
        "reasoning": {"effort": "high", "summary": "auto"},
    },
}  # fmt: skip


class Canned:
    """A transport that gives one thing after the other."""

    def __init__(self, *given: Reply | Exception) -> None:
        self.given, self.asked = list(given), list[tuple[ModelProfile, Request]]()

    def send(self, profile: ModelProfile, request: Request) -> Reply:
        self.asked.append((profile, request))
        answer = self.given.pop(0) if len(self.given) > 1 else self.given[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def profile(name: str = "m", **more: Any) -> ModelProfile:
    return ModelProfile.model_validate({"name": name, "model": "gemini/big", "prices": PRICES, **more})


def proxy(speech: Speech, canned: Canned, profiles: Sequence[ModelProfile] = (), **more: Any) -> ModelProxy:
    aims = [Aim.of(p, speech) for p in profiles or [profile()]]
    carriers = Carriers(canned)  # type: ignore[arg-type]
    return ModelProxy(aims, speech, Ledger("t"), 10, lambda body: "k", carriers=carriers, cooling=Cooling(), **more)


def events(body: bytes) -> list[dict[str, Any]]:
    lines = [line[6:] for line in body.decode().splitlines() if line.startswith("data: {")]
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("speech", SPEECHES)
def test_a_request_reads_the_same_in_every_protocol(speech: Speech) -> None:
    found = translated(speech, TALKS[speech])
    name = "mcp__solon__search" if speech == "responses" else "search"
    said = [(m["role"], m["content"]) for m in found.request.messages]
    assert said == [
        ("system", "Be brief.\nObey."),
        ("user", "What is the rent?"),
        ("assistant", ""),
        ("tool", "EUR 1,200"),
    ]
    (call,) = found.request.messages[2]["tool_calls"]
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == (name, {"query": "rent"})
    assert found.request.messages[3]["tool_call_id"] == call["id"] == "c1"
    assert found.request.tools is not None
    (tool,) = found.request.tools
    assert (tool["function"]["name"], tool["function"]["parameters"]) == (name, SCHEMA)
    assert found.within(profile()).max_output_tokens == 50
    assert found.within(profile(max_output_tokens=9)).max_output_tokens == 9


@pytest.mark.parametrize("speech", SPEECHES)
@pytest.mark.parametrize("streamed", [True, False])
def test_a_reply_is_told_in_the_agents_protocol_and_charged_as_it_cost(speech: Speech, streamed: bool) -> None:
    flat = "mcp__solon__search" if speech == "responses" else "search"
    reply = Reply(text="Let me look.", tool_calls=(CALL.model_copy(update={"name": flat}),), usage=USED)
    one = proxy(speech, Canned(reply))
    came = post(one, PATHS[speech], {**TALKS[speech], "stream": streamed})
    assert came.status_code == 200
    assert one.ledger.used == USED
    assert (one.calls, one.translated, dict(one.answered)) == (1, {"m"}, {"m": 1})
    whole = came.json() if not streamed else _gathered(speech, events(came.content))
    assert _read(speech, whole) == ("Let me look.", "search", {"query": "rent"}, "c1")
    meter = UsageMeter(speech, 0)  # what the agent counts is what the provider told
    _ = [meter.line(line + b"\n") for line in came.content.splitlines()] if streamed else meter.whole(came.content)
    assert meter.usage() == USED.model_copy(update={"cost_usd": 0.0, "cost_source": "none"})


def _gathered(speech: Speech, found: list[dict[str, Any]]) -> dict[str, Any]:
    """Put a stream together as a program does."""
    if speech == "responses":
        done = [e["item"] for e in found if e["type"] == "response.output_item.done"]
        assert done == found[-1]["response"]["output"]
        return found[-1]["response"]
    if speech == "chat":
        deltas = [c["delta"] for e in found for c in e["choices"]]
        text = "".join(d.get("content") or "" for d in deltas)
        calls = [call for d in deltas for call in d.get("tool_calls", ())]
        return {"choices": [{"message": {"content": text, "tool_calls": calls}, "finish_reason": "tool_calls"}]}
    blocks = {e["index"]: dict(e["content_block"]) for e in found if e["type"] == "content_block_start"}
    for event in found:
        if event["type"] == "content_block_delta":
            delta, block = event["delta"], blocks[event["index"]]
            if delta["type"] == "text_delta":
                block["text"] += delta["text"]
            else:
                block["input"] = json.loads(delta["partial_json"])
    (end,) = [e["delta"] for e in found if e["type"] == "message_delta"]
    return {"content": [blocks[n] for n in sorted(blocks)], **end}


def _read(speech: Speech, whole: dict[str, Any]) -> tuple[str, str, Any, str]:
    if speech == "messages":
        text, call = whole["content"]
        assert whole["stop_reason"] == "tool_use"
        return text["text"], call["name"], call["input"], call["id"]
    if speech == "responses":
        text, call = whole["output"]
        assert (whole["status"], call["namespace"]) == ("completed", "mcp__solon")
        return text["content"][0]["text"], call["name"], json.loads(call["arguments"]), call["call_id"]
    (choice,) = whole["choices"]
    (call,) = choice["message"]["tool_calls"]
    assert choice["finish_reason"] == "tool_calls"
    return choice["message"]["content"], call["function"]["name"], json.loads(call["function"]["arguments"]), call["id"]


@pytest.mark.parametrize(
    ("speech", "where", "cut"),
    [("messages", "stop_reason", "max_tokens"), ("responses", "status", "incomplete"), ("chat", "choices", "length")],
)
def test_a_reply_that_was_cut_off_says_so(speech: Speech, where: str, cut: str) -> None:
    found = translated(speech, TALKS[speech])
    _, body = told(speech, "m", Reply(text="The rent", finish_reason="length"), found, streamed=False)
    value = json.loads(body)[where]
    assert (value[0]["finish_reason"] if where == "choices" else value) == cut


def test_a_tool_that_takes_text_is_given_text() -> None:
    tools = [
        {
            "type": "custom",
            "name": "apply_patch",
            "description": "",
            "format": {"type": "grammar", "syntax": "lark", "definition": "x"},
        }
    ]
    found = translated("responses", {"input": "Go.", "tools": tools})
    assert found.request.tools
    call = ToolCall(id="c", name="apply_patch", arguments='{"content": "*** Begin"}')
    _, body = told("responses", "m", Reply(tool_calls=(call,)), found, streamed=False)
    (item,) = json.loads(body)["output"]
    assert (item["type"], item["name"], item["input"]) == ("custom_tool_call", "apply_patch", "*** Begin")


def test_arguments_that_are_no_object_reach_the_tool_that_refuses_them() -> None:
    reply = Reply(tool_calls=(ToolCall(id="", name="search", arguments='["rent'),))
    _, body = told("messages", "m", reply, translated("messages", TALKS["messages"]), streamed=False)
    (block,) = json.loads(body)["content"]
    assert block["input"] == {"_raw": '["rent'}
    assert block["id"]


def test_one_message_of_the_system_and_no_two_of_the_user_in_a_row() -> None:
    talk = [
        ("system", "A."), ("developer", "B."), ("user", "One."),
        ("system", "Late."), ("assistant", "Well."), ("user", "Two."),
    ]  # fmt: skip
    found = translated("chat", {"messages": [{"role": r, "content": c} for r, c in talk]}).request.messages
    said = [(m["role"], m["content"]) for m in found]
    assert said == [("system", "A.\n\nB."), ("user", "One.\n\nLate."), ("assistant", "Well."), ("user", "Two.")]


@pytest.mark.parametrize("speech", SPEECHES)
@pytest.mark.parametrize(
    "body", [{}, {"messages": 5, "input": 5}, {"messages": [None], "input": [None]}, {"tools": [7]}]
)
def test_a_body_that_is_no_request_is_refused_and_costs_nothing(speech: Speech, body: dict[str, Any]) -> None:
    one = proxy(speech, Canned(Reply(text="Well.", usage=USED)))
    came = post(one, PATHS[speech], body)
    assert came.status_code in (200, 400)
    if came.status_code == 400:
        assert (one.calls, one.ledger.used.calls) == (0, 0)
    with pytest.raises(UnreadableRequestError):
        translated(speech, {"messages": [None], "input": [None], "max_tokens": 1})


def test_tokens_are_counted_without_the_model() -> None:
    canned = Canned(Reply(text="Never."))
    one = proxy("messages", canned)
    came = post(one, "/v1/messages/count_tokens", TALKS["messages"])
    assert came.json()["input_tokens"] > 20
    assert (canned.asked, one.calls) == ([], 0)


def _failure(kind: FailureCause, **more: Any) -> SolonError:
    error = (RetryableError if more else SolonError)(failed(profile(), kind, "It failed."))
    for name, value in more.items():
        setattr(error, name, value)
    return error


@pytest.mark.parametrize("speech", SPEECHES)
def test_a_fallback_in_another_protocol_answers(speech: Speech, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is asked in the agent's own protocol and fails; the second is another provider's."""
    monkeypatch.setenv("DOOR_KEY", KEY)
    own = "anthropic" if speech == "messages" else "openai"
    first = profile("first", model=f"{own}/x", api_base="http://first.example/v1", api_key_env="DOOR_KEY")
    asked = []
    network = httpx.MockTransport(lambda request: asked.append(request) or httpx.Response(503))  # type: ignore[func-returns-value]
    canned = Canned(Reply(text="Well.", usage=USED))
    one = proxy(speech, canned, [first, profile("second")], transport=network)
    assert post(one, PATHS[speech], TALKS[speech]).status_code == 200
    assert [len(asked), len(canned.asked), canned.asked[0][0].name] == [1, 1, "second"]
    assert (dict(one.answered), one.ledger.used, one.last) == ({"second": 1}, USED, None)


def test_what_lost_replies_cost_is_on_the_account() -> None:
    spent = Usage(output=7, calls=1, cost_usd=0.25, cost_source="reported")
    broken = _failure(FailureCause.PROVIDER, after=3.0, spent=spent)
    one = proxy("chat", Canned(broken, Reply(text="Well.", usage=USED)), [profile("first"), profile("second")])
    assert post(one, PATHS["chat"], TALKS["chat"]).status_code == 200
    assert (one.ledger.used.cost_usd, one.ledger.used.calls) == (0.75, 2)


@pytest.mark.parametrize(
    ("error", "status", "stops"),
    [
        (_failure(FailureCause.LOGIN), 401, True),
        (_failure(FailureCause.TIMEOUT, after=0.0), 504, False),
        (_failure(FailureCause.PROVIDER, after=0.0), 502, False),
        (_failure(FailureCause.PROVIDER), 400, False),
        (_failure(FailureCause.CAPACITY), 400, False),
    ],
)
def test_a_failure_is_told_in_the_agents_form(error: SolonError, status: int, stops: bool) -> None:
    for speech in SPEECHES:
        one = proxy(speech, Canned(error))
        came = post(one, PATHS[speech], TALKS[speech])
        assert came.status_code == status
        assert "It failed." in came.json()["error"]["message"]
        assert (one.stop is not None) is stops
        assert one.last is not None
        assert one.last.cause == error.failure.cause
        if error.failure.cause is FailureCause.CAPACITY:  # by these words programs shorten their history
            told_so = "prompt is too long" if speech == "messages" else "context_length_exceeded"
            assert told_so in came.text


def test_a_server_without_the_agents_protocol_is_asked_in_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOOR_KEY", KEY)
    local = profile(model="openai/local", api_base="http://local.example/v1", api_key_env="DOOR_KEY")
    asked: list[str] = []
    network = httpx.MockTransport(lambda request: asked.append(request.url.path) or httpx.Response(404))  # type: ignore[func-returns-value]
    canned = Canned(Reply(text="Well.", usage=USED))
    one = proxy("responses", canned, [local], transport=network)
    assert [post(one, PATHS["responses"], TALKS["responses"]).status_code for _ in range(2)] == [200, 200]
    assert (asked, len(canned.asked)) == (["/v1/responses"], 2)


def test_an_agent_that_leaves_is_not_waited_for_and_what_it_asked_is_charged() -> None:
    import threading

    held = threading.Event()

    class Slow:
        def send(self, profile: ModelProfile, request: Request) -> Reply:
            held.wait(20)
            return Reply(text="Late.", usage=USED)

    one = proxy("chat", Slow())  # type: ignore[arg-type]
    sent = []

    async def leave() -> None:
        said = [{"type": "http.request", "body": json.dumps(TALKS["chat"]).encode()}, {"type": "http.disconnect"}]

        async def receive() -> dict[str, Any]:
            if len(said) == 1:
                await asyncio.sleep(0.05)
            return said.pop(0)

        async def send(message: Any) -> None:
            sent.append(message)

        await one({"type": "http", "method": "POST", "path": PATHS["chat"], "headers": []}, receive, send)
        held.set()
        await asyncio.sleep(0.05)

    asyncio.run(leave())
    assert sent == []
    assert (one.calls, one.ledger.used.calls, one.waiting) == (1, 1, 0)
    assert one.ledger.used.cost_usd > 0


SAMPLING = [
    ("openai/fake", "chat", {}, {"temperature": 0.0, "seed": 7}),
    ("openai/fake", "responses", {}, {"temperature": 0.0}),
    ("openai/gpt-5", "chat", {}, {"seed": 7}),
    ("anthropic/fake", "messages", {"thinking": {"type": "disabled"}}, {"temperature": 0.0}),
    ("anthropic/fake", "messages", {"thinking": {"type": "adaptive"}}, {}),
]


@pytest.mark.parametrize(("model", "speech", "body", "wanted"), SAMPLING)
def test_temperature_and_seed_of_the_profile_go_before_the_agents(
    model: str, speech: Speech, body: dict[str, Any], wanted: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOOR_KEY", KEY)
    made = profile(model=model, seed=7, api_base="http://far.example/v1", api_key_env="DOOR_KEY")
    assert Aim.of(made, speech).sampled(body) == wanted
    assert Aim.of(made.model_copy(update={"temperature": None, "seed": None}), speech).sampling == {}
    sent: list[dict[str, Any]] = []

    def upstream(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        return httpx.Response(200, json={"usage": {}})

    one = proxy(speech, Canned(), [made], transport=httpx.MockTransport(upstream))
    post(one, PATHS[speech], {"messages": [], "temperature": 0.9, **body})
    assert {k: v for k, v in sent[0].items() if k in ("temperature", "seed")} == {"temperature": 0.9, **wanted}


CROSSED = [("messages", "openai/fake"), ("responses", "anthropic/fake"), ("chat", "anthropic/fake")]


@pytest.mark.parametrize(("speech", "model"), CROSSED)
def test_through_litellm_the_account_agrees_with_what_the_provider_told(
    speech: Speech, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_KEY", KEY)
    with fake_endpoint([("search", {"query": "rent"}), "EUR 1,200."]) as endpoint:
        base = endpoint.url.removesuffix("/v1") if model.startswith("anthropic") else endpoint.url
        made = profile(model=model, api_base=base, api_key_env="FAKE_KEY", stream=True, seed=7)
        aims = [Aim.of(made, speech)]
        one = ModelProxy(aims, speech, Ledger("t"), 10, lambda body: "k", cooling=Cooling())
        came = post(one, PATHS[speech], {**TALKS[speech], "stream": True})
    assert came.status_code == 200, came.text
    assert "EUR 1,200." in came.text
    assert (endpoint.asked[0]["temperature"], endpoint.asked[0].get("seed")) == (0.0, 7 if "openai" in model else None)
    written = 5 if "anthropic" in model else 0
    wanted = Usage(input_uncached=100, cache_read=20, cache_write=written, output=40, calls=1)
    cost = (100 + 20 * 0.5 + written * 1.25 + 40 * 2) / 1e6
    assert one.ledger.used == wanted.model_copy(update={"cost_usd": pytest.approx(cost), "cost_source": "priced"})
    assert KEY not in came.text


def forced(speech: Speech) -> dict[str, Any]:
    """Return a request that wants one tool to be called."""
    told = {
        "messages": {"type": "tool", "name": "search"},
        "chat": {"type": "function", "function": {"name": "search"}},
        "responses": {"type": "function", "name": "search"},
    }
    return {**TALKS[speech], "tool_choice": told[speech]}


@pytest.mark.parametrize("speech", SPEECHES)
def test_a_forced_tool_is_forced_under_the_name_that_the_model_knows(speech: Speech) -> None:
    canned = Canned(Reply(text="Well.", usage=USED))
    assert post(proxy(speech, canned), PATHS[speech], forced(speech)).status_code == 200
    name = "mcp__solon__search" if speech == "responses" else "search"
    assert canned.asked[0][1].choice == {"type": "function", "function": {"name": name}}


@pytest.mark.parametrize(
    ("speech", "said", "asked"),
    [
        ("messages", {"type": "any"}, "required"), ("messages", {"type": "none"}, "none"),
        ("chat", "required", "required"), ("responses", "none", "none"), ("chat", "auto", "auto"),
    ],
)  # fmt: skip
def test_whether_any_tool_must_be_called_goes_with_the_request(speech: Speech, said: Any, asked: str) -> None:
    assert translated(speech, {**TALKS[speech], "tool_choice": said}).request.choice == asked
    without = {k: v for k, v in TALKS[speech].items() if k != "tools"}
    assert translated(speech, {**without, "tool_choice": said}).request.choice is None


@pytest.mark.parametrize("speech", SPEECHES)
def test_a_forced_tool_is_refused_where_the_model_cannot_be_forced(speech: Speech) -> None:
    weak, able = profile("weak", model="ollama/llama3"), profile("able")
    one = proxy(speech, canned := Canned(Reply(text="Well.", usage=USED)), [weak])
    came = post(one, PATHS[speech], forced(speech))
    assert came.status_code == 400
    assert "the model of profile weak cannot be made to call a tool" in came.text
    assert (one.ledger.used.calls, one.last and one.last.cause) == (0, FailureCause.INPUT)
    both = proxy(speech, canned, [weak, able])
    assert post(both, PATHS[speech], forced(speech)).status_code == 200
    assert dict(both.answered) == {"able": 1}


ANSWER = {
    "type": "object", "properties": {"rent": {"type": "string"}}, "required": ["rent"], "additionalProperties": False,
}  # fmt: skip
FORMS: list[tuple[Speech, dict[str, Any]]] = [
    ("messages", {"output_format": {"type": "json_schema", "schema": ANSWER}}),
    ("messages", {"output_config": {"format": {"type": "json_schema", "schema": ANSWER}}}),
    ("chat", {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": ANSWER}}}),
    ("responses", {"text": {"format": {"type": "json_schema", "name": "a", "schema": ANSWER}}}),
]


@pytest.mark.parametrize(("speech", "form"), FORMS)
def test_the_form_of_the_reply_goes_with_the_request(speech: Speech, form: dict[str, Any]) -> None:
    found = translated(speech, {**TALKS[speech], **form})
    assert found.request.schema == ANSWER
    assert found.within(profile()).structured == "schema"
    weak = found.within(profile(model="replicate/meta/llama-2-70b"))
    assert weak.structured == "prompt"  # asked for in words


def test_a_form_that_says_nothing_is_none() -> None:
    assert translated("chat", {**TALKS["chat"], "response_format": {"type": "text"}}).request.schema is None
    any_object = translated("chat", {**TALKS["chat"], "response_format": {"type": "json_object"}})
    assert any_object.request.schema == {"type": "object"}


THOUGHTS: list[tuple[Speech, dict[str, Any]]] = [
    ("messages", {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}]}),
    ("chat", {"role": "assistant", "content": "x", "reasoning_content": "hm"}),
    ("responses", {"type": "reasoning", "summary": [], "encrypted_content": "hm"}),
]


@pytest.mark.parametrize(("speech", "thought"), THOUGHTS)
def test_that_kept_thoughts_are_left_behind_is_recorded(speech: Speech, thought: dict[str, Any]) -> None:
    place = "input" if speech == "responses" else "messages"
    talk = [row for row in TALKS[speech][place] if row.get("type") != "reasoning"]
    for rows, recorded in ((talk, False), ([talk[0], thought, *talk[1:]], True)):
        one = proxy(speech, canned := Canned(Reply(text="Well.", usage=USED)))
        assert post(one, PATHS[speech], {**TALKS[speech], place: rows}).status_code == 200
        assert ("kept thoughts" in one.taken) is recorded
        assert "hm" not in str(canned.asked[0][1].messages)
