"""What a study is asked to compare, and what it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.runs.cells import table_of
from flows.settings import Settings
from tasks.matter.failures import Failure, FailureCause, SolonError


@dataclass(frozen=True)
class StudyRequest:
    """What a study is asked to compare.

    Attributes:
        name: Of the study.
        cells: Names of the cells that it begins with.
        values: The steps of what it varies; its usual ones when empty.
        harnesses: Folders of harnesses; the one in force when empty.
        learned: The learning run whose harness versions are compared; empty for none.
        edits: Edits of a step (hard-10).
    """

    name: str
    settings: Settings
    corpus: Path
    cells: Sequence[str]
    values: Sequence[str] = ()
    harnesses: Sequence[Path] = ()
    learned: str = ""
    limit: int | None = None
    epochs: int = 1
    edits: int = 1

    def misuse(self, message: str, remedy: str) -> SolonError:
        """Return the error of a request that this study cannot meet."""
        subject = f"study {self.name}"
        return SolonError(
            Failure(cause=FailureCause.INPUT, stage="study", subject=subject, message=message, remedy=remedy)
        )


@dataclass(frozen=True)
class Arm:
    """One configuration that a study runs.

    Attributes:
        cell: Name of the cell.
        table: Its configuration, as a table of solon.toml would hold it; None for a cell as it is known.
        harness: Folder of its harness; None for the one in force.
    """

    cell: str
    table: Mapping[str, Any] | None = None
    harness: Path | None = None


def varied(ask: StudyRequest, axis: str, changes: Mapping[str, Mapping[str, Any]]) -> list[Arm]:
    """Return each cell once for each step of an axis, named ``CELL.AXIS-STEP``.

    Args:
        ask: The request.
        axis: What varies.
        changes: Fields of the cell by step; ``options`` are added to those of the cell.
    """
    arms = []
    for cell in ask.cells:
        base = table_of(cell, ask.settings)
        for step, change in changes.items():
            options = {**base.get("options", {}), **change.get("options", {})}
            table = {**base, **change, **({"options": options} if options else {})}
            arms.append(Arm(f"{cell}.{axis}-{step}", table))
    return arms
