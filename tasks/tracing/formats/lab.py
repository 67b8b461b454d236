"""Transcripts in the LAB layout, which our own runtimes write too."""

from __future__ import annotations

from typing import Any

from tasks.matter.usage import Usage
from tasks.tracing import values
from tasks.tracing.builder import TrajectoryBuilder
from tasks.tracing.formats.lines import events


def parse_lab(trace: str, builder: TrajectoryBuilder) -> None:
    """Parse rows of role ``assistant`` (text, tool calls, tokens) and ``tool`` (a result).

    A result names no call, so it goes to the oldest call of that tool that has none. Our own runtimes say more: a call
    that is ``internal`` was a look-up of the runtime, ``served`` are the stretches of documents that a row showed, as
    ``[document, start, end]`` each, in characters of canonical text.
    """
    waiting: dict[str, list[str]] = {}
    n_turns = 0
    for number, row in events(trace, builder):
        role = row.get("role")
        if role != "tool" and "served" in row:
            builder.give(row["served"])
        if role == "assistant" and ("text" in row or "tool_calls" in row):
            n_turns += 1
            builder.turn = max(builder.turn, values.count(row.get("turn"), 10**6)) or n_turns
            builder.say(row.get("text"))
            builder.spend(_usage(row))
            builder.model = values.bounded_text(row.get("model"), 200) or builder.model
            for position, call in enumerate(map(values.mapping, values.items(row.get("tool_calls")))):
                key = f"{number}.{position}"
                builder.call(key, call.get("name"), call.get("arguments"), internal=call.get("internal") is True)
                waiting.setdefault(values.bounded_text(call.get("name"), 200), []).append(key)
        elif role == "tool":
            keys = waiting.get(values.bounded_text(row.get("tool_name"), 200), [])
            if keys:
                preview = values.bounded_text(row.get("result_preview"), values.MAX_RESULT)
                failed = bool(row.get("failed") or row.get("is_error"))
                builder.result(keys.pop(0), preview, failed, row.get("served"))
            else:
                builder.problem(number, f"a result of {values.bounded_text(row.get('tool_name'), 80)!r} without a call")
        elif role not in ("system", "user"):
            builder.problem(number, "not a row of a LAB transcript")


def _usage(row: dict[str, Any]) -> Usage:
    told = values.mapping(row.get("usage"))
    tokens = Usage(
        input_uncached=values.count(told.get("input_uncached", row.get("input_tokens"))),
        cache_read=values.count(told.get("cache_read", row.get("cache_read_tokens"))),
        cache_write=values.count(told.get("cache_write", row.get("cache_write_tokens"))),
        output=values.count(told.get("output", row.get("output_tokens"))),
    )
    cost = values.dollars(told.get("cost_usd", row.get("cost_usd")))
    used = any((tokens.input_uncached, tokens.cache_read, tokens.cache_write, tokens.output))
    source = told.get("cost_source") if told.get("cost_source") in ("reported", "priced") else "reported"
    return tokens.model_copy(
        update={"cost_usd": cost, "cost_source": source if cost else "none", "calls": 1 if used or cost else 0}
    )
