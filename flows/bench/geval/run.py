"""Marks the work products of two cells of a stored run, turns the marks into votes, and compares them with people's."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.runs.attempts import AttemptStore
from tasks.judging.agreement.distributions import agreement
from tasks.judging.geval.marking import Mark, ReportMarker, qualities
from tasks.judging.geval.votes import SIDES, Shares, by_criterion, shares
from tasks.judging.reading import read_deliverables
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.models.client import ModelClient


def measure_reports(
    store: AttemptStore,
    matters: Sequence[Matter],
    cells: Sequence[str],
    client: ModelClient,
    votes: Path | None = None,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Return the mean marks of both cells, the shares of the votes, and how far people agree.

    Args:
        store: The run.
        matters: Its matters, whose briefs are the questions.
        cells: Two cells by name.
        client: The model that marks.
        votes: People's votes as CSV, columns ``criterion`` and ``vote`` (first, second, neither); None for none.
        say: Told how far it has come.

    Raises:
        SolonError: The run holds no matter that both cells ended, or the votes cannot be read.
    """
    people = read_votes(votes) if votes else {}
    marker = ReportMarker(client)
    texts = {cell: _texts(store, cell) for cell in cells}
    both = [m for m in matters if all(m.matter_id in texts[cell] for cell in cells)]
    if not both:
        raise _failed(store.run_id, f"holds no matter that {' and '.join(cells)} both ended", "name cells of the run")
    marked: list[tuple[dict[str, Mark], dict[str, Mark]]] = []
    for number, matter in enumerate(both, start=1):
        say(f"{number} of {len(both)}: {matter.matter_id}")
        first, second = (marker.marks(matter.instructions, texts[cell][matter.matter_id]) for cell in cells)
        marked.append((first, second))
    found = by_criterion(marked)
    voted = {name: row for name, row in found.items() if row is not None}
    return {
        "run_id": store.run_id,
        "cells": list(cells),
        "matters": len(both),
        "marks": {cell: _means([pair[at] for pair in marked]) for at, cell in enumerate(cells)},
        "open": sum(mark.value is None for pair in marked for side in pair for mark in side.values()),
        "votes": {name: list(row) for name, row in voted.items()},
        "people": agreement(voted, people, SIDES) if people else None,
        "usage": marker.usage.model_dump(),
    }


def read_votes(file: Path) -> dict[str, Shares]:
    """Return the shares of people's votes by criterion.

    Raises:
        SolonError: It is no CSV of votes; the message names the file and the line.
    """
    known = {quality.id for quality in qualities().criteria}
    cast: dict[str, list[Any]] = {}
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            for number, row in enumerate(csv.DictReader(stream), start=2):
                if row.get("criterion") not in known or row.get("vote") not in SIDES:
                    raise _failed(str(file), f"line {number} names no criterion or no vote", _FORM)
                cast.setdefault(str(row["criterion"]), []).append(row["vote"])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _failed(str(file), f"cannot be read ({error})", _FORM) from error
    return {name: found for name, votes in cast.items() if (found := shares(votes)) is not None}


_FORM = "write the columns criterion and vote, with first, second or neither"


def render(result: Mapping[str, Any]) -> str:
    """Return the table: marks of both cells, and the shares of the votes."""
    one, two = result["cells"]
    lines = [f"{'criterion':16} {one[:20]:>20} {two[:20]:>20}   votes for the first, the second, neither"]
    for name in result["marks"][one]:
        marks = "".join(f" {_told(result['marks'][cell][name]):>20}" for cell in (one, two))
        voted = " ".join(f"{100 * share:5.1f}" for share in result["votes"].get(name, ()))
        lines.append(f"{name:16}{marks}   {voted}")
    lines.append(f"{result['matters']} matters, {result['open']} marks left open, {result['usage']['calls']} calls")
    if result["people"]:
        mean = result["people"]["mean"]
        lines.append("beside people: " + ", ".join(f"{name} {value:.3f}" for name, value in mean.items()))
    return "\n".join(lines)


def _told(mark: float | None) -> str:
    return "open" if mark is None else f"{mark:.3f}"


def _texts(store: AttemptStore, cell: str) -> dict[str, str]:
    """Return the work products of a cell, by matter: of several attempts the latest."""
    found = {}
    for attempt in store.ended():
        if attempt.cell.name == cell:
            read = read_deliverables(store.path(attempt) / "output")
            found[attempt.matter_id] = "\n\n".join(text.text for text in read.values())
    return {matter: text for matter, text in found.items() if text.strip()}


def _means(marks: Sequence[Mapping[str, Mark]]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for quality in qualities().criteria:
        given = [value for one in marks if (value := one[quality.id].value) is not None]
        found[quality.id] = sum(given) / len(given) if given else None
    return found


def _failed(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="bench", subject=subject, message=message, remedy=remedy))
