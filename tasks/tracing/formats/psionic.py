"""Event logs of the Psionic runner, as public runs of LAB's tasks were published."""

from __future__ import annotations

from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats.lines import events

_MICRO = 1e-6  # US dollars; the receipts give millionths


def parse_psionic(trace: str, builder: TrajectoryBuilder) -> None:
    """Parse the events. A call is told by the reply and by an event of its own: one action."""
    for number, event in events(trace, builder):
        kind = event.get("event_kind")
        payload = values.mapping(event.get("payload"))
        if kind == "assistant":
            builder.turn += 1
            builder.say(event.get("content"))
            builder.model = values.bounded_text(payload.get("model_id"), 200) or builder.model
            builder.spend(_usage(values.mapping(payload.get("usage"))))
            for call in map(values.mapping, values.items(payload.get("tool_calls"))):
                builder.call(call.get("tool_call_id"), call.get("tool_name"), call.get("arguments"))
        elif kind == "tool_call":
            builder.call(payload.get("tool_call_id"), payload.get("tool_name"), payload.get("input"))
        elif kind == "tool_result":
            output, error = payload.get("output"), payload.get("error")
            builder.result(payload.get("tool_call_id"), output or error, bool(error))
        elif kind not in ("system", "user"):
            builder.problem(number, f"unknown event {values.bounded_text(kind, 80)!r}")


def _usage(told: dict[str, Any]) -> Usage:
    cached = min(values.count(told.get("cached_input_tokens")), values.count(told.get("input_tokens")))
    cost = values.dollars(values.count(told.get("estimated_cost_micro_usd")) * _MICRO)
    return Usage(
        input_uncached=values.count(told.get("input_tokens")) - cached,  # input includes what was cached
        cache_read=cached,
        output=values.count(told.get("output_tokens")),
        cost_usd=cost,
        cost_source="reported" if cost else "none",
        calls=1 if told else 0,
    )
