"""One request to one hosted model through litellm, with errors mapped to the failure vocabulary."""

from __future__ import annotations

import math
import os
from typing import Any

from tasks.matter.failures import SolonError
from tasks.matter.usage import Usage
from tasks.models.profile import SCRIPTED, ModelProfile
from tasks.models.records import Reply, Request, RetryableError
from tasks.models.transports.errors import mapped
from tasks.models.transports.shapes import CALLS, arguments_of, key_of, reply_of
from tasks.models.transports.streaming import streamed

_MOST_TOKENS = 1_000_000_000  # of one call; a larger count is an error of the provider
_MOST_USD = 100_000.0  # US dollars of one call; a larger sum is an error of the provider


def load_litellm() -> Any:
    """Import litellm with all its network access turned off."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.disable_hf_tokenizer_download = True
    return litellm


def missing_key(profile: ModelProfile) -> str:
    """Return the environment variable that a profile's key is missing from; empty where nothing is known to be missing.

    A profile without ``api_key_env`` uses the provider's usual variable. Providers that take other credentials than a
    key (roles, tokens, a local server) are left to their first call.
    """
    if not profile.hosted or key_of(profile):
        return ""
    if profile.api_key_env or profile.ours:
        return profile.api_key_env
    wanted = load_litellm().validate_environment(profile.model).get("missing_keys", [])
    return " or ".join(wanted) if all(name.endswith("_API_KEY") for name in wanted) else ""


def unknown_provider(profile: ModelProfile) -> bool:
    """Tell whether no provider is known by the model id of a profile: every call would fail alike."""
    if not profile.hosted or profile.model == SCRIPTED:
        return False
    try:
        load_litellm().get_llm_provider(profile.model, api_base=profile.api_base or None)
    except Exception:  # noqa: BLE001  (litellm raises as of a request that was refused)
        return True
    return False


class LitellmTransport:
    """Sends requests by ``litellm.completion``, ``litellm.embedding`` and ``litellm.rerank``."""

    def send(self, profile: ModelProfile, request: Request) -> Reply:
        """Return the reply of the model.

        Raises:
            SolonError: provider, login, timeout or capacity; a RetryableError where another try may help.
        """
        litellm = load_litellm()
        arguments = arguments_of(profile, request)
        try:
            if profile.stream:
                answer = streamed(litellm, profile, arguments)
            else:
                answer = getattr(litellm, CALLS[profile.kind])(**arguments)
        except SolonError:
            raise
        except Exception as error:  # the boundary to every provider's SDK: typed below
            raise mapped(profile, error, key_of(profile)) from error
        usage = _with_cost(litellm, profile, answer, read_usage(getattr(answer, "usage", None)))
        try:
            return reply_of(profile, request, answer).model_copy(update={"usage": usage})
        except RetryableError as error:
            error.spent = usage
            raise


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
    if profile.ours:
        return usage  # somebody's own server: a public price of a model of that name would be a guess
    kind = CALLS[profile.kind]
    try:
        cost = float(litellm.completion_cost(completion_response=answer, model=profile.model, call_type=kind))
    except Exception:  # noqa: BLE001  (litellm knows no price for this model; the cost stays unstated)
        return usage
    return usage.model_copy(update={"cost_usd": cost, "cost_source": "priced"})


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return max(0, min(int(value), _MOST_TOKENS))
