"""Counts a period from its start day and shows the arithmetic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.due.search import Period
from tasks.drafting.extractive.due.starts import count, rolls
from tasks.drafting.extractive.due.triggers import Trigger
from tasks.drafting.extractive.due.worked import WorkedDay
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.stated import long_date, open_entry, span_of, told

_NOTICE = re.compile(r"\bnotice\b", re.I)
_HOW_LONG = re.compile(r"\bhow (?:long|many (?:days|weeks|months|years)|much time)\b", re.I)
_WORDS = 40  # words of a sentence that are quoted beside its day
_SATURDAY = 5  # the first day of a weekend, as ``date.weekday`` counts


def counted(ask: Ask, period: Period, trigger: Trigger, room: Room, *, certain: bool = True) -> AskAnswer:
    """Let the tool count a period from its day, and tell the day with the arithmetic."""
    window = period.window
    due, how, rolled = _counting(period, trigger, room)
    if due is None:
        return told(ask, [open_entry(f"{window.text} from {trigger.how}: it cannot be counted", [period.unit])])
    business = window.calendar in {"business", "trading"}
    closed = f"A {due:%A}; the paper has no rule for that." if due.weekday() >= _SATURDAY and not business else ""
    units = [period.unit, *trigger.units, *([rolled] if rolled else [])]
    room.days[ask.ask_id] = WorkedDay(due, ask.words, tuple(units))
    made = answered_with(ask, due, how, units, closed, certain=certain)
    if not _HOW_LONG.search(ask.words):
        return made
    entry = made.entries[0].model_copy(update={"answer": f"{window.text}, until {long_date(due)}"})
    return told(ask, [entry], units)


def last_day(period: Period, trigger: Trigger, room: Room) -> tuple[date, str] | None:
    """Return the day on which a period ends, with the arithmetic; None if it cannot be counted."""
    due, how, _ = _counting(period, trigger, room)
    return (due, how) if due is not None else None


def _counting(period: Period, trigger: Trigger, room: Room) -> tuple[date | None, str, Unit | None]:
    """Return the day of a period, the arithmetic, and the sentence by which it moved to a business day."""
    window = period.window
    back = window.direction == "before" and not _NOTICE.fullmatch(
        window.trigger.split(" ")[-1] if window.trigger else ""
    )
    roll = rolls(period.reading)
    due = count(window, trigger.day, room, "forward" if roll and not back else "none", back=back)
    how = f"{window.text} {'before' if back else 'after'} {trigger.how}"
    plain = count(window, trigger.day, room, "none", back=back) if roll else due
    if plain is None or plain == due:
        return due, how, None
    return due, f"{how}: {long_date(plain)}, moved to the next business day", roll


def shortened(text: str) -> str:
    """Return the first words of a sentence as they are quoted beside a day."""
    words = text.split(" ")
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")


def answered_with(
    ask: Ask, day: date, how: str, units: Sequence[Unit], note: str = "", *, certain: bool = True
) -> AskAnswer:
    """Return the answer that states a day, with the arithmetic and the sentences that carry it."""
    own = [u for u in units if u is not None]
    entry = Entry(
        document=own[0].document if own else "",
        state=AskState.ANSWERED,
        answer=long_date(day),
        support=tuple(dict.fromkeys(span_of(u) for u in own)),
        basis=how,
        day=day.isoformat(),
        note=note,
        certain=certain,
    )
    return told(ask, [entry], own)
