"""A provider on loopback that speaks the OpenAI chat form, plain and streamed, and fails calls by a seed.

It counts what it would bill: the calls whose reply, with its usage, it sent whole.
"""

from __future__ import annotations

import hashlib
import json
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tasks.models.profile import Prices

Body = Mapping[str, Any]
Answer = Callable[[Body], dict[str, Any]]
"""Gives the message of the assistant for the body of a request."""
FAULTS = ("429", "500", "dropped", "truncated", "wrong tool", "loop", "empty", "slow", "stalled")
PRICES = Prices(input_uncached=3.0, cache_read=0.3, output=15.0)
_SLOW = 0.4  # seconds before a slow answer: well under every time-out of the bench
_STALLED = 16.0
"""Seconds without a word; the profiles of the bench wait shorter."""
_PIECES = 4  # of a streamed reply


@dataclass
class ScriptedProvider:
    """What a provider on loopback answers, and what it has counted.

    Attributes:
        answer: Gives the message that a sound call is answered with.
        rate: Share of calls that fail.
        seed: Of the failures. One hangs on the request and on how often it came, not on the order of requests.
        faults: Kinds of failures, each as likely as the others.
        first: Whether the first call of each conversation fails, each in the next way, and no other.
        refuse: Status with which every call is refused; 0 for none.
        billed: Sum of tokens by kind, and calls, of whole replies.
        met: Failures given, by kind.
    """

    answer: Answer
    rate: float = 0.0
    seed: int = 0
    faults: Sequence[str] = FAULTS
    first: bool = False
    refuse: int = 0
    billed: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    requests: list[Body] = field(default_factory=list)
    base: str = ""
    _seen: Counter[str] = field(default_factory=Counter)
    _begun: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def usd(self) -> float:
        """What the calls cost at list prices."""
        b = self.billed
        paid = b["input"] * PRICES.input_uncached + b["output"] * PRICES.output
        return (paid + b["cached"] * (PRICES.cache_read or 0.0)) / 1e6

    def fault_of(self, body: Body) -> str:
        """Return how this call fails; empty where it does not."""
        shown = json.dumps({k: body.get(k) for k in ("messages", "tools")}, sort_keys=True)
        with self._lock:
            self.requests.append(body)
            self._seen[shown] += 1
            draw = random.Random(hashlib.sha256(f"{self.seed}/{self._seen[shown]}/{shown}".encode()).digest())
            fault = draw.choice(self.faults) if draw.random() < self.rate else ""
            if self.first and self._seen[shown] == 1 and all(m["role"] != "assistant" for m in body["messages"]):
                fault = self.faults[self._begun % len(self.faults)]
                self._begun += 1
            self.met[fault or "sound"] += 1
        return fault

    def said(self, body: Body, fault: str) -> dict[str, Any]:
        """Return the message of a reply; a fault of the model's own words is put into it."""
        if fault == "empty":
            return {"role": "assistant", "content": ""}
        if fault == "wrong tool":
            return _call("no_such_tool", {"path": "lease.txt"})
        if fault == "loop":
            tools = body.get("tools") or [{"function": {"name": "read"}}]
            return _call(str(tools[0]["function"]["name"]), {"path": "lease.txt"})
        return self.answer(body)

    def usage(self, body: Body, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the count of a reply: four characters a token, what came before the last message from the cache."""
        told = [len(json.dumps(m)) // 4 for m in body["messages"]]
        prompt, cached = sum(told), sum(told[:-1])
        return {
            "prompt_tokens": prompt,
            "completion_tokens": (made := len(json.dumps(message)) // 4),
            "total_tokens": prompt + made,
            "prompt_tokens_details": {"cached_tokens": cached},
        }

    @contextmanager
    def billing(self, usage: Mapping[str, Any]) -> Iterator[None]:
        """Count a reply of which the block sends the last bytes; before them, since who has them may look at the bill.

        A reply that could not be sent is taken back.
        """
        self._count(usage, 1)
        try:
            yield
        except OSError:
            self._count(usage, -1)
            raise

    def _count(self, usage: Mapping[str, Any], times: int) -> None:
        cached = usage["prompt_tokens_details"]["cached_tokens"]
        counts = {"cached": cached, "input": usage["prompt_tokens"] - cached, "output": usage["completion_tokens"]}
        with self._lock:
            self.billed.update({name: times * n for name, n in (counts | {"calls": 1}).items()})


@contextmanager
def serving(provider: ScriptedProvider, port: int = 0) -> Iterator[ScriptedProvider]:
    """Serve a provider on a port of loopback, a free one where none is given, within the block."""

    class Handler(_Handler):
        told = provider

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    provider.base = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


class _Handler(BaseHTTPRequestHandler):
    told: ScriptedProvider

    def do_GET(self) -> None:
        """Say that the model is ready."""
        data = json.dumps({"object": "list", "data": [{"id": "scripted"}]}).encode()
        self.send_response(200)
        self._headers("application/json", len(data))
        self.wfile.write(data)

    def do_POST(self) -> None:
        """Answer a chat request, or fail it."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        provider = self.told
        fault = provider.fault_of(body)
        if provider.refuse or fault in ("429", "500"):
            self._refused(provider.refuse or int(fault))
            return
        time.sleep({"slow": _SLOW, "stalled": _STALLED}.get(fault, 0.0))
        if fault == "stalled":
            self._cut()
            return
        if self._left_alone():  # the client did not wait, and will not be billed
            return
        message = provider.said(body, fault)
        usage = provider.usage(body, message)
        (self._streamed if body.get("stream") else self._plain)(message, usage, fault)

    def _refused(self, status: int) -> None:
        data = json.dumps({"error": {"message": f"refused with {status}", "type": "error", "code": None}}).encode()
        self.send_response(status)
        if status == 429:
            self.send_header("retry-after", "1")
        self._headers("application/json", len(data))
        self.wfile.write(data)

    def _plain(self, message: Mapping[str, Any], usage: Mapping[str, Any], fault: str) -> None:
        choice = {"index": 0, "finish_reason": _reason(message), "message": message}
        data = json.dumps({**_FRAME, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
        if fault == "truncated":  # a whole answer of HTTP, and half of one in JSON
            data = data[: len(data) // 2]
        self.send_response(200)
        self._headers("application/json", len(data))
        if fault == "dropped":
            self.wfile.write(data[: len(data) // 2])
            self._cut()
        elif fault == "truncated":
            self.wfile.write(data)
        else:
            with self.told.billing(usage):
                self.wfile.write(data)

    def _streamed(self, message: Mapping[str, Any], usage: Mapping[str, Any], fault: str) -> None:
        self.send_response(200)
        self._headers("text/event-stream", None)
        deltas = list(_deltas(message))
        for delta in deltas[: len(deltas) // 2] if fault in ("dropped", "truncated") else deltas:
            self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        if fault == "truncated":
            self.wfile.write(b'data: {"id": "c", "choices": [{"ind\n\n')
        if fault in ("dropped", "truncated"):
            self._cut()
            return
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": _reason(message)}]})
        if self._left_alone():
            return
        with self.told.billing(usage):
            self._event({"choices": [], "usage": usage})
            self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, part: Mapping[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps({**_FRAME, 'object': 'chat.completion.chunk', **part})}\n\n".encode())

    def _headers(self, kind: str, length: int | None) -> None:
        self.send_header("content-type", kind)
        if length is not None:
            self.send_header("content-length", str(length))
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def _left_alone(self) -> bool:
        """Whether the client has closed its end."""
        self.connection.setblocking(False)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        finally:
            self.connection.setblocking(True)

    def _cut(self) -> None:
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def handle(self) -> None:
        """Serve one connection; a client that has gone is no defect."""
        try:
            super().handle()
        except (ConnectionError, OSError):
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


_FRAME = {"id": "c", "created": 1, "model": "scripted"}


def _call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call-1", "type": "function", "function": function}],
    }


def _reason(message: Mapping[str, Any]) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def _deltas(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Part a message as a stream carries it: words in pieces, the arguments of a call in two."""
    yield {"role": "assistant", "content": ""}
    text = message.get("content") or ""
    step = max(1, len(text) // _PIECES)
    yield from ({"content": text[at : at + step]} for at in range(0, len(text), step))
    for n, call in enumerate(message.get("tool_calls") or ()):
        said = call["function"]["arguments"]
        head = {"name": call["function"]["name"], "arguments": said[: len(said) // 2]}
        yield {"tool_calls": [{"index": n, "id": call["id"], "type": "function", "function": head}]}
        yield {"tool_calls": [{"index": n, "function": {"arguments": said[len(said) // 2 :]}}]}
