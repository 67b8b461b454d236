"""Serves an ASGI application on a Unix socket, from a thread, for as long as an agent runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tasks.drafting.cli_agents.records import trouble
from tasks.matter.failures import FailureCause

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
_START_SECONDS = 20.0  # a server starts within a second or two; a busy machine takes longer
_MOST_CONNECTIONS = 64  # further ones are answered 503: whoever is inside shall not fill our memory
_LONGEST_PATH = 100  # of a Unix socket, in bytes; the kernel's own limit is 107


@contextmanager
def served(app: App, socket: Path) -> Iterator[None]:
    """Serve until the block ends; requests still open then are cut off within a second.

    Raises:
        SolonError: The socket cannot be opened (``sandbox``).
    """
    import uvicorn

    if len(str(socket).encode()) > _LONGEST_PATH:
        raise trouble(FailureCause.SANDBOX, str(socket), "is too long a path for a socket", "Set a shorter TMPDIR.")
    config = uvicorn.Config(
        app,
        uds=str(socket),
        log_level="critical",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        limit_concurrency=_MOST_CONNECTIONS,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, name="solon-proxy", daemon=True)
    thread.start()
    try:
        _wait_for(server, thread, socket)
        socket.chmod(0o600)
        yield
    finally:
        server.should_exit = True
        thread.join()
        socket.unlink(missing_ok=True)


def _wait_for(server: Any, thread: threading.Thread, socket: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while not server.started:
        if not thread.is_alive() or time.monotonic() > until:
            raise trouble(FailureCause.SANDBOX, socket.name, "A proxy of the sandbox did not open.", "Try again.")
        time.sleep(0.01)


async def body_of(receive: Receive, most: int) -> bytes | None:
    """Return the body of a request; None if it is larger than ``most`` bytes or incomplete."""
    whole = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        whole += message.get("body", b"")
        if len(whole) > most:
            return None
        if not message.get("more_body"):
            return bytes(whole)


async def answer(send: Send, status: int, body: bytes, kind: str = "application/json") -> None:
    """Send a whole answer."""
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def lifespan(receive: Receive, send: Send) -> None:
    """Follow the server's start and end, for an application that needs nothing done."""
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return
