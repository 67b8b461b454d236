"""How a profile is called: litellm, embedded weights, sentence-transformers, or a script."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from tasks.models.profile import SCRIPTED, ModelProfile
from tasks.models.records import Transport

_LENT: ContextVar[tuple[str, Transport] | None] = ContextVar("lent_transport", default=None)


def transport_for(profile: ModelProfile) -> Transport:
    """Return the transport of a profile; embedded weights are loaded once per process.

    Raises:
        SolonError: Its weights or its library are not here.
    """
    lent_one = _LENT.get()
    if lent_one is not None and lent_one[0] == profile.name:
        return lent_one[1]
    if profile.model == SCRIPTED:
        from tasks.models.transports.scripted import ScriptedModel

        return ScriptedModel(profile.script)
    if profile.hosted:
        from tasks.models.transports.hosted import LitellmTransport

        return LitellmTransport()
    return _loaded(profile)


@contextmanager
def lent_transport(name: str, transport: Transport) -> Iterator[None]:
    """Let a transport that runs elsewhere (actors of a cluster) stand in for that of a profile within this context."""
    token = _LENT.set((name, transport))
    try:
        yield
    finally:
        _LENT.reset(token)


@lru_cache(maxsize=6)
def _loaded(profile: ModelProfile) -> Transport:
    if profile.via == "sentence-transformers":
        from tasks.models.transports.sentence import SentenceModel

        return SentenceModel(profile)
    if profile.via == "wordllama":
        from tasks.models.transports.embedded import WordLlama

        return WordLlama(profile)
    from tasks.models.transports.embedded import OnnxModel

    return OnnxModel(profile)
