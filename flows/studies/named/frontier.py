"""Frontier and cost against score: cells side by side, which is beaten by none for fewer tokens (--cell A --cell B)."""

from __future__ import annotations

from flows.studies.request import Arm, StudyRequest

QUESTIONS = ("what_does_each_point_of_score_cost", "how_did_each_cell_do", "how_do_cells_compare_pair_by_pair")


def arms(ask: StudyRequest) -> list[Arm]:
    """Return the cells as they are.

    Raises:
        SolonError: There is one cell, and nothing to stand beside it.
    """
    if len(set(ask.cells)) < 2:
        raise ask.misuse("compares at least two cells", "name them with --cell A --cell B")
    return [Arm(cell) for cell in ask.cells]
