"""When something is due: a period of the papers counted from its day; the tool counts, the arithmetic is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import pairwise

from tasks.asks.moods import AUXILIARY, WH
from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.differing.kin import deal_of
from tasks.drafting.extractive.differing.values import counted_day
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.quantities import figures_in
from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.starts import count, end_of_term, rolls, started
from tasks.drafting.extractive.ways.stated import long_date, open_entry, span_of, told
from tasks.drafting.extractive.ways.triggers import Trigger, day_called
from tasks.drafting.extractive.ways.worked import WorkedDay
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.records import Window
from tasks.legaltext.windows.scan import scan_windows

# What is so many months of something that is paid is an amount and no time: "six months' salary".
_OF_PAY = re.compile(
    r"['’]?\s+(?:of\s+)?(?:base\s+|gross\s+|full\s+)?(?:salary|pay|wages|rent|fees?|premiums?|interest|income)\b", re.I
)
_ASKED = re.compile(
    r"\b(?:when|by when|how late|(?:last|latest|final) (?:day|date)|(?:what|which) (?:day|date)|day on which|until what"
    r"|due|deadline|cut-?off|answer date|expir\w+|run(?:s)? out|ran out|how long|until when|(?:and |so )?until)\b"
    r"|\bdates?\b",
    re.I,
)
_PARTS = re.compile(r",?\s+and\s+(?=the\b|when\b|(?:the )?(?:first|second|third|fourth)\b)", re.I)
_TERM_END = re.compile(
    r"\b(?:expir\w+|end|ends|ended|ending|conclusion|termination|r(?:uns?|an) out|anniversary)\b", re.I
)
_TERM = re.compile(
    r"\bterm\b|\brenew\w*|\blicen[cs]e\b|\b(?:agreement|contract|lease)\b(?! (?:years?|quarters?|months?)\b)", re.I
)
_IT = re.compile(r"(?:it|its end|that|the term|such term)", re.I)  # "during the term and for six months after it"
_RENEWAL = re.compile(r"\brenew\w*|\bextend\w*|\bextension", re.I)
_BEGINNING = re.compile(
    r"\b(?:begin|start|commence)s?\b|\bfrom (?:when|which day)\b", re.I
)  # no period ends where one is asked to begin
_NOTICE = re.compile(r"\bnotice\b", re.I)
_SAYS = re.compile(r"\bnotice\b|\bnotif\w+|\b(?:tell|say|inform|write|object)\b", re.I)  # how a question names a notice
_WARNS = re.compile(r"['’]? (?:[\w-]+ ){0,3}notice\b[^.;]{0,60}?\b(?:prior to|before)\b", re.I)
_RECURS = re.compile(r"\b(?:each|every|any) (?:\w+ )?(?:year|quarter|month|week)\b", re.I)
_ENOUGH = 0.45  # part of what is asked about that the sentence of a period must speak of
_CLEAR = 0.85  # another period that fits nearly as well leaves the ask open
_HEAD = 1500  # characters at the head of a paper in which its parties stand
_SEVERAL = re.compile(r"\W+(?:after|following|from)\s+(?P<of>the (?:later|latest|earlier|earliest) of [^;.]+)", re.I)
_ITS_DATE = re.compile(
    r"^(?:its|the|such|each) (?:invoice )?date\b(?! (?:hereof|of this|of the agreement))|\binvoice date\b"
    r"|\bdate of (?:the |such |each |an? )?(?:invoice|bill|statement)\b",
    re.I,
)
_TOP = 300  # characters at the head of a paper that tell what it is
_WANTS_DAY = re.compile(
    r"\b(?:when|by when|until|how late|how long|(?:last|latest|final|first|earliest) (?:day|date)|(?:what"
    r"|which) (?:day|date)|due|deadline"
    r"|dates?|run(?:s)? out|ran out|expires?|ends?)\b",
    re.I,
)
_SUM = re.compile(r"\bhow much\b(?! (?:time|longer|notice))", re.I)
_EVENT = re.compile(
    r"\b(?:when|on (?:what|which) (?:day|date)) (?:did|was|were|has|had)\b", re.I
)  # it happened on a day
_RUNS = re.compile(
    r"\b(?:due|r[ua]n out|expir\w*|end(?:ed)?|have to|had to|over|up|effect\w*|effective|time|must|return\w*)\b", re.I
)
_ASKS_DAY = re.compile(
    r"^\W*(?:and |so |but )*(?:(?:on|by|until|from|to) )?(?:when|until|till|(?:what|which) (?:day|date)|how late"
    r"|how long (?:did|do|does|will|would|has|have) (?:\w+ ){1,4}?(?:have|got|get)\b"
    r"|deadline|(?:the |our |their )?(?:last|latest|final|first|earliest) (?:day|date))\b|\bdates?: ",
    re.I,
)
_HOW_LONG = re.compile(r"\bhow (?:long|many (?:days|weeks|months|years)|much time)\b", re.I)
_EARLY = re.compile(r"\b(?:earliest|too early|first day|not before|how early|from when)\b", re.I)
_NOT_BEFORE = re.compile(r"\b(?:not|no) (?:earlier|sooner|more) than (?:\w+ )?$", re.I)
_EDGE = re.compile(
    r";\s|(?<=[\w)]), (?=(?:(?:and|but|or) )?(?:(?!(?:and|or|within|in|for|after|upon|not)\b)[\w'’-]+ ){0,4}?"
    r"(?:may|shall|must|will)\b)|\s(?=\([a-z]\) )|(?<=[a-z]{2})\. "
)
_SAYS_ALONE = re.compile(r"\b(?:may|shall|must|will|has|have|is|are|was|were|ends?|ended|begins?|pays?|runs?)\b")
_LEAST = 0.3  # part of what is asked about that a sentence must speak of whose period is shown, to be verified
_NEAR = 0.9  # … of what the best one speaks of, where the day of the best is told nowhere
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
_LAST_IF = re.compile(r",? (?:if|assuming|provided|supposing) (?!so\b|not\b)[^,;?]+$", re.I)
_ENOUGH_WORDS = 4  # of a question without the condition at its end
_WRONG_END = 0.3  # what is taken off a period that says from when, where it is asked until when, or the other way round
_WORDS = 40  # words of each


@dataclass(frozen=True)
class Period:
    """A period of a paper, in its sentence."""

    reading: SentencedDocument
    unit: Unit
    window: Window
    score: float


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out the day on which a period of the papers ends; None where no period of theirs fits the ask."""
    parts = [p for p in _PARTS.split(ask.words) if p.strip()]
    if len(parts) > 1:
        made = [_one(ask.model_copy(update={"words": p}), room) for p in parts]
        days = [m for m in made if m is not None and m.state is AskState.ANSWERED]
        if len(days) == len(parts):
            whole = told(ask, [e for m in days for e in m.entries])
            return whole.model_copy(update={"where": "; ".join(dict.fromkeys(m.where for m in days))})
    return _one(ask, room)


def _one(ask: Ask, room: Room) -> AskAnswer | None:
    cued = bool(_ASKED.search(f"{ask.words} {ask.subject}")) and not _BEGINNING.search(ask.words)
    if not cued and (ask.kind is not AskKind.CALCULATION or not scan_dates(ask.words)):
        return None
    if _SUM.search(ask.words) or (_EVENT.search(ask.words) and not _RUNS.search(ask.words)):
        return None
    if room.cues.wants["consequence"].match(ask.words.strip()) and not _ASKS_DAY.search(ask.words):
        return None  # "what happens to the stock when the agreement ends" asks for no day
    if renewed := _renewed(ask, room):
        return renewed
    search = Search(ask, room)
    found = search.periods
    if not found:
        return None
    best = found[0]
    if _RECURS.search(best.window.trigger) and not scan_dates(
        ask.words
    ):  # it comes every year, and none is asked about
        return _recurring(ask, best)
    near = [p for p in found if p.score >= _NEAR * best.score]
    rivals = [p for p in found if p.score >= _CLEAR * best.score]
    lengths = {(p.window.n, p.window.unit) for p in rivals}
    resolved = next(((p, t) for p in near if (t := search.start(p)) is not None), None)
    if resolved is None:
        certain = len(lengths) == 1 and best.score >= _ENOUGH and not _ends_a_term(ask)
        return _missing(ask, best) if ask.kind is AskKind.CALCULATION and certain else None
    period, trigger = resolved
    days = {t.day for p in rivals if (t := search.start(p))}
    if len(days) > 1 and len({p.reading.document for p in rivals}) > 1:
        return None  # each paper has a day of its own
    alike = (period.window.n, period.window.unit, period.unit) == (best.window.n, best.window.unit, best.unit)
    sure = alike and len(lengths) == len(days) == 1 and search.is_clear(best)
    if not sure and not (_ASKS_DAY if ask.kind is AskKind.FACT else _WANTS_DAY).search(f"{ask.words} {ask.subject}"):
        return None
    return counted(ask, period, trigger, room, certain=sure)


def _missing(ask: Ask, best: Period) -> AskAnswer:
    """Leave a day open, and say which day its period runs from that nobody tells."""
    missing = best.window.trigger.strip() or "the event from which it runs"
    reason = f"the period is {best.window.text}; the day of {missing} is not stated in the papers or the request"
    return told(ask, [open_entry(reason, [best.unit], best.reading.document)], [best.unit])


def _recurring(ask: Ask, period: Period) -> AskAnswer | None:
    """Tell the day of every year to which a period leads; None where it is counted from no day."""
    text = period.reading.text.text[period.unit.start : period.unit.pieces[-1][1]]
    day = counted_day(text, period.window)
    if day is None:
        return None
    entry = Entry(
        document=period.reading.document,
        state=AskState.ANSWERED,
        answer=f"{day.shown}: “{_short(period.unit.text)}”",
        support=(span_of(period.unit),),
    )
    return told(ask, [entry], [period.unit])


def _ends_a_term(ask: Ask) -> bool:
    """Tell whether it is asked when an agreement ends: what no period tells, its clause on the term may."""
    return bool(_TERM_END.search(ask.words) and _TERM.search(ask.words))


class Search:
    """Looks for the period that an ask is about, and the day from which it runs."""

    def __init__(self, ask: Ask, room: Room) -> None:
        """Take the ask and the room."""
        self.ask, self.room = ask, room
        asked = Asked(ask, room)
        self.told, topic = asked.clause, asked.topic
        told = next((m for m in _IF.finditer(self.told) if scan_dates(m[0])), None)
        self.condition = told[0] if told else ""
        bare = topic.replace(self.condition, " ").strip() if self.condition else _LAST_IF.sub("", topic)
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
        for reading in _named(self.ask, self.room):
            for unit in reading.units:
                text = reading.text.text[unit.start : unit.pieces[-1][1]]
                for window in scan_windows(text):
                    if _OF_PAY.match(text, window.end):
                        continue
                    if window.unit in {"day", "week", "month", "year"} and window.n:
                        yield Period(reading, unit, window, self._score(unit, text, window, early=early))

    def _score(self, unit: Unit, text: str, window: Window, *, early: bool) -> float:
        words, clause = self.words, _without_condition(_clause(text, window))
        whole = self._fit(words, f"{unit.heading} {_without_condition(unit.text)}")
        around = self._fit(words, f"{self.room.sums.before(unit)} {clause}")
        own = self._fit(words, clause)
        several = len({_bounds(text, w.start) for w in scan_windows(text)}) > 1
        fit = _OWN * own + (1 - _OWN) * whole if several else max(0.5 * own + 0.5 * whole, _WHOLE * whole)
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
        """Tell whether the sentence of a period speaks of what is asked word for word, and says from when it runs."""
        fit = self.room.likeness.fit(self.words, f"{period.unit.heading} {period.unit.text}")
        runs = bool(period.window.trigger) or period.window.unit == "year"
        return min(period.score, fit) >= _ENOUGH and runs

    def start(self, period: Period) -> Trigger | None:
        """Return the day from which a period runs."""
        if id(period) not in self._starts:
            found = self._start(period)
            self._starts[id(period)] = found if found is not None and self._is_of(period, found) else None
        return self._starts[id(period)]

    def _is_of(self, period: Period, trigger: Trigger) -> bool:
        """Tell whether a day may start a period: no day of another agreement's does."""
        own = {p.reading.document for p in deal_of(period.reading.document, self.room.deals)}
        bound = {r.document for r in self.room.ours if r.identity.agreement} - own - {period.reading.document}
        return not own or not bound & {u.document for u in trigger.units}

    def _start(self, period: Period) -> Trigger | None:
        words = _starting(period.window)
        text = straight(period.reading.text.text[period.unit.start : period.unit.pieces[-1][1]])
        if several := _SEVERAL.match(text, period.window.end):
            words = " ".join(several["of"].split())
        if (_TERM_END.search(words) and _TERM.search(words)) or (_IT.fullmatch(words) and _TERM.search(text)):
            return end_of_term(period.reading, self.ask, self.room)
        if _ITS_DATE.search(words) and (own := self._dated()):
            return own
        if not words and period.window.unit == "year":
            words = period.unit.text
        if not words and not period.reading.identity.agreement:  # a letter counts from its own day
            return day_called("date hereof", period.reading)
        if not words:
            return None
        beside = self.beside if self.beside is not None and self.beside.document != period.reading.document else None
        return started(words, self.ask, period.reading, self.room, self.told, beside)

    def _dated(self) -> Trigger | None:
        """Return the day of the paper that the ask speaks of: of an invoice, of a letter."""
        if scan_dates(self.ask.words):
            return None
        papers = [r for r in self.room.ours if not r.identity.agreement and r.dates]
        scored = sorted(
            ((self._fit(self.words, f"{r.document} {r.text.text[:_TOP]}"), r) for r in papers), key=lambda t: -t[0]
        )
        if not scored or scored[0][0] < _ENOUGH or (len(scored) > 1 and scored[1][0] >= scored[0][0]):
            return None
        return day_called("date hereof", scored[0][1])


def _clause(text: str, window: Window) -> str:
    """Return the part of a sentence in which a period stands."""
    a, b = _bounds(text, window.start)
    return text[a:b]


def _without_condition(words: str) -> str:
    """Return a sentence without the condition that leads it: "if she signs, we pay" has no day to sign."""
    return _SUPPOSED.sub("", words)


def _starting(window: Window) -> str:
    """Return the words of what starts a period, without what is to be done in it: "receipt to consider and sign"."""
    return re.split(r" to (?=[a-z]+ )", window.trigger.strip())[0]


def _bounds(text: str, at: int) -> tuple[int, int]:
    """Return where the clause of a sentence begins and ends that holds a place.

    Each predicate has its own period: "has 21 days to sign it, may revoke it within seven days, and shall return the
    keys within nine". What stands before a comma and has no verb of its own belongs to what follows: "within ten days
    after notice, Tenant shall pay".
    """
    edges = [0]
    for m in _EDGE.finditer(text):
        if text[m.start()] != "," or _SAYS_ALONE.search(text, edges[-1], m.start()):
            edges.append(m.end())
    return next(((a, b) for a, b in pairwise([*edges, len(text)]) if a <= at < b), (0, len(text)))


def _renewed(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out the end of a term, of a renewal of it, or the last day for the notice that ends it."""
    supposed = _LAST_IF.search(ask.words)
    words = ask.words[: supposed.start()] if supposed and not _RENEWAL.search(supposed[0]) else ask.words
    if not (_TERM.search(words) and (_TERM_END.search(words) or _SAYS.search(words) or _RENEWAL.search(words))):
        return None
    ends = [(r, end) for r in _named(ask, room) if (end := end_of_term(r, ask, room))]
    if len(ends) != 1:
        return None
    reading, end = ends[0]
    renewal = _nearest(reading, _RENEWAL)
    if _SAYS.search(words) or re.search(r"\bexercis\w+|\boption\b", words, re.I):
        before = [p for p in map(_ahead, renewal) if p.window.direction == "before"]
        return counted(ask, _fitting_best(before, words, room), end, room, certain=end.certain) if before else None
    if (
        _RENEWAL.search(words)
        and _TERM_END.search(words)
        and not re.search(r"\b(?:nobody|no one|unless|without|not)\b", words, re.I)
    ):
        terms = [p for p in renewal if p.window.direction != "before" and p.window.unit in {"year", "month"}]
        if not terms:
            return None
        times = 2 if re.search(r"\b(?:second|twice)\b", words, re.I) else 1
        day = add(end.day, times * terms[0].window.n, terms[0].window.unit)
        how = f"{end.how}, plus {terms[0].window.text}" + (" twice" if times > 1 else "")
        return _answered(ask, day, how, [terms[0].unit, *end.units])
    if _TERM_END.search(words):
        room.days[ask.ask_id] = WorkedDay(end.day, words, end.units)
        also = [renewal[0].unit] if renewal and _RENEWAL.search(words) else []
        return _answered(ask, end.day, end.how, [*end.units, *also], certain=end.certain)
    return None


def _fitting_best(periods: Sequence[Period], words: str, room: Room) -> Period:
    """Return the period whose clause speaks most of what is asked; of several that do, the shortest."""
    return max(periods, key=lambda p: (round(room.likeness.fit(words, p.unit.text), 1), -p.window.n))


def _ahead(period: Period) -> Period:
    """Return a period of notice as one before what it warns of: "sixty days notice of termination prior to renewal"."""
    text = period.reading.text.text[period.unit.start : period.unit.pieces[-1][1]]
    if not _WARNS.match(text, period.window.end):
        return period
    return replace(period, window=period.window.model_copy(update={"direction": "before", "trigger": ""}))


def _named(ask: Ask, room: Room) -> Sequence[SentencedDocument]:
    """Return the papers that an ask names by a party or a word of their file names; all of its papers where none."""
    said = (m for m in re.finditer(r"\b[A-Z][A-Za-z]{2,}\b", ask.words))
    names = [m[0].lower() for m in said if m[0].lower() not in _NO_NAMES]
    papers = room.of(ask)
    heads = {r.document: f"{r.document} {r.identity.title} {r.text.text[:_HEAD]}".lower() for r in papers}
    return [r for r in papers if any(n in heads[r.document] for n in names)] or papers


def _nearest(reading: SentencedDocument, about: re.Pattern[str]) -> list[Period]:
    return [
        Period(reading, unit, w, 1.0)
        for unit in reading.units
        if about.search(unit.text)
        for w in scan_windows(reading.text.text[unit.start : unit.pieces[-1][1]])
    ]


def counted(ask: Ask, period: Period, trigger: Trigger, room: Room, *, certain: bool = True) -> AskAnswer:
    """Let the tool count a period from its day, and tell the day with the arithmetic."""
    window = period.window
    due, how, rolled = _counting(period, trigger, room)
    if due is None:
        return told(ask, [open_entry(f"{window.text} from {trigger.how}: it cannot be counted", [period.unit])])
    business = window.calendar in {"business", "trading"}
    closed = f"A {due:%A}; the paper has no rule for that." if due.weekday() > 4 and not business else ""
    units = [period.unit, *trigger.units, *([rolled] if rolled else [])]
    room.days[ask.ask_id] = WorkedDay(due, ask.words, tuple(units))
    made = _answered(ask, due, how, units, closed, certain=certain)
    if not _HOW_LONG.search(ask.words):
        return made
    entry = made.entries[0].model_copy(update={"answer": f"{window.text}, until {long_date(due)}"})
    return told(ask, [entry], units)


def last_day(period: Period, trigger: Trigger, room: Room) -> tuple[date, str] | None:
    """Return the day to which a period leads, with the arithmetic; None where it cannot be counted."""
    due, how, _ = _counting(period, trigger, room)
    return (due, how) if due is not None else None


def _counting(period: Period, trigger: Trigger, room: Room) -> tuple[date | None, str, Unit | None]:
    """Return the day of a period, the arithmetic, and the sentence by which it moved to a business day."""
    window = period.window
    back = window.direction == "before" and not _NOTICE.fullmatch(
        window.trigger.split(" ")[-1] if window.trigger else ""
    )
    roll = rolls(period.reading)
    due = count(window, trigger.day, room, "forward" if roll and not back else "none", back=back)
    how = f"{window.text} {'before' if back else 'after'} {trigger.how}"
    plain = count(window, trigger.day, room, "none", back=back) if roll else due
    if plain is None or plain == due:
        return due, how, None
    return due, f"{how}: {long_date(plain)}, moved to the next business day", roll


def _short(text: str) -> str:
    words = text.split(" ")
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")


def _answered(
    ask: Ask, day: date, how: str, units: Sequence[Unit], note: str = "", *, certain: bool = True
) -> AskAnswer:
    own = [u for u in units if u is not None]
    entry = Entry(
        document=own[0].document if own else "",
        state=AskState.ANSWERED,
        answer=long_date(day),
        support=tuple(dict.fromkeys(span_of(u) for u in own)),
        basis=how,
        day=day.isoformat(),
        note=note,
        certain=certain,
    )
    return told(ask, [entry], own)
