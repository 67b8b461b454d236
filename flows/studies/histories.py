"""The chat history of a stored attempt, and what a shortened one must keep."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from flows.studies.stored import Stored

Message = Mapping[str, Any]
_BEGUN = 100  # characters of a last reply that stay whatever it wrote


def history_of(stored: Stored) -> list[dict[str, Any]]:
    """Return the messages of an attempt in the OpenAI form, as far as they are stored."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": ""}, {"role": "user", "content": stored.brief}]
    numbered = list(enumerate(stored.steps))
    for _, steps in groupby(numbered, key=lambda item: item[1].turn):
        held = list(steps)
        calls = [
            {
                "id": f"call-{at}",
                "type": "function",
                "function": {"name": s.tool, "arguments": json.dumps(dict(s.arguments), ensure_ascii=False)},
            }
            for at, s in held
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages += [{"role": "tool", "tool_call_id": f"call-{at}", "content": s.result} for at, s in held]
    return messages


def harm_to_history(before: Sequence[Message], after: Sequence[Message]) -> str:
    """Say what a shortened history lost that it must keep; empty where it kept it."""
    if list(after[:2]) != list(before[:2]):
        return "the system message or the brief is gone"
    if _turn(after) != _turn(before):
        return "the last turn is not whole"
    called = {c["id"] for m in after for c in m.get("tool_calls") or ()}
    answered = {m["tool_call_id"] for m in after if m.get("role") == "tool"}
    if called != answered:
        return "a call without its result, or a result without its call"
    return next(_broken_arguments(after), "")


def _turn(messages: Sequence[Message]) -> list[Message]:
    """Return the last reply with all that answers it: of its words the first, of its calls the names."""
    begun = max((at for at, m in enumerate(messages) if m.get("role") == "assistant"), default=0)
    reply, *answers = messages[begun:] or [{}]
    named = [(c["id"], c["function"]["name"]) for c in reply.get("tool_calls") or ()]
    return [{**reply, "content": str(reply.get("content") or "")[:_BEGUN], "tool_calls": named}, *answers]


def _broken_arguments(messages: Sequence[Message]) -> Iterator[str]:
    for call in (c for m in messages for c in m.get("tool_calls") or ()):
        try:
            json.loads(call["function"]["arguments"])
        except ValueError:
            yield "the arguments of a call are no JSON any more"
