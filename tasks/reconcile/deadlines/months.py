"""Calendar arithmetic without holidays: months with end-of-month clipping."""

from __future__ import annotations

import calendar
from datetime import MAXYEAR, MINYEAR, date


def add_months(start: date, months: int) -> date:
    """Move by calendar months; a day that the target month lacks becomes its last day.

    Raises:
        ValueError: Where the year leaves 1..9999.
    """
    total = start.year * 12 + start.month - 1 + months
    year, month = divmod(total, 12)
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"{start} moved by {months} months leaves the calendar")
    return date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1]))


def last_of_month(day: date) -> date:
    """Return the last day of the month of a day."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])
