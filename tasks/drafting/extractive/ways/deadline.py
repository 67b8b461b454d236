"""When something is due: a period of the papers counted from its day; the tool counts, the arithmetic is shown."""

from __future__ import annotations

import re

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.differing.values import counted_day
from tasks.drafting.extractive.due.counting import counted, shortened
from tasks.drafting.extractive.due.notice import ahead_of_end
from tasks.drafting.extractive.due.renewals import renewed
from tasks.drafting.extractive.due.search import ENOUGH, TERM, TERM_END, Period, PeriodSearch
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.stated import open_entry, span_of, told
from tasks.legaltext.dates.scan import scan_dates

_ASKED = re.compile(
    r"\b(?:when|by when|how late|(?:last|latest|final) (?:day|date)|(?:what|which) (?:day|date)|day on which|until what"
    r"|due|deadline|cut-?off|answer date|expir\w+|run(?:s)? out|ran out|how long|until when|(?:and |so )?until)\b"
    r"|\bdates?\b",
    re.I,
)
_PARTS = re.compile(r",?\s+and\s+(?=the\b|when\b|(?:the )?(?:first|second|third|fourth)\b)", re.I)
_BEGINNING = re.compile(
    r"\b(?:begin|start|commence)s?\b|\bfrom (?:when|which day)\b", re.I
)  # no period ends where one is asked to begin
_RECURS = re.compile(r"\b(?:each|every|any) (?:\w+ )?(?:year|quarter|month|week)\b", re.I)
_CLEAR = 0.85  # another period that fits nearly as well leaves the ask open
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
_NEAR = 0.9  # … of what the best one speaks of, where the day of the best is told nowhere


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
    if renewal := renewed(ask, room):
        return renewal
    search = PeriodSearch(ask, room)
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
        certain = len(lengths) == 1 and best.score >= ENOUGH and not _ends_a_term(ask)
        return _missing(ask, best) if ask.kind is AskKind.CALCULATION and certain else None
    period, trigger = resolved
    days = {t.day for p in rivals if (t := search.start(p))}
    if len(days) > 1 and len({p.reading.document for p in rivals}) > 1:
        return None  # each paper has a day of its own
    alike = (period.window.n, period.window.unit, period.unit) == (best.window.n, best.window.unit, best.unit)
    sure = alike and len(lengths) == len(days) == 1 and search.is_clear(best)
    if not sure and not (_ASKS_DAY if ask.kind is AskKind.FACT else _WANTS_DAY).search(f"{ask.words} {ask.subject}"):
        return None
    return counted(ask, ahead_of_end(ask.words, period), trigger, room, certain=sure)


def _missing(ask: Ask, best: Period) -> AskAnswer:
    """Leave a day open, and say which start day of its period is missing."""
    missing = best.window.trigger.strip() or "the event from which it runs"
    reason = f"the period is {best.window.text}; the day of {missing} is not stated in the papers or the request"
    return told(ask, [open_entry(reason, [best.unit], best.reading.document)], [best.unit])


def _recurring(ask: Ask, period: Period) -> AskAnswer | None:
    """Return the day of every year on which a period ends; None if it is not counted from a day."""
    text = period.reading.text.text[period.unit.start : period.unit.pieces[-1][1]]
    day = counted_day(text, period.window)
    if day is None:
        return None
    entry = Entry(
        document=period.reading.document,
        state=AskState.ANSWERED,
        answer=f"{day.shown}: “{shortened(period.unit.text)}”",
        support=(span_of(period.unit),),
    )
    return told(ask, [entry], [period.unit])


def _ends_a_term(ask: Ask) -> bool:
    """Tell whether an ask wants the end of an agreement, which its clause on the term may give if no period does."""
    return bool(TERM_END.search(ask.words) and TERM.search(ask.words))
