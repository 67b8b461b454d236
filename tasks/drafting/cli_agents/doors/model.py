"""The door to the model: forwards what an agent asks to the cell's one model, counts it, and ends it at the budget.

The agent never sees a key, cannot choose another model or another address, and gets nothing from the provider but
words: see ``guarding``. A refusal of ours is told in the form of the agent's protocol, so that it can be read there.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tasks.drafting.cli_agents.doors.guarding import guarded, remote
from tasks.drafting.cli_agents.doors.serving import Receive, Scope, Send, answer, body_of, lifespan
from tasks.drafting.cli_agents.doors.target import PATHS, Target
from tasks.drafting.cli_agents.doors.usage import Meter
from tasks.drafting.cli_agents.records import Speech
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.secrets import redact_keys, strike_keys
from tasks.matter.usage import Usage
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile

_LARGEST = 64 * 2**20
_MOST_FAILURES = 8  # answers in a row that were none; they have retried with growing waits by then
_MOST_AT_ONCE = 8  # calls; each is let in before the cost of the others is known
_LOGIN = frozenset({401, 402, 403})


@dataclass
class ModelDoor:
    """An ASGI application. Safe to look at from another thread.

    Attributes:
        turns: Calls that may be made.
        price: What a usage costs, with where the price is from.
        flow: Logs by hash what the model is sent; returns the key of the request.
        transport: Replaces the network (tests).
        stop: Why no further call is answered; None while all is well.
        last: What the last answer failed with; None where it was one.
        calls: Answers that were given.
        waiting: Calls under way.
        heard: When something last passed (monotonic).
        taken: Names of what was taken out of requests.
    """

    target: Target
    profile: ModelProfile
    ledger: Ledger
    turns: int
    price: Callable[[Usage], Usage]
    flow: Callable[[Mapping[str, Any]], str]
    transport: Any = None
    stop: Failure | None = None
    last: Failure | None = None
    calls: int = 0
    waiting: int = 0
    heard: float = field(default_factory=time.monotonic)
    taken: set[str] = field(default_factory=set)
    _bad: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

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
            listed = {"object": "list", "data": [{"id": self.target.model, "object": "model", "created": 0}]}
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
        if speech not in self.target.provider.speaks:
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
        body, taken = guarded(body, self.profile.max_output_tokens)
        self.taken.update(taken)
        body["model"] = self.target.model
        if speech == "chat" and body.get("stream"):
            body["stream_options"] = {**(body.get("stream_options") or {}), "include_usage": True}
        self.waiting += 1
        try:
            await self._unless_left(self._forward(path, speech, body, _headers(scope), send), receive)
        finally:
            self.waiting -= 1
            self.heard = time.monotonic()

    def _why_not(self) -> Failure | None:
        """Return why no further call is made: the account is looked at before each."""
        if self.stop is None:
            try:
                self.ledger.check()
                if self.calls >= self.turns:
                    message = f"The {self.turns} turns of this attempt are used up."
                    remedy = "Raise max_turns in the limits of the cell."
                    self.stop = self._failure(FailureCause.BUDGET, message, remedy)
            except SolonError as error:
                self.stop = error.failure
        return self.stop

    async def _unless_left(self, work: Any, receive: Receive) -> None:
        """Do the work unless whoever asked is gone: a killed agent's answers are not paid for to their end."""
        working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (working, leaving):
                task.cancel()
            ended = await asyncio.gather(working, leaving, return_exceptions=True)
        if isinstance(ended[0], Exception):
            raise ended[0]

    async def _forward(
        self, path: str, speech: Speech, body: Mapping[str, Any], given: Mapping[str, str], send: Send
    ) -> None:
        import httpx

        data, key = json.dumps(body).encode(), self.flow(body)
        timeout = httpx.Timeout(self.profile.timeout_seconds, connect=30.0)
        # No proxy, no .netrc and no certificate of the environment: the target alone decides where a key goes.
        async with httpx.AsyncClient(timeout=timeout, transport=self.transport, trust_env=False) as client:
            asked = client.build_request(
                "POST", self.target.address(path), content=data, headers=self.target.headers(given)
            )
            try:
                came = await client.send(asked, stream=True)
            except httpx.HTTPError as error:
                await self._broken(send, speech, error)
                return
            try:
                if came.status_code >= 400:
                    await self._passed_failure(came, not path.endswith("count_tokens"), send)
                else:
                    await self._passed(came, path, Meter(speech, len(data)), key, send)
            finally:
                await came.aclose()

    async def _passed(self, came: Any, path: str, meter: Meter, key: str, send: Send) -> None:
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
                self._charge(meter.usage(), key)
        if broken is not None:
            self._note(self._failure(FailureCause.PROVIDER, f"The answer broke off ({type(broken).__name__})."))
            raise ConnectionError("the answer broke off")  # the server closes the connection: the agent sees the same
        if streamed:
            await send({"type": "http.response.body", "body": b""})
        self._note(None)

    async def _passed_failure(self, came: Any, counted: bool, send: Send) -> None:
        said = redact_keys((await came.aread())[:20_000].decode("utf-8", "replace"), (self.target.key,))
        failure = self._failure(
            FailureCause.PROVIDER, f"The endpoint answered {came.status_code}: {' '.join(said.split())[:300]}"
        )
        if counted and came.status_code in _LOGIN:
            where = self.profile.api_key_env or self.target.provider.key_env
            failure = failure.model_copy(update={"remedy": f"Set a valid key in {where}."})
            self.stop = self.stop or failure
        if counted:  # a server that counts no tokens refuses that alone
            self._note(failure)
        await answer(send, came.status_code, said.encode(), came.headers.get("content-type", "application/json"))

    async def _broken(self, send: Send, speech: Speech, error: Exception) -> None:
        import httpx

        late = isinstance(error, httpx.TimeoutException)
        cause = FailureCause.TIMEOUT if late else FailureCause.PROVIDER
        failure = self._failure(cause, f"The endpoint did not answer ({type(error).__name__}).", "Try again later.")
        self._note(failure)
        await _refuse(send, speech, 504 if late else 502, failure.message)

    def _note(self, failure: Failure | None) -> None:
        with self._lock:
            self.last = failure
            self._bad = self._bad + 1 if failure else 0
            if failure and self._bad >= _MOST_FAILURES:
                self.stop = self.stop or failure

    def _charge(self, usage: Usage, key: str) -> None:
        with self._lock:
            self.calls += 1
            self.ledger.charge("chat", self.profile.name, self.price(usage), key)

    def _clean(self, data: bytes) -> bytes:
        """Strike the key: an endpoint, or what stands before it, may repeat it."""
        key = self.target.key
        if len(key) < 8:
            return data
        return strike_keys(data.decode("utf-8", "surrogateescape"), (key,)).encode("utf-8", "surrogateescape")

    def _failure(self, cause: FailureCause, message: str, remedy: str = "") -> Failure:
        return Failure(cause=cause, stage="models", subject=self.profile.name, message=message, remedy=remedy)


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


async def _refuse(send: Send, speech: Speech, status: int, why: str) -> None:
    """Say no in the form in which the agent's protocol says it."""
    kind = "invalid_request_error" if status == 400 else "api_error"
    error = {"type": kind, "message": f"Solon: {why}"}
    body = {"type": "error", "error": error} if speech == "messages" else {"error": {**error, "code": kind}}
    await answer(send, status, json.dumps(body).encode())
