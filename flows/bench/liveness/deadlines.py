"""The windows and the calendars: which of their rows and items change a deadline or its explanation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from flows.bench.liveness.records import ALL, Leaf, fewer
from knowledge_db.calendar_records import HolidayCalendar
from knowledge_db.records import WindowRule
from tasks.harness import Harness
from tasks.reconcile.deadlines.book import DeadlineBook, book_of
from tasks.reconcile.deadlines.gate import compute
from tasks.reconcile.deadlines.places import Calendars

_EVENTS = (*(date(year, 3, 5) for year in (1995, 2005, 2012, 2017, 2021, 2024)), date(2024, 12, 20))
_DAYS = tuple(date(2024, 1, 1) + timedelta(days=n) for n in range(366))
_YEARS = tuple(date(2019, 1, 1) + timedelta(days=n) for n in range(8 * 365))


def windows(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Drop each window, and each name of one, and ask for the deadline."""
    book, calendars, counting = book_of(harness.knowledge), harness.knowledge.calendars, harness.knowledge.counting
    for row in book.windows[rows]:
        alone = DeadlineBook((row,), calendars, counting)
        yield Leaf(
            "windows",
            row.window_id,
            _deadlines(alone, row.window_id) != _deadlines(DeadlineBook((), calendars, counting), row.window_id),
        )
        moved = DeadlineBook((row.model_copy(update={"n": row.n + 9}),), calendars, counting)
        yield Leaf(
            "windows", f"{row.window_id}: n", _deadlines(alone, row.window_id) != _deadlines(moved, row.window_id)
        )
        for field in ("aliases", "also_cited", "earlier"):
            for name, other in fewer(row, field):
                asked = row.window_id if field == "earlier" else name.partition(": ")[2]
                yield Leaf("windows", f"{row.window_id}: {name}", _changes_deadline(row, other, asked, harness))


def _changes_deadline(row: WindowRule, other: WindowRule, asked: str, harness: Harness) -> bool:
    """Ask the row alone, and where that changes nothing among the rows that it stands with."""
    rest = tuple(one for one in harness.knowledge.windows if one.window_id != row.window_id)
    for beside in ((), rest):
        calendars, counting = harness.knowledge.calendars, harness.knowledge.counting
        books = (DeadlineBook((one, *beside), calendars, counting) for one in (row, other))
        before, after = (_deadlines(book, asked) for book in books)
        if before != after:
            return True
    return False


def _deadlines(book: DeadlineBook, name: str) -> list[Any]:
    """Return the deadlines of some events with their reasons, or why there is none."""
    said: list[Any] = []
    for event in _EVENTS:
        try:
            said.append(compute(event, rule=book.deadline(name), book=book).model_dump())
        except ValueError as error:
            said.append(str(error))
    try:
        rule = book.rule(name)
        said += [rule.period(event) for event in _EVENTS]
    except ValueError as error:
        said.append(str(error))
    return said


def calendars(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Drop each calendar and each of its items, and ask which days of a year are closed and what is said about them."""
    for row in harness.knowledge.calendars[rows]:
        places = _places(row)
        names = [row.calendar_id, *(f"{row.calendar_id}_{place}" for place in places)]
        yield Leaf("calendars", row.calendar_id, _closed_days((row,), names) != _closed_days((), names))
        for field in ("aliases", "place_aliases", "sources"):
            for name, other in fewer(row, field):
                said = name.partition(": ")[2]
                asked = [said, *(f"{said}_{place}" for place in places[:1])] if field != "sources" else names[:2]
                yield Leaf(
                    "calendars",
                    f"{row.calendar_id}: {name}",
                    _closed_days((row,), asked) != _closed_days((other,), asked),
                )
        for name, other in fewer(row, "doubtful"):
            days = (date.fromisoformat(name.partition(": ")[2]),)
            alive = _closed_days((row,), names, days) != _closed_days((other,), names, days)
            yield Leaf("calendars", f"{row.calendar_id}: {name}", alive)
        yield from _tables(row, names)


def _places(row: HolidayCalendar) -> list[str]:
    """Return the library's codes of the places that a calendar may be named after."""
    import holidays

    country = getattr(holidays, row.sources[0].code, None) if row.place else None
    return [place.lower() for place in getattr(country, "subdivisions", ())]


def _tables(row: HolidayCalendar, names: list[str]) -> Iterator[Leaf]:
    for field in ("fixed", "perhaps", "doubts", "place_spellings", "place_perhaps"):
        table = getattr(row, field)
        for key in table:
            other = row.model_copy(update={field: {k: v for k, v in table.items() if k != key}})
            asked = [*names, f"{row.calendar_id}_{key}".lower()]
            alive = any(
                _closed_days((row,), asked, days) != _closed_days((other,), asked, days) for days in (_DAYS, _YEARS)
            )
            yield Leaf("calendars", f"{row.calendar_id}: {field}: {key}", alive)


def _closed_days(rows: tuple[HolidayCalendar, ...], names: list[str], days: tuple[date, ...] = _DAYS) -> list[Any]:
    """Return the closed days of each calendar, and the days that a human should verify."""
    known = Calendars(rows)
    told: list[Any] = []
    for name in names:
        try:
            found = known.named(name)
        except (ValueError, AttributeError, IndexError) as error:  # a calendar without its sources
            told.append(type(error).__name__)
            continue
        told.append([(found.row.name, found.row.warning), [(found.closed(d), found.doubtful(d)) for d in days]])
    return told


PROBES = (windows, calendars)
