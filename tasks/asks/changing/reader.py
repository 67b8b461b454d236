"""How a piece of a brief is read as one change.

A piece names a place, an old value, a new one, and the thing that has it, in any order. The values are known by what
they are (a figure, a day, a name, quoted words), the old one by the words before it ("instead of", "from", "not").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from tasks.asks.changing.pairs import FORMS, by_arrow, by_form, by_one_value, single_value
from tasks.asks.changing.piece import BriefPiece, tail
from tasks.asks.changing.record import Change
from tasks.asks.changing.words import COMPANY, QUOTED, VERBS, WANTED, targets
from tasks.legaltext.numbers.scan import scan_numbers

_LONGEST = 2_500  # characters of a piece with the wording that it quotes; longer ones instruct nothing
_NUMBER = r"\d{1,3}(?:\.\d{1,3})*(?:\([a-z\d]{1,4}\))*"
_PLACE = re.compile(
    rf"(?:\b(?:in|under|of|at|within|from)\s+)?(?:\b(?:section|clause|article|paragraph|sec[.\x02]|para[.\x02]?|cl[.\x02]"
    rf"|s[.\x02])|§)\s*"
    rf"(?P<number>{_NUMBER}|[IVXLC]+)(?![\w%])|\b(?:in|under|of|strike|delete|remove)\s+"
    rf"(?P<bare>\d{{1,3}}(?:\.\d{{1,3}})+(?:\([a-z\d]{{1,4}}\))*|\d{{1,3}}(?:\([a-z\d]{{1,4}}\))+"
    r")(?![\w%]|\s(?:%|percent))|(?<!instead )(?<!in place )(?<!in lieu )\b(?:in|under|of)\s+(?P<whole>\d{1,2})"
    r"(?=\s+(?:to|from|becomes)\b|\s*(?:[,:;]|[.)]?$))"
    r"|(?:\b(?:(?:add|insert)\s+to|after|before|take out)\s+|^\W*)(?P<late>\d{1,3}(?:\.\d{1,3})*(?:\([a-z\d]{1,4}\))+"
    r"|\d{1,3}(?:\.\d{1,3})+)"
    r"(?=\s*(?:[:,.]|$))",
    re.I,
)
# A limb of a clause: "limb d. from section 3", "item C of clause 5", "16 B".
_LIMB = re.compile(
    r"\b(?:item|limb|letter|point|part|paragraph|para[.\x02]?|sub-?(?:clause|section|paragraph))\s+\(?(?P<limb>[A-Za-z])\)?"
    r"[.\x02]?\s+"
    rf"(?:of|from|in|under|to)\s+(?:the\s+)?(?:(?:section|clause|article|paragraph)\s+)?(?P<of>{_NUMBER})(?![\w%])"
    rf"|\b(?:(?:section|clause|article|paragraph)\s+)?(?P<number>(?<![$€£\d.,]){_NUMBER})\s?\(?(?P<letter>(?-i:[A-Z]))\)?"
    r"(?=\s*(?:[,.;:]|$)|\s+(?:mutual|reciprocal|to|by|with|and|should|must)\b)",
    re.I,
)
_MUTUAL = re.compile(r"\b(?:mutual|reciprocal|two-way|both ways|bilateral)\b", re.I)
_IDLE = re.compile(
    r"^(?:keep|leave|do not|don't|nothing else|no other|make no other|deliver(?:s|ed|ables?)?|output|attached"
    r"|we(?: act|'re| are)|(?:tell|advise) (?:me|us|them|her|him)|let (?:me|us|them|her|him) know|explain)\b"
    r"|^[^\x01]*\b(?:stays|remains|stands)\b[^\x01]*$"
    r"|^[^\x01]*\b(?:track(?:ed)? changes?|redline|mark(?:ed)?[ -]?up|black-?line)\b(?![^\x01]*\bto\s+(?:"
    + VERBS
    + r")\b)"
    r"[^\x01]*$",
    re.I,
)
_LEAD = re.compile(
    r"^(?:[-*•]|\(?\d{1,2}[.)](?!\d)|\([a-z]\))?\s*(?:(?:also|then|so|please|and|but|to|you should|we need to|by)\s+)*",
    re.I,
)
_ALL = re.compile(r",?\s+(?:throughout|everywhere|wherever (?:it|they) (?:appears?|occurs?))\b[^\x01]*$", re.I)
# What an instruction says is to stay: it tells no place and no value of the change.
_LEFT = re.compile(
    r"\(\s*(?:but )?(?:leave|leaving|keep|keeping|not |do not|the other|the second|the first)[^()\x01]*\)"
    r"|(?:(?<=[,;–-])\s{0,3}|^)(?:but\s|and\s)?(?:leave|leaving|keep|keeping)\b[^()\x01]*$",
    re.I,
)
_EACH = re.compile(
    r"\b(?:all|each|every) (?:references?|mentions?|occurrences?)\b|\bwherever (?:it|they) (?:says?|reads?)\b", re.I
)
_REASON = re.compile(
    r"(?:,\s+|\s+[-–—]\s+)(?:as|since|because|for|the client|our|we|they|he|she|it|this|that)\b[^\x01]*$", re.I
)
_STRIKES = re.compile(r"\W*(?:delete|strike|remove|drop|take out|get rid of)\b", re.I)
_MAKE_IT = re.compile(r"^(?P<told>.{3,}?)[:,;–-]\s*(?:please\s+)?make (?:it|that|this|them)\s+(?P<new>.+)$", re.I)
_LABELLED = re.compile(r"[^\x01:]{3,60}:\s+[^\x01]*\d")  # "Fee: minimum 12%, maximum 25%"
_DELETE = re.compile(
    r"(?:^|[\s,])(?:delete|strike|remove|drop|take out|get rid of|lose|eliminate)(?:\s+out)?\s+(?P<what>.*)$", re.I
)
_GOES = re.compile(
    r"^(?P<what>[^\x01]{3,120}?)(?:\s+(?:is|are|gets?|to be|should be|must be|can be|needs? to be)"
    r"\s+(?:all\s+)?(?:deleted|struck|removed|dropped|taken out|out)"
    r"|\s+(?:has to|have to|must|should|can|needs? to)\s+(?:go|come out)"
    r"|\s+(?:goes|comes out)|\s*[:–-]+\s*(?:delete|strike|out|remove|take (?:it )?out|drop))"
    r"\s*(?:altogether|entirely|completely|please)?\s*$",
    re.I,
)
_INSERT = re.compile(
    rf"\b(?:insert|add|say(?: so)?|put)\s+"
    rf"(?P<at>(?:after|following|at the end of|to the end of|before|to|in|as)\s[^\x01]*(?:{QUOTED})?"
    rf"[^\x01]*?)[,:]?\s*(?<!\x01)(?P<last>{QUOTED})\s*$"
    rf"|\b(?:insert|add)\b[^\x01]*?(?P<new>{QUOTED})(?P<after>[^\x01]*(?:{QUOTED})?[^\x01]*)$"
    rf"|(?P<before>\b(?:after|following|at the end of|to the end of|before|to|in)\s[^\x01]*(?:{QUOTED})?[^\x01]*?)"
    rf"[,:]?\s*\b(?:insert|add|the following)\b[^\x01]*(?<!\x01)(?P<late>{QUOTED})\s*$",
    re.I,
)
# A rule that is told, not quoted: "add to section 2.3 that any increase needs sixty days' notice".
_ADD_THAT = re.compile(
    r"^(?:(?:in|to|under|at)\s[^\x01,]{1,40},?\s+)?(?:add|insert|include|provide|say)\b(?P<at>[^\x01]{0,120}?)\s+that\s+(?P<new>[^\x01]*?"
    r"\b(?:shall|must|may|will|can|cannot|needs?|requires?|is|are|has to|have to)\b[^\x01]+)$",
    re.I,
)
_OF_OURS = re.compile(r"\b(?:we|us|ours?|they|them|theirs?|it|its|you|yours?|I|my|me|he|she|his|her)\b", re.I)
_IN_A_CONTRACT = (("needs?", "requires"), ("must|has to|have to", "shall"))
_POINTS = re.compile(
    r"\b(?:points?|items?|comments?|requests?|asks?|proposals?|numbers?|nos?[.\x02]?)\s*"
    r"(?P<numbers>\(?\d{1,2}\)?(?:\s*(?:,|and|&|to|through|[-–]|, and)\s*\(?\d{1,2}\)?){0,8})(?![\d.,%$]*\d)",
    re.I,
)
_TAKES = re.compile(
    r"\b(?:take in|accept(?:ed)?|agreed?|adopt|incorporate|include|implement|fine|okay|ok|go with|put in|yes)\b",
    re.I,
)
_REFUSES = re.compile(
    r"\b(?:refuse\w*|reject\w*|decline\w*|disagree|no to|(?:not|n't|cannot|never) (?:accept\w*|agreed?|take))\b", re.I
)
_LABEL = re.compile(r"\W*(?P<label>[^\x01:]{3,60}?)\s*(?::|\s[-–—]{1,2})\s")
_AS_NEW = re.compile(
    r"\b(?:as|(?:a )?new)\s+(?:a\s+)?(?:new\s+)?(?:section|clause|article|paragraph)\s+"
    r"(?P<number>\d{1,3}(?:\.\d{1,3})*)",
    re.I,
)


def read_change(masked: str, plain: str, start: int, end: int, *, wanted: bool = False) -> Change:
    """Read one piece of a brief.

    Args:
        masked: The brief with its quotations hidden.
        plain: The brief.
        start: Where the piece begins.
        end: Where it ends.
        wanted: What the piece states is what is to be: "so that invoices are payable within 60 days".
    """
    lead = _LEAD.match(masked[start:end])
    start += lead.end() if lead else 0
    while end > start and masked[end - 1] in " .,:;\n" and not COMPANY.search(masked[start:end]):
        end -= 1
    end += masked[end : end + 1] == "." and bool(COMPANY.search(masked[start:end]))  # the stop of "Inc."
    return replace(_read(masked[start:end], plain[start:end], wanted), start=start, end=end)


@lru_cache(maxsize=1024)  # a piece is read again while it is looked for where it ends
def _read(masked: str, plain: str, wanted: bool) -> Change:
    base = Change(plain, 0, len(plain), "none")
    if len(masked) > _LONGEST or not re.search(r"[a-z\x01]{3}", masked, re.I) or _IDLE.search(masked):
        return base
    return _read_piece(BriefPiece(masked, plain, base, wanted))


def _read_piece(piece: BriefPiece) -> Change:
    if (pointed := _POINTS.search(piece.masked)) and (stance := _stance(piece.masked)):
        rest = " " * pointed.end() + piece.masked[pointed.end() :]
        own = [piece.plain[a:b] + tail(piece.plain[b:]) for a, b in piece.values(rest)]
        numbers = tuple(_numbered(pointed["numbers"]))
        return replace(piece.base, kind=stance, points=numbers, new=own[0] if len(own) == 1 else "")
    limb = _LIMB.search(piece.masked)
    told = _PLACE.search(piece.masked)
    place = next(filter(None, told.groups())) if told else ""
    place = f"{limb['of'] or limb['number']}({limb['limb'] or limb['letter']})" if limb else place
    every = bool(_ALL.search(piece.masked) or _EACH.search(piece.masked))
    base = replace(piece.base, place=place, every=every)
    body = _LEFT.sub(_blanks, _ALL.sub(_blanks, piece.masked))
    body = _REASON.sub(_blanks, body) if _STRIKES.match(body) else body
    if inserted := _INSERT.search(body):
        return _inserted(piece, inserted, base)
    told_rule = _ADD_THAT.match(body.strip())
    if told_rule and not _OF_OURS.search(told_rule["new"]):
        return replace(base, kind="insert", new=_as_ruled(told_rule["new"]), what=told_rule["at"].strip(), told=True)
    hidden = _LIMB.sub(_blank, body)
    hidden = _PLACE.sub(_blank, hidden)
    if _MUTUAL.search(hidden) and re.search(r"\b(?:make|mirror|should|must|be)\b", hidden, re.I):
        told_of = re.sub(rf"\b(?:{VERBS}|be|should|must)\b", " ", _MUTUAL.sub(" ", hidden), flags=re.I)
        return replace(base, kind="mutual", what=" ".join(told_of.split()))
    shown = replace(
        piece, plain="".join(p if h == m else h for p, h, m in zip(piece.plain, hidden, piece.masked, strict=True))
    )
    return _changed(shown, hidden, body, base)


def _changed(piece: BriefPiece, hidden: str, body: str, base: Change) -> Change:
    """Read a piece whose places are hidden: by the form of its words, else by the one value that it tells."""
    if change := by_arrow(piece, hidden, base):
        return change
    if (gone := _GOES.match(hidden)) and not scan_numbers(gone["what"]):
        return _struck(piece, gone, base)
    if (made := _MAKE_IT.match(hidden)) and (was := single_value(made["told"])):
        new = piece.plain[made.start("new") : made.end("new")].strip(" .,;")
        return replace(base, kind="replace", old=was, new=new, what=made["told"])
    for form in FORMS:
        for match in form.finditer(hidden):
            if change := by_form(piece, match, base):
                return change
    if (struck := _DELETE.search(hidden)) and re.search(r"\w|\x01", struck["what"] + base.place):
        return _struck(piece, struck, base)
    if change := by_one_value(piece, hidden, base):
        return change
    wants = re.search(rf"\b(?:{VERBS})\b", body, re.I) or WANTED.search(body) or _LABELLED.match(body)
    return replace(base, kind="other") if wants else base


def _blank(match: re.Match[str]) -> str:
    """Hide a number of a section but not the verb before it."""
    verb = re.match(r"strike|delete|remove|take out|drop|add(?= to)|insert(?= to)", match[0].strip(), re.I)
    kept = verb[0] if verb else ""
    return kept + " " * (len(match[0]) - len(kept))


def _struck(piece: BriefPiece, match: re.Match[str], base: Change) -> Change:
    inner = re.fullmatch(
        rf"\s*(?:the (?:words?|phrase|sentence|term)s?\s+)?(?P<old>{QUOTED})(?P<rest>.*)", match["what"], re.I
    )
    if inner:
        old = piece.plain[match.start("what") :][inner.start("old") + 1 : inner.end("old") - 1]
        return replace(base, kind="replace", old=old, what=inner["rest"], quoted=True)
    label = _LABEL.match(piece.masked[: match.start("what")])
    told = f" of {label['label']}" if label and not base.place and targets(label["label"]) else ""
    return replace(base, kind="delete", what=piece.said(match, "what") + told)


def _inserted(piece: BriefPiece, match: re.Match[str], base: Change) -> Change:
    group = next(g for g in ("new", "late", "last") if match[g])
    new = piece.plain[match.start(group) + 1 : match.end(group) - 1]
    where = next(g for g in ("after", "before", "at") if match[g] is not None)
    what = piece.said(match, where) or piece.plain[: match.start(group)]
    number = _AS_NEW.search(piece.masked)
    return replace(base, kind="insert", new=new, what=what, added=number["number"] if number else "")


def _as_ruled(told: str) -> str:
    """Return what an instruction tells as a sentence of a contract."""
    for said, written in _IN_A_CONTRACT:
        told = re.sub(rf"\b(?:{said})\b", written, told, count=1)
    return f"{told[:1].upper()}{told[1:].rstrip(' .')}."


def _stance(piece: str) -> Literal["take", "refuse", ""]:
    """Tell whether a piece takes in what somebody else wants, or refuses it."""
    if _REFUSES.search(piece):
        return "refuse"
    return "take" if _TAKES.search(piece) else ""


def _numbered(numbers: str) -> Iterator[int]:
    """Yield the numbers of "1, 2 and 4 to 6"."""
    last = 0
    for joined, digits in re.findall(r"(to|through|[-–])?\W*(\d{1,2})", numbers):
        yield from range(last + 1 if joined and last else int(digits), int(digits) + 1)
        last = int(digits)


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])
