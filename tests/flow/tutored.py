"""A model endpoint that is scripted by what it is offered: a summary of the papers or a high effort make it know more.

It speaks chat completions with and without tools, and gives two answers: one that was read, and one that was not. Asked
a narrow question with a schema, it names the numbered sentence that holds ``MARKED``, where it is shown one.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

UNREAD: Final = "# Memo\n\nGoverning law: the laws of the State of Ohio [lease.txt].\n"
READ: Final = f"{UNREAD}\nAgreement date: March 3, 2021 [lease.txt].\n"
MARKED: Final = "walk away"
Reply = tuple[str, dict[str, Any]] | str  # a tool with its arguments, or words


def replied(asked: Mapping[str, Any]) -> Reply:
    """Return what the model says: it looks for a summary first, writes the memo once, and stops."""
    offered = {tool["function"]["name"] for tool in asked.get("tools") or ()}
    if asked.get("response_format"):
        content = asked["messages"][-1]["content"]
        text = content if isinstance(content, str) else "".join(part["text"] for part in content)
        lines = text.splitlines()
        numbers = [int(hit[1]) for line in lines if MARKED in line and (hit := re.match(r"\[(\d+)\]", line))]
        return json.dumps({"answer": "yes" if numbers else "no", "sentences": numbers[:1]})
    if not offered:
        text = READ if asked.get("reasoning_effort") == "high" else UNREAD
        return f"=== FILE: memo.docx ===\n{text}=== END FILE ===\n"
    called = [c["function"]["name"] for m in asked["messages"] for c in m.get("tool_calls") or ()]
    if "build_deliverable" in called:
        return "The memo is written."
    if "summarize_docs" in offered and not called:
        return "summarize_docs", {"paths": ["lease.txt"]}
    return "build_deliverable", {"path": "memo.docx", "markdown": READ if called else UNREAD}


class _Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Answer one request."""
        said = replied(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        message: dict[str, Any] = {"role": "assistant", "content": said if isinstance(said, str) else None}
        if not isinstance(said, str):
            function = {"name": said[0], "arguments": json.dumps(said[1])}
            message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        choice = {"index": 0, "finish_reason": "stop" if isinstance(said, str) else "tool_calls", "message": message}
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        told = {"id": "x", "object": "chat.completion", "created": 1, "model": "local"}
        body = json.dumps({**told, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def tutored() -> Iterator[str]:
    """Serve the model; gives its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Model) as endpoint:
        threading.Thread(target=endpoint.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{endpoint.server_port}/v1"
        endpoint.shutdown()
