"""Compares what the papers of one deal say to an ask: which statement governs, and which differ from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.differing.kin import DealPaper, Role, deal_of
from tasks.drafting.extractive.differing.values import KINDS, SentenceValue, value_in
from tasks.drafting.extractive.quoting import units_at
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.kinds import Line
from tasks.drafting.extractive.ways.notions import Notion
from tasks.drafting.extractive.ways.question import ITS_OWN, Part, question_of
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.retrieval.provisions import weigh

_OF_THE_PAPER = frozenset({"agreement_date", "effective_date", "parties", "title"})  # each paper has its own
_WANTED = MappingProxyType(
    {"money": "money", "rate": "money", "percent": "percent", "date": "day", "day": "day", "duration": "duration"}
)
_KINDS = frozenset({AskKind.FACT, AskKind.LIST, AskKind.CALCULATION, AskKind.TIMELINE})
_PREVAILS = re.compile(
    r"\b(?:conflict\w*|inconsisten\w+|discrepanc\w+)\b.{0,160}\b(?:prevails?|controls?|governs?)\b", re.I
)
_RANKS = re.compile(
    r"(?P<who>(?:\bthis|\bthe|\bsuch|\ban|\bany)(?: [\w-]+){1,6}?) (?:(?:shall|will) )?"
    r"(?:prevails?|controls?|governs?|takes? precedence)\b",
    re.I,
)
_AS_TO = re.compile(
    r",? (?:as to|with (?:respect|regard) to|in respect of|regarding|on|for) (?P<what>[^.;]{3,160})", re.I
)
_OWN = re.compile(r"\bthis (?:agreement|lease|contract|licen[sc]e)\b")
_ALIKE = 0.3  # part of a sentence that another must speak of whose period is compared with its own
_FORMAL = "amendment"  # the provision that says how a contract is changed
_WRITTEN = re.compile(r"\b(?:writing|written|signed|executed)\b", re.I)


class Standing(StrEnum):
    """How a statement relates to the one that governs."""

    SAME = "same"  # the same, in other words
    OUTRANKED = "outranked"  # the papers say which of them prevails, and it is the other
    CHANGED = "changed"  # it stood until the governing paper changed it
    EARLIER = "earlier"  # a message from before the governing paper was signed
    UNFORMAL = "unformal"  # a message after it, and the contract demands a signed writing
    OPEN = "open"  # nothing in the papers settles which of them counts


@dataclass(frozen=True)
class Said:
    """What a paper says to an ask."""

    paper: DealPaper
    unit: Unit
    value: SentenceValue


@dataclass(frozen=True)
class Beside:
    """A statement beside the one that governs.

    Attributes:
        rule: The sentence of the papers that settles it, or on which it hangs; None where there is none.
    """

    said: Said
    standing: Standing
    rule: Unit | None = None


@dataclass(frozen=True)
class Contrast:
    """The statements of one deal on one thing; one governs, or is that of the contract until it is settled."""

    governing: Said
    others: tuple[Beside, ...]

    @property
    def settled(self) -> bool:
        """Tell whether the papers themselves say which statement counts."""
        return all(b.standing in (Standing.SAME, Standing.CHANGED, Standing.OUTRANKED) for b in self.others)

    @property
    def differs(self) -> bool:
        """Tell whether any paper contradicts it."""
        return any(b.standing is not Standing.SAME for b in self.others)

    @property
    def documents(self) -> frozenset[str]:
        """Return the names of the papers whose statements are compared."""
        return frozenset({self.governing.unit.document, *(b.said.unit.document for b in self.others)})

    def beside(self, document: str) -> Beside | None:
        """Return the statement of a document that does not govern."""
        return next((b for b in self.others if b.said.unit.document == document), None)


def contrast_of(ask: Ask, got: AskAnswer, room: Room) -> tuple[Contrast, ...]:
    """Set what the papers of each deal say to an ask against each other.

    Only statements of the same thing are compared: a sentence of another paper must speak of all that is asked, and
    hold one value of the kind. Papers of different deals each have their own rent and their own dates.
    """
    if got.state is not AskState.ANSWERED or ask.kind not in _KINDS or len(room.readings) < 2:
        return ()
    known = {p.name: p.answer for p in room.catalogue}
    entries = [e for e in got.entries if e.state is AskState.ANSWERED and e.document and e.support]
    if not entries or any(known.get(e.topic) in _OF_THE_PAPER for e in entries):
        return ()
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
    if len(parts) != 1:
        return ()
    made: list[Contrast] = []
    for entry in entries:
        if any(entry.document in c.documents for c in made):
            continue
        deal = deal_of(entry.document, room.deals)
        if len(deal) > 1 and (contrast := _of_deal(parts[0], entry, entries, deal, room)):
            made.append(contrast)
    return tuple(made)


def _of_deal(
    part: Part, lead: Entry, entries: Sequence[Entry], deal: Sequence[DealPaper], room: Room
) -> Contrast | None:
    kinds = [_WANTED[w] for w in part.wants if w in _WANTED] or (["day"] if lead.day else list(KINDS))
    for kind in dict.fromkeys(kinds):
        own = {e.document: e for e in entries}
        found = [s for p in deal if (s := _said(part, kind, p, own.get(p.reading.document), room))]
        own_said = next((s for s in found if s.unit.document == lead.document), None)
        if own_said is not None and kind == "duration":
            found = [s for s in found if s is own_said or _of_one_thing(s.unit, own_said.unit, room)]
        if own_said is not None and len(found) > 1:
            return _weighed(found, room)
    return None


def _of_one_thing(one: Unit, two: Unit, room: Room) -> bool:
    """Tell whether two sentences are about the same thing: ten days to dismiss a case are not ten days to pay."""
    first, second = f"{one.heading} {one.text}", f"{two.heading} {two.text}"
    return max(room.likeness.fit(first, second), room.likeness.fit(second, first)) >= _ALIKE


def _said(part: Part, kind: str, paper: DealPaper, entry: Entry | None, room: Room) -> Said | None:
    """Return what a paper says: in the sentence that answers, else in one that covers everything asked."""
    asked = [n for n in part.notions if n.share >= ITS_OWN and not room.lines.is_party(n)]
    if entry is not None:
        units = units_at(paper.reading, entry.support[0])
        places = {(u.document, u.start) for u in units}
        line = next((x for x in room.lines.lines if x.place in places), None)
        if line is not None and kind == "day" and entry.day:
            return Said(paper, line.unit, _typed(entry, line))
    else:
        weighed = sorted(room.lines.weighed(part, [paper.reading.document]), key=lambda w: (-w.cover, w.line.place))
        line = next((w.line for w in weighed if _speaks(w.line, asked)), None)
    value = value_in(line, kind, asked, room.notions) if line is not None else None
    return Said(paper, line.unit, value) if line is not None and value is not None else None


def _typed(entry: Entry, line: Line) -> SentenceValue:
    """Return the day of an answer, as its sentence writes it."""
    own = next((d.text for d in scan_dates(line.plain) if d.iso == entry.day), "")
    day = date.fromisoformat(entry.day)
    return SentenceValue(
        frozenset({entry.day}), own or f"{day:%B} {day.day}, {day.year}", frozenset({f"--{entry.day[5:]}"})
    )


def _speaks(line: Line, asked: Sequence[Notion]) -> bool:
    """Tell whether a sentence, with its heading, covers everything that is asked."""
    return bool(asked) and all(n.met(line.said) or n.met(line.head) for n in asked)


def _weighed(found: Sequence[Said], room: Room) -> Contrast:
    """Return the statement that governs, and how the others relate to it."""
    bound = [s for s in found if s.paper.role is not Role.MESSAGE] or list(found)
    changes = [s for s in bound if s.paper.role is Role.CHANGE]
    contracts = [s for s in bound if s.paper.role is Role.CONTRACT]
    dated = sorted(changes, key=lambda s: s.paper.day or date.min)
    top = dated[-1] if dated else (contracts or bound)[0]
    if not dated and (ranked := ranking(bound, room)) is not None:
        top, rule = ranked
        return Contrast(top, tuple(_outranked(s, top, rule, room) for s in found if s is not top))
    others = tuple(_beside(s, top, room) for s in found if s is not top)
    return Contrast(top, others)


def ranking(bound: Sequence[Said], room: Room) -> tuple[Said, Unit] | None:
    """Return the statement that governs by a clause on precedence, and the clause; None where none decides.

    "This Lease prevails, except that the Order Form prevails as to price": the exception counts where the statement,
    or the heading under which it stands, speaks of what the exception names.
    """
    if len(bound) < 2:
        return None
    for paper in (s.paper for s in bound):
        for unit in _with(paper, _PREVAILS):
            text = straight(unit.text)
            others = [s for s in bound if s.paper is not paper]
            if not all(any(t in text.lower() for t in _titles(s.paper)) for s in others):
                continue  # it speaks of other papers
            ranks = [(m["who"], text[m.end() :]) for m in _RANKS.finditer(text)]
            excepted = ranks[1:]  # where none of these is met, it may still be what they mean: nothing is decided
            for who, behind in excepted or ranks:
                over, only = _named_in(who, bound, paper), _AS_TO.match(behind)
                if over is None or (excepted and only is None):
                    continue
                own = room.likeness.of(f"{over.unit.heading} {over.unit.text}")
                if only is None or room.likeness.of(only["what"]) & own:
                    return over, unit
    return None


def _named_in(who: str, bound: Sequence[Said], own: DealPaper) -> Said | None:
    """Return the statement of the paper that words name: "this Lease", "the Order Form", "the terms of the Lease"."""
    words = who.lower()
    if _OWN.search(words):
        return next((s for s in bound if s.paper is own), None)
    met = [s for s in bound if any(t in words for t in _titles(s.paper))]
    return met[0] if len(met) == 1 else None


def _titles(paper: DealPaper) -> list[str]:
    """Return how a paper may be called: by the words of its title without their number, or the last of them."""
    words = re.sub(r"\bno\b\.?|[^a-z ]", " ", paper.reading.identity.title.lower()).split()
    return [" ".join(words), " ".join(words[-2:])] if words else []


def _outranked(said: Said, top: Said, rule: Unit, room: Room) -> Beside:
    if said.value.same(top.value) or said.paper.role is Role.MESSAGE:
        return _beside(said, top, room)
    return Beside(said, Standing.OUTRANKED, rule)


def _beside(said: Said, top: Said, room: Room) -> Beside:
    if said.value.same(top.value):
        return Beside(said, Standing.SAME)
    if said.paper.role is Role.MESSAGE:
        return _message(said, top, room)
    clear = top.paper.role is Role.CHANGE and said.paper.role in (Role.CONTRACT, Role.CHANGE)
    if clear and (said.paper.day is None or top.paper.day is None or said.paper.day <= top.paper.day):
        return Beside(said, Standing.CHANGED)
    papers = (top.paper, said.paper)
    return Beside(said, Standing.OPEN, next((u for p in papers for u in _with(p, _PREVAILS)), None))


def _message(said: Said, top: Said, room: Room) -> Beside:
    """A message does not change a contract that demands a signed writing, nor a contract made after it."""
    if top.paper.role is Role.MESSAGE:
        return Beside(said, Standing.OPEN)
    if said.paper.day and top.paper.day and said.paper.day < top.paper.day:
        return Beside(said, Standing.EARLIER)
    rule = next((u for p in deal_of(top.unit.document, room.deals) for u in _formal(p, room)), None)
    return Beside(said, Standing.UNFORMAL if rule is not None else Standing.OPEN, rule)


def _formal(paper: DealPaper, room: Room) -> Iterator[Unit]:
    """Yield the sentences of a contract that demand a writing for its amendment."""
    if paper.role is Role.MESSAGE:
        return
    provision = next((p for p in room.catalogue if p.name == _FORMAL), None)
    for unit, plain in zip(paper.reading.units, paper.reading.plain, strict=True):
        fits = provision is not None and weigh(provision, plain, unit.heading) >= provision.threshold
        if fits and _WRITTEN.search(plain):
            yield unit


def _with(paper: DealPaper, pattern: re.Pattern[str]) -> Iterator[Unit]:
    return (u for u, plain in zip(paper.reading.units, paper.reading.plain, strict=True) if pattern.search(plain))
