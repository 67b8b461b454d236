"""Action buckets: read, tool, write, other. Deterministic; what is not recognised is other.

After the grammar of seeds/parthenon-law.txt A.2: named tools by name, shell commands by the verbs of their segments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.tracing.names import trace_names
from tasks.tracing.records import Action, Bucket
from tasks.tracing.shell import classify_command

_SPACE = re.compile(r"[\s-]+")


def bucket_of(tool: str, arguments: Mapping[str, Any]) -> Bucket:
    """Return the bucket of a tool call.

    Args:
        tool: Name of the tool; an MCP name (``mcp__server__tool``, ``server.tool``) counts by its last part.
        arguments: Arguments; read for shells (the command) and editors (the sub-command).
    """
    name = _plain(tool)
    known = trace_names().tools
    if name in known.shell:
        return classify_command(_command(arguments))
    if name in known.editor:
        return "read" if arguments.get("command") in ("view", None) else "write"
    bucket = known.bucket(name)
    return "tool" if bucket == "other" and _is_mcp(tool) else bucket


def plain_name(tool: str) -> str:
    """Return the name of a tool without its server, in lower case with underscores."""
    return _plain(tool)


def shell_command(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the command that a call runs in a shell; empty where the tool is no shell."""
    return _command(arguments) if _plain(tool) in trace_names().tools.shell else ""


def count_buckets(actions: Iterable[Action]) -> dict[Bucket, int]:
    """Count actions by bucket; every bucket is there."""
    counted = Counter(action.bucket for action in actions)
    return {bucket: counted[bucket] for bucket in ("read", "tool", "write", "other")}


def _plain(tool: str) -> str:
    last = re.split(r"__|[./:]", tool.strip())[-1]
    return _SPACE.sub("_", last).lower().removesuffix("_tool")


def _is_mcp(tool: str) -> bool:
    return tool.startswith(("mcp__", "mcp:"))


def _command(arguments: Mapping[str, Any]) -> str:
    for key in ("command", "cmd", "script", "code", "input"):
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list):  # an argument vector: the shell's own script is its last word
            words = [str(word) for word in value]
            return words[-1] if len(words) > 2 and words[1].startswith("-") and "c" in words[1] else " ".join(words)
    return ""
