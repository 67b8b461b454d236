"""The interface to the compute plane; ``planes.py`` lists the implementations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from tasks.matter.failures import Failure, FailureCause, SolonError

Role = Literal["solver", "judge"]

QUIET = {
    "DO_NOT_TRACK": "1",
    "GX_ANALYTICS_ENABLED": "false",
    "HF_HUB_OFFLINE": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENBLAS_NUM_THREADS": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_EPHEMERAL_ENABLED": "false",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "TOKENIZERS_PARALLELISM": "false",
}
"""Environment of every process: telemetry off, no network assumed; sums of vectors in one thread.

There is a worker for each core. Threads of two of them that wait for each other take six times the processor to learn
from ContractNLI, and how many there are would change the last bits of a sum.
"""

JUDGE_ONLY = ("SOLON_SEALED", "SOLON_JUDGE_CACHE")
"""Variables that no solver process receives."""


@dataclass(frozen=True)
class Resources:
    """What a stage needs.

    Attributes:
        stage: Name for failures and logs.
        role: Judge bodies never share a process with solver bodies.
        seconds: Wall limit, enforced in the worker and again by the driver.
        custom: Custom resources of a cluster, e.g. ``{"llm_slot": 1}``.
    """

    stage: str
    role: Role = "solver"
    cpus: float = 1.0
    gpus: float = 0.0
    memory: int = 0
    seconds: float | None = None
    custom: Mapping[str, float] = field(default_factory=dict)


class Handle(Protocol):
    """A submitted body. Passing it as an argument of another passes its result by reference."""

    @property
    def worked(self) -> float | None:
        """Wall seconds of the body itself, once it ended well; None where the plane does not tell them."""
        ...

    def ready(self) -> None:
        """Wait until the body ended, if possible without fetching its result; raises as ``result``."""
        ...

    def result(self) -> Any:
        """Wait for the result; raises SolonError with a typed failure."""
        ...


class Compute(Protocol):
    """Where stage bodies run. Bodies and arguments are picklable."""

    name: str
    slots: int

    def submit(self, fn: Callable[..., Any], *args: Any, resources: Resources) -> Handle:
        """Submit a body; arguments may be handles of this compute."""
        ...

    def preflight(self, wanted: Mapping[str, float]) -> None:
        """Raise SolonError saying what the cluster lacks of ``wanted`` (GPU, custom resources)."""
        ...

    def close(self) -> None:
        """Release the workers; running bodies are ended."""
        ...


def missing(have: Mapping[str, float], wanted: Mapping[str, float]) -> None:
    """Raise SolonError naming each resource of ``wanted`` that ``have`` lacks."""
    short = {name: n for name, n in wanted.items() if have.get(name, 0) < n}
    lacking = [f"{name} (wanted {n:g}, there {have.get(name, 0):g})" for name, n in short.items()]
    if lacking:
        raise SolonError(
            Failure(
                cause=FailureCause.CAPACITY,
                stage="compute",
                subject="cluster",
                message="lacks " + ", ".join(lacking),
                remedy="start a node with these resources, or choose another cell or --compute",
            )
        )
