"""Asks the toolbox's proxy for its tools before an agent is started: some ask once, early, and then never again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tasks.drafting.cli_agents.records import trouble
from tasks.matter.failures import FailureCause

_SECONDS = 60.0  # for one short reply of a model


def probe_tools(socket: Path, wanted: Sequence[str]) -> None:
    """Return when the proxy lists every tool.

    Raises:
        SolonError: It does not (``sandbox``).
    """
    import httpx

    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"accept": "application/json, text/event-stream"}
    try:
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(socket)), timeout=_SECONDS) as client:
            came = client.post("http://proxy/mcp", json=asked, headers=headers).raise_for_status().json()
        listed = {tool["name"] for tool in came["result"]["tools"]}
    except (httpx.HTTPError, KeyError, TypeError, ValueError) as error:
        message = f"The proxy of the toolbox does not answer ({type(error).__name__})."
        raise trouble(FailureCause.SANDBOX, "tools/list", message, "Try again.") from error
    if lacking := sorted(set(wanted) - listed):
        message = f"The proxy of the toolbox does not list {', '.join(lacking[:5])}."
        raise trouble(FailureCause.SANDBOX, "tools/list", message, "Try again.")
