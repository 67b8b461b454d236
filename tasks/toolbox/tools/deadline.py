"""Compute a deadline."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def deadline(
    desk: Desk,  # noqa: ARG001 - every tool takes the desk
    *,
    trigger: str,
    rule: str | None = None,
    days: int | None = None,
    weeks: int | None = None,
    months: int | None = None,
    years: int | None = None,
    calendar: str | None = None,
    counting: Literal["calendar", "business", "clear"] | None = None,
    direction: Literal["after", "before"] | None = None,
    roll: Literal["forward", "backward", "modified_following", "none"] | None = None,
    service_days: int = 0,
) -> dict[str, Any]:
    """Compute a deadline under a named calendar; every step cites its rule, and doubts are said.

    Give a rule (its id or citation, e.g. "Fed. R. Civ. P. 12(a)(1)(A)(i)") or one period.

    Args:
        desk: What the caller may look at.
        trigger: Day of the event: 2024-03-01, or as a document writes it.
        rule: A named deadline.
        days: Period in days.
        weeks: Period in weeks.
        months: Period in months.
        years: Period in years.
        calendar: Named calendar, e.g. us_federal_courts.
        counting: Which days count.
        direction: After or before the trigger.
        roll: What to do when the last day is closed.
        service_days: Days added for the manner of service (3 for mail under Fed. R. Civ. P. 6(d)).
    """
    from tasks.reconcile.deadlines import compute

    try:
        found = compute(
            day_of(trigger),
            rule=rule,
            days=days,
            weeks=weeks,
            months=months,
            years=years,
            calendar=calendar,
            counting=counting,
            direction=direction,
            roll=roll,
            service_days=service_days,
        )
    except ValueError as exc:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="toolbox",
                subject="deadline",
                message=str(exc),
                remedy="give a rule, or one of days, weeks, months, years",
            )
        ) from None
    return found.model_dump(mode="json")


def day_of(text: str) -> date:
    """Read a day, ISO or in words.

    Raises:
        ValueError: It is not exactly one day.
    """
    from tasks.sources.scan.dates import scan_dates

    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        days = {d.iso for d in scan_dates(text) if d.precision == "day"}
        if len(days) != 1:
            raise ValueError(f"{text!r} is not one day") from None
        return date.fromisoformat(days.pop())


TOOL = Tool(deadline, stage="reconcile")
