"""The MCP door, driven by a real MCP client over stdio."""

from __future__ import annotations

import json
import os
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PROJECT = Path(__file__).resolve().parents[3]


def talk(room: Path, calls: list[tuple[str, dict[str, Any]]]) -> tuple[list[Any], list[Any]]:
    async def session() -> tuple[list[Any], list[Any]]:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "flows.cli", "mcp", "--root", str(room)],
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as client:
            told = (await client.initialize()).serverInfo
            assert (told.name, told.version) == ("solon", metadata.version("solon"))
            tools = (await client.list_tools()).tools
            return tools, [await client.call_tool(name, arguments) for name, arguments in calls]

    with anyio.from_thread.start_blocking_portal() as portal:
        return portal.call(session)


LEASE = 'LEASE\n\n1. Rent\n\n1.1 "Base Rent" means $ 9,000.\n\n2. Pay\n\n2.1 Payment. The Tenant pays the Base Rent.\n'
MEMO = "The Base Rent is $ 9,000, and the deposit $ 4,444."
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("number_scan", {"path": "a.txt"}),
    ("read", {"path": "../secret.txt"}),
    ("read", {"wrong": 1}),
    ("build_deliverable", {"path": "hi.md", "markdown": "# Hi\n\nThere."}),
    ("abacus", {}),
    ("search", {"query": "What does the tenant pay?"}),
    ("related", {"document": "lease.txt", "clause": "2.1"}),
    ("build_deliverable", {"path": "memo.md", "markdown": MEMO}),
    ("reconcile_numbers", {"draft": "memo.md"}),
    ("audit_all", {"draft": "memo.md"}),
    ("quote_check", {"citation": "Fed. R. Civ. P. 6(d)", "quote": "3 days are added after the period"}),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deal")
    (folder / "room").mkdir()
    (folder / "room" / "a.txt").write_text("The fee is $5 million, due within 10 days after notice.\n")
    (folder / "room" / "lease.txt").write_text(LEASE)
    (folder / "secret.txt").write_text("no")
    return folder / "room"


@pytest.fixture(scope="module")
def talked(room: Path) -> tuple[list[Any], list[Any]]:
    """One conversation with one server: it takes seconds to start."""
    return talk(room, CALLS)


@pytest.mark.slow
def test_a_client_lists_and_calls_tools(room: Path, talked: tuple[list[Any], list[Any]]) -> None:
    tools, (good, outside, wrong, built, unknown, *_) = talked
    assert {"number_scan", "read", "audit_all"} <= {t.name for t in tools}
    assert all(t.inputSchema["type"] == "object" and t.description for t in tools)
    assert good.structuredContent["items"][0]["value"] == 5_000_000
    assert json.loads(good.content[0].text) == good.structuredContent
    for bad in (outside, wrong, unknown):
        assert bad.isError
        assert "Traceback" not in bad.content[0].text
    assert outside.structuredContent["failure"]["cause"] == "policy"
    assert not built.isError
    assert (room / "hi.md").read_text().startswith("# Hi")


def test_a_root_alone_is_the_room_of_every_tool(talked: tuple[list[Any], list[Any]]) -> None:
    results = talked[1][5:]
    assert not any(r.isError for r in results), [r.content[0].text for r in results if r.isError]
    found, tied, _, numbers, audit, quote = (r.structuredContent for r in results)
    assert found["passages"][0]["span"]["document"] == "lease.txt"
    assert "defines 'Base Rent' used here" in [row["reason"] for row in tied["related"]]
    assert [f["text"] for f in numbers["findings"]] == ["$ 4,444"]
    assert audit["findings"]
    assert quote["outcome"] == "verified"
