"""The drafting stage: pick the runtime of the cell and draft the matter."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType

from tasks.drafting.records import DraftJob, Runtime, WorkProduct
from tasks.matter.failures import Failure, FailureCause, SolonError

# Module and class of each runtime; imported when a cell asks for it.
RUNTIMES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "extractive": ("tasks.drafting.runtimes.extractive", "ExtractiveRuntime"),
        "api": ("tasks.drafting.runtimes.api", "ApiRuntime"),
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
    module, cls = where
    made: Runtime = getattr(importlib.import_module(module), cls)()
    return made


def draft(job: DraftJob) -> WorkProduct:
    """Draft a matter with the runtime of its cell; writes ``output/`` and the trace below the workspace.

    The usage of the work product is the account of the whole attempt so far, beside what a runtime reports of its own.
    """
    product = runtime(job.cell.runtime).draft(job)
    return product.model_copy(update={"usage": product.usage + job.models.ledger.used})
