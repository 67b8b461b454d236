"""What several sums come to: a table, the sums of a paper, or the results before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from tasks.asks.records import Ask
from tasks.drafting.extractive.due.worked import Worked, shown
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.asked import Asked, wants_no_sum
from tasks.drafting.extractive.sums.fits import CLEAR_RESULT, ENOUGH
from tasks.drafting.extractive.sums.quantities import TableRow, figures_in
from tasks.drafting.extractive.sums.stated_sums import total_of
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.spelling import words_to_int

_TOGETHER = re.compile(
    r"\b(?:(?:those|these|the)\s+(?P<n>two|three|four|five|six|\d)\b.*\b(?:come to|together|in all|sum)"
    r"|(?P<both>both together|together$|grand total|total of (?:these|those|all)|in all$|altogether$))",
    re.I,
)
_TOTAL = re.compile(
    r"\b(?:total|in all|in total|altogether|add up|sum of|come to together|all together|overall)\b", re.I
)
_PAID_IN_ALL = re.compile(r"\btotal (?:to be paid|to pay|payable|due|owed)\b", re.I)
_PART_OF = re.compile(r"\bof (?P<base>\S+ ?[\d,.]*)(?:, as the request says)? = \S+$")


def total(asked: Asked) -> Worked | None:
    """Add up a table, or all the sums of a paper that the ask counts ("her three items")."""
    words = asked.ask.words
    if _PAID_IN_ALL.search(words) and asked.before:
        return _on_top(asked.before[0][1])
    if not _TOTAL.search(words) or re.search(r"\b(?:those|these|that|it)\b", words, re.I):
        return None
    scored = sorted(((_of_table(asked, t), t) for t in asked.room.sums.lists), key=lambda t: -t[0])
    if scored and scored[0][0] >= ENOUGH:
        clear = len(scored) == 1 or scored[1][0] < CLEAR_RESULT * scored[0][0]
        return replace(total_of(scored[0][1]), certain=clear)
    many = next((n for n in map(words_to_int, words.lower().split()) if n and n > 1), 0)
    for reading in asked.room.of(asked.ask) if many else ():
        items = [(f, u) for u in reading.units for f in figures_in(straight(u.text), "money")]
        if len(items) == many and len({f.unit for f, _ in items}) == 1:
            value = sum((f.value for f, _ in items), Decimal(0))
            how = f"{' + '.join(f.text for f, _ in items)} = {shown(value, items[0][0].unit)}"
            return Worked(value, how, tuple(dict.fromkeys(u for _, u in items)), items[0][0].unit, certain=False)
    return None


def _on_top(added: Worked) -> Worked | None:
    """Return a sum with the part of it that comes on top, where the result before is such a part: "1% of $100 = $1"."""
    match = _PART_OF.search(added.arithmetic)
    base = next((f for f in figures_in(match["base"], "money") if f.unit == added.unit), None) if match else None
    if base is None:
        return None
    value = base.value + added.value
    how = f"{shown(base.value, base.unit)} + {shown(added.value, added.unit)} = {shown(value, base.unit)}"
    return Worked(value, how, added.units, base.unit, certain=False)


def _of_table(asked: Asked, rows: Sequence[TableRow]) -> float:
    return asked.fit_of(f"{rows[0].heading} {rows[0].unit.heading} {' '.join(r.words for r in rows)}")


def sum_of_before(ask: Ask, room: Room) -> Worked | None:
    """Add up results told before: as many as the ask counts, or all of those told one after another."""
    together = _TOGETHER.search(ask.words)
    if together is None or wants_no_sum(ask.words):
        return None
    known = list(_before(ask, room))
    if together["n"]:
        count = words_to_int(together["n"].lower()) or int(together["n"])
        if len(known) < count or any(m is None for m in known[:count]):
            return None
        known = known[:count]
    elif "both" in together[0].lower():
        known = known[:2]
    made = [m for m in known if m is not None]
    if len(made) < 2 or len({m.unit for m in made}) != 1 or (len(made) < len(known) and "both" in together[0].lower()):
        return None
    money = made[0].unit
    total = sum((m.value for m in made), Decimal(0))
    how = f"{' + '.join(shown(m.value, money) for m in reversed(made))} = {shown(total, money)}"
    sure = all(m.certain for m in made) and len(made) == len(known)
    return Worked(total, how, tuple(dict.fromkeys(u for m in made for u in m.units)), money, certain=sure)


def _before(ask: Ask, room: Room) -> Iterator[Worked | None]:
    """Yield the results of the asks before an ask, the nearest first; None for one that has none."""
    ids = [a.ask_id for a in room.job.asks.asks]
    at = ids.index(ask.ask_id) if ask.ask_id in ids else 0
    for number in reversed(ids[:at]):
        yield room.worked.get(number)
