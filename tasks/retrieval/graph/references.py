"""References to provisions in running text: "Section 8.2(a)", "clauses (b) and (c) above", "Exhibit A hereto".

Each reference is taken apart (kind, number, sub-items) with what it says of the place: the provision or the
instrument that it belongs to ("of this Section 2.5", "of the Separation Agreement", "of the Code"). Nothing is
resolved here. Time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tasks.retrieval.numbering import roman_value

Kind = Literal["section", "article", "item", "attachment"]

_SUBS = r"(?:[ \t]?\((?:[0-9]{1,3}[A-Z]?|[A-Za-z]{1,2}|[ivxlIVXL]{1,6})\))"
_NUMBER = rf"\d{{1,4}}(?:\.\d{{1,3}})*[A-Z]?(?!\w|-0\d|-\d{{3}}){_SUBS}*"
_ROMAN = rf"[IVXLC]{{1,7}}(?:\.\d{{1,3}})?{_SUBS}*(?![\w.])"
_LETTERED = (
    rf"(?!(?:TO|OF|IS|IN|BY|AN|AS|AT|OR|ON|NO|WE|IF|IT|BE|SO|DO)\b)[A-Z]{{1,2}}(?:[-.]\d{{1,3}})*{_SUBS}*(?![\w])"
)
_ITEM = rf"(?:{_NUMBER}|{_SUBS}+|{_ROMAN}|{_LETTERED})"
_TITLE = r"(?:\s{0,3}\((?:[A-Z\"“]|[a-z]{3,}\s)[^()\n]{2,90}\))?"
_SEPARATOR = r"(?:\s{0,3},?\s{0,3}(?:and/or|and|or|through|to|&|[-–—])\s{1,12}|\s{0,3},\s{1,12}|[-–—](?=[(\d]))"
_WORD = (
    r"(?P<word>(?:sub-?)?(?:sections?|clauses?|paragraphs?|parts?(?=\s+\())|articles?|sec\.|§§?|exhibits?|schedules?|"
    r"annex(?:es|ures?)?|appendi(?:x|ces)|attachments?|addend(?:um|a))"
)
_GROUP = re.compile(
    rf"(?<![\w-]){_WORD}(?:\s{{1,12}}|(?<=§)\s*)(?:no\.\s*)?(?P<first>(?-i:{_ITEM}))"
    rf"(?P<rest>(?:{_TITLE}{_SEPARATOR}(?-i:{_ITEM})(?![\w%]))*)(?P<title>(?-i:{_TITLE}))",
    re.IGNORECASE,
)
_ONE = re.compile(rf"(?P<sep>{_SEPARATOR})?(?P<item>{_ITEM})(?:{_TITLE})", re.DOTALL)
_OWN = re.compile(
    r"\s{1,12}(?:of|to|in|under|from)\s{1,12}(?:this|the\s+present)\s{1,12}"
    r"(?P<what>[A-Za-z]+)(?:\s{1,12}(?P<num>[A-Z\d][\w.()-]*))?|\s{1,4}(?:hereof|hereto|herein|hereunder)\b",
    re.IGNORECASE,
)
_OUTER = re.compile(rf"\s{{1,12}}(?:of|to|in|under)\s{{1,12}}(?:the\s+)?(?:foregoing\s+)?(?={_WORD})", re.IGNORECASE)
_FOREIGN = re.compile(
    r"\s{0,4},?\s{1,12}(?i:of|to|in|under|from|attached\s+to|set\s+forth\s+in)\s{1,12}"
    r"(?i:the|that\s+certain|such|said|its|their|our|any|each)?\s{0,12}"
    r"(?P<name>(?:(?:[A-Z]\.(?:[A-Z]\.)+|[A-Z][\w&'’/-]*|\d{4})(?:\s{1,12}(?:(?:of|and|for|on|to)\s{1,12})?(?=[A-Z\d(]))?)"
    r"{1,9}(?:\s{1,4}of\s{1,4}\d{4})?)"
)
_LAW = re.compile(
    r"\b(?:Code|Act|Acts|Rules?|Regulations?|Regs?|Statutes?|Laws?|Constitution|Directive|Ordinance|Bankruptcy|"
    r"Treasury|UCC|ERISA|GDPR|U\.?S\.?C|C\.?F\.?R|Stat|Commission|IRC|HIPAA|CCPA|DGCL)\b",
    re.IGNORECASE,
)
_LAW_BEFORE = re.compile(
    r"(?:U\.?\s?S\.?\s?C\.?(?:ode|A\.?)?|C\.?F\.?R\.?|Code|Regulations?|Reg\.|Stat\.?|Act|Law|Rules?)(?:\s*,)?\s{0,3}\Z"
)
_CHAIN = re.compile(r"\s{0,3}[,;]?\s{0,12}(?:and|or|through|to|and/or)?\s{1,12}(?:in\s+|of\s+|with\s+)?\Z")
_MOST_RANGE = 30  # bounds the items of a hostile range ("1 through 999999")
_STATUTES = 200  # contracts seldom have 200 sections, codes do
_MOST_ROMAN = 40  # above it, letters with a tail ("CC.1") are not read as a Roman number; chosen by eye
_BEFORE = 24  # characters before a reference in which the name of a law may end; chosen by eye
_ATTACHED = ("exhibit", "schedule", "annex", "appendi", "attachment", "addend")


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference as printed.

    Attributes:
        start, end: Span of this item's words; the first item of a group begins at its word.
        kind: ``item`` is named by its sub-item alone ("clause (b)").
        number: ``8.2``, ``4`` for Article IV, ``A-1`` for an exhibit; empty for an item.
        subs: ``("(a)", "(ii)")``.
        word: The word it goes by, in lower case and the singular.
        place: ``this`` (said so), ``law``, ``other`` (another instrument), empty where nothing is said.
        instrument: Name of the other instrument.
        outer: The provision that the text says it lies in ("paragraph (b) of Section 2.5").
    """

    start: int
    end: int
    kind: Kind
    number: str
    subs: tuple[str, ...]
    word: str
    place: str = ""
    instrument: str = ""
    outer: Reference | None = None

    @property
    def said(self) -> str:
        """Return the citation form."""
        subs = "".join(self.subs)
        name = self.word.capitalize() if self.kind != "item" else self.word
        inner = f"{name} {self.number}{subs}"
        return f"{inner} of {self.outer.said}" if self.outer is not None else inner


def find_references(text: str) -> list[Reference]:
    """Return the references of a text in reading order."""
    groups: list[list[Reference]] = []
    outers: set[int] = set()
    for match in _GROUP.finditer(text):
        group = list(_items(match))
        if not group:
            continue
        if match.start() in outers:  # the place that the group before lies in; it is a reference of its own, too
            groups[-1] = [replace(ref, outer=group[0]) for ref in groups[-1]]
        end = match.end()
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        place, instrument = _place(text, end, before, group)
        group = [replace(ref, place=place, instrument=instrument) for ref in group]
        if groups and place and not groups[-1][-1].place and groups[-1][-1].end <= group[0].start:
            _spread(text, groups, group[0])
        groups.append(group)
        if outer := _OUTER.match(text, end):
            outers.add(outer.end())
        elif (own := _OWN.match(text, end)) and own["num"]:
            outers.add(own.start("what"))
    _inherit(groups)
    return [ref for group in groups for ref in group]


def _inherit(groups: list[list[Reference]]) -> None:
    """An item within a named provision lies in the same instrument as that provision."""
    by_start = {ref.start: ref for group in groups for ref in group}
    for group in groups:
        for i, ref in enumerate(group):
            if ref.outer is not None:
                outer = by_start.get(ref.outer.start, ref.outer)
                place = outer.place if outer.place in ("law", "other") else ref.place
                group[i] = replace(ref, outer=outer, place=place, instrument=outer.instrument or ref.instrument)


def _spread(text: str, groups: list[list[Reference]], last: Reference) -> None:
    """Give a place named at the end of an enumeration to the groups before it: "Section 1, Section 2 of the Code"."""
    following = last.start
    for group in reversed(groups):
        between = re.sub(r"\([^()]{0,90}\)", "", text[group[-1].end : following])
        if group[-1].place or group[-1].outer is not None or not _CHAIN.fullmatch(between):
            return
        if last.kind != group[-1].kind:
            return
        group[:] = [replace(ref, place=last.place, instrument=last.instrument) for ref in group]
        following = group[0].start


def _place(text: str, end: int, before: str, group: list[Reference]) -> tuple[str, str]:
    """Return what the text says of the instrument after (or before) a group."""
    if _LAW_BEFORE.search(before) or _statutory(group[0].number) or re.match(r"\s*et\.?\s+seq", text[end : end + 12]):
        return "law", ""
    if _OWN.match(text, end):
        return "this", ""
    if _OUTER.match(text, end):
        return "", ""
    if foreign := _FOREIGN.match(text, end):
        name = re.sub(r"\s+", " ", foreign["name"]).strip(" ,.;")
        if _LAW.search(name):
            return "law", name
        return ("other", name) if _INSTRUMENT.search(name) else ("", "")
    return "", ""


def _statutory(number: str) -> bool:
    """Tell the number of a statute from that of a contract's clause: "Section 365(n)" without a code's name."""
    head = re.match(r"\d+", number)
    return head is not None and int(head[0]) >= _STATUTES


_INSTRUMENT = re.compile(
    r"(?:Agreement|Lease|Note|Notes|Indenture|Amendment|Guarant(?:y|ee)|Plan|Policy|Deed|License|Licence|Contract|"
    r"Letter|Addendum|Statement|Order|SOW|MSA|NDA|Warrant|Charter|Bylaws|By-Laws|Articles|Certificate|Terms|Memorandum|"
    r"Prospectus|Offer|Mortgage|Bond|Debenture|Instrument|Manual|Protocol|Schedule|Exhibit|Annex|Appendix)\w*\Z",
    re.IGNORECASE,
)


def _items(match: re.Match[str]) -> Iterator[Reference]:
    """Yield the items of a group: "Sections 4.1(a), (b) and 5 through 7"."""
    word = _singular(match["word"])
    last: Reference | None = None
    listed = match.start("first")
    for one in _ONE.finditer(match.string, listed, match.end()):
        sep = (one["sep"] or "").strip(" ,;\n\t\r").lower()
        ref = _read(one["item"], word, one.start("item"), one.end("item"), last)
        if ref is None:
            continue
        if last is None:
            ref = replace(ref, start=match.start())
        elif sep in {"through", "to", "-", "–", "—"}:
            yield from _between(last, ref)
        yield ref
        last = ref


def _read(item: str, word: str, start: int, end: int, last: Reference | None) -> Reference | None:
    subs = tuple(f"({sub})" for sub in re.findall(r"\(([^()]+)\)", item))
    number = re.sub(r"\s*\(.*", "", item, flags=re.DOTALL).strip()
    attached = word.startswith(_ATTACHED)
    if not number and last is not None:  # "Section 4.1(a) or (b)": the number is carried on
        if attached or not last.subs or not _alike(last.subs[-1], subs[-1]):
            return None  # "Section 4.1(a) and (ii) all others": the next item of a list, no part of the reference
        kept = last.subs[: max(0, len(last.subs) - len(subs))]
        return replace(last, start=start, end=end, subs=kept + subs)
    if not number:
        return Reference(start, end, "item", "", subs, word) if subs and not attached else None
    if attached:
        if re.fullmatch(r"[A-Z]{2}", number) and number[0] != number[1]:
            return None  # a name in capitals that the enumeration runs into
        return Reference(start, end, "attachment", number.upper(), subs, word)
    if number[0].isdigit():
        kind: Kind = "article" if word == "article" and "." not in number else "section"
        return Reference(start, end, kind, number, subs, word)
    head, _, tail = number.partition(".")
    value = roman_value(head)
    if not value or (tail and value > _MOST_ROMAN):
        return Reference(start, end, "section", number, subs, word) if len(number) == 1 and last is None else None
    if word == "article" and not tail:
        return Reference(start, end, "article", str(value), subs, word)
    return Reference(start, end, "section", f"{value}.{tail}" if tail else number, subs, word)


def _alike(one: str, two: str) -> bool:
    """Tell whether two sub-items may stand in one enumeration."""
    a, b = one[1:-1], two[1:-1]
    if a.isdigit() or b.isdigit():
        return a.isdigit() and b.isdigit()
    both_roman = bool(roman_value(a) and roman_value(b))
    return a.isupper() == b.isupper() and (both_roman or len(a) == len(b) == 1)


def _between(first: Reference, last: Reference) -> Iterator[Reference]:
    """Yield what lies between the ends of a range."""
    if first.subs or last.subs:
        low, high = (ref.subs[-1:] for ref in (first, last))
        if not low or not high or first.number != last.number or len(low[0]) != 3 or len(high[0]) != 3:
            return
        for code in range(ord(low[0][1]) + 1, min(ord(high[0][1]), ord(low[0][1]) + _MOST_RANGE)):
            yield replace(last, subs=(*last.subs[:-1], f"({chr(code)})"))
        return
    head, _, low_end = first.number.rpartition(".")
    other, _, high_end = last.number.rpartition(".")
    if head == other and low_end.isdigit() and high_end.isdigit():
        for value in range(int(low_end) + 1, min(int(high_end), int(low_end) + _MOST_RANGE)):
            yield replace(last, number=f"{head}.{value}" if head else str(value))


def _singular(word: str) -> str:
    low = word.lower().replace("-", "")
    plurals = {"annexes": "annex", "appendices": "appendix", "addenda": "addendum", "§§": "section", "§": "section"}
    low = {"sec.": "section", **plurals}.get(low, low)
    return low[:-1] if low.endswith("s") and low not in {"annexes"} else low
