"""The old and the new value, by the form of the words between them, or the one value that a piece gives."""

from __future__ import annotations

import re
from dataclasses import replace

from tasks.asks.changing.piece import BriefPiece, tail
from tasks.asks.changing.record import Change
from tasks.asks.changing.words import CAPITALISED, CHANGES, LAW_OR_COURT, OPENS, QUOTED, SUM, VALUE, targets
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE

_UNIT = re.compile(r"\b(?:day|week|month|quarter|year)s?\b", re.I)
_BARE_END = re.compile(r"\b\d[\d.,]*k?\s*$", re.I)
_ARROW = re.compile(r"\s*(?:->|=>|→|>>)\s*")
# Where the two values of a change stand; the first form that fits is the one that is meant.
FORMS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"\bsubstitut\w+\s+(?P<new>.+?)\s+for\s+(?P<old>.+)$",
        rf"\bsubstitut\w+\s+(?P<old>{QUOTED})\s+(?:with|by)\s+(?P<new>{QUOTED})",
        rf"\bwherever (?:it|they) (?:says?|reads?)\s+(?P<old>{QUOTED}),?\s+"
        rf"(?:say|put|write|use|read)\s+(?P<new>{QUOTED})",
        r"\bfrom\s+(?P<old>.+?)\s+to\s+(?P<new>.+)$",
        r"^(?P<old>.+?)\s+(?:has been|have been|was|were|is|is now|are)\s+(?:renamed|(?:now )?called)\s+(?P<new>.+)$",
        r"^(?P<old>.+?)\s+(?:should|shall|must|is to|are to)\s+"
        r"(?:become|read|be replaced (?:by|with))\s+(?P<new>.+)$",
        r"\bnot\s+(?P<old>.+?),?\s+but\s+(?P<new>.+)$",
        r"(?P<new>.+?),?\s+(?:instead of|rather than|in place of|in lieu of|as opposed to|(?:and |but )?not)\s+"
        r"(?P<old>.+)$",
        rf"\b(?:{CHANGES}|rename)\s+(?P<old>[^\x01]*?{QUOTED}[^\x01]*?)\s(?:with|to(?: read)?|by|as)\s(?P<new>.+)$",
        rf"^(?P<old>[^\x01]*?{QUOTED}[^\x01]*?)\s"
        rf"(?:becomes?|should (?:read|be)|must (?:read|be)|to read|to be)\s(?P<new>.+)$",
        r"(?P<new>.+?)[\s,(]+(?:up |down )?from\s+(?P<old>.+)$",
        r"\b(?:rename|replace)\s+(?P<old>.+?)\s+(?:with|by|as|to)\s+(?P<new>.+)$",
        rf"\b(?:{CHANGES}|make)\s+(?P<told>.+?)\s+(?:to|at)\s+(?P<new>.+)$",
        rf"\bmake\s+(?P<told>[^\x01]+?)\s+(?P<new>{SUM}.*)$",
        rf"^(?P<told>[^\x01]+?)\s+(?:should|must|ought to|needs? to)\s+be\s+"
        rf"(?:(?-i:[a-z]+)\s+){{0,3}}?(?P<new>{SUM}.*)$",
        r"\b(?:becomes?|to be|should be|must be|is to be|to read|goes (?:up |down )?to)\s+(?P<new>.+)$",
        r"(?P<new>.+?)\s+(?:should|shall|must|is to|are to|to)\s+(?:prevail|control|govern|apply)\b",
        r"(?<=\s)to\s+(?P<new>(?-i:[A-Z$€£\d\x01]).*)$",
    )
)
_NO_NAME = re.compile(r"(?:he|she|it|they|her|his|its|their|our|the|this)\b|.*\bname$", re.I)
_BOUND = re.compile(r"\b(?:minimum|maximum|at least|at most|no (?:more|less) than|up to)\b", re.I)
_RENAME = re.compile(r"\b(?:renamed?|called|replaced?|change|substitute|becomes?|read|say)\b", re.I)
_NAMED = re.compile(CAPITALISED)
_OLD = re.compile(rf"\W*(?:(?:the|a|an|any|its|current|present|words?)\s+){{0,3}}(?:(?i:net)\s+)?(?:{VALUE.pattern})")
_UNTOLD = re.compile(r"\s*(?:the (?:figure|amount|number|period|rate|sum|date)|what|whatever)\b[^\d\x01]*$", re.I)
_BEFORE_OLD = re.compile(
    r"\b(?:instead of|rather than|in place of|from|not|currently|at present|was|were|now)\s*$", re.I
)


def by_arrow(piece: BriefPiece, hidden: str, base: Change) -> Change | None:
    """Return the change of "six months -> twelve months"."""
    arrow = _ARROW.search(hidden)
    if arrow is None:
        return None
    before = [(a, b) for a, b in piece.values(hidden) if b <= arrow.start()]
    bare = _BARE_END.search(hidden[: arrow.start()])
    if before and not hidden[before[-1][1] : arrow.start()].strip(" ()"):
        start = before[-1][0]
    elif bare:  # "grace period 5 -> 10 days"
        start = bare.start()
    else:
        start = max((m.end() for m in re.finditer(r"[:,;]\s*|^\s*", hidden[: arrow.start()])), default=0)
    old, new = piece.plain[start : arrow.start()].strip(" \"'"), piece.plain[arrow.end() :].strip(" .;,\"'")
    if not old or not new:
        return None
    quoted = "\x01" in hidden[start : arrow.start()]
    return replace(base, kind="replace", old=old, new=new, what=hidden[:start].replace("\x01", ""), quoted=quoted)


def by_one_value(piece: BriefPiece, hidden: str, base: Change) -> Change | None:
    """Return the change of a piece that names a thing and one value that it is to have: "cure period 30 days"."""
    if not piece.asks() or "\x01" in hidden or _BOUND.search(hidden):
        return None
    values = list(piece.values(hidden))
    if len(values) == 1:
        start, end = values[0]
        end += len(tail(hidden[end:]))
        rest = f"{hidden[:start]} {hidden[end:]}"
        if _BEFORE_OLD.search(hidden[:start]) or not (base.place or targets(rest)):
            return None
        return replace(base, kind="replace", new=piece.plain[start:end], what=rest)
    named = LAW_OR_COURT.search(hidden) if not values else None
    if named and not _BEFORE_OLD.search(hidden[: named.start()]):
        return replace(base, kind="replace", new=piece.plain[named.start() : named.end()], what=hidden)
    return None


def single_value(told: str) -> str:
    """Return the one value that words give, "a week" included; empty where they give none or several."""
    said = re.sub(r"\ban?\s+(?=(?:day|week|month|quarter|year)\b)", "one ", told)
    figures = scan_numbers(re.sub(r"(?<=[a-z])'s\b", "", said))
    return f"{figures[0].text}" if len(figures) == 1 else ""


def by_form(piece: BriefPiece, match: re.Match[str], base: Change) -> Change | None:
    """Return the change of a form whose values are values."""
    names = match.re.groupindex
    raw = match["new"]
    if not VALUE.search(raw) or ("old" in names and not (_OLD.match(match["old"]) or _UNTOLD.match(match["old"]))):
        return None
    told = "told" in names and bool(re.search(r"\w", match["told"]))
    if "old" not in names and not (
        base.place
        or told
        or _RENAME.search(match[0])
        or OPENS.search(piece.masked)
        or "to be" in match[0]
        or (targets(piece.masked[: match.start("new")]) and piece.asks())
    ):
        return None
    old, new = (piece.value(match, n) for n in ("old", "new"))
    old = "" if "old" in names and _UNTOLD.match(old) else re.sub(r"\s+only$", "", old)
    said = piece.said(match, "told")
    if (number := re.search(rf"{SUM}.*$", said, re.I)) and _UNIT.search(number[0]):
        old = number[0]  # "change six months to twelve"
    unit = _UNIT.search(old)
    new = f"{new} {unit[0]}" if unit and re.fullmatch(rf"(?:\d+|{CARDINAL_PHRASE})", new, re.I) else new
    left = piece.masked[: match.start()] + " " + (piece.said(match, "told") + " " if "told" in names else "")
    what = f"{left} {match[0] if 'told' not in names else ''}".replace("\x01", "")
    quoted = "old" in names and "\x01" in match["old"]
    renamed = bool(re.search(r"\brenamed?\b|\bcalled\b|\bname\b", piece.masked, re.I)) or (
        not base.place and not quoted and bool(_RENAME.match(match[0])) and old[:1].isupper() and new[:1].isupper()
    )
    if renamed and not quoted and _NO_NAME.match(old):
        old = ""  # "her company is now called"
    if renamed and not quoted and re.search(r"\s[a-z]{2,}", old) and (name := _NAMED.match(old)):
        old = name[0]  # "Acme has converted and" is now called
    every = base.every or (renamed and bool(old))
    return replace(base, kind="replace", old=old, new=new, what=what, quoted=quoted, every=every, renamed=renamed)
