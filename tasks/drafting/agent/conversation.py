"""The messages of an attempt: what is asked of the model next, kept for the pass that revises the draft."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tasks.drafting.agent.hands import spoken
from tasks.drafting.agent.tools.records import Shown
from tasks.drafting.mechanisms.compaction import parted, size_of
from tasks.drafting.trace import Trace, write_json
from tasks.models.client import ModelClient
from tasks.models.fencing import inert_text
from tasks.models.records import Reply, ToolCall

KEPT = "draft/conversation.json"


class Talk(Protocol):
    """What a loop and a model say to each other, whichever part of it one request holds."""

    trace: Trace

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return what is asked of the model next."""
        ...

    def asked(self) -> list[dict[str, Any]]:
        """Return these messages with marks where a prefix ends that later requests share."""
        ...

    def say(self, text: str) -> None:
        """Say something to the model."""
        ...

    def replied(self, reply: Reply, calls: Sequence[ToolCall]) -> None:
        """Take the model's reply, with its calls as they were understood."""
        ...

    def shown(self, call: ToolCall, shown: Shown) -> None:
        """Answer a call."""
        ...

    def shortened(self, messages: list[dict[str, Any]]) -> None:
        """Go on with shorter messages."""
        ...

    def measured(self, client: ModelClient, tools: Sequence[Mapping[str, Any]], budget: int) -> tuple[int, int]:
        """Return the tokens of the next request, and the characters that its messages may have within a budget."""
        ...

    def fixed(self, client: ModelClient, tools: Sequence[Mapping[str, Any]]) -> int:
        """Return the tokens that no shortening takes away."""
        ...


@dataclass
class Conversation:
    """Holds what the harness says, what the model replies and what its calls show; every part is traced."""

    trace: Trace
    messages: list[dict[str, Any]] = field(default_factory=list)
    _sizes: list[tuple[int, int]] = field(default_factory=list)  # tokens and characters, a message each
    _sure: int = 0  # messages from the first whose size stays
    _tools: int | None = None

    def open(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Begin with these messages."""
        self.messages = [dict(m) for m in messages]
        for message in self.messages:
            self.trace.told(message["role"], message["content"])

    def asked(self) -> list[dict[str, Any]]:
        """Return the messages, marked behind the opening, which no compaction changes, and behind the last of all."""
        made = list(self.messages)
        opening = next((at for at, message in enumerate(made) if message["role"] == "assistant"), len(made))
        for end in {opening - 1, len(made) - 1}:
            made[end] = {**made[end], "cache": True}
        return made

    def say(self, text: str) -> None:
        """Say something to the model. Two user messages in a row become one: not every model accepts two."""
        self.trace.told("user", text)
        if self.messages and self.messages[-1]["role"] == "user":
            self.messages[-1]["content"] += f"\n\n{text}"
        else:
            self.messages.append({"role": "user", "content": text})

    def replied(self, reply: Reply, calls: Sequence[ToolCall]) -> None:
        """Take the model's reply, with its calls as they were understood."""
        self.trace.assistant(reply.model_copy(update={"tool_calls": tuple(calls)}))
        said = _sound(reply.text) or ("" if calls else "(nothing)")
        message: dict[str, Any] = {"role": "assistant", "content": said}
        self.messages.append({**message, **({"tool_calls": [spoken(c) for c in calls]} if calls else {})})

    def shown(self, call: ToolCall, shown: Shown) -> None:
        """Answer a call. Results repeat documents, so the control tokens of chat templates in them are disabled."""
        text = inert_text(_sound(shown.text))
        self.messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
        served = [[span.document, span.start, span.end] for span in shown.served]
        self.trace.result(call.name, call.arguments, shown.text, shown.failed, served)
        if shown.counted and not shown.failed:
            self.trace.count(shown.counted)

    def shortened(self, messages: list[dict[str, Any]]) -> None:
        """Go on with a shorter history."""
        self.messages = messages
        self._sizes.clear()
        self._sure = 0

    def measured(self, client: ModelClient, tools: Sequence[Mapping[str, Any]], budget: int) -> tuple[int, int]:
        """Return the tokens of the next request, and the characters that its messages may have within a budget."""
        del self._sizes[max(0, self._sure) :]
        self._sizes += [(client.tokens_of([m]), size_of([m])) for m in self.messages[len(self._sizes) :]]
        self._sure = len(self._sizes) - 1  # the last message may still grow
        if self._tools is None:
            self._tools = client.tokens_of((), tools)
        tokens, characters = sum(t for t, _ in self._sizes), sum(c for _, c in self._sizes)
        return tokens + self._tools, int(characters * max(0, budget - self._tools) / max(1, tokens))

    def fixed(self, client: ModelClient, tools: Sequence[Mapping[str, Any]]) -> int:
        """Return the tokens that no compaction takes away: those of the opening, the tools and the last turn."""
        head, turns = parted(self.messages)
        return client.tokens_of([*head, *(turns[-1] if turns else ())], tools)

    def keep(self, folder: Path, **more: Any) -> None:
        """Keep the conversation for a revision."""
        write_json(folder / KEPT, {"messages": self.messages, **more})


def _sound(text: str) -> str:
    """Return a text that can be sent; JSON of a model may contain half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode("utf-8")


def kept(folder: Path) -> dict[str, Any]:
    """Return the conversation of the earlier pass with what was kept beside it; empty if none can be continued."""
    try:
        found = json.loads((folder / KEPT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("messages"), list) else {}
