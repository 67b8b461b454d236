"""The one list of the proposers: what each is called, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

from tasks.drafting.cli_agents.records import adapter, adapter_names
from tasks.learning.proposers.agent.proposer import AgentProposer
from tasks.learning.proposers.agent.running import Program
from tasks.learning.proposers.catalogue import CatalogueProposer, read_catalogue
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
        seed: Of whatever order a proposer is free to choose.
        model: Opens the client of the model that proposes, once it is needed; None where no model was named.
        agent: The agent program that proposes, by the name of its adapter.
    """

    surfaces: Sequence[Surface]
    home: Path
    catalogue: Path | None = None
    seed: int = 0
    model: Callable[[], ModelClient] | None = None
    agent: str = "codex"


Maker = Callable[[Means], Proposer]
"""Makes a proposer.

Raises:
    SolonError: What it needs is missing, named with the setting that gives it (``input``).
"""


def _model(means: Means) -> Proposer:
    if means.model is None:
        raise _lacking(ModelProposer.name, "needs a model", "name a profile with --proposer-model")
    return ModelProposer(means.surfaces, means.home, means.model)


def _agent(means: Means) -> Proposer:
    if means.model is None:
        raise _lacking(AgentProposer.name, "needs a model for its program", "name a profile with --proposer-model")
    known = [name for name in adapter_names() if adapter(name).stream.form == "lines"]
    if means.agent not in known:
        raise _lacking(means.agent, "is no agent that can propose", f"use one of {', '.join(known)}")
    return AgentProposer(means.surfaces, means.home, means.model, Program(adapter(means.agent)))


PROPOSERS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        RulesProposer.name: lambda means: RulesProposer(means.surfaces),
        CatalogueProposer.name: lambda means: CatalogueProposer(
            read_catalogue(means.catalogue), means.surfaces, means.seed
        ),
        ModelProposer.name: _model,
        AgentProposer.name: _agent,
    }
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
