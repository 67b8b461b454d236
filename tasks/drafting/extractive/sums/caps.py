"""What a rule gives at most."""

from __future__ import annotations

from dataclasses import replace

from tasks.drafting.extractive.due.worked import Worked, cents, named, shown
from tasks.drafting.extractive.sums.operands import Operands
from tasks.drafting.extractive.sums.terms import Term
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.records import Figure


def capped(plan: Operands, term: Term, made: Worked, depth: int) -> Worked:
    """Cut a result down to what it may be at most."""
    for cap in term.caps:
        top = _top(plan, term, cap, depth + 1)
        if top is not None and top.unit == made.unit and top.value < made.value:
            made = replace(
                top,
                arithmetic=f"{made.arithmetic}; but at most {top.arithmetic}",
                units=tuple(dict.fromkeys((*made.units, *top.units))),
                certain=made.certain and top.certain,
            )
    return made


def most(plan: Operands, term: Term) -> Worked | None:
    """Return what a rule can give at most."""
    for cap in term.caps:
        if (top := _top(plan, term, cap, 1)) is not None:
            return top if " = " in top.arithmetic else replace(top, arithmetic=f"at most {top.arithmetic}")
    return None


def _top(plan: Operands, term: Term, cap: tuple[Figure, str, Unit], depth: int) -> Worked | None:
    """Return one sum that a result may not exceed: stated, or a part of another."""
    figure, base, unit = cap
    if figure.kind == "money":
        return Worked(figure.value, figure.text, (unit,), figure.unit)
    of = plan.resolve(base, depth, term) if figure.kind == "percent" and base else None
    if of is None:
        return None
    value = cents(figure.value * of.value / 100)
    how = f"{figure.text} of {named(of)} = {shown(value, of.unit)}"
    return Worked(value, how, (unit, *of.units), of.unit, certain=of.certain)
