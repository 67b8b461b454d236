"""The one list of the proposers: what each is called, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from tasks.learning.proposers.catalogue import CatalogueProposer, read_catalogue
from tasks.learning.proposers.rules import RulesProposer
from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.client import ModelClient


class Proposer(Protocol):
    """Proposes edits from a redacted learner input, best first."""

    name: str

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        """Return at most ``limit`` edits, each on one surface; none where there is nothing to try."""
        ...


@dataclass(frozen=True)
class Means:
    """What a proposer may be made with; each takes what it needs and refuses where that is missing.

    Attributes:
        surfaces: Surfaces that edits may change, in the order in which they are tried.
        home: Folder of the learning run, for what a proposer keeps between steps (a session, a place in a catalogue).
        catalogue: Folder of candidate edits; None where none was named.
        seed: Of whatever order a proposer is free to choose.
        model: Opens the client of the model that proposes, once it is needed; None where no model was named.
    """

    surfaces: Sequence[Surface]
    home: Path
    catalogue: Path | None = None
    seed: int = 0
    model: Callable[[], ModelClient] | None = None


Maker = Callable[[Means], Proposer]
"""Makes a proposer.

Raises:
    SolonError: What it needs is missing, named with the setting that gives it (``input``).
"""

PROPOSERS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        RulesProposer.name: lambda means: RulesProposer(means.surfaces),
        CatalogueProposer.name: lambda means: CatalogueProposer(
            read_catalogue(means.catalogue), means.surfaces, means.seed
        ),
    }
)


def proposer_of(name: str, means: Means) -> Proposer:
    """Return the proposer of a name.

    Raises:
        SolonError: There is none, or what it needs is missing (``input``).
    """
    make = PROPOSERS.get(name)
    if make is None:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="learning",
                subject=name,
                message="is no proposer",
                remedy=f"use one of {', '.join(PROPOSERS)}",
            )
        )
    return make(means)
