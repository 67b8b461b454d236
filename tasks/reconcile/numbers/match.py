"""Matching the figures of one draft: by repeated passage, by value, by arithmetic; otherwise what is wrong."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from skills_repo.release_gates import NumberGate
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure
from tasks.reconcile.derivations import plain_digits
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.numbers.arithmetic import DraftArithmetic, Known
from tasks.reconcile.numbers.context import Elsewhere, FigureContexts, stem_of
from tasks.reconcile.numbers.cues import DRAFTING, FALLS, INCONSISTENT, NAMED, PERIODIC, REMEDY, NumberKind
from tasks.reconcile.numbers.passages import DraftPassages
from tasks.reconcile.passages import PassageIndex
from tasks.reconcile.quantities import BRIEF, HEDGE_REACH, Quantity, SourcedQuantity, SourceFigures, tolerance
from tasks.reconcile.quotes import Quotation, quotations
from tasks.reconcile.records import Finding, Grounding
from tasks.sources.records import Span

_SPANS_SHOWN = 4  # sources shown for a figure; chosen by eye
_BESIDE = 60  # characters after an amount within which the rate that it applies is stated
_AROUND = 24  # characters shown on each side of a figure
_FALLS = (80, 40)  # characters before and behind a figure in which it is told that it fell; chosen by eye
_PARTS = 1000  # below which a figure may count the parts of the draft itself; chosen by eye
_TELLING = 1000  # from which a round figure ("5,000" for "5") may be one with another unit; chosen by eye
_LONGEST_PASSAGE = 200  # words


@dataclass
class Reconciliation:
    """The figures of one deliverable against the sources."""

    deliverable: str
    view: DraftView
    sources: SourceFigures
    index: PassageIndex
    texts: Mapping[str, str]
    contexts: FigureContexts
    settings: NumberGate
    shortest_quotation: int
    grounded: list[Grounding] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)
    misplaced: dict[int, Elsewhere] = field(default_factory=dict)

    def run(self) -> None:
        """Fill ``grounded`` and ``findings``, in the order of the draft."""
        figures = self._claims
        pending = [f for f in figures if not (self._by_passage(f) or f.start in self.misplaced or self._by_value(f))]
        for figure in pending:
            if not (self._by_quotation(figure) or self._by_arithmetic(figure) or self._counts_the_draft(figure)):
                self._flag_misplaced(figure) if figure.start in self.misplaced else self._flag(figure)
        self._figures_lost(figures)
        self.grounded.sort(key=lambda g: (g.start, g.end))
        self.findings.sort(key=lambda f: (f.start, f.end))

    @cached_property
    def _claims(self) -> list[Figure]:
        return [f for f in scan_numbers(self.view.text) if self._is_claim(f)]

    def _is_claim(self, figure: Figure) -> bool:
        view = self.view
        return not (view.in_citation(figure.start) or view.in_heading(figure.start) or view.in_name(figure.start))

    # --- the repeated passage ---

    @cached_property
    def _passages(self) -> DraftPassages:
        return DraftPassages(self.view, self.index)

    def _by_passage(self, figure: Figure) -> bool:
        found = self._passages.of(figure)
        if not found:
            return False
        if not figure.pair and self._other_sign(figure, self.sources.at(found[0][1].span), found[0][1].span):
            return True
        if self._other_time(figure, found[0][1].span):
            return True
        altered = [(lit, m) for lit, m in found if not (m.equal or self._passages.unchanged(figure, lit, m))]
        if not altered:
            if figure.disagrees:
                span = found[0][1].span
                own = any(f.disagrees for f in self.sources.at(span))
                self._disagreement(figure, span, of_source=own)
            elif not all(m.whole for _, m in found) and self._is_misplaced(figure, self._scope(figure), ()):
                return False  # a phrase that the sources repeat of several things
            else:
                self._ground(figure, tuple(dict.fromkeys(m.span for _, m in found)))
            return True
        match = altered[0][1]
        quantity = Quantity.of(figure)
        said = self._figures_at(match.span)
        if any(q.family == quantity.family and q.value == quantity.value for q in said):
            self._ground(figure, (match.span,))
            return True
        if figure.disagrees:
            self._disagreement(figure, match.span, of_source=False)
            return True
        sentence = self.view.sentence_at(figure.start)
        whole = self._verbatim(self.view.text[sentence.start : sentence.end], (match.span.document,))
        if whole is not None:  # a row among like rows
            self._ground(figure, (whole,))
            return True
        shown = self.texts[match.span.document][match.span.start : match.span.end]
        beside = self.view.text[figure.end : min(sentence.end, figure.end + _BESIDE)]
        if shown.strip() in beside and all(q.family == "rate" != quantity.family for q in said):
            return False  # the draft computes an amount and states the rate beside it
        kind: NumberKind = "unit_mismatch" if any(q.digits == quantity.digits for q in said) else "near_miss"
        checked = f"{match.span.document} has the same words with “{' '.join(shown.split())}”."
        self._find(figure, kind, checked, match.span)
        return True

    def _figures_at(self, span: Span) -> list[Quantity]:
        text = self.texts[span.document]
        begin = max(0, span.start - _BESIDE)
        figures = scan_numbers(text[begin : span.end + _BESIDE], scale_hints=False)
        return [Quantity.of(f) for f in figures if f.start + begin < span.end and f.end + begin > span.start]

    def _figures_lost(self, figures: Sequence[Figure]) -> None:
        """Flag literals that are figures in the source and not in the draft."""
        covered = [(f.start, f.end) for f in figures]
        for literal, match in self._passages.literals:
            if match is None or match.equal or self.view.in_citation(literal.start) or self.view.in_name(literal.start):
                continue
            if any(a < literal.end and literal.start < b for a, b in covered):
                continue
            there = [q for q in self._figures_at(match.span) if q.figure.kind != "number"]
            if not there or scan_dates(self.view.text[literal.start : literal.end]):
                continue
            if any(str(q.figure.value) == literal.form for q in there):
                continue  # "8" of "eight (8)"
            text = self.view.text[literal.start : literal.end]
            shown = " ".join(self.texts[match.span.document][match.span.start : match.span.end].split())
            checked = f"{match.span.document} has the same words with “{shown}”."
            self._report(literal.start, literal.end, text, "near_miss", checked, match.span)

    # --- the value ---

    def _by_value(self, figure: Figure) -> bool:
        quantity = Quantity.of(figure)
        if figure.disagrees:
            likewise = [s.span for s in self.sources.equal(quantity) if s.quantity.figure.disagrees]
            self._disagreement(figure, likewise[0] if likewise else None, of_source=bool(likewise))
            return True
        before = self.view.text[max(0, figure.start - HEDGE_REACH) : figure.start]
        equal = self.sources.equal(quantity, tolerance(quantity, before, self.settings))
        cited = self._scope(figure)
        if not equal:
            return self._by_periodic_word(figure, quantity, cited)
        own = [s for s in equal if s.span.document in cited or s.span.document == BRIEF]
        if cited and not own:
            return self._by_periodic_word(figure, quantity, cited)
        grounds = own or equal
        if not figure.pair and self._other_sign(figure, [s.quantity.figure for s in grounds], grounds[0].span):
            return True
        same = [s.quantity.figure for s in grounds]
        if all(s.span.document != BRIEF for s in grounds) and self._is_misplaced(figure, cited, same):
            return False
        if all(f.disagrees for f in same) and not INCONSISTENT.search(self.view.sentence_text(figure.start)):
            self._silent_choice(figure, grounds[0])
            return True
        exact = any(
            abs(s.quantity.value) == abs(quantity.value) or s.quantity.family != quantity.family for s in grounds
        )
        rounded = "" if exact else f"{plain_digits(grounds[0].quantity.value)} ≈ {plain_digits(quantity.value)}"
        self._ground(figure, _spans(grounds), rounded)
        return True

    def _silent_choice(self, figure: Figure, source: SourcedQuantity) -> None:
        """Flag a figure whose words and digits disagree in the source, if the draft states it as settled."""
        name, at = source.span.document, source.span
        shown = " ".join(self.texts[name][max(0, at.start - _AROUND) : at.end + _AROUND].split())
        checked = f"In {name} words and figures differ: “… {shown} …”; the draft takes one of them."
        self._find(figure, "silent_choice", checked, source.span)

    def _other_sign(self, figure: Figure, sources: Sequence[Figure], span: Span) -> bool:
        """Flag a figure whose sign no source has, unless its sentence says in words that it is a loss or a fall."""
        same = [s for s in sources if abs(s.value) == abs(figure.value) and s.value]
        if not same or any((s.value < 0) == (figure.value < 0) for s in same):
            return False
        text = self.view.text
        if FALLS.search(text, max(0, figure.start - _FALLS[0]), min(len(text), figure.end + _FALLS[1])):
            return False
        where = "negative" if same[0].value < 0 else "positive"
        self._find(figure, "near_miss", f"{span.document} has it {where}: “{same[0].text}”.", span)
        return True

    def _other_time(self, figure: Figure, span: Span) -> bool:
        """Flag a duration whose number stands in the same words with another unit: "7 years/week"."""
        there = self.sources.at(span)
        if figure.kind != "duration" or not there or any(s.kind != "duration" or s.unit == figure.unit for s in there):
            return False
        if all(s.value != figure.value for s in there):
            return False
        checked = f"{span.document} has the same words with “{' '.join(there[0].text.split())}”."
        self._find(figure, "unit_mismatch", checked, span)
        return True

    def _is_misplaced(self, figure: Figure, cited: Sequence[str], given: Sequence[Figure]) -> bool:
        """Return whether the words of a figure fit a place with another value, and no place with its own value."""
        if figure.kind == "count" and DRAFTING.search(figure.text):
            return False
        sentence = self.view.sentence_at(figure.start)
        row = self.view.text[sentence.start : sentence.end].strip("|\t ")
        if row.count("|") > 1 or row.count("\t") > 1:
            return False  # the words of a row of three cells and more belong to several of them
        first = bisect.bisect_left(self._claims, sentence.start, key=lambda f: f.start)
        last = bisect.bisect_left(self._claims, sentence.end, key=lambda f: f.start)
        other = self.contexts.elsewhere(
            self.view.text, figure, sentence.start, sentence.end, cited, self._claims[first:last], given
        )
        if other is not None:
            self.misplaced[figure.start] = other
        return other is not None

    def _flag_misplaced(self, figure: Figure) -> None:
        """Flag a figure that the sources state about another thing or another party."""
        other = self.misplaced[figure.start]
        sentence = self.view.sentence_at(figure.start)
        named = {stem_of(w) for w in NAMED.findall(self.view.text, sentence.start + 1, sentence.end)}
        kind: NumberKind = "wrong_entity" if named.intersection(other.telling[:3]) else "wrong_context"
        shown = " ".join(other.text.split())
        checked = f"In like words {other.span.document} gives “{shown}”; this value stands there of something else."
        self._find(figure, kind, checked, other.span)

    def _by_periodic_word(self, figure: Figure, quantity: Quantity, cited: Sequence[str]) -> bool:
        """Ground "1 year" in "successive annual periods"."""
        pattern = PERIODIC.get((quantity.family, int(quantity.value))) if figure.kind == "duration" else None
        if pattern is None or quantity.value != int(quantity.value):
            return False
        places = [(name, re.search(pattern, self.texts[name], re.IGNORECASE)) for name in cited or self.texts]
        spans = [Span(document=name, start=m.start(), end=m.end()) for name, m in places if m]
        if spans:
            self._ground(figure, tuple(spans[:_SPANS_SHOWN]))
        return bool(spans)

    def _scope(self, figure: Figure) -> tuple[str, ...]:
        """Return the readable documents that the place of a figure speaks of."""
        return tuple(d for d in self.view.cited_near(figure.start) if d in self.texts)

    @cached_property
    def _quotations(self) -> list[Quotation]:
        return quotations(self.view, self.shortest_quotation)

    def _by_quotation(self, figure: Figure) -> bool:
        """Ground a figure inside a verbatim quotation: a row of a sheet keeps its printed figure there.

        Outside quotation marks the printed figure of a sheet "in thousands" is off by that scale, and flagged.
        """
        quote = next((q for q in self._quotations if q.start <= figure.start and figure.end <= q.end), None)
        if quote is None:
            return False
        span = self._verbatim(quote.text, self._scope(figure) or tuple(self.texts))
        if span is not None:
            self._ground(figure, (span,))
        return span is not None

    def _verbatim(self, words: str, names: Sequence[str]) -> Span | None:
        """Return where a document has exactly these words, ignoring line breaks and cell borders."""
        parts = words.split()
        if not 0 < len(parts) <= _LONGEST_PASSAGE:
            return None
        pattern = re.compile(r"\s+".join("[/|]" if p == "/" else re.escape(p) for p in parts))
        for name in names:
            if match := pattern.search(self.texts[name]):
                return Span(document=name, start=match.start(), end=match.end())
        return None

    def _by_arithmetic(self, figure: Figure) -> bool:
        derived = self._arithmetic.explain(figure, self.known)
        if derived is None:
            return False
        text, spans = derived
        self._ground(figure, spans, text)
        return True

    @cached_property
    def _arithmetic(self) -> DraftArithmetic:
        return DraftArithmetic(self.view, self.sources, self.texts, self.settings)

    def _counts_the_draft(self, figure: Figure) -> bool:
        """Return whether a figure counts the draft's own parts: "3 agreements reviewed"."""
        small = figure.kind in ("count", "number") and not figure.pair and abs(figure.value) < _PARTS
        return small and (figure.kind == "number" or DRAFTING.search(figure.text) is not None)

    # --- results ---

    def _ground(self, figure: Figure, spans: tuple[Span, ...], derivation: str = "") -> None:
        self.known.append((Quantity.of(figure), spans))
        self.grounded.append(
            Grounding(
                deliverable=self.deliverable,
                start=figure.start,
                end=figure.end,
                text=figure.text,
                sources=tuple(s for s in spans if s.document != BRIEF),
                derivation=derivation,
            )
        )

    def _disagreement(self, figure: Figure, span: Span | None, *, of_source: bool) -> None:
        last = self.findings[-1] if self.findings else None
        if (
            last is not None
            and last.kind in ("pair_disagrees", "source_disagrees", "silent_choice")
            and figure.start - last.end in (1, 2)
        ):
            text = self.view.text[last.start : figure.end]  # the other side of the pair: one finding for both
            self.findings[-1] = last.model_copy(update={"end": figure.end, "text": text})
            return
        if of_source:
            self._find(figure, "source_disagrees", "The source itself says so.", span)
            return
        self._find(figure, "pair_disagrees", "The number in words is not the one in digits.", span)

    def _flag(self, figure: Figure) -> None:
        quantity = Quantity.of(figure)
        before = self.view.text[max(0, figure.start - HEDGE_REACH) : figure.start]
        elsewhere = self.sources.equal(quantity, tolerance(quantity, before, self.settings))
        cited = self._scope(figure)
        if elsewhere and cited:
            source = elsewhere[0]
            checked = f"{', '.join(cited)} does not state it; {source.span.document} does."
            self._find(figure, "wrong_entity", checked, source.span)
            return
        unit = _first(self._other_units(quantity), cited)
        if unit is not None:
            checked = f"{unit.span.document} has “{unit.quantity.figure.text}”."
            self._find(figure, "unit_mismatch", checked, unit.span)
            return
        near = _first((s for s in self.sources.family(quantity.family) if _one_slip(quantity, s.quantity)), cited)
        if near is not None:
            checked = f"Nearest: “{near.quantity.figure.text}” in {near.span.document}."
            self._find(figure, "near_miss", checked, near.span)
            return
        checked = f"Compared with every figure of {len(self.texts)} documents and the brief; none gives it."
        self._find(figure, "unsourced", checked, None)

    def _other_units(self, quantity: Quantity) -> Iterable[SourcedQuantity]:
        for source in self.sources.same_digits(quantity):
            other = source.quantity
            telling = len(quantity.digits) >= 2 or min(abs(other.value), abs(quantity.value)) >= _TELLING
            alike = other.value == quantity.value or other.family == quantity.family
            if alike and telling and (other.family, other.value) != (quantity.family, quantity.value):
                yield source

    def _find(self, figure: Figure, kind: NumberKind, checked: str, span: Span | None) -> None:
        self._report(figure.start, figure.end, figure.text, kind, checked, span)

    def _report(self, start: int, end: int, text: str, kind: NumberKind, checked: str, span: Span | None) -> None:
        self.findings.append(
            Finding(
                gate="number",
                kind=kind,
                deliverable=self.deliverable,
                text=text,
                start=start,
                end=end,
                sentence=self.view.sentence_text(start),
                checked=checked,
                grounding=span if span is None or span.document != BRIEF else None,
                remedy=REMEDY[kind],
            )
        )


def _spans(sources: Sequence[SourcedQuantity]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(s.span for s in sources))[:_SPANS_SHOWN]


def _first(sources: Iterable[SourcedQuantity], cited: Sequence[str]) -> SourcedQuantity | None:
    found = list(sources)
    return next((s for s in found if s.span.document in cited), found[0] if found else None)


def _one_slip(a: Quantity, b: Quantity) -> bool:
    """Return whether two values differ by one digit, one transposition or a power of ten."""
    if a.value == b.value or not a.value or not b.value:
        return False
    x, y = f"{abs(a.value.normalize()):f}", f"{abs(b.value.normalize()):f}"
    if a.digits == b.digits:
        return len(a.digits) >= 2
    if len(x) != len(y) or len(x) < 2:
        return False
    off = [i for i, (p, q) in enumerate(zip(x, y, strict=True)) if p != q]
    swapped = len(off) == 2 and off[1] == off[0] + 1 and x[off[0]] == y[off[1]] and x[off[1]] == y[off[0]]
    return len(off) == 1 or swapped
