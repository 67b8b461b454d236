"""What makes a period a window: the words before it, the direction and trigger after it, its calendar."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from tasks.legaltext.months import TITLED

Direction = Literal["after", "before", "of"]
Calendar = Literal["calendar", "business", "trading", "clear", "unspecified"]


class Lead(NamedTuple):
    """The cue before the quantity: whether there is one, and the direction it implies ("the next 30 days")."""

    present: bool
    direction: Direction | None


class Tail(NamedTuple):
    """What follows the unit."""

    direction: Direction
    trigger: str
    cue: bool


_LEAD: Final = re.compile(
    r"(?:^|(?<![A-Za-z]))(?P<word>(?:terms?|periods?|duration|minimum|maximum|extension|notice|advance|least|total)\sof|within|for|upon|on|after|before|least|less\sthan|fewer\sthan|more\sthan|later\sthan|"
    r"earlier\sthan|longer\sthan|exceed|exceeding|of|by|every|each|during|in|over|than|until|prior|preceding|previous|past|"
    r"last|final|next|following|subsequent|succeeding|ensuing|initial|additional|further|first|minimum|maximum|up\sto|with|give|"
    r"giving|given|providing|provide|net|another|successive|consecutive|period\sis|term\sis|be|to|or|and|a|the|any|such|such\sother|"
    r"an|about|approximately|only|its|their|this|that|between|from|nor|rolling|trailing|hereby|extended|renewed|"
    r"expires|expire|terminates|continue|lasts|means?|equal\sto|equals|effect|is|are|has|have|full|total|not)"
    r"(?:\s{1,2}(?:a|an|the|any|such|each|another|every|about|approximately|only|a\stotal\sof|of\sthe|least|its|initial|immediately))?[\s(\[]{1,3}$",
    re.IGNORECASE,
)
_BACKWARD: Final = frozenset({"prior", "preceding", "previous", "past", "last", "final", "trailing"})
_FORWARD: Final = frozenset({"next", "following", "subsequent", "succeeding", "ensuing"})
# Leads too weak to make a window without a tail: "a 30 year veteran", "has 20 years of experience".
_WEAK: Final = frozenset(
    {
        *("a", "an", "the", "any", "such", "its", "their", "this", "that", "has", "have", "not", "and", "or", "to"),
        *("with", "about", "approximately", "only", "than", "from", "by", "given", "give", "provide", "providing"),
        *("between", "each", "another", "full", "total", "of", "on"),
    }
)
_NOUN: Final = (
    r"(?:notice|period|periods|term|terms|extension|extensions|deadline|window|grace|cure|renewal|renewals|option|"
    r"limitation|lookback|look-back|lock-up|lockup|moratorium|stay|warranty|tail|cooling-off|standstill|duration|time|"
    r"advance|written\snotice|anniversary|lease|interval|intervals|limit)"
)
_TAIL: Final = re.compile(
    r"(?P<poss>['\u2019\u2018`]s?)?"
    r"(?P<paren>\s{0,2}\([^()]{0,140}\))?"
    r"(?P<noun>\s{1,2}(?:(?:prior|advance|written|initial|renewal|cure|grace|notice|payment|response|review|transition|"
    r"evaluation|trial|warranty|non-renewal|prior\swritten|further|additional|successive|following)\s{1,2}){0,3}"
    + _NOUN
    + r"\b)?"
    r"(?P<aside>,\s[^,;.()\n]{1,60},(?=\s(?:after|before|following|prior|from|of)\b))?"
    r"(?P<tempo>\s{1,2}(?:ago|(?:are|is|be)\sadded|in\swhich\sto|(?:having|have|has|shall\shave)\s(?:elapsed|passed|expired|run)|"
    r"to\s(?:cure|remedy|respond|object|comply|pay|appeal|perform|correct|review|accept|reject)|shall|must|or\s(?:more|less|longer|earlier|later)|in\sadvance|immediately|next|either|period|inclusive|elapsed?|"
    r"beginning|commencing|starting|ending|calculated|measured|counted|counting|running|which\sbegins?|to\s(?:run|commence|begin))"
    r"(?:\s{1,2}(?:on|from|with|upon|at))?(?:\s(?:and\sincluding))?){0,2}"
    r",?\s{0,2}(?P<dir>after|following|subsequent\sto|from\sand\safter|from|since|thereafter|hereafter|later|post|"
    r"before|prior\sto|preceding|in\sadvance\sof|ahead\sof|prior|previously|beforehand|earlier|thereof|hereof|of|"
    r"on\sor\sbefore|upon|until|to)?(?![A-Za-z])",
    re.IGNORECASE,
)
_AFTER: Final = frozenset(
    {
        "after",
        "following",
        "subsequent to",
        "from and after",
        "from",
        "since",
        "thereafter",
        "hereafter",
        "later",
        "post",
    }
)
_BEFORE: Final = frozenset(
    {"before", "prior to", "preceding", "in advance of", "ahead of", "prior", "previously", "beforehand", "earlier"}
)
_START: Final = re.compile(r"\b(?:beginning|commencing|starting|begins?|run|commence|begin|running)\b", re.IGNORECASE)
_AGO: Final = re.compile(r"\bago\b", re.IGNORECASE)
_END: Final = re.compile(r"\bending\b", re.IGNORECASE)
# The comma of "March 1, 2022" ends nothing.
_TRIGGER: Final = re.compile(
    r"(?:[^\n,;:()\[\]]|\((?=s\))|(?<=\(s)\)|\n(?=[a-z])|(?<=[ \d]\d),(?=\s(?:1[5-9]|2[0-2])\d{2}\b)){1,160}"
)
_TRIGGER_STOP: Final = re.compile(
    r"(?:\.(?:\s|$)|\s(?:shall|may|will|must|unless|if|provided|except|then(?![\s-](?:-?current|existing|applicable|effective|outstanding|remaining|scheduled|ongoing|expiring|prevailing))|whichever|either(?!\sparty)|or\suntil|(?:and|or)\swhich|without|pursuant|by\swhich|"
    r"in\swhich|at\swhich|during\swhich|and\s(?:shall|may|will|must|in|to|needs?\snot|need\sonly|does|do|can|cannot)|the\s\w+\s(?:shall|may|will|must))\b)",
    re.IGNORECASE,
)
# "5 days before and 10 days after the Closing": both are counted from the Closing.
_SHARED: Final = re.compile(
    r"(?:and|or)\s(?:.{1,40}?)\s(?:after|before|following|prior to|from)\s(?P<rest>.+)$", re.IGNORECASE
)
_DANGLING: Final = re.compile(r"(?:\s(?:and|or|of|by|to|that|with|for|in|on))+$")
# "will have 30 days to initiate a proposal".
_ALLOWED: Final = re.compile(r"\s(?:(?:with)?in\swhich\s)?to\s(?!the\b|such\b|an?\b|be\b|and\b)[a-z]{3,}")
_LEAD_REACH: Final = 40  # characters before a quantity with the words that lead to it; chosen by eye
_TAIL_REACH: Final = 320  # characters behind it with direction and trigger; chosen by eye
_NOT_WINDOW: Final = re.compile(
    r"['\u2019]?\s{1,2}(?:old\b|of\sage\b|(?:of\s)?(?:\w+\s)?experience\b|of\simprisonment\b)"
    r"|['\u2019-]?old\b"
    # "30-day month", "360-day year": how days are counted, not from what.
    r"|[\s-](?:calendar\s)?(?:years?|months?)(?![A-Za-z])",
    re.IGNORECASE,
)
# "5th day of May", "the 15th day of each month": a day of the calendar, not a period.
_DAY_OF: Final = re.compile(
    rf"\s{{1,3}}(?:of|in)\s{{1,3}}(?:{TITLED}|_|\[|(?:each|every|the|any|such|a|that|said|its|next)\s(?:\w+\s){{0,3}}"
    r"(?:months?|quarters?|years?|weeks?)\b)",
    re.IGNORECASE,
)


def read_calendar(raw: str) -> Calendar:
    """Name the calendar that the words before the unit ask for."""
    words = raw.lower()
    if "clear" in words:
        return "clear"
    if "trading" in words or "exchange" in words:
        return "trading"
    if any(
        word in words
        for word in ("business", "bus.", "bus ", "working", "banking", "court", "target", "government", "london")
    ):
        return "business"
    if any(word in words for word in ("calendar", "calender", "consecutive", "running")):
        return "calendar"
    return "unspecified"


def read_lead(text: str, start: int, end: int) -> Lead:
    """Read the words just before the quantity that runs from ``start`` to ``end``."""
    match = _LEAD.search(text[max(0, start - _LEAD_REACH) : start])
    if match is None:
        return Lead(present=False, direction=None)
    word = " ".join(match["word"].lower().split())
    if word in _BACKWARD:
        return Lead(present=True, direction="before")
    if word in _FORWARD:
        return Lead(present=True, direction="after")
    allowed = word in {"have", "has"} and _ALLOWED.match(text, end) is not None
    return Lead(present=word not in _WEAK or allowed, direction=None)


def read_tail(text: str, end: int, lead: Lead) -> Tail:
    """Read direction and trigger from the words after the unit."""
    match = _TAIL.match(text, end, min(len(text), end + _TAIL_REACH))
    if match is None:
        return Tail(lead.direction or "of", "", cue=False)
    word = " ".join((match["dir"] or "").lower().split())
    tempo = match["tempo"] or ""
    noun = " ".join((match["noun"] or "").split())
    cue = bool(noun or match["poss"] or tempo)
    if _AGO.search(tempo):
        return Tail("before", "", cue=True)
    if _START.search(tempo):
        return Tail("after", _trigger(text, match.end()), cue=True)
    if _END.search(tempo):
        return Tail("before", _trigger(text, match.end()), cue=True)
    if "advance" in tempo.lower() and word in {"", "of"}:
        return Tail("before", _trigger(text, match.end()) if word else "", cue=True)
    if word in {"thereafter", "hereafter", "later"}:
        return Tail("after", "", cue=True)
    if word in _AFTER and not (word == "from" and lead.direction == "before"):
        return Tail("after", _trigger(text, match.end()), cue=True)
    if word in _BEFORE:
        return Tail("before", _trigger(text, match.end()), cue=True)
    if noun and "notice" in noun.lower():
        ahead = re.search(r"\b(?:prior|advance)\b", noun, re.IGNORECASE) is not None
        named = re.sub(r"^(?:(?:prior|advance)\s)+", "", noun, flags=re.IGNORECASE)
        return Tail("before" if ahead else "of", named, cue=True)
    if lead.direction:
        return Tail(lead.direction, _trigger(text, match.end()) if word in {"of", "from"} else "", cue=True)
    if word in {"of", "upon"}:
        if text[end - 13 : end].lower().endswith(("anniversary", "anniversaries")):
            return Tail("after", _trigger(text, match.end()), cue=True)
        return Tail("of", _trigger(text, match.end()), cue=cue)
    return Tail("of", "", cue=cue)


def is_window(text: str, match: re.Match[str], lead: Lead, tail: Tail, *, ordinal: bool) -> bool:
    """Decide whether a counted unit is a window at all."""
    if _NOT_WINDOW.match(text, match.end()):
        return False
    if ordinal:
        if _DAY_OF.match(text, match.end()):
            return False
        return tail.direction != "of" or (match["unit"].lower().startswith("anniversar") and bool(tail.trigger))
    kind = read_calendar(match["calendar"])
    of_its_kind = kind in {"business", "trading", "clear"} or (
        kind == "calendar" and match["unit"].lower().startswith("day")
    )
    return lead.present or tail.cue or of_its_kind


def _trigger(text: str, start: int) -> str:
    """Quote the words that name the event, up to a clause boundary or a modal verb."""
    while start < len(text) and text[start].isspace():
        start += 1
    match = _TRIGGER.match(text, start)
    if match is None:
        return ""
    raw = match[0]
    stop = _TRIGGER_STOP.search(raw)
    words = (raw[: stop.start()] if stop else raw).split()
    quoted = " ".join(words[:14]).rstrip(". ;\u037e")
    shared = _SHARED.match(quoted)
    return _DANGLING.sub("", shared["rest"] if shared else quoted).rstrip(". ;\u037e")
