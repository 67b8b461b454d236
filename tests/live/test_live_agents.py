"""The real agent programs, each in a real sandbox, against a fake local endpoint with canned replies."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tasks.drafting.cli_agents.records import adapter
from tasks.drafting.stage import draft
from tasks.drafting.workspace.sandboxes import standings
from tasks.sources.texts import read_file
from tasks.tracing.about import About
from tasks.tracing.stage import trace
from tests.live.fake_endpoint import KEY, fake_endpoint
from tests.unit.drafting.cli_agents.matters import SKILL, make_job, revising

SHELL = {"claude-code": ("Bash", "command"), "codex": ("exec_command", "cmd"), "opencode": ("bash", "command")}
MEMO = "# Memo\n\nThe rent is EUR 1,200 a month [lease.txt § 1]."
SPY = (
    "env; cat /proc/1/environ /proc/self/environ; ls / /root /home; cat /etc/shadow; "
    "echo x >> AGENTS.md; echo x > .claude/skills/evil; (exec 3<>/dev/tcp/1.1.1.1/53) && printf NET-%s OPEN"
)


@pytest.fixture(params=["claude-code", "codex", "opencode"])
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if shutil.which(adapter(request.param).program) is None:
        pytest.skip(f"{adapter(request.param).program} is not on PATH")
    if all(standing.fault for standing in standings()):
        pytest.skip(f"no sandbox works here: {standings()[0].fault}")
    monkeypatch.setenv("FAKE_KEY", KEY)
    return str(request.param)


def job_for(tmp_path: Path, name: str, url: str, model: str = "", **cell: Any) -> Any:
    model = model or ("anthropic/fake" if adapter(name).speaks == "messages" else "openai/fake")
    profile = {"model": model, "api_base": url, "api_key_env": "FAKE_KEY", "prices": {"input_uncached": 1, "output": 2}}
    profile |= {"stream": True, "seed": 7}  # the fake endpoint speaks in streams
    return make_job(tmp_path, name, profile, limits={"wall_seconds": 150}, **cell)


def demanding(job: Any, *tools: str) -> Any:
    """Return a job whose skill calls tools mandatory, as a lawyer's skill does."""
    skill = job.pack.skill.model_copy(update={"mandatory_tools": tools})
    return replace(job, pack=job.pack.model_copy(update={"skill": skill}))


def shell(name: str, command: str) -> tuple[str, dict[str, Any]]:
    tool, argument = SHELL[name]
    return tool, {argument: command, **({"description": "look"} if tool != "exec_command" else {})}


def load_skill(name: str) -> tuple[str, dict[str, Any]]:
    return ("Skill", {"skill": SKILL}) if name == "claude-code" else shell(name, f"cat .agents/skills/{SKILL}/SKILL.md")


@pytest.mark.live
def test_a_real_program_uses_skill_tools_and_command_and_lands_a_deliverable(tmp_path: Path, name: str) -> None:
    command = 'solon tool build_deliverable \'{"path": "notes.md", "markdown": "# Notes"}\'; cat text/lease.txt.txt'
    steps: list[Any] = [
        load_skill(name),
        ("search", {"query": "rent"}),
        ("authority", {"query": "rent"}),
        shell(name, command),
        ("build_deliverable", {"path": "memo.docx", "markdown": MEMO}),
        "Done: the rent is EUR 1,200.",
    ]
    with fake_endpoint(steps) as endpoint:
        job = demanding(job_for(tmp_path, name, endpoint.url), "authority", "deadline")
        product = draft(job)
    record = json.loads((job.workspace / "agent.json").read_text())
    assert (product.outcome, product.failures) == ("finished", ()), record
    assert [f.filename for f in product.files] == ["memo.docx", "notes.md"]
    assert "EUR 1,200" in read_file(job.workspace / "output" / "memo.docx", "memo.docx").text
    assert product.final_message == "Done: the rent is EUR 1,200."
    assert product.solver is not None
    assert record["tools_held_back"] == []
    assert product.solver.tools == {"authority": 1, "build_deliverable": 2, "search": 1}
    assert product.solver.version
    assert product.solver.sandbox in {s.name for s in standings()}
    assert product.usage.calls == len(endpoint.asked) == len(steps)
    assert product.usage.output == 40 * len(steps)

    about = About(mandatory=("authority", "deadline"), skill=SKILL)
    trajectory = trace(job.workspace / product.transcript, product.trace_format, about)
    assert trajectory.measures is not None
    assert trajectory.measures.skill_loaded == SKILL
    assert trajectory.measures.mandatory == {"authority": 1, "deadline": 0}  # what the question of the warehouse counts
    called = {action.tool: action for action in trajectory.actions}
    assert called["mcp__solon__search"].bucket == "read"
    assert called["mcp__solon__build_deliverable"].bucket == "write"
    assert not any(action.failed for action in trajectory.actions)
    assert trajectory.problems == ()
    assert trajectory.final_message == product.final_message

    told = json.dumps(endpoint.asked)
    assert "The rent is EUR 1,200 a month" in told  # the text of the document was read in the sandbox
    assert {h.get("x-api-key") or h["authorization"].removeprefix("Bearer ") for h in endpoint.headers} == {KEY}
    kept = b"".join(p.read_bytes() for p in job.workspace.rglob("*") if p.is_file())
    assert KEY.encode() not in kept


@pytest.mark.live
def test_a_real_program_works_on_a_model_of_another_protocol(tmp_path: Path, name: str) -> None:
    """What it says is translated by litellm; tokens and cost are those that the provider told."""
    model = "openai/fake" if adapter(name).speaks == "messages" else "anthropic/fake"
    steps: list[Any] = [
        ("search", {"query": "rent"}),
        shell(name, "cat text/lease.txt.txt"),
        ("build_deliverable", {"path": "memo.docx", "markdown": MEMO}),
        "Done: the rent is EUR 1,200.",
    ]
    with fake_endpoint(steps) as endpoint:
        url = endpoint.url.removesuffix("/v1") if model.startswith("anthropic") else endpoint.url
        job = job_for(tmp_path, name, url, model)
        product = draft(job)
    record = json.loads((job.workspace / "agent.json").read_text())
    assert (product.outcome, product.failures) == ("finished", ()), record
    assert "EUR 1,200" in read_file(job.workspace / "output" / "memo.docx", "memo.docx").text
    assert product.final_message == "Done: the rent is EUR 1,200."
    assert product.solver is not None
    assert product.solver.tools == {"build_deliverable": 1, "search": 1}
    assert (record["translated_for"], record["answered_by"]) == (["m"], {"m": len(endpoint.asked)})
    assert set(endpoint.paths) == {"/v1/chat/completions" if model.startswith("openai") else "/v1/messages"}
    assert all(body["temperature"] == 0.0 for body in endpoint.asked)
    used, calls = product.usage, len(endpoint.asked)
    written = 0 if model.startswith("openai") else 5
    told = (100 * calls, 20 * calls, written * calls, 40 * calls, calls)
    assert (used.input_uncached, used.cache_read, used.cache_write, used.output, used.calls) == told
    assert used.cost_usd == pytest.approx(calls * ((100 + 20 + written) * 1 + 40 * 2) / 1e6)
    assert "The rent is EUR 1,200 a month" in json.dumps(endpoint.asked)
    assert not any(action.failed for action in trace(job.workspace / product.transcript, product.trace_format).actions)


@pytest.mark.live
def test_a_real_program_that_was_turned_finds_nothing_and_changes_nothing(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ELSEWHERE_TOKEN", "tok-elsewhere-0123456789")
    with fake_endpoint([shell(name, SPY), "Done."]) as endpoint:
        job = job_for(tmp_path, name, endpoint.url)
        draft(job)
    result = json.dumps(endpoint.asked[-1])
    assert "no-key-in-here" in result or name == "opencode"
    for secret in (KEY, "tok-elsewhere", "NET-OPEN", "root:*", str(tmp_path)):
        assert secret not in result
    assert not (job.workspace / "room" / "told" / "skills" / "evil").exists()


@pytest.mark.live
def test_a_revision_goes_on_with_the_session_of_a_real_program(tmp_path: Path, name: str) -> None:
    steps: list[Any] = [("build_deliverable", {"path": "memo.docx", "markdown": MEMO}), "First.", "Second."]
    with fake_endpoint(steps) as endpoint:
        job = job_for(tmp_path, name, endpoint.url)
        first = draft(job)
        before = len(endpoint.asked)
        endpoint.steps[1] = "Second."
        second = draft(revising(job, "1. The memo lacks a date."))
    assert (first.outcome, first.final_message) == ("finished", "First.")
    assert (second.outcome, second.final_message) == ("finished", "Second.")
    assert json.loads((job.workspace / "agent.json").read_text())["continued"] is True
    talk = json.dumps(endpoint.asked[before])
    assert "The memo lacks a date" in talk
    assert "EUR 1,200" in talk  # what was said before is still there


@pytest.mark.live
@pytest.mark.parametrize("status", [401, 500])
def test_a_real_program_on_a_failing_endpoint_ends_typed(tmp_path: Path, name: str, status: int) -> None:
    with fake_endpoint(["Never."], fail=lambda number: status) as endpoint:
        job = job_for(tmp_path, name, endpoint.url)
        product = draft(job)
    assert product.outcome in ("failed", "timeout")
    if status == 401:
        assert product.failures[0].cause == "login"
        assert "FAKE_KEY" in product.failures[0].remedy
    else:
        assert product.failures[0].cause == ("timeout" if product.outcome == "timeout" else "provider")
