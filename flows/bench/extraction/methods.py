"""The ways to fill a checklist from a case that the bench compares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from flows.bench.extraction.corpus import Measured
from flows.settings import Settings
from knowledge_db.records import LitigationCue
from tasks.drafting.extraction.records import METHODS, Extraction
from tasks.drafting.extraction.records import Method as ModelMethod
from tasks.drafting.extraction.scanning.case import scan_case
from tasks.drafting.records import Limits
from tasks.harness import find_harness, parsed, validated
from tasks.legaltext.checklists.records import Filled
from tasks.matter.failures import Failure, FailureCause, SolonError


@dataclass(frozen=True)
class FillingMethod:
    """A way to fill a checklist.

    Attributes:
        scripted: The answers were written into the script: its rows show the path, and measure no model.
    """

    name: str
    fill: Callable[[Measured], Extraction]
    scripted: bool = False


def scan(rows: tuple[LitigationCue, ...]) -> FillingMethod:
    """Return the scanners: no model, no call."""
    return FillingMethod("scan", lambda case: Extraction(scan_case(case.checklist, case.texts, rows)))


def nothing() -> FillingMethod:
    """Return an empty checklist: what the score is where nothing is found."""
    return FillingMethod("nothing", lambda _: Extraction(Filled()))


ORACLES: Final[Mapping[str, ModelMethod]] = MappingProxyType({f"oracle:{name}": name for name in METHODS})
"""Each method with a scripted model that is given the answers."""


def methods_named(
    names: Sequence[str], settings: Settings, profile: str, seconds: float | None = None
) -> list[FillingMethod]:
    """Return the methods of some names; where none is named the scanners, and with a profile its three methods.

    Args:
        names: ``scan``, ``nothing``, ``agent``, ``end_to_end``, ``chunks``, or one of these three behind ``oracle:``.
        settings: Where harness and profiles are found.
        profile: Of the model that fills; empty for none.
        seconds: That the model has for each case and method; as long as an attempt when None.

    Raises:
        SolonError: There is no such method, or it needs a model and none is named.
    """
    rows = parsed(validated(find_harness(settings.harness))).knowledge.litigation
    plain = {"scan": scan(rows), "nothing": nothing()}
    return [
        plain[name]
        if name in plain
        else _scripted(name)
        if name in ORACLES
        else _asking(name, settings, profile, seconds)
        for name in names or ("scan", *(METHODS if profile else ()))
    ]


def _scripted(name: str) -> FillingMethod:
    from flows.bench.extraction.oracle import by_oracle

    return FillingMethod(name, lambda case: by_oracle(case, ORACLES[name]), scripted=True)


def _asking(name: str, settings: Settings, profile: str, seconds: float | None) -> FillingMethod:
    known = next((one for one in METHODS if one == name), None)
    if known is None:
        raise _misuse(
            name, "is no method of extraction", f"use one of scan, nothing, {', '.join((*METHODS, *ORACLES))}"
        )
    if not profile:
        raise _misuse(name, "needs a model", "name its profile with --model PROFILE")
    from flows.runs.models import require_callable
    from tasks.drafting.extraction.methods import extract
    from tasks.models.access import ModelAccess

    access = ModelAccess(settings.models_file, cache=settings.cache / "models", mode=settings.model_cache)
    require_callable([access.profile(profile, "chat")] if settings.model_cache != "replay" else [])
    harness = parsed(validated(find_harness(settings.harness)))
    limits = Limits() if seconds is None else Limits(wall_seconds=seconds)

    def fill(case: Measured) -> Extraction:
        client = access.client(profile, role="solver")
        return extract(case.checklist, case.texts, client, method=known, limits=limits, harness=harness)

    return FillingMethod(name, fill)


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="bench", subject=subject, message=message, remedy=remedy))
