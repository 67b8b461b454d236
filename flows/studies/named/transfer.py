"""Transfer: a learned harness run untouched with other cells, whole and one surface at a time (--with DIR)."""

from __future__ import annotations

from flows.studies.request import Arm, StudyRequest
from flows.studies.surfaces import parts_of
from tasks.harness import find_harness

QUESTIONS = (
    "what_does_a_harness_bring_each_cell",
    "which_matters_were_rescued_by_which_harness",
    "how_did_each_cell_do",
)


def arms(ask: StudyRequest) -> list[Arm]:
    """Return the cells under the harness in force, the learned one, and each of its surfaces alone.

    Raises:
        SolonError: No learned harness is named, or more than one; or it is the one in force.
    """
    if len(ask.harnesses) != 1:
        raise ask.misuse("takes one learned harness", "name its folder with --with DIR")
    learned, base = find_harness(ask.harnesses[0]), find_harness(ask.settings.harness)
    if learned.version == base.version:
        raise ask.misuse(f"{ask.harnesses[0]} is the harness in force", "name the folder of a learned one")
    parts = parts_of(base, learned, ask.settings.home / "studies" / "harnesses")
    folders = [None, ask.harnesses[0], *(parts.values() if len(parts) > 1 else ())]
    return [Arm(cell, harness=folder) for folder in folders for cell in ask.cells]
