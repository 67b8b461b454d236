"""What a foreign result tree says of an attempt, and what is kept of its origin."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from tasks.judging.records import Verdict
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, Outcome, SolonError
from tasks.matter.usage import Usage

NOT_TOLD: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of an attempt whose tree tells none: a row needs one, and no other could be taken for the truth."""

IMPORTED_NAME: Final = "imported.json"
RUNTIME: Final = "imported"
Layout = Literal["lab", "psionic", "folder"]


@dataclass(frozen=True)
class ImportedVerdicts:
    """Verdicts that the tree holds. The profile they land under is called ``imported``, whoever judged.

    Attributes:
        judge: What the tree calls its judge; empty where it does not say.
    """

    judge: str
    verdicts: tuple[Verdict, ...]
    judged_utc: datetime | None = None
    cost_usd: float = 0.0


@dataclass(frozen=True)
class Told:
    """One attempt as its tree describes it; what the tree lacks is empty.

    Attributes:
        folder: The folder of the attempt.
        task: Id of the task, e.g. ``tax/opinion-001``.
        cell: Name of the configuration.
        number: Number of the attempt within its task and cell; 0 where the tree does not count.
        files: The work product: source by file name.
        transcript: The raw trace; None where there is none.
        sources: Files beside the work product that something was read from: they tell whether the tree changed since.
        failures: What the tree says went wrong.
        notes: What could not be taken over, and why.
    """

    folder: Path
    layout: Layout
    task: str
    cell: str
    model: str = ""
    number: int = 0
    brief: str = ""
    files: dict[str, Path] = field(default_factory=dict)
    transcript: Path | None = None
    trace_format: str = "lab"
    outcome: Outcome = "finished"
    seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    started_utc: datetime = NOT_TOLD
    ended_utc: datetime = NOT_TOLD
    scored: ImportedVerdicts | None = None
    sources: tuple[Path, ...] = ()
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()


class Imported(Record):
    """Content of ``imported.json``: where an attempt came from.

    Attributes:
        source: Its folder, relative to the tree.
        sha256: Content hash of all that was read from the tree for it.
        gated: Whether the release gates of Solon looked at it; they need the documents of its matter.
        notes: What could not be taken over.
    """

    schema_version: int = 1
    source: str
    layout: Layout
    sha256: str
    gated: bool = False
    notes: tuple[str, ...] = ()


def bad_tree(path: Path | str, message: str, remedy: str) -> SolonError:
    """Return the error of a tree, or of a file of it, that cannot be used."""
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="import", subject=str(path), message=message, remedy=remedy)
    )
