"""A model that can do one thing: abstract the leases of :mod:`flows.bench.faults.corpus`, in one reply or by tools."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

_DATED = re.compile(r"This Lease is dated (March \d+, 2021)")
_STATE = re.compile(r"laws of the State of (\w+)")
_FAILED = re.compile(r"error|refused|no such|unknown", re.IGNORECASE)
FILE = "memo.docx"


def abstracted(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message of a good model: it reads what it was not shown, writes the file, and ends."""
    shown = "\n".join(str(message.get("content") or "") for message in body["messages"])
    offered = [tool["function"]["name"] for tool in body.get("tools") or ()]
    dated, state = _DATED.search(shown), _STATE.search(shown)
    if not dated or not state:
        said = "I cannot find the lease."
        return _calls("read", {"path": "documents/lease.txt"}) if "read" in offered else _says(said)
    memo = (
        "# Lease abstract\n\n## lease.txt\n\n"
        f"### Agreement date\n\nThe agreement date is {dated[1]} [lease.txt].\n\n"
        f"### Governing law\n\nThe laws of the State of {state[1]} [lease.txt § 2].\n\n"
        "### Assignment\n\n“Tenant may not assign this Lease without the prior written consent of Landlord.” "
        "[lease.txt § 3]\n"
    )
    if "build_deliverable" not in offered:
        return _says(f"=== FILE: {FILE} ===\n{memo}=== END FILE ===")
    if _done(body["messages"], "build_deliverable"):
        return _says("The memo is written.")
    return _calls("build_deliverable", {"path": FILE, "markdown": memo})


def _done(messages: Sequence[Mapping[str, Any]], tool: str) -> bool:
    """Whether a call of a tool was answered, and not by a refusal."""
    made = {c["id"] for m in messages for c in m.get("tool_calls") or () if c["function"]["name"] == tool}
    answers = [str(m.get("content")) for m in messages if m.get("role") == "tool" and m.get("tool_call_id") in made]
    return any(not _FAILED.search(answer[:80]) for answer in answers)


def _says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def _calls(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call-{name}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def main(port: str) -> None:
    """Serve the model on a port of loopback until the process is ended, as a model server of a profile does."""
    from flows.bench.faults.provider import ScriptedProvider, serving

    with serving(ScriptedProvider(abstracted), int(port)) as provider:
        print(provider.base, flush=True)
        while True:
            time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1])
