"""Scripted agent programs: small Python scripts in place of the real ones, with the tools and traps of all five."""

from __future__ import annotations

import sys
from pathlib import Path

from tasks.drafting.cli_agents.records import Adapter, ProgramFound

HEAD = """
import json, os, subprocess, sys, time, urllib.error, urllib.request

SPEECH = {speech!r}
PATH = {{"messages": "/v1/messages", "chat": "/v1/chat/completions", "responses": "/v1/responses"}}[SPEECH]
MODELS = next(v for k, v in os.environ.items() if k == "SCRIPT_MODELS")
TOOLS = os.environ["SOLON_TOOLS"]


def say(event):
    print(json.dumps(event), flush=True)


def ask(url, body):
    headers = {{"content-type": "application/json"}}
    request = urllib.request.Request(url, data=json.dumps(body).encode(), headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as came:
            return came.status, came.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def model(**more):
    key = "input" if SPEECH == "responses" else "messages"
    return ask(MODELS + PATH, {{"model": "any", "stream": True, key: [{{"role": "user", "content": "x"}}], **more}})


def tool(name, **arguments):
    call = {{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": name, "arguments": arguments}}}}
    request = urllib.request.Request(TOOLS + "/mcp", data=json.dumps(call).encode(), headers={{
        "content-type": "application/json", "accept": "application/json, text/event-stream"}})
    with urllib.request.urlopen(request, timeout=60) as came:
        return json.load(came)["result"]


def work():
    model()
    tool("build_deliverable", path="memo.docx", markdown="# Memo\\n\\nThe rent is EUR 1,200 a month.")
    model()


START, GOOD, BAD = {start!r}, {good!r}, {bad!r}


def finish(events=None):
    for event in events or GOOD:
        if isinstance(event, str):
            print(event, flush=True)
        else:
            say(event)

"""
EVENTS = {
    "claude-code": (
        [{"type": "system", "subtype": "init", "session_id": "s-1", "skills": ["provision-matrix"]}],
        [{"type": "result", "subtype": "success", "is_error": False, "result": "Done.", "session_id": "s-1"}],
        [{"type": "result", "subtype": "success", "is_error": True, "result": "{}", "session_id": "s-1"}],
    ),
    "codex": (
        [{"type": "thread.started", "thread_id": "s-1"}, {"type": "turn.started"}],
        [
            {"type": "item.completed", "item": {"id": "i", "type": "agent_message", "text": "Done."}},
            {"type": "turn.completed", "usage": {"input_tokens": 1, "output_tokens": 1}},
        ],
        [{"type": "turn.failed", "error": {"message": "{}"}}],
    ),
    "opencode": (
        [{"type": "step_start", "sessionID": "s-1", "part": {}}],
        [
            {"type": "text", "sessionID": "s-1", "part": {"text": "Done."}},
            {"type": "step_finish", "sessionID": "s-1", "part": {"reason": "stop"}},
        ],
        [{"type": "error", "sessionID": "s-1", "error": {"name": "APIError", "data": {"message": "{}"}}}],
    ),
    "openhands": (
        [{"kind": "SystemPromptEvent", "conversation_id": "s-1"}],
        [{"kind": "ActionEvent", "tool_name": "finish", "action": {"message": "Done."}}],
        [{"kind": "ConversationErrorEvent", "code": "LLMError", "detail": "{}"}],
    ),
    "openclaw": (
        ["[agent] starting"],
        ['{\n "payloads": [{"text": "Done."}],\n "meta": {"agentMeta": {"sessionId": "s-1"}}\n}'],
        ['{\n "payloads": [],\n "meta": {"error": {"message": "{}"}}\n}'],
    ),
}


def script(tmp_path: Path, adapter: Adapter, body: str, python: str = sys.executable) -> ProgramFound:
    """Write a program of this adapter that does what ``body`` says; ``failed(words)`` gives its events of a failure."""
    start, good, bad = EVENTS[adapter.name]
    head = HEAD.format(speech=adapter.speaks, start=start, good=good, bad=bad)
    failed = (
        "def failed(words):\n"
        "    return [json.loads(json.dumps(e).replace('{}', words)) if not isinstance(e, str) else\n"
        "            e.replace('\"{}\"', json.dumps(words)) for e in BAD]\n\n"
    )
    path = tmp_path / adapter.program
    path.write_text(f"#!{python}\n{head}{failed}{body}\n")
    path.chmod(0o755)
    return ProgramFound(path=str(path), version="1.2.3", sha256="0" * 64, shown=(str(path),))
