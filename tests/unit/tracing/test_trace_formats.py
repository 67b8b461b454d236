"""Traces of every runtime in one normal form: what counts as an action, as a turn, as a token."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tasks.tracing.buckets import count_buckets
from tasks.tracing.records import Trajectory
from tasks.tracing.rows import action_rows
from tasks.tracing.stage import trace, whole

RUNS = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "runs"
Tracer = Callable[..., Trajectory]


@pytest.fixture
def traced(tmp_path: Path) -> Tracer:
    def run(trace_format: str, lines: Sequence[Any]) -> Trajectory:
        path = tmp_path / "transcript.jsonl"
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        path.write_text(text + "\n", "utf-8")
        return trace(path, trace_format)

    return run


def told(trajectory: Trajectory) -> list[tuple[str, str, bool]]:
    return [(a.tool, a.bucket, a.failed) for a in trajectory.actions]


def columns(trajectory: Trajectory) -> tuple[int, int, int, int, int]:
    u = trajectory.usage
    return (u.input_uncached, u.cache_read, u.cache_write, u.output, u.calls)


# ---- LAB ------------------------------------------------------------------------------------------------------------

LAB = [
    {
        "turn": 1,
        "role": "assistant",
        "text": "I look first.",
        "tool_calls": [
            {"name": "read", "arguments": '{"file_path": "lease.docx"}'},
            {"name": "read", "arguments": '{"file_path": "rider.docx"}'},
        ],
        "input_tokens": 100,
        "output_tokens": 20,
    },
    {"turn": 1, "role": "tool", "tool_name": "read", "arguments": "{}", "result_preview": "LEASE"},
    {"turn": 1, "role": "tool", "tool_name": "read", "arguments": "{}", "result_preview": "RIDER"},
    {
        "turn": 2,
        "role": "assistant",
        "text": "Done.",
        "tool_calls": [{"name": "write", "arguments": '{"path": "memo.md"}'}],
        "input_tokens": 300,
        "output_tokens": 50,
    },
]


def test_lab_transcript(traced: Tracer) -> None:
    t = traced("lab", LAB)
    assert t.turns == 2
    assert told(t) == [("read", "read", False), ("read", "read", False), ("write", "write", False)]
    assert [a.result_preview for a in t.actions] == ["LEASE", "RIDER", ""]
    assert json.loads(t.actions[1].arguments) == {"file_path": "rider.docx"}
    assert columns(t) == (400, 0, 0, 70, 2)
    assert t.final_message == "Done."
    assert t.problems == ()


def test_a_trace_whole_keeps_what_a_trajectory_cuts(tmp_path: Path) -> None:
    long = "x" * 9_000
    calls = [{"name": "write", "arguments": json.dumps({"content": long})}, {"name": "read", "arguments": '{"path": '}]
    rows = [
        {"turn": 1, "role": "assistant", "text": "Now.", "tool_calls": calls},
        {"turn": 1, "role": "tool", "tool_name": "write", "result_preview": long, "failed": True},
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    got = whole(tmp_path / "t.jsonl", "lab")
    assert got.said == "Now."
    assert [s.arguments for s in got.steps] == [{"content": long}, {"_raw": '{"path": '}]
    assert [(s.result, s.failed) for s in got.steps] == [(long, True), ("", False)]
    assert len(trace(tmp_path / "t.jsonl", "lab").actions[0].arguments) == 2_000


def test_lab_rows_without_a_model_make_no_calls(traced: Tracer) -> None:
    t = traced("lab", [{"turn": 1, "role": "assistant", "text": "x", "tool_calls": []}])
    assert columns(t) == (0, 0, 0, 0, 0)
    assert t.usage.cost_source == "none"


def test_lab_rows_of_ours_may_carry_exact_usage(traced: Tracer) -> None:
    usage = {"input_uncached": 7, "cache_read": 5, "cache_write": 3, "output": 2, "cost_usd": 0.5}
    t = traced("lab", [{"turn": 1, "role": "assistant", "text": "x", "usage": usage}])
    assert columns(t) == (7, 5, 3, 2, 1)
    assert (t.usage.cost_usd, t.usage.cost_source) == (0.5, "reported")


def test_lab_result_without_a_call_is_a_problem(traced: Tracer) -> None:
    t = traced("lab", [{"turn": 1, "role": "tool", "tool_name": "read", "result_preview": "x"}])
    assert [p.line for p in t.problems] == [1]
    assert t.actions == ()


# ---- Codex ----------------------------------------------------------------------------------------------------------


def command(key: str, line: str, stage: str = "completed", **more: Any) -> dict[str, Any]:
    item = {"id": key, "type": "command_execution", "command": line, "aggregated_output": "", "status": "in_progress"}
    return {"type": f"item.{stage}", "item": item | more}


CODEX = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"id": "i0", "type": "reasoning", "text": "thinking"}},
    command("i1", "bash -lc 'rg rent documents'", "started"),
    command("i1", "bash -lc 'rg rent documents'", aggregated_output="rent: 5", exit_code=0, status="completed"),
    command("i2", "bash -lc 'python x.py'", aggregated_output="boom", exit_code=1, status="failed"),
    {
        "type": "item.completed",
        "item": {
            "id": "i3",
            "type": "file_change",
            "changes": [{"path": "memo.md", "kind": "add"}],
            "status": "completed",
        },
    },
    {
        "type": "item.completed",
        "item": {
            "id": "i4",
            "type": "mcp_tool_call",
            "server": "solon",
            "tool": "date_scan",
            "arguments": {"file": "a"},
            "result": {"content": [{"type": "text", "text": "3 dates"}]},
            "error": None,
        },
    },
    {"type": "item.completed", "item": {"id": "i5", "type": "todo_list", "items": []}},
    {"type": "item.completed", "item": {"id": "i6", "type": "agent_message", "text": "Memo written."}},
    {"type": "turn.completed", "usage": {"input_tokens": 1000, "cached_input_tokens": 600, "output_tokens": 80}},
    {"type": "turn.started"},
    {"type": "turn.completed", "usage": {"input_tokens": 500, "cached_input_tokens": 500, "output_tokens": 20}},
]


def test_codex_stream(traced: Tracer) -> None:
    t = traced("codex", CODEX)
    assert t.turns == 2
    assert told(t) == [
        ("shell", "read", False),
        ("shell", "tool", True),
        ("file_change", "write", False),
        ("mcp__solon__date_scan", "read", False),
    ]
    assert t.actions[0].result_preview == "rent: 5"
    assert t.actions[3].result_preview == "3 dates"
    assert columns(t) == (400, 1100, 0, 100, 2)  # cached input is part of input
    assert t.final_message == "Memo written."
    assert t.problems == ()


def test_codex_failures_are_errors(traced: Tracer) -> None:
    t = traced(
        "codex",
        [
            {"type": "turn.started"},
            {"type": "error", "message": "reconnecting"},
            {"type": "turn.failed", "error": {"message": "quota exceeded"}},
        ],
    )
    assert t.errors == ("reconnecting", "quota exceeded")


def test_codex_command_cut_off_by_a_kill_is_an_action(traced: Tracer) -> None:
    assert told(traced("codex", [{"type": "turn.started"}, command("i1", "sleep 9", "started")])) == [
        ("shell", "other", False)
    ]


# ---- Claude Code ----------------------------------------------------------------------------------------------------


def claude(key: str, block: dict[str, Any], output: int, parent: str | None = None) -> dict[str, Any]:
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 200,
        "cache_creation_input_tokens": 30,
        "output_tokens": output,
    }
    message = {"id": key, "role": "assistant", "model": "claude-haiku-4-5-20251001", "content": [block], "usage": usage}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent}


def use(key: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": key, "name": name, "input": arguments}


CLAUDE = [
    {"type": "system", "subtype": "init", "model": "claude-haiku-4-5", "tools": []},
    claude("m1", {"type": "thinking", "thinking": "hm"}, 1),
    claude("m1", {"type": "text", "text": "I read."}, 5),
    claude("m1", use("u1", "Read", file_path="lease.docx"), 40),
    {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "u1", "content": "LEASE"}]},
    },
    claude("m2", use("u2", "Bash", command="cat > memo.md"), 20),
    claude("m2", use("u3", "TodoWrite", todos=[]), 20),
    {
        "type": "user",
        "message": {
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "u2",
                    "is_error": True,
                    "content": [{"type": "text", "text": "denied"}],
                }
            ]
        },
    },
    claude("m3", use("u4", "Grep", pattern="x"), 7, parent="u9"),
    claude("m3", {"type": "text", "text": "sub-agent speaks"}, 7, parent="u9"),
]


def test_claude_code_stream(traced: Tracer) -> None:
    result = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": "All done.",
        "total_cost_usd": 0.12,
        "usage": {"input_tokens": 20, "output_tokens": 60},
    }
    t = traced("claude-code", [*CLAUDE, result])
    assert t.turns == 3
    assert told(t) == [("Read", "read", False), ("Bash", "write", True), ("Grep", "read", False)]
    assert t.actions[1].result_preview == "denied"
    assert columns(t) == (30, 600, 90, 67, 3)  # once a message, not once a block
    assert (t.usage.cost_usd, t.usage.cost_source) == (0.12, "reported")
    assert t.final_message == "All done."
    assert t.errors == ()


def test_claude_code_closing_usage_mends_streamed_output_counts(traced: Tracer) -> None:
    t = traced("claude-code", [*CLAUDE, {"type": "result", "usage": {"output_tokens": 900}}])
    assert t.usage.output == 900


def test_claude_code_killed_run_is_told_and_priced_by_the_table(traced: Tracer) -> None:
    t = traced("claude-code", CLAUDE)
    assert t.errors == ("the trace has no result: the run was killed",)
    assert t.final_message == "I read."  # not the sub-agent's words
    assert t.usage.cost_source == "priced"
    assert t.usage.cost_usd == pytest.approx((30 * 1.0 + 90 * 1.0 + 600 * 0.1 + 67 * 5.0) / 1e6)


def test_claude_code_error_under_subtype_success(traced: Tracer) -> None:
    t = traced("claude-code", [{"type": "result", "subtype": "success", "is_error": True, "result": "API Error: 529"}])
    assert t.errors == ("API Error: 529",)


# ---- OpenCode -------------------------------------------------------------------------------------------------------


def test_opencode_stream(traced: Tracer) -> None:
    def tool(key: str, name: str, status: str, **arguments: Any) -> dict[str, Any]:
        state = {"status": status, "input": arguments, "output": "out" if status == "completed" else None}
        return {"type": "tool_use", "part": {"callID": key, "tool": name, "state": state}}

    finish = {"tokens": {"input": 100, "output": 40, "reasoning": 10, "cache": {"read": 60, "write": 5}}, "cost": 0.02}
    t = traced(
        "opencode",
        [
            {"type": "step_start", "part": {}},
            tool("c1", "read", "completed", filePath="lease.docx"),
            tool("c2", "bash", "error", command="rm x"),
            tool("c3", "todowrite", "completed"),
            {"type": "text", "part": {"text": "Memo ready."}},
            {"type": "step_finish", "part": finish},
            {"type": "step_start", "part": {}},
            {"type": "step_finish", "part": finish},
            {"type": "error", "error": {"name": "APIError", "data": {"message": "overloaded"}}},
        ],
    )
    assert t.turns == 2
    assert told(t) == [("read", "read", False), ("bash", "write", True)]
    assert columns(t) == (200, 120, 10, 100, 2)
    assert t.usage.cost_usd == pytest.approx(0.04)
    assert t.errors == ("overloaded",)
    assert t.final_message == "Memo ready."


# ---- OpenHands ------------------------------------------------------------------------------------------------------


def test_openhands_stream(traced: Tracer) -> None:
    def metrics(prompt: int, cost: float) -> dict[str, Any]:
        tokens = {"prompt_tokens": prompt, "completion_tokens": 30, "cache_read_tokens": 50, "cache_write_tokens": 10}
        return {"accumulated_cost": cost, "accumulated_token_usage": tokens}

    t = traced(
        "openhands",
        [
            "--- some banner ---",
            {"kind": "SystemPromptEvent"},
            {
                "kind": "ActionEvent",
                "tool_call_id": "c1",
                "tool_name": "terminal",
                "action": {"command": "cat a"},
                "metrics": metrics(100, 0.1),
            },
            {"kind": "ObservationEvent", "tool_call_id": "c1", "observation": {"content": "A", "exit_code": 0}},
            {
                "kind": "ActionEvent",
                "tool_call_id": "c2",
                "tool_name": "file_editor",
                "action": {"command": "create", "path": "m"},
            },
            {"kind": "AgentErrorEvent", "tool_call_id": "c2", "error": "no such folder"},
            {"kind": "ActionEvent", "tool_call_id": "c3", "tool_name": "think", "action": {"thought": "hm"}},
            {"kind": "MessageEvent", "source": "user", "llm_message": {"content": [{"type": "text", "text": "do it"}]}},
            {
                "kind": "ActionEvent",
                "tool_call_id": "c4",
                "tool_name": "finish",
                "action": {"message": "Done."},
                "metrics": metrics(400, 0.3),
            },
        ],
    )
    assert told(t) == [("terminal", "read", False), ("file_editor", "write", True)]
    assert t.actions[0].result_preview == "A"
    assert columns(t) == (340, 50, 10, 30, 1)  # accumulated: the last one counts
    assert t.usage.cost_usd == pytest.approx(0.3)
    assert t.final_message == "Done."
    assert t.errors == ("no such folder",)
    assert [p.line for p in t.problems] == [1]


# ---- OpenClaw -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 2])
def test_openclaw_answer_after_log_noise(traced: Tracer, indent: int | None) -> None:
    answer = {
        "payloads": [{"text": "Memo ready."}],
        "meta": {
            "agentMeta": {
                "model": "openai/gpt-5.5",
                "usage": {"input": 1_000_000, "output": 10_000, "cacheRead": 100_000, "cacheWrite": 7},
            }
        },
    }
    t = traced("openclaw", ["[gateway] {starting}", '{"level": "info"}', json.dumps(answer, indent=indent)])
    assert columns(t) == (1_000_000, 100_000, 7, 10_000, 1)
    assert t.usage.cost_source == "priced"
    assert t.usage.cost_usd == pytest.approx(5.0 + 0.05 + 0.3 + 7 * 5 / 1e6)
    assert t.final_message == "Memo ready."
    assert t.actions == ()


# ---- what every parser must bear ------------------------------------------------------------------------------------

KEYS = set(
    [
        "id",
        "type",
        "kind",
        "name",
        "tool",
        "tool_name",
        "text",
        "content",
        "message",
        "item",
        "part",
        "state",
        "input",
        "output",
        "arguments",
        "action",
        "observation",
        "usage",
        "tokens",
        "cache",
        "read",
        "write",
        "cost",
        "metrics",
        "accumulated_token_usage",
        "accumulated_cost",
        "prompt_tokens",
        "input_tokens",
        "output_tokens",
        "tool_calls",
        "turn",
        "result",
        "error",
        "status",
        "exit_code",
        "changes",
        "tool_use_id",
        "tool_call_id",
        "is_error",
        "payloads",
        "meta",
        "agentMeta",
        "total_cost_usd",
        "llm_message",
        "source",
        "model",
    ]
)
KINDS = set(
    [
        "assistant",
        "user",
        "tool",
        "system",
        "result",
        "turn.completed",
        "turn.failed",
        "item.completed",
        "command_execution",
        "file_change",
        "mcp_tool_call",
        "agent_message",
        "tool_use",
        "step_finish",
        "error",
        "text",
        "ActionEvent",
        "ObservationEvent",
        "AgentErrorEvent",
        "MessageEvent",
    ]
)
FORMATS = ["lab", "codex", "claude-code", "opencode", "openhands", "openclaw", "psionic"]
HOSTILE: list[Any] = [
    "not json",
    "[1, 2]",
    "null",
    '"text"',
    "{" * 5_000,
    "[" * 100_000,
    '{"a": ' * 20_000,
    '{"type": NaN}',
    '{"turn": 1e999, "role": "assistant", "text": 7, "tool_calls": [null, 3, {"name": {"a": 1}, "arguments": [1]}]}',
    '{"role": "assistant", "text": "\\ud800 lone", "input_tokens": -5, "output_tokens": 1e30, "turn": -3}',
    '{"role": "assistant", "text": "x", "usage": {"input_uncached": NaN, "cost_usd": -Infinity}}',
    '{"role": "tool", "tool_name": ["read"]}',
    '{"type": "turn.completed", "usage": {"input_tokens": -1, "cached_input_tokens": 1e30, "output_tokens": "many"}}',
    '{"type": "item.completed", "item": {"type": "command_execution", "id": {"a": 1}, "command": null}}',
    '{"type": "item.completed", "item": [1]}',
    '{"type": "turn.failed", "error": "plain"}',
    '{"type": "assistant", "message": {"id": [1], "content": "text", "usage": []}}',
    '{"type": "assistant", "message": {"id": "m", "content": [7, {"type": "tool_use", "id": {}, "name": 3}]}}',
    '{"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": ["x"]}]}}',
    '{"type": "result", "total_cost_usd": Infinity, "is_error": "yes"}',
    '{"type": "result", "total_cost_usd": 1e30, "usage": {"output_tokens": true}}',
    '{"type": "tool_use", "part": {"tool": null, "state": "odd"}}',
    '{"type": "step_finish", "part": {"tokens": {"input": -9, "cache": 4}, "cost": -1}}',
    '{"type": "error"}',
    '{"kind": "ActionEvent", "tool_name": ["x"], "action": "y", "metrics": {"accumulated_cost": NaN}}',
    '{"kind": "ActionEvent", "tool_name": {}, "metrics": {"accumulated_token_usage": {"prompt_tokens": 1e30}}}',
    '{"kind": "ObservationEvent", "tool_call_id": {}, "observation": {"exit_code": "x"}}',
    '{"kind": "MessageEvent", "source": "agent", "llm_message": {"content": [{"text": {"a": 1}}]}}',
    '{"payloads": [{"text": 5}, 6], "meta": {"error": {"kind": 1}, "agentMeta": {"usage": {"input": -1}}}}',
    '{"type": "assistant", "message": {"id": "n", "usage": {"input_tokens": ' + "9" * 5_000 + "}}}",
]


@pytest.mark.parametrize("trace_format", FORMATS)
def test_no_line_makes_a_parser_raise(traced: Tracer, trace_format: str) -> None:
    for line in HOSTILE:
        check_sane(traced(trace_format, [line]))
    check_sane(traced(trace_format, HOSTILE))
    check_sane(traced(trace_format, [line for event in (LAB, CODEX, CLAUDE) for line in event]))


def check_sane(trajectory: Trajectory) -> None:
    usage = trajectory.usage
    assert all(0 <= n <= 10**12 for n in (usage.input_uncached, usage.cache_read, usage.cache_write, usage.output))
    assert 0 <= usage.cost_usd <= 1e6
    assert all(len(a.arguments) <= 2_000 and len(a.result_preview) <= 500 for a in trajectory.actions)
    assert len(trajectory.problems) <= 200
    assert len(trajectory.final_message) <= 4_000
    assert not [p for p in trajectory.problems if "parser failed" in p.message]
    trajectory.model_dump_json()  # storable
    action_rows("a", trajectory)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(KEYS)), inner, max_size=6),
    max_leaves=25,
)


@pytest.mark.examples(1)
@pytest.mark.parametrize("trace_format", FORMATS)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_event_of_known_words_is_borne(traced: Tracer, trace_format: str, data: st.DataObject) -> None:
    words = st.sampled_from(sorted(KINDS))
    shape = {"type": words, "kind": words, "role": words, "item": JSON, "part": JSON, "message": JSON, "usage": JSON}
    event = data.draw(st.fixed_dictionaries({}, optional=shape | dict.fromkeys(sorted(KEYS - set(shape)), JSON)))
    check_sane(traced(trace_format, [event, event]))


@pytest.mark.parametrize("trace_format", FORMATS)
def test_garbage_is_a_problem_not_an_exception(tmp_path: Path, trace_format: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(bytes(range(256)) * 50 + b"\r\n\xff\xfe{}")
    t = trace(path, trace_format)
    assert t.problems
    assert t.actions == ()


@pytest.mark.parametrize("trace_format", FORMATS)
def test_a_missing_trace_is_a_problem(tmp_path: Path, trace_format: str) -> None:
    assert "no trace to read" in trace(tmp_path / "none.jsonl", trace_format).problems[0].message
    assert "no trace to read" in trace(tmp_path, trace_format).problems[0].message


def test_an_unknown_format_is_a_problem(tmp_path: Path) -> None:
    assert "no parser" in trace(tmp_path / "x", "morse").problems[0].message


def test_a_torn_last_line_costs_only_itself(traced: Tracer) -> None:
    t = traced("lab", [*LAB[:3], '{"turn": 2, "role": "assi'])
    assert len(t.actions) == 2
    assert [p.line for p in t.problems] == [4]


def test_the_same_trace_gives_the_same_bytes(traced: Tracer) -> None:
    assert traced("codex", CODEX).model_dump_json() == traced("codex", CODEX).model_dump_json()


def test_rows_of_the_warehouse(traced: Tracer) -> None:
    rows = action_rows("a1", traced("codex", CODEX))
    assert [(r.attempt_id, r.position, r.bucket) for r in rows] == [
        ("a1", 0, "read"),
        ("a1", 1, "tool"),
        ("a1", 2, "write"),
        ("a1", 3, "read"),
    ]


@pytest.mark.skipif(not RUNS.is_dir(), reason="the shared data is not beside the project")
def test_real_lab_transcripts() -> None:
    found = sorted(RUNS.glob("nvidia_nemotron_*/transcript.jsonl"))
    assert found
    for path in found:
        t = trace(path, "lab")
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        assert len(t.actions) == sum(len(row.get("tool_calls", [])) for row in rows)
        assert t.problems == ()
        assert t.turns == sum(row["role"] == "assistant" for row in rows)
        assert count_buckets(t.actions)["read"] > count_buckets(t.actions)["write"] > 0
        assert count_buckets(t.actions)["other"] == 0
        assert all(a.result_preview for a in t.actions)


@pytest.mark.skipif(not RUNS.is_dir(), reason="the shared data is not beside the project")
def test_real_transcripts_of_another_layout_are_problems() -> None:
    transcripts = list(RUNS.glob("harvey_*/run/transcript.jsonl"))
    assert transcripts
    for path in transcripts:
        t = trace(path, "lab")
        assert t.actions == ()
        assert t.problems
