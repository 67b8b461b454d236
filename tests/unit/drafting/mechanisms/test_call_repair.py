"""Tool calls that come broken: repaired where one reading is there, left alone everywhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.drafting.mechanisms.call_repair import CallRepair
from tasks.drafting.mechanisms.loose_json import loose_value
from tasks.harness import packaged

KNOWN: dict[str, dict[str, Any]] = {
    "read": {
        "type": "object",
        "properties": {"file_path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["file_path"],
    },
    "write": {
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}, "tables": {"type": "array"}},
        "required": ["path", "content"],
    },
    "bash": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    "quote_check": {"type": "object", "properties": {"arguments": {"type": "string"}}, "required": ["arguments"]},
    "reconcile_dates": {"type": "object", "properties": {}},
    "reconcile_numbers": {"type": "object", "properties": {}},
}


def repaired(tool: str, arguments: str) -> tuple[str, Any] | None:
    found = CallRepair(packaged().mechanisms.call_repair).repaired(tool, arguments, KNOWN)
    return (found[0], json.loads(found[1])) if found else None


A = {"file_path": "a.docx"}


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("read", '{"file_path": "a.docx"', A),  # nothing but the closing bracket was cut off
        ("write", '{"path": "m.md", "content": "x", "tables": [{"a": "b"', {"tables": [{"a": "b"}]}),
        ("read", "{'file_path': 'a.docx'}", A),
        ("bash", "{'command': 'echo \"it\\'s\"'}", {"command": 'echo "it\'s"'}),
        ("read", '{"file_path": "a.docx", "limit": 5,}', {**A, "limit": 5}),
        ("read", '{file_path: "a.docx"}', A),
        ("read", '{"file_path": "a.docx", "limit": None}', {**A, "limit": None}),
        ("read", '```json\n{"file_path": "a.docx"}\n```', A),
        ("read", json.dumps(json.dumps(A)), A),
        ("read", json.dumps({"arguments": json.dumps(A)}), A),
        ("read", json.dumps({"name": "read", "arguments": A}), A),
        ("read", '{"file_path": "a.docx", "limit": "20"}', {**A, "limit": 20}),
        ("write", '{"path": "m.md", "content": "[1]", "tables": "[1]"}', {"content": "[1]", "tables": [1]}),
        ("read", '{"filePath": "a.docx"}', A),
        ("read", '{"file_path": "a.docx"}}', A),  # one bracket too many
        ("bash", '{"command": "grep -E \\d+\\. a.txt"}', {"command": r"grep -E \d+\. a.txt"}),
        ("write", '{"path": "m.md", "content": "a\nb"}', {"content": "a\nb"}),  # a bare line break
    ],
)
def test_arguments_with_one_reading_are_repaired(tool: str, arguments: str, expected: dict[str, Any]) -> None:
    found = repaired(tool, arguments)
    assert found is not None
    assert found[0] == tool
    assert {key: found[1][key] for key in expected} == expected


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Read", "read"), ("READ", "read"), ("rea", "read"), ("functions.read", "read"), ("mcp__solon__read", "read"),
        ("quote-check", "quote_check"), ("QuoteCheck", "quote_check"), ("reconcile_n", "reconcile_numbers"),
    ],
)  # fmt: skip
def test_a_name_in_another_spelling_is_known(name: str, meant: str) -> None:
    found = repaired(name, '{"file_path": "a", "arguments": "x"}')
    assert found is not None
    assert found[0] == meant


@pytest.mark.parametrize(
    "message",
    [
        '<tool_call>\n{"name": "read", "arguments": {"file_path": "a.docx"}}\n</tool_call>',
        'I shall read it.\n<tool_call>{"name": "Read", "arguments": {"file_path": "a.docx"}}</tool_call>',
        'First the lease:\n\n```json\n{"tool": "read", "parameters": {"file_path": "a.docx"}}\n```',
        '{"action": "read", "action_input": {"file_path": "a.docx"}}',
        '{"type": "function", "function": {"name": "read", "arguments": "{\\"file_path\\": \\"a.docx\\"}"}}',
    ],
)
def test_a_call_written_as_text_is_a_call(message: str) -> None:
    assert repaired("", message) == ("read", A)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read", '{"file_path": "a.docx"}'),  # nothing to repair
        ("quote_check", '{"arguments": "{}"}'),  # a tool whose argument has the name of the wrapper
        ("read", '{"file_path": "a.do'),  # cut off in a value: nobody knows the rest
        ("read", '{"file_path": "a.docx", "limit": 20'),  # 20, 200 or 2000
        ("read", '{"file_path": "a.docx", "limit"'),
        ("read", '{"file_path": "a.docx",'),  # another argument was to come
        ("read", '{"file_path": "a.docx", "file_path": "b.docx"'),
        ("read", '{"file_path": "a.docx", "FilePath": "b.docx"}'),
        ("read", '{"limit": 20,}'),  # a required argument is missing
        ("read", "a.docx"),
        ("read", ""),
        ("read", '{"file_path": "a.docx"} {"file_path": "b.docx"}'),
        ("bash", "{'command': 'echo the landlord's duty'}"),
        ("bash", '{"command": "grep \\d+\\n a.txt"}'),  # a line break, or the letter n?
        ("bash", '{"command": echo}'),
        ("re", '{"file_path": "a.docx"}'),  # two tools begin so, and it is short
        ("reconcile", "{}"),  # two tools begin so
        ("open", '{"file_path": "a.docx"}'),
        ("", 'I could call {"name": "read", "arguments": {"file_path": "a.docx"}} now.'),  # only talked about
        ("", '```json\n{"name": "read", "arguments": {"file_path": "a"}}\n```\nis how one reads.'),
        ("", "<tool_call>{}</tool_call>"),
        ("", '<tool_call>{"name":"read","arguments":{"file_path":"a"}}</tool_call>' * 2),  # which first?
        ("", '{"parties": ["Acme"], "name": "Lease"}'),  # an answer in JSON
        ("", "Done."),
        ("", ""),
        ("read", "[" * 5000),
    ],
)
def test_what_has_no_single_reading_stays_as_it_is(tool: str, arguments: str) -> None:
    assert repaired(tool, arguments) is None


@settings(max_examples=50, deadline=None)
@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12,
))  # fmt: skip
def test_sound_json_reads_as_it_is(value: Any) -> None:
    assert loose_value(json.dumps(value)) == value


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=8), min_size=1, max_size=4), st.data())
def test_a_text_that_was_cut_off_gives_only_what_it_holds(value: dict[str, str], data: st.DataObject) -> None:
    whole = json.dumps(value)
    cut = whole[: data.draw(st.integers(min_value=0, max_value=len(whole) - 1))]
    try:
        found = loose_value(cut)
    except ValueError:
        return
    assert found.items() <= value.items()


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.text(max_size=20))
def test_hostile_text_is_never_an_error(text: str, tool: str) -> None:
    repaired(tool, text)


@pytest.mark.parametrize(
    "message",
    [
        "<tool_call>" * 20_000,
        "```json\n" * 20_000,
        "```json\n" * 20_000 + "```",
        '{"a":' * 20_000,
        '{"a": "' + '\\"' * 50_000,
        "{'a': '" + "\\'" * 50_000,
        "```\n" + "``` " * 30_000,
        "```\n" + " " * 200_000,
    ],
)
def test_a_hostile_message_is_read_in_time(message: str, no_hang: None) -> None:
    assert repaired("", message) is None
    assert repaired("read", message) is None
