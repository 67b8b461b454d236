"""What every attempt of a run shares."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flows.compute.protocol import Compute, Resources
from flows.runs.attempts import AttemptStore
from flows.runs.orders import Order
from flows.settings import Settings


@dataclass(frozen=True)
class RunContext:
    """What every attempt of a run shares. It stays in the driver; ``sealed`` is passed to judge stages only.

    Attributes:
        judge: Judge profile; empty to leave the attempts unjudged.
        detail: stage, matter or batch.
        stage_seconds: Wall limit of a stage other than drafting.
        judge_version: The version of the judge that the run is pinned to; empty where it does not say.
    """

    store: AttemptStore
    compute: Compute
    sealed: Path
    judge_cache: Path
    judge: str
    detail: str
    stage_seconds: float
    judge_version: str = ""

    @classmethod
    def of(
        cls,
        settings: Settings,
        store: AttemptStore,
        compute: Compute,
        *,
        judge: str,
        detail: str,
        judge_version: str = "",
    ) -> RunContext:
        """Take the other values from the settings in force."""
        return cls(
            store=store,
            compute=compute,
            sealed=settings.sealed,
            judge_cache=settings.judge_cache,
            judge=judge,
            detail=detail,
            stage_seconds=settings.stage_seconds,
            judge_version=judge_version,
        )

    def need(self, order: Order, stage: str) -> Resources:
        """Return what a solver's stage needs; ``solve`` is all of them in one process."""
        if stage not in {"draft", "revise", "solve"}:
            return Resources(stage=stage, seconds=self.stage_seconds)
        wanted = order.cell.options.get("resources", {})
        drafting = order.cell.limits.wall_seconds
        passes = 1 + order.cell.revise
        return Resources(
            stage=stage,
            seconds=passes * drafting + 4 * self.stage_seconds if stage == "solve" else drafting + 60,
            gpus=float(wanted.get("GPU", 0)),
            custom={k: float(v) for k, v in wanted.items() if k not in {"CPU", "GPU"}},
        )
