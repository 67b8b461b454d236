"""The period of the papers that an ask is about, and the day from which it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import pairwise

from tasks.asks.moods import AUXILIARY, WH
from tasks.asks.records import Ask
from tasks.drafting.extractive.differing.kin import deal_of
from tasks.drafting.extractive.due.starts import end_of_term, started
from tasks.drafting.extractive.due.triggers import Trigger, day_called
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.quantities import figures_in
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.stated import long_date
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.records import Window
from tasks.legaltext.windows.scan import looks_back, scan_windows

# What is so many months of something that is paid is an amount and no time: "six months' salary".
_OF_PAY = re.compile(
    r"['’]?\s+(?:of\s+)?(?:base\s+|gross\s+|full\s+)?(?:salary|pay|wages|rent|fees?|premiums?|interest|income)\b", re.I
)
TERM_END = re.compile(
    r"\b(?:expir\w+|end|ends|ended|ending|conclusion|termination|r(?:uns?|an) out|anniversary)\b", re.I
)
TERM = re.compile(
    r"\bterm\b|\brenew\w*|\blicen[cs]e\b|\b(?:agreement|contract|lease)\b(?! (?:years?|quarters?|months?)\b)", re.I
)
_IT = re.compile(r"(?:it|its end|that|the term|such term)", re.I)  # "during the term and for six months after it"
ENOUGH = 0.45  # part of what is asked about that the sentence of a period must speak of
_HEAD = 1500  # characters at the head of a paper in which its parties stand
_SEVERAL = re.compile(r"\W+(?:after|following|from)\s+(?P<of>the (?:later|latest|earlier|earliest) of [^;.]+)", re.I)
_PAPER = r"(?P<paper>invoice|bill of lading|bill|statement)"
_ITS_DATE = re.compile(
    r"^(?:its|the|such|each) (?:invoice )?date\b(?! (?:hereof|of this|of the agreement|of the bill))|\binvoice date\b"
    rf"|\bdate of (?:the |such |each |an? )?{_PAPER}\b",
    re.I,
)
_DATED = r"\b{paper}\b(?: no\.? ?\S+| \S*\d\S*)?,? (?:is |was )?dated\b"  # behind it stands its day
_REACH = 30  # characters in which a day stands behind "dated"
_TOP = 300  # characters at the head of a paper that tell what it is
_EARLY = re.compile(r"\b(?:earliest|too early|first day|not before|how early|from when)\b", re.I)
_NOT_BEFORE = re.compile(r"\b(?:not|no) (?:earlier|sooner|more) than (?:\w+ )?$", re.I)
_EDGE = re.compile(
    r";\s|(?<=[\w)]), (?=(?:(?:and|but|or) )?(?:(?!(?:and|or|within|in|for|after|upon|not)\b)[\w'’-]+ ){0,4}?"
    r"(?:may|shall|must|will)\b)|\s(?=\([a-z]\) )|(?<=[a-z]{2})\. "
)
_SAYS_ALONE = re.compile(r"\b(?:may|shall|must|will|has|have|is|are|was|were|ends?|ended|begins?|pays?|runs?)\b")
_LEAST = 0.3  # part of what is asked about that a sentence must speak of whose period is shown, to be verified
_WHOLE = 0.9  # what a sentence counts that speaks of what is asked outside the clause of its period
_OWN = 0.8  # what the clause of a period counts where the same sentence holds periods of other clauses
_AROUND = 0.8  # what it counts that the sentence before speaks of what is asked
_SAME_SUM = 0.7  # what it counts that the clause of a period speaks of the sum that is asked about
_STARTS = 0.4  # what it adds that a period runs from what the request supposes
_IF = re.compile(r"\b(?:if|when|where|once|after|assuming|suppos\w+) [^,;?]+(?:, \d{4})?", re.I)
_NO_NAMES = (
    WH | AUXILIARY | {"until", "the", "how", "what", "our", "their", "any", "within", "from", "for", "has", "and"}
)
_SUPPOSED = re.compile(r"^\W*(?:\w{1,4}[.)] )?(?:if|where|unless|provided that) [^,;]+, ", re.I)
LAST_IF = re.compile(r",? (?:if|assuming|provided|supposing) (?!so\b|not\b)[^,;?]+$", re.I)
_ENOUGH_WORDS = 4  # of a question without the condition at its end
_WRONG_END = 0.3  # what is taken off a period that says from when, where it is asked until when, or the other way round


@dataclass(frozen=True)
class Period:
    """A period of a paper, in its sentence."""

    reading: SentencedDocument
    unit: Unit
    window: Window
    score: float

    def counted_back(self) -> Period:
        """Return the period as one before its day, whatever its own words say it runs from."""
        return replace(self, window=self.window.model_copy(update={"direction": "before", "trigger": ""}))


class PeriodSearch:
    """Looks for the period that an ask is about, and the day from which it runs."""

    def __init__(self, ask: Ask, room: Room) -> None:
        """Take the ask and the room."""
        self.ask, self.room = ask, room
        asked = Asked(ask, room)
        self.told, topic = asked.clause, asked.topic
        told = next((m for m in _IF.finditer(self.told) if scan_dates(m[0])), None)
        self.condition = told[0] if told else ""
        bare = topic.replace(self.condition, " ").strip() if self.condition else LAST_IF.sub("", topic)
        self.words = self._without_parties(bare if len(bare.split()) >= _ENOUGH_WORDS else topic)
        self._starts: dict[int, Trigger | None] = {}

    def _without_parties(self, words: str) -> str:
        """Return words without the names of the parties: its clause calls them otherwise."""
        names = {w for r in self.room.ours for p in r.identity.parties for w in re.findall(r"[A-Z][a-z]{3,}", p)}
        bare = " ".join(w for w in words.split() if w.strip("?,.'’s") not in names)
        return bare if len(self.room.likeness.asked(bare)) > 0 else words

    @cached_property
    def beside(self) -> Unit | None:
        """The sentence of a letter or note that tells what the ask speaks of, where it names an event and no rule."""
        told = [
            (self._fit(self.ask.words, u.text), u) for r in self.room.ours if not r.identity.agreement for u in r.units
        ]
        best = max(told, key=lambda t: t[0], default=None)
        return best[1] if best and best[0] >= _LEAST else None

    @cached_property
    def periods(self) -> list[Period]:
        """The periods that fit, the best first."""
        found = sorted(self._fitting(), key=lambda p: -p.score)
        return [p for p in found if p.score >= _LEAST]

    def _fit(self, wanted: str, passage: str) -> float:
        return max(self.room.sums.naming.fit(wanted, passage), self.room.likeness.fit(wanted, passage))

    def _fitting(self) -> Iterator[Period]:
        early = bool(_EARLY.search(self.ask.words))
        for reading in papers_named(self.ask, self.room):
            for unit in reading.units:
                text = reading.text.text[unit.start : unit.pieces[-1][1]]
                for window in scan_windows(text):
                    if _OF_PAY.match(text, window.end) or looks_back(text, window):
                        continue
                    if window.unit in {"day", "week", "month", "year"} and window.n:
                        yield Period(reading, unit, window, self._score(unit, text, window, early=early))

    def _score(self, unit: Unit, text: str, window: Window, *, early: bool) -> float:
        words, clause = self.words, _without_condition(_clause(text, window))
        whole = self._fit(words, f"{unit.heading} {_without_condition(unit.text)}")
        around = self._fit(words, f"{self.room.sums.before(unit)} {clause}")
        own = self._fit(words, clause)
        several = len({_bounds(text, w.start) for w in scan_windows(text)}) > 1
        fit = _OWN * own + (1 - _OWN) * whole if several else max((own + whole) / 2, _WHOLE * whole)
        fit = max(fit, _AROUND * around)
        if self.beside is not None and self.beside.document != unit.document:
            fit = max(fit, self._fit(self.beside.text, f"{unit.heading} {clause}"), self._fit(clause, self.beside.text))
        named = {f.value for f in figures_in(words, "money")}
        fit = max(fit, _SAME_SUM) if named & {f.value for f in figures_in(clause, "money")} else fit
        # What starts a period is not what is due at its end.
        fit -= 0.5 * self.room.likeness.fit(words, _starting(window)) if window.trigger else 0.0
        fit += _STARTS * self._fit(window.trigger, self.condition) if self.condition and window.trigger else 0.0
        at_first = bool(_NOT_BEFORE.search(text[: window.start]))
        fit -= _WRONG_END if at_first != early and window.direction == "before" else 0.0
        return fit

    def is_clear(self, period: Period) -> bool:
        """Tell whether the sentence of a period has the words of the ask, and says from when the period runs."""
        fit = self.room.likeness.fit(self.words, f"{period.unit.heading} {period.unit.text}")
        runs = bool(period.window.trigger) or period.window.unit == "year"
        return min(period.score, fit) >= ENOUGH and runs

    def start(self, period: Period) -> Trigger | None:
        """Return the day from which a period runs."""
        if id(period) not in self._starts:
            found = self._start(period)
            self._starts[id(period)] = found if found is not None and self._is_of(period, found) else None
        return self._starts[id(period)]

    def _is_of(self, period: Period, trigger: Trigger) -> bool:
        """Tell whether a day may start a period; days of other agreements may not."""
        own = {p.reading.document for p in deal_of(period.reading.document, self.room.deals)}
        bound = {r.document for r in self.room.ours if r.identity.agreement} - own - {period.reading.document}
        return not own or not bound & {u.document for u in trigger.units}

    def _start(self, period: Period) -> Trigger | None:
        words = _starting(period.window)
        text = straight(period.reading.text.text[period.unit.start : period.unit.pieces[-1][1]])
        if several := _SEVERAL.match(text, period.window.end):
            words = " ".join(several["of"].split())
        if (TERM_END.search(words) and TERM.search(words)) or (_IT.fullmatch(words) and TERM.search(text)):
            return end_of_term(period.reading, self.ask, self.room)
        if (its := _ITS_DATE.search(words)) and (own := self._dated(its["paper"] or "")):
            return own
        if not words and period.window.unit == "year":
            words = period.unit.text
        if not words and not period.reading.identity.agreement:  # a letter counts from its own day
            return day_called("date hereof", period.reading)
        if not words:
            return None
        beside = self.beside if self.beside is not None and self.beside.document != period.reading.document else None
        return started(words, self.ask, period.reading, self.room, self.told, beside)

    def _dated(self, paper: str) -> Trigger | None:
        """Return the day of the paper that the ask speaks of: of an invoice, of a letter.

        Args:
            paper: What the period calls it; empty where it says no more than "the date".
        """
        if scan_dates(self.ask.words):
            return None
        if paper and (told := self._told_of(paper)):
            return told
        papers = [r for r in self.room.ours if not r.identity.agreement and r.dates]
        papers = [r for r in papers if paper.lower() in f"{r.document} {r.text.text[:_TOP]}".lower()]
        scored = sorted(
            ((self._fit(self.words, f"{r.document} {r.text.text[:_TOP]}"), r) for r in papers), key=lambda t: -t[0]
        )
        if not scored or scored[0][0] < ENOUGH or (len(scored) > 1 and scored[1][0] >= scored[0][0]):
            return None
        return day_called("date hereof", scored[0][1])

    def _told_of(self, paper: str) -> Trigger | None:
        """Return the day that a sentence gives a paper ("bill of lading dated March 19"); None where several differ."""
        said = re.compile(_DATED.format(paper=re.escape(paper)), re.I)
        found: dict[date, Unit] = {}
        for unit in (u for r in self.room.ours for u in r.units):
            for match in said.finditer(unit.text):
                days = scan_dates(unit.text[match.end() : match.end() + _REACH])
                if days and days[0].precision == "day":
                    found.setdefault(date.fromisoformat(days[0].iso), unit)
        if len(found) > 1:  # of several papers of that kind, that of the sentence which speaks of what is asked
            found = {day: u for day, u in found.items() if self._fit(self.words, u.text) >= ENOUGH}
        if len(found) != 1:
            return None
        [(day, unit)] = found.items()
        return Trigger(day, f"{long_date(day)}, the date of the {paper.lower()}", (unit,))


def _clause(text: str, window: Window) -> str:
    """Return the part of a sentence that holds a period."""
    a, b = _bounds(text, window.start)
    return text[a:b]


def _without_condition(words: str) -> str:
    """Return a sentence without the condition that leads it: "if she signs, we pay" has no day to sign."""
    return _SUPPOSED.sub("", words)


def _starting(window: Window) -> str:
    """Return the words of what starts a period, without what is to be done in it: "receipt to consider and sign"."""
    return re.split(r" to (?=[a-z]+ )", window.trigger.strip())[0]


def _bounds(text: str, at: int) -> tuple[int, int]:
    """Return the start and end of the clause around a place in a sentence.

    Each predicate has its own period: "has 21 days to sign it, may revoke it within seven days, and shall return the
    keys within nine". What stands before a comma and has no verb of its own belongs to what follows: "within ten days
    after notice, Tenant shall pay".
    """
    edges = [0]
    for m in _EDGE.finditer(text):
        if text[m.start()] != "," or _SAYS_ALONE.search(text, edges[-1], m.start()):
            edges.append(m.end())
    return next(((a, b) for a, b in pairwise([*edges, len(text)]) if a <= at < b), (0, len(text)))


def papers_named(ask: Ask, room: Room) -> Sequence[SentencedDocument]:
    """Return the papers that an ask names by a party or a word of their file names; all of its papers where none."""
    said = (m for m in re.finditer(r"\b[A-Z][A-Za-z]{2,}\b", ask.words))
    names = [m[0].lower() for m in said if m[0].lower() not in _NO_NAMES]
    papers = room.of(ask)
    heads = {r.document: f"{r.document} {r.identity.title} {r.text.text[:_HEAD]}".lower() for r in papers}
    return [r for r in papers if any(n in heads[r.document] for n in names)] or papers
