"""The mechanisms of a cell, in the order in which they act."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tasks.drafting.mechanisms.call_repair import CallRepair
from tasks.drafting.mechanisms.compaction import HistoryCompaction
from tasks.drafting.mechanisms.completion import CompletionGate
from tasks.drafting.mechanisms.entity_lock import EntityLock, place_words
from tasks.drafting.mechanisms.fidelity import MatterFidelity
from tasks.drafting.mechanisms.finish import FinishGuard
from tasks.drafting.mechanisms.landing import Build, DeliverableLanding
from tasks.drafting.mechanisms.mandatory_tools import MandatoryTools
from tasks.drafting.mechanisms.reassembly import Reassembly
from tasks.drafting.mechanisms.records import Mechanism, Moment
from tasks.drafting.mechanisms.switches import switches_of
from tasks.drafting.mechanisms.vote import DraftVote
from tasks.drafting.records import Cell
from tasks.harness import Harness

MOMENTS: Mapping[str, Moment] = MappingProxyType(
    {
        made.name: made.moment
        for made in (
            CallRepair, HistoryCompaction, FinishGuard, CompletionGate, MandatoryTools, MatterFidelity, EntityLock,
            DeliverableLanding, Reassembly, DraftVote,
        )
    }
)  # fmt: skip
"""When each mechanism acts, by name."""

OF_CALLS = frozenset({Reassembly.name})
"""Those that read the calls of the runtime's own loop, and so have no place where a program keeps its own."""


def mechanisms_of(cell: Cell, harness: Harness, build: Build | None = None) -> tuple[Mechanism, ...]:
    """Return the mechanisms that act for a cell, in the order of ``mechanisms.toml``'s schema.

    Args:
        cell: Its options may switch any of them.
        harness: Whose thresholds and words they have.
        build: Makes the bytes of a file from Markdown and a file name; without it nothing is put into another format.

    Raises:
        SolonError: The cell switches a mechanism that there is not (``input``).
    """
    told, settings = switches_of(cell), harness.mechanisms
    return tuple(m for m in _all(harness, build) if told.get(m.name, settings.switched_on(m.name)))


def _all(harness: Harness, build: Build | None) -> tuple[Mechanism, ...]:
    settings, work = harness.mechanisms, harness.mechanisms.deliverable
    districts = harness.knowledge.jurisdictions
    completion = CompletionGate(settings.completion, work)
    fidelity = MatterFidelity(settings.matter_fidelity, work, place_words(districts))
    return (
        CallRepair(settings.call_repair),
        HistoryCompaction(settings.compaction),
        FinishGuard(settings.finish_guard),
        completion,
        MandatoryTools(settings.mandatory_tools),
        fidelity,
        EntityLock(settings.entity_lock, work, districts),
        DeliverableLanding(settings.landing, work, build),
        Reassembly(settings.reassembly, work, build),
        DraftVote(settings.vote, completion, fidelity),
    )
