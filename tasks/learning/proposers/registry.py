"""The one list of the proposers: what each is called, and how it is made."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tasks.drafting.cli_agents.records import adapter, adapter_names
from tasks.learning.proposers.agent.proposer import AgentProposer
from tasks.learning.proposers.agent.running import Program
from tasks.learning.proposers.catalogue import CatalogueProposer, read_catalogue
from tasks.learning.proposers.model import ModelProposer
from tasks.learning.proposers.proposer import Maker, Means, Proposer
from tasks.learning.proposers.rules import RulesProposer
from tasks.matter.failures import Failure, FailureCause, SolonError


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
        ModelProposer.name: _model,
        AgentProposer.name: _agent,
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
        raise _lacking(name, "is no proposer", f"use one of {', '.join(PROPOSERS)}")
    return make(means)


def _lacking(name: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="learning", subject=name, message=message, remedy=remedy))
