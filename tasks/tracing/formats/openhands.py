"""``openhands --headless --json``."""

from __future__ import annotations

from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats.lines import events

_PLANS = frozenset({"think", "finish", "task_tracker"})


def parse_openhands(trace: str, builder: TrajectoryBuilder) -> None:
    """Parse the event stream. Usage is accumulated, so the last one told counts."""
    usage = Usage()
    for number, event in events(trace, builder):
        kind = event.get("kind") or event.get("type") or event.get("event_type")
        if kind == "ActionEvent":
            _action(number, event, builder)
        elif kind == "ObservationEvent":
            observation = values.mapping(event.get("observation"))
            failed = bool(observation.get("is_error")) or observation.get("exit_code") not in (0, None)
            result = observation.get("content") or observation.get("output") or event.get("observation")
            builder.result(event.get("tool_call_id"), result, failed)
        elif kind == "AgentErrorEvent":
            builder.result(event.get("tool_call_id"), event.get("error"), True)
            builder.error(event.get("error"))
        elif kind == "ConversationErrorEvent":
            builder.error(event.get("detail") or event.get("code"))
        elif kind == "MessageEvent" and event.get("source") in ("agent", "assistant"):
            builder.say(values.mapping(event.get("llm_message")).get("content") or event.get("message"))
        elif not isinstance(kind, str) and "metrics" not in event:
            builder.problem(number, "an event without a kind")
        usage = _usage(event) or usage
    builder.spend(usage)


def _action(number: int, event: dict[str, Any], builder: TrajectoryBuilder) -> None:
    builder.turn += 1
    name, action = values.bounded_text(event.get("tool_name"), 200), values.mapping(event.get("action"))
    if name == "finish":
        builder.say(action.get("message"))
    if name not in _PLANS:
        builder.call(event.get("tool_call_id") or event.get("id") or f"line {number}", name, action)


def _usage(event: dict[str, Any]) -> Usage | None:
    metrics = values.mapping(event.get("metrics"))
    told = values.mapping(metrics.get("accumulated_token_usage"))
    if not told:
        return None
    prompt = values.count(told.get("prompt_tokens"))  # it includes what was read from a cache or written to one
    read = min(values.count(told.get("cache_read_tokens")), prompt)
    written = min(values.count(told.get("cache_write_tokens")), prompt - read)
    cost = values.dollars(metrics.get("accumulated_cost"))
    return Usage(
        input_uncached=prompt - read - written,
        cache_read=read,
        cache_write=written,
        output=values.count(told.get("completion_tokens")),
        cost_usd=cost,
        cost_source="reported" if cost else "none",
        calls=1,
    )
