"""The litellm transport against a small server of our own on loopback: accounts, errors, schemas."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from tasks import models
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.parsing import find_object
from tasks.models.profile import ModelProfile, Prices
from tasks.models.records import Request
from tasks.models.transports.hosted import read_usage
from tasks.models.transports.shapes import arguments_of, reply_of

ASK = [{"role": "user", "content": "hello"}]


@pytest.fixture
def server():
    state = SimpleNamespace(requests=[], answers=[])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.requests.append((self.headers.get("authorization"), body))
            status, answer = state.answers.pop(0)
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    state.base = f"http://127.0.0.1:{httpd.server_port}/v1"
    yield state
    httpd.shutdown()
    httpd.server_close()
    thread.join(timeout=5)


def chat(text, **usage):
    return 200, {
        "id": "1", "object": "chat.completion", "created": 1, "model": "local",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": usage or {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13},
    }  # fmt: skip


def profile(server, **fields):
    return ModelProfile(name="local", model="openai/local", api_base=server.base, **{"retries": 0, **fields})


def ask(profile, **more):
    return ModelClient(profile, wait=lambda seconds: None).complete(ASK, **more)


def test_a_reply_with_disjoint_token_columns(server, monkeypatch):
    monkeypatch.setenv("SOME_KEY", "s3cret")
    usage = {
        "prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105,
        "prompt_tokens_details": {"cached_tokens": 60},
    }  # fmt: skip
    server.answers.append(chat("hi", **usage))
    prices = Prices(input_uncached=1.0, cache_read=0.1, output=2.0)
    reply = ask(profile(server, api_key_env="SOME_KEY", prices=prices))
    assert reply.text == "hi"
    assert (reply.usage.input_uncached, reply.usage.cache_read, reply.usage.output) == (40, 60, 5)
    assert reply.usage.cost_source == "priced"
    assert reply.usage.cost_usd == pytest.approx((40 + 6 + 10) / 1e6)
    assert server.requests[0][0] == "Bearer s3cret"
    assert "s3cret" not in reply.model_dump_json()


def test_a_model_without_a_price_states_no_cost(server):
    server.answers.append(chat("hi"))
    usage = ask(profile(server)).usage
    assert (usage.cost_usd, usage.cost_source) == (0.0, "none")


def test_a_schema_is_asked_of_the_endpoint_or_told_in_words(server):
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    server.answers += [chat("{}"), chat("{}")]
    ask(profile(server), schema=schema)
    ask(profile(server, structured="prompt"), schema=schema)
    by_endpoint, in_words = (body for _, body in server.requests)
    assert by_endpoint["response_format"]["json_schema"]["schema"] == schema
    assert "response_format" not in in_words
    assert '"properties"' in in_words["messages"][-1]["content"]


def _weighed_reply(text, content):
    status, answer = chat(text)
    answer["choices"][0]["logprobs"] = {"content": content}
    return status, answer


def _place(token, **likely):
    near = [{"token": t, "logprob": w, "bytes": None} for t, w in likely.items()]
    return {"token": token, "logprob": -0.1, "bytes": None, "top_logprobs": near}


def test_log_probabilities_are_asked_for_and_read_where_the_profile_says_they_are_given(server):
    server.answers += [_weighed_reply("yes", [_place("yes", yes=-0.1, no=-2.5)]), chat("yes"), chat("yes")]
    reply = ask(profile(server, logprobs=3), weighed=True)
    assert [(t.text, t.likely) for t in reply.tokens] == [("yes", {"yes": -0.1, "no": -2.5})]
    assert ask(profile(server), weighed=True).tokens == ask(profile(server, logprobs=3)).tokens == ()
    asked = [(body.get("logprobs"), body.get("top_logprobs")) for _, body in server.requests]
    assert asked == [(True, 3), (None, None), (None, None)]


@pytest.mark.parametrize(
    "content",
    ["none", [{"token": "yes"}], [{"token": "yes", "top_logprobs": [{"token": "a", "logprob": "heavy"}]}], [None], 7],
)
def test_strange_log_probabilities_cost_no_reply(content):
    message = SimpleNamespace(content="yes", tool_calls=None)
    choice = SimpleNamespace(message=message, finish_reason="stop", logprobs=SimpleNamespace(content=content))
    given = ModelProfile(name="m", model="openai/m", logprobs=3)
    reply = reply_of(given, Request(weighed=True), SimpleNamespace(choices=[choice]))
    assert (reply.text, reply.tokens) == ("yes", ())


def test_tokens_that_hold_pieces_of_the_key_are_not_kept(server, monkeypatch):
    monkeypatch.setenv("ODD_NAME", "zq9/vine+yard=7731-heliotrope")
    server.answers.append(
        _weighed_reply("zq9/vine+yard=7731-heliotrope", [_place("zq9/vine+yard"), _place("=7731-heliotrope")])
    )
    reply = ask(profile(server, logprobs=3, api_key_env="ODD_NAME"), weighed=True)
    assert "heliotrope" not in reply.model_dump_json()


def test_a_key_that_a_reply_repeats_is_not_kept(server, monkeypatch):
    key = "zq9/vine+yard=7731-heliotrope"
    monkeypatch.setenv("ODD_NAME", key)
    status, answer = chat(f"You are {key}.")
    answer["choices"][0]["message"]["tool_calls"] = [
        {"id": key, "type": "function", "function": {"name": key, "arguments": json.dumps({"key": key})}}
    ]
    server.answers.append((status, answer))
    reply = ask(profile(server, api_key_env="ODD_NAME"), tools=[{"type": "function", "function": {"name": "x"}}])
    assert reply.text == "You are [key]."
    assert key not in reply.model_dump_json()


def test_tool_calls_come_back_as_text(server):
    status, answer = chat(None)
    answer["choices"][0]["message"]["tool_calls"] = [
        {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": 1'}}
    ]
    server.answers.append((status, answer))
    (call,) = ask(profile(server), tools=[{"type": "function", "function": {"name": "search"}}]).tool_calls
    assert (call.name, call.arguments) == ("search", '{"q": 1')


@pytest.mark.parametrize(
    ("status", "message", "cause", "calls"),
    [
        (429, "slow down", FailureCause.PROVIDER, 2),
        (500, "oops", FailureCause.PROVIDER, 2),
        (503, "busy", FailureCause.PROVIDER, 2),
        (401, "bad key", FailureCause.LOGIN, 1),
        (403, "no such right", FailureCause.LOGIN, 1),
        (402, "no credits left", FailureCause.LOGIN, 1),
        (429, "insufficient_quota: check your plan", FailureCause.LOGIN, 1),
        (404, "no such model", FailureCause.PROVIDER, 1),
        (400, "This model's maximum context length is 10 tokens.", FailureCause.CAPACITY, 1),
    ],
)
def test_errors_are_told_in_the_failure_vocabulary(server, status, message, cause, calls):
    server.answers += [(status, {"error": {"message": message, "type": "x", "code": str(status)}})] * 4
    with pytest.raises(SolonError) as caught:
        ask(profile(server, retries=1))
    assert caught.value.failure.cause is cause
    assert caught.value.failure.subject == "local"
    assert len(server.requests) == calls


def test_an_endpoint_that_is_not_there_is_a_provider_failure():
    gone = ModelProfile(name="gone", model="openai/x", api_base="http://127.0.0.1:9/v1", retries=0, timeout_seconds=5)
    with pytest.raises(SolonError) as caught:
        ask(gone)
    assert caught.value.failure.cause is FailureCause.PROVIDER


def test_hostile_token_counts_are_clamped():
    details = SimpleNamespace(cached_tokens=10**30)
    raw = SimpleNamespace(prompt_tokens=50, completion_tokens=float("nan"), prompt_tokens_details=details)
    usage = read_usage(raw)
    assert (usage.input_uncached, usage.cache_read, usage.output) == (0, 50, 0)
    assert read_usage(SimpleNamespace(prompt_tokens=-5, completion_tokens=True)).input_uncached == 0
    assert read_usage(None).calls == 1


def test_the_request_leaves_out_what_is_not_set():
    plain = ModelProfile(name="a", model="m", temperature=None)
    left_out = {"temperature", "seed", "api_base", "reasoning_effort", "tools"}
    assert not left_out & set(arguments_of(plain, Request(ASK)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Sure! {"a": {"b": 2}} and more {', {"a": {"b": 2}}),
        ("{not json} then {\"a\": 1}", {"a": 1}),
        ("[1, 2]", None),
        ("no", None),
        ("{" * 5000, None),
    ],
)  # fmt: skip
def test_json_is_found_however_it_is_wrapped(text, value):
    assert find_object(text) == value


def test_only_the_model_layer_calls_litellm():
    root = Path(models.__file__).parents[2]
    files = [
        p
        for part in ("tasks", "flows", "warehouse", "knowledge_db", "skills_repo")
        for p in (root / part).rglob("*.py")
    ]
    callers = [p for p in files if re.search(r"^\s*(import|from) litellm", p.read_text(encoding="utf-8"), re.MULTILINE)]
    layer = "tasks/models/transports"
    assert {p.relative_to(root).as_posix() for p in callers} == {f"{layer}/hosted.py", f"{layer}/dialects.py"}


@pytest.mark.parametrize("base", ["http://127.0.0.1:9/v1", "http://nowhere.invalid/v1"])
def test_an_address_where_nothing_answers_is_named(base):
    profile = ModelProfile(name="m", model="openai/m", api_base=base, retries=0)
    with pytest.raises(SolonError) as told:
        ModelClient(profile).complete(ASK)
    assert told.value.failure.cause is FailureCause.PROVIDER
    assert told.value.failure.message.startswith(f"Nothing answers at {base} ([Errno ")
    assert told.value.failure.remedy == "Check api_base of the profile, and that its server runs."


def test_a_web_page_is_no_reply_and_is_not_asked_for_again(page):
    profile = ModelProfile(name="m", model="openai/m", api_base=page.base, retries=3)
    with pytest.raises(SolonError) as told:
        ModelClient(profile, wait=lambda seconds: None).complete(ASK)
    assert "A web page came, and no reply of a model: '<!DOCTYPE html>" in told.value.failure.message
    assert "login" in told.value.failure.remedy
    assert page.asked == 1


@pytest.fixture
def page():
    state = SimpleNamespace(asked=0)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            state.asked += 1
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>")

        def log_message(self, *args):
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    state.base = f"http://127.0.0.1:{httpd.server_port}/v1"
    yield state
    httpd.shutdown()
    httpd.server_close()
    thread.join(timeout=5)


def test_an_address_without_its_scheme_is_refused():
    with pytest.raises(ValueError, match="write http:// or https:// before it"):
        ModelProfile(name="m", model="openai/m", api_base="127.0.0.1:8080/v1")
