"""Sums that the papers state, found by the name that they have there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from tasks.drafting.extractive.due.worked import Worked, shown
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import CLEAR, CLEAR_RESULT, NAMED
from tasks.drafting.extractive.sums.quantities import TableRow, figures_in
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight

_CALLED = 0.4  # part of a name that a sum must have which is taken from another
_NEAR, _WHOLE = 0.65, 0.35  # the words beside a figure and all of its sentence: a sentence may name several sums
_SENTENCE = 0.9  # the sentence alone, for whether it speaks of the name
_BY_SENTENCE = 0.6  # the same, for how well it does
_OF_ASK = 0.15  # what the words of the ask add to those of the name: they tell one of two sums of a name from the other
_AS_CHANGED = 0.2  # what it adds that a sum takes the place of another
_OF_LIST = 0.05  # what a total takes off beside a sum that is stated: somebody has to add it up
_BESIDE = 60  # characters around a sum in which it is told what it leaves out; chosen by eye
_CHANGED = re.compile(r"\b(?:raised|increased|reduced|lowered|amended|changed|adjusted)\s+to\s+$", re.I)
_WITHOUT = re.compile(
    r"\b(?:per|a|each|every|/) ?(?P<each>month|week|quarter|year|annum)\b|\b(?P<ly>monthly|weekly|quarterly|annual"
    r"|yearly)\b",
    re.I,
)
_LY = {"monthly": "month", "weekly": "week", "quarterly": "quarter", "annual": "year", "yearly": "year"}


def figures(asked: Asked, words: str) -> Iterator[tuple[float, Worked]]:
    """Yield the sums that the papers state by a name, with how well they fit it."""
    special = asked.ask.words
    for q in asked.room.sums.quantities:
        if not q.money or q.unit in asked.room.sums.listed:
            continue
        near, whole = asked.fit(words, q.near), asked.fit(words, q.of)
        score = _NEAR * near + _WHOLE * whole
        if max(score, _SENTENCE * whole) < NAMED:
            continue
        score = max(score, _BY_SENTENCE * whole) + _OF_ASK * asked.fit(special, q.of)
        score += _AS_CHANGED if _CHANGED.search(straight(q.unit.text)[: q.figure.start]) else 0.0
        yield score, Worked(q.value, f"{q.figure.text}", (q.unit,), q.money)
    for row in asked.room.sums.rows:
        score = asked.fit(words, row.words)
        if score >= NAMED and row.money:
            yield score, Worked(row.value, row.made or shown(row.value, row.money), (row.unit,), row.money)
    for rows in asked.room.sums.lists:
        score = asked.fit(words, f"{rows[0].heading} {rows[0].unit.heading}")
        if score >= NAMED and len({r.money for r in rows}) == 1 and rows[0].money:
            yield score - _OF_LIST, total_of(rows)


def stated(asked: Asked, words: str) -> Worked | None:
    """Return the sum that the papers state by a name, if one fits best."""
    found = sorted(figures(asked, words), key=lambda t: -t[0])
    if not found:
        return None
    rivals = {m.value for s, m in found if s >= CLEAR * found[0][0]}
    return replace(found[0][1], certain=len(rivals) == 1)


def principal(asked: Asked) -> Worked | None:
    """Return the principal that an account shows as outstanding: the principal sum less what was paid on it."""
    paid = [
        r
        for r in asked.room.sums.rows
        if re.search(r"\bprincipal\b", r.words, re.I)
        and r.money
        and not re.search(r"\b(?:sum|balance|total|outstanding)\b", r.words, re.I)
    ]
    whole = next(
        (q for q in asked.room.sums.quantities if q.money and re.search(r"\bprincipal (?:sum|amount)\b", q.near, re.I)),
        None,
    )
    if not paid or whole is None:
        return None
    left = whole.value - sum((entered(r) for r in paid), Decimal(0))
    if not 0 < left < whole.value:
        return None
    said = " + ".join(shown(entered(r), whole.money) for r in paid)
    how = f"{whole.figure.text} − {f'({said})' if len(paid) > 1 else said} = {shown(left, whole.money)}"
    return Worked(left, how, (whole.unit, *dict.fromkeys(r.unit for r in paid)), whole.money)


def entered(row: TableRow) -> Decimal:
    """Return what a row gives to the principal: the sum behind the word, else that of the row."""
    at = re.search(r"\bprincipal\b[^;]*", straight(row.unit.text), re.I)
    behind = (
        [f.value for f in figures_in(at[0], "money")]
        if at and row.unit.text.count("\n") == 0 and f"{row.value:,}" in at[0]
        else []
    )
    return behind[0] if behind else row.value


def period_of(base: Worked) -> str:
    """Return for which period a sum is stated: "month" for "$1,850 a month"."""
    for unit in base.units:
        text = straight(unit.text)
        for f in figures_in(text, "money"):
            if f.value == base.value:
                near = (
                    _WITHOUT.match(text[f.end :].lstrip(" ,"))
                    or _WITHOUT.search(text[max(0, f.start - _BESIDE) : f.start])
                    or _WITHOUT.search(text[f.end : f.end + _BESIDE])
                )
                if near:
                    return near["each"].lower() if near["each"] else _LY[near["ly"].lower()]
    return ""


def total_of(rows: Sequence[TableRow]) -> Worked:
    """Return the sum of some rows."""
    value, money = sum((r.value for r in rows), Decimal(0)), rows[0].money
    said = " + ".join(f"{r.made} ({r.words})" if r.made else shown(r.value, money) for r in rows)
    return Worked(value, f"{said} = {shown(value, money)}", tuple(dict.fromkeys(r.unit for r in rows)), money)


def named_sum(
    asked: Asked, words: str, other_than: Sequence[Decimal], among: Sequence[Unit] | None = None
) -> Worked | None:
    """Return the sum that fits some words best, other than some values."""
    found = [
        (s, m)
        for s, m in figures(asked, words)
        if m.value not in other_than and (among is None or any(u in among for u in m.units))
    ]
    found.sort(key=lambda t: -t[0])
    if not found or found[0][0] < _CALLED:
        return None
    clear = len({m.value for s, m in found if s >= CLEAR_RESULT * found[0][0]}) == 1
    return replace(found[0][1], certain=found[0][1].certain and clear)
