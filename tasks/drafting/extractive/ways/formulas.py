"""How the papers say that a sum is reckoned: each form is read in one sentence and worked out with its operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal

from tasks.asks.records import Ask
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.operands import amount_of, counts, figures_in, sentences, told_amounts
from tasks.drafting.extractive.ways.stated import long_date
from tasks.drafting.extractive.ways.triggers import trigger_day
from tasks.drafting.extractive.ways.worked import Worked, cents, shown
from tasks.legaltext.numbers.spelling import words_to_int

ENOUGH = 0.3  # part of what is asked about that a sentence must speak of
CLEAR = 0.85  # a sum that fits its name so well is meant by it
_RATE = re.compile(r"\b(?:of|on)\s+(?:the |such |any |all |each )*(?P<base>[^.;,()]{3,80})", re.I)
_EACH = re.compile(r"\s*(?:per|a|an|each|for each|for every|every)(?:\s+(?P<noun>[a-z]+)|\s*[.;,]|$)", re.I)
_WHOLE = re.compile(r"\b(?:total|in all|altogether|at most|maximum|whole|entire|overall|come to|in sum|outlay)\b", re.I)
_NO_NOUN = frozenset(["in", "the", "of", "by", "for", "and", "to", "on"])
_EQUAL = re.compile(
    r"\bin (?P<n>[a-z-]+|\d+)(?: \(\d+\))? (?:equal )?(?P<each>monthly|quarterly|weekly|annual|yearly) instal?lments\b",
    re.I,
)
_MONTHS_OF = re.compile(r"\b(?:months?|weeks?)\s+of\s+(?P<base>[A-Z][\w ]{2,30}?)(?=[,.;]|\s+paid|$)")
_FOR = re.compile(r"\bfor\s+([^,.;]{3,40})", re.I)
_ELAPSED = re.compile(
    r"\b(?:being )?(?:the )?(?P<base>\w[\w ]{3,40}?) multiplied by the number of days (?:elapsed )?[^,;]{0,40}?"
    r"\b(?P<way>through|until|to|before)\b(?: and including)? (?P<date>[^,;]{4,40}?) (?:and )?"
    r"divided by (?P<year>36\d)",
    re.I,
)
_PART = re.compile(
    r"\b(?P<part>\d{1,3})/(?P<whole>\d{1,4}) of (?:the )?(?P<base>[A-Z][\w ]{2,30}?) (?:per|for each|a) "
    r"(?P<noun>[a-z]+)"
)
_NO_MORE = re.compile(r"\b(?:not exceeding|not more than|no more than|at most|up to|maximum of)\b", re.I)


def rate(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "1.5 % of the costs": of the sum that the request gives, or that the papers state by that name."""
    rates = figures_in(unit, "percent")
    base = _RATE.search(unit.text[rates[0].end :]) if len(rates) == 1 else None
    given = told_amounts(ask, room)
    stated = amount_of(base["base"], room) if base and not given else None
    amount = given[0] if given else stated.figure if stated else None
    if base is None or len(given) > 1 or amount is None:
        return None
    value, money = cents(amount.value * rates[0].value / 100), amount.unit
    how = f"{rates[0].text} of {shown(amount.value, money)} = {shown(value, money)}"
    more = ""
    if re.search(r"\btotal\b", ask.words, re.I):
        more = f"; with the {shown(amount.value, money)} in all {shown(amount.value + value, money)}"
        how += f"; {shown(amount.value, money)} + {shown(value, money)} = {shown(amount.value + value, money)}"
    return Worked(value, how, (unit, *([stated.unit] if stated else [])), money, more)


def each(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "$6,000 for each", "$1,142 a month": times the count that the papers give."""
    if not _WHOLE.search(ask.words):
        return None
    for price in figures_in(unit, "money", "per_share"):
        match = _EACH.match(unit.text[price.end :])
        noun = (match["noun"] or "") if match else ""
        if match is None or noun in _NO_NOUN:
            continue
        if noun:
            near = [u for _, u in sentences(ask, room, ENOUGH)]
            found = [(n, u) for u in near for n in counts(" ".join(_FOR.findall(u.text)), noun)]
        else:
            block = [u for r in room.of(ask) for u in r.units if (u.document, u.block) == (unit.document, unit.block)]
            found = [(n, u) for u in block for n in counts(u.text, "")]
        if len({n for n, _ in found}) == 1:
            return _times(found[0][0], price.value, noun or "time", price.unit, (unit, found[0][1]))
    return None


def by_count(ask: Ask, room: Room) -> Worked | None:
    """Read the price of one of what the ask counts: "27,450 lbs" at "$5.00 per pound"."""
    found = []
    for unit in (u for r in room.of(ask) for u in r.units):
        for price in figures_in(unit, "money", "per_share"):
            match = _EACH.match(unit.text[price.end :])
            many = set(counts(ask.words, match["noun"])) if match and match["noun"] else set()
            if match and len(many) == 1:
                found.append(_times(many.pop(), price.value, match["noun"], price.unit, (unit,)))
    return found[0] if len({(w.value, w.unit) for w in found}) == 1 else None


def _times(many: Decimal, price: Decimal, noun: str, money: str, units: tuple[Unit, ...]) -> Worked:
    value = cents(many * price)
    return Worked(value, f"{many:,f} × {shown(price, money)} (each {noun}) = {shown(value, money)}", units, money)


def instalments(_: Ask, unit: Unit, __: Room) -> Worked | None:
    """Read "$312,000 in twelve equal monthly instalments"."""
    match = _EQUAL.search(unit.text)
    number = (int(match["n"]) if match["n"].isdigit() else words_to_int(match["n"].lower())) if match else None
    whole = [s for s in figures_in(unit, "money") if match and s.end <= match.start()]
    if match is None or not number or not whole:
        return None
    value, money = cents(whole[-1].value / number), whole[-1].unit
    how = f"{shown(whole[-1].value, money)} / {number} = {shown(value, money)}"
    more = f" {match['each']}, {number} times, {shown(whole[-1].value, money)} in all"
    return Worked(value, how, (unit,), money, more)


def months_of(_: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "nine (9) months of Base Salary" of a salary that is stated for a year."""
    match = _MONTHS_OF.search(unit.text)
    lengths = [
        f for f in figures_in(unit, "duration") if match and f.unit in {"month", "week"} and f.start < match.start()
    ]
    salary = amount_of(match["base"], room) if match else None
    if not lengths or salary is None or match is None:
        return None
    length, money, parts = lengths[-1], salary.figure.unit, 12 if lengths[-1].unit == "month" else 52
    value = cents(salary.value * length.value / parts)
    how = f"{length.value}/{parts} × {shown(salary.value, money)} ({match['base'].strip()}) = {shown(value, money)}"
    more = ""
    if re.search(r"\bequal monthly instal", unit.text, re.I) and length.unit == "month":
        month = cents(value / length.value)
        more, how = f"; {shown(month, money)} a month", f"{how}; / {length.value} = {shown(month, money)}"
    return Worked(value, how, (unit, salary.unit), money, more)


def pro_rata(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "the bonus multiplied by the days elapsed in the calendar year through the Termination Date, by 365"."""
    match = _ELAPSED.search(unit.text)
    base = _base(re.split(r"\b(?:the|being|receive)\s", match["base"])[-1], room) if match else None
    reading = next(r for r in room.readings if r.document == unit.document)
    end = trigger_day(match["date"], ask, reading, room) if match else None
    if match is None or base is None or end is None:
        return None
    days = (end.day - date(end.day.year, 1, 1)).days + (1 if match["way"].lower() != "before" else 0)
    value = cents(base.value * days / Decimal(match["year"]))
    how = f"{base.arithmetic}; {days} days to {long_date(end.day)}: {shown(base.value, base.unit)} × {days}"
    how += f"/{match['year']} = {shown(value, base.unit)}"
    return Worked(value, how, (unit, *base.units, *end.units), base.unit)


def _base(words: str, room: Room) -> Worked | None:
    """Return a sum by its name: stated, or a part of one that is."""
    if stated := amount_of(words, room):
        money = stated.figure.unit
        return Worked(stated.value, f"{words.strip()}: {shown(stated.value, money)}", (stated.unit,), money)
    for unit in (u for r in room.ours for u in r.units):
        rates = figures_in(unit, "percent")
        of = _RATE.search(unit.text[rates[0].end :]) if len(rates) == 1 else None
        name = re.match(r"(?:[A-Z]\w*\s?){1,4}", of["base"]) if of else None
        whole = amount_of(name[0], room) if name else None
        if whole and room.likeness.fit(words, f"{unit.heading} {unit.text}") >= CLEAR:
            money, value = whole.figure.unit, cents(whole.value * rates[0].value / 100)
            how = f"{rates[0].text} of {shown(whole.value, money)} = {shown(value, money)}"
            return Worked(value, how, (unit, whole.unit), money)
    return None


def fraction(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "1/260 of Base Salary per day, not exceeding ten days" with the days that the papers count."""
    match = _PART.search(unit.text)
    base = amount_of(match["base"], room) if match else None
    if match is None or base is None:
        return None
    rest, own = unit.text[match.end() :], (unit.document, unit.block)
    most = list(counts(rest, match["noun"])) if _NO_MORE.search(rest) else []
    near = [u for _, u in sentences(ask, room, ENOUGH) if (u.document, u.block) != own]
    many = {n: u for u in near for n in counts(u.text, match["noun"])}
    if len(many) != 1:
        return None
    count, source = next(iter(many.items()))
    taken, money = min([count, *most]), base.figure.unit
    one = base.value * Decimal(match["part"]) / Decimal(match["whole"])
    value = cents(one * taken)
    capped = f" (of {count:f}, at most {taken:f})" if taken != count else ""
    how = f"{match['part']}/{match['whole']} of {shown(base.value, money)} = {shown(cents(one), money)}; × {taken:f}"
    return Worked(value, f"{how}{capped} = {shown(value, money)}", (unit, base.unit, source), money)


# Forms that define a sum whatever is asked of it; the others give one only where a sum is wanted.
DEFINED: Sequence[Callable[[Ask, Unit, Room], Worked | None]] = (instalments, months_of, pro_rata, fraction)
FORMULAS: Sequence[Callable[[Ask, Unit, Room], Worked | None]] = (*DEFINED, rate, each)
