"""Revision depth (D5): each cell with no, one, two and three passes after the release report (--values 0,1,2)."""

from __future__ import annotations

from flows.studies.request import Arm, StudyRequest, varied

QUESTIONS = (
    "how_did_each_cell_do",
    "how_do_cells_compare_pair_by_pair",
    "what_does_each_point_of_score_cost",
    "trace_defects",
)
USUAL = ("0", "1", "2", "3")
MOST = 9  # passes: a bound on the cost of a study; chosen


def arms(ask: StudyRequest) -> list[Arm]:
    """Return each cell at each depth.

    Raises:
        SolonError: A depth is no number from 0 to 9.
    """
    depths = ask.values or USUAL
    if wrong := [depth for depth in depths if not (depth.isdecimal() and int(depth) <= MOST)]:
        raise ask.misuse(f"{wrong[0]!r} is no number of passes", f"name numbers from 0 to {MOST}: --values 0,1,2")
    return varied(ask, "revise", {depth: {"revise": int(depth)} for depth in depths})
