"""How the model samples: by the profile of the cell, as for runtimes of our own, whatever the agent asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tasks.drafting.cli_agents.records import Speech
from tasks.models.profile import ModelProfile
from tasks.models.transports.hosted import load_litellm


def sampled(profile: ModelProfile, speech: Speech, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return temperature and seed for a request that is passed on, where its model and its protocol take them.

    Only chat completions have a seed. A model that thinks refuses a temperature, and litellm knows which others do.
    """
    wanted = {"temperature": profile.temperature, "seed": profile.seed if speech == "chat" else None}
    if isinstance(thinking := body.get("thinking"), Mapping) and thinking.get("type") != "disabled":
        wanted["temperature"] = None
    wanted = {name: value for name, value in wanted.items() if value is not None}
    if not wanted:
        return {}
    from litellm.utils import get_optional_params

    model, provider, _, _ = load_litellm().get_llm_provider(profile.model)
    taken = get_optional_params(model=model, custom_llm_provider=provider, drop_params=True, **wanted)
    return {name: value for name, value in wanted.items() if name in taken}
