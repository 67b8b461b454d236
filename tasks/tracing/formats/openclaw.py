"""``openclaw agent --local --json``."""

from __future__ import annotations

import json
import re
from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.builder import TrajectoryBuilder

MAX_TRIES = 200  # places from the end at which the last object may begin: bounds the time on a hostile trace


def parse_openclaw(trace: str, builder: TrajectoryBuilder) -> None:
    """Parse the one JSON object that follows the log. It tells usage and the answer, but no actions."""
    answer = _last_object(trace)
    if answer is None:
        builder.problem(0, "no JSON object at the end of the trace")
        return
    builder.turn = 1
    for payload in map(values.mapping, values.items(answer.get("payloads"))):
        builder.say(payload.get("text"))
        if payload.get("isError"):
            builder.error(payload.get("text"))
    meta = values.mapping(answer.get("meta"))
    if meta.get("error"):
        builder.error(meta["error"])
    agent = values.mapping(meta.get("agentMeta"))
    builder.model = values.bounded_text(agent.get("model"), 200)
    told = values.mapping(agent.get("usage"))
    builder.spend(
        Usage(
            input_uncached=values.count(told.get("input")),
            cache_read=values.count(told.get("cacheRead")),
            cache_write=values.count(told.get("cacheWrite")),
            output=values.count(told.get("output")),
            calls=1 if told else 0,
        )
    )


def _last_object(trace: str) -> dict[str, Any] | None:
    """Return the last object that stands at the start of a line and reaches the end of the trace."""
    decoder = json.JSONDecoder()
    starts = [match.start() for match in re.finditer(r"^\{", trace, re.MULTILINE)]
    for start in reversed(starts[-MAX_TRIES:]):
        try:
            found, end = decoder.raw_decode(trace, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and not trace[end:].strip():
            return found
    return None
