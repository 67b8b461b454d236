"""Builds the answer of a way: entries, the line of the table, and places."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tasks.asks.records import Ask, AskAnswer, AskState, Entry, state_of
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.units import Unit
from tasks.sources.records import Span


def told(ask: Ask, entries: Sequence[Entry], units: Sequence[Unit] = ()) -> AskAnswer:
    """Return the answer to an ask; each document by its name where there are several."""
    several = len({e.document for e in entries}) > 1 and ask.each
    lines = [f"{e.document}: {_line(e)}" if several else _line(e) for e in entries]
    where = "; ".join(dict.fromkeys(f"{u.document}, {place_of(u)}" for u in units))
    return AskAnswer(
        ask_id=ask.ask_id,
        state=state_of(entries),
        answer="; ".join(dict.fromkeys(lines)),
        where=f"[{where}]" if where else "",
        entries=tuple(entries),
    )


def _line(entry: Entry) -> str:
    return entry.reason if entry.state is AskState.NOT_ATTEMPTED else entry.answer


def open_entry(reason: str, nearest: Sequence[Unit], document: str = "") -> Entry:
    """Return an entry that leaves an ask open, with what stands nearest to it."""
    return Entry(
        document=document, state=AskState.NOT_ATTEMPTED, reason=reason, nearest=tuple(span_of(u) for u in nearest)
    )


def span_of(unit: Unit) -> Span:
    """Return where a sentence stands."""
    return Span(document=unit.document, start=unit.start, end=unit.pieces[-1][1])


def long_date(day: date) -> str:
    """Return a day as American papers write it: March 3, 2024."""
    return f"{day:%B} {day.day}, {day.year}"
