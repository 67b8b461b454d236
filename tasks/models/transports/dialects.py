"""What litellm knows of the protocols that programs of others speak, and of what a model takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.models.profile import ModelProfile
from tasks.models.transports.hosted import load_litellm


@dataclass(frozen=True)
class ChatForm:
    """A request read into chat completions.

    Attributes:
        names: Names of tools that were changed, each with its namespace and name before.
        free: Names of tools that take text instead of JSON: ``content`` of their arguments.
        choice: Which tool must be called, as chat completions say it; None where nothing is said.
        form: The response format, as chat completions say it.
    """

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]] | None = None
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    choice: str | Mapping[str, Any] | None = None
    form: Mapping[str, Any] | None = None


def from_messages(body: Mapping[str, Any]) -> ChatForm:
    """Read a request of the Anthropic protocol; raises whatever litellm meets in a body that is none."""
    load_litellm()
    from litellm.llms.anthropic.experimental_pass_through.adapters.transformation import LiteLLMAnthropicMessagesAdapter

    told = body.get("output_config")
    form = {"output_format": told["format"]} if isinstance(told, Mapping) and told.get("format") else {}
    whole = {"max_tokens": 0, **form, **body, "model": ""}
    made, shortened = LiteLLMAnthropicMessagesAdapter().translate_anthropic_to_openai(whole)
    names = {short: ("", name) for short, name in shortened.items()}
    return ChatForm(
        made["messages"], made.get("tools"), names, choice=made.get("tool_choice"), form=made.get("response_format")
    )


def from_responses(body: Mapping[str, Any]) -> ChatForm:
    """Read a request of the Responses protocol; raises whatever litellm meets in a body that is none."""
    load_litellm()
    from litellm.responses.litellm_completion_transformation.custom_tools import extract_custom_tool_names
    from litellm.responses.litellm_completion_transformation.transformation import LiteLLMCompletionResponsesConfig

    reader, tools = LiteLLMCompletionResponsesConfig, body.get("tools") or []
    rest: Any = {name: value for name, value in body.items() if name not in ("model", "input")}
    made = reader.transform_responses_api_request_to_chat_completion_request(
        model=str(body.get("model", "")), input=body.get("input") or "", responses_api_request=rest
    )
    names = {flat: (space, name) for flat, (space, name) in reader.namespace_tool_name_map(tools).items()}
    return ChatForm(
        made["messages"],
        made.get("tools"),
        names,
        frozenset(extract_custom_tool_names(tools)),
        made.get("tool_choice"),
        made.get("response_format"),
    )


def knows(profile: ModelProfile, name: str) -> bool:
    """Tell whether the model of a profile has an argument of chat completions at all."""
    litellm = load_litellm()
    model, provider, _, _ = litellm.get_llm_provider(profile.model)
    return name in (litellm.get_supported_openai_params(model=model, custom_llm_provider=provider) or ())


def taken_by(profile: ModelProfile, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the wanted arguments that the model of a profile takes with these values."""
    model, provider, _, _ = load_litellm().get_llm_provider(profile.model)
    from litellm.utils import get_optional_params

    taken = get_optional_params(model=model, custom_llm_provider=provider, drop_params=True, **wanted)
    return {name: value for name, value in wanted.items() if name in taken}
