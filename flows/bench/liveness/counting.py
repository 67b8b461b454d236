"""The rules of counting: which of their provisions and settings change a deadline."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final

from flows.bench.liveness.records import ALL, Leaf, fewer
from knowledge_db.calendar_records import HolidayCalendar, HolidaySource
from knowledge_db.counting import CountingRule
from tasks.harness import Harness
from tasks.reconcile.deadlines.book import DeadlineBook
from tasks.reconcile.deadlines.gate import compute

_EVENTS: Final = tuple(date(2024, 6, 24) + timedelta(days=n) for n in range(14))  # with Independence Day, a Thursday
_HERE: Final = HolidayCalendar(
    calendar_id="here", name="here", jurisdiction="US", authority="a", provenance="our own convention",
    sources=(HolidaySource(code="US"),),
)  # fmt: skip
_ASKED: Final[tuple[dict[str, Any], ...]] = (
    {"days": 10}, {"months": 1}, {"days": 9, "direction": "before"}, {"days": 3, "counting": "clear"},
    {"days": 14, "service_days": 3}, {"days": 2}, {"days": 20, "counting": "clear"},
)  # fmt: skip


def counting(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Drop each rule, each provision of it and each setting, and count some periods by it."""
    base = harness.knowledge
    named = {row.counting for row in base.windows} | {row.family for row in base.calendars}
    named |= {law for row in base.calendars for law in row.place_family.values()}
    for name, rule in [*base.counting.items()][rows]:
        usual = _counted(rule)
        yield Leaf("counting", name, name in named and usual != _counted(None))
        for part in rule.parts:
            other = rule.model_copy(update={"parts": {key: rule.parts[key] for key in rule.parts if key != part}})
            yield Leaf("counting", f"{name}: parts: {part}", usual != _counted(other))
        if "roll" in rule.parts or "roll_back" in rule.parts:
            for said, fewer_days in fewer(rule, "rolls_off"):
                yield Leaf("counting", f"{name}: {said}", usual != _counted(fewer_days))
        for field in ("short_clear", "working_days", "warning"):
            if getattr(rule, field):
                without = rule.model_copy(update={field: type(getattr(rule, field))()})
                yield Leaf("counting", f"{name}: {field}", usual != _counted(without))


def _counted(rule: CountingRule | None) -> list[Any]:
    """Return some periods counted by a rule, or by none."""
    name = rule.counting_id if rule else ""
    book = DeadlineBook((), (_HERE.model_copy(update={"family": name}),), {name: rule} if rule else {})
    found = [compute(day, book=book, calendar="here", **asked) for day in _EVENTS for asked in _ASKED]
    found += [compute(datetime.fromisoformat("2024-06-28T09:00"), book=book, calendar="here", hours=24)]
    found += [compute(day, book=book, calendar="here", days=4, inaccessible=[day + timedelta(4)]) for day in _EVENTS]
    return [[deadline.model_dump() for deadline in found], book.basis("", "here")]


PROBES = (counting,)
