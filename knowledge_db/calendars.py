"""Named legal calendars as data. Read API over ``data/calendars``: it says which holidays count, it counts nothing.

The days themselves come from the ``holidays`` library; a row names the library's set, the authority and the rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from knowledge_db.load import KnowledgeError, rows_of
from knowledge_db.records import HolidayCalendar

PACKAGED = Path(__file__).parent / "data"


def load_calendars(folder: Path = PACKAGED) -> dict[str, HolidayCalendar]:
    """Return the calendars by id, in the order of their files.

    Raises:
        KnowledgeError: A row breaks its schema, or two calendars share a name or an alias.
    """
    rows = rows_of(folder, "calendars", HolidayCalendar)
    _unshared((name, row.calendar_id) for row in rows for name in (row.calendar_id, *row.aliases))
    _unshared((name, row.calendar_id) for row in rows if row.place for name in (row.calendar_id, *row.place_aliases))
    return {row.calendar_id: row for row in rows}


def _unshared(named: Iterable[tuple[str, str]]) -> None:
    seen: dict[str, str] = {}
    for name, calendar_id in named:
        if name in seen:
            raise KnowledgeError(f"calendars: {name!r} names both {seen[name]} and {calendar_id}")
        seen[name] = calendar_id


def calendar_ids(folder: Path = PACKAGED) -> dict[str, str]:
    """Return the id of each calendar by each name that may be used for it."""
    return {
        name: row.calendar_id for row in load_calendars(folder).values() for name in (row.calendar_id, *row.aliases)
    }


def find_calendar(name: str, folder: Path = PACKAGED) -> tuple[HolidayCalendar, str] | None:
    """Return the calendar of a name and the place that the name ends with; None where there is none.

    Args:
        name: An id or alias, or one of a calendar that takes a place followed by the place: ``bankruptcy_ny``,
            ``Germany BY``. Case, spaces and hyphens do not matter. Whether there is such a place is not checked.
        folder: The knowledge data folder.
    """
    key = plain_name(name)
    known, ids = load_calendars(folder), calendar_ids(folder)
    if key in ids and not known[ids[key]].needs_place:
        return known[ids[key]], ""
    heads = {n: row for row in known.values() if row.place for n in (row.calendar_id, *row.place_aliases)}
    for head in sorted(heads, key=len, reverse=True):
        if key.startswith(f"{head}_"):
            return heads[head], key[len(head) + 1 :]
    return None


def plain_name(name: str) -> str:
    """Return a name in lower case with single underscores."""
    return "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())
