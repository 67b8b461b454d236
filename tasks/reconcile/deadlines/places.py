"""The named calendars as the deadline tool counts by them, from the knowledge (``knowledge_db/data/calendars``)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from knowledge_db.calendars import calendar_ids, load_calendars
from knowledge_db.records import HolidayCalendar, HolidaySource

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Source(NamedTuple):
    """A set of holidays of the library."""

    code: str
    subdivision: str | None = None
    categories: tuple[str, ...] = ("public",)
    financial: bool = False


class Spec(NamedTuple):
    """A named calendar.

    Attributes:
        both: Holidays that count in either direction.
        forward: Holidays that count only in periods measured after an event (Fed. R. Civ. P. 6(a)(6)(C)).
        family: The time rules that go with it: ``frcp``, ``frbp``, ``irs``, ``cpr``, ``eu``, ``bgb``, …
        warning: What is told with every deadline.
        doubts: Words in a holiday's name, and what is told where such a day decides a deadline.
        fixed: Further closed days by ``MM-DD``.
        perhaps: Open days by ``MM-DD`` that are closed in some places, and what is told where a deadline ends there.
        known: First and last year whose holidays are settled; others rest on a forecast or were never compared.
        doubtful: Days on which it was asked whether the office was closed.
        doubt: Why they are doubtful.
    """

    label: str
    authority: str
    both: tuple[Source, ...]
    forward: tuple[Source, ...] = ()
    family: str = ""
    warning: str = ""
    doubts: Mapping[str, str] = _NOTHING
    fixed: Mapping[str, str] = _NOTHING
    perhaps: Mapping[str, str] = _NOTHING
    known: tuple[int, int] = (1900, 2200)
    doubtful: frozenset[date] = frozenset()
    doubt: str = ""


FEDERAL: Final = Source("US")


@lru_cache(maxsize=1)
def calendars() -> Mapping[str, HolidayCalendar]:
    """Return the rows of the knowledge by id."""
    return MappingProxyType(load_calendars())


@lru_cache(maxsize=1)
def specs() -> Mapping[str, Spec]:
    """Return the calendars that need no place, by id."""
    return MappingProxyType({name: _spec(row) for name, row in calendars().items() if not row.needs_place})


@lru_cache(maxsize=1)
def names() -> Mapping[str, str]:
    """Return the id of each calendar that needs no place, by each name that people use for it."""
    return MappingProxyType({name: own for name, own in calendar_ids().items() if own in specs()})


@lru_cache(maxsize=1)
def families() -> Mapping[str, HolidayCalendar]:
    """Return the calendars that take a place, by each name before a place; the longest names come first."""
    said = {name: row for row in calendars().values() if row.place for name in (row.calendar_id, *row.place_aliases)}
    return MappingProxyType({name: said[name] for name in sorted(said, key=lambda name: (-len(name), name))})


def state_families() -> frozenset[str]:
    """Return the ids of the calendars to which a state of the United States adds its holidays."""
    return frozenset(row.calendar_id for row in calendars().values() if row.place in ("after", "always"))


def with_place(row: HolidayCalendar, place: str) -> Spec:
    """Return the calendar of a place.

    Args:
        row: A calendar that takes a place.
        place: Code of the place in the library.
    """
    base = _spec(row)
    own = base.both[0]._replace(subdivision=place)
    told = base._replace(
        label=row.place_name.format(place=place),
        authority=row.place_authority.format(place=place) or row.authority,
        warning=row.place_warning,
    )
    if row.place == "instead":
        return told._replace(both=(own,), perhaps=row.place_perhaps.get(place, {}))
    # Holidays of a state count in every period, or only in those after an event (Fed. R. Civ. P. 6(a)(6)(C)).
    return told._replace(both=(*base.both, own)) if row.place == "always" else told._replace(forward=(own,))


def _spec(row: HolidayCalendar) -> Spec:
    return Spec(
        label=row.name,
        authority=row.authority,
        both=tuple(_source(source) for source in row.sources),
        family=row.family,
        warning=row.warning,
        doubts=row.doubts,
        fixed=row.fixed,
        perhaps=row.perhaps,
        known=row.known,
        doubtful=frozenset(row.doubtful),
        doubt=row.doubt,
    )


def _source(source: HolidaySource) -> Source:
    return Source(source.code, source.subdivision or None, source.categories, source.financial)
