"""A request in the protocol of an agent, read into chat completions for a model that does not speak that protocol.

litellm reads it and carries it to the provider. A tool that must be called and the form of the reply go with it; where
the model takes no such thing the form is asked for in words, and a forced tool is refused. Kept thoughts are left
behind, for they are signed for the model that had them, and so is how much to think: the profile says that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.drafting.cli_agents.proxies.usage import count_of
from tasks.drafting.cli_agents.records import Speech
from tasks.models.profile import ModelProfile
from tasks.models.records import Request
from tasks.models.tokens import count_message, count_tools
from tasks.models.transports.dialects import ChatForm, from_messages, from_responses, knows

_KEPT = ("content", "tool_calls", "tool_call_id", "name")
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning"})
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
        left: What was left behind, in words.
    """

    request: Request
    longest: int = 0
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    left: tuple[str, ...] = ()

    def tokens(self, profile: ModelProfile) -> int:
        """Return how many tokens the request has, about."""
        messages = sum(count_message(profile, message) for message in self.request.messages)
        return messages + count_tools(profile, self.request.tools or ())

    def within(self, profile: ModelProfile) -> ModelProfile:
        """Return a profile that replies no longer than the agent asks for, and in the form that it asks for."""
        longest = min(self.longest or profile.max_output_tokens, profile.max_output_tokens)
        in_words = self.request.schema is not None and not knows(profile, "response_format")
        asked = "prompt" if in_words else profile.structured
        return profile.model_copy(update={"max_output_tokens": longest, "structured": asked})

    def why_not(self, profile: ModelProfile) -> str:
        """Return why the model of a profile cannot be asked this; empty where it can."""
        if self.request.choice in (None, "auto") or knows(profile, "tool_choice"):
            return ""
        return f"the model of profile {profile.name} cannot be made to call a tool, or none, and this request does that"


def translated(speech: Speech, body: Mapping[str, Any]) -> Translation:
    """Read a request that an agent sent.

    Raises:
        UnreadableRequestError: It is none of its protocol.
    """
    try:
        made = _READERS[speech](body)
        left = ("kept thoughts",) if _has_thoughts(body) else ()
        return Translation(_request(made), _longest(body), made.names, made.free, left)
    except Exception as error:  # litellm's readers raise anything for what an agent may send
        raise UnreadableRequestError(f"{type(error).__name__}: {error}"[:200]) from error


def _chat(body: Mapping[str, Any]) -> ChatForm:
    return ChatForm(
        body["messages"], body.get("tools"), choice=body.get("tool_choice"), form=body.get("response_format")
    )


_READERS = {"chat": _chat, "messages": from_messages, "responses": from_responses}


def _longest(body: Mapping[str, Any]) -> int:
    return next((n for name in _LENGTHS if (n := count_of(body.get(name)))), 0)


def _request(made: ChatForm) -> Request:
    functions = [tool for tool in made.tools or () if tool.get("type") == "function"]
    return Request(
        messages=tuple(_sound(list(_plain(made.messages)))),
        tools=functions or None,
        choice=_forced(made) if functions else None,
        schema=_schema(made.form),
    )


def _forced(made: ChatForm) -> str | Mapping[str, Any] | None:
    """Return the forced tool by the name that the model is told."""
    if not isinstance(made.choice, Mapping):
        return made.choice
    name = made.choice["function"]["name"]
    flat = next((flat for flat, (_, own) in made.names.items() if own == name), name)
    return {"type": "function", "function": {"name": flat}}


def _schema(form: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the schema of a response format; one of any object where it says no more than that."""
    if not form or form.get("type") == "text":
        return None
    return form["json_schema"]["schema"] if form.get("type") == "json_schema" else {"type": "object"}


def _has_thoughts(body: Mapping[str, Any]) -> bool:
    talk = [part for place in ("messages", "input") for part in _rows(body.get(place))]
    parts = [*talk, *(part for row in talk for part in _rows(row.get("content")))]
    return any(part.get("type") in _THOUGHTS or part.get("reasoning_content") for part in parts)


def _rows(value: Any) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


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
