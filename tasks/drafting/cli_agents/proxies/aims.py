"""Who answers at the proxy of the model: the profile of the cell, and its fallbacks in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from tasks.drafting.cli_agents.proxies.pricing import priced
from tasks.drafting.cli_agents.proxies.target import EndpointTarget, target_of
from tasks.drafting.cli_agents.records import Speech
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.transports.dialects import taken_by
from tasks.models.transports.shapes import key_of

# After these another model may do better: too much asked at once, too slow, or broken. A refused key ends the run.
_PASSING = frozenset({408, 409, 425, 429})
_LONGEST_WAIT = 3600.0  # a provider that asks for more is taken to mean an hour


@dataclass(frozen=True)
class Aim:
    """One model that may answer.

    Attributes:
        target: Where it is asked in the agent's own protocol; None where what the agent says is translated.
        sampling: Temperature and seed of the profile, as far as its model and the protocol take them.
    """

    profile: ModelProfile
    target: EndpointTarget | None
    sampling: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, profile: ModelProfile, speech: Speech) -> Aim:
        """Return the aim of a profile; raises as :func:`aims_of`."""
        wanted = {"temperature": profile.temperature, "seed": profile.seed if speech == "chat" else None}
        told = {name: value for name, value in wanted.items() if value is not None}
        target = target_of(profile, speech)
        return cls(profile, target, taken_by(profile, told) if target and told else {})

    def sampled(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sampling of the model, whatever the agent asks for; reasoning models refuse a temperature."""
        thinking = body.get("thinking")
        thinks = isinstance(thinking, Mapping) and thinking.get("type") != "disabled"
        return {name: value for name, value in self.sampling.items() if not (thinks and name == "temperature")}

    @property
    def model(self) -> str:
        """The name of the model that the agent uses."""
        return self.target.model if self.target else self.profile.model.rpartition("/")[2]

    @property
    def key(self) -> str:
        """The key that is sent; empty where litellm finds it by itself."""
        return self.target.key if self.target else key_of(self.profile)

    @property
    def key_variable(self) -> str:
        """The variable that the key is taken from, for a remedy."""
        of_provider = self.target.provider.key_env if self.target else "the provider's usual variable"
        return self.profile.api_key_env or of_provider

    def priced(self, usage: Usage) -> Usage:
        """Return a usage with what it costs by this profile."""
        return priced(self.profile, usage)


def aims_of(client: ModelClient, speech: Speech) -> tuple[Aim, ...]:
    """Return who may answer an agent that speaks one protocol: the profile of a client, then its fallbacks.

    Raises:
        SolonError: One of them is not of an endpoint (``input``), or its server is not running (``provider``).
    """
    return tuple(Aim.of(profile, speech) for profile in (client.profile, *client.fallbacks))


def passes(status: int) -> bool:
    """Tell whether this status means a failure of the endpoint that another endpoint may not have."""
    return status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def asked_wait(value: str | None) -> float:
    """Return the seconds of a Retry-After header; dates and invalid values count as none."""
    try:
        seconds = float(value or 0)
    except ValueError:
        return 0.0
    return min(seconds, _LONGEST_WAIT) if seconds > 0 else 0.0
