"""The calendars of one knowledge by the names that people use for them, with or without a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from knowledge_db.calendar_records import HolidayCalendar
from tasks.legaltext.fold import unaccented
from tasks.reconcile.deadlines.calendars import Calendar


class Calendars:
    """The named calendars of a knowledge; each is built at its first use."""

    def __init__(self, rows: Iterable[HolidayCalendar]) -> None:
        """Remember the rows and by which names they are asked for."""
        self.rows = {row.calendar_id: row for row in rows}
        self._ids = {
            name: row.calendar_id
            for row in self.rows.values()
            if not row.needs_place
            for name in (row.calendar_id, *row.aliases)
        }
        said = {n: row for row in self.rows.values() if row.place for n in (row.calendar_id, *row.place_aliases)}
        # The longest name comes first: it leaves the least to be the place.
        self._families = {name: said[name] for name in sorted(said, key=lambda name: (-len(name), name))}
        self._built: dict[str, Calendar] = {}

    def named(self, name: str) -> Calendar:
        """Return a calendar by name.

        Args:
            name: One of ``names``, or a family with a place: ``us_federal_courts_ny``, ``bankruptcy_de``, ``state_ca``,
                ``canada_on``, ``australia_nsw``, ``germany_by``, ``india_mh``.

        Raises:
            ValueError: Where no such calendar is known; the message lists those that are.
        """
        if name not in self._built:
            self._built[name] = self._build(name)
        return self._built[name]

    def letters(self, family: str, place: str) -> str:
        """Return the code of a place of a family in small letters; empty where the family has none of this name."""
        row = self.rows.get(family)
        return _places_of(row).get(_key(place), "").lower() if row else ""

    def holds(self, name: str) -> bool:
        """Whether a calendar without a place goes by this id or alias."""
        return name in self._ids

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the calendars that need no place."""
        return tuple(sorted(set(self._ids.values())))

    @property
    def state_families(self) -> frozenset[str]:
        """The ids of the calendars to which a state of the United States adds its holidays."""
        return frozenset(row.calendar_id for row in self.rows.values() if row.place in ("after", "always"))

    def _build(self, name: str) -> Calendar:
        key = _key(name)
        if key in self._ids:
            row = self.rows[self._ids[key]]
            return Calendar(row.calendar_id, row)
        for said, row in self._families.items():
            if key.startswith(f"{said}_"):
                spelled = key[len(said) + 1 :]
                spelled = row.place_spellings.get(spelled, spelled)
                place = _subdivisions(row.sources[0].code).get(spelled)
                if place:
                    return _with_place(f"{row.calendar_id}_{spelled}", row, place)
                break
        raise ValueError(
            f"no calendar named {name!r}; {self._perhaps(key)}known: {', '.join(self.names)}{self._with()}"
        )

    def _perhaps(self, key: str) -> str:
        """Name the calendars of a place that was given alone: ``ny`` may be state_ny or us_federal_courts_ny."""
        rows = {row.calendar_id: row for row in self._families.values()}
        place = key.rpartition("_")[2]
        near = [
            f"{one}_{place}" for one, row in rows.items() if row.place_spellings.get(place, place) in _places_of(row)
        ]
        return f"perhaps {', '.join(near)}; " if near else ""

    def _with(self) -> str:
        families = sorted({f"{row.calendar_id}_PLACE" for row in self._families.values()})
        return f"; with a place: {', '.join(families)}" if families else ""


def _with_place(name: str, row: HolidayCalendar, place: str) -> Calendar:
    """Return the calendar of a place, by its code in the library."""
    own = row.sources[0].model_copy(update={"subdivision": place})
    told: dict[str, Any] = {
        "name": row.place_name.format(place=place),
        "authority": row.place_authority.format(place=place) or row.authority,
        "warning": row.place_warning,
        "family": row.place_family.get(place, row.family),
    }
    if row.place == "instead":
        told |= {"sources": (own,), "perhaps": row.place_perhaps.get(place, {})}
    # Holidays of a state count in every period, or only in those after an event (Fed. R. Civ. P. 6(a)(6)(C)).
    elif row.place == "always":
        told |= {"sources": (*row.sources, own)}
    return Calendar(name, row.model_copy(update=told), after=(own,) if row.place == "after" else ())


def _key(name: str) -> str:
    """Return a name in small letters without accents, its words joined: "Germany: Bavaria" is germany_bavaria."""
    letters = unaccented(name.strip().lower())
    return "_".join("".join(c if c.isalnum() else " " for c in letters).split())


def _places_of(row: HolidayCalendar) -> Mapping[str, str]:
    """Return the places of a calendar; none of one that names no country of the library."""
    try:
        return _subdivisions(row.sources[0].code)
    except (IndexError, AttributeError):  # refused with its reason where the calendar itself is asked for
        return {}


@lru_cache(maxsize=16)
def _subdivisions(code: str) -> Mapping[str, str]:
    """Map the code and the names of each place, in lower case with underscores, to its code in the library."""
    import holidays

    country = getattr(holidays, code)
    places = {_key(alias): place for alias, place in country.subdivisions_aliases.items()}
    places.update({_key(place): place for place in country.subdivisions})
    return places
