"""Arithmetic that explains a figure of a draft: over its table, its paragraph, or a period that it annualises."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property

from skills_repo.release_gates import NumberGate
from tasks.legaltext.records import Figure
from tasks.reconcile.derivations import cued, explain_by_arithmetic, plain_digits
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.quantities import HEDGE_REACH, Quantity, Slack, SourceFigures, tolerance
from tasks.sources.records import Span

Known = tuple[Quantity, tuple[Span, ...]]

_YEAR = r"(?i)\b(?:annual(?:ly|i[sz]ed)?|per (?:year|annum)|a year|each year|every year|yearly|p\.a\.)"
_MONTH = r"(?i)(?:\bmonth|monthly)"
_QUARTER = r"(?i)\bquarter"
# A rate for the first period, how many of the second make one.
_PERIODS = (
    (re.compile(_YEAR), 12, re.compile(_MONTH)),
    (re.compile(_YEAR), 4, re.compile(_QUARTER)),
    (re.compile(_QUARTER), 3, re.compile(_MONTH)),
)
_ANY_PERIOD = re.compile(f"{_YEAR}|{_MONTH[4:]}|{_QUARTER[4:]}")
_SENTENCE_END = re.compile(r"[.;]\s")  # in the few characters behind an amount, which are no text to be split
_RATE_OF = re.compile(r"(?i)(?:%|\bper ?cent|\bbps|\bbasis points)\W{0,3}of\b")
_TOTAL = re.compile(r"(?i)\b(?:totals?|totall?ing|aggregate|combined|together|in all|overall)\b")
_RATE_NEAR = 160  # characters around an amount within which its rate is said
_PERIOD_NEAR = 40  # characters around an amount within which its period is said
_SPEAKS = 600  # characters around a figure in which its sentence speaks of arithmetic; bounds the time
_BEFORE, _PARTS = 2, 8  # paragraphs before a total, and how many amounts it may be the sum of
_SPANS_SHOWN = 4  # places that a finding shows: enough to check it
_LOOKED_AT = 400  # grounded figures of a paragraph or table that a derivation may use


class DraftArithmetic:
    """Derivations of the figures of one draft."""

    def __init__(self, view: DraftView, sources: SourceFigures, texts: Mapping[str, str], settings: NumberGate) -> None:
        self._view = view
        self._sources = sources
        self._texts = texts
        self._settings = settings

    def explain(self, figure: Figure, known: Sequence[Known]) -> tuple[str, tuple[Span, ...]] | None:
        """Return the derivation of a figure and the spans that ground its terms; None where none fits.

        Args:
            figure: The figure.
            known: The grounded figures of the draft.
        """
        quantity = Quantity.of(figure)
        before = self._view.text[max(0, figure.start - HEDGE_REACH) : figure.start]
        slack = max(tolerance(quantity, before, self._settings))
        begin, end = self._neighbourhood(figure)
        inside = [(q, s) for q, s in known if begin <= q.figure.start < end and q.figure is not figure][-_LOOKED_AT:]
        said = bool(inside) and self._speaks_of_arithmetic(figure)
        for group in (self._column(figure, inside), inside):
            derived = explain_by_arithmetic(quantity, [q for q, _ in group], slack, said) if group else None
            if derived is not None:
                text, used = derived
                spans = [s for q, own in group if q in used for s in own[:1]]
                return text, tuple(dict.fromkeys(spans))[:_SPANS_SHOWN]
        return self._of_a_rate(quantity, known) or self._of_parts(quantity, known) or self._of_a_period(figure, slack)

    def _of_a_rate(self, target: Quantity, known: Sequence[Known]) -> tuple[str, tuple[Span, ...]] | None:
        """Derive an amount from a rate of its sentence and an amount of the sources: "$6.2m, 10% of the price"."""
        figure = target.figure
        start, end = self._neighbourhood(figure)
        begin, stop = max(start, figure.start - _RATE_NEAR), min(end, figure.end + _RATE_NEAR)
        if figure.kind != "money" or not _RATE_OF.search(self._view.text[begin:stop]):
            return None
        for rate, spans in known:
            if rate.family != "rate" or not rate.value or not begin <= rate.figure.start < stop:
                continue
            for source in self._sources.equal(Quantity(figure.unit, target.value * 100 / rate.value, figure)):
                if source.quantity.family == target.family:
                    whole, share, part = (plain_digits(v) for v in (source.quantity.value, rate.value, target.value))
                    derivation = f"{whole} × {share}% = {part}"
                    return derivation, (source.span, *spans[:1])
        return None

    def _of_parts(self, target: Quantity, known: Sequence[Known]) -> tuple[str, tuple[Span, ...]] | None:
        """Derive a stated total from the amounts of the paragraphs just before it."""
        figure = target.figure
        if figure.kind != "money" or not _TOTAL.search(self._view.sentence_text(figure.start)):
            return None
        starts = [0, *(m.end() for m in re.finditer(r"\n+", self._view.text[: figure.start]))]
        begin = starts[max(0, len(starts) - 1 - _BEFORE)]
        near = [(q, s) for q, s in known if begin <= q.figure.start < figure.start and q.family == target.family]
        for first in range(max(0, len(near) - _PARTS), len(near) - 1):
            parts = near[first:]
            if sum((q.value for q, _ in parts), Decimal(0)) == target.value:
                text = " + ".join(plain_digits(q.value) for q, _ in parts)
                return f"{text} = {plain_digits(target.value)}", tuple(s for _, own in parts for s in own[:1])[
                    :_SPANS_SHOWN
                ]
        return None

    def _speaks_of_arithmetic(self, figure: Figure) -> bool:
        """Return whether the sentence of a figure, or the head of its table, speaks of arithmetic."""
        text = self._view.text
        sentence = self._view.sentence_at(figure.start)
        before = text[max(sentence.start, figure.start - _SPEAKS) : figure.start]
        after = text[figure.end : min(sentence.end, figure.end + _SPEAKS)]
        words = f"{before} {after}"
        if "|" in words or "\t" in words:
            begin, _ = self._neighbourhood(figure)
            words += text[begin : begin + 300]
        return cued(words)

    def _column(self, figure: Figure, inside: Sequence[Known]) -> list[Known]:
        """Return the figures above a figure in its column of a table."""
        own = self._cell(figure.start)
        if not own:
            return []
        return [(q, s) for q, s in inside if q.figure.start < figure.start and self._cell(q.figure.start) == own]

    def _cell(self, offset: int) -> int:
        """Return how many cells of its row stand before an offset."""
        begin = self._view.text.rfind("\n", 0, offset) + 1
        return bisect.bisect_left(self._borders, offset) - bisect.bisect_left(self._borders, begin)

    @cached_property
    def _borders(self) -> list[int]:
        return [m.start() for m in re.finditer(r"(?<!\n)[|\t]", self._view.text)]

    def _of_a_period(self, figure: Figure, slack: Decimal) -> tuple[str, tuple[Span, ...]] | None:
        """Derive a year's amount from a month's or a quarter's, where the draft speaks of a year."""
        if figure.kind != "money":
            return None
        sentence, value = self._view.sentence_text(figure.start), abs(figure.value)
        for said, times, period in _PERIODS:
            if not said.search(sentence):
                continue
            part = Quantity(figure.unit, value / times, figure)
            room = (slack or Decimal("0.5")) / times
            for source in self._sources.equal(part, Slack(room, room)):
                at = source.span
                if period.search(_period_beside(self._texts.get(at.document, ""), at)):
                    sign = "≈" if slack else "="
                    derivation = f"{plain_digits(source.quantity.value)} × {times} {sign} {plain_digits(value)}"
                    return derivation, (at,)
        return None

    def _neighbourhood(self, figure: Figure) -> tuple[int, int]:
        """Return the table around a figure, else its paragraph; its terms must stand there too."""
        text = self._view.text
        begin, end = text.rfind("\n", 0, figure.start) + 1, text.find("\n", figure.end)
        end = len(text) if end < 0 else end
        if "|" not in text[begin:end] and "\t" not in text[begin:end]:
            return begin, end
        return max(text.rfind("\n\n", 0, figure.start), 0), (text.find("\n\n", figure.end) % (len(text) + 1))


def _period_beside(text: str, span: Span) -> str:
    """Return the word of a period that stands nearest to an amount: "$500 monthly and $900 each quarter"."""
    before = text[max(0, span.start - _PERIOD_NEAR) : span.start]
    after = _SENTENCE_END.split(text[span.end : span.end + _PERIOD_NEAR], maxsplit=1)[0]
    near = [(len(before) - m.end(), m[0]) for m in _ANY_PERIOD.finditer(before)]
    near += [(m.start(), m[0]) for m in _ANY_PERIOD.finditer(after)]
    return min(near)[1] if near else ""
