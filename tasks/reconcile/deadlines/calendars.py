"""A named legal calendar: which days are closed, and which of them a human should verify.

Holidays come from the ``holidays`` library, corrected for its traps (categories, subdivisions, observed days at the
turn of the year). What the library cannot know (a closure by executive order) is told as a warning, not guessed.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from knowledge_db.calendar_records import HolidayCalendar, HolidaySource
from tasks.reconcile.deadlines.statutes import STATES_OF_STATUTE, corrected

ONE_DAY: Final = timedelta(days=1)
_FEDERAL: Final = HolidaySource(code="US")
_SATURDAY: Final = 5  # the first day of a weekend, as ``date.weekday`` counts


class Calendar:
    """The days that do not count as business days, at one place and for one purpose.

    Attributes:
        name: The name used to look it up.
        row: What the knowledge says of it, for its place where it has one.
    """

    def __init__(self, name: str, row: HolidayCalendar, after: tuple[HolidaySource, ...] = ()) -> None:
        """Remember the row, and the holidays that count only in periods measured after an event."""
        self.name = name
        self.row = row
        self._after = after
        self._years: dict[tuple[int, bool], dict[date, str]] = {}

    def holiday(self, day: date, *, forward: bool = True) -> str:
        """Return the holiday's name, or an empty string.

        Args:
            day: The day asked about.
            forward: Whether the period is measured after an event; state holidays count only then.
        """
        return self._year(day.year, forward=forward).get(day, "")

    def closed(self, day: date, *, forward: bool = True) -> str:
        """Say why the day does not count: "Saturday", "Sunday", a holiday; empty for a business day."""
        if day.weekday() == 6 or (day.weekday() == 5 and not self.row.open_saturday):
            return ("Saturday", "Sunday")[day.weekday() - 5]
        return self.holiday(day, forward=forward)

    def is_business_day(self, day: date) -> bool:
        """Whether it is neither a weekend nor a holiday."""
        return not self.closed(day)

    def doubtful(self, day: date, *, forward: bool = True) -> str:
        """Return why a human should verify a deadline on this day; empty where the rules leave no doubt."""
        if day in self.row.doubtful:
            return f"{day}: {self.row.doubt}"
        name = self.holiday(day, forward=forward) if day.weekday() < _SATURDAY else ""
        if name:
            return self._doubtful_holiday(day, name)
        note = self.row.perhaps.get(f"{day:%m-%d}", "")
        return f"{day}: {note}" if note and day.weekday() < _SATURDAY else ""

    def _doubtful_holiday(self, day: date, name: str) -> str:
        counted = f"{day} ({name}) was counted as closed"
        for words, note in self.row.doubts.items():
            if words in name:
                return f"{counted}: {note}"
        if "(estimated)" in name:
            return f"{counted}: the day is estimated, see the gazette"
        if not self.row.known[0] <= day.year <= self.row.known[1]:
            return f"{counted}: holidays of {day.year} were not settled or compared here"
        states = [s.subdivision for s in (*self.row.sources, *self._after) if s.code == "US" and s.subdivision]
        unproved = [state for state in states if state not in STATES_OF_STATUTE]
        if unproved and day not in _holidays_of(_FEDERAL, day.year):
            return f"{counted}: confirm that {unproved[0]} declares it a holiday"
        return ""

    def _year(self, year: int, *, forward: bool) -> dict[date, str]:
        key = (year, forward)
        if key not in self._years:
            days: dict[date, str] = {}
            for source in self.row.sources + (self._after if forward else ()):
                days.update(_holidays_of(source, year))
            days.update({date.fromisoformat(f"{year}-{at}"): name for at, name in self.row.fixed.items()})
            self._years[key] = days
        return self._years[key]


@lru_cache(maxsize=2048)
def _holidays_of(source: HolidaySource, year: int) -> dict[date, str]:
    """Holidays of one year; the next year is read too, since 1 January may be observed on 31 December."""
    import holidays

    years = (year, year + 1)
    place = source.subdivision or None
    # Markets and banks are found by their code as countries are.
    found = holidays.country_holidays(
        source.code, subdiv=place, years=years, categories=source.categories, observed=source.observed
    )
    return corrected(source.code, place, year, {day: name for day, name in found.items() if day.year == year})
