"""The drafting stage: pick the runtime of the cell and draft the matter."""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import lru_cache
from pkgutil import iter_modules
from typing import Final

from skills_repo.mechanism_settings import MechanismSettings
from tasks.drafting import runtimes
from tasks.drafting.learned.hooks import hooked
from tasks.drafting.mechanisms.records import Moment
from tasks.drafting.mechanisms.registry import MOMENTS, OF_CALLS
from tasks.drafting.mechanisms.switches import OPTION as SWITCHES
from tasks.drafting.mechanisms.switches import switches_of
from tasks.drafting.records import Advised, Cell, DraftJob, Mechanical, Optioned, Runtime, WorkProduct
from tasks.matter.failures import Failure, FailureCause, SolonError


def runtime_names() -> tuple[str, ...]:
    """Return the names of the runtimes, sorted: the modules of ``tasks/drafting/runtimes``, with hyphens."""
    return tuple(sorted(m.name.replace("_", "-") for m in iter_modules(runtimes.__path__)))


@lru_cache(maxsize=64)
def runtime(name: str) -> Runtime:
    """Return a runtime by the name a cell gives it; its module is imported when a cell asks for it.

    Raises:
        SolonError: No such runtime (``input``), or its module holds none.
    """
    if name not in runtime_names():
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="drafting",
                subject=name,
                message="is not a runtime of this version",
                remedy=f"choose one of {', '.join(runtime_names())}",
            )
        )
    module = importlib.import_module(f"{runtimes.__name__}.{name.replace('-', '_')}")
    made: Runtime | None = getattr(module, "RUNTIME", None)
    if made is None:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="drafting",
                subject=name,
                message=f"{module.__name__} holds no RUNTIME",
                remedy="add RUNTIME = … at its end, an instance of the class with name, model and draft",
            )
        )
    return made


OF_ALL: Final = ("resources", "sandbox", "without_tools")
OF_MODELS: Final = ("model", "salt", SWITCHES)


def options_of(name: str) -> tuple[str, ...]:
    """Return the options that a cell of a runtime may have: those that something reads."""
    made = runtime(name)
    asking = OF_MODELS if made.model or isinstance(made, Advised) else ()
    return tuple(sorted({*OF_ALL, *asking, *(made.options if isinstance(made, Optioned) else ())}))


def require_acting(cell: Cell) -> None:
    """Refuse the switch of a mechanism that has no place in the runtime of a cell: it would change nothing.

    Raises:
        SolonError: There is such a switch, or one of no mechanism (``input``).
    """
    made = runtime(cell.runtime)
    moments = {Moment.PICK, *(made.moments if isinstance(made, Mechanical) else ())}
    acting = [
        name
        for name in MechanismSettings.names()
        if MOMENTS[name] in moments and (name not in OF_CALLS or Moment.CALL in moments)
    ]
    for name in switches_of(cell):
        if name not in acting:
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="drafting",
                    subject=f"cells.{cell.name}.options.{SWITCHES}.{name}",
                    message=f"has no place in the runtime {cell.runtime}, and would change nothing",
                    remedy=f"leave it out; in it act {', '.join(acting)}",
                )
            )


def asks_model(cell: Cell) -> bool:
    """Tell whether the runtime of a cell asks a model: it cannot do without, or may ask one and the cell names it."""
    made = runtime(cell.runtime)
    return made.model or (isinstance(made, Advised) and bool(cell.profile or "model" in cell.options))


def draft(job: DraftJob) -> WorkProduct:
    """Draft a matter with the runtime of its cell; writes ``output/`` and the trace below the workspace.

    The usage of the work product is the account of the whole attempt so far, beside what a runtime reports of its own.
    """
    learned = hooked(job.toolbox, job.harness.learned)
    product = runtime(job.cell.runtime).draft(replace(job, toolbox=learned) if learned else job)
    firings = (*product.firings, *(learned.firings if learned else ()))
    return product.model_copy(update={"usage": product.usage + job.models.ledger.used, "firings": firings})
