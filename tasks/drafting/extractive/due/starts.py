"""Days that are worked out before a period is counted from them: a deemed receipt, the later of two, a defined day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from tasks.asks.records import Ask
from tasks.drafting.extractive.due.triggers import Trigger, another_day, term_end, trigger_day
from tasks.drafting.extractive.lines import sent_on
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.term import add
from tasks.drafting.extractive.term_words import from_what, lengths
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.events import Event
from tasks.drafting.extractive.ways.stated import long_date
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.records import Window
from tasks.legaltext.sentences import BRIEF, sentences
from tasks.legaltext.windows.scan import scan_windows
from tasks.matter.failures import SolonError

CALENDAR = "us_banks"  # a business day of a contract is, as a rule, one on which banks are open
_RECEIVED = re.compile(
    r"\b(?:recei(?:pt|ves?|ved|ving)|notice|served?|service|delivered|delivery|given|request)\b", re.I
)
_DEEMED = re.compile(
    r"\b(?:sent|given|delivered|dispatched|posted|mailed|served|made) (?:by|via|through) (?P<how>[^.;]{3,60}?),? "
    r"(?:is|are|shall be|will be|takes effect|has been)?,? ?(?:deemed |considered |treated as )?(?:to (?:be"
    r"|have been) )?"
    r"(?:received|given|delivered|served|effective|made|duly)\b",
    re.I,
)
_NOTICE = re.compile(r"\b(?:notice|demand|request)\b", re.I)
_IS_NOTICE = re.compile(
    r"\bthis (?:e-?mail |letter |message )?(?:is|constitutes|serves as|shall serve as) (?:our |a |the |formal )*"
    r"(?:notice|demand)\b|\b(?:hereby (?:give|notify|demand)|give (?:you )?(?:formal |written )?notice)\b"
    r"|\b(?:take|treat|regard|consider|accept) this (?:e-?mail |letter |message )?as (?:our |a |the |formal |written )*"
    r"(?:notice|demand)\b",
    re.I,
)
_ITS_TERM = re.compile(
    r"\b(?:initial|original|its|the) term\b|\b(?:agreement|contract|lease|licen[cs]e) (?:shall |will )?"
    r"(?:runs?|lasts?|continues?|remains?|ends?|expires?|is (?:made|concluded|entered into) for)\b",
    re.I,
)
_NOT_ITS_END = re.compile(r"\b(?:may terminate|renews?|option|after the term|during the term|surviv\w+)\b", re.I)
_SENT = re.compile(
    r"\b(?:sent|went|mailed|posted|dispatch\w*|put (?:\w+ ){0,6}(?:in|into)|couriered|handed|e-?mailed|overnight)\b",
    re.I,
)
_DISPATCH = re.compile(r"\b(?:dispatch|mailing|sending|posting|deposit|sent|mailed|being sent)\b", re.I)
_LATER = re.compile(
    r"\b(?P<which>later|latest|last|earlier|earliest|first) (?:to occur )?of (?P<one>[^;:]+?),? and (?P<two>[^;:]+)$",
    re.I,
)
_ROLLS = re.compile(
    r"\b(?:last|final) day\b[^.;]{0,120}\bnot (?:be )?a (?:business|working|banking) day\b[^.;]{0,80}\b(?:next"
    r"|following)\b"
    r"|\b(?:falls|ends|expires) on a (?:day (?:that|which) is not a (?:business|working) day|weekend|saturday"
    r"|sunday)\b[^.;]{0,100}\b(?:next|following)\b",
    re.I,
)
_LAST_SIGNED = re.compile(r"\b(?:last|later|latest) (?:\w+ )?(?:signature|sign\w*|execut\w*)\b", re.I)
_SIGNED = re.compile(r"/s/|\b(?:by|signed|signature)\b\s*:", re.I)
_TERM_CAPS = re.compile(r"\b((?:[A-Z][\w-]*\s+){1,3}(?:Date|Day|Time))\b")
_DUE = re.compile(r"\b(?:shall|must|no later than|due)\b", re.I)
_SAME = 0.6  # part of the words of an event that the words of a day must have
_CLEAR = 0.9  # another day whose words fit so nearly as well leaves it open
_STEM = 5  # letters by which a word of a way of sending is known again: courier, couriered
_AT_ONCE = 8  # characters ("on the ") before a day that a trigger consists of
_BEFORE = 4  # sentences before that of a period in which notice is told; chosen by eye, as the next
_SHORT = 40  # words of a sentence below the heading of a defined day that can be its definition


@dataclass(frozen=True)
class Deemed:
    """A rule on when what is sent in some way counts as received."""

    how: frozenset[str]
    window: Window
    unit: Unit


def started(
    words: str, ask: Ask, reading: SentencedDocument | None, room: Room, told: str, beside: Unit | None = None
) -> Trigger | None:
    """Return the day of a trigger, calculated if it is not stated.

    Args:
        words: The words that name it.
        ask: What is asked.
        reading: The paper whose period it is.
        room: The work.
        told: What the request tells of it: the clause that asks, and what the papers say of the same.
        beside: The sentence that the request speaks of, where it names no rule but what happened.
    """
    if reading is not None:
        if later := _LATER.search(words):
            ends = [
                started(later[side], ask.model_copy(update={"words": ""}), reading, room, told, beside)
                for side in ("one", "two")
            ]
            if all(ends):
                pick = min if later["which"].lower().startswith(("earl", "first")) else max
                return pick((e for e in ends if e is not None), key=lambda e: e.day)
            return None
        sent = _RECEIVED.search(words) or _DISPATCH.search(words)
        if sent and (found := received(words, reading, room, told, beside)):
            return found
        if (term := _TERM_CAPS.search(words)) and (found := _defined(term[1], ask, reading, room, told)):
            return found
        if stated := _day_in(words, reading):
            return stated
        if _NOTICE.search(words) and (found := _given(reading, room)):
            return found
    days = {d.iso for d in scan_dates(told) if d.precision == "day"}
    own = ask if scan_dates(ask.words) or len(days) != 1 else ask.model_copy(update={"words": told})
    return trigger_day(words, own, reading, room) or _happened(words, room) or _known_before(words, room)


def end_of_term(reading: SentencedDocument, ask: Ask, room: Room) -> Trigger | None:
    """Return the end of the term of a paper; counted from a defined day that other papers or the request tell."""
    if stated := term_end(reading, room):
        return stated
    bare = ask.model_copy(update={"words": "", "subject": ""})
    for unit in reading.units:
        if not _ITS_TERM.search(unit.text) or _NOT_ITS_END.search(unit.text):
            continue
        for n, kind, behind, _ in lengths(unit):
            event = from_what(behind)
            start = started(event, bare, reading, room, "") if event else None
            if start is not None:
                day = add(start.day, n, kind)
                how = f"{long_date(day)}, the end of the term ({n} {kind}{'' if n == 1 else 's'} from {start.how})"
                return Trigger(day, how, (unit, *start.units), certain=False)
    return None


def _day_in(words: str, reading: SentencedDocument) -> Trigger | None:
    """Return the day that the words of a trigger are themselves: "March 15", in the year that the paper is of."""
    mention = next((d for d in scan_dates(words) if d.start < _AT_ONCE), None)
    if mention is None or (mention.precision != "day" and not re.fullmatch(r"--\d\d-\d\d", mention.iso)):
        return None
    year = next((d.iso[:4] for d in reading.dates), "")
    iso = (
        mention.iso if mention.precision == "day" and not mention.iso.startswith("--") else f"{year}-{mention.iso[2:]}"
    )
    try:
        day = date.fromisoformat(iso)
    except ValueError:
        return None
    return Trigger(day, long_date(day))


def _happened(words: str, room: Room) -> Trigger | None:
    """Return the one day on which something happened according to the papers; a deadline is no such day."""
    found = [
        (room.sums.naming.fit(words, _own(e)), e)
        for e in room.events
        if not _DUE.search(e.unit.text) and not another_day(words, e.words)
    ]
    found = sorted((f for f in found if f[0] >= _SAME), key=lambda t: -t[0])
    if not found or len({e.day for s, e in found if s >= _CLEAR * found[0][0]}) > 1:
        return None
    event = found[0][1]
    return Trigger(event.day, f"{long_date(event.day)}, {words.strip()}", (event.unit,))


def _given(reading: SentencedDocument, room: Room) -> Trigger | None:
    """Return the day of the only message that calls itself the notice or the demand."""
    found = []
    for message in (r for r in room.ours if not r.identity.agreement and r is not reading):
        day = sent_on(message.text)
        unit = next((u for u in message.units if _IS_NOTICE.search(straight(u.text))), None)
        if day and unit is not None:
            found.append((day, unit))
    if len(found) != 1:
        return None
    day, unit = found[0]
    return Trigger(day, f"{long_date(day)}, the day of the message that is the notice", (unit,))


def _own(event: Event) -> str:
    """Return the words of the clause in which the day of an event stands.

    Every stop before a capital parts them, also that of "under Section 7.4.", where a sentence of the floor goes on: of
    two clauses kept together one could take the day of the other.
    """
    day = next((d for d in scan_dates(event.words) if d.iso == event.day.isoformat()), None)
    parts = re.split(r"(?<=[.;])\s+(?=[A-Z])", event.words)
    return next((p for p in parts if day and day.text in p), event.words)


def _known_before(words: str, room: Room) -> Trigger | None:
    """Return a day that was calculated for an earlier ask, found by its words."""
    for day in reversed(list(room.days.values())):
        if room.sums.naming.fit(words, day.words) >= _SAME:
            return Trigger(day.day, f"{long_date(day.day)}, worked out above", day.units)
    return None


def deemed(reading: SentencedDocument) -> Iterator[Deemed]:
    """Yield the rules of a paper on when what is sent counts as received."""
    for unit in reading.units:
        text = straight(unit.text)
        for match in _DEEMED.finditer(text):
            rest = text[match.end() :].split(";")[0]
            window = next(iter(scan_windows(rest)), None)
            if (window is not None and not window.trigger) or (window and _DISPATCH.search(window.trigger)):
                yield Deemed(_ways(match["how"]), window, unit)


def _ways(text: str) -> frozenset[str]:
    """Return the words of a way of sending by their first letters."""
    plain = re.sub(
        r"\b(?:recognized|nationally|recogni[sz]ed|return|receipt|requested|prepaid|first|class|registered or|the"
        r"|and|with)\b",
        "",
        text.lower(),
    )
    return frozenset(w[:_STEM] for w in re.findall(r"[a-z-]{4,}", plain))


def received(words: str, reading: SentencedDocument, room: Room, told: str, beside: Unit | None) -> Trigger | None:
    """Return the day on which something counts as received, where the day of sending is stated."""
    rules = [d for r in (reading, *(x for x in room.ours if x is not reading)) for d in deemed(r)]
    if not rules:
        return None
    sent = _sending(told, beside, rules, room)
    if sent is None:
        return None
    rule, day, unit = sent
    if _DISPATCH.search(words) and not _RECEIVED.search(words):
        return Trigger(day, f"{long_date(day)}, the day of sending", (unit,) if unit else ())
    due = count(rule.window, day, room, "none")
    if due is None:
        return None
    how = f"{long_date(due)}, when it counts as received ({rule.window.text} after {long_date(day)})"
    return Trigger(due, how, (rule.unit, *([unit] if unit else [])))


def _sending(
    told: str, beside: Unit | None, rules: list[Deemed], room: Room
) -> tuple[Deemed, date, Unit | None] | None:
    """Return the rule of receipt that applies and the day of sending, from the request or from the papers."""
    asked = room.job.matter.instructions
    brief = (asked[start:end] for start, end in sentences(asked, BRIEF))
    places: list[tuple[str, Unit | None]] = [(told, None), *((s, None) for s in brief if _SENT.search(s))]
    if beside is not None:
        units = [u for r in room.ours if r.document == beside.document for u in r.units]
        at = units.index(beside)
        places += [(straight(u.text), u) for u in [beside, *reversed(units[max(0, at - _BEFORE) : at])]]
    wanted: Deemed | None = None
    for text, unit in places:
        named = [r for r in rules if r.how & _ways(text)]
        best = max(named, key=lambda r: len(r.how & _ways(text)), default=None)
        wanted = wanted or best
        days = [d for d in scan_dates(text) if d.precision == "day"]
        if best and wanted is best and days and (unit is None or _SENT.search(text)):
            return best, date.fromisoformat(days[-1].iso), unit
    if wanted is None:
        return None
    found = {e.day: e for e in room.events if wanted.how & _ways(e.words) and _SENT.search(e.words)}
    if len(found) == 1:
        event = next(iter(found.values()))
        return wanted, event.day, event.unit
    return None


def _defined(term: str, ask: Ask, reading: SentencedDocument, room: Room, told: str) -> Trigger | None:
    """Return the day of a defined date that the papers define by a period, or by the last signature."""
    name = re.compile(
        rf"[\"“(]\s*(?:the )?{re.escape(term)}\s*[\"”)]|\b{re.escape(term)}\b[\"”]? (?:means|is|shall be|shall mean)\b"
    )
    for unit in reading.units:
        text = straight(unit.text)
        if not (name.search(text) or (unit.heading.endswith(term) and unit.words < _SHORT)):
            continue
        if _LAST_SIGNED.search(text) and (signed := _last_signature(reading)):
            return signed
        for window in scan_windows(text):
            if window.trigger and term not in window.trigger and not reading.dates_of(unit):
                start = started(window.trigger, ask, None, room, told)
                due = count(window, start.day, room, "none") if start else None
                if start and due:
                    return Trigger(
                        due,
                        f"{long_date(due)}, the {term} ({window.text} after {long_date(start.day)})",
                        (unit, *start.units),
                    )
    return None


def _last_signature(reading: SentencedDocument) -> Trigger | None:
    """Return the last day beside a signature."""
    found = []
    text = reading.text.text
    for d in reading.dates:
        line = text[text.rfind("\n", 0, d.start) + 1 : d.start]
        if _SIGNED.search(line):
            unit = next((u for u in reading.units if u.start <= d.start < u.pieces[-1][1]), None)
            found.append((date.fromisoformat(d.iso), unit))
    if not found:
        return None
    day, unit = max(found, key=lambda t: t[0])
    return Trigger(day, f"{long_date(day)}, the last signature", (unit,) if unit else ())


def rolls(reading: SentencedDocument) -> Unit | None:
    """Return the sentence by which a period that ends on a closed day ends on the next business day."""
    return next((u for u in reading.units if _ROLLS.search(straight(u.text))), None)


def count(window: Window, day: date, room: Room, roll: str, *, back: bool = False) -> date | None:
    """Let the tool count a period from a day; None where it cannot."""
    arguments: dict[str, Any] = {
        "trigger": day.isoformat(),
        f"{window.unit}s": window.n,
        "calendar": CALENDAR,
        "counting": "business" if window.calendar in {"business", "trading"} else "calendar",
        "direction": "before" if back else "after",
        "roll": roll,
    }
    try:
        made = room.job.toolbox.call("deadline", arguments)
    except SolonError:
        return None
    room.log.act(f"Count {window.text} from {day}.", "deadline", arguments, made["due"])
    return date.fromisoformat(made["due"])
