"""Sums that a draft shows: "9/12 × $214,000 = $160,500" explains $160,500 wherever the draft states it.

A shown sum counts only if it is right to the last digit shown and every figure in it stands in the sources, the brief
or another such sum, but for powers, what every calendar has (12 months, 365 days), and the hundred of a rate; of these
alone nothing follows. Money is looked for among money of its currency, a rate among rates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import pairwise

from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure
from tasks.reconcile.quantities import Quantity, SourceFigures
from tasks.reconcile.records import Finding, Grounding
from tasks.sources.records import Span

_NUMBER = r"[$€£]?\d[\d,]*(?:\.\d+)?%?"
_SHOWN = re.compile(rf"(?P<sum>[\d$€£(][\d$€£%.,()+−–×x*/÷^²³ -]{{2,160}}?)\s*[=≈]\s*(?P<result>{_NUMBER})")
_TOKEN = re.compile(rf"\s*(?:(?P<number>{_NUMBER})|(?P<mark>[()+−–×x*/÷^²³-]))")
_CALENDAR = frozenset(map(Decimal, (1, 7, 12, 30, 52, 100, 360, 365, 366)))
_POWERS = {"²": 2, "³": 3}
_MOST_POWER = 60  # five years of monthly compounding; a larger power is no arithmetic of a draft
_PARTS = 2  # figures of the shortest sum
_DEEPEST = 20  # brackets within brackets
_FAMILIES = {"$": "USD", "€": "EUR", "£": "GBP"}
_FIGURE = Figure(text="", start=0, end=0, kind="number", value=Decimal(0), unit="")


class ShownSums:
    """The sums that a draft shows and that hold."""

    def __init__(self, text: str, sources: SourceFigures) -> None:
        """Find them in the text of a draft, in reading order: a later one may use what an earlier one gives."""
        self._sources = sources
        self._held: dict[tuple[str, Decimal], tuple[str, tuple[Span, ...]]] = {}
        for match in _SHOWN.finditer(text):
            self._take(match["sum"].strip(), match["result"])

    def _take(self, shown: str, result: str) -> None:
        tokens = list(_tokens(shown))
        numbers = [t for before, t in pairwise(["", *tokens]) if _is_number(t) and before != "^"]
        if len(numbers) < _PARTS:
            return
        spans: list[Span] = []
        for number in numbers:
            grounds = self._grounds(number)
            if grounds is None:
                return
            spans += grounds
        if not spans:
            return
        try:
            value, rest = _sum(tokens, 0)
        except (ValueError, IndexError, DivisionByZero, InvalidOperation):
            return
        stated = _value(result)
        places = len(result.rstrip("%").partition(".")[2])
        if rest == len(tokens) and abs(value - stated) <= Decimal(1).scaleb(-places) / 2:
            self._held[(_family(result), stated)] = (f"{shown} = {result}", tuple(dict.fromkeys(spans)))

    def _grounds(self, number: str) -> Sequence[Span] | None:
        """Return where a figure of a sum stands, nowhere for one of the calendar; None where nothing grounds it."""
        family, value = _family(number), _value(number)
        if (family, value) in self._held:
            return self._held[(family, value)][1]
        found = self._sources.equal(Quantity(family, value, _FIGURE))[:1]
        return [s.span for s in found] if found else () if family == "bare" and value in _CALENDAR else None

    def recheck(self, findings: Sequence[Finding]) -> Iterator[Finding | Grounding]:
        """Yield the findings; a figure that no source states becomes grounded where a shown sum gives it."""
        for finding in findings:
            figures = scan_numbers(finding.text) if finding.kind == "unsourced" else []
            quantity = Quantity.of(figures[0]) if len(figures) == 1 else None
            held = self._held.get((quantity.family, abs(quantity.value))) if quantity else None
            if held is None:
                yield finding
                continue
            derivation, spans = held
            yield Grounding(
                deliverable=finding.deliverable,
                start=finding.start,
                end=finding.end,
                text=finding.text,
                sources=spans,
                derivation=derivation,
            )


def _tokens(shown: str) -> Iterator[str]:
    at = 0
    while at < len(shown):
        match = _TOKEN.match(shown, at)
        if match is None:
            yield "?"
            return
        yield match["number"] or match["mark"]
        at = match.end()


def _is_number(token: str) -> bool:
    return token[0] in "$€£" or (token[0].isascii() and token[0].isdigit())


def _family(number: str) -> str:
    return "rate" if number.endswith("%") else _FAMILIES.get(number[0], "bare")


def _value(number: str) -> Decimal:
    return Decimal(re.sub(r"[$€£,%]", "", number))


def _sum(tokens: Sequence[str], at: int, depth: int = 0) -> tuple[Decimal, int]:
    """Return the value of a sum of products, and where it ends."""
    value, at = _product(tokens, at, depth)
    while at < len(tokens) and tokens[at] in "+-−–":
        other, then = _product(tokens, at + 1, depth)
        value, at = (value + other if tokens[at] == "+" else value - other), then
    return value, at


def _product(tokens: Sequence[str], at: int, depth: int) -> tuple[Decimal, int]:
    value, at = _factor(tokens, at, depth)
    while at < len(tokens) and tokens[at] in "×x*/÷":
        other, then = _factor(tokens, at + 1, depth)
        value, at = (value / other if tokens[at] in "/÷" else value * other), then
    return value, at


def _factor(tokens: Sequence[str], at: int, depth: int) -> tuple[Decimal, int]:
    if tokens[at] == "(":
        if depth > _DEEPEST:
            raise ValueError("too many brackets")
        value, at = _sum(tokens, at + 1, depth + 1)
        if tokens[at] != ")":
            raise ValueError("a bracket stays open")
    elif _is_number(tokens[at]):
        value = _value(tokens[at]) / (100 if tokens[at].endswith("%") else 1)
    else:
        raise ValueError(f"{tokens[at]} is no figure")
    at += 1
    if at < len(tokens) and tokens[at] in _POWERS:
        return value ** _POWERS[tokens[at]], at + 1
    if tokens[at : at + 1] == ["^"] and tokens[at + 1].isdecimal() and int(tokens[at + 1]) <= _MOST_POWER:
        return value ** int(tokens[at + 1]), at + 2
    return value, at
