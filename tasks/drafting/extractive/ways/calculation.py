"""Sums that an ask wants: the operands from the papers, the arithmetic shown; open where the operands are not clear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.events import Event
from tasks.drafting.extractive.ways.formulas import CLEAR, DEFINED, ENOUGH, FORMULAS, by_count
from tasks.drafting.extractive.ways.operands import amount_of, figures_in, sentences, sum_called
from tasks.drafting.extractive.ways.stated import long_date, open_entry, span_of, told
from tasks.drafting.extractive.ways.worked import Worked, shown
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import words_to_int
from tasks.legaltext.records import Figure

_ASKED = re.compile(
    r"\b(?:how much|how many|total|in all|together|come to|amount|sum|cost|costs|fee|price|balance|payout|bonus"
    r"|premium|severance|instal?lments?|share|maximum|at most|minimum|least|below|above|difference|outstanding"
    r"|per diem)\b",
    re.I,
)
_BETWEEN = re.compile(r"\bhow many (?P<unit>days|weeks)\b.*?\bbetween\s+(?P<first>.+?)\s+and\s+(?P<last>.+)$", re.I)
_TOGETHER = re.compile(
    r"\b(?:those|these|the)\s+(?P<n>two|three|four|five|six|\d)\b.*\b(?:come to|together|in all|sum)\b", re.I
)
_LESS = re.compile(
    r"\bhow much (?:is|are) (?:that|this|it)\s+(?:below|above|less than|more than|under|over)\s+(?P<what>.+)$", re.I
)
_ROW = re.compile(r"^[ \t|]*\d{1,4}[-/]\d{1,2}[-/]\d{1,4}[^\n]*\d[^\n]*$", re.M)
_ROWS = 3  # rows that make an account
_LEFT = re.compile(r"\b(?:outstanding|balance|remain\w*|still owed)\b", re.I)
_PAID = re.compile(r"\b(?:in all|in total|total|so far|altogether|to date)\b", re.I)
_EVENT = 0.5  # part of an event's name that a dated statement must speak of
_SHOWN = 3  # sentences shown beside what is left open
_FIGURES = 6  # figures named of them


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out what an ask wants from figures of the papers; None where it wants no figure."""
    made = _days_between(ask, room) or _from_before(ask, room) or by_count(ask, room)
    if made is None and not _ASKED.search(ask.words):
        return None
    near = sentences(ask, room, ENOUGH)
    wanted = ask.kind is AskKind.CALCULATION
    made = made or (_ledger(ask, room) if wanted else None) or _read(ask, near, room)
    if made is None:
        return _open(ask, near) if wanted else None
    room.worked[ask.ask_id] = made
    room.log.look_up(f"Work out: {ask.words}", "number_scan", {"ask": ask.ask_id}, made.arithmetic)
    entry = Entry(
        document=made.units[0].document if made.units else "",
        state=AskState.ANSWERED,
        answer=shown(made.value, made.unit) + made.more,
        support=tuple(dict.fromkeys(span_of(u) for u in made.units)),
        basis=made.arithmetic,
    )
    return told(ask, [entry], made.units)


def _read(ask: Ask, near: Sequence[tuple[float, Unit]], room: Room) -> Worked | None:
    """Return the result of the sentence that fits best, where none that fits as well gives another."""
    formulas = FORMULAS if ask.kind is AskKind.CALCULATION else DEFINED
    found: list[tuple[float, Worked]] = []
    for score, unit in near:
        made = (worked for formula in formulas if (worked := formula(ask, unit, room)))
        found += [(score, first)] if (first := next(made, None)) else []
    if not found:
        return None
    rivals = {made.value for score, made in found if score >= CLEAR * found[0][0]}
    return found[0][1] if len(rivals) == 1 else None


def _open(ask: Ask, near: Sequence[tuple[float, Unit]]) -> AskAnswer | None:
    """Leave a calculation open, with the figures that it may turn on."""
    told_in = [(u, found) for _, u in near if (found := figures_in(u, "money", "percent", "count", "shares"))][:_SHOWN]
    if not told_in:
        return None
    figures = list(dict.fromkeys(f.text for _, found in told_in for f in found))[:_FIGURES]
    units = [u for u, _ in told_in]
    reason = f"the operands are not certain; the nearest passages give {', '.join(figures)}"
    return told(ask, [open_entry(reason, units)], units)


def _ledger(ask: Ask, room: Room) -> Worked | None:
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
    owed = sum_called(noun, room)
    if owed is None or owed.figure.unit != money:
        return None
    value = owed.value - total
    how = f"{shown(owed.value, money)} − ({said}) = {shown(value, money)}"
    return Worked(value, how, (owed.unit, *units), money)


def _entered(row: str, noun: str) -> Figure | None:
    """Return what a row gives to something: the sum behind its name, else the sum of the row."""
    if not re.search(rf"\b{noun}\b", row, re.I):
        return None
    own = re.search(rf"\b{noun}\b[^;]*", row, re.I)
    behind = [f for f in scan_numbers(own[0]) if f.kind == "money"] if own else []
    return next((f for f in [*behind, *scan_numbers(row)] if f.kind == "money"), None)


def _days_between(ask: Ask, room: Room) -> Worked | None:
    """Count the days between two events of the papers."""
    match = _BETWEEN.search(ask.words)
    first, last = (_event(match[name], room) for name in ("first", "last")) if match else (None, None)
    if match is None or first is None or last is None:
        return None
    days = abs((last.day - first.day).days)
    unit = match["unit"].lower()
    how = f"from {long_date(first.day)} to {long_date(last.day)}: {days} days"
    return Worked(Decimal(days) if unit == "days" else Decimal(days) / 7, how, (first.unit, last.unit), unit)


def _event(words: str, room: Room) -> Event | None:
    """Return the dated statement of an event; none where two days fit alike."""
    scored = sorted(((room.likeness.fit(words, e.words), e) for e in room.events), key=lambda t: -t[0])
    if not scored or scored[0][0] < _EVENT:
        return None
    rivals = {e.day for s, e in scored if s >= CLEAR * scored[0][0]}
    return scored[0][1] if len(rivals) == 1 else None


def _from_before(ask: Ask, room: Room) -> Worked | None:
    """Work on from results told before: their sum, or how far the last one lies below a sum of the papers."""
    together, less = _TOGETHER.search(ask.words), _LESS.search(ask.words)
    count = (words_to_int(together["n"].lower()) or int(together["n"])) if together else 1 if less else 0
    before = [room.worked.get(number) for number in _before(ask, count, room)]
    known = [made for made in before if made is not None]
    if not count or len(known) < count or len({made.unit for made in known}) != 1:
        return None
    money = known[0].unit
    if together:
        total = sum((made.value for made in known), Decimal(0))
        how = f"{' + '.join(shown(made.value, money) for made in known)} = {shown(total, money)}"
        return Worked(total, how, tuple(dict.fromkeys(u for made in known for u in made.units)), money)
    return _apart(less["what"], known[0], room) if less else None


def _apart(what: str, made: Worked, room: Room) -> Worked | None:
    """Return how far a result lies from a sum of the papers: one by its name, or the other one of its sentence."""
    beside = {f.value: u for u in made.units for f in figures_in(u, "money") if f.value > made.value}
    whole = amount_of(what, room)
    if whole is None and len(beside) != 1:
        return None
    other, unit = (whole.value, whole.unit) if whole else next(iter(beside.items()))
    value = abs(other - made.value)
    how = f"{shown(other, made.unit)} − {shown(made.value, made.unit)} = {shown(value, made.unit)}"
    return Worked(value, how, (unit,), made.unit)


def _before(ask: Ask, count: int, room: Room) -> list[str]:
    """Return the numbers of the asks that stand just before one in the brief."""
    ids = [a.ask_id for a in room.job.asks.asks]
    at = ids.index(ask.ask_id) if ask.ask_id in ids else 0
    return ids[max(0, at - count) : at]
