"""Where the requests of an agent go: the endpoint of the cell's model, with its key, which stays on this side."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from pydantic import Field

from tasks.drafting.cli_agents.records import Speech, misfit
from tasks.matter.base import Record
from tasks.models.profile import ModelProfile
from tasks.models.serving import address_of
from tasks.models.transports.shapes import key_of

PATHS: Mapping[str, Speech] = {
    "/v1/messages": "messages",
    "/v1/messages/count_tokens": "messages",
    "/v1/chat/completions": "chat",
    "/v1/responses": "responses",
}


class Provider(Record):
    """A provider as its own protocol is spoken.

    Attributes:
        base: Its address up to the path of a protocol.
        key_env: Its usual variable for the key.
        speaks: Protocols that it understands.
        key_header: Header that carries the key; ``authorization`` carries it as a bearer token.
        headers: Further headers that it wants.
    """

    base: str
    key_env: str
    speaks: tuple[Speech, ...]
    key_header: str = "authorization"
    headers: Mapping[str, str] = Field(default_factory=dict)


@dataclass(frozen=True)
class EndpointTarget:
    """One endpoint and one model. The key is left out of what is shown of it."""

    url: str
    model: str
    key: str = field(repr=False)
    provider: Provider

    def address(self, path: str) -> str:
        """Return the address of a path that the agent asked for."""
        return self.url + path.removeprefix("/v1")

    def headers(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the headers of a request: ours, the key, and of the agent's only those that name features."""
        kept = {k: v for k, v in given.items() if k in ("anthropic-beta", "anthropic-version", "openai-beta", "accept")}
        name = self.provider.key_header
        secret = {name: f"Bearer {self.key}" if name == "authorization" else self.key} if self.key else {}
        return {**self.provider.headers, **kept, **secret, "content-type": "application/json"}


def target_of(profile: ModelProfile, speech: Speech) -> EndpointTarget | None:
    """Return where the model of a profile is asked in an agent's own protocol; None where it does not speak it.

    What an agent says to such a model is translated (``translating``). Of a server that Solon starts only the chat
    completions are known.

    Raises:
        SolonError: The profile is not of an endpoint (``input``), or its server is not running (``provider``).
    """
    check_given(profile)
    prefix, _, model = profile.model.partition("/")
    provider = providers().get(prefix)
    if provider is None or not model or speech not in provider.speaks or (profile.serve and speech != "chat"):
        return None
    own_key = "" if profile.api_key_env or profile.ours else os.environ.get(provider.key_env, "").strip()
    base = address_of(profile).rstrip("/") or provider.base
    if speech == "messages" and not base.endswith("/v1"):
        base += "/v1"
    return EndpointTarget(base, model, key_of(profile) or own_key, provider)


def check_given(profile: ModelProfile) -> None:
    """Refuse a profile whose model no proxy can reach.

    Raises:
        SolonError: It is not of an endpoint (``input``).
    """
    if not profile.hosted or profile.kind != "chat":
        message = f"An agent program cannot be given the model {profile.model}."
        raise misfit(profile.name, message, "Give the cell a chat profile that is called via litellm.")


@lru_cache(maxsize=1)
def providers() -> Mapping[str, Provider]:
    """Return the providers by the first part of a model's id."""
    path = Path(__file__).with_name("providers.toml")
    return {k: Provider.model_validate(v) for k, v in tomllib.loads(path.read_text(encoding="utf-8")).items()}
