"""The MCP interface: the registry as a server over standard input and output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tasks.matter.failures import SolonError
from tasks.toolbox.desk import Desk, refused
from tasks.toolbox.process import ToolProcess, spawned
from tasks.toolbox.registry import ToolRegistry, discover

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server


def serve(roots: Sequence[Path], workspace: Path | None = None, private: Sequence[Path] = ()) -> None:
    """Serve a room until standard input closes.

    Args:
        roots: Folders that path arguments must lie in; at least one.
        workspace: Folder whose ``output/`` takes deliverables.
        private: Folders and files of ours that the settings name; nothing of them is served.

    Raises:
        SolonError: A root or the workspace is no folder, or is one that Solon keeps to itself.
    """
    import anyio

    desk = Desk(roots=tuple(r.resolve() for r in roots), workspace=workspace, private=tuple(private))
    _check(desk)
    with TemporaryDirectory(prefix="solon-mcp-") as cache:  # of what is read of the room, for as long as it is served
        process = ToolProcess(discover(), partial(spawned, replace(desk, cache=Path(cache))))
        process.warm()
        try:
            anyio.run(_serve, build_server(ToolRegistry(desk, process.tools), process.call))
        finally:
            process.close()


def _check(desk: Desk) -> None:
    """Refuse a room without anything to serve, before a client connects."""
    if not desk.roots:
        raise refused("--root", "is missing: an agent needs a data room", "name it, e.g. --root ./deal-room")
    for folder in (*desk.roots, *([desk.workspace] if desk.workspace else [])):
        if not folder.is_dir():
            raise refused(str(folder), "is no folder", "name the folder of the documents")
        if why := desk.why_private(folder):
            raise refused(str(folder), why, "name the folder of the documents")


def build_server(registry: ToolRegistry, call: Callable[[str, dict[str, Any]], dict[str, Any]]) -> Server[Any, Any]:
    """Return the server of a registry: its tools with their schemas, and calls as JSON text and structured content.

    Args:
        registry: What is told of the tools.
        call: Runs one, in a process that can be killed.
    """
    from mcp import types
    from mcp.server.lowlevel import Server

    server: Server[Any, Any] = Server("solon", version=metadata.version("solon"))

    async def list_tools() -> list[types.Tool]:
        return [
            types.Tool(name=name, description=schema.pop("description"), inputSchema=schema)
            for name in registry.names()
            for schema in [registry.schema(name)]
        ]

    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        import anyio

        try:
            result = await anyio.to_thread.run_sync(call, name, arguments)
        except SolonError as exc:
            failure = exc.failure.model_dump(mode="json")
            text = types.TextContent(type="text", text=exc.failure.line())
            return types.CallToolResult(content=[text], structuredContent={"failure": failure}, isError=True)
        plain = json.loads(json.dumps(result, default=str, ensure_ascii=False))
        text = types.TextContent(type="text", text=json.dumps(plain, ensure_ascii=False))
        return types.CallToolResult(content=[text], structuredContent=plain)

    server.list_tools()(list_tools)
    server.call_tool(validate_input=False)(call_tool)  # the registry validates, with our failures
    return server


async def _serve(server: Server[Any, Any]) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    # Messages get a descriptor of their own: what a reader prints must not fall between them.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    async with stdio_server(stdout=anyio.wrap_file(out)) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
