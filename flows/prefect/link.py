"""Calls to the Prefect server that can neither fail nor delay a run: after one failed call, none is made."""

from __future__ import annotations

import contextvars
import logging
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from flows.prefect.server import reachable
from flows.runs.progress import write_status

T = TypeVar("T")

_SOON, _SECONDS = 2.0, 20.0  # a slow call is given up: soon when nothing answers, else when SQLite had its time


class Link:
    """The connection of one run to the server; a call that fails or takes too long closes it for the run."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds, self._lock, self._cut = seconds, threading.Lock(), False

    @property
    def cut(self) -> bool:
        """Whether the connection is closed for the rest of the run."""
        return self._cut

    def ask(self, what: str, call: Callable[..., T], *arguments: Any, **named: Any) -> T | None:
        """Return the answer of a call; None when it failed, took too long, or the link is cut.

        Args:
            what: What the call records; named in the message if it fails.
            call: Sends the request to the server.
            arguments: Positional arguments of the call.
            named: Keyword arguments of the call.
        """
        if self._cut:
            return None
        outcome: list[T] = []
        errors: list[BaseException] = []

        def asked() -> None:
            try:
                outcome.append(call(*arguments, **named))
            except BaseException as exc:  # noqa: BLE001 - process boundary: records never decide about the run
                errors.append(exc)

        # Prefect knows the run it belongs to from its context; it retries for a minute, so that it must be left behind
        thread = threading.Thread(target=contextvars.copy_context().run, args=(asked,), daemon=True)
        thread.start()
        thread.join(_SOON)
        if thread.is_alive() and not reachable(os.environ.get("PREFECT_API_URL", "")):
            self.give_up("it does not answer")
        else:
            thread.join(self._seconds)
        if errors and answered(errors[0]):
            write_status(f"{what} not recorded: {type(errors[0]).__name__}")
        elif errors:
            self.give_up(type(errors[0]).__name__)
        elif not self._cut and thread.is_alive():
            self.give_up(f"no answer for {self._seconds:g} s")
        return outcome[0] if outcome else None

    def give_up(self, why: str) -> None:
        """Close the connection for good, and report this once."""
        with self._lock:
            said, self._cut = self._cut, True
        if not said:
            write_status(
                f"The Prefect server does not record this run any more ({why}). The run goes on without its records."
            )
            _end_quietly()


def answered(error: BaseException) -> bool:
    """Whether an error came from the server itself, not from the attempt to reach it."""
    import httpx

    return not isinstance(error, (httpx.TransportError, OSError))


def _end_quietly() -> None:
    """Make the calls that Prefect itself still makes fail at once, without a long log entry for each."""
    logging.getLogger("prefect._internal.concurrency").disabled = True
    logging.raiseExceptions = False  # of its log handler
    os.environ["PREFECT_CLIENT_MAX_RETRIES"] = "0"
    if "prefect.context" in sys.modules:
        sys.modules["prefect.context"].refresh_global_settings_context()
