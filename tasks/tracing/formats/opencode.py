"""``opencode run --format=json``."""

from __future__ import annotations

from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats.lines import events

_PLANS = frozenset({"todowrite", "todoread", "plan_enter", "plan_exit"})


def parse_opencode(trace: str, builder: TrajectoryBuilder) -> None:
    """Parse the event stream. Exit code 0 says nothing: any ``error`` event is a failure."""
    for number, event in events(trace, builder):
        kind = event.get("type")
        part = values.mapping(event.get("part"))
        if kind == "tool_use":
            if values.bounded_text(part.get("tool"), 200) not in _PLANS:
                _tool(number, part, builder)
        elif kind == "step_start":
            builder.turn += 1
        elif kind == "step_finish":
            builder.spend(_usage(part))
        elif kind == "text":
            builder.say(part.get("text"))
        elif kind == "error":
            error = values.mapping(event.get("error"))
            builder.error(values.mapping(error.get("data")).get("message") or error or event)
        elif kind != "reasoning":
            builder.problem(number, f"unknown event {values.bounded_text(kind, 80)!r}")


def _tool(number: int, part: dict[str, Any], builder: TrajectoryBuilder) -> None:
    state = values.mapping(part.get("state"))
    key = part.get("callID") or part.get("id") or f"line {number}"
    builder.call(key, _whole_name(part.get("tool")), state.get("input"))
    builder.result(key, state.get("output") or state.get("error"), state.get("status") == "error")


def _whole_name(tool: Any) -> str:
    """Return the name of a tool as the other programs say it: opencode calls Solon's ``search`` ``solon_search``."""
    name = values.bounded_text(tool, 200)
    return f"mcp__solon__{name.removeprefix('solon_')}" if name.startswith("solon_") else name


def _usage(part: dict[str, Any]) -> Usage:
    told = values.mapping(part.get("tokens"))
    cache = values.mapping(told.get("cache"))
    cost = values.dollars(part.get("cost"))
    return Usage(
        input_uncached=values.count(told.get("input")),
        cache_read=values.count(cache.get("read")),
        cache_write=values.count(cache.get("write")),
        # Reasoning is told apart from output here; with us it is a part of it.
        output=values.count(told.get("output")) + values.count(told.get("reasoning")),
        cost_usd=cost,
        cost_source="reported" if cost else "none",
        calls=1,
    )
