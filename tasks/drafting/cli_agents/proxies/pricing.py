"""What the usage of a passed-on answer costs: by the prices of the profile, else by litellm's list where it has one."""

from __future__ import annotations

from tasks.matter.usage import Usage
from tasks.models.profile import ModelProfile
from tasks.models.transports.hosted import load_litellm


def priced(profile: ModelProfile, usage: Usage) -> Usage:
    """Return the usage with its cost; without one where nobody states a price.

    A model behind an address of its own is priced by its profile alone: a public price would be a guess.
    """
    if profile.prices is not None:
        return usage.model_copy(update={"cost_usd": profile.prices.cost(usage), "cost_source": "priced"})
    if profile.api_base:
        return usage
    try:
        asked, given = load_litellm().cost_per_token(
            model=profile.model,
            prompt_tokens=usage.input_uncached + usage.cache_read + usage.cache_write,
            completion_tokens=usage.output,
            cache_read_input_tokens=usage.cache_read,
            cache_creation_input_tokens=usage.cache_write,
        )
    except Exception:  # noqa: BLE001  (litellm knows no price for this model; the cost stays unstated)
        return usage
    return usage.model_copy(update={"cost_usd": float(asked) + float(given), "cost_source": "priced"})
