"""One instructed change: the record, and how a piece of a brief is read as one.

A piece names a place, an old value, a new one, and the thing that has it, in any order. The values are known by what
they are (a figure, a day, a name, quoted words), the old one by the words before it ("instead of", "from", "not").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from tasks.asks.moods import Mood, mood_of
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.names import STOPPED_FORM
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, CARDINALS
from tasks.legaltext.parts_of_speech import tagged

Kind = Literal["replace", "delete", "insert", "mutual", "take", "refuse", "keep", "other", "none"]
COMPLETE = frozenset({"replace", "delete", "insert", "mutual", "take", "refuse", "keep"})
QUOTED = r"\x01+"
STOP = "\x02"  # stands for a comma or a full stop that parts nothing
_LONGEST = 2_500  # characters of a piece with the wording that it quotes; longer ones instruct nothing
_HEAD = 160  # characters by which the mood of a piece is known
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
_CHANGES = r"change|amend|update|move|set|increase|reduce|decrease|extend|shorten|raise|lower|cut|revise|replace"
VERBS = (
    rf"{_CHANGES}|substitute|rename|delete|strike|remove|insert|add|make|soften|strengthen|clarify|ensure|conform"
    r"|narrow|broaden|limit|cap|provide|include|tighten|renegotiate|reject|accept|propose|align|fix|correct|rewrite"
    r"|redraft|reword|protect|restrict|allow|permit|require|introduce|carve|harmoni[sz]e|exclude|improve|delete|drop|have"
    r"|let|conform|mirror|knock|bring|push|double|halve|put|take|rework"
)
OPENS = re.compile(rf"(?:{VERBS})\b", re.I)
_SUM = rf"(?:[$€£]?\d|(?:{'|'.join(CARDINALS)})\b)"
_IDLE = re.compile(
    r"^(?:keep|leave|do not|don't|nothing else|no other|make no other|deliver(?:s|ed|ables?)?|output|attached"
    r"|we(?: act|'re| are))\b"
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
_UNIT = re.compile(r"\b(?:day|week|month|quarter|year)s?\b", re.I)
_BARE_END = re.compile(r"\b\d[\d.,]*k?\s*$", re.I)
_ARROW = re.compile(r"\s*(?:->|=>|→|>>)\s*")
# Where the two values of a change stand; the first form that fits is the one that is meant.
_FORMS = tuple(
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
        rf"\b(?:{_CHANGES}|rename)\s+(?P<old>[^\x01]*?{QUOTED}[^\x01]*?)\s(?:with|to(?: read)?|by|as)\s(?P<new>.+)$",
        rf"^(?P<old>[^\x01]*?{QUOTED}[^\x01]*?)\s"
        rf"(?:becomes?|should (?:read|be)|must (?:read|be)|to read|to be)\s(?P<new>.+)$",
        r"(?P<new>.+?)[\s,(]+(?:up |down )?from\s+(?P<old>.+)$",
        r"\b(?:rename|replace)\s+(?P<old>.+?)\s+(?:with|by|as|to)\s+(?P<new>.+)$",
        rf"\b(?:{_CHANGES}|make)\s+(?P<told>.+?)\s+(?:to|at)\s+(?P<new>.+)$",
        rf"\bmake\s+(?P<told>[^\x01]+?)\s+(?P<new>{_SUM}.*)$",
        rf"^(?P<told>[^\x01]+?)\s+(?:should|must|ought to|needs? to)\s+be\s+"
        rf"(?:(?-i:[a-z]+)\s+){{0,3}}?(?P<new>{_SUM}.*)$",
        r"\b(?:becomes?|to be|should be|must be|is to be|to read|goes (?:up |down )?to)\s+(?P<new>.+)$",
        r"(?P<new>.+?)\s+(?:should|shall|must|is to|are to|to)\s+(?:prevail|control|govern|apply)\b",
        r"(?<=\s)to\s+(?P<new>(?-i:[A-Z$€£\d\x01]).*)$",
    )
)
_NO_NAME = re.compile(r"(?:he|she|it|they|her|his|its|their|our|the|this)\b|.*\bname$", re.I)
_MAKE_IT = re.compile(r"^(?P<told>.{3,}?)[:,;–-]\s*(?:please\s+)?make (?:it|that|this|them)\s+(?P<new>.+)$", re.I)
_BOUND = re.compile(r"\b(?:minimum|maximum|at least|at most|no (?:more|less) than|up to)\b", re.I)
_RENAME = re.compile(r"\b(?:renamed?|called|replaced?|change|substitute|becomes?|read|say)\b", re.I)
_LABELLED = re.compile(r"[^\x01:]{3,60}:\s+[^\x01]*\d")  # "Fee: minimum 12%, maximum 25%"
_WANTED = re.compile(r"\b(?:should|must|ought to|needs? to|has been|have been|has to|have to|agreed)\b", re.I)
OFTEN = re.compile(
    r"\b(?:daily|weekly|fortnightly|bi-?weekly|monthly|bi-?monthly|quarterly|half-yearly|semi-?annual(?:ly)?"
    r"|annual(?:ly)?|yearly)\b",
    re.I,
)
_CAPITALISED = r"[A-Z][\w'’]*(?:,? [A-Z][\w'’]*){0,5}"
# A law or a court says by itself what is to be changed: "Delaware law", "courts of Wilmington, Delaware".
LAW_OR_COURT = re.compile(
    rf"\b(?:[Cc]ourts?|[Ll]aws?)\s+(?:of|in)\s+(?:the\s+)?{_CAPITALISED}|\b[Vv]enue\s+(?:in|to)\s+{_CAPITALISED}|\b{_CAPITALISED}\s+(?:law|courts?)\b"
)
_NAMED = re.compile(_CAPITALISED)
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
_VALUE = re.compile(
    rf"\x01|[$€£%\d]|\b(?:{'|'.join(CARDINALS)})\b|\b[A-Z][a-z]|{OFTEN.pattern}",
)
_OLD = re.compile(rf"\W*(?:(?:the|a|an|any|its|current|present|words?)\s+){{0,3}}(?:(?i:net)\s+)?(?:{_VALUE.pattern})")
_UNTOLD = re.compile(r"\s*(?:the (?:figure|amount|number|period|rate|sum|date)|what|whatever)\b[^\d\x01]*$", re.I)
_COMPANY = re.compile(rf"\b{STOPPED_FORM}\.?$")
_TOLD_MOODS = (Mood.NAME, Mood.REQUEST, Mood.WISH, Mood.HANGING)
_PAST = frozenset({"VBD", "VHD", "VDD"})  # of other verbs the tagger takes participles for pasts
_PERSONS = frozenset({"i", "we", "you", "us", "our"})  # who tells of herself and asks nothing of the paper
_BEFORE_OLD = re.compile(
    r"\b(?:instead of|rather than|in place of|from|not|currently|at present|was|were|now)\s*$", re.I
)
_NAMING = ("N", "AJ", "VV", "VN", "UNC")  # tags of words that may name a thing
_TAIL = re.compile(r"\)?(?:[ -]*(?:calendar |business |working )?(?:days?|weeks?|months?|quarters?|years?)\b)?", re.I)


@dataclass(frozen=True)
class Change:
    """One thing that a brief asks to be changed.

    Attributes:
        item: The words of the brief, which stand at ``[start, end)`` of it.
        kind: ``other`` gives no wording and is left to a lawyer. ``take`` and ``refuse`` speak of points that somebody
            else numbered; ``keep`` is a change that is refused.
        old: What is replaced, as the brief names it; empty where it names only the new value.
        place: Number of the section; empty where the brief gives none.
        beside: The place of a change named before it in the same sentence; it is where this one is looked for first.
        what: The words that tell which occurrence is meant, or what is struck, or where something is inserted.
        quoted: The old words are verbatim.
        every: Throughout the document.
        renamed: A name is replaced by another of the same person or company.
        added: Number of a clause that is to be new; empty where none is.
        points: Numbers of the points of a message that are taken in or refused.
    """

    item: str
    start: int
    end: int
    kind: Kind
    old: str = ""
    new: str = ""
    place: str = ""
    beside: str = ""
    what: str = ""
    quoted: bool = False
    every: bool = False
    renamed: bool = False
    added: str = ""
    points: tuple[int, ...] = ()


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
    while end > start and masked[end - 1] in " .,:;\n" and not _COMPANY.search(masked[start:end]):
        end -= 1
    end += masked[end : end + 1] == "." and bool(_COMPANY.search(masked[start:end]))  # the stop of "Inc."
    return replace(_read(masked[start:end], plain[start:end], wanted), start=start, end=end)


@lru_cache(maxsize=1024)  # a piece is read again while it is looked for where it ends
def _read(masked: str, plain: str, wanted: bool) -> Change:
    base = Change(plain, 0, len(plain), "none")
    if len(masked) > _LONGEST or not re.search(r"[a-z\x01]{3}", masked, re.I) or _IDLE.search(masked):
        return base
    return _Reader(masked, plain, base, wanted).read()


def targets(text: str) -> list[str]:
    """Return the words of a piece that may name what is to be changed."""
    words = (w for w in tagged(text[:_HEAD]) if w.tag.startswith(_NAMING))
    return [w.text for w in words if len(w.text) > 2 and w.text[0].isalpha() and not OPENS.fullmatch(w.text)]


@dataclass(frozen=True)
class _Reader:
    masked: str
    plain: str
    base: Change
    wanted: bool

    def read(self) -> Change:
        if (pointed := _POINTS.search(self.masked)) and (stance := _stance(self.masked)):
            rest = " " * pointed.end() + self.masked[pointed.end() :]
            own = [self.plain[a:b] + _tail(self.plain[b:]) for a, b in self._values(rest)]
            numbers = tuple(_numbered(pointed["numbers"]))
            return replace(self.base, kind=stance, points=numbers, new=own[0] if len(own) == 1 else "")
        limb = _LIMB.search(self.masked)
        told = _PLACE.search(self.masked)
        place = next(filter(None, told.groups())) if told else ""
        place = f"{limb['of'] or limb['number']}({limb['limb'] or limb['letter']})" if limb else place
        every = bool(_ALL.search(self.masked) or _EACH.search(self.masked))
        base = replace(self.base, place=place, every=every)
        body = _LEFT.sub(_blanks, _ALL.sub(_blanks, self.masked))
        body = _REASON.sub(_blanks, body) if _STRIKES.match(body) else body
        if inserted := _INSERT.search(body):
            return self._inserted(inserted, base)
        hidden = _LIMB.sub(self._blank, body)
        hidden = _PLACE.sub(self._blank, hidden)
        if _MUTUAL.search(hidden) and re.search(r"\b(?:make|mirror|should|must|be)\b", hidden, re.I):
            told_of = re.sub(rf"\b(?:{VERBS}|be|should|must)\b", " ", _MUTUAL.sub(" ", hidden), flags=re.I)
            return replace(base, kind="mutual", what=" ".join(told_of.split()))
        shown = replace(
            self, plain="".join(p if h == m else h for p, h, m in zip(self.plain, hidden, self.masked, strict=True))
        )
        return shown._changed(hidden, body, base)

    def _changed(self, hidden: str, body: str, base: Change) -> Change:
        """Read a piece whose places are hidden: by the form of its words, else by the one value that it tells."""
        if change := self._arrow(hidden, base):
            return change
        if (gone := _GOES.match(hidden)) and not scan_numbers(gone["what"]):
            return self._struck(gone, base)
        if (made := _MAKE_IT.match(hidden)) and (was := self._single(made["told"])):
            new = self.plain[made.start("new") : made.end("new")].strip(" .,;")
            return replace(base, kind="replace", old=was, new=new, what=made["told"])
        for form in _FORMS:
            for match in form.finditer(hidden):
                if change := self._paired(match, base):
                    return change
        if (struck := _DELETE.search(hidden)) and re.search(r"\w|\x01", struck["what"] + base.place):
            return self._struck(struck, base)
        if change := self._told(hidden, base):
            return change
        wants = re.search(rf"\b(?:{VERBS})\b", body, re.I) or _WANTED.search(body) or _LABELLED.match(body)
        return replace(base, kind="other") if wants else base

    def _blank(self, match: re.Match[str]) -> str:
        """Hide a number of a section but not the verb before it."""
        verb = re.match(r"strike|delete|remove|take out|drop|add(?= to)|insert(?= to)", match[0].strip(), re.I)
        kept = verb[0] if verb else ""
        return kept + " " * (len(match[0]) - len(kept))

    def _said(self, match: re.Match[str], name: str) -> str:
        return self.plain[match.start(name) : match.end(name)].strip(" ,.:;()") if name in match.re.groupindex else ""

    def _arrow(self, hidden: str, base: Change) -> Change | None:
        """Return the change of "six months -> twelve months"."""
        arrow = _ARROW.search(hidden)
        if arrow is None:
            return None
        before = [(a, b) for a, b in self._values(hidden) if b <= arrow.start()]
        bare = _BARE_END.search(hidden[: arrow.start()])
        if before and not hidden[before[-1][1] : arrow.start()].strip(" ()"):
            start = before[-1][0]
        elif bare:  # "grace period 5 -> 10 days"
            start = bare.start()
        else:
            start = max((m.end() for m in re.finditer(r"[:,;]\s*|^\s*", hidden[: arrow.start()])), default=0)
        old, new = self.plain[start : arrow.start()].strip(" \"'"), self.plain[arrow.end() :].strip(" .;,\"'")
        if not old or not new:
            return None
        quoted = "\x01" in hidden[start : arrow.start()]
        return replace(base, kind="replace", old=old, new=new, what=hidden[:start].replace("\x01", ""), quoted=quoted)

    def _values(self, hidden: str) -> Iterator[tuple[int, int]]:
        """Yield the stretches of the figures, days and quotations of a piece in order, a pair of forms as one."""
        text = "".join(" " if c == STOP else c for c in self.plain)
        days = [(d.start, d.end) for d in scan_dates(text)]
        figures = [(f.start, f.end) for f in scan_numbers(text) if not any(a < f.end and f.start < b for a, b in days)]
        quoted = [m.span() for m in re.finditer(QUOTED, hidden)]
        last: tuple[int, int] | None = None
        for a, b in sorted([*days, *figures, *quoted]):
            if not hidden[a:b].strip():
                continue
            if last and a - last[1] < 3 and not hidden[last[1] : a].strip(" ()"):
                last = (last[0], b)
                continue
            if last:
                yield last
            last = (a, b)
        if last:
            yield last

    def _asks(self) -> bool:
        """Tell whether the piece says what is to be, and not what is."""
        if self.wanted or _WANTED.search(self.masked):
            return True
        words = tagged(self.plain[:_HEAD])
        return mood_of(words) in _TOLD_MOODS or not any(w.tag in _PAST or w.text.lower() in _PERSONS for w in words)

    def _told(self, hidden: str, base: Change) -> Change | None:
        """Return the change of a piece that names a thing and one value that it is to have: "cure period 30 days"."""
        if not self._asks() or "\x01" in hidden or _BOUND.search(hidden):
            return None
        values = list(self._values(hidden))
        if len(values) == 1:
            start, end = values[0]
            end += len(_tail(hidden[end:]))
            rest = f"{hidden[:start]} {hidden[end:]}"
            if _BEFORE_OLD.search(hidden[:start]) or not (base.place or targets(rest)):
                return None
            return replace(base, kind="replace", new=self.plain[start:end], what=rest)
        named = LAW_OR_COURT.search(hidden) if not values else None
        if named and not _BEFORE_OLD.search(hidden[: named.start()]):
            return replace(base, kind="replace", new=self.plain[named.start() : named.end()], what=hidden)
        return None

    def _single(self, told: str) -> str:
        """Return the one value that words tell, "a week" too; empty where they tell none or several."""
        said = re.sub(r"\ban?\s+(?=(?:day|week|month|quarter|year)\b)", "one ", told)
        figures = scan_numbers(re.sub(r"(?<=[a-z])'s\b", "", said))
        return f"{figures[0].text}" if len(figures) == 1 else ""

    def _paired(self, match: re.Match[str], base: Change) -> Change | None:
        """Return the change of a form whose values are values."""
        names = match.re.groupindex
        raw = match["new"]
        if not _VALUE.search(raw) or ("old" in names and not (_OLD.match(match["old"]) or _UNTOLD.match(match["old"]))):
            return None
        told = "told" in names and bool(re.search(r"\w", match["told"]))
        if "old" not in names and not (
            base.place
            or told
            or _RENAME.search(match[0])
            or OPENS.search(self.masked)
            or "to be" in match[0]
            or (targets(self.masked[: match.start("new")]) and self._asks())
        ):
            return None
        old, new = (self._value(match, n) for n in ("old", "new"))
        old = "" if "old" in names and _UNTOLD.match(old) else re.sub(r"\s+only$", "", old)
        said = self._said(match, "told")
        if (number := re.search(rf"{_SUM}.*$", said, re.I)) and _UNIT.search(number[0]):
            old = number[0]  # "change six months to twelve"
        unit = _UNIT.search(old)
        new = f"{new} {unit[0]}" if unit and re.fullmatch(rf"(?:\d+|{CARDINAL_PHRASE})", new, re.I) else new
        left = self.masked[: match.start()] + " " + (self._said(match, "told") + " " if "told" in names else "")
        what = f"{left} {match[0] if 'told' not in names else ''}".replace("\x01", "")
        quoted = "old" in names and "\x01" in match["old"]
        renamed = bool(re.search(r"\brenamed?\b|\bcalled\b|\bname\b", self.masked, re.I)) or (
            not base.place and not quoted and bool(_RENAME.match(match[0])) and old[:1].isupper() and new[:1].isupper()
        )
        if renamed and not quoted and _NO_NAME.match(old):
            old = ""  # "her company is now called"
        if renamed and not quoted and re.search(r"\s[a-z]{2,}", old) and (name := _NAMED.match(old)):
            old = name[0]  # "Acme has converted and" is now called
        every = base.every or (renamed and bool(old))
        return replace(base, kind="replace", old=old, new=new, what=what, quoted=quoted, every=every, renamed=renamed)

    def _value(self, match: re.Match[str], name: str) -> str:
        """Return the quoted words of a side of a change, or the side as it is told."""
        if name not in match.re.groupindex:
            return ""
        inner = re.search(QUOTED, match[name])
        if inner:
            at = match.start(name)
            return self.plain[at + inner.start() + 1 : at + inner.end() - 1]
        said = " ".join(self.plain[match.start(name) : match.end(name)].split()).strip(" ,:-–—")
        first = re.split(r"\s[-–—]{1,2}\s", said)[0]  # "Delaware - the law only"
        said = first if name == "new" and _VALUE.search(first) else said
        said = said.removesuffix(")") if said.count("(") < said.count(")") else said
        return said if _COMPANY.search(said) else said.rstrip(" .;")

    def _struck(self, match: re.Match[str], base: Change) -> Change:
        inner = re.fullmatch(
            rf"\s*(?:the (?:words?|phrase|sentence|term)s?\s+)?(?P<old>{QUOTED})(?P<rest>.*)", match["what"], re.I
        )
        if inner:
            old = self.plain[match.start("what") :][inner.start("old") + 1 : inner.end("old") - 1]
            return replace(base, kind="replace", old=old, what=inner["rest"], quoted=True)
        label = _LABEL.match(self.masked[: match.start("what")])
        told = f" of {label['label']}" if label and not base.place and targets(label["label"]) else ""
        return replace(base, kind="delete", what=self._said(match, "what") + told)

    def _inserted(self, match: re.Match[str], base: Change) -> Change:
        group = next(g for g in ("new", "late", "last") if match[g])
        new = self.plain[match.start(group) + 1 : match.end(group) - 1]
        where = next(g for g in ("after", "before", "at") if match[g] is not None)
        what = self._said(match, where) or self.plain[: match.start(group)]
        number = _AS_NEW.search(self.masked)
        return replace(base, kind="insert", new=new, what=what, added=number["number"] if number else "")


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


def _tail(rest: str) -> str:
    """Return the bracket and the unit of time that go with a figure."""
    found = _TAIL.match(rest)
    return found[0] if found else ""


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])
