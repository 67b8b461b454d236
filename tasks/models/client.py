"""The client of models of every kind: recordings, budget, retries and fallbacks around one transport."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tasks.matter.base import content_hash
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.cooling import Cooling
from tasks.models.flow import log_flow
from tasks.models.ledger import Ledger
from tasks.models.loading import require_kind
from tasks.models.profile import ModelProfile
from tasks.models.recordings import record, recorded_reply, request_key
from tasks.models.records import Message, Reply, Request, RetryableError, Transport, failed
from tasks.models.tokens import count_message, count_tools
from tasks.models.transports import transport_for
from tasks.models.vectors import Matrix, unit_rows

CacheMode = Literal["off", "read_write", "replay"]
_LONGEST_WAIT = 60.0  # seconds between two tries, unless the provider asks for more
_LEAST_WAIT = 1.0
_REMEMBERED = 256  # vectors of the last questions: one search may ask the same question of several documents
# After these another model may do better; after a spent budget none will.
FALL_BACK = frozenset({FailureCause.PROVIDER, FailureCause.TIMEOUT, FailureCause.CAPACITY})


@dataclass
class ModelClient:
    """Calls one model by its profile. Embedded weights are neither recorded nor charged: they cost nothing.

    Attributes:
        fallbacks: Profiles to try in order when the profile fails.
        cache: Folder of recorded replies; used unless ``mode`` is ``off``.
        mode: ``off``, ``read_write`` (record what is new), ``replay`` (a miss is a failure).
        ledger: Budget that replies are charged to.
        owner: Attempt that asks. A reply recorded for another is replayed at no cost; one recorded for the same was
            already paid for by a try that was killed before it could record this.
        role: On whose behalf: solver, judge, chooser, …; the account and the information-flow log are kept by it.
        flow: Information-flow log (:mod:`tasks.models.flow`); None keeps none.
        salt: Tells apart chat calls that must not share a recorded reply (epochs of a sampled cell).
        transport: Replaces the transport of the profile (tests).
        wait: Called with seconds between retries.
        cooling: Endpoints that failed lately; they are tried last.
        deadline: Time of the monotonic clock after which no reply is of use.
    """

    profile: ModelProfile
    fallbacks: Sequence[ModelProfile] = ()
    cache: Path | None = None
    mode: CacheMode = "off"
    ledger: Ledger = field(default_factory=lambda: Ledger("models"))
    salt: str = ""
    owner: str = ""
    role: str = "solver"
    flow: Path | None = None
    transport: Transport | None = None
    wait: Callable[[float], None] = time.sleep
    cooling: Cooling = field(default_factory=Cooling)
    deadline: float = math.inf
    _carriers: dict[str, Transport] = field(default_factory=dict)
    _questions: dict[str, Matrix] = field(default_factory=dict)
    _counted: dict[str, int] = field(default_factory=dict)

    @property
    def prompt_budget(self) -> int:
        """Tokens of prompt that the widest of the profiles has room for."""
        return max(p.prompt_budget for p in (self.profile, *self.fallbacks))

    def tokens_of(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] | None = None) -> int:
        """Return how many tokens a request has, about: counted offline, each message of a growing history once.

        Where the model's own tokenizer makes more of a text, ``tokens_factor`` of the profile says so.
        """
        counts = [self._once(message, partial(count_message, self.profile, message)) for message in messages]
        if tools:
            counts.append(self._once(list(tools), partial(count_tools, self.profile, tools)))
        return math.ceil(sum(counts) * self.profile.tokens_factor)

    def _once(self, part: Any, count: Callable[[], int]) -> int:
        key = content_hash(part)
        if key not in self._counted:
            self._counted[key] = count()
        return self._counted[key]

    def within(self, seconds: float, effort: str = "") -> ModelClient:
        """Return a client whose calls, retries and fallbacks end in time, with another effort where one is given.

        Raises:
            SolonError: There is no time to wait.
        """
        if seconds <= 0:
            message = f"No reply can come within {seconds:g} s."
            raise SolonError(failed(self.profile, FailureCause.INPUT, message, "Raise wall_seconds of the cell."))
        profile = self.profile.model_copy(update={"effort": effort or self.profile.effort})
        return replace(self, profile=profile, deadline=min(self.deadline, time.monotonic() + seconds))

    def at_temperature(self, temperature: float) -> ModelClient:
        """Return a client whose models sample at a temperature; those that take none are left as they are."""
        profile, *fallbacks = (
            p if p.temperature is None else p.model_copy(update={"temperature": temperature})
            for p in (self.profile, *self.fallbacks)
        )
        return replace(self, profile=profile, fallbacks=fallbacks)

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
        *,
        weighed: bool = False,
    ) -> Reply:
        """Return the reply of a chat model.

        Args:
            messages: Chat messages with ``role`` and ``content``.
            schema: JSON schema that the text of the reply should follow (verify it all the same).
            tools: Tool definitions in the OpenAI form.
            weighed: Whether the log-probabilities of the tokens are wanted; given where the profile has ``logprobs``.

        Raises:
            SolonError: cause provider, timeout, capacity (prompt too long) or budget; input for another kind of model.
        """
        require_kind(self.profile, "chat")
        return self._answer(Request(messages=messages, schema=schema, tools=tools, weighed=weighed))

    def embed(self, texts: Sequence[str], query: bool = False) -> Matrix:
        """Return one unit row per text; ``query`` marks texts that are questions.

        A repeated text is sent once, and a question that was embedded before is not sent again.

        Raises:
            SolonError: As of ``complete``.
        """
        require_kind(self.profile, "embeddings")
        if not (query and len(texts) == 1):
            return self._embedded(texts, self.profile.query_prefix if query else self.profile.passage_prefix)
        if texts[0] not in self._questions:
            if len(self._questions) >= _REMEMBERED:
                self._questions.pop(next(iter(self._questions)))
            self._questions[texts[0]] = self._embedded(texts, self.profile.query_prefix)
        return self._questions[texts[0]]

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text in [0, 1].

        Raises:
            SolonError: As of ``complete``.
        """
        require_kind(self.profile, "reranker")
        return [s for batch in self._batches(texts) for s in self._answer(Request(texts=batch, query=query)).scores]

    def _embedded(self, texts: Sequence[str], prefix: str) -> Matrix:
        once = list(dict.fromkeys(texts))
        replies = [self._answer(Request(texts=[prefix + t for t in batch])) for batch in self._batches(once)]
        blocks = [reply.vectors for reply in replies if reply.vectors is not None]
        if not blocks:
            return np.zeros((0, self.profile.dimensions), dtype=np.float32)
        if len({block.shape[1] for block in blocks}) > 1:
            message = "The endpoint sent vectors of several widths."
            raise SolonError(failed(self.profile, FailureCause.PROVIDER, message, "Set dimensions of the profile."))
        places = {text: i for i, text in enumerate(once)}
        return unit_rows(np.vstack(blocks)[[places[text] for text in texts]])

    def _batches(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """Return the texts as an endpoint takes them; embedded weights take all and share them among threads."""
        step = self.profile.batch if self.profile.hosted else max(1, len(texts))
        return [texts[i : i + step] for i in range(0, len(texts), step)]

    def _answer(self, request: Request) -> Reply:
        if not self.profile.hosted:
            return self._carrier(self.profile).send(self.profile, request)
        key = request_key(self.profile, request, self.salt)
        if self.flow is not None:
            log_flow(self.flow, self.role, self.profile.name, key, request)
        folder = None if self.mode == "off" else self.cache
        kept = recorded_reply(folder, key)
        if kept is not None:
            return self._replayed(key, kept)
        if self.mode == "replay":
            message = "No recorded reply for this request."
            raise SolonError(failed(self.profile, FailureCause.PROVIDER, message, "Record the run again."))
        reply = self._ask_in_order(request)
        self.ledger.charge(self.profile.kind, reply.model, reply.usage, key, role=self.role)
        record(folder, key, reply.model_copy(update={"made_for": self.owner}))
        return reply

    def _replayed(self, key: str, kept: Reply) -> Reply:
        paid = bool(self.owner) and kept.made_for == self.owner and not self.ledger.holds(key)
        usage = kept.usage if paid else kept.usage.model_copy(update={"cost_usd": 0.0})
        self.ledger.charge(self.profile.kind, kept.model, usage, key, replayed=True, role=self.role)
        return kept.model_copy(update={"replayed": True, "usage": usage})

    def _ask_in_order(self, request: Request) -> Reply:
        failure: SolonError | None = None
        for profile in self.cooling.order((self.profile, *self.fallbacks)):
            self.ledger.check()
            try:
                reply = self._with_retries(profile, request)
                return reply.model_copy(update={"model": profile.name})
            except SolonError as error:
                failure = error
                if isinstance(error, RetryableError):
                    self.cooling.failed(profile, error.after)
                if error.failure.cause not in FALL_BACK:
                    break
        assert failure is not None
        raise failure

    def _with_retries(self, profile: ModelProfile, request: Request) -> Reply:
        """Ask one model until it answers, its tries are used up, or the time is.

        This is the only place where a call is repeated. What lost replies have cost is on the account all the same. A
        pause is never longer than the wait for a reply would be.
        """
        carrier, lost = self._carrier(profile), Usage()
        for attempt in range(profile.retries + 1):
            last, after = attempt == profile.retries, 0.0
            try:
                reply = carrier.send(self._in_time(profile), request)
                if last or not _says_nothing(reply, request):
                    return reply.model_copy(update={"usage": reply.usage + lost})
                lost = lost + reply.usage
            except RetryableError as error:
                lost, after = lost + error.spent, error.after
                if last or _pause(attempt, after) >= min(self._left(), max(_LONGEST_WAIT, profile.timeout_seconds)):
                    self._charge_lost(profile, lost)
                    raise
            except SolonError:
                self._charge_lost(profile, lost)
                raise
            self.wait(_pause(attempt, after))
        raise AssertionError("unreachable: the last try returns or raises")

    def _charge_lost(self, profile: ModelProfile, lost: Usage) -> None:
        if lost.calls:
            self.ledger.charge(profile.kind, profile.name, lost, role=self.role)

    def _left(self) -> float:
        """Seconds until the caller has no more use for a reply."""
        return self.deadline - time.monotonic()

    def _in_time(self, profile: ModelProfile) -> ModelProfile:
        """Return the profile with the time that is left, so that a retry or a fallback cannot outlast the caller."""
        left = max(_LEAST_WAIT, self._left())
        return profile if left >= profile.timeout_seconds else profile.model_copy(update={"timeout_seconds": left})

    def _carrier(self, profile: ModelProfile) -> Transport:
        if self.transport is not None:
            return self.transport
        if profile.name not in self._carriers:
            self._carriers[profile.name] = transport_for(profile)
        return self._carriers[profile.name]


def _pause(attempt: int, after: float) -> float:
    """Return the seconds before the next try; ``after`` is what the endpoint asks for."""
    return max(after, min(_LONGEST_WAIT, 2.0**attempt))


def _says_nothing(reply: Reply, request: Request) -> bool:
    """Whether a chat reply is no answer: no words, and no tool call that was open to it.

    A reply that was cut off at its length, or by a filter, would be so again.
    """
    if not request.messages or reply.finish_reason in ("length", "content_filter"):
        return False
    return not reply.text.strip() and not (reply.tool_calls and request.tools)
