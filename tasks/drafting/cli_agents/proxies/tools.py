"""The proxy to Solon's tools: an MCP server over streamable HTTP, and the same calls for a command, ``solon tool``.

The tools run on this side, where no sandbox holds them. So they never touch a folder that the agent can write: before
a call its output is copied to where tools look, after it what they wrote is copied back (``mirror``).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import anyio

from tasks.drafting.cli_agents.mirror import mirror, state_of
from tasks.drafting.cli_agents.proxies.serving import Receive, Scope, Send, answer, body_of
from tasks.drafting.records import Toolbox
from tasks.drafting.workspace.records import ROOM
from tasks.matter.failures import Failure, FailureCause, SolonError

_LARGEST = 32 * 2**20  # bytes of a request: more than a deliverable as text
_LONGEST_PATH = 1000  # characters; a longer word is content, and no path to rewrite; chosen by eye
COMMAND = Path(__file__).with_name("solon_tool.py")


@dataclass
class ToolProxy:
    """An ASGI application. One call at a time; safe to look at from another thread.

    Attributes:
        workspace: Folder of the attempt as the tools know it; deliverables are in its ``output``.
        output: The agent's own output folder.
        listed: How often the tools were asked for: an agent that never did cannot have called one.
        used: Calls by tool.
        failed: Calls that the tools refused.
        heard: When something last passed (monotonic).
        waiting: Calls under way.
    """

    toolbox: Toolbox
    workspace: Path
    output: Path
    listed: int = 0
    failed: int = 0
    waiting: int = 0
    used: dict[str, int] = field(default_factory=dict)
    heard: float = field(default_factory=time.monotonic)
    _one: anyio.CapacityLimiter | None = None
    _manager: Any = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the lifespan of the server."""
        if scope["type"] == "lifespan":
            await self._alive(receive, send)
            return
        self.heard = time.monotonic()
        if scope["path"].rstrip("/") == "/mcp":
            await self._manager.handle_request(scope, receive, send)
        elif scope["method"] == "POST" and scope["path"].startswith("/call/"):
            await self._command(scope["path"].removeprefix("/call/"), receive, send)
        elif scope["method"] == "GET" and scope["path"] == "/tools":
            await answer(send, 200, json.dumps({n: self.toolbox.schema(n) for n in self.toolbox.names()}).encode())
        else:
            await answer(send, 404, b'{"failure": "There is nothing here but the tools."}')

    async def _alive(self, receive: Receive, send: Send) -> None:
        """Keep the MCP server running for as long as the proxy is open."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        self._one = anyio.CapacityLimiter(1)
        self._manager = StreamableHTTPSessionManager(
            self._server(), json_response=True, stateless=True, max_request_body_size=_LARGEST
        )
        await receive()
        async with self._manager.run():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    def _server(self) -> Any:
        from mcp import types
        from mcp.server.lowlevel import Server

        server: Any = Server("solon")

        async def list_tools() -> list[Any]:
            self.listed += 1
            return [
                types.Tool(name=name, description=schema.pop("description", ""), inputSchema=schema)
                for name in self.toolbox.names()
                for schema in [self.toolbox.schema(name)]
            ]

        async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
            result, failure = await self._call(name, arguments)
            said = failure.line() if failure else json.dumps(result, ensure_ascii=False)
            text = types.TextContent(type="text", text=said)
            return types.CallToolResult(content=[text], isError=failure is not None)

        server.list_tools()(list_tools)
        server.call_tool(validate_input=False)(call_tool)  # the toolbox validates, with our failures
        return server

    async def _command(self, name: str, receive: Receive, send: Send) -> None:
        try:
            raw = await body_of(receive, _LARGEST)
            arguments = json.loads(raw) if raw else None
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict):
            await answer(send, 400, b'{"failure": "The arguments are one JSON object."}')
            return
        result, failure = await self._call(name, arguments)
        told = {"failure": failure.line()} if failure else {"result": result}
        await answer(send, 422 if failure else 200, json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> tuple[Any, Failure | None]:
        assert self._one is not None
        self.waiting += 1
        try:
            return await anyio.to_thread.run_sync(self._run, name, arguments, limiter=self._one)
        finally:
            self.waiting -= 1
            self.heard = time.monotonic()

    def _run(self, name: str, arguments: Mapping[str, Any]) -> tuple[Any, Failure | None]:
        """Call a tool between two copies of the output."""
        if name in self.toolbox.names():
            self.used[name] = self.used.get(name, 0) + 1
        theirs = self.workspace / "output"
        try:
            mirror(self.output, theirs)
            before = state_of(theirs)
            result = self.toolbox.call(name, outside(arguments))
            written = frozenset(n for n, facts in state_of(theirs).items() if before.get(n) != facts)
            if written:
                mirror(theirs, self.output, only=written)
        except SolonError as error:
            self.failed += 1
            return None, error.failure
        except OSError as error:
            self.failed += 1
            message = f"The output folder could not be read: {error.strerror}."
            remedy = "Leave a plain folder there."
            failure = Failure(cause=FailureCause.INPUT, stage="toolbox", subject=name, message=message, remedy=remedy)
            return None, failure
        return inside(json.loads(json.dumps(result, default=str)), self.workspace), None


def outside(value: Any) -> Any:
    """Return the arguments with the agent's file names replaced by those that the tools know.

    ``/matter/documents/lease.docx`` and ``text/lease.docx.txt`` are the document ``lease.docx``; files of the output
    keep their folder.
    """
    if isinstance(value, Mapping):
        return {k: outside(v) for k, v in value.items()}
    if isinstance(value, list):
        return [outside(v) for v in value]
    if not isinstance(value, str) or len(value) > _LONGEST_PATH or "\n" in value:
        return value
    pure = PurePosixPath(value)
    parts = pure.relative_to(ROOM).parts if pure.is_relative_to(ROOM) else pure.parts
    if parts[:1] == ("documents",) and len(parts) > 1:
        return "/".join(parts[1:])
    if parts[:1] == ("text",) and len(parts) > 1 and value.endswith(".txt"):
        return "/".join(parts[1:]).removesuffix(".txt")
    return "/".join(parts) if pure.is_relative_to(ROOM) and parts else value


def inside(value: Any, workspace: Path) -> Any:
    """Return a result with paths as the agent knows them; no folder of this machine is named."""
    if isinstance(value, Mapping):
        return {k: inside(v, workspace) for k, v in value.items()}
    if isinstance(value, list):
        return [inside(v, workspace) for v in value]
    if not isinstance(value, str):
        return value
    for told in {str(workspace), str(workspace.resolve())}:
        value = value.replace(told, ROOM)
    return value
