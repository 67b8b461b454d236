"""The changes that a brief states word for word, and its other requests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tasks.asks.cues import BriefCues
from tasks.drafting.extractive.brief import without_output
from tasks.legaltext.fold import straight
from tasks.legaltext.names import STOPPED_FORM

Kind = Literal["replace", "figure", "delete", "insert", "other"]
_CHANGE = r"change|amend|update|move|set|increase|reduce|decrease|extend|shorten|raise|lower|cut|revise"
_VERBS = (
    rf"{_CHANGE}|replace|substitute|rename|delete|strike|remove|insert|add|make|soften|strengthen|clarify|ensure"
    r"|conform|narrow|broaden|limit|cap|provide|include|tighten|renegotiate|reject|accept|propose|align|fix|correct"
    r"|rewrite|redraft|reword|protect|restrict|allow|permit|require|introduce|carve|harmoni[sz]e|exclude"
)
_MASK = "\x01{}\x02"
_Q = "\x01(\\d+)\x02"
_SPLIT = re.compile(
    rf"\s*;\s*(?:and\s+|then\s+)?|(?<=[a-z\x02)\d])[.!]\s+(?=(?-i:[A-Z])|[(\d\x01-])|\s*\n+\s*"
    rf"|\s*(?:,\s*and|,\s*then|,|\band)\s+(?=(?:also\s+|then\s+|please\s+)?(?:{_VERBS})\b)|(?<=[:;,\s])\(?\d{{1,2}}[.)]\s+"
    r"(?=[A-Z]?[a-z]+\b)(?!(?:days|months|years|weeks|business|calendar|percent|per cent)\b)"
    rf"|(?<=[:;,\s])\([a-z]\)\s+(?=(?:{_VERBS})\b)",
    re.I,
)
_OPENING = re.compile(
    r"^.*?\b(?:redline|mark[ -]?up|black-?line|tracked changes)\b[^:;.]*?(?::\s*|\bto\s+|\bas follows:?\s*|\bso that\s+"
    r"|\bby\s+|\.\s+|$)",
    re.I | re.S,
)
_LEAD = re.compile(
    r"^(?:[-*•]|\(?\d{1,2}[.)]|\([a-z]\))?\s*(?:(?:also|then|please|and|to|you should|we need to)\s+)*", re.I
)
_AHEAD = re.compile(r"(?:at the end of|to the end of|after|before|following|in)\b[^\x01]*", re.I)
_JOINED = re.compile(r"(?:insert|add|replace|change|delete|strike|remove|substitute)\b", re.I)
_FIRST = re.compile(r"(?:in|under|within)\s+(?P<place>[^,\x01]{3,60}),\s+(?P<rest>.+)$", re.I)
_COMPANY = re.compile(rf"\b{STOPPED_FORM}\.?$")
_ALL = re.compile(r"\b(?:all|each|every) (?:references?|mentions?|occurrences?)\b", re.I)
_THROUGHOUT = re.compile(r",?\s+(?:throughout|everywhere|wherever (?:it|they) (?:appears?|occurs?))\b.*$", re.I)
_REPLACE = re.compile(
    rf"(?:replace|{_CHANGE}|rename)\s+(?P<before>[^\x01]*?){_Q}(?P<where>[^\x01]*?)\s(?:with|to(?: read)?|by|as)\s"
    rf"[^\x01]*?{_Q}(?P<tail>.*)$",
    re.I,
)
_SUBSTITUTE = re.compile(rf"substitute\s+[^\x01]*?{_Q}\s+for\s+[^\x01]*?{_Q}(?P<tail>.*)$", re.I)
_FROM_TO = re.compile(rf"(?:{_CHANGE}|replace)\s+(?P<what>.+?)\s+from\s+(?P<old>.+?)\s+to\s+(?P<new>.+)$", re.I)
_NAME = re.compile(
    r"(?i:rename|replace|change|substitute)\s+(?:the (?:name of (?:the )?|party )|all references to |references to )?"
    r"(?P<old>(?:[A-Z][\w.&'-]*)(?:,? (?:[A-Z][\w.&'-]*|of|and|the|de|van|&))*?)(?:'s name)?\s+(?:to|as|with|by)\s+"
    r"(?P<new>[A-Z].+)$"
)
_TO = re.compile(rf"(?:{_CHANGE}|make)\s+(?P<what>(?:the|all|its|our|their)?\s*[a-z].+?)\s+to\s+(?P<new>.+)$", re.I)
_DELETE = re.compile(r"(?:delete|strike|remove)(?:\s+out)?\s+(?P<what>.+)$", re.I)
_INSERT = re.compile(
    rf"(?:insert|add)\s+[^\x01]*?{_Q}\s*(?P<place>(?:as a new [a-z ]+?\s+)?"
    r"(?:after|following|at the end of|to the end of|before|to|in)\s.+)$",
    re.I,
)
_INSERT_AT = re.compile(
    rf"(?:(?:insert|add)\s+)?(?P<place>(?:after|following|at the end of|to the end of|before|to|in)\s[^\x01]*?"
    rf"(?:{_Q})?[^\x01]*?)[,:]?\s*(?:insert|add|the following[^\x01]*)?:?\s*{_Q}\s*$",
    re.I,
)


_IDLE = re.compile(
    r"^(?:keep|leave|do not|don't|nothing else|no other|make no other)\b|^(?:the )?(?:client|we|deliver\w*|output)\b"
    r"|^(?:redline|mark[ -]?up)\b[^\x01]*$",
    re.I,
)


@dataclass(frozen=True)
class Instruction:
    """One thing that a brief asks to be changed.

    Attributes:
        item: The words of the brief.
        old: What is replaced: verbatim words, a figure, or empty.
        new: The replacement.
        where: The words that say where: a section, a provision.
        every: Throughout the document.
    """

    item: str
    kind: Kind
    old: str = ""
    new: str = ""
    where: str = ""
    every: bool = False


def read_instructions(instructions: str, cues: BriefCues) -> list[Instruction]:
    """Return what a brief asks to be changed, in its order; what it does not state word for word is ``other``."""
    quoted: list[str] = []

    def mask(match: re.Match[str]) -> str:
        quoted.append(next(g for g in match.groups() if g is not None))
        return _MASK.format(len(quoted) - 1)

    plain = straight(without_output(instructions, cues))
    masked = re.sub(r"\"([^\"]{1,2000})\"|(?<![\w'])'([^'\n]{2,400})'(?!\w)", mask, plain)
    rest = _OPENING.sub("", masked, count=1)
    found = []
    for piece in _rejoined(_SPLIT.split(rest if re.search(rf"\b(?:{_VERBS})\b", rest, re.I) else masked)):
        item = _LEAD.sub("", piece).strip(" .,:;")
        item = re.sub(r"[\s,;]+(?:and|then)$", "", item)
        item += "." if _COMPANY.search(item) and not item.endswith(".") else ""
        if re.search(r"[a-z]{3}", item, re.I) and not _IDLE.search(item):
            found.append(_order(item, quoted))
    return found


def _rejoined(pieces: list[str]) -> list[str]:
    """Rejoin an instruction that names its place first: "at the end of Section 4, add …"."""
    joined: list[str] = []
    for piece in pieces:
        text = piece.strip()
        if joined and _AHEAD.fullmatch(_LEAD.sub("", joined[-1])) and _JOINED.match(text):
            joined[-1] += f", {text}"
        else:
            joined.append(text)
    return joined


def _order(item: str, quoted: list[str]) -> Instruction:
    """Read one item."""

    def said(text: str) -> str:
        return re.sub(_Q, lambda m: f'"{quoted[int(m[1])]}"', text).strip()

    def words(text: str) -> str:
        inner = re.fullmatch(rf"\W*{_Q}\W*", text.strip())
        if inner:
            return quoted[int(inner[1])]
        plain = said(text).strip(" ,")
        return plain if _COMPANY.search(plain) else plain.rstrip(" .")

    every = bool(_THROUGHOUT.search(item) or _ALL.search(item))
    bare = _THROUGHOUT.sub("", item)
    first = _FIRST.match(bare)
    if first and _JOINED.match(first["rest"]):
        bare = f"{first['rest']} in {first['place']}"
    if match := _REPLACE.match(bare):
        where = said(f"{match['where']} {match['tail']}")
        return Instruction(said(item), "replace", quoted[int(match[2])], quoted[int(match[4])], where, every)
    if match := _SUBSTITUTE.match(bare):
        return Instruction(
            said(item), "replace", quoted[int(match[2])], quoted[int(match[1])], said(match["tail"]), every
        )
    for placed in (_INSERT.match(bare), _INSERT_AT.match(bare)):
        if placed:
            new = placed[1] if placed.re is _INSERT else placed[3]
            return Instruction(said(item), "insert", "", quoted[int(new)], said(placed["place"]))
    if match := _FROM_TO.match(bare):
        return Instruction(said(item), "figure", words(match["old"]), words(match["new"]), said(match["what"]), every)
    if match := _NAME.match(bare):
        return Instruction(said(item), "replace", words(match["old"]), words(match["new"]), "", True)
    if match := _TO.match(bare):
        return Instruction(said(item), "figure", "", words(match["new"]), said(match["what"]), every)
    if match := _DELETE.match(bare):
        inner = re.fullmatch(rf"(?:the (?:words?|phrase|sentence|term)s?\s+)?{_Q}(?P<where>.*)", match["what"], re.I)
        if inner:
            return Instruction(said(item), "replace", quoted[int(inner[1])], "", said(inner["where"]), every)
        return Instruction(said(item), "delete", "", "", said(match["what"]))
    return Instruction(said(item), "other")
