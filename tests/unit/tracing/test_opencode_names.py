"""Opencode's names of MCP tools, as its stream has them."""

from __future__ import annotations

import json

import pytest

from tasks.tracing.stage import trace


@pytest.mark.parametrize(
    ("told", "name", "bucket"),
    [
        ("solon_search", "mcp__solon__search", "read"),
        ("solon_build_deliverable", "mcp__solon__build_deliverable", "write"),
        ("bash", "bash", "read"),
    ],
)
def test_a_tool_of_solon_is_named_as_in_the_other_programs(tmp_path, told, name, bucket):
    state = {"status": "completed", "input": {"command": "cat x"}, "output": "x"}
    file = tmp_path / "transcript.jsonl"
    file.write_text(json.dumps({"type": "tool_use", "part": {"tool": told, "callID": "c", "state": state}}) + "\n")
    (action,) = trace(file, "opencode").actions
    assert (action.tool, action.bucket) == (name, bucket)
