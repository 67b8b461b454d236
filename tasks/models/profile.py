"""Model profiles: named, versioned configurations of a chat model, an embedder or a reranker."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from pydantic import ConfigDict, Field, field_validator, model_validator

from tasks.matter.base import Record, content_hash
from tasks.matter.secrets import looks_like_key
from tasks.matter.usage import Usage

SCRIPTED = "scripted"
Kind = Literal["chat", "embeddings", "reranker"]
Via = Literal["litellm", "sentence-transformers", "wordllama", "onnx"]

_VARIABLE = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]{0,79})?")
_LONGEST_REPLY, _SHARE_OF_REPLY = 8192, 4  # tokens; one part in four of the window
_RETRIEVAL = frozenset({"batch", "device"})
# The fields that only some kinds have; every other field belongs to all of them.
FIELDS_OF: Mapping[Kind, frozenset[str]] = MappingProxyType(
    {
        "chat": frozenset(
            {
                "cache_control",
                "context_window",
                "effort",
                "fallbacks",
                "idle_seconds",
                "logprobs",
                "max_output_tokens",
                "quality",
                "quotes",
                "script",
                "seed",
                "stream",
                "structured",
                "temperature",
                "tokens_factor",
                "yes_bias",
                "yes_slope",
            }
        ),
        "embeddings": _RETRIEVAL | {"dimensions", "query_prefix", "passage_prefix"},
        "reranker": _RETRIEVAL,
    }
)
_OF_SOME_KINDS = frozenset().union(*FIELDS_OF.values())
# The fields that act only where the model is called in one way.
_VIA_OF: Mapping[str, Via] = MappingProxyType(
    {
        "api_base": "litellm",
        "serve": "litellm",
        "api_key_env": "litellm",
        "prices": "litellm",
        "device": "sentence-transformers",
    }
)
# Left out of the digest: they decide where, when and how fast an answer is given, not which.
_BESIDE = frozenset(
    {
        "name", "api_key_env", "timeout_seconds", "idle_seconds", "retries", "cooldown_seconds", "fallbacks", "batch",
        "device", "prices", "stream", "cache_control", "quality",
    }
)  # fmt: skip
_LEAST_PROMPT = 256  # tokens, so that the budget is never none or negative
_COUNTED = 0.9  # of the room for a prompt: counts of tokens differ by some per cent between tokenizers


class Prices(Record):
    """List prices in US dollars; tokens are priced by the million."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    input_uncached: float = Field(default=0.0, ge=0)
    """A million tokens of input."""
    output: float = Field(default=0.0, ge=0)
    """A million tokens of output; embedders and rerankers have none."""
    cache_read: float | None = Field(default=None, ge=0)
    """A million cached tokens read: the full rate where left out, 0 for accounts that count them as free."""
    cache_write: float | None = Field(default=None, ge=0)
    """A million tokens written to the provider's cache; the full rate where left out."""
    call: float = Field(default=0.0, ge=0)
    """One request, for rerankers that are billed by the search."""
    as_of: str = ""
    """Day on which the prices were read."""

    @property
    def cached_rate(self) -> float:
        """A million cached tokens read: the full rate where none is given."""
        return self.input_uncached if self.cache_read is None else self.cache_read

    def cost(self, usage: Usage) -> float:
        """Return the price of a usage; cached tokens cost the full rate where no rate is given."""
        write = self.input_uncached if self.cache_write is None else self.cache_write
        total = (
            usage.input_uncached * self.input_uncached
            + usage.cache_read * self.cached_rate
            + usage.cache_write * write
            + usage.output * self.output
        )
        return round(total / 1e6 + usage.calls * self.call, 10)


class Serve(Record):
    """A model server that Solon starts before the first call, and stops after the last."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    command: tuple[str, ...] = Field(min_length=1)
    """Program and arguments; ``{port}`` is replaced by a free port of loopback, where it must listen."""
    ready: str = "/v1/models"
    """Path that answers once the model is loaded."""
    seconds: float = Field(default=120.0, gt=0)
    """Longest wait for that."""
    base: str = "/v1"
    """Path of its OpenAI-compatible endpoint."""

    @field_validator("command")
    @classmethod
    def _listens_where_told(cls, command: tuple[str, ...]) -> tuple[str, ...]:
        if not any("{port}" in word for word in command):
            raise ValueError("the command must say where it listens: write {port} for the port")
        return command


class ModelProfile(Record):
    """One way to call one model: a table ``[models.<name>]`` of solon.toml."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    schema_version: int = 1
    """Version of this form of a profile."""
    name: str
    """As cells, judges and ``[retrieval]`` refer to it."""
    kind: Kind = "chat"
    """What the model does: ``chat``, ``embeddings`` or ``reranker``."""
    via: Via = "litellm"
    """How it is called: any provider or server through ``litellm``, ``sentence-transformers``, or embedded weights."""
    model: str = Field(min_length=1)
    """Model id as litellm or sentence-transformers know it; ``scripted`` replays ``script``."""
    version: str = "1"
    """Part of the digest: raise it when a server changes the weights behind the same id."""
    api_base: str = ""
    """Endpoint of an OpenAI-compatible server; empty for the provider's own."""
    serve: Serve | None = None
    """A server on this machine that Solon starts and stops for the profile, instead of ``api_base``."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key; the key itself is never stored."""
    prices: Prices | None = None
    """What calls cost, where the provider reports no cost and litellm knows no price."""
    timeout_seconds: float = Field(default_factory=lambda data: 600.0 if data.get("kind") == "chat" else 120.0, gt=0)
    """Longest wait for one reply; 600 for chat and 120 for the other kinds where it is not set."""
    retries: int = Field(default=3, ge=0, le=10)
    """Further tries of a call that failed for a passing reason, with growing waits."""
    cooldown_seconds: float = Field(default=60.0, ge=0)
    """How long a model that failed all its tries is passed over where there are fallbacks."""

    temperature: float | None = Field(default=0.0, ge=0, le=2)
    """Chat: sampling temperature; None leaves it to the model."""
    effort: str = ""
    """Chat: reasoning effort; empty for the model's default."""
    context_window: int = Field(default=128_000, gt=0)
    """Chat: tokens that prompt and reply share."""
    max_output_tokens: int = Field(default_factory=lambda data: _longest_reply(data.get("context_window", 0)), gt=0)
    """Chat: longest reply; 8,192 where it is not set, and at most a quarter of the window."""
    tokens_factor: float = Field(default=1.0, ge=0.5, le=3.0)
    """Chat: tokens of the model's own for each that Solon counts; `solon models check` measures it."""
    structured: Literal["schema", "prompt"] = "schema"
    """Chat: how a JSON schema is asked for, by the endpoint (``schema``) or in words (``prompt``)."""
    logprobs: int = Field(default=0, ge=0, le=20)
    """Chat: tokens whose log-probabilities the endpoint gives in each place of a reply; 0 where it gives none."""
    quotes: Literal["words", "numbers"] = "words"
    """Chat: how it says what a value rests on: it copies the words, or names the numbers of their lines."""
    yes_bias: float = Field(default=0.0, ge=-10.0, le=10.0)
    """Chat: log-odds of a yes at which this model is right as often as not, fitted on answers that are known."""
    yes_slope: float = Field(default=1.0, gt=0.0, le=100.0)
    """Chat: how fast a yes of this model becomes sure above that, fitted with it; 1 takes its log-odds as they are."""
    seed: int | None = None
    """Chat: seed of the sampling, for endpoints that take one."""
    stream: bool = False
    """Chat: ask for the reply as a stream, so that one that breaks off or stalls is noticed at once."""
    idle_seconds: float = Field(default=120.0, gt=0)
    """Chat: longest silence within a stream, and before its first word."""
    cache_control: bool | None = None
    """Chat: tell the provider which prefix to keep; where not set, the models of Anthropic are told."""
    quality: int = Field(default=0, ge=0)
    """Chat: your own grade of the model, for routes that ask for one (``[routing.X]``)."""
    fallbacks: tuple[str, ...] = ()
    """Chat: names of profiles to try, in order, when this one fails."""
    script: tuple[str, ...] = ()
    """Chat: replies of the scripted model, in order."""

    dimensions: int = Field(default=0, ge=0)
    """Embeddings: width asked of an endpoint that can shorten its vectors; 0 leaves that to the model."""
    query_prefix: str = ""
    """Embeddings: put before a text that asks."""
    passage_prefix: str = ""
    """Embeddings: put before a text that states."""
    batch: int = Field(default=64, gt=0, le=2048)
    """Embeddings and rerankers: texts in one request."""
    device: str = ""
    """Via sentence-transformers: ``cpu`` or ``cuda``; empty lets the library choose."""

    @field_validator("api_key_env")
    @classmethod
    def _names_a_variable(cls, name: str) -> str:
        """Refuse a key in the place of its variable's name: names are shown, and stand in the records of a run."""
        if not _VARIABLE.fullmatch(name) or looks_like_key(name):
            raise ValueError("this is no name of a variable; name the variable that holds the key, never the key")
        return name

    @model_validator(mode="after")
    def _fits_its_kind(self) -> ModelProfile:
        """Refuse a field that would have no effect."""
        fields = type(self).model_fields
        usual = {
            name: fields[name].get_default(call_default_factory=True, validated_data=dict(self))
            for name in (*_OF_SOME_KINDS, *_VIA_OF)
        }
        changed = {name for name, value in usual.items() if getattr(self, name) != value}
        for name in sorted(changed & _OF_SOME_KINDS - FIELDS_OF[self.kind]):
            owners = " and ".join(kind for kind, own in FIELDS_OF.items() if name in own)
            raise ValueError(f"{name} is a field of {owners} profiles, and this one is of kind {self.kind}")
        for name in sorted(changed & _VIA_OF.keys()):
            if _VIA_OF[name] != self.via:
                raise ValueError(f"{name} acts only via {_VIA_OF[name]}, and this profile is via {self.via}")
        if self.api_base and not self.api_base.startswith(("http://", "https://")):
            raise ValueError("api_base is no address that a model is asked at: write http:// or https:// before it")
        if self.serve is not None and self.api_base:
            raise ValueError("serve starts a server of its own, so api_base has no effect beside it")
        if not self.stream and "idle_seconds" in changed:
            raise ValueError("idle_seconds acts only on a stream: set stream = true, or leave it out")
        if self.kind == "chat" and self.max_output_tokens >= self.context_window:
            raise ValueError("max_output_tokens leaves no room for a prompt: keep it well below context_window")
        if self.name in self.fallbacks:
            raise ValueError("a model cannot stand in for itself: take its own name out of fallbacks")
        priced = self.prices.model_fields_set if self.prices is not None else {"input_uncached", "output"}
        if self.kind == "chat" and not priced >= {"input_uncached", "output"}:
            raise ValueError("prices of a chat profile need input_uncached and output")
        return self

    @property
    def digest(self) -> str:
        """Content hash (64 hex digits) of what decides the model's answers, and of nothing else.

        Work keys, index keys and recordings of embeddings and scores hold it.
        """
        others = _OF_SOME_KINDS - FIELDS_OF[self.kind]
        shape = self.model_dump(mode="json", exclude=set(_BESIDE | others | _LATER.keys()))
        later = {name: told for name, of in _LATER.items() if (told := of(self))}
        return content_hash(shape | later)

    @property
    def hosted(self) -> bool:
        """Whether calls leave this process; then they are recorded and charged. Embedded weights cost nothing."""
        return self.via == "litellm"

    @property
    def patience(self) -> float:
        """Seconds without a word after which a call counts as failed."""
        return min(self.timeout_seconds, self.idle_seconds) if self.stream else self.timeout_seconds

    @property
    def endpoint(self) -> str:
        """What fails or works as one: a model at an address."""
        return " ".join((self.model, self.api_base, self.name if self.serve else "")).strip()

    @property
    def ours(self) -> bool:
        """Whether a server of the user's own answers: it wants some key, any key, and no public price is its."""
        return bool(self.api_base or self.serve)

    @property
    def prompt_budget(self) -> int:
        """Tokens left for the prompt once the reply has its room (a tenth is kept for miscounting)."""
        return max(_LEAST_PROMPT, int((self.context_window - self.max_output_tokens) * _COUNTED))


def _longest_reply(window: int) -> int:
    """Return the longest reply where a profile names none: a prompt, not the reply, is what a window is for."""
    return max(1, min(_LONGEST_REPLY, window // _SHARE_OF_REPLY))


# What earlier versions did not have, as it counts in the digest: nothing where it is left out, as it was then.
_LATER: Mapping[str, Callable[[ModelProfile], object]] = MappingProxyType(
    {
        "serve": lambda profile: profile.serve.command if profile.serve else None,
        "tokens_factor": lambda profile: profile.tokens_factor if profile.tokens_factor != 1.0 else None,
    }
)
