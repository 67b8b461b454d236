"""A case of the fault bench, and its outcome."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from flows.bench.faults.scene import AttackSkippedError, Scene


@dataclass(frozen=True)
class Case:
    """One way to attack a run.

    Attributes:
        name: What is done, e.g. ``killed``.
        group: processes, disk, documents, warehouse, hostile, privacy or provider.
        attack: Attacks in its own scene; returns a sentence for each broken promise, none where all held.
        compute: Compute plane under attack.
        trials: Number of trials, each with another seed.
        quick: Whether the case belongs to the short part that ``make test`` runs.
    """

    name: str
    group: str
    attack: Callable[[Scene], Iterable[str]]
    compute: str = "inline"
    trials: int = 1
    quick: bool = False


@dataclass
class CaseOutcome:
    """The outcome of a case.

    Attributes:
        held: Trials in which every promise held.
        broke: One line for each promise that broke, with the trial.
        skipped: Why the case could not run here; empty when it ran.
    """

    case: Case
    trials: int = 0
    held: int = 0
    seconds: float = 0.0
    broke: list[str] = field(default_factory=list)
    skipped: str = ""

    def row(self) -> dict[str, Any]:
        """Return the outcome as it is printed with ``--json``."""
        return {
            "name": self.case.name,
            "group": self.case.group,
            "compute": self.case.compute,
            "trials": self.trials,
            "held": self.held,
            "seconds": round(self.seconds, 1),
            "broke": self.broke,
            "skipped": self.skipped,
        }


def try_case(case: Case, scene_of: Callable[[Case, int], Scene], trials: int) -> CaseOutcome:
    """Try a case; if it cannot run on this machine, return it as skipped, with the reason."""
    outcome = CaseOutcome(case)
    start = time.monotonic()
    for trial in range(trials):
        with scene_of(case, trial) as scene:
            try:
                broke = [*case.attack(scene), *scene.left_behind()]
            except AttackSkippedError as exc:
                outcome.skipped = str(exc)
                break
        outcome.trials += 1
        outcome.held += not broke
        outcome.broke += [f"trial {trial + 1}: {line}" for line in broke]
    outcome.seconds = time.monotonic() - start
    return outcome
