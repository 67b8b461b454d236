"""Accuracy against input length: score by characters of the data room and by the share that was read (--cell)."""

from __future__ import annotations

from flows.studies.request import Arm, StudyRequest

QUESTIONS = (
    "does_a_larger_data_room_lower_the_score",
    "does_reading_more_score_higher",
    "how_much_of_the_data_rooms_was_read",
)


def arms(ask: StudyRequest) -> list[Arm]:
    """Return the cells as they are."""
    return [Arm(cell) for cell in ask.cells]
