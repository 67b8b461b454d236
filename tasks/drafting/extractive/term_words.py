"""The words by which a clause says when a term begins and ends: by a day, by a length, or by an event."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.drafting.extractive.units import Unit
from tasks.legaltext import months
from tasks.legaltext.dates.values import LONGEST_PERIOD
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import words_to_int
from tasks.legaltext.records import Window
from tasks.legaltext.windows.scan import scan_windows

_EXPIRES_BEFORE = re.compile(
    r"(?:\b(?:until|through|thru|expir\w*|terminat\w*|ends?|ending|up to|to and including"
    r"|no(?: event)? later than|not later than|on or before|to"
    r"|extended)\b|[-–—])\W*(?:\w+\W+){0,7}$",
    re.I,
)
_BEGINS = re.compile(
    r"\b(?:take effect|takes effect|commenc\w*|begin\w*|start\w*|effective|dated|entered into)\b", re.I
)
_ENDS = re.compile(r"\b(?:until|through|thru|expir\w*|terminat\w*|end(?:s|ing)?|up to|extend\w*)\b", re.I)
_ANNIVERSARY = re.compile(
    r"\b(?P<n>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th)) "
    r"(?:\(\w+\) )?(?:annual )?anniversary"
    r"|\b(?P<years>\w+)(?: \(\d{1,2}\))?[ -]year anniversary",
    re.I,
)
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NOT_THE_TERM = re.compile(
    r"\b(?:renew\w*|extend|extension|additional|successive|notice|prior|confidential\w*)\b", re.I
)
_PART_OF_IT = re.compile(r"\b(?:first|last|final)\s+$", re.I)  # "the first two months of the term" are no term
_INTERIM = re.compile(r"\b(?:notice|cure|breach|prior to|within|remed|default)\b", re.I)
_EVENT = re.compile(
    r"\b(?:continu\w*|remain\w*|expir\w*|terminat\w*|ends?|extend\w*|valid|effective|in (?:full )?(?:force|effect)"
    r"|term)\b[^.;]{0,140}?"
    r"\b(?P<end>(?:until|upon|so long as|as long as|through|for (?:a|an|the|\w+ \(\w+\) \w+|\w+ years?))\b[^;]+)",
    re.I,
)
# The agreement or its term is the subject, and the verb is one of lasting or ending.
_LASTS = re.compile(
    r"\b(?:this |the |initial )(?:\w+ ){0,3}(?:agreement|contract|lease|licen[sc]e|amendment|term)\b(?! or\b)"
    r"[^;]{0,90}?"
    r"\b(?:shall|will|is|are)\b(?! not\b)[^;]{0,100}?"
    r"\b(?:continue|remain|extend|expire|end|run|be (?:valid|effective|in (?:full )?(?:force|effect))|valid|effective"
    r"|(?:term|duration|period) of)\b[^;]{0,60}?\b(?:until|through|for|on|upon|to|of|as long as|so long as)\b",
    re.I,
)
_NO_TERM = re.compile(r"\b(?:renew\w*|surviv\w*|notwithstanding|confidential\w*|warrant\w*|insurance|prevail)\b", re.I)
_ASIDE = re.compile(r",? (?:unless|except|provided|subject to)\b|\s*\((?:the )?[\"“]|\.(?:\s|$)", re.I)
_EVENT_WORDS = 22  # of the clause that says when a term ends
_AROUND, _LEAD = (50, 40), 60  # characters around and before a period that tell whether it is the term; chosen by eye
# From what a length runs, where that is an event with a name: "ten years from the Launch".
_FROM_EVENT = re.compile(
    r"\W*(?:from|after|following|of)\s+(?:the\s+)?(?:date of (?:the )?)?(?P<event>[A-Z]\w+(?: [A-Z]\w+)*)"
)
_OWN_DAYS = re.compile(
    rf"(?:{months.TITLED}|effective|commencement|execution|signing|agreement|contract|lease|this|date)\b", re.I
)
_LATEST = re.compile(
    r"\b(?:longer|later|latest|longest) (?:of|to occur)\b|\bwhichever (?:is|comes|occurs) (?:later|longer|last)", re.I
)
_EARLIEST = re.compile(
    r"\b(?:shorter|earlier|earliest|sooner) (?:of|to occur)\b"
    r"|\bwhichever (?:is|comes|occurs) (?:earlier|sooner|first|shorter)|\bbut (?:in no event|no|not) later than\b",
    re.I,
)


def says_how_long(text: str) -> bool:
    """Tell whether a sentence says how long the agreement lasts: that is what it is about."""
    return bool(_LASTS.search(text)) and not _NO_TERM.search(text[:240])


def ends_here(before: str) -> bool:
    """Tell whether the words before a day make it the end of something: what it begins by does not count."""
    begun = [m.end() for m in _BEGINS.finditer(before)]
    return bool(_EXPIRES_BEFORE.search(before[begun[-1] if begun else 0 :]))


def after_its_end(before: str) -> str:
    """Return the words before a day without those that speak of an end: they make it no beginning."""
    ended = [m.end() for m in _ENDS.finditer(before)]
    return before[ended[-1] :] if ended else before


def lengths(unit: Unit) -> Iterator[tuple[int, str, str, str]]:
    """Yield the possible lengths of the term: how many, of which unit, the words behind, and those around it."""
    for match in _ANNIVERSARY.finditer(unit.text):
        n = _count(match)
        if n:
            yield n, "year", unit.text[match.end() : match.end() + 90], unit.text[match.end() : match.end() + 60]
    for window in scan_windows(unit.text):
        if _may_be_term(unit.text, window):
            yield window.n, window.unit, unit.text[window.end : window.end + 90], unit.text
    for figure in scan_numbers(unit.text) if among_several(unit.text) else ():  # "the longer of three years and …"
        if figure.kind == "duration" and figure.unit in {"year", "month"} and figure.value == int(figure.value):
            yield int(figure.value), figure.unit, unit.text[figure.end : figure.end + 90], unit.text


def _count(match: re.Match[str]) -> int:
    word = (match["n"] or match["years"]).lower()
    if word in _ORDINALS:
        return _ORDINALS.index(word)
    digits = re.sub(r"\D", "", word)
    return int(digits) if digits else words_to_int(word) or 0


def _may_be_term(text: str, window: Window) -> bool:
    if window.unit not in {"year", "month", "day", "week"} or not 0 < window.n <= LONGEST_PERIOD:
        return False
    around = text[max(0, window.start - _AROUND[0]) : window.end + _AROUND[1]]
    if _PART_OF_IT.search(text[: window.start]) and re.match(r"\s+of (?:the|this|its) ", text[window.end :]):
        return False
    if window.unit in {"day", "week"} and _INTERIM.search(around):
        return False
    return not _NOT_THE_TERM.search(text[max(0, window.start - _LEAD) : window.start])


def starting_event(behind: str) -> str:
    """Return the event from which a length runs, by the words behind it; empty where it is a day of the agreement."""
    match = _FROM_EVENT.match(behind)
    return match["event"] if match and not _OWN_DAYS.match(match["event"]) else ""


def from_what(behind: str) -> str:
    """Return what a length runs from, by the words behind it: a defined day of the agreement, or an event."""
    match = _FROM_EVENT.match(behind)
    return match["event"] if match else ""


def among_several(text: str) -> str:
    """Return what a clause makes of a day that is one of several ends; empty where it names one end alone."""
    if _LATEST.search(text):
        return "The clause takes the later of several ends: this day at the earliest."
    return "The clause takes the earlier of several ends: this day at the latest." if _EARLIEST.search(text) else ""


def event_end(text: str) -> str:
    """Return the words of a clause that say by which event or after what length a term ends; empty where none do."""
    match = _EVENT.search(text)
    if match is None:
        return ""
    said = match["end"]
    aside = _ASIDE.search(said)
    words = said[: aside.start() if aside else None].strip(" ,.").split()
    return " ".join(words[:_EVENT_WORDS]) + (" …" if len(words) > _EVENT_WORDS else "") if len(words) > 2 else ""
