"""Figures made comparable: one family per kind of quantity, one scale per family."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from skills_repo.release_gates import NumberGate
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure
from tasks.sources.records import MatterState, Span

_FAMILIES: Mapping[str, tuple[str, Decimal]] = {
    "percent": ("rate", Decimal(1)),
    "bps": ("rate", Decimal("0.01")),
    "fraction": ("rate", Decimal(100)),
    "multiple": ("multiple", Decimal(1)),
    "ratio": ("multiple", Decimal(1)),
    "month": ("months", Decimal(1)),
    "quarter": ("months", Decimal(3)),
    "year": ("months", Decimal(12)),
    "day": ("days", Decimal(1)),
    "week": ("days", Decimal(7)),
    "second": ("seconds", Decimal(1)),
    "hour": ("hours", Decimal(1)),
    "minute": ("minutes", Decimal(1)),
    "shares": ("count", Decimal(1)),
    "count": ("count", Decimal(1)),
    "": ("bare", Decimal(1)),
}
_ABOUT = re.compile(
    r"(?:approximately|approx\.?|about|around|roughly|circa|ca\.|some|or so|~|≈|c\.|in the region of|close to)\s*$",
    re.I,
)
_ABOVE = re.compile(r"(?:(?<!not )\bover|(?<!not )(?<!no )\bmore than|in excess of|upwards of|just above)\s*$", re.I)
_BELOW = re.compile(r"(?:\bnearly|\balmost|just under|just below|(?<!not )\bless than)\s*$", re.I)
_SPANS_KEPT = 12  # places kept of one value; a further document always gets one
BRIEF = "(brief)"  # stands for the document name of figures that the instructions state
HEDGE_REACH = 18  # characters before a figure in which "about" or the like stands; chosen by eye


@dataclass(frozen=True)
class Quantity:
    """A figure on the scale of its family: money by currency, rates in percent, time in days or months."""

    family: str
    value: Decimal
    figure: Figure

    @staticmethod
    def of(figure: Figure) -> Quantity:
        """Normalise a figure."""
        if figure.kind in ("money", "per_share"):
            return Quantity(figure.unit, figure.value, figure)
        family, factor = _FAMILIES.get(figure.unit, (figure.unit, Decimal(1)))
        return Quantity(family, round(figure.value * factor, 8), figure)

    @property
    def digits(self) -> str:
        """Significant digits of the value, without trailing zeros."""
        return "".join(map(str, abs(self.value).normalize().as_tuple().digits))


def stated_precision(text: str, value: Decimal) -> Decimal:
    """Return the size of the last digit that a figure states: 100000 for "$1.2 million"."""
    number = re.search(r"\d[\d,]*(?:\.(\d+))?", text)
    if number is None:
        return Decimal(0)
    plain = Decimal(number[0].replace(",", "").rstrip(".") or 0)
    last = Decimal(1).scaleb(-len(number[1] or ""))
    return abs(value / plain * last) if plain else Decimal(0)


class Slack(NamedTuple):
    """How far a source may be below and above a stated figure."""

    below: Decimal = Decimal(0)
    above: Decimal = Decimal(0)


def tolerance(quantity: Quantity, before: str, settings: NumberGate) -> Slack:
    """Return how far a source may be from a stated figure: rounding that the draft states or implies.

    "About 1,200" may stand for 1,245: half of the last digit that is not a padding zero, within the shares that the
    gate's settings allow. "More than 1,200" stands for more, "nearly 1,200" for less.
    """
    least, most = Decimal(str(settings.rounding_least)), Decimal(str(settings.rounding_most))
    figure, value = quantity.figure, abs(quantity.value)
    if _ABOUT.search(before):
        half = _round_to(figure.text, value) / 2
        wide = min(max(half, value * least), value * most)
        return Slack(wide, wide)
    if _ABOVE.search(before):
        return Slack(Decimal(0), value * most)
    if _BELOW.search(before):
        return Slack(value * most, Decimal(0))
    precision = stated_precision(figure.text, quantity.value)
    scaled = re.search(r"(?i)\d\s?(?:[a-z]|thousand|million|billion|lakh|crore)", figure.text) is not None
    if figure.kind == "money" and scaled and precision > 1:
        return Slack(precision / 2, precision / 2)
    return Slack()


def _round_to(text: str, value: Decimal) -> Decimal:
    """Return the size of the last digit that is not a padding zero: 100 for "1,200"."""
    precision = stated_precision(text, value)
    whole = int(value / precision) if precision else 0
    while whole and whole % 10 == 0:
        whole //= 10
        precision *= 10
    return precision


_EXACT = Slack()


@dataclass(frozen=True)
class SourcedQuantity:
    """A quantity of the data room and where it stands."""

    quantity: Quantity
    span: Span


class SourceFigures:
    """Every quantity of the data room, by family and value."""

    def __init__(self, texts: Mapping[str, str], state: MatterState) -> None:
        scanned = {d.document: d.figures for d in state.documents}
        self._by_value: dict[tuple[str, Decimal], list[SourcedQuantity]] = defaultdict(list)
        self._by_digits: dict[str, list[SourcedQuantity]] = defaultdict(list)
        self.values: dict[str, list[Decimal]] = {}
        self.figures: dict[str, tuple[Figure, ...]] = {}
        for name, text in texts.items():
            self.figures[name] = tuple(scanned.get(name) or scan_numbers(text))
            for figure in self.figures[name]:
                self._add(name, figure)
        self._sort()

    def _add(self, document: str, figure: Figure) -> None:
        source = SourcedQuantity(Quantity.of(figure), Span(document=document, start=figure.start, end=figure.end))
        key = (source.quantity.family, abs(source.quantity.value))
        kept = self._by_value[key]
        if len(kept) < _SPANS_KEPT or all(s.span.document != document for s in kept):
            kept.append(source)
            self._by_digits[source.quantity.digits].append(source)

    def _sort(self) -> None:
        families: dict[str, set[Decimal]] = defaultdict(set)
        for family, value in self._by_value:
            families[family].add(value)
        self.values = {family: sorted(values) for family, values in families.items()}

    def extend(self, document: str, figures: Iterable[Figure]) -> None:
        """Add figures that are not in a document, such as those of the brief."""
        for figure in figures:
            self._add(document, figure)
        self._sort()

    def at(self, span: Span) -> list[Figure]:
        """Return the figures of a document that lie at a span."""
        figures = self.figures.get(span.document, ())
        first = bisect.bisect_left(figures, span.start - 200, key=lambda f: f.start)
        last = bisect.bisect_left(figures, span.end, key=lambda f: f.start)
        return [f for f in figures[first:last] if f.end > span.start]

    def equal(self, quantity: Quantity, slack: Slack = _EXACT) -> list[SourcedQuantity]:
        """Return the sources of an equal quantity, within a tolerance; a bare number fits any unit."""
        found: list[SourcedQuantity] = []
        for family in self._compatible(quantity.family):
            found.extend(self._near(family, abs(quantity.value), slack))
        return found

    def _compatible(self, family: str) -> Iterable[str]:
        if family == "bare":
            return list(self.values)
        return (family, "bare") if family != "bare" else (family,)

    def _near(self, family: str, value: Decimal, slack: Slack) -> list[SourcedQuantity]:
        if slack == _EXACT and family != "rate":
            return self._by_value.get((family, value), [])
        least = Decimal("0.005") if family == "rate" and value != value.to_integral_value() else Decimal(0)
        values = self.values.get(family, [])
        at = bisect.bisect_left(values, value - max(slack.below, least))
        found: list[SourcedQuantity] = []
        while at < len(values) and values[at] <= value + max(slack.above, least):
            found.extend(self._by_value[(family, values[at])])
            at += 1
        return sorted(found, key=lambda s: abs(abs(s.quantity.value) - value))

    def same_digits(self, quantity: Quantity) -> list[SourcedQuantity]:
        """Return sources with the same significant digits in whatever unit or scale."""
        return self._by_digits.get(quantity.digits, [])

    def family(self, name: str) -> Iterable[SourcedQuantity]:
        """Yield one source for each value of a family."""
        for value in self.values.get(name, []):
            yield self._by_value[(name, value)][0]
