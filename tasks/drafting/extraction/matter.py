"""The extraction of a matter: what its cell wants, and its documents in the order of time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from tasks.drafting.agent.limits import Clock
from tasks.drafting.calling import client_of
from tasks.drafting.extraction.methods import work_on
from tasks.drafting.extraction.records import METHODS, PARTS, Method, Parts
from tasks.drafting.extraction.work import Work
from tasks.drafting.mechanisms.records import Repair
from tasks.drafting.mechanisms.registry import mechanisms_of
from tasks.drafting.records import Cell, DraftJob
from tasks.legaltext.checklists.definition import Checklist, open_checklist
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.sources.records import CanonicalText, MatterState

_DEFAULT: Final = "case"
_HEAD: Final = 2_000  # characters of a document that say of which day it is
_NUMBER: Final = re.compile(r"(\d+)")
_DAY: Final = "day"


def wanted(cell: Cell) -> tuple[Checklist, Method, Parts | None]:
    """Return the checklist, the method and the parts that a cell wants.

    Raises:
        SolonError: It wants what there is not (``input``).
    """
    given = cell.options.get("checklist", _DEFAULT)
    method = _one_of(cell, "method", METHODS, METHODS[0])
    parts = _one_of(cell, "parts", PARTS, "")
    return (
        open_checklist(given if isinstance(given, Mapping) else str(given)),
        cast("Method", method),
        cast("Parts", parts) if parts else None,
    )


def work_of(job: DraftJob, checklist: Checklist, method: Method, parts: Parts | None) -> Work:
    """Return the work on a matter, new or as it was left.

    Raises:
        SolonError: The cell names no model, or one that there is not (``input``).
    """
    texts = {name: text for name, text in job.texts.items() if text.text.strip()}
    return work_on(
        checklist,
        {name: texts[name] for name in in_order(texts, job.state)},
        client_of(job),
        job.harness,
        Clock.of(job),
        job.workspace,
        [m for m in mechanisms_of(job.cell, job.harness) if isinstance(m, Repair)],
        {document.document: document.document_type for document in job.state.documents},
        method,
        parts,
    )


def in_order(texts: Mapping[str, CanonicalText], state: MatterState) -> list[str]:
    """Return the names of documents in the order of time.

    Where every name begins with a number, that is its place, as on a docket. Elsewhere the first day in the head of a
    document is taken for its own; those without one come last.
    """
    if texts and all(name[:1].isdigit() for name in texts):
        return sorted(texts, key=_natural)
    days = {
        document.document: next(
            (d.iso for d in sorted(document.dates, key=lambda d: d.start) if d.precision == _DAY and d.start < _HEAD),
            "",
        )
        for document in state.documents
    }
    return sorted(texts, key=lambda name: (not days.get(name), days.get(name, ""), _natural(name)))


def _natural(name: str) -> list[Any]:
    """Return a key by which file 10 comes after file 9."""
    return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in _NUMBER.split(name) if part]


def _one_of(cell: Cell, option: str, known: tuple[str, ...], usual: str) -> str:
    said = str(cell.options.get(option, usual))
    if said not in (*known, usual):
        failure = Failure(
            cause=FailureCause.INPUT,
            stage="drafting",
            subject=f"cells.{cell.name}.options.{option}",
            message=f"{said!r} is none of what there is",
            remedy=f"Use one of {', '.join(known)}.",
        )
        raise SolonError(failure)
    return said
