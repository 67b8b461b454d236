"""A model endpoint with canned replies, in the three protocols that agent programs speak.

Each reply is chosen by how many tool results the request holds: the steps are walked through once, in order.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-fake-0123456789abcdef"
Step = tuple[str, dict[str, Any]] | str  # a tool (the end of its name) with its arguments, or the last words


@dataclass
class Endpoint:
    """What was asked of it.

    Attributes:
        steps: Replies, by the number of tool results in the request.
        fail: Returns a status to answer with instead, by the number of the request.
    """

    steps: list[Step]
    fail: Callable[[int], int] = lambda number: 0
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def step(self, done: int) -> Step:
        return self.steps[min(done, len(self.steps) - 1)]


@contextmanager
def fake_endpoint(steps: list[Step], fail: Callable[[int], int] = lambda number: 0) -> Iterator[Endpoint]:
    endpoint = Endpoint(steps, fail)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            endpoint.asked.append(body)
            endpoint.headers.append({k.lower(): v for k, v in self.headers.items()})
            endpoint.paths.append(self.path)
            status = endpoint.fail(len(endpoint.asked))
            if status:
                self._say(status, "application/json", b'{"error": {"type": "api_error", "message": "canned failure"}}')
                return
            kind = self.path.rstrip("/").rpartition("/")[2]
            events = {"messages": _messages, "completions": _chat, "responses": _responses}[kind](endpoint, body)
            self._say(200, "text/event-stream", b"".join(events))

        def _say(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _event(data: Any, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def _offered(tools: list[dict[str, Any]], wanted: str) -> tuple[str, str]:
    """Return the name of a tool whose name ends so, and the namespace it is in."""
    for tool in tools:
        for inner in tool.get("tools") or [tool]:
            name = inner.get("name") or (inner.get("function") or {}).get("name", "")
            if name == wanted or name.endswith(f"_{wanted}"):
                return name, tool["name"] if tool.get("tools") else ""
    raise AssertionError(f"{wanted} is not offered: {json.dumps(tools)[:2000]}")


def _messages(endpoint: Endpoint, body: dict[str, Any]) -> Iterator[bytes]:
    blocks = [b for m in body["messages"] if isinstance(m["content"], list) for b in m["content"]]
    step = endpoint.step(sum(b.get("type") == "tool_result" for b in blocks)) if body.get("tools") else "A title"
    number = len(endpoint.asked)
    usage = {"input_tokens": 100, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 5, "output_tokens": 1}
    start = {"id": f"msg_{number}", "type": "message", "role": "assistant", "content": [], "model": body["model"]}
    start |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
    yield _event({"type": "message_start", "message": start}, "message_start")
    if isinstance(step, str):
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": step}
    else:
        name, _ = _offered(body["tools"], step[0])
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step[1])}
    yield _event({"type": "content_block_start", "index": 0, "content_block": block}, "content_block_start")
    yield _event({"type": "content_block_delta", "index": 0, "delta": delta}, "content_block_delta")
    yield _event({"type": "content_block_stop", "index": 0}, "content_block_stop")
    reason = "end_turn" if isinstance(step, str) else "tool_use"
    ended = {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}}
    yield _event({**ended, "usage": {"output_tokens": 40}}, "message_delta")
    yield _event({"type": "message_stop"}, "message_stop")


def _chat(endpoint: Endpoint, body: dict[str, Any]) -> Iterator[bytes]:
    step = endpoint.step(sum(m["role"] == "tool" for m in body["messages"])) if body.get("tools") else "A title"
    number = len(endpoint.asked)
    base = {"id": f"chat-{number}", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    if isinstance(step, str):
        delta: dict[str, Any] = {"role": "assistant", "content": step}
    else:
        name, _ = _offered(body["tools"], step[0])
        function = {"name": name, "arguments": json.dumps(step[1])}
        delta = {"role": "assistant", "tool_calls": [{"index": 0, "id": f"call_{number}", "type": "function"}]}
        delta["tool_calls"][0]["function"] = function
    yield _event({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    reason = "stop" if isinstance(step, str) else "tool_calls"
    yield _event({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    usage = {"prompt_tokens": 120, "completion_tokens": 40, "total_tokens": 160}
    usage |= {"prompt_tokens_details": {"cached_tokens": 20}}
    yield _event({**base, "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def _responses(endpoint: Endpoint, body: dict[str, Any]) -> Iterator[bytes]:
    done = sum(str(item.get("type", "")).endswith("_call_output") for item in body["input"])
    step = endpoint.step(done)
    number = len(endpoint.asked)
    base = {"id": f"resp_{number}", "object": "response", "created_at": 1, "model": body["model"], "output": []}
    yield _event({"type": "response.created", "response": {**base, "status": "in_progress"}}, "response.created")
    if isinstance(step, str):
        said = [{"type": "output_text", "text": step, "annotations": []}]
        item: dict[str, Any] = {"type": "message", "id": f"m_{number}", "role": "assistant", "content": said}
    else:
        name, space = _offered(body["tools"], step[0])
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name}
        item |= {"arguments": json.dumps(step[1]), **({"namespace": space} if space else {})}
    item["status"] = "completed"
    yield _event({"type": "response.output_item.added", "output_index": 0, "item": item}, "response.output_item.added")
    yield _event({"type": "response.output_item.done", "output_index": 0, "item": item}, "response.output_item.done")
    usage = {"input_tokens": 120, "input_tokens_details": {"cached_tokens": 20}, "output_tokens": 40}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 160}
    ended = {**base, "status": "completed", "output": [item], "usage": usage}
    yield _event({"type": "response.completed", "response": ended}, "response.completed")
