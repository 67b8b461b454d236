"""The changes that a brief instructs, each read as a place, an old value and a new one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tasks.asks.cues import BriefCues
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.names import STOPPED_FORM
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, CARDINALS

Kind = Literal["replace", "delete", "insert", "mutual", "other", "none"]
_NUMBER = r"\d{1,3}(?:\.\d{1,3})*(?:\([a-z\d]{1,4}\))*"
_PLACE = re.compile(
    rf"(?:\b(?:in|under|of|at|within|from)\s+)?(?:\b(?:section|clause|article|paragraph|sec\.|para\.|cl\.|s\.)|§)\s*"
    rf"(?P<number>{_NUMBER}|[IVXLC]+)(?![\w%])|\b(?:in|under|of|strike|delete|remove)\s+"
    rf"(?P<bare>\d{{1,3}}(?:\.\d{{1,3}})+(?:\([a-z\d]{{1,4}}\))*|\d{{1,3}}(?:\([a-z\d]{{1,4}}\))+"
    r")(?![\w%]|\s(?:%|percent))|\b(?:in|under)\s+(?P<whole>\d{1,3})(?=\s+(?:to|from|becomes)\b|,)"
    r"|(?:\b(?:(?:add|insert)\s+to|after|before|take out)\s+|^\W*)(?P<late>\d{1,3}(?:\.\d{1,3})*(?:\([a-z\d]{1,4}\))+"
    r"|\d{1,3}(?:\.\d{1,3})+)"
    r"(?=\s*(?:[:,.]|$))",
    re.I,
)
# A limb of a clause: "limb d. from section 3", "item C of clause 5", "16 B".
_LIMB = re.compile(
    r"\b(?:item|limb|letter|point|part|paragraph|para\.?|sub-?(?:clause|section|paragraph))\s+\(?(?P<limb>[A-Za-z])\)?\.?\s+"
    rf"(?:of|from|in|under|to)\s+(?:the\s+)?(?:(?:section|clause|article|paragraph)\s+)?(?P<of>{_NUMBER})(?![\w%])"
    rf"|\b(?:(?:section|clause|article|paragraph)\s+)?(?P<number>(?<![$€£\d.,]){_NUMBER})\s?\(?(?P<letter>(?-i:[A-Z]))\)?"
    r"(?=\s*(?:[,.;:]|$)|\s+(?:mutual|reciprocal|to|by|with|and|should|must)\b)",
    re.I,
)
_MUTUAL = re.compile(r"\b(?:mutual|reciprocal|two-way|both ways|bilateral)\b", re.I)
_CHANGES = r"change|amend|update|move|set|increase|reduce|decrease|extend|shorten|raise|lower|cut|revise|replace"
_VERBS = (
    rf"{_CHANGES}|substitute|rename|delete|strike|remove|insert|add|make|soften|strengthen|clarify|ensure|conform"
    r"|narrow|broaden|limit|cap|provide|include|tighten|renegotiate|reject|accept|propose|align|fix|correct|rewrite"
    r"|redraft|reword|protect|restrict|allow|permit|require|introduce|carve|harmoni[sz]e|exclude|improve|delete|drop|have|let|conform|mirror"
)
_Q = r"\x01+"
_SUM = rf"(?:[$€£]?\d|(?:{'|'.join(CARDINALS)})\b)"
_HARD = re.compile(
    r"\s*\n+\s*|\s*;\s*|(?<=[a-z\x01)\d%])[.!?]\s+(?=(?-i:[A-Z])|[(\d\x01-])|(?:(?<=[:;,.]\s)|(?<=\band\s))\(?\d{1,2}[.)]\s+(?=[A-Za-z])"
    rf"|(?<=[:;,\s])\([a-z]\)\s+(?=(?:{_VERBS})\b)|(?<=\x01)\s+(?=(?-i:[A-Z]))(?=(?:{_VERBS})\b)",
    re.I,
)
_SOFT = re.compile(r"[,:]\s+(?:and\s+|then\s+)?|\s+(?:and|then)\s+|\s+[-–—]\s+", re.I)
_OPENS = re.compile(rf"(?:{_VERBS})\b", re.I)
_LEAD = re.compile(
    r"^(?:[-*•]|\(?\d{1,2}[.)](?!\d)|\([a-z]\))?\s*(?:(?:also|then|please|and|to|you should|we need to|by)\s+)*", re.I
)
_IDLE = re.compile(
    r"^(?:keep|leave|do not|don't|nothing else|no other|make no other|deliver\w*|output|attached|we(?: act|'re| are))\b"
    r"|^[^\x01]*\b(?:track(?:ed)? changes?|redline|mark(?:ed)?[ -]?up|black-?line)\b(?![^\x01]*\bto\s+(?:"
    + _VERBS
    + r")\b)"
    r"[^\x01]*$",
    re.I,
)
_OPENING = re.compile(
    r"^.*?\b(?:redline|mark[ -]?up|black-?line)\b[^:;.\n]*?(?::\s*|\bto\s+(?=(?:in|at|after)\b|"
    + _VERBS
    + r")|\bso that\s+|\bas follows:?\s*)",
    re.I | re.S,
)
_ALL = re.compile(r",?\s+(?:throughout|everywhere|wherever (?:it|they) (?:appears?|occurs?))\b[^\x01]*$", re.I)
# What an instruction says is to stay: it tells no place and no value of the change.
_LEFT = re.compile(
    r"\(\s*(?:but )?(?:leave|leaving|keep|keeping|not |do not|the other|the second|the first)[^()\x01]*\)", re.I
)
_EACH = re.compile(
    r"\b(?:all|each|every) (?:references?|mentions?|occurrences?)\b|\bwherever (?:it|they) (?:says?|reads?)\b", re.I
)
_REASON = re.compile(r",\s+(?:as|since|because|for|the client|our client|we|they|he|she|it|this|that)\b[^\x01]*$", re.I)
_STRIKES = re.compile(r"\W*(?:delete|strike|remove|drop|take out)\b", re.I)
_UNIT = re.compile(r"\b(?:day|week|month|quarter|year)s?\b", re.I)
# Where the two values of a change stand; the first form that fits is the one that is meant.
_FORMS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"\bsubstitut\w+\s+(?P<new>.+?)\s+for\s+(?P<old>.+)$",
        rf"\bwherever (?:it|they) (?:says?|reads?)\s+(?P<old>{_Q}),?\s+(?:say|put|write|use|read)\s+(?P<new>{_Q})",
        r"\bfrom\s+(?P<old>.+?)\s+to\s+(?P<new>.+)$",
        r"^(?P<old>.+?)\s+(?:has been|have been|was|were|is|is now|are)\s+(?:renamed|(?:now )?called)\s+(?P<new>.+)$",
        r"^(?P<old>.+?)\s+(?:should|shall|must|is to|are to)\s+(?:become|read|be replaced (?:by|with))\s+(?P<new>.+)$",
        r"(?P<new>.+?),?\s+(?:instead of|rather than|in place of|in lieu of|(?:and |but )?not)\s+(?P<old>.+)$",
        rf"\b(?:{_CHANGES}|rename)\s+(?P<old>[^\x01]*?{_Q}[^\x01]*?)\s(?:with|to(?: read)?|by|as)\s(?P<new>.+)$",
        r"(?P<new>.+?)[\s,(]+(?:up |down )?from\s+(?P<old>.+)$",
        r"\b(?:rename|replace)\s+(?P<old>.+?)\s+(?:with|by|as|to)\s+(?P<new>.+)$",
        rf"\b(?:{_CHANGES}|make)\s+(?P<told>.+?)\s+(?:to|at)\s+(?P<new>.+)$",
        rf"\bmake\s+(?P<told>[^\x01]+?)\s+(?P<new>{_SUM}.*)$",
        rf"^(?P<told>[^\x01]+?)\s+(?:should|must|ought to|needs? to)\s+be\s+(?:[a-z]+\s+){{0,3}}?(?P<new>{_SUM}.*)$",
        r"\b(?:becomes?|to be|should be|must be|is to be|to read|goes (?:up |down )?to)\s+(?P<new>.+)$",
        r"(?P<new>.+?)\s+(?:should|shall|must|is to|are to|to)\s+(?:prevail|control|govern|apply)\b",
        r"(?<=\s)to\s+(?P<new>(?-i:[A-Z$€£\d\x01]).*)$",
    )
)
_RENAME = re.compile(r"\b(?:renamed?|called|replaced?|change|substitute|become|read|say)\b", re.I)
_LABELLED = re.compile(r"[^\x01:]{3,60}:\s+[^\x01]*\d")  # "Fee: minimum 12%, maximum 25%"
_WANTED = re.compile(r"\b(?:should|must|ought to|needs? to|has been|have been)\b", re.I)
_DELETE = re.compile(r"(?:^|[\s,])(?:delete|strike|remove|drop|take)(?:\s+out)?\s+(?P<what>.*)$", re.I)
_INSERT = re.compile(
    rf"\b(?:insert|add)\b[^\x01]*?(?P<new>{_Q})(?P<after>[^\x01]*(?:{_Q})?[^\x01]*)$"
    rf"|(?P<before>\b(?:after|following|at the end of|to the end of|before|to|in)\s[^\x01]*(?:{_Q})?[^\x01]*?)[,:]?\s*"
    rf"\b(?:insert|add|the following)\b[^\x01]*(?P<late>{_Q})\s*$"
    rf"|\b(?:insert|add)\s+(?P<at>(?:after|following|at the end of|to the end of|before|to|in)\s[^\x01]*(?:{_Q})?"
    rf"[^\x01]*?)[,:]?\s*(?P<last>{_Q})\s*$",
    re.I,
)
_VALUE = re.compile(
    rf"\x01|[$€£%\d]|\b(?:{'|'.join(CARDINALS)})\b|\b[A-Z][a-z]",
)
_COMPANY = re.compile(rf"\b{STOPPED_FORM}\.?$")


@dataclass(frozen=True)
class Change:
    """One thing that a brief asks to be changed.

    Attributes:
        item: The words of the brief, which stand at ``[start, end)`` of it.
        kind: ``other`` gives no wording and is left to a lawyer.
        old: What is replaced, as the brief names it; empty where it names only the new value.
        place: Number of the section; empty where the brief gives none.
        what: The words that tell which occurrence is meant, or what is struck, or where something is inserted.
        quoted: The old words are verbatim.
        every: Throughout the document.
    """

    item: str
    start: int
    end: int
    kind: Kind
    old: str = ""
    new: str = ""
    place: str = ""
    what: str = ""
    quoted: bool = False
    every: bool = False


def read_changes(brief: str, cues: BriefCues) -> list[Change]:
    """Return what a brief asks to be changed, in its order."""
    plain = straight(brief)
    for match in cues.output.finditer(plain):
        plain = plain[: match.start()] + "\n" * len(match[0]) + plain[match.end() :]
    masked = re.sub(r"\"[^\"]{1,2000}\"|(?<![\w'])'[^'\n]{2,400}'(?!\w)", lambda m: "\x01" * len(m[0]), plain)
    for day in scan_dates(plain):  # the comma of "February 1, 2019" parts nothing
        masked = masked[: day.start] + masked[day.start : day.end].replace(",", "\x02") + masked[day.end :]
    opening = _OPENING.match(masked)
    found: list[Change] = []
    place, sentence = "", -1
    for number, (start, end) in enumerate(_pieces(masked, opening.end() if opening else 0)):
        for a, b in _parts(masked, plain, start, end):
            change = _read(masked, plain, a, b)
            if sentence == number and not change.place and change.kind == "replace":
                change = replace(change, place=place)
            place, sentence = change.place or (place if sentence == number else ""), number
            if change.kind != "none":
                found.append(change)
    return found


def _pieces(masked: str, start: int) -> Iterator[tuple[int, int]]:
    for match in _HARD.finditer(masked, start):
        yield start, match.start()
        start = match.end()
    yield start, len(masked)


def _parts(masked: str, plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part a sentence into its changes: at a comma or an "and" on both sides of which something is complete."""
    at, last = start, start
    for match in _SOFT.finditer(masked, start, end):
        done = _read(masked, plain, at, match.start()).kind
        rest = _read(masked, plain, match.end(), _next(masked, match.end(), end)).kind
        verbs = bool(_OPENS.match(masked, match.end())) and bool(_OPENS.match(_bare(masked[at : match.start()])))
        if (done not in {"other", "none"} and (rest != "none" or _IDLE.match(masked[match.end() : end]))) or (
            done == "other" and verbs
        ):
            yield at, match.start()
            at = match.end()
        last = match.end()
    if at < end or last == start:
        yield at, end


def _next(masked: str, start: int, end: int) -> int:
    """Return where the part ends that begins at ``start``: at the first comma behind which its sense is complete."""
    for match in _SOFT.finditer(masked, start, end):
        if _read(masked, masked, start, match.start()).kind not in {"none", "other"}:
            return match.start()
    return end


def _bare(text: str) -> str:
    return _LEAD.sub("", text)


def _read(masked: str, plain: str, start: int, end: int) -> Change:
    """Read one piece of a brief."""
    lead = _LEAD.match(masked[start:end])
    start += lead.end() if lead else 0
    while end > start and masked[end - 1] in " .,:;\n" and not _COMPANY.search(masked[start:end]):
        end -= 1
    base = Change(plain[start:end], start, end, "none")
    piece = masked[start:end]
    if not re.search(r"[a-z\x01]{3}", piece, re.I) or _IDLE.search(piece):
        return base
    return _Reader(piece, plain[start:end], base).read()


@dataclass(frozen=True)
class _Reader:
    masked: str
    plain: str
    base: Change

    def read(self) -> Change:
        limb = _LIMB.search(self.masked)
        told = _PLACE.search(self.masked)
        place = next(filter(None, told.groups())) if told else ""
        place = f"{limb['of'] or limb['number']}({limb['limb'] or limb['letter']})" if limb else place
        every = bool(_ALL.search(self.masked) or _EACH.search(self.masked))
        base = replace(self.base, place=place, every=every)
        body = _LEFT.sub(lambda m: " " * len(m[0]), _ALL.sub(lambda m: " " * len(m[0]), self.masked))
        body = _REASON.sub(lambda m: " " * len(m[0]), body) if _STRIKES.match(body) else body
        if inserted := _INSERT.search(body):
            return self._inserted(inserted, base)
        hidden = _LIMB.sub(self._blank, body)
        hidden = _PLACE.sub(self._blank, hidden)
        if _MUTUAL.search(hidden) and re.search(r"\b(?:make|mirror|should|must|be)\b", hidden, re.I):
            told_of = re.sub(rf"\b(?:{_VERBS}|be|should|must)\b", " ", _MUTUAL.sub(" ", hidden), flags=re.I)
            return replace(base, kind="mutual", what=" ".join(told_of.split()))
        shown = replace(
            self, plain="".join(p if h == m else h for p, h, m in zip(self.plain, hidden, self.masked, strict=True))
        )
        for form in _FORMS:
            for match in form.finditer(hidden):
                if change := shown._paired(match, base):
                    return change
        if (struck := _DELETE.search(hidden)) and re.search(r"\w|\x01", struck["what"] + place):
            return self._struck(struck, base)
        wants = re.search(rf"\b(?:{_VERBS})\b", body, re.I) or _WANTED.search(body) or _LABELLED.match(body)
        return replace(base, kind="other") if wants else base

    def _blank(self, match: re.Match[str]) -> str:
        """Hide a number of a section but not the verb before it."""
        verb = re.match(r"strike|delete|remove|take out|drop|add(?= to)|insert(?= to)", match[0].strip(), re.I)
        kept = verb[0] if verb else ""
        return kept + " " * (len(match[0]) - len(kept))

    def _said(self, match: re.Match[str], name: str) -> str:
        return self.plain[match.start(name) : match.end(name)].strip(" ,.:;()") if name in match.re.groupindex else ""

    def _paired(self, match: re.Match[str], base: Change) -> Change | None:
        """Return the change of a form whose values are values."""
        names = match.re.groupindex
        raw = match["new"]
        if not _VALUE.search(raw) or ("old" in names and not re.search(r"\w|\x01", match["old"])):
            return None
        told = "told" in names and bool(re.search(r"\w", match["told"]))
        if "old" not in names and not (
            base.place or told or _RENAME.search(match[0]) or _OPENS.search(self.masked) or "to be" in match[0]
        ):
            return None
        old, new = (self._value(match, n) for n in ("old", "new"))
        said = self._said(match, "told")
        if (number := re.search(rf"{_SUM}.*$", said, re.I)) and _UNIT.search(number[0]):
            old = number[0]  # "change six months to twelve"
        unit = _UNIT.search(old)
        new = f"{new} {unit[0]}" if unit and re.fullmatch(rf"(?:\d+|{CARDINAL_PHRASE})", new, re.I) else new
        left = self.masked[: match.start()] + " " + (self._said(match, "told") + " " if "told" in names else "")
        what = f"{left} {match[0] if 'told' not in names else ''}".replace("\x01", "")
        quoted = "old" in names and "\x01" in match["old"]
        renamed = bool(re.search(r"\brenamed?\b|\bcalled\b", match[0], re.I)) or (
            not base.place and not quoted and bool(_RENAME.match(match[0])) and old[:1].isupper() and new[:1].isupper()
        )
        return replace(base, kind="replace", old=old, new=new, what=what, quoted=quoted, every=base.every or renamed)

    def _value(self, match: re.Match[str], name: str) -> str:
        """Return the quoted words of a side of a change, or the side as it is told."""
        if name not in match.re.groupindex:
            return ""
        inner = re.search(_Q, match[name])
        if inner:
            at = match.start(name)
            return self.plain[at + inner.start() + 1 : at + inner.end() - 1]
        said = " ".join(self.plain[match.start(name) : match.end(name)].split()).strip(" ,:-–—")
        said = said.removesuffix(")") if said.count("(") < said.count(")") else said
        return said if _COMPANY.search(said) else said.rstrip(" .;")

    def _struck(self, match: re.Match[str], base: Change) -> Change:
        inner = re.fullmatch(
            rf"\s*(?:the (?:words?|phrase|sentence|term)s?\s+)?(?P<old>{_Q})(?P<rest>.*)", match["what"], re.I
        )
        if inner:
            old = self.plain[match.start("what") :][inner.start("old") + 1 : inner.end("old") - 1]
            return replace(base, kind="replace", old=old, what=inner["rest"], quoted=True)
        return replace(base, kind="delete", what=self._said(match, "what"))

    def _inserted(self, match: re.Match[str], base: Change) -> Change:
        group = next(g for g in ("new", "late", "last") if match[g])
        new = self.plain[match.start(group) + 1 : match.end(group) - 1]
        where = next(g for g in ("after", "before", "at") if match[g] is not None)
        return replace(base, kind="insert", new=new, what=self._said(match, where) or self.plain[: match.start(group)])
