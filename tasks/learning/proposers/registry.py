"""The one list of the proposers: what each is called, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from tasks.learning.proposers.rules import RulesProposer
from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.matter.failures import Failure, FailureCause, SolonError


class Proposer(Protocol):
    """Proposes edits from a redacted learner input, best first."""

    name: str

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        """Return at most ``limit`` edits, each on one surface; none where there is nothing to try."""
        ...


Maker = Callable[[Sequence[Surface]], Proposer]
"""Makes a proposer that edits these surfaces, tried in this order."""

PROPOSERS: Final[Mapping[str, Maker]] = MappingProxyType({RulesProposer.name: RulesProposer})


def proposer_of(name: str, surfaces: Sequence[Surface]) -> Proposer:
    """Return the proposer of a name.

    Raises:
        SolonError: There is none (``input``).
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
    return make(surfaces)
