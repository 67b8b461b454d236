"""Reasoning effort: each cell at each effort, score against tokens and dollars (--values low,medium,high)."""

from __future__ import annotations

from flows.runs.cells import table_of
from flows.studies.request import Arm, StudyRequest, varied
from tasks.drafting.stage import runtime

QUESTIONS = ("what_does_each_point_of_score_cost", "how_do_cells_compare_pair_by_pair", "how_did_each_cell_do")
USUAL = ("low", "medium", "high")


def arms(ask: StudyRequest) -> list[Arm]:
    """Return each cell at each effort.

    Raises:
        SolonError: A cell asks no model, so that effort means nothing to it.
    """
    for cell in ask.cells:
        if not runtime(table_of(cell, ask.settings)["runtime"]).model:
            raise ask.misuse(f"{cell} asks no model, and has no effort", "name cells with a model: --cell api:PROFILE")
    return varied(ask, "effort", {effort: {"effort": effort} for effort in ask.values or USUAL})
