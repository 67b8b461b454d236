"""The client of a cell's model, and how an attempt with one ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tasks.drafting.records import DraftJob
from tasks.matter.failures import Failure, FailureCause, Outcome, SolonError
from tasks.models.client import ModelClient

_OUTCOMES: Mapping[FailureCause, Outcome] = MappingProxyType(
    {FailureCause.TIMEOUT: "timeout", FailureCause.BUDGET: "budget", FailureCause.CIRCLE: "circled"}
)


def client_of(job: DraftJob) -> ModelClient:
    """Return the client of the cell's model, within the limits of the cell.

    The model profile stands in ``cell.options["model"]`` (its fields), or is the one that ``cell.profile`` names;
    ``cell.effort`` goes before the profile's.

    Raises:
        SolonError: The cell names no model, or one that there is not (``input``).
    """
    inline, name, models = job.cell.options.get("model"), job.cell.profile, job.models
    if isinstance(inline, Mapping):
        name = name or str(inline.get("name", "model"))
        models = replace(models, given={name: inline})
    if not name:
        failure = Failure(
            cause=FailureCause.INPUT,
            stage="drafting",
            subject=job.cell.name,
            message="The cell names no model profile.",
            remedy="Use a cell such as api:<profile>.",
        )
        raise SolonError(failure)
    numbers = (f"{what} {number}" for what, number in (("epoch", job.epoch), ("draft", job.draft)) if number > 1)
    client = models.client(name, salt=" ".join(filter(None, (str(job.cell.options.get("salt", "")), *numbers))))
    if job.draft > 1:
        client = client.at_temperature(job.harness.mechanisms.vote.temperature)
    return client.within(job.cell.limits.wall_seconds, job.cell.effort)


def outcome_of(failures: Sequence[Failure]) -> Outcome:
    """Return the outcome of an attempt with these failures: that of the first one."""
    return _OUTCOMES.get(failures[0].cause, "failed") if failures else "finished"
