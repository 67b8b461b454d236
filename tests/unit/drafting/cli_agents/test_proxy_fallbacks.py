"""The fallbacks of a profile act for agent programs at the proxy of the model, as they do for our own runtimes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from flows.runs.cells import resolve_cell
from flows.settings import load_settings
from tasks.drafting.cli_agents.layout import asked_of
from tasks.drafting.cli_agents.proxies.model import ModelProxy
from tasks.drafting.cli_agents.runtime import CliRuntime
from tasks.matter.failures import SolonError
from tasks.models.cooling import Cooling
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile
from tests.unit.drafting.cli_agents.matters import aims_among
from tests.unit.drafting.cli_agents.test_model_proxy import post

KEYS = {"FIRST_KEY": "sk-first-0123456789", "SECOND_KEY": "sk-second-0123456789"}
USED = {"usage": {"prompt_tokens": 10, "completion_tokens": 4}}
Answer = Callable[[httpx.Request], httpx.Response]


def refused(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused", request=request)


def slow(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadTimeout("slow", request=request)


def says(status: int, **more: Any) -> Answer:
    body = USED if status == 200 else {"error": f"no {list(KEYS.values())}"}
    return lambda _: httpx.Response(status, json=body, **more)


def profile(name: str, price: float, **more: Any) -> ModelProfile:
    told = {"model": f"openai/{name}-model", "api_base": f"http://{name}.example/v1"}
    told["api_key_env"] = f"{name.upper()}_KEY"
    prices = {"input_uncached": price, "output": 0.0}
    return ModelProfile.model_validate({"name": name, "prices": prices, **told, **more})


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[ModelProxy, list[httpx.Request]]]:
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)

    def make(first: Answer, second: Answer, **more: Any) -> tuple[ModelProxy, list[httpx.Request]]:
        sent: list[httpx.Request] = []

        def upstream(request: httpx.Request) -> httpx.Response:
            sent.append(request)
            return (first if request.url.host == "first.example" else second)(request)

        both = [profile("first", 1.0), profile("second", 3.0, **more)]
        transport = httpx.MockTransport(upstream)
        aims = aims_among(both, "chat")
        return ModelProxy(aims, "chat", Ledger("t"), 10, lambda body: "k", transport=transport, cooling=Cooling()), sent

    return make


def ask(one: ModelProxy, **more: Any) -> httpx.Response:
    return post(one, "/v1/chat/completions", {"messages": [], "model": "whatever", **more})


FAILS = {"500": says(500), "529": says(529), "429": says(429), "no": refused, "slow": slow}


@pytest.mark.parametrize("fails", FAILS.values(), ids=FAILS)
def test_the_fallback_answers_where_the_endpoint_fails(proxy: Any, fails: Answer) -> None:
    one, sent = proxy(fails, says(200), max_output_tokens=50)
    came = ask(one, max_tokens=9000)
    assert (came.status_code, came.json()) == (200, USED)
    bodies = [json.loads(request.content) for request in sent]
    assert [(b["model"], b["max_tokens"]) for b in bodies] == [("first-model", 8192), ("second-model", 50)]
    assert [r.headers["authorization"] for r in sent] == [f"Bearer {key}" for key in KEYS.values()]
    assert (one.calls, one.last, one.stop, dict(one.answered)) == (1, None, None, {"second": 1})
    assert one.ledger.used.cost_usd == pytest.approx(3.0 * 10 / 1e6), "by the prices of who answered"


def test_what_failed_lately_is_asked_last(proxy: Any) -> None:
    one, sent = proxy(says(503), says(200))
    assert [ask(one).status_code for _ in range(3)] == [200] * 3
    assert [r.url.host for r in sent] == ["first.example", *["second.example"] * 3]


def test_where_all_fail_the_agent_hears_of_the_last_without_a_key(proxy: Any) -> None:
    one, sent = proxy(says(500), says(502))
    came = ask(one)
    assert (came.status_code, len(sent), one.last.subject) == (502, 2, "second")
    assert not any(key in came.text for key in KEYS.values())
    assert one.answered == {}


@pytest.mark.parametrize("status", [400, 401, 403, 413])
def test_a_refused_request_or_key_is_nobodys_to_answer_instead(proxy: Any, status: int) -> None:
    one, sent = proxy(says(status), says(200))
    assert ask(one).status_code == status
    assert len(sent) == 1
    assert (one.stop is not None) is (status in (401, 403))


def test_a_stream_that_broke_off_is_not_begun_again_elsewhere(proxy: Any) -> None:
    """Words of it have reached the agent; two answers in one would be none."""

    class Broken(httpx.AsyncByteStream):
        async def __aiter__(self):
            yield b'data: {"choices": []}\n\n'
            raise httpx.ReadError("gone")

    stream = httpx.Response(200, stream=Broken(), headers={"content-type": "text/event-stream"})
    one, sent = proxy(lambda _: stream, says(200))
    ask(one, stream=True)
    assert (len(sent), one.last.cause) == (1, "provider")


def test_a_fallback_or_a_route_of_another_protocol_is_fit_for_an_agent_and_its_effort_must_be_known(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "solon.toml"
    models.write_text(
        '[models.m]\nmodel = "openai/x"\nfallbacks = ["other"]\n[models.other]\nmodel = "anthropic/y"\n'
        '[routing.house]\namong = ["other"]\n[models.bad]\nmodel = "openai/x"\neffort = "heroic"\n'
    )
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\necho 1.2.3 --json --skip-git-repo-check resume --model --config "
                       "--dangerously-bypass-approvals-and-sandbox\n")  # fmt: skip
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("SOLON_MODELS", str(models))
    settings = load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={})
    able = CliRuntime("codex", sandboxes=lambda wanted: None)  # type: ignore[arg-type, return-value]
    monkeypatch.setattr("flows.runs.cells.runtime", lambda name: able)
    for cell in ("codex:m", "codex:route:house"):
        assert resolve_cell(cell, settings).options["program"].startswith("codex 1.2.3")
    with pytest.raises(SolonError, match="codex knows no effort 'heroic'"):
        resolve_cell("codex:bad", settings)


def test_the_agent_is_told_sizes_that_hold_for_whoever_answers() -> None:
    both = [profile("first", 1.0, context_window=9000), profile("second", 1.0, max_output_tokens=50, timeout_seconds=7)]
    told = asked_of(aims_among(both, "chat"), turns=3)
    assert (told.model, told.window, told.reply, told.turns) == ("first-model", 9000, 50, 3)
    assert told.model_seconds == both[0].timeout_seconds + 7
