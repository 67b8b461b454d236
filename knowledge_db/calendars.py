"""Named legal calendars as data: which holidays count, under what authority. The deadline tool counts them.

The days themselves come from the ``holidays`` library; a row names the library's set, the authority and the rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from knowledge_db.calendar_records import HolidayCalendar
from knowledge_db.load import KnowledgeError, rows_of


def load_calendars(folder: Path) -> tuple[HolidayCalendar, ...]:
    """Return the calendars below a knowledge data folder, in the order of their files.

    Raises:
        KnowledgeError: A row breaks its schema, or two calendars share a name or an alias.
    """
    rows = rows_of(folder, "calendars", HolidayCalendar)
    _unshared((name, row.calendar_id) for row in rows for name in (row.calendar_id, *row.aliases))
    _unshared((name, row.calendar_id) for row in rows if row.place for name in (row.calendar_id, *row.place_aliases))
    return rows


def _unshared(named: Iterable[tuple[str, str]]) -> None:
    seen: dict[str, str] = {}
    for name, calendar_id in named:
        if name in seen:
            raise KnowledgeError(f"calendars: {name!r} names both {seen[name]} and {calendar_id}")
        seen[name] = calendar_id
