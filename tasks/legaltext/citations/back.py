"""Backward references: ``Id.``, ``Ibid.``, ``supra`` and "550 U.S., at 570", resolved to what is literally cited."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from tasks.legaltext.records import CitationMention

_PIN: Final = (
    r"at\s(?:\[\d{1,4}\]|\*?\d{1,5}(?:[\-\u2013]\d{1,5})?|¶{1,2}\s?\d{1,4})"
    r"|§{1,2}\s?(?P<s>\d{1,5}[\w\-]{0,8}(?:\.\d[\w\-]{0,8})?(?:\([A-Za-z0-9]{1,4}\)){0,5})"
)
# No reference: "Id. No. 12", "Id. badge".
_NO_ID: Final = (
    r"(?!\s?(?:[Nn]o|Number|Nr|#|:)"
    r"|\s(?!and\b|citing|quoting|see\b|but\b|for\b|with\b|note|accord|also)[a-z]{3,}(?![.a-z]))"
)
_ID: Final = re.compile(rf"(?<![\w.])(?:(?:[Ii]d|[Ii]bid)\.|[Ii]bid(?!\w)){_NO_ID}(?:[*_]{{0,2}},?\s(?:{_PIN}))?")
# "Employer Id. 12", "patient id. 55": a number of somebody's, unless a signal stands before it.
_SIGNAL: Final = re.compile(
    r"(?i)(?:^|[.;:,!?)\]”\"’'(\[*_>—–-]|\b(?:see|also|accord|cf|compare|with|in|but|and|or|under|by|at|of|to|e\.g|citing"
    r"|quoting|from|through|both|per|pursuant|as|than))[*_]{0,2}\s{0,2}[*_]{0,2}$|\n$"
)
_SUPRA: Final = re.compile(
    r"(?:(?P<name>[A-Z][\w.'’&\-]{1,30}(?:\s(?:v\.?\s)?[A-Z][\w.'’&\-]{0,30}){0,4})[*_]{0,2},?\s|(?<!\w))"
    r"(?:\d{1,4}\s[A-Z][\w. ]{0,14},\s)?[*_]{0,2}supra(?!\w|-|\s(?!notes?\b)[a-z]{3,})[*_]{0,2}"
    r"(?:,?\s(?:note|n\.)\s\d{1,4})?(?:,?\sat\s\d{1,5}(?:[\-\u2013]\d{1,5})?)?"
)
_PLACE: Final = re.compile(r"(?:Parts?|Sections?|Notes?|Chapter|Point|Argument|Facts)\b")
_INTERNAL: Final = re.compile(r"supra,?\s(?:Parts?|Sections?|§|Art|[IVX]+\b|p\.)")
_SHORT: Final = re.compile(r"^(?P<head>\d{1,4}\s.{1,24}?)\sat\s(?P<pin>\d+)")
_PARALLEL: Final = re.compile(r"(?:,\s\d{1,5}(?:[\-\u2013]\d{1,5})?){0,3},\s{0,2}$")
_LONGEST_PARALLEL: Final = 48  # no longer text between two citations makes them parallel
_SHORT_NAME: Final = 80  # characters before a short citation ("Hale, 12 F.3d at 5") that may hold its name; by eye
_SIGNAL_REACH: Final = 12  # characters before "id." that may hold a signal ("See also"); chosen by eye
_WORD: Final = re.compile(r"\w+")
_SENTENCE: Final = re.compile(r"[;\n]|(?<=[)\]\"”’\d])\.\s(?=[A-Z])|(?<=[a-z]{5})\.\s(?=[A-Z])")
# Characters before a short citation in which its name begins: five words, as _NAMED reads them.
_NAME_REACH: Final = 140
_NAMED: Final = re.compile(
    r"([A-Z][\w.'’&\-]{1,30}(?:\s(?:v\.?\s|of\s)?[A-Z][\w.'’&\-]{0,30}){0,4})[*_]{0,2},\s[*_]{0,2}$"
)
_LEADING: Final = re.compile(
    r"^(?:(?:See|In|Cf|Cf\.|But|And|Under|Accord|Also|E\.g\.|Compare|With|Citing|Quoting)(?:,?\s|$))+"
)
# What stands in such a bracket, or behind such a word, is passed over by the "Id." that follows.
_ASIDE: Final = re.compile(
    r"\((?:internal\s|[Ee]mphasis\s)?(?:quoting|citing|discussing|collecting|explaining|relying)\b[^()]*$"
)
_BRACKET: Final = re.compile(r"\([^()]{0,80}\)")
_HISTORY: Final = re.compile(
    r"[,;]\s[*_]{0,2}(?:aff['’](?:d|g)|rev['’](?:d|g)|cert\.\s(?:denied|granted|dismissed)|vacated|vacating|overruled|"
    r"abrogated|superseded|modified|reh['’]g|appeal\sdenied|review\sdenied|petition\sfor\scert)[^;()]{0,160}$"
)
_ASIDE_REACH: Final = 400  # characters before a citation in which a bracket may have opened around it
# The writer's own papers: an "Id." behind them means them, which is no law.
_OWN_PIN: Final = re.compile(
    r"^[*_]{0,2}[,\s]{0,2}(?:(?:at|§{1,2}|¶{1,2}|ss?\.?|arts?\.?|cl\.?|c\.?|ch\.?|pt\.?|n\.)\s?[\w.()\-\u2013]{1,16},?\s?){1,3}"
)
_OWN: Final = re.compile(
    r"\b(?:[Ss]ections?|[Cc]lauses?|[Aa]rticles?|[Pp]aragraphs?|Schedule|Annex|Exhibits?|Exs?\.|Appendix|Dkt\.|ECF|Doc\.|Compl\.|Answer|"
    r"Decl\.|Aff\.|Tr\.|Dep\.|Br\.|Mem\.|Agreement|Lease|Contract|Ans\.)\s(?:No\.\s|at\s|of\s)?(?:[¶§]{1,2}\s?)?(?:[\dIVX]|[A-Z]\b)|§{1,2}\s?\d|¶{1,2}\s?\d"
)


def resolve(text: str, found: Sequence[CitationMention]) -> list[CitationMention]:
    """Add the backward references to the citations of a text.

    Args:
        text: The scanned text.
        found: Its other citations, in order.

    Returns:
        The references. ``canonical`` is empty where nothing before the reference answers to it.
    """
    backward = [(match, "id") for match in _ID.finditer(text) if _signalled(text, match)] if _may_hold_id(text) else []
    backward += [(match, "supra") for match in _SUPRA.finditer(text)] if "supra" in text else []
    backward.sort(key=lambda pair: pair[0].start())
    back: list[CitationMention] = []
    earlier = _Earlier(text)
    taken = 0
    for match, kind in backward:
        while taken < len(found) and found[taken].start < match.start():
            earlier.append(found[taken])
            taken += 1
        if kind == "id":
            mention = _mention(match.start(), match[0], kind, _id_target(text, match, earlier))
        else:
            if _PLACE.match(match["name"] or "") or (
                not match["name"] and _INTERNAL.match(text, text.find("supra", match.start()))
            ):
                continue  # "supra Part II": a place in this paper
            said = _plain_name(match[0])
            mention = _mention(match.end() - len(said), said, kind, _supra_target(match, earlier))
        back.append(mention)
        earlier.append(mention)
    return back


def resolve_short(text: str, found: Sequence[CitationMention]) -> list[CitationMention]:
    """Resolve short forms of cases: "Twombly, 550 U.S., at 570" gets the canonical form of the case it means.

    That is the case cited in full before it, in the same volume, that fits by its name or by its first page. A short
    form that none fits stays as it is.
    """
    full: dict[str, _Volume] = {}
    kept = []
    for mention in found:
        short = _SHORT.match(mention.canonical) if mention.kind == "case" else None
        if short is None:
            if mention.kind == "case":
                head = mention.canonical.rpartition(" ")[0]
                if head not in full:
                    full[head] = _Volume(text)
                full[head].add(mention)
            kept.append(mention)
            continue
        volume = full.get(short["head"])
        case = _case_meant(text, mention, int(short["pin"]), volume) if volume else ""
        kept.append(mention.model_copy(update={"canonical": case}) if case else mention)
    return kept


class _Volume:
    """The cases that a text cites of one volume of a reporter, by page and by name."""

    def __init__(self, text: str) -> None:
        self._cases: list[CitationMention] = []
        self._by_page: dict[int, CitationMention] = {}
        self._pages: list[int] = []
        self._named = _Named(text)

    def add(self, case: CitationMention) -> None:
        """Take a case; of two on one page the first counts."""
        self._named.add(len(self._cases), case)
        self._cases.append(case)
        page = _page(case)
        if page not in self._by_page:
            self._by_page[page] = case
            bisect.insort(self._pages, page)

    def up_to(self, pin: int) -> CitationMention | None:
        """Return the last case that begins on a page or before it."""
        at = bisect.bisect_right(self._pages, pin)
        return self._by_page[self._pages[at - 1]] if at else None

    def called(self, name: str, pin: int) -> CitationMention | None:
        """Return, of the cases that a name stands before, the last that begins on a page or before it."""
        same = [self._cases[at] for at in self._named.called(name)][::-1] if name else []
        return max((case for case in same if _page(case) <= pin), key=_page, default=None)


def _case_meant(text: str, short: CitationMention, pin: int, volume: _Volume) -> str:
    name = _NAMED.search(text[max(0, short.start - _SHORT_NAME) : short.start])
    best = volume.called(_plain_name(name[1]) if name else "", pin) or volume.up_to(pin)
    return best.canonical if best else ""


def _page(case: CitationMention) -> int:
    page = case.canonical.rpartition(" ")[2]
    return int(page) if page.isdigit() else 0


def _may_hold_id(text: str) -> bool:
    return "d." in text or "bid" in text


def _signalled(text: str, match: re.Match[str]) -> bool:
    if "§" in match[0] or " at " in match[0] or match[0].lower().startswith("ibid"):
        return True
    return _SIGNAL.search(text[max(0, match.start() - _SIGNAL_REACH) : match.start()]) is not None


class _Named:
    """Citations by the words that stand before them, where the name of a case is sought."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._before: dict[int, str] = {}
        self._by_word: dict[str, list[int]] = defaultdict(list)

    def add(self, key: int, mention: CitationMention) -> None:
        """Take a citation. Each key must be larger than the one before."""
        before = self._text[max(0, mention.start - _NAME_REACH) : mention.start]
        self._before[key] = _SENTENCE.split(before)[-1]
        for word in set(_WORD.findall(self._before[key])):
            self._by_word[word].append(key)

    def called(self, name: str) -> Iterator[int]:
        """Yield the keys of the citations that a name stands before, the last one first."""
        # Each word of the name stands before such a citation, so that its rarest word leaves the fewest to look at.
        rarest = min((self._by_word.get(word, []) for word in _WORD.findall(name)), key=len, default=[])
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return (key for key in reversed(rarest) if pattern.search(self._before[key]))


class _Earlier:
    """The citations before a place of a text, in order."""

    def __init__(self, text: str) -> None:
        self.mentions: list[CitationMention] = []
        self._text = text
        self._rows: list[int] = []
        self._cases = _Named(text)

    def append(self, mention: CitationMention) -> None:
        """Take the next citation."""
        place = len(self.mentions)
        last = self.mentions[-1] if self.mentions else None
        near = last is not None and mention.start - last.end <= _LONGEST_PARALLEL
        parallel = near and last is not None and _PARALLEL.fullmatch(self._text[last.end : mention.start])
        self._rows.append(self._rows[-1] if parallel else place)
        self.mentions.append(mention)
        if mention.kind in {"case", "neutral"}:
            self._cases.add(place, mention)

    def first_of_row(self, place: int) -> CitationMention:
        """Return the first of a run of parallel citations ("550 U.S. 544, 127 S. Ct. 1955"), given the place of any."""
        return self.mentions[self._rows[place]]

    def named(self, name: str) -> CitationMention | None:
        """Return the last case that stands behind a name; None where there is none."""
        place = next(self._cases.called(name), None)
        return None if place is None else self.mentions[place]


def _id_target(text: str, match: re.Match[str], earlier: _Earlier) -> str:
    mentions = earlier.mentions
    place = len(mentions) - 1
    while place >= 0 and _passed_over(text, mentions, place):
        place -= 1
    if place < 0 or _own_papers(text, mentions[-1], match):
        return ""
    target = earlier.first_of_row(place).canonical
    return _section_of(target, match["s"]) if match["s"] else target


def _section_of(target: str, section: str) -> str:
    """Return the other section of a cited body of law."""
    head, sign, _ = target.rpartition("§ ")
    if sign:
        return f"{head}{sign}{section}"
    body, part, _ = target.rpartition(" pt. ")
    return f"{body} § {section}" if part else ""


def _passed_over(text: str, earlier: Sequence[CitationMention], place: int) -> bool:
    """Say whether a citation only explains the one before it: "(quoting …)", "aff'd, …"."""
    if place == 0 or earlier[place].kind in {"id", "supra"}:
        return False
    before = text[max(0, earlier[place].start - _ASIDE_REACH) : earlier[place].start]
    flat = _BRACKET.sub("", _BRACKET.sub("", before))
    return _ASIDE.search(flat) is not None or _HISTORY.search(flat) is not None


def _own_papers(text: str, last: CitationMention, match: re.Match[str]) -> bool:
    between = text[last.end : match.start()]
    return _OWN.search(_OWN_PIN.sub("", between)) is not None


def _supra_target(match: re.Match[str], earlier: _Earlier) -> str:
    name = _plain_name(match["name"] or "")
    meant = earlier.named(name) if name else None
    return meant.canonical if meant is not None else ""


def _plain_name(name: str) -> str:
    """Drop the signal before a name: "See Hanson"."""
    return _LEADING.sub("", name)


def _mention(start: int, said: str, kind: str, canonical: str) -> CitationMention:
    return CitationMention(start=start, end=start + len(said), text=said, kind=kind, canonical=canonical)
