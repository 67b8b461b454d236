"""Asks models by the transports of the model layer, from the event loop of a proxy."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from dataclasses import dataclass, field

from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request, Transport
from tasks.models.transports import transport_for


@dataclass
class Carriers:
    """The transports of one proxy.

    Attributes:
        instead: Replaces them all (tests).
    """

    instead: Transport | None = None
    _made: dict[str, Transport] = field(default_factory=dict)

    async def send(self, profile: ModelProfile, request: Request) -> Reply:
        """Return the reply of a model.

        It is asked once, in a thread that nobody waits for where the asking is given up: the proxy closes at once.

        Raises:
            SolonError: As the transport.
        """
        loop = asyncio.get_running_loop()
        came: asyncio.Future[Reply] = loop.create_future()

        def ask() -> None:
            try:
                reply, error = self._of(profile).send(profile, request), None
            except BaseException as failure:  # noqa: BLE001 - a thread's end: handed to whoever waits
                reply, error = None, failure
            with contextlib.suppress(RuntimeError):  # the proxy has closed
                loop.call_soon_threadsafe(_settle, came, reply, error)

        threading.Thread(target=ask, name="solon-model", daemon=True).start()
        return await came

    def _of(self, profile: ModelProfile) -> Transport:
        if self.instead is not None:
            return self.instead
        if profile.name not in self._made:
            self._made[profile.name] = transport_for(profile)
        return self._made[profile.name]


def _settle(came: asyncio.Future[Reply], reply: Reply | None, error: BaseException | None) -> None:
    if came.done():  # given up
        return
    if error is not None:
        came.set_exception(error)
    elif reply is not None:
        came.set_result(reply)
