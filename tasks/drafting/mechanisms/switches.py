"""Which mechanisms a cell switches on: the harness says what is usual, the cell what is otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from skills_repo.mechanism_settings import MechanismSettings
from tasks.drafting.records import Cell
from tasks.matter.failures import Failure, FailureCause, SolonError

OPTION = "mechanisms"


def switches_of(cell: Cell) -> Mapping[str, bool]:
    """Return what ``options.mechanisms`` of a cell says, by name of the mechanism.

    Raises:
        SolonError: It is no table, names a mechanism that there is not, or holds more than true and false (``input``).
    """
    told = cell.options.get(OPTION, {})
    if not isinstance(told, dict):
        raise _misuse(cell, "", "is no table", "write { landing = false }")
    for name, value in told.items():
        if name not in MechanismSettings.names():
            known = ", ".join(MechanismSettings.names())
            raise _misuse(cell, f".{name}", "is no mechanism of this version", f"choose among {known}")
        if not isinstance(value, bool):
            raise _misuse(cell, f".{name}", f"is {value!r}", "write true or false")
    return told


def _misuse(cell: Cell, where: str, message: str, remedy: str) -> SolonError:
    subject = f"cells.{cell.name}.options.{OPTION}{where}"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="drafting", subject=subject, message=message, remedy=remedy)
    )
