"""Whether the deadline tool can compute every row of a book: each is tried from difficult days."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from tasks.reconcile.deadlines.book import DeadlineBook
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.rules import DeadlineRule

# A leap day, a Saturday, the last of a long month, the eve of a year.
_TRIALS: Final = tuple(
    datetime.fromisoformat(f"{day}T16:30") for day in ("2024-02-29", "2023-07-01", "2025-01-31", "2021-12-31")
)


def uncomputable(book: DeadlineBook) -> list[str]:
    """Return what is wrong with the rows that the deadline tool cannot compute, one line each; empty if none.

    Each row is computed from four difficult days; the due date must lie on the row's side of the event, be an open day
    where the row rolls, and the last step must end on it. A row that rolls must rest on a rule that says so.
    """
    wrong = []
    for window in book.windows:
        try:
            rule = book.rule(window.window_id)
            if not _roll_is_founded(rule):
                raise ValueError("it rolls, but no authority says so")
            problems = [problem for trial in _TRIALS if (problem := _problem(rule, trial, book))]
        except ValueError as error:
            problems = [str(error)]
        if problems:
            wrong.append(f"{window.window_id}: {problems[0]}")
    return wrong


def _roll_is_founded(rule: DeadlineRule) -> bool:
    """Whether an authority stands behind moving the period off a closed day."""
    return rule.roll == "none" or bool(rule.roll_authority)


def _may_end(rule: DeadlineRule, day: date, closed: str) -> bool:
    """Whether a rolled period may end on a day: an open one, or one off which its rule of counting does not move it."""
    kind = {5: "saturday", 6: "sunday"}.get(day.weekday(), "holiday")
    return not closed or (rule.counted_by is not None and kind not in rule.counted_by.rolls_off)


def _problem(rule: DeadlineRule, trial: datetime, book: DeadlineBook) -> str:
    compute(trial.date(), book=book, rule=rule)  # of an event whose time is not known
    found = compute(trial, book=book, rule=rule)
    calendar = book.calendars.named(found.calendar)
    forward = rule.direction == "after"
    due = found.due_at or datetime.combine(found.due, trial.time())
    same_day = rule.n == 1 and rule.convention in ("beginning_with", "before_the_day")
    if rule.n and (due < trial if same_day else due <= trial) == forward:
        return f"{due} is not {rule.direction} the event of {trial}"
    if rule.roll != "none" and not _may_end(rule, found.due, calendar.closed(found.due, forward=forward)):
        return f"{found.due} is closed ({calendar.closed(found.due, forward=forward)})"
    if found.steps[-1].on != found.due or not all(step.rule and step.note for step in found.steps):
        return "the steps do not lead to the due date"
    return ""
