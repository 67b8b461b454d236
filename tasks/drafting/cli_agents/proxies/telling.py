"""A model's reply in the protocol of the agent that asked, whole or as the events of a stream."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from tasks.drafting.cli_agents.proxies.translating import Translation
from tasks.drafting.cli_agents.records import Speech
from tasks.models.records import Reply, ToolCall

Event = tuple[str, Mapping[str, Any]]
_STOPS = {"length": "max_tokens", "content_filter": "refusal"}


def told(speech: Speech, model: str, reply: Reply, asked: Translation, streamed: bool) -> tuple[str, bytes]:
    """Return the kind of content and the body of an answer.

    Args:
        speech: Protocol of the agent.
        model: As the agent knows the model.
        reply: What the model replied.
        asked: How the request was read; its names are given back.
        streamed: Whether the agent wants a stream. The reply is whole, so that its events come at once.
    """
    whole, events = _TELLERS[speech]
    answer = whole(model, reply, asked)
    if not streamed:
        return "application/json", json.dumps(answer).encode()
    lines = [b"".join((_head(name), b"data: ", json.dumps(event).encode(), b"\n\n")) for name, event in events(answer)]
    return "text/event-stream", b"".join((*lines, b"data: [DONE]\n\n" if speech == "chat" else b""))


def _head(name: str) -> bytes:
    return f"event: {name}\n".encode() if name else b""


def _named(call: ToolCall, asked: Translation) -> tuple[str, str]:
    return asked.names.get(call.name, ("", call.name))


def _id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:24]}"


def _object(text: str) -> dict[str, Any]:
    """Return the arguments of a call; what is no object is handed on as it is, for the tool to refuse."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"_raw": text}


def _message(model: str, reply: Reply, asked: Translation) -> dict[str, Any]:
    used = reply.usage
    words = [{"type": "text", "text": reply.text}] if reply.text or not reply.tool_calls else []
    calls = [_tool_use(call, asked) for call in reply.tool_calls]
    usage = {"input_tokens": used.input_uncached, "output_tokens": used.output}
    usage |= {"cache_read_input_tokens": used.cache_read, "cache_creation_input_tokens": used.cache_write}
    reason = _STOPS.get(reply.finish_reason, "tool_use" if calls else "end_turn")
    return {
        "id": _id("msg"), "type": "message", "role": "assistant", "model": model, "content": [*words, *calls],
        "stop_reason": reason, "stop_sequence": None, "usage": usage,
    }  # fmt: skip


def _tool_use(call: ToolCall, asked: Translation) -> dict[str, Any]:
    about = {"type": "tool_use", "id": call.id or _id("toolu"), "name": _named(call, asked)[1]}
    return {**about, "input": _object(call.arguments)}


def _message_events(answer: Mapping[str, Any]) -> Iterator[Event]:
    ends = {name: answer[name] for name in ("stop_reason", "stop_sequence")}
    start = {**answer, "content": [], **dict.fromkeys(ends), "usage": {**answer["usage"], "output_tokens": 0}}
    yield "message_start", {"type": "message_start", "message": start}
    for index, block in enumerate(answer["content"]):
        if block["type"] == "text":
            opened, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            opened = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": opened}
        yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    yield "message_delta", {"type": "message_delta", "delta": ends, "usage": answer["usage"]}
    yield "message_stop", {"type": "message_stop"}


def _completion(model: str, reply: Reply, asked: Translation) -> dict[str, Any]:
    calls = [_function(call, asked) for call in reply.tool_calls]
    message = {"role": "assistant", "content": reply.text, **({"tool_calls": calls} if calls else {})}
    reason = reply.finish_reason if reply.finish_reason in _STOPS else "tool_calls" if calls else "stop"
    used, asked_for = reply.usage, reply.usage.tokens - reply.usage.output
    usage = {"prompt_tokens": asked_for, "completion_tokens": used.output, "total_tokens": used.tokens}
    return {
        "id": _id("chatcmpl"), "object": "chat.completion", "created": int(time.time()), "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {**usage, "prompt_tokens_details": {"cached_tokens": used.cache_read}},
    }  # fmt: skip


def _function(call: ToolCall, asked: Translation) -> dict[str, Any]:
    function = {"name": _named(call, asked)[1], "arguments": call.arguments}
    return {"id": call.id or _id("call"), "type": "function", "function": function}


def _completion_events(answer: Mapping[str, Any]) -> Iterator[Event]:
    base = {**answer, "object": "chat.completion.chunk"}
    usage, (choice,) = base.pop("usage"), base.pop("choices")
    delta = dict(choice["message"])
    if "tool_calls" in delta:
        delta["tool_calls"] = [{"index": n, **call} for n, call in enumerate(delta["tool_calls"])]
    yield "", {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield "", {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    yield "", {**base, "choices": [], "usage": usage}


def _response(model: str, reply: Reply, asked: Translation) -> dict[str, Any]:
    said = {"type": "output_text", "text": reply.text, "annotations": []}
    words = {"type": "message", "id": _id("msg"), "role": "assistant", "status": "completed", "content": [said]}
    calls = [_item(call, asked) for call in reply.tool_calls]
    used, asked_for = reply.usage, reply.usage.tokens - reply.usage.output
    usage = {"input_tokens": asked_for, "output_tokens": used.output, "total_tokens": used.tokens}
    usage_in_parts = {"input_tokens_details": {"cached_tokens": used.cache_read}}
    short = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(reply.finish_reason)
    return {
        "id": _id("resp"), "object": "response", "created_at": int(time.time()), "model": model,
        "status": "incomplete" if short else "completed", "incomplete_details": {"reason": short} if short else None,
        "output": [*([words] if reply.text or not calls else []), *calls],
        "usage": {**usage, **usage_in_parts, "output_tokens_details": {"reasoning_tokens": 0}},
    }  # fmt: skip


def _item(call: ToolCall, asked: Translation) -> dict[str, Any]:
    space, name = _named(call, asked)
    about = {"call_id": call.id or _id("call"), "name": name, "status": "completed"}
    if name in asked.free:
        words = _object(call.arguments).get("content", call.arguments)
        return {"type": "custom_tool_call", "id": _id("ctc"), **about, "input": str(words)}
    named = {"namespace": space} if space else {}
    return {"type": "function_call", "id": _id("fc"), **about, "arguments": call.arguments, **named}


def _response_events(answer: Mapping[str, Any]) -> Iterator[Event]:
    begun = {**answer, "status": "in_progress", "incomplete_details": None, "output": [], "usage": None}
    yield "response.created", {"type": "response.created", "response": begun}
    for index, item in enumerate(answer["output"]):
        place = {"output_index": index}
        yield "response.output_item.added", {"type": "response.output_item.added", **place, "item": item}
        if item["type"] == "message":
            delta = {"item_id": item["id"], **place, "content_index": 0, "delta": item["content"][0]["text"]}
            yield "response.output_text.delta", {"type": "response.output_text.delta", **delta}
        yield "response.output_item.done", {"type": "response.output_item.done", **place, "item": item}
    kind = f"response.{answer['status']}"
    yield kind, {"type": kind, "response": answer}


_TELLERS = {
    "messages": (_message, _message_events),
    "chat": (_completion, _completion_events),
    "responses": (_response, _response_events),
}
