"""One request to one model through litellm, its errors told in the failure vocabulary."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.secrets import redact, strike
from tasks.matter.usage import Usage
from tasks.models.profile import ModelProfile
from tasks.models.records import Message, Reply, RetryableError, ToolCall, failed

_MOST_TOKENS = 1_000_000_000
_MOST_USD = 100_000.0
_PASSING = ("RateLimitError", "APIConnectionError", "InternalServerError", "ServiceUnavailableError", "APIError")


def load_litellm() -> Any:
    """Import litellm with everything that would reach for a network turned off."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.disable_hf_tokenizer_download = True
    return litellm


class LitellmTransport:
    """Sends requests by ``litellm.completion``."""

    def send(
        self,
        profile: ModelProfile,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        tools: Sequence[Mapping[str, Any]] | None,
    ) -> Reply:
        """Return the reply of the model.

        Raises:
            SolonError: provider, timeout or capacity; a RetryableError where another try may help.
        """
        litellm = load_litellm()
        try:
            answer = litellm.completion(**request(profile, messages, schema, tools))
        except Exception as error:  # the boundary to every provider's SDK: typed below
            raise _mapped(profile, error) from error
        return _reply(litellm, profile, answer)


def request(
    profile: ModelProfile,
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None,
    tools: Sequence[Mapping[str, Any]] | None,
) -> dict[str, Any]:
    """Return the arguments of the call; the key is read from the environment here and kept nowhere."""
    # A local server wants some key, any key.
    key = os.environ.get(profile.api_key_env, "") if profile.api_key_env else ("none" if profile.api_base else "")
    optional: dict[str, Any] = {
        "api_base": profile.api_base or None,
        "api_key": key or None,
        "temperature": profile.temperature,
        "reasoning_effort": profile.effort or None,
        "seed": profile.seed,
        "tools": [dict(t) for t in tools] if tools else None,
    }
    if schema and profile.structured == "schema":
        inner = {"name": "answer", "schema": dict(schema), "strict": True}
        optional["response_format"] = {"type": "json_schema", "json_schema": inner}
    return {
        "model": profile.model,
        "messages": _told(messages, schema if profile.structured == "prompt" else None),
        "max_tokens": profile.max_output_tokens,
        "timeout": profile.timeout_seconds,
        "num_retries": 0,
        "max_retries": 0,
        **{k: v for k, v in optional.items() if v is not None},
    }


def _told(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Add the schema in words for endpoints that take none."""
    told = [dict(m) for m in messages]
    if schema:
        told[-1]["content"] = f"{told[-1]['content']}\n\nAnswer with one JSON object of this schema:\n" + json.dumps(
            schema, ensure_ascii=False
        )
    return told


def _key(profile: ModelProfile) -> str:
    return os.environ.get(profile.api_key_env, "").strip() if profile.api_key_env else ""


def _mapped(profile: ModelProfile, error: Exception) -> SolonError:
    name = type(error).__name__
    said = redact(" ".join(str(error).split()), (_key(profile),))[:300]  # before the cut, which may leave half a key
    if name == "ContextWindowExceededError":
        message = "The prompt does not fit the model's context window."
        return SolonError(failed(profile, FailureCause.CAPACITY, message, "Set context_window of the profile right."))
    if name == "Timeout":
        message = f"No reply within {profile.timeout_seconds:g} s."
        return RetryableError(failed(profile, FailureCause.TIMEOUT, message, "Raise timeout_seconds of the profile."))
    if name in {"AuthenticationError", "PermissionDeniedError"}:
        where = profile.api_key_env or "the provider's usual variable"
        message = f"The endpoint refused the key: {said}"
        return SolonError(failed(profile, FailureCause.PROVIDER, message, f"Set a valid key in {where}."))
    if name in _PASSING:
        message = f"The endpoint failed ({name}): {said}"
        return RetryableError(failed(profile, FailureCause.PROVIDER, message, "Try again later."))
    message = f"The endpoint refused the request ({name}): {said}"
    return SolonError(failed(profile, FailureCause.PROVIDER, message, "Check model and api_base of the profile."))


def _reply(litellm: Any, profile: ModelProfile, answer: Any) -> Reply:
    def said(words: Any) -> str:
        """Take the key out of what is kept: a proxy or a tool behind the endpoint may repeat it."""
        return strike(str(words or ""), (_key(profile),))

    try:
        choice = answer.choices[0]
        calls = tuple(
            ToolCall(id=said(c.id), name=said(c.function.name), arguments=said(c.function.arguments or "{}"))
            for c in choice.message.tool_calls or ()
        )
        text = said(choice.message.content)
    except (AttributeError, IndexError, TypeError) as error:
        message = "The endpoint sent a reply without a message."
        raise RetryableError(failed(profile, FailureCause.PROVIDER, message)) from error
    usage = read_usage(getattr(answer, "usage", None))
    usage = _with_cost(litellm, profile, answer, usage)
    return Reply(text=text, tool_calls=calls, usage=usage, finish_reason=said(choice.finish_reason))


def read_usage(raw: Any) -> Usage:
    """Return a provider's token counts in disjoint columns, hostile values clamped."""
    details = getattr(raw, "prompt_tokens_details", None)
    read = _count(getattr(raw, "cache_read_input_tokens", None)) or _count(getattr(details, "cached_tokens", None))
    write = _count(getattr(raw, "cache_creation_input_tokens", None)) or _count(
        getattr(details, "cache_creation_tokens", None)
    )
    prompt = _count(getattr(raw, "prompt_tokens", None))
    read = min(read, prompt)
    write = min(write, prompt - read)
    return Usage(
        input_uncached=prompt - read - write,
        cache_read=read,
        cache_write=write,
        output=_count(getattr(raw, "completion_tokens", None)),
        calls=1,
    )


def _with_cost(litellm: Any, profile: ModelProfile, answer: Any, usage: Usage) -> Usage:
    reported = getattr(getattr(answer, "usage", None), "cost", None)
    if isinstance(reported, int | float) and math.isfinite(reported) and 0 <= reported <= _MOST_USD:
        return usage.model_copy(update={"cost_usd": float(reported), "cost_source": "reported"})
    if profile.prices is not None:
        return usage.model_copy(update={"cost_usd": profile.prices.cost(usage), "cost_source": "priced"})
    if profile.api_base:
        return usage  # somebody's own server: a public price of a model of that name would be a guess
    try:
        cost = float(litellm.completion_cost(completion_response=answer, model=profile.model))
    except Exception:  # noqa: BLE001  (litellm knows no price for this model; the cost stays unstated)
        return usage
    return usage.model_copy(update={"cost_usd": cost, "cost_source": "priced"})


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return max(0, min(int(value), _MOST_TOKENS))
