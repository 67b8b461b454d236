"""The forms that a rule of a sum can have, and what each gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from tasks.drafting.extractive.due.triggers import trigger_day
from tasks.drafting.extractive.due.worked import Worked, cents, closed, named, shown
from tasks.drafting.extractive.sums.caps import capped
from tasks.drafting.extractive.sums.counting import count, times
from tasks.drafting.extractive.sums.fits import CLEAR
from tasks.drafting.extractive.sums.operands import Operands, base_of
from tasks.drafting.extractive.sums.over_time import for_time
from tasks.drafting.extractive.sums.quantities import counts
from tasks.drafting.extractive.sums.rising import last_day, risen
from tasks.drafting.extractive.sums.stated_sums import period_of, stated
from tasks.drafting.extractive.sums.terms import TIMES_A_YEAR, UNITS_OF_TIME, Term
from tasks.drafting.extractive.ways.stated import long_date


def share(plan: Operands, term: Term, depth: int) -> Worked | None:
    """A part of something: for a year, for each of something, divided, capped."""
    base = base_of(plan, term, depth)
    if base is None:
        return None
    value = base.value
    said = named(base)
    if term.free is not None:
        value = max(Decimal(0), value - term.free)
        said = f"({said} − {shown(term.free, base.unit)})"
    made = Worked(
        value * term.value, f"{term.shown} of {said}", (term.unit, *base.units), base.unit, certain=base.certain
    )
    counted = for_time(plan.asked, term, made) if term.yearly else times(plan.asked, term, made)
    if counted is None:
        return None
    if term.divisor != 1:
        how = f"{counted.arithmetic} / {term.divisor:f}"
        counted = replace(counted, value=counted.value / term.divisor, arithmetic=how)
    return capped(plan, term, closed(counted, base), depth)


def price(plan: Operands, term: Term, depth: int) -> Worked | None:
    """A sum for each of something."""
    one = Worked(term.value, term.shown, (term.unit,), term.money)
    made = times(plan.asked, term, one)
    if made is None or made is one:
        return None
    return capped(plan, term, closed(made), depth)


def tiers(plan: Operands, term: Term, depth: int) -> Worked | None:
    """Parts of one sum at several rates."""
    base = base_of(plan, term, depth)
    if base is None:
        return None
    total, low, said = Decimal(0), Decimal(0), []
    for rate, top in term.tiers:
        part = max(Decimal(0), min(base.value, top) - low if top is not None else base.value - low)
        if part:
            said.append(f"{rate.normalize() * 100:f}% × {shown(part, base.unit)}")
            total += part * rate
        low = top if top is not None else low
    made = Worked(total, " + ".join(said), (term.unit, *base.units), base.unit, certain=base.certain)
    return closed(made, base)


def rise(plan: Operands, term: Term, depth: int) -> Worked | None:
    """What a sum has risen to by a day."""
    base = stated(plan.asked, term.base or plan.asked.ask.words)
    day = plan.asked.day() or (last_day(plan.asked, term) if depth else None)
    if base is None or day is None:
        return None
    return risen(plan.asked, term, base, day)


def margin(plan: Operands, term: Term, _: int) -> Worked | None:
    """A rate so many points above another."""
    rates = [
        q
        for q in plan.asked.room.sums.quantities
        if q.figure.kind == "percent" and q.unit is not term.unit and q.unit.document == term.unit.document
    ]
    scored = sorted(((plan.asked.fit(f"{term.base} interest", q.of), q) for q in rates), key=lambda t: -t[0])
    numbered = re.search(r"\b(?:Section|Clause|paragraph|Article) (?P<n>\d+(?:\.\d+)*)", term.base, re.I)
    if numbered:
        inside = [
            (s, q)
            for s, q in scored
            if re.search(
                rf"(?<![\d.]){re.escape(numbered['n'])}(?![\d.]*\d)",
                f"{q.unit.label} {q.unit.heading} {q.unit.text[:6]}",
            )
        ]
        scored = inside or scored
    if not scored:
        return None
    other = scored[0][1]
    value = other.value + term.value
    clear = len({q.value for s, q in scored if s >= CLEAR * scored[0][0]}) == 1
    return Worked(
        value,
        f"{other.figure.text} + {term.shown} = {value.normalize():f}%",
        (term.unit, other.unit),
        "percent",
        certain=clear,
    )


def multiple(plan: Operands, term: Term, depth: int) -> Worked | None:
    """Months or weeks of a sum that is stated for some period."""
    period = next((u for u in UNITS_OF_TIME if u == term.money), "")
    base = plan.resolve(term.base, depth + 1, term)
    if base is None or not period or not base.units:
        return None
    each = period_of(base) or ("year" if re.search(r"salary|wage", term.base, re.I) else "")
    if each not in TIMES_A_YEAR or period not in TIMES_A_YEAR:
        return None
    many, units, how = term.value, base.units, ""
    if term.each and (counted := count(plan.asked, term)):
        many = term.value * counted[0]
        how = f" ({term.value:f} × {counted[1]})"
        units = (*units, *counted[2])
        for cap, _, unit in term.caps:
            if cap.kind == "duration" and cap.unit == period and many > cap.value:
                how, many, units = f"{how}, at most {cap.value:f}", cap.value, (*units, unit)
    elif term.each:
        return None
    value = cents(base.value * many * TIMES_A_YEAR[each] / TIMES_A_YEAR[period])
    part = (
        f"{many:f}{how} × "
        if each == period
        else f"{many:f}{how}/{Decimal(TIMES_A_YEAR[period]) / TIMES_A_YEAR[each]:f} × "
    )
    made = f"{part}{named(base)} = {shown(value, base.unit)}"
    more = ""
    if re.search(r"\bequal monthly inst", term.says, re.I) and period == "month":
        month = cents(value / many)
        more, made = f"; {shown(month, base.unit)} a month", f"{made}; / {many:f} = {shown(month, base.unit)}"
    return Worked(value, made, tuple(dict.fromkeys((term.unit, *units))), base.unit, more, base.certain)


def instalments(plan: Operands, term: Term, _: int) -> Worked | None:
    """One of several equal instalments, or what is left after some of them."""
    whole, money = term.free or Decimal(0), term.money
    value = cents(whole / term.value)
    how = f"{shown(whole, money)} / {term.value:f} = {shown(value, money)}"
    paid = list(counts(plan.asked.ask.words, "instalment")) + list(counts(plan.asked.ask.words, "installment"))
    if (
        paid
        and re.search(r"\b(?:open|left|remain\w*|outstanding|owed|owing|unpaid)\b", plan.asked.ask.words, re.I)
        and paid[0] < term.value
    ):
        plan.asked.used_told = True
        left = whole - paid[0] * value
        return Worked(
            left,
            f"{how}; {shown(whole, money)} − {paid[0]:f} × {shown(value, money)} = {shown(left, money)}",
            (term.unit,),
            money,
        )
    return Worked(value, how, (term.unit,), money, f" {term.base}, {term.value:f} times, {shown(whole, money)} in all")


def elapsed(plan: Operands, term: Term, depth: int) -> Worked | None:
    """The part of a yearly sum for the days of a year that have gone by."""
    base = plan.resolve(term.base, depth + 1, term)
    reading = next(r for r in plan.asked.room.readings if r.document == term.unit.document)
    end = trigger_day(term.each, plan.asked.ask, reading, plan.asked.room)
    if base is None or end is None:
        return None
    days = (end.day - date(end.day.year, 1, 1)).days + (1 if term.rounding else 0)
    made = Worked(
        base.value * days / term.basis,
        f"{days} days to {long_date(end.day)}: {named(base)} × {days}/{term.basis}",
        (term.unit, *base.units, *end.units),
        base.unit,
        certain=base.certain,
    )
    return closed(made, base)


Form = Callable[[Operands, Term, int], Worked | None]
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "share": share,
        "price": price,
        "tiers": tiers,
        "rise": rise,
        "margin": margin,
        "multiple": multiple,
        "instalments": instalments,
        "elapsed": elapsed,
    }
)
