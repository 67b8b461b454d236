"""The proxy to the model: forwards what an agent asks to the model of the cell, counts it, and ends it at the budget.

A model that does not speak the agent's protocol is asked by litellm, and its reply is told in the agent's own
(``translating``, ``telling``). Where an endpoint fails before a word of its answer came, the fallbacks of the profile
are asked in order, as for the runtimes of our own. The agent never sees a key, cannot choose another model or another
address, and gets nothing from the provider but words: see ``guarding``. A refusal of ours is told in the form of the
agent's protocol, so that it can be read there.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from tasks.drafting.cli_agents.proxies.aims import Aim, asked_wait, passes
from tasks.drafting.cli_agents.proxies.carrying import Carriers
from tasks.drafting.cli_agents.proxies.guarding import guarded, names_offered, remote
from tasks.drafting.cli_agents.proxies.serving import Receive, Scope, Send, answer, body_of, lifespan
from tasks.drafting.cli_agents.proxies.target import PATHS
from tasks.drafting.cli_agents.proxies.telling import told
from tasks.drafting.cli_agents.proxies.translating import UnreadableRequestError, translated
from tasks.drafting.cli_agents.proxies.usage import UsageMeter
from tasks.drafting.cli_agents.records import Speech
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.secrets import redact_keys, strike_keys
from tasks.matter.usage import Usage
from tasks.models.client import FALL_BACK
from tasks.models.cooling import Cooling, of_this_process
from tasks.models.ledger import Ledger
from tasks.models.records import RetryableError
from tasks.models.transports.errors import LOGIN

_LARGEST = 64 * 2**20  # bytes of a request: more than any context, with images
_MOST_FAILURES = 8  # answers in a row that were none; they have retried with growing waits by then
_MOST_AT_ONCE = 8  # calls; each is let in before the cost of the others is known
_SHORTEST_KEY = 8  # characters; a shorter one would strike words of the answer; no provider's key is so short
_NO_SUCH_PATH = frozenset({404, 405, 501})
_STATUS = {FailureCause.LOGIN: 401, FailureCause.TIMEOUT: 504, FailureCause.CAPACITY: 400}


@dataclass
class ModelProxy:
    """An ASGI application. Safe to look at from another thread.

    Attributes:
        aims: Who may answer: the profile of the cell, then its fallbacks.
        speech: The protocol that the agent speaks.
        turns: Calls that may be made.
        flow: Logs by hash what the model is sent; returns the key of the request.
        transport: Replaces the network (tests).
        carriers: Ask the models that are spoken to in another protocol.
        stop: Why no further call is answered; None while all is well.
        last: What the last answer failed with; None where it was one.
        calls: Answers that were given.
        waiting: Calls under way.
        heard: When something last passed (monotonic).
        taken: Names of what was taken out of requests.
        offered: Names of the tools that the requests offered the model.
        answered: How many answers each profile gave, by name.
        translated: Names of the profiles whose answers were translated.
        cooling: Endpoints that failed lately; they are asked last.
    """

    aims: Sequence[Aim]
    speech: Speech
    ledger: Ledger
    turns: int
    flow: Callable[[Mapping[str, Any]], str]
    transport: Any = None
    carriers: Carriers = field(default_factory=Carriers)
    stop: Failure | None = None
    last: Failure | None = None
    calls: int = 0
    waiting: int = 0
    heard: float = field(default_factory=time.monotonic)
    taken: set[str] = field(default_factory=set)
    offered: set[str] = field(default_factory=set)
    answered: Counter[str] = field(default_factory=Counter)
    translated: set[str] = field(default_factory=set)
    cooling: Cooling = field(default_factory=of_this_process)
    _bad: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def model(self) -> str:
        """The name of the model that the agent uses."""
        return self.aims[0].model

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key that is sent; none may appear in an answer."""
        return tuple(aim.key for aim in self.aims)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "lifespan":
            await lifespan(receive, send)
            return
        self.heard = time.monotonic()
        method, path = scope["method"], scope["path"]
        if method == "HEAD" and path == "/":
            await answer(send, 200, b"")
        elif method == "GET" and path == "/v1/models":
            listed = {"object": "list", "data": [{"id": self.model, "object": "model", "created": 0}]}
            await answer(send, 200, json.dumps(listed).encode())
        elif method == "POST" and path in PATHS:
            await self._post(path, scope, receive, send)
        else:
            await _refuse(send, "messages", 404, "There is nothing here but the model.")

    async def _post(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        speech = PATHS[path]
        try:
            raw = await body_of(receive, _LARGEST)
            body = json.loads(raw) if raw is not None else None
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            await _refuse(send, speech, 400, f"A request is one JSON object of at most {_LARGEST} bytes.")
            return
        if speech != self.speech:
            await _refuse(send, speech, 404, "The model of this cell is not asked in this protocol.")
            return
        if (why := self._why_not()) is not None:
            await _refuse(send, speech, 400, why.line())
            return
        if self.waiting >= _MOST_AT_ONCE:
            await _refuse(send, speech, 429, f"At most {_MOST_AT_ONCE} calls at once.")
            return
        if found := remote(body):
            self.taken.add(found.partition(" ")[0])
            await _refuse(send, speech, 400, f"The model is sent no address and no stored file ({found}).")
            return
        self.waiting += 1
        try:
            await self._unless_left(self._forward(path, body, _headers(scope), send), receive)
        finally:
            self.waiting -= 1
            self.heard = time.monotonic()

    def _why_not(self) -> Failure | None:
        """Say why no further call is made; the budget is checked before each call."""
        if self.stop is None:
            try:
                self.ledger.check()
                if self.calls >= self.turns:
                    message = f"The {self.turns} turns of this attempt are used up."
                    remedy = "Raise max_turns in the limits of the cell."
                    self.stop = _failure(self.aims[0], FailureCause.BUDGET, message, remedy)
            except SolonError as error:
                self.stop = error.failure
        return self.stop

    async def _unless_left(self, work: Any, receive: Receive) -> None:
        """Do the work unless the caller has gone: the answer to a killed agent is not paid for to its end."""
        working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (working, leaving):
                task.cancel()
            ended = await asyncio.gather(working, leaving, return_exceptions=True)
        if isinstance(ended[0], Exception):
            raise ended[0]

    async def _forward(self, path: str, body: Mapping[str, Any], given: Mapping[str, str], send: Send) -> None:
        """Ask one aim after the other until one answers; if none does, the agent is told the last failure."""
        self.offered |= names_offered(body)
        key, aims = self.flow(body), self._in_order()
        for aim in aims:
            last, name = aim is aims[-1], aim.profile.name
            if aim.target is not None and name not in self.translated:
                if await self._passed_on(aim, path, body, given, key, send, last):
                    return
                if name not in self.translated:  # it failed, and so would a translation
                    continue
            if await self._translated(aim, path, body, key, send, last):
                return

    async def _passed_on(
        self, aim: Aim, path: str, body: Mapping[str, Any], given: Mapping[str, str], key: str, send: Send, last: bool
    ) -> bool:
        """Ask an aim in the agent's own protocol; returns whether the agent has its answer."""
        import httpx

        assert aim.target is not None
        data = self._worded(aim, body)
        timeout = httpx.Timeout(aim.profile.timeout_seconds, connect=30.0)
        # No proxy, no .netrc and no certificate of the environment: the target alone decides where a key goes.
        async with httpx.AsyncClient(transport=self.transport, trust_env=False) as client:
            address, headers = aim.target.address(path), aim.target.headers(given)
            asked = client.build_request("POST", address, content=data, headers=headers, timeout=timeout)
            try:
                came = await client.send(asked, stream=True)
            except httpx.HTTPError as error:
                self.cooling.failed(aim.profile, 0.0)
                if last:
                    await self._broken(aim, send, error)
                return last
            try:
                return await self._taken(aim, came, path, UsageMeter(self.speech, len(data)), key, send, last)
            finally:
                await came.aclose()

    async def _taken(self, aim: Aim, came: Any, path: str, meter: UsageMeter, key: str, send: Send, last: bool) -> bool:
        """Hand on what came of a request; returns whether it was anything that the agent is told."""
        counting = path.endswith("count_tokens")
        if came.status_code in _NO_SUCH_PATH and self.speech != "chat" and not counting:
            self.translated.add(aim.profile.name)  # a server that knows chat completions alone
            return False
        if passes(came.status_code):
            self.cooling.failed(aim.profile, asked_wait(came.headers.get("retry-after")))
            if not last:
                return False
        if came.status_code >= HTTPStatus.BAD_REQUEST:
            await self._passed_failure(aim, came, not counting, send)
        else:
            await self._passed(aim, came, path, meter, key, send)
        return True

    async def _translated(self, aim: Aim, path: str, body: Mapping[str, Any], key: str, send: Send, last: bool) -> bool:
        """Ask an aim by litellm and tell its reply in the agent's protocol; returns whether the agent has an answer."""
        kept, taken = guarded(body, aim.profile.max_output_tokens)
        self.taken.update(taken)
        try:
            asked = translated(self.speech, kept)
        except UnreadableRequestError as error:
            await _refuse(send, self.speech, 400, f"This is no request that can be read ({error}).")
            return True
        if path.endswith("count_tokens"):
            await answer(send, 200, json.dumps({"input_tokens": asked.tokens(aim.profile)}).encode())
            return True
        self.taken.update(asked.left)
        if why := asked.why_not(aim.profile):
            if last:
                self._note(_failure(aim, FailureCause.INPUT, f"{why[0].upper()}{why[1:]}."))
                await _refuse(send, self.speech, 400, f"{why}. Use a profile whose model can.")
            return last
        try:
            reply = await self.carriers.send(asked.within(aim.profile), asked.request)
        except SolonError as error:
            return await self._untold(aim, error, key, send, last)
        except asyncio.CancelledError:  # the agent left: what its model goes on writing is not waited for
            self._charge(aim, aim.priced(UsageMeter(self.speech, len(json.dumps(kept))).usage()), key)
            raise
        self.translated.add(aim.profile.name)
        self._charge(aim, reply.usage, key)
        self._note(None)
        kind, data = told(self.speech, self.model, reply, asked, bool(body.get("stream")))
        await answer(send, 200, self._clean(data), kind)
        return True

    async def _untold(self, aim: Aim, error: SolonError, key: str, send: Send, last: bool) -> bool:
        """Account for a call that failed; tell the agent where no other model is left to ask."""
        failure = error.failure
        if isinstance(error, RetryableError):
            self.cooling.failed(aim.profile, error.after)
            if error.spent.calls:
                self._charge(aim, error.spent, key)
        if not last and failure.cause in FALL_BACK:
            return False
        if failure.cause is FailureCause.LOGIN:
            self.stop = self.stop or failure
        self._note(failure)
        full = failure.cause is FailureCause.CAPACITY
        said = f"prompt is too long: {failure.message}" if full else failure.message
        status = _STATUS.get(failure.cause, 502 if isinstance(error, RetryableError) else 400)
        await _refuse(
            send, self.speech, status, redact_keys(said, self.keys), "context_length_exceeded" if full else ""
        )
        return True

    def _in_order(self) -> list[Aim]:
        """Return the aims in the order to ask them; those that failed recently come last."""
        by_name = {aim.profile.name: aim for aim in self.aims}
        return [by_name[profile.name] for profile in self.cooling.order([aim.profile for aim in self.aims])]

    def _worded(self, aim: Aim, body: Mapping[str, Any]) -> bytes:
        """Return a request as sent to one aim: with its model, its sampling and its longest reply."""
        kept, taken = guarded(body, aim.profile.max_output_tokens)
        self.taken.update(taken)
        kept |= {"model": aim.model, **aim.sampled(kept)}
        if self.speech == "chat" and kept.get("stream"):
            kept["stream_options"] = {**(kept.get("stream_options") or {}), "include_usage": True}
        return json.dumps(kept).encode()

    async def _passed(self, aim: Aim, came: Any, path: str, meter: UsageMeter, key: str, send: Send) -> None:
        """Pass an answer on as it comes, and charge it however it ends."""
        import httpx

        streamed = "event-stream" in came.headers.get("content-type", "")
        broken: Exception | None = None
        try:
            if streamed:
                kind = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache")]
                await send({"type": "http.response.start", "status": 200, "headers": kind})
                async for line in _lines(came.aiter_bytes()):
                    meter.line(line)
                    self.heard = time.monotonic()
                    await send({"type": "http.response.body", "body": self._clean(line), "more_body": True})
            else:
                whole = await came.aread()
                meter.whole(whole)
                await answer(send, 200, self._clean(whole))
        except httpx.HTTPError as error:
            broken = error
        finally:
            if not path.endswith("count_tokens"):
                self._charge(aim, aim.priced(meter.usage()), key)
        if broken is not None:
            self._note(_failure(aim, FailureCause.PROVIDER, f"The answer broke off ({type(broken).__name__})."))
            raise ConnectionError("the answer broke off")  # the server closes the connection: the agent sees the same
        if streamed:
            await send({"type": "http.response.body", "body": b""})
        self._note(None)

    async def _passed_failure(self, aim: Aim, came: Any, counted: bool, send: Send) -> None:
        said = redact_keys((await came.aread())[:20_000].decode("utf-8", "replace"), self.keys)
        message = f"The endpoint answered {came.status_code}: {' '.join(said.split())[:300]}"
        failure = _failure(aim, FailureCause.PROVIDER, message)
        if counted and came.status_code in LOGIN:
            failure = _failure(aim, FailureCause.LOGIN, message, f"Set a valid key in {aim.key_variable}.")
            self.stop = self.stop or failure
        if counted:  # a server that counts no tokens refuses that alone
            self._note(failure)
        await answer(send, came.status_code, said.encode(), came.headers.get("content-type", "application/json"))

    async def _broken(self, aim: Aim, send: Send, error: Exception) -> None:
        import httpx

        late = isinstance(error, httpx.TimeoutException)
        cause = FailureCause.TIMEOUT if late else FailureCause.PROVIDER
        failure = _failure(aim, cause, f"The endpoint did not answer ({type(error).__name__}).", "Try again later.")
        self._note(failure)
        await _refuse(send, self.speech, 504 if late else 502, failure.message)

    def _note(self, failure: Failure | None) -> None:
        with self._lock:
            self.last = failure
            self._bad = self._bad + 1 if failure else 0
            if failure and self._bad >= _MOST_FAILURES:
                self.stop = self.stop or failure

    def _charge(self, aim: Aim, usage: Usage, key: str) -> None:
        with self._lock:
            self.calls += 1
            self.answered[aim.profile.name] += 1
            self.ledger.charge("chat", aim.profile.name, usage, key)

    def _clean(self, data: bytes) -> bytes:
        """Remove the keys: an endpoint, or a proxy before it, may repeat its own."""
        keys = tuple(key for key in self.keys if len(key) >= _SHORTEST_KEY)
        if not keys:
            return data
        return strike_keys(data.decode("utf-8", "surrogateescape"), keys).encode("utf-8", "surrogateescape")


def _failure(aim: Aim, cause: FailureCause, message: str, remedy: str = "") -> Failure:
    return Failure(cause=cause, stage="models", subject=aim.profile.name, message=message, remedy=remedy)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield a stream by lines, so that neither an event nor a key is seen in halves."""
    rest = b""
    async for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line + b"\n"
    if rest:
        yield rest


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


async def _refuse(send: Send, speech: Speech, status: int, why: str, code: str = "") -> None:
    """Refuse in the form of the agent's protocol."""
    kind = {400: "invalid_request_error", 401: "authentication_error"}.get(status, "api_error")
    error = {"type": kind, "message": f"Solon: {why}"}
    body = {"type": "error", "error": error} if speech == "messages" else {"error": {**error, "code": code or kind}}
    await answer(send, status, json.dumps(body).encode())
