"""Works a sum out backwards: from what is asked to the rule that gives it, and to the figures that the rule needs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from tasks.asks.records import Ask
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.quantities import Quantity, Row, counts, figures_in, singular
from tasks.drafting.extractive.sums.terms import UNITS_OF_TIME, Term
from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.stated import long_date
from tasks.drafting.extractive.ways.triggers import Trigger, term_end, trigger_day
from tasks.drafting.extractive.ways.worked import Worked, cents, shown
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.spelling import words_to_int

ENOUGH = 0.3  # part of what is asked about that a rule must speak of
_BACK = 0.3  # part of the words of an ask before that a name must have for whose value its result is taken
_NAMED = 0.45  # part of a name that the words of a figure must have
_TOLD = 0.1  # what it adds that a rule uses what the request tells: a day, a count, a sum
_SURE = 0.6  # part of what is asked that a passage must speak of whose count is taken for certain
_CLEAR = 0.9  # another value whose words fit so nearly as well leaves the result to be verified
_OTHERWISE = 0.8  # what it counts that a passage uses another name for the same
_BASE = 0.3  # what is taken off a rule where what is asked is that of which it takes a part
_SURELY = 0.75  # part of a name that a sum must have which is taken for it with certainty
_DEEP = 3  # rules chained behind one another
_CHANGED = re.compile(r"\b(?:raised|increased|reduced|lowered|amended|changed|adjusted)\s+to\s+$", re.I)
_CONDITION = re.compile(
    r"^\W*(?:and |so |but )*(?:if|when|where|should|assuming|suppos\w+|given|once|she|he|they|we|it|I)\b", re.I
)
_QUESTION = re.compile(r"\b(?:how|what|when|which|who|whether|why)\b", re.I)
_IN_ALL = re.compile(
    r"\b(?:total|in all|altogether|at most|the most|maximum|whole|entire|overall|come to|in sum|outlay)\b", re.I
)
_FROM = re.compile(r"\b(?:from|since|as of)(?: and including)?\s+$", re.I)
_LACKING = re.compile(r"\b(?:shortfall|deficit|difference|excess|deficiency|balance)\b", re.I)
_DAILY = re.compile(r"\b(?:per day|a day|per diem|daily|each day|every day)\b", re.I)
_MONTHLY = re.compile(r"\b(?:per month|a month|monthly|each month)\b", re.I)
_LATE = re.compile(
    r"\b(?P<n>\d+|[a-z-]+) (?P<unit>day|week|month|hour)s? (?:late|overdue|behind|of delay|delayed)\b", re.I
)
_BEYOND = re.compile(
    r"\b(?:beyond|after|past|since|from|later than) (?:and including )?(?P<start>(?:the |its |a )?[^.;,]{3,70})", re.I
)
_CLOCK = re.compile(r"\b(?P<h>\d{1,2})(?::(?P<m>\d\d))?\s*(?P<half>a|p)\.?m\b\.?", re.I)
_LAST = re.compile(
    r"\b(?:holdover|holding over|holds? over)\b|\bafter the (?:term|lease) (?:has )?(?:end|expire)"
    r"|\blast (?:payable|paid|in effect|due)\b|\bthen (?:current|payable)\b|\bpreceding month\b",
    re.I,
)
_PERIODIC = {"month": 12, "week": 52, "quarter": 4, "year": 1, "annum": 1}
_WITHOUT = re.compile(
    r"\b(?:per|a|each|every|/) ?(?P<each>month|week|quarter|year|annum)\b|\b(?P<ly>monthly|weekly|quarterly|annual"
    r"|yearly)\b",
    re.I,
)
_LY = {"monthly": "month", "weekly": "week", "quarterly": "quarter", "annual": "year", "yearly": "year"}


@dataclass(frozen=True)
class Scored:
    """A result with how well its rule fits what is asked, and whether it uses what the request tells."""

    score: float
    worked: Worked
    term: Term | None = None
    told: bool = False


class Planner:
    """Works out what one ask wants.

    Args:
        ask: What is asked.
        room: The work; its papers are read once into quantities, rows and rules.
    """

    def __init__(self, ask: Ask, room: Room) -> None:
        """Take the ask and the room."""
        self.ask, self.room = ask, room
        self._blank = ask.model_copy(update={"words": "", "subject": ""})
        self._busy: set[int] = set()
        self.used_told = False

    @cached_property
    def clause(self) -> str:
        """The part of that sentence which leads up to the ask: what is told between it and the ask before it."""
        brief, asks = self.room.job.matter.instructions, self.room.job.asks.asks
        if brief[self.ask.start : self.ask.end] != self.ask.words:
            return self.ask.words
        start = max([brief.rfind(mark, 0, self.ask.start) + 1 for mark in (". ", "? ", "\n", "! ", "; ", ": ")] + [0])
        for a in asks:
            if start < a.end <= self.ask.start and (_QUESTION.search(a.words) or not _CONDITION.search(a.words)):
                start = a.end
        return brief[start : self.ask.end].strip(" ,.")

    @cached_property
    def topic(self) -> str:
        """What is asked; with the words of the ask before it where its own name nothing ("when does it fall due")."""
        if self.room.sums.naming.names(self.ask.words):
            return self.ask.words
        asks = self.room.job.asks.asks
        at = next((n for n, a in enumerate(asks) if a.ask_id == self.ask.ask_id), 0)
        return f"{self.ask.words} ({asks[at - 1].words})" if at else self.ask.words

    @cached_property
    def own_units(self) -> frozenset[Unit]:
        """The sentences of the papers that are asked about."""
        return frozenset(u for r in self.room.of(self.ask) for u in r.units)

    @cached_property
    def before(self) -> list[tuple[Ask, Worked]]:
        """The results of the asks before, the nearest first."""
        asks = self.room.job.asks.asks
        ids = [a.ask_id for a in asks]
        at = ids.index(self.ask.ask_id) if self.ask.ask_id in ids else 0
        return [(a, self.room.worked[a.ask_id]) for a in reversed(asks[:at]) if a.ask_id in self.room.worked]

    def fit(self, wanted: str, passage: str) -> float:
        """Return how far a passage speaks of some words, 0 to 1."""
        return self.room.sums.naming.fit(wanted, passage)

    def fit_of(self, passage: str, paragraph: str = "") -> float:
        """Return how far a passage speaks of what is asked."""
        words = self.topic
        own = max(self.fit(words, passage), _OTHERWISE * self.room.likeness.fit(words, passage))
        if self.ask.subject != self.ask.words:
            own = max(own, 0.9 * self.fit(self.ask.subject, passage))
        if len(self.clause) > len(self.ask.words) + 4:
            own = max(own, 0.85 * self.fit(self.clause, passage))
        return max(own, 0.8 * self.fit(words, paragraph)) if paragraph else own

    def results(self) -> list[Scored]:
        """Return what the rules of the papers give to the ask, the best first."""
        found = []
        for term in self.room.sums.terms:
            if term.unit not in self.own_units:
                continue
            given = (
                term.says.replace(term.base, " ", 1)
                if term.base and term.form == "share" and not term.yearly
                else term.says
            )
            score = self.fit_of(f"{term.unit.heading} {given}", self.room.sums.paragraph(term.unit))
            score -= _BASE * self.fit(self.ask.words, term.base) if given is not term.says else 0.0
            if term.form == "price" and score < ENOUGH and (made := self.itemised(term)):
                found.append(Scored(ENOUGH, made, term))
            if term.form == "instalments" and re.search(
                rf"\b{term.base.removesuffix('ly')}|\binstall?ments?\b|\beach (?:time|payment)", self.ask.words, re.I
            ):
                score += ENOUGH
            if score < ENOUGH - _TOLD:
                continue
            self.used_told = False
            made = self.worked(term)
            score += _TOLD if self.used_told else 0.0
            if made is not None and made.value > 0 and score >= ENOUGH:
                found.append(Scored(score, made, term, self.used_told))
        return sorted(found, key=lambda s: -s.score)

    # --- rules -------------------------------------------------------------------------------------------------------

    def worked(self, term: Term, depth: int = 0) -> Worked | None:
        """Return what a rule gives; None where one of its operands is not known."""
        if id(term) in self._busy or depth > _DEEP:
            return None
        self._busy.add(id(term))
        try:
            return _FORMS[term.form](self, term, depth)
        finally:
            self._busy.discard(id(term))

    def share(self, term: Term, depth: int) -> Worked | None:
        """A part of something: for a year, for each of something, divided, capped."""
        base = self.base(term, depth)
        if base is None:
            return None
        value = base.value
        said = self.named(base)
        if term.free is not None:
            value = max(Decimal(0), value - term.free)
            said = f"({said} − {shown(term.free, base.unit)})"
        made = Worked(
            value * term.value, f"{term.shown} of {said}", (term.unit, *base.units), base.unit, certain=base.certain
        )
        counted = self.for_time(term, made) if term.yearly else self.times(term, made)
        if counted is None:
            return None
        if term.divisor != 1:
            how = f"{counted.arithmetic} / {term.divisor:f}"
            counted = replace(counted, value=counted.value / term.divisor, arithmetic=how)
        return self.capped(term, self.done(counted, base), depth)

    @staticmethod
    def done(made: Worked, *parts: Worked) -> Worked:
        """Close an arithmetic with its result, after that of what it rests on."""
        value = cents(made.value)
        steps = [p.arithmetic for p in parts if " = " in p.arithmetic]
        return replace(
            made, value=value, arithmetic="; ".join([*steps, f"{made.arithmetic} = {shown(value, made.unit)}"])
        )

    @staticmethod
    def named(value: Worked) -> str:
        """Return a value as an operand is written."""
        return shown(value.value, value.unit)

    def base(self, term: Term, depth: int) -> Worked | None:
        """Return the value of which a rule takes a part."""
        words = term.base
        if depth == 0 and (told := self.told()):
            return told
        if not words:
            return None
        head = words.split()[-1].lower().rstrip("s")
        earlier = re.search(
            rf"\b{re.escape(head)}\w*(?: or \w+)? of (?:the |such |any )*(?P<more>[a-z]+(?: [a-z]+)?)", term.says, re.I
        )
        found = self.resolve(words, depth, term)
        return found or (self.resolve(earlier["more"], depth, term) if earlier and len(head) > 3 else None)

    def told(self) -> Worked | None:
        """Return the one sum that the ask itself gives."""
        for text in (self.ask.words, self.clause):
            sums = figures_in(text, "money")
            if len(sums) == 1 and not re.search(r"\b(?:first|each|every|the) $", text[: sums[0].start], re.I):
                self.used_told = True
                return Worked(sums[0].value, f"{sums[0].text}, as the request says", (), sums[0].unit)
        return None

    def price(self, term: Term, depth: int) -> Worked | None:
        """A sum for each of something."""
        one = Worked(term.value, term.shown, (term.unit,), term.money)
        made = self.times(term, one)
        if made is None or made is one:
            return None
        return self.capped(term, self.done(made), depth)

    def itemised(self, term: Term) -> Worked | None:
        """What a line that the ask names comes to, each item at its own price: hours of work and of travel."""
        if term.each in ("day", "week", "month", "year"):
            return None
        scored = [
            (self.fit(self.ask.words, text), text, u)
            for text, u in self.room.sums.passages
            if u is not term.unit and counts_any(text, term.each)
        ]
        scored.sort(key=lambda t: -t[0])
        if not scored or scored[0][0] < ENOUGH or (len(scored) > 1 and scored[1][0] >= scored[0][0]):
            return None
        _, text, unit = scored[0]
        beside = [
            t
            for t in self.room.sums.terms
            if t.form == "share"
            and re.search(r"\b(?:that|this|such|the same|the above) (?:rate|price|fee)\b", t.base + t.says)
            and t.unit.document == term.unit.document
        ]
        total, said, units = Decimal(0), [], [term.unit, unit]
        for item in re.split(r"[,;]", text):
            many = list(counts(item, term.each))
            if len(many) != 1:
                continue
            lower = next(
                (t for t in beside if self.fit(re.sub(rf".*\b{term.each}s?\b", "", item), t.says) >= _NAMED), None
            )
            price = term.value * lower.value if lower else term.value
            units += [lower.unit] if lower else []
            total += many[0] * price
            said.append(f"{many[0]:f} × {shown(price, term.money)}")
        if not said:
            return None
        self.used_told = True
        value = cents(total)
        how = f"{' + '.join(said)} = {shown(value, term.money)}"
        return Worked(value, how, tuple(dict.fromkeys(units)), term.money, certain=False)

    def times(self, term: Term, one: Worked) -> Worked | None:
        """Multiply by how many there are of what a sum is due for each of."""
        if not term.each or (
            term.form == "share"
            and term.each in ("year", "month", "quarter")
            and not counts_any(self.ask.words, term.each)
        ):
            return one
        counted = self.count(term)
        if counted is None:
            return None if term.form != "multiple" else one
        many, how, units, certain = counted
        if term.beyond:
            how, many = f"({how} − {term.beyond:f})", max(Decimal(0), many - term.beyond)
        if term.step != 1:
            how, many = f"{how} / {term.step:f}", many / term.step
        whole = (
            many.to_integral_value("ROUND_CEILING" if term.rounding == "up" else "ROUND_FLOOR")
            if term.rounding
            else many
        )
        if (term.rounding and whole != many) or "/" in how:
            how = f"{whole:,f} ({how})" if term.rounding else how
        for cap, _, unit in term.caps:
            if cap.kind == "duration" and cap.unit == term.each and whole > cap.value:
                how, whole, units = f"{cap.value:f} (of {whole:f}, at most {cap.value:f})", cap.value, (*units, unit)
        return replace(
            one,
            value=one.value * whole,
            arithmetic=f"{how} × {one.arithmetic}" if term.form == "price" else f"{one.arithmetic} × {how}",
            units=tuple(dict.fromkeys((*one.units, *units))),
            certain=one.certain and certain,
        )

    def capped(self, term: Term, made: Worked, depth: int) -> Worked:
        """Cut a result down to what it may be at most."""
        for figure, base, unit in term.caps:
            most = None
            if figure.kind == "money" and figure.unit == made.unit:
                most = Worked(figure.value, figure.text, (unit,), figure.unit)
            elif figure.kind == "percent" and base and (of := self.resolve(base, depth + 1, term)):
                value = cents(figure.value * of.value / 100)
                most = Worked(
                    value,
                    f"{figure.text} of {self.named(of)} = {shown(value, of.unit)}",
                    (unit, *of.units),
                    of.unit,
                    certain=of.certain,
                )
            if most is not None and most.unit == made.unit and most.value < made.value:
                how = f"{made.arithmetic}; but at most {most.arithmetic}"
                made = replace(
                    most,
                    arithmetic=how,
                    units=tuple(dict.fromkeys((*made.units, *most.units))),
                    certain=made.certain and most.certain,
                )
        return made

    def most(self, term: Term) -> Worked | None:
        """Return what a rule can give at most."""
        for figure, base, unit in term.caps:
            if figure.kind == "money":
                return Worked(figure.value, f"at most {figure.text}", (unit,), figure.unit)
            if figure.kind == "percent" and base and (of := self.resolve(base, 1, term)):
                value = cents(figure.value * of.value / 100)
                return Worked(
                    value,
                    f"{figure.text} of {self.named(of)} = {shown(value, of.unit)}",
                    (unit, *of.units),
                    of.unit,
                    certain=of.certain,
                )
        return None

    def tiers(self, term: Term, depth: int) -> Worked | None:
        """Parts of one sum at several rates."""
        base = self.base(term, depth)
        if base is None:
            return None
        total, low, said = Decimal(0), Decimal(0), []
        for rate, top in term.tiers:
            part = max(Decimal(0), min(base.value, top) - low if top is not None else base.value - low)
            if part:
                said.append(f"{rate.normalize() * 100:f}% × {shown(part, base.unit)}")
                total += part * rate
            low = top if top is not None else low
        made = Worked(total, " + ".join(said), (term.unit, *base.units), base.unit, certain=base.certain)
        return self.done(made, base)

    def rise(self, term: Term, depth: int) -> Worked | None:
        """What a sum has risen to by a day."""
        base = self.stated(term.base or self.ask.words)
        day = self.day_asked() or (self.last_day(term) if depth else None)
        if base is None or day is None:
            return None
        return self.risen(term, base, day)

    def risen(self, term: Term, base: Worked, day: date) -> Worked | None:
        """Return a periodic sum as it stands on a day under a rule by which it rises every year."""
        reading = next(r for r in self.room.readings if r.document == term.unit.document)
        match = re.search(r"\banniversary of (?P<start>the [^.,;]{3,40}|[A-Z][\w ]{3,40})", term.says)
        start = trigger_day(match["start"], self._blank, reading, self.room) if match else None
        start = start or trigger_day("the Commencement Date", self._blank, reading, self.room)
        if start is None:
            return None
        years = 0
        while add(start.day, years + 1, "year") <= day:
            years += 1
        value = cents(base.value * (1 + term.value) ** years)
        factor = (1 + term.value).normalize()
        how = (
            f"{self.named(base)} × {factor:f}"
            + (f"^{years}" if years != 1 else "")
            + f" ({years} rise{'' if years == 1 else 's'} from {long_date(start.day)} to {long_date(day)})"
            + f" = {shown(value, base.unit)}"
        )
        if not years:
            how = f"{self.named(base)}; no rise before {long_date(day)}"
        return Worked(
            value, how, tuple(dict.fromkeys((*base.units, term.unit, *start.units))), base.unit, certain=base.certain
        )

    def last_day(self, term: Term) -> date | None:
        """Return the last day of the term of a paper."""
        reading = next(r for r in self.room.readings if r.document == term.unit.document)
        end = term_end(reading, self.room)
        return end.day - timedelta(days=1) if end else None

    def margin(self, term: Term, _: int) -> Worked | None:
        """A rate so many points above another."""
        rates = [
            q
            for q in self.room.sums.quantities
            if q.figure.kind == "percent" and q.unit is not term.unit and q.unit.document == term.unit.document
        ]
        scored = sorted(((self.fit(f"{term.base} interest", q.of), q) for q in rates), key=lambda t: -t[0])
        numbered = re.search(r"\b(?:Section|Clause|paragraph|Article) (?P<n>\d+(?:\.\d+)*)", term.base, re.I)
        if numbered:
            inside = [
                (s, q)
                for s, q in scored
                if re.search(
                    rf"(?<![\d.]){re.escape(numbered['n'])}(?![\d.]*\d)",
                    f"{q.unit.label} {q.unit.heading} {q.unit.text[:6]}",
                )
            ]
            scored = inside or scored
        if not scored:
            return None
        other = scored[0][1]
        value = other.value + term.value
        clear = len({q.value for s, q in scored if s >= _CLEAR * scored[0][0]}) == 1
        return Worked(
            value,
            f"{other.figure.text} + {term.shown} = {value.normalize():f}%",
            (term.unit, other.unit),
            "percent",
            certain=clear,
        )

    def multiple(self, term: Term, depth: int) -> Worked | None:
        """Months or weeks of a sum that is stated for some period."""
        period = next((u for u in UNITS_OF_TIME if u == term.money), "")
        base = self.resolve(term.base, depth + 1, term)
        if base is None or not period or not base.units:
            return None
        each = self.period_of(base) or ("year" if re.search(r"salary|wage", term.base, re.I) else "")
        if each not in _PERIODIC or period not in _PERIODIC:
            return None
        many, units, how = term.value, base.units, ""
        if term.each and (counted := self.count(term)):
            many = term.value * counted[0]
            how = f" ({term.value:f} × {counted[1]})"
            units = (*units, *counted[2])
            for cap, _, unit in term.caps:
                if cap.kind == "duration" and cap.unit == period and many > cap.value:
                    how, many, units = f"{how}, at most {cap.value:f}", cap.value, (*units, unit)
        elif term.each:
            return None
        value = cents(base.value * many * _PERIODIC[each] / _PERIODIC[period])
        part = (
            f"{many:f}{how} × "
            if each == period
            else f"{many:f}{how}/{Decimal(_PERIODIC[period]) / _PERIODIC[each]:f} × "
        )
        made = f"{part}{self.named(base)} = {shown(value, base.unit)}"
        more = ""
        if re.search(r"\bequal monthly inst", term.says, re.I) and period == "month":
            month = cents(value / many)
            more, made = f"; {shown(month, base.unit)} a month", f"{made}; / {many:f} = {shown(month, base.unit)}"
        return Worked(value, made, tuple(dict.fromkeys((term.unit, *units))), base.unit, more, base.certain)

    def period_of(self, base: Worked) -> str:
        """Return for which period a sum is stated: "month" for "$1,850 a month"."""
        for unit in base.units:
            text = straight(unit.text)
            for f in figures_in(text, "money"):
                if f.value == base.value:
                    near = (
                        _WITHOUT.match(text[f.end :].lstrip(" ,"))
                        or _WITHOUT.search(text[max(0, f.start - 60) : f.start])
                        or _WITHOUT.search(text[f.end : f.end + 60])
                    )
                    if near:
                        return near["each"].lower() if near["each"] else _LY[near["ly"].lower()]
        return ""

    def instalments(self, term: Term, _: int) -> Worked | None:
        """One of several equal instalments, or what is left after some of them."""
        whole, money = term.free or Decimal(0), term.money
        value = cents(whole / term.value)
        how = f"{shown(whole, money)} / {term.value:f} = {shown(value, money)}"
        paid = list(counts(self.ask.words, "instalment")) + list(counts(self.ask.words, "installment"))
        if (
            paid
            and re.search(r"\b(?:open|left|remain\w*|outstanding|owed|owing|unpaid)\b", self.ask.words, re.I)
            and paid[0] < term.value
        ):
            self.used_told = True
            left = whole - paid[0] * value
            return Worked(
                left,
                f"{how}; {shown(whole, money)} − {paid[0]:f} × {shown(value, money)} = {shown(left, money)}",
                (term.unit,),
                money,
            )
        return Worked(
            value, how, (term.unit,), money, f" {term.base}, {term.value:f} times, {shown(whole, money)} in all"
        )

    def elapsed(self, term: Term, depth: int) -> Worked | None:
        """The part of a yearly sum for the days of a year that have gone by."""
        base = self.resolve(term.base, depth + 1, term)
        reading = next(r for r in self.room.readings if r.document == term.unit.document)
        end = trigger_day(term.each, self.ask, reading, self.room)
        if base is None or end is None:
            return None
        days = (end.day - date(end.day.year, 1, 1)).days + (1 if term.rounding else 0)
        made = Worked(
            base.value * days / term.basis,
            f"{days} days to {long_date(end.day)}: {self.named(base)} × {days}/{term.basis}",
            (term.unit, *base.units, *end.units),
            base.unit,
            certain=base.certain,
        )
        return self.done(made, base)

    # --- operands ----------------------------------------------------------------------------------------------------

    def resolve(self, words: str, depth: int, of: Term) -> Worked | None:
        """Return the value of a name: worked out before, stated, the sum of a table, or what another rule gives."""
        found: list[tuple[float, Worked]] = []
        for ask, made in [] if _LAST.search(of.says) else self.before:
            score = self.fit(words, ask.words) if made.unit != "percent" else 0.0
            score = score if self.fit(ask.words, words) >= _BACK else 0.0
            if score >= _NAMED:
                found.append((score + 0.1, replace(made, arithmetic=self.named(made))))
        last = self.before[0][1] if self.before else None
        if last and _LACKING.search(words) and " − " in last.arithmetic:
            return replace(last, arithmetic=self.named(last))
        if re.search(r"\bprincipal\b", words, re.I) and (left := self.principal()):
            return left
        words = re.split(r", ", words)[-1]
        given = [(s, m) for s, m in self.figures(words) if m.units[0] is not of.unit]
        stated = [m for _, m in given]
        found += given
        if depth < _DEEP:
            for term in self.room.sums.terms:
                if term is of or term.form in ("margin", "rise") or term.unit is of.unit:
                    continue
                score = self.fit(words, f"{term.unit.heading} {_until(term)}")
                if score >= _CLEAR and (reckoned := self.worked(term, depth + 1)):
                    found.append((score, reckoned))
        if not found:
            return None
        found.sort(key=lambda t: -t[0])
        best, made = found[0]
        rivals = {m.value for s, m in found if s >= _CLEAR * best}
        made = replace(made, certain=made.certain and len(rivals) == 1 and best >= _SURELY)
        return self.adjusted(made, words, of) if made in stated or (not made.certain and found[0] in given) else made

    def principal(self) -> Worked | None:
        """Return the principal that an account shows as outstanding: the principal sum less what was paid on it."""
        paid = [
            r
            for r in self.room.sums.rows
            if re.search(r"\bprincipal\b", r.words, re.I)
            and r.money
            and not re.search(r"\b(?:sum|balance|total|outstanding)\b", r.words, re.I)
        ]
        whole = next(
            (
                q
                for q in self.room.sums.quantities
                if q.money and re.search(r"\bprincipal (?:sum|amount)\b", q.near, re.I)
            ),
            None,
        )
        if not paid or whole is None:
            return None
        left = whole.value - sum((self.entered(r) for r in paid), Decimal(0))
        if not 0 < left < whole.value:
            return None
        said = " + ".join(shown(self.entered(r), whole.money) for r in paid)
        how = f"{whole.figure.text} − {f'({said})' if len(paid) > 1 else said} = {shown(left, whole.money)}"
        return Worked(left, how, (whole.unit, *dict.fromkeys(r.unit for r in paid)), whole.money)

    @staticmethod
    def entered(row: Row) -> Decimal:
        """Return what a row gives to the principal: the sum behind the word, else that of the row."""
        at = re.search(r"\bprincipal\b[^;]*", straight(row.unit.text), re.I)
        behind = (
            [f.value for f in figures_in(at[0], "money")]
            if at and row.unit.text.count("\n") == 0 and f"{row.value:,}" in at[0]
            else []
        )
        return behind[0] if behind else row.value

    def adjusted(self, base: Worked, words: str, of: Term) -> Worked:
        """Return a sum as it stands on the day that counts, where a rule says that it rises."""
        for term in self.room.sums.terms:
            if (
                term.form == "rise"
                and self.fit(words, term.says) >= _NAMED
                and any(u.document == term.unit.document for u in base.units)
                and " = " not in base.arithmetic
            ):
                day = self.last_day(term) if _LAST.search(of.says) else self.day_asked()
                if day and (made := self.risen(term, base, day)):
                    return made
                return replace(base, certain=False)
        return base

    def figures(self, words: str) -> Iterator[tuple[float, Worked]]:
        """Yield the sums that the papers state by a name, with how well they fit it."""
        special = self.ask.words
        for q in self.room.sums.quantities:
            if not q.money or q.unit in self.room.sums.listed:
                continue
            near, whole = self.fit(words, q.near), self.fit(words, q.of)
            score = 0.65 * near + 0.35 * whole
            if max(score, 0.9 * whole) < _NAMED:
                continue
            score = max(score, 0.6 * whole) + 0.15 * self.fit(special, q.of)
            score += 0.2 if _CHANGED.search(straight(q.unit.text)[: q.figure.start]) else 0.0
            yield score, Worked(q.value, f"{q.figure.text}", (q.unit,), q.money)
        for row in self.room.sums.rows:
            score = self.fit(words, row.words)
            if score >= _NAMED and row.money:
                yield score, Worked(row.value, row.made or shown(row.value, row.money), (row.unit,), row.money)
        for rows in self.room.sums.lists:
            score = self.fit(words, f"{rows[0].heading} {rows[0].unit.heading}")
            if score >= _NAMED and len({r.money for r in rows}) == 1 and rows[0].money:
                yield score - 0.05, total_of(rows)

    def stated(self, words: str) -> Worked | None:
        """Return the sum that the papers state by a name, if one fits best."""
        found = sorted(self.figures(words), key=lambda t: -t[0])
        if not found:
            return None
        rivals = {m.value for s, m in found if s >= _CLEAR * found[0][0]}
        return replace(found[0][1], certain=len(rivals) == 1)

    def count(self, term: Term) -> tuple[Decimal, str, tuple[Unit, ...], bool] | None:
        """Return how many there are of what a rule counts, how that is said, where, and whether it is certain."""
        noun = term.each
        if noun == "time":
            block = [u for u in self.room.sums.units if (u.document, u.block) == (term.unit.document, term.unit.block)]
            often = [(n, u) for u in block for n in counts(u.text, "")]
            return (often[0][0], f"{often[0][0]:f}", (often[0][1],), True) if len({n for n, _ in often}) == 1 else None
        for text in (self.ask.words, self.clause):
            many = [n for n in counts(text, noun) if n]
            if len(set(many)) == 1:
                self.used_told = True
                return many[0], f"{many[0]:,f}", (), True
        if noun in UNITS_OF_TIME and (span := self.span(term)):
            return span
        if noun == "day" and (days := self.unused(noun, term.unit)):
            return days
        found = []
        for text, unit in self.room.sums.passages:
            if unit is term.unit:
                continue
            for n in dict.fromkeys(counts(text, noun)):
                found.append((self.fit_of(text) + 0.3 * self.fit(term.says, text), n, unit))
        if noun in UNITS_OF_TIME and not _IN_ALL.search(self.ask.words):
            return None  # how long it is due is told nowhere, and the whole is not asked for
        least = ENOUGH if noun in UNITS_OF_TIME else ENOUGH / 2
        found = sorted((f for f in found if f[0] >= least), key=lambda t: -t[0])
        if not found:
            return None
        clear = found[0][0] >= _SURE and len({n for s, n, _ in found if s >= _CLEAR * found[0][0]}) == 1
        return found[0][1], f"{found[0][1]:,f}", (found[0][2],), clear

    def unused(self, noun: str, own: Unit) -> tuple[Decimal, str, tuple[Unit, ...], bool] | None:
        """Return the days that papers count as somebody's: "nine unused vacation days"."""
        found = [
            (self.fit_of(u.text), n, u)
            for u in self.room.sums.units
            for n in counts(straight(u.text), noun)
            if u is not own
            and re.search(rf"\b(?:\w+ ){{1,3}}{noun}s\b", u.text)
            and re.search(r"\b(?:unused|accrued|had|have|has)\b", u.text, re.I)
        ]
        found.sort(key=lambda t: -t[0])
        return (
            (found[0][1], f"{found[0][1]:f}", (found[0][2],), len({n for _, n, _ in found}) == 1)
            if found and found[0][0] > 0
            else None
        )

    def span(self, term: Term) -> tuple[Decimal, str, tuple[Unit, ...], bool] | None:
        """Return how much time a rule counts: told as such, between two days, or between two hours of a day."""
        if term.each == "hour":
            return self.hours()
        size = UNITS_OF_TIME[term.each]
        late = [
            (
                self.fit_of(u.text),
                Decimal(int(m["n"]) if m["n"].isdigit() else words_to_int(m["n"].lower()) or 0)
                * UNITS_OF_TIME[m["unit"].lower()],
                m[0],
                u,
            )
            for u in self.room.sums.units
            for m in _LATE.finditer(straight(u.text))
            if m["n"].isdigit() or words_to_int(m["n"].lower())
        ]
        late.sort(key=lambda t: -t[0])
        if late and re.search(r"\b(?:late|delay\w*|overdue|fail\w*)\b", term.says, re.I):
            clear = len({x[1] for x in late if x[0] >= _CLEAR * late[0][0]}) == 1
            return late[0][1] / size, late[0][2] if size == 1 else f"{late[0][2]} / {size:f}", (late[0][3],), clear
        ends = self.interval(term)
        if ends is None:
            return None
        start, end = ends
        days = (end.day - start.day).days
        if days <= 0:
            return None
        said = f"{days} days from {long_date(start.day)} to {long_date(end.day)}"
        if term.each in ("month", "year"):
            many = 0
            while add(start.day, many + 1, term.each) <= end.day:
                many += 1
            if term.rounding != "down":
                return None
            return (
                Decimal(many),
                f"{many} ({long_date(start.day)} to {long_date(end.day)})",
                (*start.units, *end.units),
                False,
            )
        return Decimal(days) / size, said if size == 1 else f"{said} / {size:f}", (*start.units, *end.units), True

    def interval(self, term: Term) -> tuple[Trigger, Trigger] | None:
        """Return the days between which a rule counts."""
        reading = next(r for r in self.room.readings if r.document == term.unit.document)
        if term.each in ("month", "year"):
            began = re.compile(r"\b(?:began|begun|started|hired|joined|commenced)\b", re.I)
            ended = re.compile(r"\b(?:ends?|ended|terminat\w+|left|last day)\b", re.I)
            first = next((e for e in self.room.events if began.search(e.words)), None)
            last = next((e for e in reversed(self.room.events) if ended.search(e.words)), None)
            if first and last:
                return Trigger(first.day, "", (first.unit,)), Trigger(last.day, "", (last.unit,))
            return None
        match = None
        for m in _BEYOND.finditer(term.says):
            match = m if re.search(r"[A-Z]\w+ Date|due|date|day|deadline", m["start"]) else match
        start = trigger_day(match["start"], self._blank, reading, self.room) if match else None
        if start is None:
            return None
        day = self.day_asked()
        if day:
            return start, Trigger(day, "as the request says")
        act = re.search(
            r"\bby which (?:the )?(?P<what>\w+(?: \w+){0,2}?) (?:is|are|was|has been)? ?(?:delayed|late)|\b(?:late"
            r"|delay in|fails? to) (?P<act>\w+(?: \w+)?)",
            term.says,
            re.I,
        )
        wanted = (act["what"] or act["act"]) if act else self.ask.words
        found = [
            (self.fit(wanted, e.words), e)
            for e in self.room.events
            if e.day > start.day and not re.search(r"\b(?:shall|must)\b", e.unit.text)
        ]
        found = sorted((f for f in found if f[0] >= _NAMED), key=lambda t: -t[0])
        return (start, Trigger(found[0][1].day, "", (found[0][1].unit,))) if found else None

    def hours(self) -> tuple[Decimal, str, tuple[Unit, ...], bool] | None:
        """Return the hours between the two times of a day that a sentence tells."""
        found = []
        for unit in self.room.sums.units:
            times = sorted(
                {
                    int(m["h"]) % 12 * 60 + (720 if m["half"].lower() == "p" else 0) + int(m["m"] or 0)
                    for m in _CLOCK.finditer(unit.text)
                }
            )
            if len(times) == 2 and scan_dates(unit.text):
                found.append((self.fit_of(unit.text), Decimal(times[1] - times[0]) / 60, unit))
        found.sort(key=lambda t: -t[0])
        if not found:
            return None
        _, hours, unit = found[0]
        said = " to ".join(
            m[0] for m in sorted(_CLOCK.finditer(unit.text), key=lambda m: (m["half"].lower(), m.start()))
        )
        return hours, f"{hours.normalize():f} hours, {said}", (unit,), len({h for _, h, _ in found}) == 1

    def day_asked(self) -> date | None:
        """Return the day, or the first day of the month, as of which it is asked."""
        for text in (self.ask.words, self.clause):
            found = {d.iso for d in scan_dates(text) if d.precision in ("day", "month") and not d.iso.startswith("--")}
            if found:
                self.used_told = True
                iso = sorted(found)[-1]
                return date.fromisoformat(iso if len(iso) == 10 else f"{iso}-01")
        days = [d for d in scan_dates(self.ask.words) if d.iso.startswith("--") and len(d.iso) == 7]
        years = Counter(d.iso[:4] for d in scan_dates(self.room.job.matter.instructions) if d.precision == "day")
        if len(days) == 1 and years:
            return date.fromisoformat(f"{years.most_common(1)[0][0]}-{days[0].iso[2:]}")
        if re.search(r"\b(?:that|the same) (?:day|date)\b", self.ask.words, re.I):
            told = [
                d.iso for d in scan_dates(self.room.job.matter.instructions[: self.ask.start]) if d.precision == "day"
            ]
            return date.fromisoformat(told[-1]) if told else None
        return None

    def for_time(self, term: Term, year: Worked) -> Worked | None:
        """Return the interest for the time that is asked, of that for a year."""
        basis = term.basis or 365
        if _DAILY.search(self.ask.words):
            return replace(
                year,
                value=year.value / basis,
                arithmetic=f"{year.arithmetic} / {basis}",
                certain=year.certain and bool(term.basis),
            )
        if _MONTHLY.search(self.ask.words):
            return replace(year, value=year.value / 12, arithmetic=f"{year.arithmetic} / 12")
        reading = next(r for r in self.room.readings if r.document == term.unit.document)
        end = self.day_asked()
        start = self.runs_from(term, reading)
        if end is None or start is None or start.day >= end:
            return None
        if term.thirties:
            days = (
                360 * (end.year - start.day.year)
                + 30 * (end.month - start.day.month)
                + min(end.day, 30)
                - min(start.day.day, 30)
            )
        else:
            days = (end - start.day).days
        said = f"{days} days from {long_date(start.day)} to {long_date(end)}"
        return replace(
            year,
            value=year.value * days / basis,
            arithmetic=f"{year.arithmetic} × {days}/{basis} ({said})",
            units=(*year.units, *start.units),
            certain=year.certain and bool(term.basis),
        )

    def runs_from(self, term: Term, reading: SentencedDocument) -> Trigger | None:
        """Return the day from which interest runs."""
        for event in self.room.events:  # papers that say it outright
            if (
                re.search(
                    r"\binterest\b[^.;]{0,60}\b(?:runs|begins|accrues|starts)\b|\bfrom which\b[^.;]{0,40}\binterest\b",
                    event.words,
                    re.I,
                )
                and self.fit(self.ask.words, event.unit.text) > ENOUGH
            ):
                return Trigger(event.day, "", (event.unit,))
        stated = next(
            (d for d in scan_dates(term.says) if d.precision == "day" and _FROM.search(term.says[: d.start])), None
        )
        if stated is not None:
            day = date.fromisoformat(stated.iso)
            return Trigger(day, long_date(day), (term.unit,))
        for match in re.finditer(
            r"\bfrom (?:and including )?(?P<start>(?:the |its )?[^.;,]{3,60}?)(?= (?:until|at|to|through|on)\b"
            r"|[.;,]|$)",
            term.says,
        ):
            if re.search(r"\bdue\b", match["start"]):
                due = self.due_day()
                if due:
                    return due
            if (found := trigger_day(match["start"], self._blank, reading, self.room)) is not None:
                return found
        return None

    def due_day(self) -> Trigger | None:
        """Return the day worked out before on which a sum was due."""
        days = [d for d in self.room.days.values() if re.search(r"\bdue\b", d.words)]
        return Trigger(days[-1].day, long_date(days[-1].day), days[-1].units) if days else None


def counts_any(text: str, noun: str) -> bool:
    """Tell whether a text counts a thing."""
    return any(True for _ in counts(text, noun))


def _until(term: Term) -> str:
    """Return the words of a rule up to its figure, and what follows it up to its next stop: what it is a rule of."""
    at = term.says.find(term.shown) if term.shown else -1
    return term.says if at < 0 else term.says[:at]


def total_of(rows: Sequence[Row]) -> Worked:
    """Return the sum of some rows."""
    value, money = sum((r.value for r in rows), Decimal(0)), rows[0].money
    said = " + ".join(f"{r.made} ({r.words})" if r.made else shown(r.value, money) for r in rows)
    return Worked(value, f"{said} = {shown(value, money)}", tuple(dict.fromkeys(r.unit for r in rows)), money)


_FORMS = {
    "share": Planner.share,
    "price": Planner.price,
    "tiers": Planner.tiers,
    "rise": Planner.rise,
    "margin": Planner.margin,
    "multiple": Planner.multiple,
    "instalments": Planner.instalments,
    "elapsed": Planner.elapsed,
}
__all__ = ["ENOUGH", "Planner", "Quantity", "Scored", "singular", "total_of"]
