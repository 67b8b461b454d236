"""What an ask wants to know and what it tells, as far as a sum turns on it."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import cached_property

from tasks.asks.records import Ask
from tasks.drafting.extractive.due.worked import Worked
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.quantities import figures_in
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.dates.scan import scan_dates

_OTHERWISE = 0.8  # what it counts that a passage uses another name for the same
_SUBJECT = 0.9  # what it counts that a passage speaks of the subject alone
_CLAUSE = 0.85  # the same of what is told before the ask, in the same sentence
_PARAGRAPH = 0.8  # the same of the paragraph around the passage
_CONDITION = re.compile(
    r"^\W*(?:and |so |but )*(?:if|when|where|should|assuming|suppos\w+|given|once|she|he|they|we|it|I)\b", re.I
)
_QUESTION = re.compile(r"\b(?:how|what|when|which|who|whether|why)\b", re.I)

_NO_SUM = re.compile(
    r"\bhow many\b|\b(?:weight|weigh|pounds|kilos?|tons|shares) (?:\w+ ){0,3}(?:must|to vote|has to|have to)\b"
    r"|\bin pounds\b",
    re.I,
)
_MORE = 4  # characters by which a clause is longer than its ask, so that it says something else


class Asked:
    """What one ask wants, what it supposes, and what it takes from the asks before it.

    Args:
        ask: What is asked.
        room: The work; its papers are read once into quantities, rows and rules.

    Attributes:
        blank: The ask without its words: a day is then looked for in the papers alone.
        used_told: Whether what was worked out last used what the request tells.
    """

    def __init__(self, ask: Ask, room: Room) -> None:
        """Take the ask and the room."""
        self.ask, self.room = ask, room
        self.blank = ask.model_copy(update={"words": "", "subject": ""})
        self.used_told = False

    @cached_property
    def clause(self) -> str:
        """The part of that sentence which leads up to the ask, from the end of the ask before it."""
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
            own = max(own, _SUBJECT * self.fit(self.ask.subject, passage))
        if len(self.clause) > len(self.ask.words) + _MORE:
            own = max(own, _CLAUSE * self.fit(self.clause, passage))
        return max(own, _PARAGRAPH * self.fit(words, paragraph)) if paragraph else own

    def told(self) -> Worked | None:
        """Return the one sum that the ask itself gives."""
        for text in (self.ask.words, self.clause):
            sums = figures_in(text, "money")
            if len(sums) == 1 and not re.search(r"\b(?:first|each|every|the) $", text[: sums[0].start], re.I):
                self.used_told = True
                return Worked(sums[0].value, f"{sums[0].text}, as the request says", (), sums[0].unit)
        return None

    def day(self) -> date | None:
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


def wants_no_sum(words: str) -> bool:
    """Tell whether an ask wants to know how many, or what a weight or a vote must be, and no sum of money."""
    return bool(_NO_SUM.search(words))
