"""How far sums lie apart, and what a result is without a sum that it took off."""

from __future__ import annotations

import re

from tasks.drafting.extractive.due.worked import Worked, shown
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.quantities import figures_in
from tasks.drafting.extractive.sums.stated_sums import named_sum

_APART = re.compile(
    r"\b(?:(?:by )?how (?:much|far) (?:is|are|did|does|was|were) (?:that|this|it)?\s*(?:below|above|less than"
    r"|more than|under|over)\s*(?P<what>.+)$"
    r"|by how much (?P<is>.+)$|(?:margin|difference|gap) (?:is |lies )?between (?P<one>.+?) and (?P<two>.+)$"
    r"|how much too (?:much|little) (?P<too>.+)$)",
    re.I,
)
_FALLS = re.compile(
    r"\b(?:if|when|where)\b (?:the )?(?P<what>.+?) (?:falls? away|drops? out|is (?:left out|disregarded"
    r"|not (?:deducted|counted)))",
    re.I,
)
_NAMED = 0.5  # part of a name that the words of a sum must have


def restored(asked: Asked) -> Worked | None:
    """Return the result before without one of the sums that it took off."""
    falls = _FALLS.search(asked.ask.words)
    before = asked.before[0][1] if asked.before else None
    if falls is None or before is None:
        return None
    rows = sorted(((asked.fit(falls["what"], r.words), r) for r in asked.room.sums.rows), key=lambda t: -t[0])
    if not rows or rows[0][0] < _NAMED or rows[0][1].unit not in before.units:
        return None
    row = rows[0][1]
    sign = 1 if "−" in before.arithmetic else -1
    value = before.value + sign * row.value
    what = f"{'+' if sign > 0 else '−'} {shown(row.value, row.money)} ({row.words})"
    how = f"{shown(before.value, before.unit)} {what} = {shown(value, before.unit)}"
    return Worked(value, how, (row.unit, *before.units), before.unit, certain=before.certain)


def apart(asked: Asked) -> Worked | None:
    """Return how far two sums lie apart."""
    match = _APART.search(asked.ask.words)
    if match is None:
        return None
    before = asked.before[0][1] if asked.before else None
    if match["one"]:
        of = re.search(r"\b(?:on|for|of|in) .+$", match["two"])
        tail = of[0] if of else ""
        two = named_sum(asked, match["two"], ())
        one = named_sum(asked, f"{match['one']} {tail}", (two.value,) if two else ())
        return _difference(one, two)
    if match["what"]:
        return _from(asked, match["what"], before) if before else None
    if match["too"]:
        other = (
            named_sum(
                asked,
                f"{match['too']} {asked.before[0][0].words if asked.before else ''} paid charged received",
                (before.value,),
                [u for u in asked.room.sums.units if u not in before.units],
            )
            if before
            else None
        )
        return _difference(other, before)
    words = match["is"]
    one = named_sum(asked, words, ())
    if one is None:
        return None
    actual = [u for u in asked.room.sums.units if u not in one.units]
    other = named_sum(asked, words, (one.value,), actual)
    return _difference(one, other, certain=False)


def _difference(one: Worked | None, two: Worked | None, *, certain: bool = True) -> Worked | None:
    if one is None or two is None or one.unit != two.unit or one.value == two.value:
        return None
    high, low = (one, two) if one.value > two.value else (two, one)
    value = high.value - low.value
    how = f"{shown(high.value, high.unit)} − {shown(low.value, low.unit)} = {shown(value, one.unit)}"
    return Worked(
        value,
        how,
        tuple(dict.fromkeys((*high.units, *low.units))),
        one.unit,
        certain=certain and one.certain and two.certain,
    )


def _from(asked: Asked, what: str, before: Worked) -> Worked | None:
    """Return how far a result lies from a sum of the papers: one by its name, or the other one of its sentence."""
    other = named_sum(asked, what, (before.value,))
    if other is None:
        beside = {f.value: u for u in before.units for f in figures_in(u.text, "money") if f.value > before.value}
        if len(beside) != 1:
            return None
        value, unit = next(iter(beside.items()))
        other = Worked(value, shown(value, before.unit), (unit,), before.unit)
    return _difference(other, before)
