"""Compute on Dask: a local cluster of processes for the run, or a scheduler by address."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from flows.compute.guard import exit_past, full_disk, guarded
from flows.compute.protocol import JUDGE_ONLY, Resources, missing
from tasks.matter.failures import Failure, FailureCause, SolonError
from warehouse.disk import full_place, is_full


def _body(
    fn: Callable[..., Any], stage: str, seconds: float | None, role: str, topic: str, args: tuple[Any, ...]
) -> Any:
    from distributed import get_worker

    os.environ["SOLON_ROLE"], began = role, time.monotonic()
    with exit_past(seconds):  # a Dask body runs in a thread, where no alarm can reach it
        made = guarded(fn, args, stage, seconds)
    get_worker().log_event(topic, time.monotonic() - began)  # a future of Dask is its result alone
    return made


@dataclass
class DaskHandle:
    """A Dask future."""

    future: Any
    resources: Resources
    closed: threading.Event
    topic: str
    worked: float | None = None

    def ready(self) -> None:
        """Wait; the result stays with its worker."""
        from distributed import wait

        self._asked(wait, self.future)
        if self.future.status != "finished":
            self.result()
        for _, seconds in self._asked(self.future.client.get_events, self.topic):
            self.worked = float(seconds)

    def result(self) -> Any:
        """Fetch the result."""
        return self._asked(self.future.result)

    def _asked(self, question: Callable[..., Any], *args: Any) -> Any:
        stage = self.resources.stage
        try:
            if not self.closed.is_set():
                return question(*args)
        except SolonError:
            raise
        except Exception as exc:  # noqa: BLE001 - process boundary: Dask re-raises whatever its workers met
            if not self.closed.is_set():
                message = f"{type(exc).__name__}: {exc}"[:300]
                failure = Failure(cause=FailureCause.UNKNOWN, stage=stage, subject=stage, message=message)
                raise SolonError(full_disk(stage, full_place(exc)) if is_full(exc) else failure) from None
        raise CancelledError  # nobody's failure: the run was stopped


class DaskCompute:
    """Implements ``Compute`` on Dask. Workers are tagged by role, so judge bodies have processes of their own."""

    name = "dask"

    def __init__(self, address: str, workers: int, env: Mapping[str, str]) -> None:
        from distributed import Client, Nanny, Scheduler, SpecCluster

        self._closed = threading.Event()
        if address:
            self._cluster = None
            self._client = Client(address)
        else:
            size = workers or os.cpu_count() or 1
            root = str(Path(__file__).resolve().parents[2])
            environ = {**env, "PYTHONPATH": os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH", "")) if p)}

            def spec(role: str) -> dict[str, Any]:
                hide = dict.fromkeys(JUDGE_ONLY, "") if role == "solver" else {}
                options = {
                    "nthreads": 1,
                    "resources": {role: 1},
                    "env": {**environ, **hide, "SOLON_ROLE": role},
                    "silence_logs": 40,
                }
                return {"cls": Nanny, "options": options}

            specs = {f"solver-{i}": spec("solver") for i in range(size)} | {"judge-0": spec("judge")}
            scheduler = {"cls": Scheduler, "options": {"dashboard": False, "dashboard_address": ":0"}}
            self._cluster = SpecCluster(workers=specs, scheduler=scheduler, silence_logs=40)
            self._client = Client(self._cluster)
        self._client.wait_for_workers(1)
        self.slots = max(1, len(self._client.scheduler_info().get("workers", {})) - 1)

    def submit(self, fn: Callable[..., Any], *args: Any, resources: Resources) -> DaskHandle:
        """Submit a body; handles among the arguments become futures."""
        if self._closed.is_set():
            raise CancelledError
        refs = tuple(a.future if isinstance(a, DaskHandle) else a for a in args)
        wanted = {resources.role: 1.0, **dict(resources.custom)}
        if resources.gpus:
            wanted["GPU"] = resources.gpus
        topic = f"solon-{uuid4().hex}"
        future = self._client.submit(
            _body,
            fn,
            resources.stage,
            resources.seconds,
            resources.role,
            topic,
            refs,
            pure=False,
            resources=wanted,
            retries=0,
        )
        return DaskHandle(future, resources, self._closed, topic)

    def preflight(self, wanted: Mapping[str, float]) -> None:
        """Check the declared resources of the workers: each needs ``solver`` or ``judge``, and the custom ones."""
        have: dict[str, float] = {"CPU": float(self.slots)}
        for worker in self._client.scheduler_info().get("workers", {}).values():
            for name, amount in (worker.get("resources") or {}).items():
                have[name] = have.get(name, 0.0) + float(amount)
        missing(have, {**wanted, "solver": 1.0, "judge": 1.0})

    def close(self) -> None:
        """Leave the cluster; a local one ends with this."""
        self._closed.set()
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()
