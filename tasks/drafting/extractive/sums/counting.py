"""How many there are of what a rule counts: told, counted by the papers, or the time between two days."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from tasks.drafting.extractive.due.worked import Worked
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import CLEAR, ENOUGH
from tasks.drafting.extractive.sums.interval import span
from tasks.drafting.extractive.sums.quantities import counts, counts_any
from tasks.drafting.extractive.sums.terms import UNITS_OF_TIME, Term
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight

_SURE = 0.6  # part of what is asked that a passage must speak of whose count is taken for certain
_OF_RULE = 0.3  # what it adds that a passage which counts speaks of the rule too
_IN_ALL = re.compile(
    r"\b(?:total|in all|altogether|at most|the most|maximum|whole|entire|overall|come to|in sum|outlay)\b", re.I
)


def times(asked: Asked, term: Term, one: Worked) -> Worked | None:
    """Multiply by how many there are of what a sum is due for each of."""
    if not term.each or (
        term.form == "share"
        and term.each in ("year", "month", "quarter")
        and not counts_any(asked.ask.words, term.each)
    ):
        return one
    counted = count(asked, term)
    if counted is None:
        return None if term.form != "multiple" else one
    many, how, units, certain = counted
    if term.beyond:
        how, many = f"({how} − {term.beyond:f})", max(Decimal(0), many - term.beyond)
    if term.step != 1:
        how, many = f"{how} / {term.step:f}", many / term.step
    whole = (
        many.to_integral_value("ROUND_CEILING" if term.rounding == "up" else "ROUND_FLOOR") if term.rounding else many
    )
    if (term.rounding and whole != many) or "/" in how:
        how = f"{whole:,f} ({how})" if term.rounding else how
    for cap, _, unit in term.caps:
        if cap.kind == "duration" and cap.unit == term.each and whole > cap.value:
            how, whole, units = f"{cap.value:f} (of {whole:f}, at most {cap.value:f})", cap.value, (*units, unit)
    return replace(
        one,
        value=one.value * whole,
        arithmetic=f"{how} × {one.arithmetic}" if term.form == "price" else f"{one.arithmetic} × {how}",
        units=tuple(dict.fromkeys((*one.units, *units))),
        certain=one.certain and certain,
    )


def count(asked: Asked, term: Term) -> tuple[Decimal, str, tuple[Unit, ...], bool] | None:
    """Return how many there are of what a rule counts, how that is said, where, and whether it is certain."""
    noun = term.each
    if noun == "time":
        block = [u for u in asked.room.sums.units if (u.document, u.block) == (term.unit.document, term.unit.block)]
        often = [(n, u) for u in block for n in counts(u.text, "")]
        return (often[0][0], f"{often[0][0]:f}", (often[0][1],), True) if len({n for n, _ in often}) == 1 else None
    for text in (asked.ask.words, asked.clause):
        many = [n for n in counts(text, noun) if n]
        if len(set(many)) == 1:
            asked.used_told = True
            return many[0], f"{many[0]:,f}", (), True
    if noun in UNITS_OF_TIME and (lasting := span(asked, term)):
        return lasting
    if noun == "day" and (days := unused(asked, noun, term.unit)):
        return days
    found = []
    for text, unit in asked.room.sums.passages:
        if unit is term.unit:
            continue
        for n in dict.fromkeys(counts(text, noun)):
            found.append((asked.fit_of(text) + _OF_RULE * asked.fit(term.says, text), n, unit))
    if noun in UNITS_OF_TIME and not _IN_ALL.search(asked.ask.words):
        return None  # how long it is due is told nowhere, and the whole is not asked for
    least = ENOUGH if noun in UNITS_OF_TIME else ENOUGH / 2
    found = sorted((f for f in found if f[0] >= least), key=lambda t: -t[0])
    if not found:
        return None
    clear = found[0][0] >= _SURE and len({n for s, n, _ in found if s >= CLEAR * found[0][0]}) == 1
    return found[0][1], f"{found[0][1]:,f}", (found[0][2],), clear


def unused(asked: Asked, noun: str, own: Unit) -> tuple[Decimal, str, tuple[Unit, ...], bool] | None:
    """Return the days that papers count as somebody's: "nine unused vacation days"."""
    found = [
        (asked.fit_of(u.text), n, u)
        for u in asked.room.sums.units
        for n in counts(straight(u.text), noun)
        if u is not own
        and re.search(rf"\b(?:\w+ ){{1,3}}{noun}s\b", u.text)
        and re.search(r"\b(?:unused|accrued|had|have|has)\b", u.text, re.I)
    ]
    found.sort(key=lambda t: -t[0])
    return (
        (found[0][1], f"{found[0][1]:f}", (found[0][2],), len({n for _, n, _ in found}) == 1)
        if found and found[0][0] > 0
        else None
    )
