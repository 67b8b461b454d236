"""A request in the protocol of an agent, read into chat completions for a model that does not speak that protocol.

litellm reads it and carries it to the provider. What the provider alone would understand (kept thoughts, a forced
tool, how much to think) is left behind: the profile says how its model is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.drafting.cli_agents.doors.usage import count_of
from tasks.drafting.cli_agents.records import Speech
from tasks.models.profile import ModelProfile
from tasks.models.records import Request
from tasks.models.tokens import count_message, count_tools
from tasks.models.transports.dialects import ChatForm, from_messages, from_responses

_KEPT = ("content", "tool_calls", "tool_call_id", "name")
_LENGTHS = ("max_tokens", "max_completion_tokens", "max_output_tokens")


class UnreadableRequestError(ValueError):
    """A body that is no request of its protocol."""


@dataclass(frozen=True)
class Translation:
    """A request as the model is sent it, and how the agent names what the model will name.

    Attributes:
        longest: Tokens of reply that the agent asks for; 0 where it leaves that open.
        names: Names of tools that were changed, each with the namespace and the name that the agent knows.
        free: Names of tools that take text instead of JSON.
    """

    request: Request
    longest: int = 0
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    free: frozenset[str] = frozenset()

    def tokens(self, profile: ModelProfile) -> int:
        """Return how many tokens the request has, about."""
        messages = sum(count_message(profile, message) for message in self.request.messages)
        return messages + count_tools(profile, self.request.tools or ())

    def within(self, profile: ModelProfile) -> ModelProfile:
        """Return a profile that replies no longer than the agent asks for."""
        longest = min(self.longest or profile.max_output_tokens, profile.max_output_tokens)
        return profile.model_copy(update={"max_output_tokens": longest})


def translated(speech: Speech, body: Mapping[str, Any]) -> Translation:
    """Read a request that an agent sent.

    Raises:
        UnreadableRequestError: It is none of its protocol.
    """
    try:
        made = _READERS[speech](body)
        return Translation(_request(made.messages, made.tools), _longest(body), made.names, made.free)
    except Exception as error:  # litellm's readers raise anything for what an agent may send
        raise UnreadableRequestError(f"{type(error).__name__}: {error}"[:200]) from error


def _chat(body: Mapping[str, Any]) -> ChatForm:
    return ChatForm(body["messages"], body.get("tools"))


_READERS = {"chat": _chat, "messages": from_messages, "responses": from_responses}


def _longest(body: Mapping[str, Any]) -> int:
    return next((n for name in _LENGTHS if (n := count_of(body.get(name)))), 0)


def _request(talk: Any, tools: Any) -> Request:
    functions = [tool for tool in tools or () if tool.get("type") == "function"]
    return Request(messages=tuple(_sound(list(_plain(talk)))), tools=functions or None)


def _plain(talk: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield messages with roles and contents that every server knows: words are one text."""
    for message in talk:
        role = {"developer": "system"}.get(message["role"], message["role"])
        kept = {name: message[name] for name in _KEPT if message.get(name) is not None}
        yield {"role": role, **kept, "content": _words(message.get("content"))}


def _words(content: Any) -> Any:
    if isinstance(content, list) and all(part.get("type") in ("text", "input_text") for part in content):
        return "\n".join(str(part.get("text") or "") for part in content)
    return content or ""


def _sound(talk: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield one message of the system, at the head, and no two of the user in a row: not every template takes more."""
    opened, last = False, dict[str, Any]()
    for message in talk:
        role = "user" if message["role"] == "system" and opened else message["role"]
        opened = opened or role != "system"
        both = (last.get("content"), message["content"])
        if role in ("system", "user") and last.get("role") == role and all(isinstance(words, str) for words in both):
            last["content"] = "\n\n".join(both)  # type: ignore[arg-type]
            continue
        if last:
            yield last
        last = {**message, "role": role}
    if last:
        yield last
