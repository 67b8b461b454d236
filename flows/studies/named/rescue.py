"""Rescue heatmap: each matter under each harness, which it rescued and which it lost (--with DIR --with DIR)."""

from __future__ import annotations

from flows.studies.request import Arm, StudyRequest

QUESTIONS = ("which_matters_were_rescued_by_which_harness", "how_did_each_cell_do")


def arms(ask: StudyRequest) -> list[Arm]:
    """Return the cells under each harness.

    Raises:
        SolonError: Fewer than two harnesses are named.
    """
    if len(ask.harnesses) < 2:
        raise ask.misuse("compares at least two harnesses", "name them with --with DIR --with DIR")
    return [Arm(cell, harness=folder) for folder in ask.harnesses for cell in ask.cells]
