"""Cells compared on the same matters, paired by matter with intervals (--data a corpus, --cell A --cell B)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flows.bench.request import BenchRequest, misuse
from tasks.learning.paired import Paired, Place, compare


def measure(ask: BenchRequest) -> dict[str, Any]:
    """Measure it."""
    from flows.corpus import run_corpus

    if len(set(ask.cells)) < 2:
        raise misuse("ablation", "compares at least two cells", "name them with --cell A --cell B")
    result = run_corpus(
        ask.folder(), ask.cells, ask.settings, limit=ask.limit, run_id=ask.run or None, purpose="bench ablation"
    )
    base = result.cells[0]
    ended = _verdicts(result.warehouse, result.run_id, ask.settings.judge)
    return {
        "run_id": result.run_id,
        "base": base.cell,
        "cells": {
            c.cell: {"pooled_pass": c.pooled_pass, "all_pass": c.all_pass, "criteria": c.criteria} for c in result.cells
        },
        "paired": {
            c.cell: compare(ended.get(base.cell, {}), ended.get(c.cell, {})).model_dump(mode="json")
            for c in result.cells[1:]
        },
    }


def render(result: dict[str, Any]) -> str:
    """Return the comparison."""
    return "\n".join(_ablation_lines(result))


def _verdicts(database: Path, run_id: str, judge: str) -> dict[str, dict[Place, str]]:
    """Return how each criterion ended, by cell: from the published warehouse, which alone holds what is counted."""
    from warehouse.sql import run_query

    found: dict[str, dict[Place, str]] = {}
    for row in run_query(database, "which_criteria_passed_under_which_cell", run_id=run_id).to_dicts():
        if row["judge_profile"] == judge:
            place = (row["matter_id"], row["epoch"], row["criterion_id"])
            found.setdefault(row["cell"], {})[place] = row["status"]
    return found


def _rate(value: float | None) -> str:
    return "not scored" if value is None else f"{value:.4f}"


def _ablation_lines(result: dict[str, Any]) -> Iterator[str]:
    for cell, row in result["cells"].items():
        yield f"{cell:28} pooled {_rate(row['pooled_pass'])}  all-pass {_rate(row['all_pass'])}  n {row['criteria']}"
    for cell, paired in result["paired"].items():
        yield f"{cell} less {result['base']}"
        yield from (f"  {line}" for line in Paired.model_validate(paired).lines())
