"""The quantities, rows and rules of a room, each paper read once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.sums.naming import NameComparer
from tasks.drafting.extractive.sums.quantities import PaperQuantity, TableRow, quantities_of, rows_of
from tasks.drafting.extractive.sums.reading_terms import terms_of
from tasks.drafting.extractive.sums.terms import Term
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.likeness import Likeness
from tasks.legaltext.fold import straight

_LINE = 100  # characters of a line of a list


@dataclass(frozen=True)
class Sums:
    """What papers count and how they reckon."""

    readings: Sequence[SentencedDocument]
    likeness: Likeness

    @cached_property
    def naming(self) -> NameComparer:
        """How names are compared."""
        return NameComparer(self.likeness, [f"{u.heading} {u.text}" for u in self.units])

    @cached_property
    def passages(self) -> tuple[tuple[str, Unit], ...]:
        """The sentences under their headings; the lines of a list one by one."""
        return tuple((f"{u.heading} {text}", u) for r in self.readings for u in r.units for text in _lines(r, u))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The sentences."""
        return tuple(u for r in self.readings for u in r.units)

    @cached_property
    def quantities(self) -> tuple[PaperQuantity, ...]:
        """The figures with what they are of."""
        return tuple(q for r in self.readings for q in quantities_of(r))

    @cached_property
    def currency(self) -> str:
        """The currency in which most sums are given; empty where none is named."""
        return next((m for m, _ in Counter(q.money for q in self.quantities if q.money).most_common(1)), "")

    @cached_property
    def rows(self) -> tuple[TableRow, ...]:
        """The rows of lists and tables; a sum without a currency is in that of the other sums."""
        found = (x for r in self.readings for x in rows_of(r))
        return tuple(
            replace(x, money=self.currency) if (not x.money and x.value % 1) or ".00" in f"{x.value}" else x
            for x in found
        )

    @cached_property
    def tables(self) -> tuple[tuple[TableRow, ...], ...]:
        """The rows of each table together."""
        keys = dict.fromkeys((x.unit.document, x.table) for x in self.rows)
        return tuple(tuple(x for x in self.rows if (x.unit.document, x.table) == k) for k in keys)

    @cached_property
    def listed(self) -> frozenset[Unit]:
        """The sentences that are rows of lists."""
        return frozenset(x.unit for x in self.rows)

    @cached_property
    def lists(self) -> tuple[tuple[TableRow, ...], ...]:
        """The tables that may be added up: lists of sums, no accounts of what came in and went out day by day."""
        return tuple(t for t in self.tables if t[0].money and not any(r.dated for r in t))

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The rules by which sums are reckoned."""
        return tuple(t for r in self.readings for t in terms_of(r))

    def before(self, unit: Unit) -> str:
        """Return the sentence before a sentence in its paragraph, or at the end of the one before."""
        at = self._places[unit]
        last = self.units[at - 1] if at else unit
        return straight(last.text) if last.document == unit.document else ""

    @cached_property
    def _places(self) -> dict[Unit, int]:
        return {u: n for n, u in enumerate(self.units)}

    def paragraph(self, unit: Unit) -> str:
        """Return the paragraph of a sentence under its heading."""
        return self._paragraphs[unit.document, unit.block]

    @cached_property
    def _paragraphs(self) -> dict[tuple[str, int], str]:
        found: dict[tuple[str, int], list[str]] = {}
        for u in self.units:
            found.setdefault((u.document, u.block), [u.heading]).append(straight(u.text))
        return {k: " ".join(v) for k, v in found.items()}


def _lines(reading: SentencedDocument, unit: Unit) -> list[str]:
    """Return the lines of a list that was read as one sentence; else the sentence."""
    raw = [x.strip() for x in straight(reading.text.text[unit.start : unit.pieces[-1][1]]).split("\n") if x.strip()]
    listed = len(raw) > 1 and all(re.match(r"\W*[A-Z\d]", x) and len(x) < _LINE for x in raw)
    return raw if listed else [straight(unit.text)]
