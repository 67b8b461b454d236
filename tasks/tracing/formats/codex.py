"""``codex exec --json``."""

from __future__ import annotations

from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats.lines import events


def parse_codex(trace: str, builder: TrajectoryBuilder) -> None:
    """Parse the event stream. An item is told up to three times (started, updated, completed): one action."""
    for number, event in events(trace, builder):
        kind = event.get("type")
        if kind == "turn.started":
            builder.turn += 1
        elif kind == "turn.completed":
            builder.spend(_usage(values.mapping(event.get("usage"))))
        elif kind == "turn.failed":
            builder.error(values.mapping(event.get("error")).get("message") or event.get("error"))
        elif kind == "error":
            builder.error(event.get("message") or event)
        elif kind in ("item.started", "item.updated", "item.completed"):
            _item(values.mapping(event.get("item")), builder)
        elif kind != "thread.started":
            builder.problem(number, f"unknown event {values.bounded_text(kind, 80)!r}")


def _item(item: dict[str, Any], builder: TrajectoryBuilder) -> None:
    kind = item.get("type") or item.get("item_type")
    key = item.get("id")
    failed = item.get("status") == "failed"
    if kind == "command_execution":
        builder.call(key, "shell", {"command": item.get("command")})
        exit_code = item.get("exit_code")
        builder.result(key, item.get("aggregated_output"), failed or exit_code not in (0, None))
    elif kind == "file_change":
        builder.call(key, "file_change", {"changes": item.get("changes")})
        builder.result(key, item.get("status"), failed)
    elif kind == "mcp_tool_call":
        name = f"mcp__{values.bounded_text(item.get('server'), 80)}__{values.bounded_text(item.get('tool'), 80)}"
        builder.call(key, name, item.get("arguments"))
        error = item.get("error")
        builder.result(key, _content(item.get("result")) or error, failed or bool(error))
    elif kind == "web_search":
        builder.call(key, "web_search", {"query": item.get("query")})
    elif kind in ("agent_message", "assistant_message"):
        builder.say(item.get("text"))
    elif kind == "error":
        builder.error(item.get("message"))


def _content(result: Any) -> Any:
    return values.mapping(result).get("content", result)


def _usage(told: dict[str, Any]) -> Usage:
    prompt = values.count(told.get("input_tokens"))
    cached = min(values.count(told.get("cached_input_tokens")), prompt)
    return Usage(
        input_uncached=prompt - cached,  # input includes what was cached
        cache_read=cached,
        output=values.count(told.get("output_tokens")),
        calls=1,
    )
