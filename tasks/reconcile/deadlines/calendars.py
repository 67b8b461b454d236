"""Named legal calendars: which days are holidays where, and under what authority.

Holidays come from the ``holidays`` library with its traps dealt with (categories, subdivisions, observed days at the
turn of the year). What the library cannot know (a closure by executive order) is told as a warning, not guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from tasks.legaltext.fold import unaccented
from tasks.reconcile.deadlines.places import FEDERAL, Source, Spec, families, names, specs, with_place
from tasks.reconcile.deadlines.statutes import STATES_OF_STATUTE, corrected

ONE_DAY: Final = timedelta(days=1)


class Calendar:
    """The days on which nothing can be done, at one place and for one purpose."""

    def __init__(self, name: str, spec: Spec) -> None:
        self.name = name
        self.label = spec.label
        self.authority = spec.authority
        self.family = spec.family
        self.warning = spec.warning
        self._spec = spec
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
        if day.weekday() >= 5:
            return ("Saturday", "Sunday")[day.weekday() - 5]
        return self.holiday(day, forward=forward)

    def is_business_day(self, day: date) -> bool:
        """Whether it is neither a weekend nor a holiday."""
        return not self.closed(day)

    def doubtful(self, day: date, *, forward: bool = True) -> str:
        """Say why a human should look where this day decides a deadline; empty where the rules leave no doubt."""
        if day in self._spec.doubtful:
            return f"{day}: {self._spec.doubt}"
        name = self.holiday(day, forward=forward) if day.weekday() < 5 else ""
        if name:
            return self._doubtful_holiday(day, name)
        note = self._spec.perhaps.get(f"{day:%m-%d}", "")
        return f"{day}: {note}" if note and day.weekday() < 5 else ""

    def _doubtful_holiday(self, day: date, name: str) -> str:
        for words, note in self._spec.doubts.items():
            if words in name:
                return f"{day} ({name}) was counted as closed: {note}"
        if "(estimated)" in name:
            return f"{day} ({name}) was counted as closed: the day is estimated, see the gazette"
        if not self._spec.known[0] <= day.year <= self._spec.known[1]:
            return f"{day} ({name}) was counted as closed: holidays of {day.year} were not settled or compared here"
        states = [s.subdivision for s in (*self._spec.both, *self._spec.forward) if s.code == "US" and s.subdivision]
        unproved = [state for state in states if state not in STATES_OF_STATUTE]
        if unproved and day not in _holidays_of(FEDERAL, day.year):
            return f"{day} ({name}) was counted as closed: confirm that {unproved[0]} declares it a holiday"
        return ""

    def _year(self, year: int, *, forward: bool) -> dict[date, str]:
        key = (year, forward)
        if key not in self._years:
            sources = self._spec.both + (self._spec.forward if forward else ())
            self._years[key] = {}
            for source in sources:
                self._years[key].update(_holidays_of(source, year))
            self._years[key].update({date.fromisoformat(f"{year}-{at}"): name for at, name in self._spec.fixed.items()})
        return self._years[key]


@lru_cache(maxsize=2048)
def _holidays_of(source: Source, year: int) -> dict[date, str]:
    """Holidays of one year; the next year is read too, since 1 January may be observed on 31 December."""
    import holidays

    years = (year, year + 1)
    if source.financial:
        found = holidays.financial_holidays(source.code, years=years)
    else:
        found = holidays.country_holidays(
            source.code, subdiv=source.subdivision, years=years, categories=source.categories
        )
    return corrected(
        source.code, source.subdivision, year, {day: name for day, name in found.items() if day.year == year}
    )


@lru_cache(maxsize=256)
def calendar_named(name: str) -> Calendar:
    """Return a calendar by name.

    Args:
        name: One of ``calendar_names()``, or a family with a place: ``us_federal_courts_ny``, ``bankruptcy_de``,
            ``state_ca``, ``canada_on``, ``australia_nsw``, ``germany_by``, ``india_mh``.

    Raises:
        ValueError: Where no such calendar is known; the message lists those that are.
    """
    key = _key(name)
    key = names().get(key, key)
    spec = specs().get(key)
    if spec is None:
        key, spec = _placed(key)
    if spec is None:
        raise ValueError(
            f"no calendar named {name!r}; known: {', '.join(calendar_names())}, and with a place e.g. bankruptcy_ny"
        )
    return Calendar(key, spec)


def _key(name: str) -> str:
    """Return a name in small letters without accents, its words joined: "Germany: Bavaria" is germany_bavaria."""
    letters = unaccented(name.strip().lower())
    return "_".join("".join(c if c.isalnum() else " " for c in letters).split())


def calendar_names() -> tuple[str, ...]:
    """Return the names of the calendars that need no place."""
    return tuple(sorted(specs()))


def _placed(key: str) -> tuple[str, Spec | None]:
    """Return the calendar of a family and a place, by its usual name: "de_bavaria" is germany_by."""
    for said, row in families().items():
        if key.startswith(f"{said}_"):
            spelled = key[len(said) + 1 :]
            spelled = row.place_spellings.get(spelled, spelled)
            place = _subdivisions(row.sources[0].code).get(spelled)
            return f"{row.calendar_id}_{spelled}", with_place(row, place) if place else None
    return key, None


@lru_cache(maxsize=16)
def _subdivisions(code: str) -> Mapping[str, str]:
    """Map the code and the names of each place, in lower case with underscores, to its code."""
    import holidays

    country = getattr(holidays, code)
    places = {_key(alias): place for alias, place in country.subdivisions_aliases.items()}
    places.update({_key(place): place for place in country.subdivisions})
    return places
