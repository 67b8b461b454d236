"""``claude --print --output-format stream-json``."""

from __future__ import annotations

from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats.lines import events

_PLANS = frozenset({"TodoWrite", "EnterPlanMode", "ExitPlanMode", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"})


def parse_claude_code(trace: str, builder: TrajectoryBuilder) -> None:
    """Parse the event stream.

    A message is told once a content block, each time with its usage so far: the last one told counts. Tokens of
    sub-agents count, their text is not the solver's.
    """
    by_message: dict[str, Usage] = {}
    result: dict[str, Any] = {}
    for number, event in events(trace, builder):
        kind = event.get("type")
        message = values.mapping(event.get("message"))
        if kind == "assistant":
            key = message.get("id") if isinstance(message.get("id"), str) else f"line {number}"
            if key not in by_message:
                builder.turn += 1
            by_message[str(key)] = _usage(values.mapping(message.get("usage")))
            builder.model = builder.model or values.bounded_text(message.get("model"), 200)
            _blocks(message, builder, own=not event.get("parent_tool_use_id"))
        elif kind == "user":
            _results(message, builder)
        elif kind == "result":
            result = event
        elif kind == "system" and event.get("subtype") == "init":
            builder.model = values.bounded_text(event.get("model"), 200)
        elif not isinstance(kind, str):
            builder.problem(number, "an event without a type")
    _finish(by_message, result, builder)


def _blocks(message: dict[str, Any], builder: TrajectoryBuilder, own: bool) -> None:
    for block in map(values.mapping, values.items(message.get("content"))):
        if block.get("type") == "text" and own:
            builder.say(block.get("text"))
        elif block.get("type") == "tool_use" and values.bounded_text(block.get("name"), 200) not in _PLANS:
            builder.call(block.get("id"), block.get("name"), block.get("input"))


def _results(message: dict[str, Any], builder: TrajectoryBuilder) -> None:
    for block in map(values.mapping, values.items(message.get("content"))):
        if block.get("type") == "tool_result":
            builder.result(block.get("tool_use_id"), block.get("content"), bool(block.get("is_error")))


def _finish(by_message: dict[str, Usage], result: dict[str, Any], builder: TrajectoryBuilder) -> None:
    total = sum(by_message.values(), Usage())
    if result:  # absent where the run was killed
        closing = _usage(values.mapping(result.get("usage")))
        # Streamed messages may still hold the output count of their first token; the closing line does not.
        total = total.model_copy(update={c: max(getattr(total, c), getattr(closing, c)) for c in _COLUMNS})
        cost = values.dollars(result.get("total_cost_usd"))
        if cost:
            total = total.model_copy(update={"cost_usd": cost, "cost_source": "reported"})
        builder.say(result.get("result"))
        if result.get("is_error"):  # also with subtype "success"
            builder.error(result.get("result") or result.get("subtype"))
    else:
        builder.error("the trace has no result: the run was killed")
    builder.spend(total)


_COLUMNS = ("input_uncached", "cache_read", "cache_write", "output")


def _usage(told: dict[str, Any]) -> Usage:
    return Usage(
        input_uncached=values.count(told.get("input_tokens")),  # excludes what was cached
        cache_read=values.count(told.get("cache_read_input_tokens")),
        cache_write=values.count(told.get("cache_creation_input_tokens")),
        output=values.count(told.get("output_tokens")),
        calls=1,
    )
