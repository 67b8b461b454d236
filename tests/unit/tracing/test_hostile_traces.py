"""Whole traces of every format, damaged in every way that a killed, confused or hostile agent damages them.

Whatever comes: nothing is raised, everything is bounded, and what usage says holds together.
"""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tasks.tracing.about import About
from tasks.tracing.records import Trajectory
from tasks.tracing.rows import action_rows, measure_rows
from tasks.tracing.stage import trace
from tests.unit.tracing.test_defects import LONG, text
from tests.unit.tracing.test_trace_formats import CLAUDE, CODEX, LAB

ABOUT = About(
    texts={"lease.txt": text("lease.txt", LONG), "rents.xlsx": text("rents.xlsx", "| a | b |")},
    drafts={"memo.md": text("memo.md", "As lease.txt says, and rents.xlsx.")},
    wanted=("memo.docx",),
    mandatory=("authority", "date_scan"),
    cached_read_rate=0.5,
)
OPENCODE: list[Any] = [
    {"type": "step_start", "part": {}},
    {"type": "tool_use", "part": {"callID": "c1", "tool": "read", "state": {
        "status": "completed", "input": {"filePath": "lease.txt"}, "output": LONG}}},
    {"type": "tool_use", "part": {"callID": "c2", "tool": "bash", "state": {"status": "error", "input": {
        "command": "cat > memo.md"}}}},
    {"type": "text", "part": {"text": "Done."}},
    {"type": "step_finish", "part": {"tokens": {"input": 9, "output": 4, "cache": {"read": 6, "write": 5}},
        "cost": 0.2}},
]  # fmt: skip
OPENHANDS: list[Any] = [
    {"kind": "ActionEvent", "tool_call_id": "c1", "tool_name": "terminal", "action": {"command": "cat lease.txt"},
     "metrics": {"accumulated_cost": 0.1, "accumulated_token_usage": {
         "prompt_tokens": 100, "completion_tokens": 3, "cache_read_tokens": 90, "cache_write_tokens": 20}}},
    {"kind": "ObservationEvent", "tool_call_id": "c1", "observation": {"content": LONG, "exit_code": 0}},
    {"kind": "MessageEvent", "source": "agent", "llm_message": {"content": [{"type": "text", "text": "Done."}]}},
]  # fmt: skip
OPENCLAW: list[Any] = [
    {
        "payloads": [{"text": "Done."}],
        "meta": {"agentMeta": {"model": "gpt-5.5", "usage": {"input": 5, "cacheRead": 4}}},
    }
]
PSIONIC: list[Any] = [
    {"event_kind": "system", "content": "You draft."},
    {"event_kind": "assistant", "content": "I read.", "payload": {"model_id": "qwen", "usage": {
        "input_tokens": 100, "cached_input_tokens": 60, "output_tokens": 7}, "tool_calls": [
            {"tool_call_id": "t1", "tool_name": "read", "arguments": {"path": "lease.txt"}}]}},
    {"event_kind": "tool_call", "payload": {"tool_call_id": "t1", "tool_name": "read", "input": {"path": "lease.txt"}}},
    {"event_kind": "tool_result", "payload": {"tool_call_id": "t1", "output": LONG}},
]  # fmt: skip
SERVED: list[Any] = [
    {"turn": 1, "role": "assistant", "text": "", "tool_calls": [{"name": "read", "arguments": "{}", "internal": True}]},
    {"turn": 1, "role": "tool", "tool_name": "read", "result_preview": "x", "served": [["lease.txt", 0, 40]]},
    {"turn": 2, "role": "assistant", "text": "", "tool_calls": [{"name": "skill", "arguments": {"name": "consent"}}]},
]
SAMPLES: dict[str, list[Any]] = {
    "lab": [*LAB, *SERVED],
    "codex": CODEX,
    "claude-code": CLAUDE,
    "opencode": OPENCODE,
    "openhands": OPENHANDS,
    "openclaw": OPENCLAW,
    "psionic": PSIONIC,
}
FORMATS = sorted(SAMPLES)
ODD: list[Any] = [
    None, True, -1, 1e999, float("nan"), 10**40, "", "\x00\ud800", "NaN", [], {}, [[]], [None, {"a": []}],
    {"id": {}}, "x" * 3_000, [["lease.txt", -5, 10**30]], [["lease.txt"]], [[{}, 0, 9]],
    {"command": ["bash", "-lc", 7]},
]  # fmt: skip


def lines_of(trace_format: str) -> list[bytes]:
    return [json.dumps(event).encode() for event in SAMPLES[trace_format]]


def check(trajectory: Trajectory) -> None:
    """Assert what holds of every trajectory, whatever it was made of."""
    u = trajectory.usage
    columns = (u.input_uncached, u.cache_read, u.cache_write, u.output)
    assert all(isinstance(n, int) and 0 <= n <= 10**12 for n in columns)
    assert u.tokens == sum(columns)
    assert 0 <= u.cost_usd <= 1e6
    assert u.cost_source != "none" or u.cost_usd == 0 or u.calls > 1  # some of several calls had no price
    assert not [p for p in trajectory.problems if "parser failed" in p.message]
    assert len(trajectory.problems) <= 201
    assert all(len(a.arguments) <= 2_000 and len(a.result_preview) <= 500 for a in trajectory.actions)
    assert all(0 <= one.served <= one.characters for one in trajectory.served)
    measures = trajectory.measures
    assert measures is not None
    assert measures.cached_reads_usd is None or 0 <= measures.cached_reads_usd <= u.cost_usd
    assert not (measures.wrote_before_reading or measures.audited_before_finishing) or measures.first_write_turn > 0
    assert min(measures.words, measures.lookups, measures.tool_errors, measures.first_read_turn) >= 0
    trajectory.model_dump_json()
    action_rows("a", trajectory)
    measure_rows("a", trajectory)


@pytest.fixture
def traced(tmp_path: Path) -> Callable[[str, bytes], Trajectory]:
    def run(trace_format: str, data: bytes) -> Trajectory:
        path = tmp_path / "trace"
        path.write_bytes(data)
        return trace(path, trace_format, ABOUT)

    return run


Tracer = Callable[[str, bytes], Trajectory]


@pytest.mark.parametrize("trace_format", FORMATS)
def test_the_samples_are_understood(traced: Tracer, trace_format: str) -> None:
    trajectory = traced(trace_format, b"\n".join(lines_of(trace_format)))
    check(trajectory)
    assert trajectory.problems == ()
    assert trajectory.turns > 0


@pytest.mark.parametrize("trace_format", FORMATS)
def test_cut_off_anywhere(traced: Tracer, trace_format: str) -> None:
    data = b"\n".join(lines_of(trace_format))
    for end in range(0, len(data), max(1, len(data) // 60)):
        check(traced(trace_format, data[:end]))


@pytest.mark.parametrize("trace_format", FORMATS)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_shuffled_repeated_and_mixed_with_other_formats(traced: Tracer, trace_format: str, data: st.DataObject) -> None:
    lines = [*lines_of(trace_format), *lines_of(data.draw(st.sampled_from(FORMATS)))]
    chosen = data.draw(st.lists(st.sampled_from(lines), max_size=3 * len(lines)))  # repeats make duplicated ids
    check(traced(trace_format, b"\n".join(chosen)))


@pytest.mark.parametrize("trace_format", FORMATS)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=40))
def test_bytes_damaged(traced: Tracer, trace_format: str, edits: list[tuple[int, int]]) -> None:
    data = bytearray(b"\n".join(lines_of(trace_format)))
    for place, byte in edits:
        data[place % len(data)] = byte
    check(traced(trace_format, bytes(data)))


def replaced(value: Any, at: int, odd: Any) -> tuple[Any, int]:
    """Return a copy with the ``at``-th value within it replaced, and how many values are left to count."""
    if at == 0:
        return odd, -1
    at -= 1
    if isinstance(value, dict):
        made: dict[str, Any] = {}
        for key, inner in value.items():
            made[key], at = replaced(inner, at, odd) if at >= 0 else (inner, at)
        return made, at
    if isinstance(value, list):
        items = []
        for inner in value:
            changed, at = replaced(inner, at, odd) if at >= 0 else (inner, at)
            items.append(changed)
        return items, at
    return value, at


@pytest.mark.parametrize("trace_format", FORMATS)
def test_a_value_of_the_wrong_kind_in_every_place(traced: Tracer, trace_format: str) -> None:
    """Every value of every event in turn becomes each odd thing: all changed events of one odd thing in one trace."""
    for odd in ODD:
        events = []
        for event in SAMPLES[trace_format]:
            at = 1
            while (made := replaced(event, at, odd))[1] < 0:
                events.append(made[0])
                at += 1
        assert len(events) > 8
        check(traced(trace_format, "\n".join(map(json.dumps, events)).encode()))


@pytest.mark.parametrize("trace_format", FORMATS)
def test_deep_nesting(traced: Tracer, trace_format: str) -> None:
    deep: Any = "x"
    for _ in range(400):
        deep = [{"text": deep, "content": [deep]}] if len(json.dumps(deep)) < 2_000 else [deep]
    for event in SAMPLES[trace_format]:
        at = 1
        events = []
        while (made := replaced(event, at, deep))[1] < 0:
            events.append(made[0])
            at += 1
        check(traced(trace_format, "\n".join(map(json.dumps, events)).encode()))


@pytest.mark.examples(2)
@pytest.mark.parametrize("trace_format", FORMATS)
def test_a_huge_trace_ends_in_bounded_time_and_memory(traced: Tracer, trace_format: str, no_hang: None) -> None:
    lines = lines_of(trace_format)
    numbered = [line.replace(b'"c1"', b'"c%d"' % n) for n in range(300) for line in lines]
    long = b'{"type": "text", "role": "assistant", "text": "' + b"word " * 100_000 + b'"}'
    data = b"\n".join([*numbered, long])
    tracemalloc.start()
    check(traced(trace_format, data))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60 * len(data) + 50_000_000


@pytest.mark.parametrize("trace_format", FORMATS)
def test_usage_holds_together(traced: Tracer, trace_format: str) -> None:
    """More was cached than was asked: the cached part is at most the prompt, and nothing is negative."""
    text_of = b"\n".join(lines_of(trace_format)).decode()
    for column in ("cached_input_tokens", "cache_read_tokens", "cache_write_tokens"):
        data = text_of.replace(f'"{column}": ', f'"{column}": 9999999').encode()
        prompt = {"codex": 1500, "openhands": 100, "psionic": 100}.get(trace_format)
        usage = traced(trace_format, data).usage
        check(traced(trace_format, data))
        if prompt is not None:
            assert usage.input_uncached + usage.cache_read + usage.cache_write == prompt


def test_a_link_in_the_place_of_a_trace_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"role": "assistant", "text": "what the solver may not see"}')
    (tmp_path / "trace").symlink_to(tmp_path / "secret")
    trajectory = trace(tmp_path / "trace", "lab", ABOUT)
    check(trajectory)
    assert "no trace to read" in trajectory.problems[0].message
    assert "may not see" not in trajectory.model_dump_json()


def test_a_pipe_in_the_place_of_a_trace_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trace")
    assert trace(tmp_path / "trace", "codex", ABOUT).turns == 0
