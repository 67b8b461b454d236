"""What a work product is rendered from: the asks, their answers, the documents, the procedure of the skill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from skills_repo.schema import Procedure
from tasks.asks.cues import BriefCues
from tasks.asks.records import Ask, AskAnswer, AskKind, Asks, AskState, Entry
from tasks.drafting.extractive.differing.contrast import Contrast
from tasks.drafting.extractive.points import made_of
from tasks.drafting.extractive.quoting import Quote, nearest_unit, place_in, quote, units_at
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.render.names import DaysWritten, names_of
from tasks.drafting.extractive.signature import Signature
from tasks.drafting.extractive.units import Unit
from tasks.retrieval.provisions import Provision
from tasks.sources.records import CoverageEntry, Span

SEVERAL = "” “"  # between the sentences of an answer that quotes several
_SHORT = 60  # words of a sentence that is quoted for a typed answer: the date or figure stands in its clause
_LEAST = 40  # words that every answer may quote, however many there are
_WORTH, _QUOTED = 25, 30  # words that must be left for one more sentence, and that it then may have; chosen by eye
_LABEL_WORDS = 9  # words of an ask that is a name of a thing and no question


@dataclass(frozen=True)
class Point:
    """An answer out of one document, with the ask that it answers."""

    ask: Ask
    entry: Entry


@dataclass(frozen=True)
class Told:
    """What is rendered.

    Attributes:
        subject: What is asked, in few words.
        answers: By the number of their ask.
        readings: The readable documents by name.
        catalogue: The provisions that the harness knows, by name.
        set_aside: Documents from which nothing is told, with the reason.
        ties: Lines on what a finding depends on, by document and number of the ask.
        computed: Ratios and floors recomputed from the sheets, each with its operands.
        signature: Who made the draft.
        contrasts: What the papers of one deal say to an ask, set against each other, by the number of the ask.
    """

    title: str
    subject: str
    asks: Asks
    answers: Mapping[str, AskAnswer]
    readings: Mapping[str, SentencedDocument]
    settings: Procedure
    cues: BriefCues
    catalogue: Mapping[str, Provision]
    coverage: Sequence[CoverageEntry] = ()
    set_aside: Sequence[tuple[str, str]] = ()
    ties: Mapping[tuple[str, str], Sequence[str]] | None = None
    computed: Sequence[str] = ()
    signature: Signature = field(default_factory=Signature)
    contrasts: Mapping[str, Sequence[Contrast]] = field(default_factory=dict)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Return what each document is called."""
        return names_of(self.readings.values())

    @cached_property
    def days(self) -> DaysWritten:
        """Return how the papers write their days."""
        return DaysWritten((r.text.text for r in self.readings.values()), self.readings)

    @cached_property
    def points(self) -> Sequence[Point]:
        """Return every answer of every ask but the constraints, in the order of the brief."""
        asks = [a for a in self.asks.asks if a.kind is not AskKind.CONSTRAINT and a.ask_id in self.answers]
        return [Point(ask, entry) for ask in asks for entry in self.answers[ask.ask_id].entries]

    @cached_property
    def found(self) -> Sequence[Point]:
        """Return what was answered."""
        return [p for p in self.points if p.entry.state is AskState.ANSWERED]

    @cached_property
    def events(self) -> Sequence[Point]:
        """Return the answers of the timelines that are asked for, by their days; none where there is but one day."""
        dated = [p for p in self.found if p.entry.day and p.ask.kind is AskKind.TIMELINE]
        return sorted(dated, key=lambda p: (p.entry.day, p.entry.document)) if len(dated) > 1 else []

    @cached_property
    def tabled(self) -> bool:
        """Tell whether there is a table of answers: several documents are each asked about several things."""
        each = [p for p in self.points if p.ask.each and p.entry.document]
        return len({p.ask.ask_id for p in each}) > 1 and len({p.entry.document for p in each}) > 1

    def asks_in(self, *states: AskState) -> Iterator[tuple[Ask, AskAnswer]]:
        """Yield the asks of some states, without the constraints."""
        for ask in self.asks.asks:
            got = self.answers.get(ask.ask_id)
            if got is not None and got.state in states and ask.kind is not AskKind.CONSTRAINT:
                yield ask, got

    def name(self, document: str) -> str:
        """Return what a document is called; one that was not read by its file name."""
        return self.names.get(document, document)

    def label(self, ask: Ask) -> str:
        """Return an ask as a heading: the client's words, a known provision by the name that stands in them."""
        words = ask.words.strip(" .,;:")
        if words.count("(") != words.count(")"):  # an item of a list in parentheses
            words = words.strip("()").replace(" (", ": ")
        if self.is_question(ask):
            return words[:1].upper() + words[1:]
        while match := self.cues.leading.match(words):
            words = words[match.end() :]
        known = self.provision_of(ask)
        if known is not None:
            called = [n for n in sorted(known.names, key=len, reverse=True) if n.lower() in words.lower()]
            words = called[0] if called else f"{words} ({known.name})"
        return words[:1].upper() + words[1:]

    def is_question(self, ask: Ask) -> bool:
        """Tell whether an ask is called by its whole words, as a question is, and names no topic."""
        words = ask.words.strip(" .,;:")
        return bool(self.cues.question.search(words)) or len(words.split()) > _LABEL_WORDS

    def briefly(self, ask: Ask) -> str:
        """Return an ask in so few words that a line can name several."""
        words = self.label(ask).split()
        return self.lower(" ".join(words[:_LABEL_WORDS]) + (" …" if len(words) > _LABEL_WORDS else ""))

    def lower(self, label: str) -> str:
        """Return a heading as it stands within a sentence."""
        return label if label[:2].isupper() else label[:1].lower() + label[1:]

    def provision_of(self, ask: Ask) -> Provision | None:
        """Return the provision of the catalogue that the answers to an ask are about."""
        entries = self.answers[ask.ask_id].entries if ask.ask_id in self.answers else ()
        return next((self.catalogue[e.topic] for e in entries if e.topic in self.catalogue), None)

    def said(self, entry: Entry) -> str:
        """Return the answer as prose says it."""
        return self.days.prose(entry.answer)

    def units(self, point: Point) -> list[Unit]:
        """Return the sentences that support an answer, the operative one first."""
        spans = [s for s in point.entry.support if s.document in self.readings]
        found = [u for s in spans for u in units_at(self.readings[s.document], s)]
        unique = {(u.document, u.start): u for u in found}
        return list(unique.values())[: max(self.settings.passages_per_topic, len(point.entry.support))]

    def place(self, unit: Unit) -> str:
        """Return clause and page of a sentence."""
        return place_in(unit, self.readings[unit.document])

    def citation(self, unit: Unit) -> str:
        """Return the citation of a sentence, e.g. ``[Supply Agreement § 9.2(b), p. 14]``."""
        place = self.place(unit)
        return f"[{self.name(unit.document)}{' ' if place[:1] in '§(' else ', '}{place}]"

    def cited(self, point: Point) -> list[Unit]:
        """Return the sentences that an answer is cited to in one line: each that it quotes, or is worked out of."""
        units = self.units(point)
        several = max(point.entry.answer.count(SEVERAL) + 1, point.entry.answer.count("“"))
        return units if point.entry.basis else units[:several]

    def where(self, point: Point) -> str:
        """Return the citation of an answer; the document where it rests on no sentence of it."""
        units = self.cited(point)
        if units:  # what is worked out of all of them, these bear only together
            return (" " if point.entry.basis else "; ").join(dict.fromkeys(self.citation(u) for u in units))
        return f"[{self.name(point.entry.document)}]" if point.entry.document else ""

    def quotes(self, point: Point, budget: int) -> list[Quote]:
        """Return the quotations of an answer, in reading order; a question is answered by the best one first.

        The answers of a document share ``budget`` words; the operative sentence is never left out.
        """
        kept: list[Quote] = []
        left = min(self._wanted(point), self._level(point.entry.document, budget))
        for unit in self.units(point):
            if kept and left < min(unit.words, _WORTH):
                continue
            most = min(self.settings.quote_words, max(left, _QUOTED))
            kept.append(self.quotation(point.ask, unit, most))
            left -= kept[-1].words
        return kept if self.cues.question.search(point.ask.words) else sorted(kept, key=lambda q: q.unit.start)

    def quotation(self, ask: Ask, unit: Unit, most: int) -> Quote:
        """Return a sentence as it is quoted for an ask."""
        return quote(unit, self._sought(ask), self.readings[unit.document].text, most)

    def nearest(self, ask: Ask, span: Span) -> Unit | None:
        """Return the sentence of a passage that is nearest to an ask."""
        reading = self.readings.get(span.document)
        return nearest_unit(reading, span, ask.subject) if reading is not None else None

    def _sought(self, ask: Ask) -> Provision:
        vocabulary = next(iter(self.readings.values())).knowledge.vocabulary
        known = self.provision_of(ask)
        return known or made_of(ask.words, vocabulary)

    def _wanted(self, point: Point) -> int:
        known = self.provision_of(point.ask)
        if known is not None and known.answer != "clause":
            return min(_SHORT, self.settings.quote_words)
        return sum(min(u.words, self.settings.quote_words) for u in self.units(point))

    def _level(self, document: str, budget: int) -> int:
        """Return the bound on each share of a document's words that keeps their total within the budget."""
        shares = sorted(self._wanted(p) for p in self.found if p.entry.document == document)
        left = budget
        for index, share in enumerate(shares):
            even = left // (len(shares) - index)
            if share > even:
                return max(even, _LEAST)
            left -= share
        return max([*shares, _LEAST])

    def with_answers(self, answers: Sequence[AskAnswer]) -> Told:
        """Return the same with other answers."""
        return replace(self, answers={a.ask_id: a for a in answers})
