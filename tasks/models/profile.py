"""Model profiles: named, versioned configurations of a model."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from tasks.matter.base import Record, content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage

SCRIPTED = "scripted"
MODELS_VARIABLE = "SOLON_MODELS"


class Prices(Record):
    """List prices in US dollars per million tokens, with the day they were read.

    ``cache_read`` may be set to 0 to reproduce accounts that count cached reads as free.
    """

    input_uncached: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float | None = Field(default=None, ge=0)
    cache_write: float | None = Field(default=None, ge=0)
    as_of: str = ""

    def cost(self, usage: Usage) -> float:
        """Return the price of a usage; cached tokens cost the full rate where no rate is given."""
        read = self.input_uncached if self.cache_read is None else self.cache_read
        write = self.input_uncached if self.cache_write is None else self.cache_write
        total = (
            usage.input_uncached * self.input_uncached
            + usage.cache_read * read
            + usage.cache_write * write
            + usage.output * self.output
        )
        return round(total / 1e6, 10)


class ModelProfile(Record):
    """One way to call one model.

    Attributes:
        name: As cells and judges refer to it.
        model: litellm model id, e.g. ``openai/gpt-5.4-mini``; ``scripted`` replays ``script``.
        api_base: Endpoint of an OpenAI-compatible server; empty for the provider's own.
        api_key_env: Name of the environment variable that holds the key. The key itself is never stored.
        temperature: None leaves it out (some models refuse it).
        effort: Reasoning effort; empty for the model's default.
        context_window: Tokens that prompt and reply share.
        fallbacks: Names of profiles to try, in order, when this one fails.
        structured: How a schema is asked for: by the endpoint (``schema``) or in words (``prompt``).
        retries: Further tries of a failed call, with growing waits.
        script: Replies of the scripted model, in order.
    """

    schema_version: int = 1
    name: str
    model: str
    api_base: str = ""
    api_key_env: str = ""
    temperature: float | None = 0.0
    max_output_tokens: int = Field(default=8192, gt=0)
    effort: str = ""
    context_window: int = Field(default=128_000, gt=0)
    prices: Prices | None = None
    fallbacks: tuple[str, ...] = ()
    structured: Literal["schema", "prompt"] = "schema"
    seed: int | None = None
    timeout_seconds: float = Field(default=600.0, gt=0)
    retries: int = Field(default=3, ge=0, le=10)
    script: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Content hash of the configuration (64 hex digits)."""
        return content_hash(self)

    @property
    def prompt_budget(self) -> int:
        """Tokens left for the prompt once the reply has its room (a tenth is kept for miscounting)."""
        return max(256, int((self.context_window - self.max_output_tokens) * 0.9))


def load_profiles(source: Path | Mapping[str, Any] | None = None) -> dict[str, ModelProfile]:
    """Load profiles by name from a TOML file or a mapping with a ``models`` table.

    Args:
        source: ``[models.<name>]`` tables, or the mapping of names itself. None gives the built-in only.

    Raises:
        SolonError: Where the file or a profile cannot be understood, or a fallback is unknown.
    """
    profiles = {SCRIPTED: ModelProfile(name=SCRIPTED, model=SCRIPTED, retries=0)}
    for name, fields in _tables(source).items():
        try:
            given = fields.model_dump() if isinstance(fields, ModelProfile) else dict(fields)
            profiles[name] = ModelProfile.model_validate({**given, "name": name})
        except (ValidationError, TypeError, ValueError) as error:
            raise _misuse(name, f"The model profile cannot be understood: {_first_line(error)}.") from error
    for profile in profiles.values():
        unknown = [f for f in profile.fallbacks if f not in profiles]
        if unknown:
            raise _misuse(profile.name, f"The fallback {unknown[0]} is not a profile.")
    return profiles


def profiles_in_force(given: Mapping[str, Any] | None = None) -> dict[str, ModelProfile]:
    """Return the profiles handed in; else those of the TOML file that ``SOLON_MODELS`` names, if any."""
    named = os.environ.get(MODELS_VARIABLE, "")
    return load_profiles(given if given is not None else Path(named) if named else None)


def _tables(source: Path | Mapping[str, Any] | None) -> Mapping[str, Any]:
    if source is None:
        return {}
    if isinstance(source, Path):
        try:
            source = tomllib.loads(source.read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise _misuse(str(source), f"The file of model profiles cannot be read: {error}.") from error
        return dict(source.get("models", {}))
    nested = source.get("models")
    return nested if isinstance(nested, Mapping) and "model" not in nested else source


def resolve(name: str, profiles: Mapping[str, ModelProfile]) -> tuple[ModelProfile, tuple[ModelProfile, ...]]:
    """Return a profile and its fallbacks; a name with a slash is a bare litellm model id.

    Raises:
        SolonError: Where the profile is unknown.
    """
    if name in profiles:
        profile = profiles[name]
    elif "/" in name:
        profile = ModelProfile(name=name, model=name)
    else:
        known = ", ".join(sorted(profiles)) or "none"
        raise _misuse(name, "No such model profile.", f"Configure [models.{name}] or use one of: {known}.")
    return profile, tuple(profiles[f] for f in profile.fallbacks if f in profiles)


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(p) for p in first['loc'])}: {first['msg']}"
    return str(error).splitlines()[0]


def _misuse(subject: str, message: str, remedy: str = "Correct the configuration of models.") -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="models", subject=subject, message=message, remedy=remedy)
    )
