"""The one list of the proposers: what each is called, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

from tasks.learning.proposers.model import ModelProposer
from tasks.learning.proposers.rules import RulesProposer
from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.client import ModelClient


class Proposer(Protocol):
    """Proposes edits from a redacted learner input, best first."""

    name: str

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        """Return at most ``limit`` edits, each on one surface; none where there is nothing to try.

        Raises:
            SolonError: It failed (provider, time, budget, a reply that cannot be read), or its iteration is void
                (``policy``): the step goes on without an edit, and the ledger says why. With cause ``input`` the run
                ends.
        """
        ...


@runtime_checkable
class Rewriter(Protocol):
    """A proposer that can say an edit again in words that are of no one matter."""

    def rewritten(self, edit: Edit) -> Edit | None:
        """Return the edit in more general words; None where it cannot."""
        ...


@dataclass(frozen=True)
class Means:
    """What a proposer may be made with; each takes what it needs and refuses where that is missing.

    Attributes:
        surfaces: Surfaces that edits may change, in the order in which they are tried.
        home: Folder of the learning run, for what a proposer keeps between steps (a session, a place in a catalogue).
        catalogue: Folder of candidate edits; None where none was named.
        model: Opens the client of the model that proposes, once it is needed; None where no model was named.
    """

    surfaces: Sequence[Surface]
    home: Path
    catalogue: Path | None = None
    model: Callable[[], ModelClient] | None = None


Maker = Callable[[Means], Proposer]
"""Makes a proposer.

Raises:
    SolonError: What it needs is missing, named with the setting that gives it (``input``).
"""


def _model(means: Means) -> Proposer:
    if means.model is None:
        raise _lacking(ModelProposer.name, "needs a model", "name a profile with --proposer-model")
    return ModelProposer(means.surfaces, means.home, means.model)


PROPOSERS: Final[Mapping[str, Maker]] = MappingProxyType(
    {RulesProposer.name: lambda means: RulesProposer(means.surfaces), ModelProposer.name: _model}
)


def proposer_of(name: str, means: Means) -> Proposer:
    """Return the proposer of a name.

    Raises:
        SolonError: There is none, or what it needs is missing (``input``).
    """
    make = PROPOSERS.get(name)
    if make is None:
        raise _lacking(name, "is no proposer", f"use one of {', '.join(PROPOSERS)}")
    return make(means)


def _lacking(name: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="learning", subject=name, message=message, remedy=remedy))
