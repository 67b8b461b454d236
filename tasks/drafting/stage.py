"""The drafting stage: pick the runtime of the cell and draft the matter."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tasks.drafting.records import DraftJob, Runtime, WorkProduct
from tasks.matter.failures import Failure, FailureCause, SolonError


class Entry(NamedTuple):
    """Where a runtime lies; it is imported when a cell asks for it.

    Attributes:
        model: Whether it asks a model: its cells then name a profile, and its stages take seconds, not milliseconds.
    """

    module: str
    kind: str
    model: bool = True


RUNTIMES: Mapping[str, Entry] = MappingProxyType(
    {
        "extractive": Entry("tasks.drafting.runtimes.extractive", "ExtractiveRuntime", model=False),
        "api": Entry("tasks.drafting.runtimes.api", "ApiRuntime"),
    }
)


def runtime(name: str) -> Runtime:
    """Return a runtime by the name a cell gives it.

    Raises:
        SolonError: No such runtime (``input``).
    """
    where = RUNTIMES.get(name)
    if where is None:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="drafting",
                subject=name,
                message="is not a runtime of this version",
                remedy=f"choose one of {', '.join(sorted(RUNTIMES))}",
            )
        )
    made: Runtime = getattr(importlib.import_module(where.module), where.kind)()
    return made


def draft(job: DraftJob) -> WorkProduct:
    """Draft a matter with the runtime of its cell; writes ``output/`` and the trace below the workspace.

    The usage of the work product is the account of the whole attempt so far, beside what a runtime reports of its own.
    """
    product = runtime(job.cell.runtime).draft(job)
    return product.model_copy(update={"usage": product.usage + job.models.ledger.used})
