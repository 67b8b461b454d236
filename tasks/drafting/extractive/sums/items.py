"""What a line of several items comes to, each at its own price."""

from __future__ import annotations

import re
from decimal import Decimal

from tasks.drafting.extractive.due.worked import Worked, cents, shown
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import ENOUGH, NAMED
from tasks.drafting.extractive.sums.quantities import counts, counts_any
from tasks.drafting.extractive.sums.terms import Term


def itemised(asked: Asked, term: Term) -> Worked | None:
    """What a line that the ask names comes to, each item at its own price: hours of work and of travel."""
    if term.each in ("day", "week", "month", "year"):
        return None
    scored = [
        (asked.fit(asked.ask.words, text), text, u)
        for text, u in asked.room.sums.passages
        if u is not term.unit and counts_any(text, term.each)
    ]
    scored.sort(key=lambda t: -t[0])
    if not scored or scored[0][0] < ENOUGH or (len(scored) > 1 and scored[1][0] >= scored[0][0]):
        return None
    _, text, unit = scored[0]
    beside = [
        t
        for t in asked.room.sums.terms
        if t.form == "share"
        and re.search(r"\b(?:that|this|such|the same|the above) (?:rate|price|fee)\b", t.base + t.says)
        and t.unit.document == term.unit.document
    ]
    total, said, units = Decimal(0), [], [term.unit, unit]
    for item in re.split(r"[,;]", text):
        many = list(counts(item, term.each))
        if len(many) != 1:
            continue
        lower = next((t for t in beside if asked.fit(re.sub(rf".*\b{term.each}s?\b", "", item), t.says) >= NAMED), None)
        price = term.value * lower.value if lower else term.value
        units += [lower.unit] if lower else []
        total += many[0] * price
        said.append(f"{many[0]:f} × {shown(price, term.money)}")
    if not said:
        return None
    asked.used_told = True
    value = cents(total)
    how = f"{' + '.join(said)} = {shown(value, term.money)}"
    return Worked(value, how, tuple(dict.fromkeys(units)), term.money, certain=False)
