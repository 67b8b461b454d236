"""Document summaries: each cell with and without the tool that writes them, by length of the data room (--cell)."""

from __future__ import annotations

from flows.runs.cells import table_of
from flows.studies.request import Arm, StudyRequest, varied
from tasks.drafting.stage import runtime

QUESTIONS = (
    "how_do_cells_compare_pair_by_pair",
    "does_a_larger_data_room_lower_the_score",
    "how_did_each_cell_do",
    "which_matters_gain_and_which_lose_between_cells",
)


def arms(ask: StudyRequest) -> list[Arm]:
    """Return each cell with the tool and without it.

    Raises:
        SolonError: A cell calls no tools, so that it makes no difference.
    """
    for cell in ask.cells:
        if not runtime(table_of(cell, ask.settings)["runtime"]).calls_tools:
            raise ask.misuse(f"{cell} calls no tools", "name cells whose model does: --cell basic:PROFILE")
    withheld = {"options": {"without_tools": ["summarize_docs"]}}
    return varied(ask, "summaries", {"with": {}, "without": withheld})
