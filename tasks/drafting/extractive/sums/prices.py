"""Sums at a price that the papers give: for what the ask counts, or in another currency."""

from __future__ import annotations

import re

from tasks.asks.records import Ask
from tasks.drafting.extractive.due.worked import Worked, cents, shown
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.quantities import counts

_INTO = re.compile(r"\bin (?P<money>dollars|U\.?S\.? dollars|euros?|pounds|francs)\b", re.I)
_MONEY = {"dollars": "USD", "euro": "EUR", "euros": "EUR", "pounds": "GBP", "francs": "CHF"}


def by_count(ask: Ask, room: Room) -> Worked | None:
    """Read the price of one of what the ask counts: "27,450 lbs" at "$5.00 per pound"."""
    found = []
    for term in room.sums.terms:
        many = (
            set(counts(ask.words, term.each))
            if term.form == "price" and term.each not in ("", "day", "month", "year", "week", "hour")
            else set()
        )
        if len(many) == 1:
            n = many.pop()
            value = cents(n * term.value)
            how = f"{n:,f} × {shown(term.value, term.money)} (each {term.each}) = {shown(value, term.money)}"
            found.append(Worked(value, how, (term.unit,), term.money))
    return found[0] if len({(w.value, w.unit) for w in found}) == 1 else None


def converted(asked: Asked) -> Worked | None:
    """Return the result before in another currency, at the rate of the papers."""
    into = _INTO.search(asked.ask.words)
    before = next((m for _, m in asked.before if m.unit.isupper()), None)
    if into is None or before is None:
        return None
    money = _MONEY[into["money"].lower().replace("u.s. ", "").replace("us ", "")]
    for term in asked.room.sums.terms:
        if term.form == "price" and term.money == money and _MONEY.get(term.each) == before.unit:
            value = cents(before.value * term.value)
            how = f"{shown(before.value, before.unit)} × {term.value:f} = {shown(value, money)}"
            return Worked(value, how, (term.unit, *before.units), money, certain=before.certain)
    return None
