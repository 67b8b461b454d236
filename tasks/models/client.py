"""The client of language models: cache, budget, retries and fallbacks around one transport."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from tasks.matter.base import content_hash
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.budget import Ledger
from tasks.models.profile import SCRIPTED, ModelProfile
from tasks.models.records import Message, Reply, RetryableError, Transport, failed

CacheMode = Literal["off", "read_write", "replay"]
_LONGEST_WAIT = 60.0
# After these another model may do better; after a spent budget none will.
_FALL_BACK = frozenset({FailureCause.PROVIDER, FailureCause.TIMEOUT, FailureCause.CAPACITY})


def transport_for(profile: ModelProfile) -> Transport:
    """Return the transport of a profile: the scripted replies, or litellm."""
    if profile.model == SCRIPTED:
        from tasks.models.scripted import ScriptedModel

        return ScriptedModel(profile.script)
    from tasks.models.litellm_transport import LitellmTransport

    return LitellmTransport()


@dataclass
class ModelClient:
    """Calls one model by its profile.

    Attributes:
        fallbacks: Profiles to try in order when the profile fails.
        cache: Folder of recorded replies; used unless ``mode`` is ``off``.
        mode: ``off``, ``read_write`` (record what is new), ``replay`` (a miss is a failure).
        ledger: Budget that replies are charged to.
        owner: Attempt that asks. A reply recorded for another is replayed at no cost; one recorded for the same was
            paid by a try of it that was killed before it could say so.
        salt: Tells apart calls that must not share a recorded reply (epochs of a sampled cell).
        transport: Replaces the transport of the profile (tests).
        wait: Called with seconds between retries.
    """

    profile: ModelProfile
    fallbacks: Sequence[ModelProfile] = ()
    cache: Path | None = None
    mode: CacheMode = "off"
    ledger: Ledger | None = None
    salt: str = ""
    owner: str = ""
    transport: Transport | None = None
    wait: Callable[[float], None] = time.sleep
    _carriers: dict[str, Transport] = field(default_factory=dict)

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
    ) -> Reply:
        """Return the model's reply.

        Args:
            messages: Chat messages with ``role`` and ``content``.
            schema: JSON schema that the text of the reply should follow (verify it all the same).
            tools: Tool definitions in the OpenAI form.

        Raises:
            SolonError: cause provider, timeout, capacity (prompt too long) or budget.
        """
        key = self._key(messages, schema, tools)
        kept = self._recorded(key)
        if kept is not None:
            return kept
        if self.mode == "replay":
            message = "No recorded reply for this request."
            raise SolonError(failed(self.profile, FailureCause.PROVIDER, message, "Record the run again."))
        reply = self._ask_in_order(messages, schema, tools)
        if self.ledger is not None:
            self.ledger.charge(reply.usage)
        self._record(key, reply)
        return reply

    def _ask_in_order(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        tools: Sequence[Mapping[str, Any]] | None,
    ) -> Reply:
        failure: SolonError | None = None
        for profile in (self.profile, *self.fallbacks):
            if self.ledger is not None:
                self.ledger.check()
            try:
                reply = self._with_retries(profile, messages, schema, tools)
                return reply.model_copy(update={"model": profile.name})
            except SolonError as error:
                failure = error
                if error.failure.cause not in _FALL_BACK:
                    break
        assert failure is not None
        raise failure

    def _with_retries(
        self,
        profile: ModelProfile,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        tools: Sequence[Mapping[str, Any]] | None,
    ) -> Reply:
        carrier = self.transport or self._carrier(profile)
        attempt = 0
        while True:
            try:
                return carrier.send(profile, messages, schema, tools)
            except RetryableError:
                if attempt >= profile.retries:
                    raise
                self.wait(min(_LONGEST_WAIT, 2.0**attempt))
                attempt += 1

    def _carrier(self, profile: ModelProfile) -> Transport:
        if profile.name not in self._carriers:
            self._carriers[profile.name] = transport_for(profile)
        return self._carriers[profile.name]

    def _key(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        tools: Sequence[Mapping[str, Any]] | None,
    ) -> str:
        p = self.profile
        shape = [p.model, p.api_base, p.temperature, p.max_output_tokens, p.effort, p.seed, p.structured]
        request = [dict(m) for m in messages], dict(schema or {}), [dict(t) for t in tools or ()]
        return content_hash([1, shape, self.salt, *request])

    def _path(self, key: str) -> Path | None:
        return None if self.cache is None or self.mode == "off" else self.cache / key[:2] / f"{key}.json"

    def _recorded(self, key: str) -> Reply | None:
        path = self._path(key)
        if path is None:
            return None
        try:
            kept = Reply.model_validate_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, ValidationError):
            return None  # absent or torn: it is asked again
        paid = bool(self.owner) and kept.made_for == self.owner
        usage = kept.usage if paid else kept.usage.model_copy(update={"cost_usd": 0.0})
        return kept.model_copy(update={"replayed": True, "usage": usage})

    def _record(self, key: str, reply: Reply) -> None:
        path = self._path(key)
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as stream:
            stream.write(reply.model_copy(update={"made_for": self.owner}).model_dump_json())
        Path(temporary).replace(path)
