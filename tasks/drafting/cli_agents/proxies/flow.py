"""The information-flow log of what an agent program sends its model: the same log as for runtimes of our own."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from tasks.models.client import ModelClient
from tasks.models.flow import log_flow
from tasks.models.records import Message, Request


def log_request(client: ModelClient, body: Mapping[str, Any]) -> str:
    """Log the messages of a request by hash; return the key under which its cost stands.

    The same request twice costs twice, so the key is a new one each time.
    """
    key = uuid.uuid4().hex
    if client.flow is not None:
        log_flow(client.flow, client.role, client.profile.name, key, Request(messages=tuple(sent(body))))
    return key


def sent(body: Mapping[str, Any]) -> Iterator[Message]:
    """Yield the messages of a request in any of the three protocols."""
    for opening in ("system", "instructions"):
        if body.get(opening):
            yield {"role": "system", "content": body[opening]}
    for place in ("messages", "input"):
        talk = body.get(place)
        if isinstance(talk, str):
            yield {"role": "user", "content": talk}
        for item in talk if isinstance(talk, list) else []:
            if isinstance(item, Mapping):
                yield {**item, "role": str(item.get("role") or item.get("type") or "")}
