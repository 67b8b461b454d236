"""Lands ended attempts while a run goes on, so that the warehouse shows scores before the end."""

from __future__ import annotations

import threading
import time
from types import TracebackType

from flows.compute.protocol import Compute, Resources
from flows.runs import judge_side
from flows.runs.progress import write_status
from flows.settings import Settings
from tasks.matter.failures import SolonError


class Feed:
    """Lands at most once in ``settings.land_seconds``, beside the attempts; used as a context manager.

    A landing that cannot be made costs the run nothing: the one at its end lands everything, and says what is wrong.
    """

    def __init__(self, run_id: str, settings: Settings, compute: Compute) -> None:
        self._run_id, self._settings, self._compute = run_id, settings, compute
        self._landing: threading.Thread | None = None
        self._last = time.monotonic()
        self._lock = threading.Lock()

    def __enter__(self) -> Feed:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        if self._landing is not None and kind is None:
            self._landing.join()

    def note(self) -> None:
        """Note that an attempt has ended, and begin a landing when one is due and none goes on."""
        with self._lock:
            every = self._settings.land_seconds
            busy = self._landing is not None and self._landing.is_alive()
            if not every or busy or time.monotonic() - self._last < every:
                return
            self._landing = threading.Thread(target=self._land, name="landing", daemon=True)
            self._landing.start()

    def _land(self) -> None:
        need = Resources(stage="land", role="judge", seconds=self._settings.stage_seconds)
        try:
            self._compute.submit(judge_side.land_so_far, self._settings, self._run_id, resources=need).result()
        except SolonError as exc:
            write_status(f"what has ended so far is not in the warehouse yet: {exc}")
        finally:
            self._last = time.monotonic()
