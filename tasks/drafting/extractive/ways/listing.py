"""Whole lists that typed facts of the papers answer: all that somebody must do, and all days and periods."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.stated import span_of, told
from tasks.legaltext.fold import straight

_WHO = r"(?:the |our |mr\.? |mrs\.? |ms\.? |dr\.? )?(?P<who>[\w&.'-]+(?: [\w&.'-]+){0,3}?)"
_OPENS = r"^\W*(?:and |also |then |please |so )*"
_LIST = r"(?:(?:list|what are|which are|summari[sz]e|set out|give me|state|tell me) )?(?:all |every |of |the |our )*"
_OWED = r"(?:obligations?|duties|undertakings?)"
_DUTIES = (
    re.compile(
        rf"{_OPENS}(?=list|what|which|summ|set|give|state|all|every){_LIST}(?:\w+ )?{_OWED}\b(?: (?:of|on|for) {_WHO})?"
        r"(?= (?:under|in|to|towards|owed|set|by)\b|\W|$)",
        re.I,
    ),
    re.compile(rf"{_OPENS}{_LIST}{_WHO}(?:'s|s') {_OWED}(?= (?:under|in|set|by)\b|\W*$)", re.I),
    re.compile(
        rf"{_OPENS}what (?:else |all )?(?:must|does|do|should|has|have) {_WHO} (?:have to |need to |to )?do"
        r"(?=[,;(]|\s*$|\W+(?:under|by when|with dates))",
        re.I,
    ),
    re.compile(
        rf"{_OPENS}(?:\w+ )?(?:\w+ )?(?:everything|list of what)(?: that)? {_WHO} (?:must|has to|have to) do\b", re.I
    ),
)
_DATES = re.compile(
    rf"{_OPENS}{_LIST}(?:key |important |main |critical |relevant )?(?:dates|deadlines|time limits)"
    r"(?: (?:of|in|under|from) (?:the|this|each|every|that|its) [\w ]{1,40})?\W*$",
    re.I,
)
_MUST = re.compile(
    r"\b(?:shall|must|will|agrees? to|undertakes? to|covenants? to|is (?:required|obliged|obligated) to)\b", re.I
)
_BY = re.compile(r"\bby (?:the )?(?P<who>[\w&.'-]+(?: [\w&.'-]+){0,2})", re.I)
_ANYBODY = frozenset(
    ("we", "us", "they", "everybody", "everyone", "each", "party", "parties", "both", "you", "he", "she")
)
_PLAIN = frozenset(("the", "of", "and", "inc", "llc", "ltd", "corp", "company", "mr", "mrs", "ms", "dr", "our"))
_MOST = 16  # sentences that are shown of one paper
_WORDS = 45  # of a sentence that are shown
_NEAR = 6  # words before the words of force that may name who must
_BEFORE = 90  # characters before the words of force in which the one who must is named


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """List what somebody must do, or the days and periods of the papers; None where no such list is asked for."""
    words = straight(ask.words)
    who = _who(words)
    if who in _ANYBODY:  # "what must she do": who that is, the ask tells as it is understood
        who = _who(straight(ask.subject)) or who
    dates = who is None and _DATES.search(words) is not None
    if who is None and not dates:
        return None
    units: list[Unit] = []
    entries: list[Entry] = []
    for reading in room.of(ask):
        found = list(_timed(reading, room) if dates else _owed(reading, _called(who or "", reading, room)))[:_MOST]
        units += found
        entries += [_entry(unit) for unit in found]
    if not entries:
        return None
    room.log.look_up(f"List for: {ask.words}", "date_scan", {"ask": ask.ask_id}, f"{len(entries)} found")
    return told(ask, entries, units)


def _who(words: str) -> str | None:
    """Return whose duties are asked for; empty for anybody's, None if no such list is asked for."""
    found = (m["who"] or "" for pattern in _DUTIES if (m := pattern.search(words)))
    return next((who for who in found if "which" not in who.split()), None)


def _called(who: str, reading: SentencedDocument, room: Room) -> frozenset[str]:
    """Return the words by which a paper calls somebody: those of the ask, and the names and roles of that party."""
    asked = {w for w in re.findall(r"[a-z]{2,}", who.lower()) if w not in _PLAIN}
    if not asked or asked <= _ANYBODY:
        return frozenset()
    state = next((d for d in room.job.state.documents if d.document == reading.document), None)
    names = [
        {w for n in (p.name, *p.aliases) for w in re.findall(r"[a-z]{2,}", n.lower())}
        for p in (state.parties if state else ())
    ]
    own = next((n for n in names if asked & n - _PLAIN), set())
    return frozenset((asked | own) - _PLAIN)


def _owed(reading: SentencedDocument, who: frozenset[str]) -> Iterator[Unit]:
    """Yield the sentences in which the person must do something; all duties if no one is named."""
    for unit in reading.units:
        text = straight(unit.text)
        for force in _MUST.finditer(text):
            before = re.findall(r"[a-z]{2,}", text[max(0, force.start() - _BEFORE) : force.start()].lower())
            after = _BY.search(text, force.end())
            named = before[-_NEAR:] + re.findall(r"[a-z]{2,}", after["who"].lower() if after else "")
            if (not who and before) or who & {*named, *(n.rstrip("s") for n in named)}:
                yield unit
                break


def _timed(reading: SentencedDocument, room: Room) -> Iterator[Unit]:
    """Yield the sentences that hold a day or a period of the inventory, in reading order."""
    state = next((d for d in room.job.state.documents if d.document == reading.document), None)
    starts = [*(d.start for d in state.dates), *(w.start for w in state.windows)] if state else []
    for unit in reading.units:
        if any(unit.start <= start < unit.pieces[-1][1] for start in starts):
            yield unit


def _entry(unit: Unit) -> Entry:
    words = unit.text.split()
    said = " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
    return Entry(
        document=unit.document, state=AskState.ANSWERED, answer=f"“{said}”", support=(span_of(unit),), certain=False
    )
