"""Sums that an ask wants: the operands from the papers, the arithmetic shown; open where the operands are not clear."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.events import Event
from tasks.drafting.extractive.ways.operands import (
    amount_of,
    counts,
    figures_in,
    sentences,
    sum_called,
    told_amounts,
)
from tasks.drafting.extractive.ways.stated import long_date, open_entry, span_of, told
from tasks.drafting.extractive.ways.triggers import trigger_day
from tasks.legaltext.number_words import words_to_int
from tasks.legaltext.numbers.scan import scan_numbers

_ASKED = re.compile(
    r"\b(?:how much|how many|total|in all|together|come to|amount|sum|cost|costs|fee|price|balance|payout|bonus|premium|"
    r"severance|instal?lments?|share|maximum|at most|minimum|least|below|above|difference|outstanding|per diem)\b",
    re.I,
)
_RATE = re.compile(r"\b(?:of|on)\s+(?:the |such |any |all |each )*(?P<base>[^.;,()]{3,80})", re.I)
_EACH = re.compile(r"\s*(?:per|a|an|each|for each|for every|every)(?:\s+(?P<noun>[a-z]+)|\s*[.;,]|$)", re.I)
_EQUAL = re.compile(r"\bin (?P<n>[a-z-]+|\d+)(?: \(\d+\))? (?:equal )?(?P<each>monthly|quarterly|weekly|annual|yearly) instal?lments\b", re.I)
_MONTHS_OF = re.compile(r"\b(?:months?|weeks?)\s+of\s+(?P<base>[A-Z][\w ]{2,30}?)(?=[,.;]|\s+paid|$)")
_BETWEEN = re.compile(r"\bhow many (?P<unit>days|weeks)\b.*?\bbetween\s+(?P<first>.+?)\s+and\s+(?P<last>.+)$", re.I)
_TOGETHER = re.compile(r"\b(?:those|these|the)\s+(?:(?P<n>two|three|four|five|\d)\b.*)?.*\b(?:come to|together|in all|sum)\b", re.I)
_LESS = re.compile(r"\bhow much (?:is|are) (?:that|this|it)\s+(?P<way>below|above|less than|more than|under|over)\s+(?P<what>.+)$", re.I)
_FOR = re.compile(r"\bfor\s+([^,.;]{3,40})", re.I)
_ROW = re.compile(r"^[ \t|]*\d{1,4}[-/]\d{1,2}[-/]\d{1,4}[^\n]*\d[^\n]*$", re.M)
_ROWS = 3  # rows that make an account
_LEFT = re.compile(r"\b(?:outstanding|balance|remain\w*|still owed)\b", re.I)
_PAID = re.compile(r"\b(?:in all|in total|total|so far|altogether|to date)\b", re.I)
_ELAPSED = re.compile(
    r"\b(?:being )?(?:the )?(?P<base>\w[\w ]{3,40}?) multiplied by the number of days (?:elapsed )?[^,;]{0,40}?\b(?P<way>through|until|to|before)\b"
    r"(?: and including)? (?P<date>[^,;]{4,40}?) (?:and )?divided by (?P<year>36\d)",
    re.I,
)
_PART = re.compile(r"\b(?P<part>\d{1,3})/(?P<whole>\d{1,4}) of (?:the )?(?P<base>[A-Z][\w ]{2,30}?) (?:per|for each|a) (?P<noun>[a-z]+)")
_NO_MORE = re.compile(r"\b(?:not exceeding|not more than|no more than|at most|up to|maximum of)\b", re.I)
_PER = {"monthly": 12, "quarterly": 4, "weekly": 52, "annual": 1, "yearly": 1}
_ENOUGH = 0.3  # part of what is asked about that a sentence must speak of
_CLEAR = 0.85  # another sentence that gives another result and fits nearly as well
_SHOWN = 3  # sentences shown beside what is left open


@dataclass(frozen=True)
class Worked:
    """A result with its arithmetic and the sentences that its operands stand in."""

    value: Decimal
    arithmetic: str
    units: tuple[Unit, ...]
    unit: str = "USD"
    more: str = ""


Reader = Callable[[Ask, Unit, Room], Worked | None]


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out what an ask wants from figures of the papers; None where it wants no figure."""
    made = _days_between(ask, room) or _from_before(ask, room)
    if made is None and not _ASKED.search(ask.words):
        return None
    near = sentences(ask, room, _ENOUGH)
    made = made or _by_count(ask, room) or _ledger(ask, room) or _read(ask, near, room)
    if made is None:
        return _open(ask, near)
    room.worked[ask.ask_id] = made.value, made.units
    room.log.act(f"Work out: {ask.words}", "number_scan", {"ask": ask.ask_id}, made.arithmetic)
    entry = Entry(
        document=made.units[0].document if made.units else "",
        state=AskState.ANSWERED,
        answer=_shown(made.value, made.unit) + made.more,
        support=tuple(dict.fromkeys(span_of(u) for u in made.units)),
        basis=made.arithmetic,
    )
    return told(ask, [entry], made.units)


def _read(ask: Ask, near: Sequence[tuple[float, Unit]], room: Room) -> Worked | None:
    """Return the result of the sentence that fits best, where none that fits as well gives another."""
    found: list[tuple[float, Worked]] = []
    for score, unit in near:
        for reader in (_instalments, _months_of, _pro_rata, _fraction, _rate, _each):
            if made := reader(ask, unit, room):
                found.append((score, made))
                break
    if not found:
        return None
    rivals = {made.value for score, made in found if score >= _CLEAR * found[0][0]}
    return found[0][1] if len(rivals) == 1 else None


def _open(ask: Ask, near: Sequence[tuple[float, Unit]]) -> AskAnswer | None:
    """Leave a calculation open, with the figures that it may turn on."""
    units = [u for _, u in near if figures_in(u, "money", "percent", "count", "shares", "per_share")][:_SHOWN]
    if not units:
        return None
    figures = dict.fromkeys(f.text for u in units for f in figures_in(u, "money", "percent", "count", "shares"))
    reason = f"the operands are not certain; the nearest passages give {', '.join(list(figures)[:6])}"
    return told(ask, [open_entry(reason, units)], units)


def _rate(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "1.5 % of the reimbursed costs": of the sum that the request gives, or that the papers state by that name."""
    rates = figures_in(unit, "percent")
    if len(rates) != 1 or not (base := _RATE.search(unit.text[rates[0].end :])):
        return None
    given = told_amounts(ask, room)
    stated = None if given else amount_of(base["base"], room)
    if len(given) > 1 or not (given or stated):
        return None
    amount = given[0].value if given else stated.value if stated else Decimal(0)
    value = _cents(amount * rates[0].value / 100)
    arithmetic = f"{rates[0].text} of {_shown(amount)} = {_shown(value)}"
    total = f"; with the {_shown(amount)} in all {_shown(amount + value)}" if re.search(r"\btotal\b", ask.words, re.I) else ""
    return Worked(value, arithmetic + total.replace("; with the ", "; ").replace(" in all ", " + " + _shown(value) + " = "), (unit, *([stated.unit] if stated else [])), more=total)


def _each(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "$5.00 per pound", "$6,000 for each": times the count that the request or the papers give."""
    for price in figures_in(unit, "money", "per_share"):
        each = _EACH.match(unit.text[price.end :])
        if each is None:
            continue
        noun = each["noun"] or ""
        if noun in {"in", "the", "of", "by", "for", "and"}:
            continue
        told_ = list(counts(ask.words, noun))
        if told_:
            return _times(told_, price.value, noun, (unit,))
        near = [u for _, u in sentences(ask, room, _ENOUGH)]
        beside = [(n, u) for u in near for n in counts(" ".join(_FOR.findall(u.text)), noun)]
        if not noun:
            beside = [(n, u) for r in room.of(ask) for u in r.units if u.block == unit.block for n in counts(u.text, "")]
        if len({n for n, _ in beside}) == 1:
            return _times([beside[0][0]], price.value, noun or "time", (unit, beside[0][1]))
    return None


def _by_count(ask: Ask, room: Room) -> Worked | None:
    """Read the price of one of what the ask counts: "27,450 lbs" at "$5.00 per pound"."""
    found = []
    for unit in (u for r in room.of(ask) for u in r.units):
        for price in figures_in(unit, "money", "per_share"):
            each = _EACH.match(unit.text[price.end :])
            if each and each["noun"] and (many := list(counts(ask.words, each["noun"]))):
                found.append(_times(many, price.value, each["noun"], (unit,)))
    values = {w.value for w in found if w}
    return next((w for w in found if w), None) if len(values) == 1 else None


def _ledger(ask: Ask, room: Room) -> Worked | None:
    """Add up what the rows of an account give to what is asked about, or take it from the sum that was owed."""
    left, paid = bool(_LEFT.search(ask.words)), bool(_PAID.search(ask.words))
    rows = [(r, m) for r in room.of(ask) for m in _ROW.finditer(r.text.text)]
    nouns = [n for n in re.findall(r"[a-z]{4,}", ask.words) if sum(n in m[0].lower() for _, m in rows) > 0]
    if not (left or paid) or len(rows) < _ROWS or len(nouns) != 1:
        return None
    parts = [(r, m, v) for r, m in rows if (v := _entered(m[0], nouns[0])) is not None]
    total = sum((v for _, _, v in parts), Decimal(0))
    units = [u for r, m, _ in parts for u in r.units if u.start <= m.start() < u.pieces[-1][1]]
    said = " + ".join(_shown(v) for _, _, v in parts)
    if paid and parts:
        return Worked(total, f"{said} = {_shown(total)}", tuple(dict.fromkeys(units)))
    owed = sum_called(nouns[0], room)
    if not left or owed is None:
        return None
    value = owed.value - total
    return Worked(value, f"{_shown(owed.value)} − ({said}) = {_shown(value)}", (owed.unit, *dict.fromkeys(units)))


def _entered(row: str, noun: str) -> Decimal | None:
    """Return what a row gives to something: the sum behind its name, else the sum of the row."""
    own = re.search(rf"\b{noun}\b[^$;]*(\$\s?[\d,]+(?:\.\d+)?)", row, re.I)
    if own is None and not re.search(rf"\b{noun}\b", row, re.I):
        return None
    sums = [f for f in scan_numbers(own[1] if own else row) if f.kind == "money"]
    return sums[0].value if sums else None


def _pro_rata(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "the bonus multiplied by the days elapsed in the calendar year through the Termination Date, by 365"."""
    match = _ELAPSED.search(unit.text)
    base = _base(match["base"], room) if match else None
    reading = next(r for r in room.readings if r.document == unit.document)
    end = trigger_day(match["date"], ask, reading, room) if match else None
    if match is None or base is None or end is None:
        return None
    days = (end.day - date(end.day.year, 1, 1)).days + (1 if match["way"].lower() != "before" else 0)
    value = _cents(base.value * days / Decimal(match["year"]))
    how = f"{base.arithmetic}; {days} days to {long_date(end.day)}: {_shown(base.value)} × {days}/{match['year']} = {_shown(value)}"
    return Worked(value, how, (unit, *base.units, *end.units))


def _base(words: str, room: Room) -> Worked | None:
    """Return a sum by its name: stated, or a part of one that is."""
    if stated := amount_of(words, room):
        return Worked(stated.value, f"{words.strip()}: {_shown(stated.value)}", (stated.unit,))
    for reading in room.ours:
        for unit in reading.units:
            rates = figures_in(unit, "percent")
            of = _RATE.search(unit.text[rates[0].end :]) if len(rates) == 1 else None
            name = re.match(r"(?:[A-Z]\w*\s?){1,4}", of["base"]) if of else None
            whole = amount_of(name[0], room) if name else None
            if whole and room.notions.fit(words, f"{unit.heading} {unit.text}") >= _CLEAR:
                value = _cents(whole.value * rates[0].value / 100)
                how = f"{rates[0].text} of {_shown(whole.value)} = {_shown(value)}"
                return Worked(value, how, (unit, whole.unit))
    return None


def _fraction(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "1/260 of Base Salary per day, not exceeding ten days" with the days that the papers count."""
    match = _PART.search(unit.text)
    base = amount_of(match["base"], room) if match else None
    if match is None or base is None:
        return None
    most = [n for n in counts(unit.text[match.end() :], match["noun"])] if _NO_MORE.search(unit.text[match.end() :]) else []
    many = {n: u for _, u in sentences(ask, room, _ENOUGH) if (u.document, u.block) != (unit.document, unit.block) for n in counts(u.text, match["noun"])}
    if len(many) != 1:
        return None
    count, source = next(iter(many.items()))
    taken = min([count, *most])
    each = base.value * Decimal(match["part"]) / Decimal(match["whole"])
    value = _cents(each * taken)
    capped = f" (of {count:f}, at most {taken:f})" if taken != count else ""
    how = f"{match['part']}/{match['whole']} of {_shown(base.value)} = {_shown(_cents(each))}; × {taken:f}{capped} = {_shown(value)}"
    return Worked(value, how, (unit, base.unit, source))


def _times(many: Sequence[Decimal], price: Decimal, noun: str, units: tuple[Unit, ...]) -> Worked | None:
    if len(set(many)) != 1:
        return None
    value = _cents(many[0] * price)
    return Worked(value, f"{many[0]:,f} × {_shown(price)} (each {noun}) = {_shown(value)}", units)


def _instalments(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "$312,000 in twelve equal monthly instalments"."""
    match = _EQUAL.search(unit.text)
    sums = figures_in(unit, "money")
    number = (int(match["n"]) if match["n"].isdigit() else words_to_int(match["n"].lower())) if match else None
    before = [s for s in sums if match and s.end <= match.start()]
    if match is None or not number or not before:
        return None
    each = _cents(before[-1].value / number)
    arithmetic = f"{_shown(before[-1].value)} / {number} = {_shown(each)}"
    return Worked(each, arithmetic, (unit,), more=f" {match['each']}, {number} times, {_shown(before[-1].value)} in all")


def _months_of(ask: Ask, unit: Unit, room: Room) -> Worked | None:
    """Read "nine (9) months of Base Salary" of a salary that is stated for a year."""
    match = _MONTHS_OF.search(unit.text)
    lengths = [f for f in figures_in(unit, "duration") if match and f.unit in {"month", "week"} and f.start < match.start()]
    salary = amount_of(match["base"], room) if match else None
    if not lengths or salary is None or match is None:
        return None
    parts = 12 if lengths[-1].unit == "month" else 52
    value = _cents(salary.value * lengths[-1].value / parts)
    arithmetic = f"{lengths[-1].value}/{parts} × {_shown(salary.value)} ({match['base'].strip()}) = {_shown(value)}"
    more = ""
    if re.search(r"\bequal monthly instal", unit.text, re.I) and lengths[-1].unit == "month":
        each = _cents(value / lengths[-1].value)
        more, arithmetic = f"; {_shown(each)} a month", f"{arithmetic}; / {lengths[-1].value} = {_shown(each)}"
    return Worked(value, arithmetic, (unit, salary.unit), more=more)


def _days_between(ask: Ask, room: Room) -> Worked | None:
    """Count the days between two events of the papers."""
    match = _BETWEEN.search(ask.words)
    ends = [_event(match[name], room) for name in ("first", "last")] if match else []
    if match is None or any(e is None for e in ends):
        return None
    first, last = (e for e in ends if e is not None)
    days = abs((last.day - first.day).days)
    value = Decimal(days) if match["unit"].lower() == "days" else Decimal(days) / 7
    how = f"from {long_date(first.day)} to {long_date(last.day)}: {days} days"
    return Worked(value, how, (first.unit, last.unit), unit=match["unit"].lower())


def _event(words: str, room: Room) -> Event | None:
    scored = sorted(((room.notions.fit(words, e.words), e) for e in room.events), key=lambda t: -t[0])
    if not scored or scored[0][0] < 0.5:
        return None
    rivals = {e.day for s, e in scored if s >= 0.95 * scored[0][0]}
    return scored[0][1] if len(rivals) == 1 else None


def _from_before(ask: Ask, room: Room) -> Worked | None:
    """Work on from results told before: their sum, or how far the last one lies below a sum of the papers."""
    known = list(room.worked.values())
    together, less = _TOGETHER.search(ask.words), _LESS.search(ask.words)
    count = (words_to_int(together["n"].lower()) or 0) if together and together["n"] else 0
    if 1 < count <= len(known) and list(room.worked)[-count:] == _before(ask, count, room):
        parts = [value for value, _ in known[-count:]]
        units = tuple(u for _, used in known[-count:] for u in used)
        return Worked(sum(parts, Decimal(0)), f"{' + '.join(map(_shown, parts))} = {_shown(sum(parts, Decimal(0)))}", units)
    if less and known:
        value, units = known[-1]
        beside = {f.value: u for u in units for f in figures_in(u, "money") if f.value > value}
        whole = amount_of(less["what"], room)
        if whole is None and len(beside) != 1:
            return None
        other, unit = (whole.value, whole.unit) if whole else next(iter(beside.items()))
        return Worked(abs(other - value), f"{_shown(other)} − {_shown(value)} = {_shown(abs(other - value))}", (unit,))
    return None


def _before(ask: Ask, count: int, room: Room) -> list[str]:
    """Return the numbers of the asks that stand just before one in the brief."""
    ids = [a.ask_id for a in room.job.asks.asks]
    at = ids.index(ask.ask_id) if ask.ask_id in ids else 0
    return ids[max(0, at - count) : at]


def _cents(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


def _shown(value: Decimal, unit: str = "USD") -> str:
    plain = f"{value:,.2f}".removesuffix(".00")
    return f"${plain}" if unit == "USD" else f"{plain} {unit}"
