"""What the rows of an account give to something."""

from __future__ import annotations

import re
from decimal import Decimal

from tasks.asks.records import Ask
from tasks.drafting.extractive.due.worked import Worked, shown
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.quantities import figures_in
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure

_ROW = re.compile(r"^[ \t|]*\d{1,4}[-/]\d{1,2}[-/]\d{1,4}[^\n]*\d[^\n]*$", re.M)
_ROWS = 3  # rows that make an account
_LEFT = re.compile(r"\b(?:outstanding|balance|remain\w*|still owed)\b", re.I)
_PAID = re.compile(r"\b(?:in all|in total|total|so far|altogether|to date)\b", re.I)


def ledger(ask: Ask, room: Room) -> Worked | None:
    """Add up what the rows of an account give to what is asked about, or take it from the sum that was owed."""
    left, paid = bool(_LEFT.search(ask.words)), bool(_PAID.search(ask.words))
    rows = [(r, m) for r in room.of(ask) for m in _ROW.finditer(r.text.text)]
    nouns = {n for n in re.findall(r"[a-z]{4,}", ask.words) if any(n in m[0].lower() for _, m in rows)}
    if not (left or paid) or len(rows) < _ROWS or len(nouns) != 1:
        return None
    noun = nouns.pop()
    parts = [(r, m, f) for r, m in rows if (f := _entered(m[0], noun)) is not None]
    units = tuple(dict.fromkeys(u for r, m, _ in parts for u in r.units if u.start <= m.start() < u.pieces[-1][1]))
    if not parts or len({f.unit for _, _, f in parts}) != 1:
        return None
    total, money = sum((f.value for _, _, f in parts), Decimal(0)), parts[0][2].unit
    said = " + ".join(shown(f.value, money) for _, _, f in parts)
    if paid:
        return Worked(total, f"{said} = {shown(total, money)}", units, money)
    owed = _sum_called(noun, room)
    if owed is None or owed.unit != money:
        return None
    value = owed.value - total
    how = f"{shown(owed.value, money)} − ({said}) = {shown(value, money)}"
    return Worked(value, how, (*owed.units, *units), money)


def _sum_called(name: str, room: Room) -> Worked | None:
    """Return the sum that a paper calls by a name: "the principal sum of … ($480,000)"."""
    pattern = re.compile(rf"\b{re.escape(name)}\s+(?:sum|amount)\s+of\b", re.I)
    found = [
        Worked(f.value, f.text, (u,), f.unit)
        for u in room.sums.units
        if (m := pattern.search(u.text))
        for f in figures_in(u.text, "money")[-1:]
        if f.start > m.start()
    ]
    return found[0] if len({s.value for s in found}) == 1 else None


def _entered(row: str, noun: str) -> Figure | None:
    """Return what a row gives to something: the sum behind its name, else the sum of the row."""
    if not re.search(rf"\b{noun}\b", row, re.I):
        return None
    own = re.search(rf"\b{noun}\b[^;]*", row, re.I)
    behind = [f for f in scan_numbers(own[0]) if f.kind == "money"] if own else []
    return next((f for f in [*behind, *scan_numbers(row)] if f.kind == "money"), None)
