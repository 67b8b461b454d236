"""Backward references: ``Id.``, ``Ibid.``, ``supra`` and "550 U.S., at 570", resolved to what is literally cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tasks.sources.scan.records import CitationMention

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
_SENTENCE: Final = re.compile(r"[;\n]|(?<=[)\]\"”’\d])\.\s(?=[A-Z])|(?<=[a-z]{5})\.\s(?=[A-Z])")
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
_ASIDE_REACH: Final = 400
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
    earlier: list[CitationMention] = []
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
            mention = _mention(match.end() - len(said), said, kind, _supra_target(text, match, earlier))
        back.append(mention)
        earlier.append(mention)
    return back


def resolve_short(text: str, found: Sequence[CitationMention]) -> list[CitationMention]:
    """Give short forms ("Twombly, 550 U.S., at 570") the full citation before them that fits by name, or by page."""
    full: dict[str, list[CitationMention]] = {}
    kept = []
    for mention in found:
        short = _SHORT.match(mention.canonical) if mention.kind == "case" else None
        if short is None:
            if mention.kind == "case":
                full.setdefault(mention.canonical.rpartition(" ")[0], []).append(mention)
            kept.append(mention)
            continue
        case = _case_meant(text, mention, int(short["pin"]), full.get(short["head"], ()))
        kept.append(mention.model_copy(update={"canonical": case}) if case else mention)
    return kept


def _case_meant(text: str, short: CitationMention, pin: int, cases: Sequence[CitationMention]) -> str:
    fitting = [case for case in cases if _page(case) <= pin]
    name = _NAMED.search(text[max(0, short.start - 80) : short.start])
    named = _plain_name(name[1]) if name else ""
    same = [case for case in fitting if named and _names(text, case, named)]
    best = max(same or fitting, key=_page, default=None)
    return best.canonical if best else ""


def _page(case: CitationMention) -> int:
    page = case.canonical.rpartition(" ")[2]
    return int(page) if page.isdigit() else 0


def _names(text: str, case: CitationMention, name: str) -> bool:
    before = text[max(0, case.start - _NAME_REACH) : case.start]
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", _SENTENCE.split(before)[-1]) is not None


def _may_hold_id(text: str) -> bool:
    return "d." in text or "bid" in text


def _signalled(text: str, match: re.Match[str]) -> bool:
    if "§" in match[0] or " at " in match[0] or match[0].lower().startswith("ibid"):
        return True
    return _SIGNAL.search(text[max(0, match.start() - 12) : match.start()]) is not None


def _id_target(text: str, match: re.Match[str], earlier: Sequence[CitationMention]) -> str:
    place = len(earlier) - 1
    while place >= 0 and _passed_over(text, earlier, place):
        place -= 1
    if place < 0 or _own_papers(text, earlier[-1], match):
        return ""
    while place and _PARALLEL.fullmatch(text[earlier[place - 1].end : earlier[place].start]):
        place -= 1  # a parallel citation: the case is the first of the row
    target = earlier[place].canonical
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


def _supra_target(text: str, match: re.Match[str], earlier: Sequence[CitationMention]) -> str:
    name = _plain_name(match["name"] or "")
    if not name:
        return ""
    for mention in reversed(earlier):
        if mention.kind in {"case", "neutral"} and _names(text, mention, name):
            return mention.canonical
    return ""


def _plain_name(name: str) -> str:
    """Drop the signal before a name: "See Hanson"."""
    return _LEADING.sub("", name)


def _mention(start: int, said: str, kind: str, canonical: str) -> CitationMention:
    return CitationMention(start=start, end=start + len(said), text=said, kind=kind, canonical=canonical)
