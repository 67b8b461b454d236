"""Sums at a price that the papers give: for what the ask counts, or in another currency."""

from __future__ import annotations

import re
from decimal import Decimal

from tasks.asks.records import Ask
from tasks.drafting.extractive.due.worked import Worked, cents, shown
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.for_each import every
from tasks.drafting.extractive.sums.quantities import counts
from tasks.drafting.extractive.sums.terms import TIMES_A_YEAR, Term

_INTO = re.compile(r"\bin (?P<money>dollars|U\.?S\.? dollars|euros?|pounds|francs)\b", re.I)
_MONEY = {"dollars": "USD", "euro": "EUR", "euros": "EUR", "pounds": "GBP", "francs": "CHF"}


def by_count(ask: Ask, room: Room) -> Worked | None:
    """Read the price of one of what the ask counts: "27,450 lbs" at "$5.00 per pound".

    A price that is due again ("per user per month") is told with its time, or for the time that the ask speaks of.
    """
    found = []
    for term in room.sums.terms:
        many = (
            set(counts(ask.words, term.each))
            if term.form == "price" and term.each not in ("", "day", "month", "year", "week", "hour")
            else set()
        )
        if len(many) == 1:
            n = many.pop()
            often, said, time = _repeated(term, ask.words)
            value = cents(n * term.value * often)
            how = (
                f"{n:,f} × {shown(term.value, term.money)} (each {term.each}{said}) = {shown(value, term.money)}{time}"
            )
            found.append(Worked(value, how, (term.unit,), term.money, more=time))
    return found[0] if len({(w.value, w.unit) for w in found}) == 1 else None


def _repeated(term: Term, words: str) -> tuple[Decimal, str, str]:
    """Return how often a price is due in the time that is asked for, how that is said, and what is told behind a sum.

    Where no time is asked for, or one in which it is not due a whole number of times, it is told for its own time.
    """
    if not term.every:
        return Decimal(1), "", ""
    asked = every(words)
    often = Decimal(TIMES_A_YEAR[term.every]) / TIMES_A_YEAR[asked] if asked else Decimal(0)
    if many := set(counts(words, term.every)):
        often = many.pop() if len(many) == 1 else Decimal(0)
    whole = often >= 1 and often == int(often)
    said = f", {often:f} × a {term.every}" if whole and often != 1 else ""
    return (often, said, f" per {asked}" if asked else "") if whole else (Decimal(1), "", f" per {term.every}")


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
