"""The identity of a document: its title, its parties, and whether it is an agreement."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from tasks.legaltext.fold import straight
from tasks.legaltext.names import FORM
from tasks.sources.records import CanonicalText, DocumentState

_KIND = re.compile(
    r"\b(?:agreement|contract|licen[sc]e|lease|amendment|addendum|power of attorney|guarant[ey]e?s?|deed|indenture"
    r"|memorandum of understanding|letter of intent|terms and conditions|purchase order|note|order form"
    r"|statement of work"
    r"|undertaking|covenant|settlement|policy|exhibit)\b",
    re.I,
)
_NOT_TITLE = re.compile(
    r"\b(?:exhibit|this|shall|means|table of contents|securities|confidential(?:ity)? treatment|execution (?:copy"
    r"|version)"
    r"|witnesseth|dated|whereas|hereby|page|section|schedule|filed|registration|redacted|omitted|parties?)\b",
    re.I,
)
_BETWEEN = re.compile(r"\b(?:by and (?:between|among)|between|by and amongst?|among|amongst)\b\s*:?\s*", re.I)
_NAME_END = re.compile(
    r"\s*(?:\(|,\s*(?:a|an|the|whose|with|having|located|located|organized|incorporated|which|of|on behalf"
    r"|individually|doing)\b"
    r"|\bwhose\b|\bhaving\b|\bwith (?:its|offices|an|a)\b|\blocated\b|\(\"|\bis made\b|\bhereinafter\b|\bboth\b"
    r"|\bincorporated (?:in|under)\b|;|\.\s|:)",
    re.I,
)
_OPERATIVE = re.compile(
    r"\b(?:shall|hereby|hereto|hereunder|agrees?|may not|must|grants?|governed by|leases to|pays|terminates?"
    r"|neither party|the parties)\b"
)
# The opening of an instrument: "This First Amendment to Lease is made on … between …".
_PREAMBLE = re.compile(
    r"\bthis [^.\n]{3,80}?\b(?:is|was)?\s*(?:made|entered into|dated|executed|effective)\b[^.]{0,160}?"
    r"\b(?:between|among|by and)\b|\bthis (?:letter )?(?:agreement|amendment|addendum)\b[^.]{0,80}\b(?:amends?"
    r"|sets? forth|confirms?|supplements?)\b",
    re.S,
)
# An instrument that rests on another, and may be as short as its prices: "Order Form under the Lease between … and …".
_RESTS = re.compile(
    r"\b(?:order form|statement of work|work order|purchase order|amendment|addendum|side letter|supplement)\b", re.I
)
_ON_ANOTHER = re.compile(
    r"\b(?:under|pursuant to|to|amends?|supplements?|part of) (?:the|that|its) [^.\n]{0,60}"
    r"\b(?:agreement|contract|lease|licen[sc]e)\b[^\n]{0,160}\b(?:between|among)\b",
    re.I,
)
# What an amendment does, however short it is: "Section 7 is amended by …".
_AMENDS = re.compile(r"\b(?:is|are) (?:hereby |further )*(?:amended|deleted|replaced|restated)\b", re.I)
_CHANGES = re.compile(r"\b(?:amendment|addendum)\b", re.I)
_HEAD = 600  # characters in which an instrument names its parties
_CITED = 50  # characters of a title in citations
# Chosen by eye on the development contracts, not measured.
_BINDING = 3  # operative words ("shall", "hereby"), or opening phrases: fewer stand in letters and notes, too
_TITLE_WORDS, _UPPER_LINE, _NAME_WORDS = 14, 8, 9  # of a title, of the line above it that belongs to it, of a party
_NO_PARTY = re.compile(
    r"\b(?:agreements?|section|exhibit|dated|whereas|parties|party|made|entered|effective|desires?|wish(?:es)?|are|is"
    r"|agrees?"
    r"|shall|mutually|collectively|sometimes|hereby|certain|receiving|approved|related|only|service marks|milestone"
    r"|audits?|scope|wales|england|nevada|delaware corporation)\b",
    re.I,
)
_COMPANY = re.compile(
    r"\b[A-Z][\w&.'/-]*(?:[ ,]+(?:[A-Z&][\w&.'/-]*|of|the|and|d/b/a|dba)){0,8}?,?\s+"
    rf"(?:{FORM}|Trust|Bank|Partners|University)\b\.?"
)


@dataclass(frozen=True)
class Identity:
    """How the work product refers to a document.

    Attributes:
        document: File name.
        title: Title as printed, in title case; the file name made readable where none is printed.
        parties: Names of the parties as far as they were found.
        agreement: Whether it is an agreement or another instrument with operative terms.
    """

    document: str
    title: str
    parties: tuple[str, ...]
    agreement: bool

    @property
    def short(self) -> str:
        """Return the name used in citations."""
        return self.title if len(self.title) <= _CITED else self.title[: _CITED - len(" …")].rsplit(" ", 1)[0] + " …"


def identify(text: CanonicalText, places: Collection[str], state: DocumentState | None = None) -> Identity:
    """Read the identity of a document from its first page; what the inventory knows takes precedence.

    Args:
        text: The document.
        places: Names of jurisdictions: none of them is a party.
        state: What the inventory knows of it.
    """
    head = straight(text.text[:6000])
    title = (state.title if state else "") or _title(head)
    if len(title.split()) < 2:
        title = _readable(text.document)
    parties = tuple(e.name for e in state.parties if e.kind == "party") if state else ()
    parties = parties or _parties(head, places)
    body = text.text[:20000].lower()
    operative = len(re.findall(r"\b(?:shall|hereby|hereto|hereunder|agrees?)\b", body))
    titled = bool(_KIND.search(title))
    made = titled and (bool(_PREAMBLE.search(body[:3000])) or len(_OPERATIVE.findall(body)) >= _BINDING)
    named = bool(re.search(r"\bthis (?:\w+ ){0,4}(?:agreement|contract)\b", body))
    binding = operative >= _BINDING and (titled or named)
    made = made or bool(_RESTS.search(title) and _ON_ANOTHER.search(straight(text.text[:1500])))
    made = made or bool(_CHANGES.search(title) and _AMENDS.search(body))
    made = made or (bool(_KIND.search(_title(head[:_HEAD]))) and len(_between(head[:_HEAD], places)) > 1)
    agreement = text.media in {"pdf", "docx", "txt", "md", "html"} and (made or binding)
    return Identity(text.document, _cased(title), parties, agreement)


def _title(head: str) -> str:
    lines = [re.sub(r"[*_\s]+", " ", line).strip() for line in head.split("\n")]
    lines = [line for line in lines if line][:45]
    for index, line in enumerate(lines):
        words = line.split()
        if not _KIND.search(line) or len(words) > _TITLE_WORDS or _NOT_TITLE.search(line) or line.endswith((",", ";")):
            continue
        if re.match(r"(?:\d|[IVX]+\.|article\b|\()", line, re.I) or re.search(r":\s*\S|\bas follows\b", line):
            continue
        if not (line.isupper() or sum(w[:1].isupper() for w in words) * 2 > len(words)):
            continue
        before = lines[index - 1] if index else ""
        if (
            len(words) <= 2
            and before.isupper()
            and line.isupper()
            and len(before.split()) <= _UPPER_LINE
            and not _NOT_TITLE.search(before)
        ):
            return f"{before} {line}".strip(" .:\"'()")
        return line.strip(" .:\"'()")
    match = re.search(
        r"\bthis ((?:[A-Z][\w-]*,? (?:and |of |& )?){0,7}(?:Agreement|AGREEMENT|Contract|Amendment|License|Lease))\b",
        head,
    )
    return match[1] if match else ""


def _cased(title: str) -> str:
    title = re.sub(r"\s+", " ", title).strip()
    if not title.isupper():
        return title
    small = {"of", "and", "the", "to", "for", "in", "on", "a", "an", "by", "with", "or"}
    words = [w if re.search(r"\d|[.&/]", w) else w.capitalize() for w in title.split()]
    return " ".join(w.lower() if i and w.lower() in small else w for i, w in enumerate(words))


def _readable(name: str) -> str:
    stem = PurePosixPath(name).stem
    return re.sub(r"[-_]+", " ", re.sub(r"^\d+[-_ ]+", "", stem)).strip().title() or name


def _parties(head: str, places: Collection[str]) -> tuple[str, ...]:
    if named := _between(head, places):
        return named
    flat = re.sub(r"\s+", " ", head)
    found = list(dict.fromkeys(m[0].strip(" ,") for m in _COMPANY.finditer(flat[:2500])))
    return tuple(n for n in found if _looks_like_party(n, places))[:3]


def _between(head: str, places: Collection[str]) -> tuple[str, ...]:
    """Return the parties that the words "between" and "and" name; none where they do not."""
    flat = re.sub(r"\s+", " ", head)
    for match in _BETWEEN.finditer(flat):
        window = flat[match.end() : match.end() + 900]
        names: list[str] = []
        for piece in re.split(r"\)?,?\s+(?:and|&)\s+(?=[\"A-Z(])", window, maxsplit=4)[:5]:
            name = _NAME_END.split(piece, maxsplit=1)[0].strip(" ,\"'-")
            if _looks_like_party(name, places) and name not in names:
                names.append(name)
        if len(names) >= 2:
            return tuple(names[:4])
    return ()


def _looks_like_party(name: str, places: Collection[str]) -> bool:
    words = name.split()
    return (
        0 < len(words) <= _NAME_WORDS
        and name[:1].isupper()
        and not _NO_PARTY.search(name)
        and not re.fullmatch(r"corporation|company|limited|party|trust|investment company|company limited", name, re.I)
        and re.sub(r" (?:corporation|company|limited)$", "", name, flags=re.I) not in places
    )
