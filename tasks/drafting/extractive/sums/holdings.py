"""Parts of what a table counts: shares held, votes needed, new ones that fall to a holder."""

from __future__ import annotations

import re
from decimal import Decimal

from tasks.drafting.extractive.due.worked import Worked, cents
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import ENOUGH
from tasks.drafting.extractive.sums.quantities import figures_in

HOLD = re.compile(r"\b(?:percentage|share|per ?cent|what part)\b", re.I)
_PRO_RATA = re.compile(r"\b(?:pro rata|in proportion|proportionate\w*)\b", re.I)


def part_held(asked: Asked) -> Worked | None:
    """Return what part of a whole the rows make that the ask names: the shares that two holders have together."""
    words = asked.ask.words
    if not HOLD.search(words):
        return None
    for rows in asked.room.sums.tables:
        named = [
            r
            for r in rows
            if any(re.search(rf"\b{re.escape(n)}\b", words) for n in re.findall(r"[A-Z][a-z]+", r.words))
        ]
        whole = sum((r.value for r in rows), Decimal(0))
        if named and whole and len(named) < len(rows):
            part = sum((r.value for r in named), Decimal(0))
            value = cents(100 * part / whole)
            how = f"({' + '.join(f'{r.value:,f}' for r in named)}) / {whole:,f} = {value.normalize():f}%"
            return Worked(value, how, tuple(dict.fromkeys(r.unit for r in rows)), "percent")
    return None


def part_of_count(asked: Asked) -> Worked | None:
    """Return how many of what a table counts a rule asks for, or how many of new ones fall to a row by its part."""
    words = asked.ask.words
    for rows in asked.room.sums.tables:
        total = sum((r.value for r in rows), Decimal(0))
        if rows[0].money or not total:
            continue
        units = tuple(dict.fromkeys(r.unit for r in rows))
        mine = [
            r
            for r in rows
            if any(re.search(rf"\b{re.escape(n)}\b", words) for n in re.findall(r"[A-Z][a-z]+", r.words))
        ]
        fresh = [f for f in figures_in(words, "count", "shares", "number") if f.value > 1]
        rule = next((u for u in asked.room.sums.units if _PRO_RATA.search(u.text)), None)
        if len(mine) == len(fresh) == 1 and rule is not None:
            value = fresh[0].value * mine[0].value / total
            how = f"{fresh[0].value:,f} × {mine[0].value:,f} / {total:,f} = {value.normalize():,f}"
            return Worked(value, how, (rule, *units), "", certain=False)
        for term in asked.room.sums.terms:
            if (
                term.form == "share"
                and not term.money
                and asked.fit_of(term.says) >= ENOUGH
                and re.search(r"\ball\b|\bof (?:the )?(?:shares|votes|units|interests)\b", term.says)
            ):
                value = (total * term.value).to_integral_value("ROUND_CEILING")
                how = f"{term.shown} of {total:,f} = {value:,f}"
                return Worked(value, how, (term.unit, *units), "", certain=False)
    return None
