"""The mechanisms of a cell, in the order in which they act."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tasks.drafting.mechanisms.call_repair import CallRepair
from tasks.drafting.mechanisms.records import Mechanism
from tasks.drafting.mechanisms.switches import switches_of
from tasks.drafting.records import Cell
from tasks.harness import Harness

_MAKERS: Mapping[str, Callable[[Harness], Mechanism]] = MappingProxyType(
    {
        "call_repair": lambda harness: CallRepair(harness.mechanisms.call_repair),
    }
)


def mechanisms_of(cell: Cell, harness: Harness) -> tuple[Mechanism, ...]:
    """Return the mechanisms that act for a cell, in the order of ``mechanisms.toml``'s schema.

    Raises:
        SolonError: The cell switches a mechanism that there is not (``input``).
    """
    told = switches_of(cell)
    settings = harness.mechanisms
    return tuple(_MAKERS[name](harness) for name in settings.names() if told.get(name, settings.switched_on(name)))
