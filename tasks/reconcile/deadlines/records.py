"""Deadlines with their arithmetic."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from tasks.matter.base import Record

Roll = Literal["forward", "backward", "modified_following", "none"]
Direction = Literal["after", "before"]
Counting = Literal["calendar", "business", "clear"]
# From where a period is counted, and what its end is: as in ``knowledge_db.records.WindowRule``.
Convention = Literal["after", "beginning_with", "before_the_day", "clear", "end_of_month", "next_monday", "anniversary"]
Kind = Literal["deadline", "earliest", "waiting", "look_back", "duration", "decision", "minimum"]


class CountStep(Record):
    """One step of the arithmetic.

    Attributes:
        rule: The authority for this step, e.g. ``Fed. R. Civ. P. 6(a)(1)(C)``.
        note: What was done, in one sentence.
        on: Where the count stands after it.
    """

    rule: str
    note: str
    on: date


class Deadline(Record):
    """A computed deadline.

    Attributes:
        due: The last day (after an event) or the latest day (before one); for clear days after an event the first
            day on which the act may be done.
        due_at: Date and time for periods in hours.
        attention: Why a human should look before relying on it; empty where the rules leave no doubt.
    """

    schema_version: int = 1
    trigger: date
    due: date
    due_at: datetime | None = None
    calendar: str
    rule: str = ""
    steps: tuple[CountStep, ...]
    attention: tuple[str, ...] = ()
