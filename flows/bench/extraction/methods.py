"""The ways to fill a checklist from a case that the bench compares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from flows.bench.extraction.corpus import Measured
from flows.settings import Settings
from knowledge_db.records import LitigationCue
from tasks.drafting.extraction.records import Extraction
from tasks.drafting.extraction.scanning.case import scan_case
from tasks.harness import find_harness, parsed, validated
from tasks.legaltext.checklists.records import Filled
from tasks.matter.failures import Failure, FailureCause, SolonError


@dataclass(frozen=True)
class Method:
    """A way to fill a checklist.

    Attributes:
        scripted: The answers were written into the script: its rows show the path, and measure no model.
    """

    name: str
    fill: Callable[[Measured], Extraction]
    scripted: bool = False


def scan(rows: tuple[LitigationCue, ...]) -> Method:
    """Return the scanners: no model, no call."""
    return Method("scan", lambda case: Extraction(scan_case(case.checklist, case.texts, rows)))


def nothing() -> Method:
    """Return an empty checklist: what the score is where nothing is found."""
    return Method("nothing", lambda _: Extraction(Filled()))


WITHOUT_A_MODEL: Final[Mapping[str, Callable[[tuple[LitigationCue, ...]], Method]]] = MappingProxyType(
    {"scan": scan, "nothing": lambda _: nothing()}
)


def methods_named(names: Sequence[str], settings: Settings) -> list[Method]:
    """Return the methods of some names; those that need no model where none is named.

    Raises:
        SolonError: There is no such method.
    """
    rows = parsed(validated(find_harness(settings.harness))).knowledge.litigation
    for name in names:
        if name not in WITHOUT_A_MODEL:
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="bench",
                    subject=name,
                    message="is no method of extraction",
                    remedy=f"use one of {', '.join(WITHOUT_A_MODEL)}",
                )
            )
    return [make(rows) for name, make in WITHOUT_A_MODEL.items() if not names or name in names]
