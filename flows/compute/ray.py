"""Compute on Ray: a local instance for the run, or a cluster by address."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.compute.embedders import ACTORS, Pool, lent_by_cluster, start_actors
from flows.compute.guard import exit_past, full_disk, guarded
from flows.compute.protocol import JUDGE_ONLY, Resources, missing
from flows.prefect.processes import owned, sweep_owned
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.interpreter import SAFE_PATH, import_path, safe_children
from tasks.models.loading import MODELS_VARIABLE, profiles_in_force, resolve_profile


def _body(fn: Callable[..., Any], stage: str, seconds: float | None, *args: Any) -> tuple[Any, float]:
    began = time.monotonic()
    with exit_past(seconds), lent_by_cluster():
        made = guarded(fn, args, stage, seconds)
    return made, time.monotonic() - began  # the second return says that the first is there


@contextlib.contextmanager
def _handlers_kept() -> Iterator[None]:
    """Keep our own SIGTERM handler: ``ray.init`` replaces it by one that exits at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    except SystemExit:  # told to end while Ray was starting
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGTERM, before)


@dataclass
class RayHandle:
    """A reference into Ray's object store."""

    ref: Any
    ended: Any
    resources: Resources
    closed: threading.Event
    worked: float | None = None

    def ready(self) -> None:
        """Wait; the result stays in the object store."""
        self.worked = self._get(self.ended)

    def result(self) -> Any:
        """Fetch the result (its worker enforces the wall limit)."""
        return self._get(self.ref)

    def _get(self, ref: Any) -> Any:
        import ray

        if self.closed.is_set():  # Ray would start a new instance to answer
            raise CancelledError
        try:
            return ray.get(ref)
        except ray.exceptions.RayTaskError as exc:
            cause = exc.cause if isinstance(exc.cause, SolonError) else None
            raise cause or self._failed(FailureCause.UNKNOWN, str(exc).splitlines()[-1][:300]) from None
        except ray.exceptions.OutOfDiskError:
            message = "no space left on the disk of Ray's object store"
            raise SolonError(full_disk(self.resources.stage, message)) from None
        except ray.exceptions.RayError as exc:
            if self.closed.is_set():  # nobody's failure: the run was stopped
                raise CancelledError from None
            cause_ = FailureCause.CAPACITY if "OutOfMemory" in type(exc).__name__ else FailureCause.UNKNOWN
            raise self._failed(cause_, f"{type(exc).__name__}: worker lost") from None

    def _failed(self, cause: FailureCause, message: str) -> SolonError:
        stage = self.resources.stage
        return SolonError(Failure(cause=cause, stage=stage, subject=stage, message=message))


class RayCompute:
    """Implements ``Compute`` on Ray. It never calls ``ray stop``, which would end other people's clusters."""

    name = "ray"

    def __init__(self, address: str, env: Mapping[str, str]) -> None:
        os.environ.update({k: env[k] for k in ("RAY_USAGE_STATS_ENABLED", "RAY_ENABLE_UV_RUN_RUNTIME_ENV")})
        import ray
        from ray.job_config import JobConfig

        self._env = {**env, **SAFE_PATH, "PYTHONPATH": import_path()}
        options: dict[str, Any] = {"address": address} if address else {"include_dashboard": False}
        sweep_owned()  # a killed driver leaves two agents of its local Ray behind
        with owned(), safe_children(), _handlers_kept():
            ray.init(
                ignore_reinit_error=False,
                log_to_driver=False,
                logging_level="ERROR",
                configure_logging=False,
                # As for a job of another machine: else Ray puts our working folder first on the path of its workers.
                job_config=JobConfig(_client_job=True),
                **options,
            )
        self._remote = ray.remote(_body)
        self._embedders: list[Any] = []
        self._closed = threading.Event()
        self.slots = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, fn: Callable[..., Any], *args: Any, resources: Resources) -> RayHandle:
        """Submit a body; handles among the arguments become references."""
        if self._closed.is_set():
            raise CancelledError
        refs = tuple(a.ref if isinstance(a, RayHandle) else a for a in args)
        hidden = () if resources.role == "judge" else JUDGE_ONLY
        options: dict[str, Any] = {
            "num_cpus": resources.cpus,
            "name": resources.stage,
            "max_retries": 0,
            "num_returns": 2,
            # a different environment a role: Ray never shares a worker process between environments
            "runtime_env": {"env_vars": {**self._env, **dict.fromkeys(hidden, ""), "SOLON_ROLE": resources.role}},
        }
        if resources.gpus:
            options["num_gpus"] = resources.gpus
        if resources.memory:
            options["memory"] = resources.memory
        if resources.custom:
            options["resources"] = dict(resources.custom)
        ref, ended = self._remote.options(**options).remote(fn, resources.stage, resources.seconds, *refs)
        return RayHandle(ref, ended, resources, self._closed)

    def lend_embedders(self, profile: str, pool: Pool) -> None:
        """Start a pool of embedding actors; bodies submitted after this embed there.

        Raises:
            SolonError: No such profile, or the cluster lacks what the pool wants, e.g. GPUs.
        """
        told = self._env.get(MODELS_VARIABLE)
        resolve_profile(profile, profiles_in_force(Path(told) if told else None), "embeddings")
        self.preflight(pool.wanted)
        self._env[ACTORS], self._embedders = start_actors(profile, pool, self._env)

    def preflight(self, wanted: Mapping[str, float]) -> None:
        """Check the cluster before anything is submitted: Ray waits forever for missing resources."""
        import ray

        missing(ray.cluster_resources(), wanted)

    def close(self) -> None:
        """Leave the cluster; a local one ends with this."""
        import ray

        self._closed.set()
        with contextlib.suppress(RuntimeError):
            ray.shutdown()
