"""The day from which a period runs: stated in the brief or the papers, defined, or worked out from the term."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from tasks.asks.records import Ask
from tasks.drafting.extractive.dates import agreement_date, effective_date
from tasks.drafting.extractive.find_provision import Found
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.events import Event, own_dates, written
from tasks.drafting.extractive.ways.stated import long_date
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import Manner, sentences

_ITSELF = re.compile(
    r"\bdate (?:first )?(?:hereof|(?:set forth|written|stated|appearing)? ?above|of (?:this|the|its) (?:\w+ )?"
    r"(?:letter|agreement|note|amendment|lease|contract|notice|offer|policy|execution|order))|\bhereof\b"
    r"|\bdate of signature\b|\bdate first (?:set forth|written|above|stated)\b",
    re.I,
)
_TERM_CAPS = re.compile(r"\b(?:the |such )?((?:[A-Z][\w-]*\s+){0,3}(?:Date|Day|Time))\b")
_FISCAL = re.compile(
    r"\bend of (?:each|any|every|the|its|such)(?: of the first three)? ?(?:fiscal|calendar|financial)? ?"
    r"(?P<part>year|quarter|half|month)",
    re.I,
)
_QUARTERS = ("first", "second", "third", "fourth")
_YEAR_END = re.compile(
    r"\b(?:fiscal|financial) year\b[^.;]{0,40}?\b(?:ends?|ending)\b[^.;]{0,12}?\b(?P<day>[A-Z][a-z]+ \d{1,2})\b", re.I
)
_CLAUSE = re.compile(
    r";|(?<=[a-z\d]\.) (?=[A-Z][a-z])|(?<=\d),? (?=(?:it|and|but|we|he|she|they)\b)|\b(?:which|who|whereas)\b", re.I
)
_ASSUMED = re.compile(r"\b(?:assum\w+|suppos\w+|if|would|hypothetical\w*|planning purposes)\b", re.I)
_BY_A_DAY = re.compile(r"\b(?:on or before|(?:no|not) later than)\b", re.I)
_OTHER_DATE = re.compile(r"\b(?P<of>\w+) date (?:for|of) (?:the |an? )?", re.I)
# A term that begins on a day ends with the day before the same day years later, unless its anniversary is named.
_BEGINS_ON = re.compile(
    r"^(?!.*\banniversary\b).*\b(?:begin(?:s|ning)?|commenc(?:es?|ing)|starts?|starting) on\b", re.I | re.S
)
_ANOTHER = 0.4  # what is taken off a day that is another day of the same thing: the record date for a meeting
# What people type in haste, where a line may end in the middle of a sentence.
_PARAGRAPHS = Manner(semicolons="always", small=True)
_TOP = 200  # characters at the head of a paper that tell what it is
_HEAD = 1500  # characters at the head of a paper in which its own date stands; chosen by eye
_ENOUGH = 0.5  # part of a trigger that a dated statement must speak of
_CLEAR = 0.9  # another day that meets it so nearly leaves it open


@dataclass(frozen=True)
class Trigger:
    """A day from which a period runs.

    Attributes:
        how: What it is and where it stands, in words for the arithmetic.
        units: The sentences that state it.
        certain: Whether the papers say that it is this day; a message that says when something happened may err.
    """

    day: date
    how: str
    units: tuple[Unit, ...] = ()
    certain: bool = True


def trigger_day(words: str, ask: Ask, reading: SentencedDocument | None, room: Room) -> Trigger | None:
    """Return the day of a trigger.

    Args:
        words: The words that name it: "the Closing Date", "invoice date", "entry of the judgment".
        ask: What is asked; a day told in it comes first.
        reading: The paper whose period it is; None for a period of law.
        room: The work.
    """
    said = _told(ask)
    if said:
        return said
    if reading is not None:
        if own := day_called(words, reading):
            return own
        if fiscal := _fiscal(words, ask, reading):
            return fiscal
        if (term := _TERM_CAPS.search(words)) and (found := defined_day(term[1], reading, room)):
            return found
    return _happened(words, ask, room)


def day_called(words: str, reading: SentencedDocument) -> Trigger | None:
    """Return the paper's own day if the words mean it: "the date hereof"."""
    return _own(reading) if _ITSELF.search(words) else None


def _told(ask: Ask) -> Trigger | None:
    """Return the start day that the ask itself gives."""
    days = {d.iso: d for d in scan_dates(ask.words) if d.precision == "day"}
    if len(days) != 1:
        return None
    mention = next(iter(days.values()))
    before = ask.words[: mention.start]
    if re.search(r"\b(?:until|till|by|before|for)\s+$", before, re.I):
        return None
    return Trigger(
        date.fromisoformat(mention.iso), f"{long_date(date.fromisoformat(mention.iso))}, as the request says"
    )


def _own(reading: SentencedDocument) -> Trigger | None:
    """Return the paper's own day."""
    dated = own_dates(reading)
    if dated and not reading.identity.agreement:
        unit = next((u for u in reading.units if u.start <= dated[0][0] < u.pieces[-1][1]), None)
        how = f"{long_date(dated[0][1])}, the date of {reading.document}"
        return Trigger(dated[0][1], how, (unit,) if unit else ())
    made = agreement_date(reading, Found())
    if made.day and made.support:
        return Trigger(made.day, f"{long_date(made.day)}, the date of {reading.document}", made.support)
    first = next((d for d in reading.dates if d.start < _HEAD), None)
    day = made.day or (date.fromisoformat(first.iso) if first else None) or written(reading, _HEAD)
    unit = next((u for u in reading.units if first and u.start <= first.start < u.pieces[-1][1]), None)
    return Trigger(day, f"{long_date(day)}, the date of {reading.document}", (unit,) if unit else ()) if day else None


def _fiscal(words: str, ask: Ask, reading: SentencedDocument) -> Trigger | None:
    """Return the end of the fiscal year or quarter that the ask names."""
    period = _FISCAL.search(words)
    year = re.search(r"\b(?:19|20)\d\d\b", ask.words)
    if period is None or year is None or period["part"].lower() not in {"year", "quarter"}:
        return None
    ends = _YEAR_END.search(straight(reading.text.text))
    last = next(iter(scan_dates(f"{ends['day']}, {year[0]}")), None) if ends else None
    end = date.fromisoformat(last.iso) if last and last.precision == "day" else date(int(year[0]), 12, 31)
    if ends is None and re.search(r"fiscal|financial", words, re.I):
        return None
    if period["part"].lower() == "quarter":
        number = next((n for n, w in enumerate(_QUARTERS, 1) if re.search(rf"\b{w}\b|\bq{n}\b", ask.words, re.I)), None)
        if number is None:
            return None
        months = end.month - 12 + 3 * number
        at = end.year + (months - 1) // 12, (months - 1) % 12 + 1
        end = date(*at, monthrange(*at)[1])
    unit = next((u for u in reading.units if ends and _YEAR_END.search(straight(u.text))), None)
    return Trigger(
        end, f"{long_date(end)}, the end of the {period[0].split(' ')[-2]} {period['part']}", (unit,) if unit else ()
    )


def defined_day(term: str, reading: SentencedDocument, room: Room) -> Trigger | None:
    """Return the day of a defined date: of the paper itself first, then of the others."""
    name = re.escape(term.strip()).replace(r"\ ", r"\s+")
    ahead = re.compile(rf"\(\s*(?:the |such date,? the |being the )?[\"“”']{name}[\"“”']\s*\)")
    behind = re.compile(rf"\b{name}[\"”]?\s*(?::|means|is|shall mean|shall be)\s")
    for paper in [reading, *(r for r in room.ours if r is not reading)]:
        for unit in paper.units:
            dates = paper.dates_of(unit)
            text = paper.text.text[unit.start : unit.pieces[-1][1]]
            if match := ahead.search(text):
                earlier = [d for d in dates if d.start < unit.start + match.start()]
                if earlier:
                    return _stated(date.fromisoformat(earlier[-1].iso), term, unit)
                if _ITSELF.search(text[: match.start()]) and (own := _own(paper)):
                    return own
            if (match := behind.search(text)) and (
                later := [d for d in dates if d.start >= unit.start + match.end() - 1]
            ):
                return _stated(date.fromisoformat(later[0].iso), term, unit)
    if re.search(r"\beffective date\b", term, re.I) and (made := effective_date(reading, Found())).day:
        return Trigger(made.day, f"{long_date(made.day)}, the {term.strip()}", made.support)
    return None


def _stated(day: date, term: str, unit: Unit) -> Trigger:
    return Trigger(day, f"{long_date(day)}, the {term.strip()}", (unit,))


def _happened(words: str, ask: Ask, room: Room) -> Trigger | None:
    """Return the one day on which the papers say that an event happened."""
    brief = room.job.matter.instructions
    for sentence in (brief[start:end] for start, end in sentences(brief, _PARAGRAPHS)):
        days = {d.iso for d in scan_dates(sentence) if d.precision == "day"}
        if len(days) == 1 and room.likeness.fit(words, sentence) >= _ENOUGH:
            day = date.fromisoformat(days.pop())
            return Trigger(day, f"{long_date(day)}, as the request says")
    named = _named(ask, room)
    scored = sorted(((_met(e, words, named, room), e) for e in room.events), key=lambda t: -t[0])
    if not scored or scored[0][0] < _ENOUGH:
        return None
    best, event = scored[0]
    if len({e.day for s, e in scored if s >= _CLEAR * best}) > 1:
        return None
    return Trigger(
        event.day, f"{long_date(event.day)}, {words.strip()} (“{' '.join(event.words.split()[:16])}”)", (event.unit,)
    )


def _met(event: Event, wanted: str, named: Sequence[str], room: Room) -> float:
    """Return how well a dated statement fits an event: by its words, its heading and the named party."""
    reading = next(r for r in room.readings if r.document == event.document)
    beside = " ".join(u.text for u in reading.units if u.block == event.unit.block)
    around = f"{beside} {event.unit.heading} {reading.identity.title} {reading.text.text[:_TOP]}"
    own = room.likeness.fit(wanted, clause_of(event))
    if not own or _BY_A_DAY.search(event.words):  # what is due by a day has not happened on it
        return 0.0  # what stands around a day says nothing of it: a verdict on it is no entry of the judgment
    score = 0.5 * own + 0.5 * room.likeness.fit(wanted, around)
    rival = [n for n in named if n.lower() in event.words.lower()]
    score -= _ANOTHER if another_day(wanted, event.words) else 0.0
    return score + (0.2 if rival else 0.0) - (0.6 if _ASSUMED.search(event.words) else 0.0)


def another_day(wanted: str, words: str) -> bool:
    """Tell whether the words mean another day of the same thing: the record date for a meeting, not its day."""
    other = _OTHER_DATE.search(words)
    return other is not None and other["of"].lower() not in wanted.lower()


def clause_of(event: Event) -> str:
    """Return the clause that a day stands in: not what follows "which returned its verdict on May 1, 2026, it is"."""
    words = event.words
    at = next((d.start for d in scan_dates(words) if d.iso == event.day.isoformat()), None)
    if at is None:
        return words
    edges = [0, *(m.start() for m in _CLAUSE.finditer(words)), len(words)]
    return next(words[a:b] for a, b in pairwise(edges) if a <= at < b)


def _named(ask: Ask, room: Room) -> list[str]:
    """Return the names in an ask that stand in the papers."""
    names = re.findall(r"\b[A-Z][a-z]{2,}\b", ask.words)
    texts = [r.text.text for r in room.ours]
    return [n for n in names if any(n in t for t in texts)]


def term_end(reading: SentencedDocument, room: Room) -> Trigger | None:
    """Return the end of the initial term of a paper, as it is stated or as its length gives it."""
    from tasks.drafting.extractive.answers import answer as of_topic
    from tasks.drafting.extractive.brief import Topic

    provision = next((p for p in room.catalogue if p.answer == "expiration_date"), None)
    got = of_topic(Topic("end of the term", provision), reading, room.settings) if provision else None
    if got is None or got.day is None:
        return None
    how = f"the end of the term ({got.note or 'as stated'})"
    if got.note and any(_BEGINS_ON.search(u.text) for u in got.support):
        last = got.day - timedelta(days=1)
        return Trigger(last, f"{long_date(last)}, the last day of {how[len('the end of ') :]}", got.support)
    return Trigger(got.day, f"{long_date(got.day)}, {how}", got.support)
