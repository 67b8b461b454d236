"""Readers: what a row of a form cannot say, because it hangs on the rest of the text or on rules of its own.

A reader returns the slots that it knows better than the pattern, or None where the words turn out to be no citation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from tasks.legaltext.citations.shapes import squeeze, tight

Words = Mapping[str, Mapping[str, str]]

_LEADING: Final = re.compile(r"^(?:(?:See|Under|The|In|By|Per|Cf|And|Where|With|If|As|Of|Compare|But)\s)+")
_NOT_LAW: Final = frozenset({"", "Act", "Said Act", "Such Act"})
# A people before the name of a code: "German Bankruptcy Code" is none of the United States.
_PEOPLE: Final = re.compile(r"(?!American\b)[A-Z][a-z]+(?:ian|ean|can|man|ish|ese|ench|utch|wiss|ine|aeli)\s")
_YEAR: Final = re.compile(r" of [0-9]{4}$")
_FUNDS: Final = re.compile(r"\s(?:of|under)\sthe\s(?:Investment\sCompany|1940)\sAct")
_SECURITIES_ACT: Final = re.compile(r"(?:1[0-9]{2}|4\d{2}|5\d{2}|9\d{2})[A-Z]?")
_EVIDENCE: Final = re.compile(r"R\.\s?Evid|Rules?\sof\sEvidence")
_LAW_WORD: Final = re.compile(r"\b(?:Code|Stats?|Laws?|Cons|R\.S|C\.\s?S|Codified|Ordinance)\b")
_ANNOTATED: Final = re.compile(r",?\sAnn(?:otated)?\b\.?")
_ABBREVIATED: Final = ("Stat", "Laws.", "Gen", "Comp", "Cons", "C.S", "Ass'n")


class CitationRead(NamedTuple):
    """What a reader reads.

    Attributes:
        match: What the pattern matched; ``match.string`` is the whole text.
        section: One section of its list; empty where it has none.
        words: The tables of words by name, with keys in small letters.
    """

    match: re.Match[str]
    section: str
    words: Words


Reader = Callable[[CitationRead], Mapping[str, str] | None]


def _act(found: CitationRead) -> Mapping[str, str] | None:
    """Name an Act of Congress without the words of the sentence before it."""
    name = _LEADING.sub("", squeeze(found.match["act"]))
    if name.endswith("Bankruptcy Code") and not _PEOPLE.match(name):
        return {"act": "11 U.S.C."}
    if name in _NOT_LAW:
        return None
    name = found.words["fund_acts"].get(name.lower(), name)
    year = found.match.groupdict().get("year")
    return {"act": f"{_YEAR.sub('', name)} of {year}" if year else name}


def _the_code(found: CitationRead) -> Mapping[str, str] | None:
    """Read "the Code" as the Internal Revenue Code unless the text has defined another."""
    if "Internal Revenue" not in found.match.string:
        if "Bankruptcy Code" in found.match.string:
            return {"title": "11"}
        if "Commercial Code" in found.match.string or "Civil Code" in found.match.string:
            return None
    return {"title": "26"}


@lru_cache(maxsize=1)
def _speaks_of_evidence(text: str) -> bool:
    """Tell whether a text names the rules of evidence; asked once a text, however often it cites a rule 701."""
    return _EVIDENCE.search(text) is not None


def _sec_rule(found: CitationRead) -> Mapping[str, str] | None:
    """Tell the Act that a rule of the Securities and Exchange Commission is made under."""
    head = tight(found.section).split("(", maxsplit=1)[0]
    if head == "701" and _speaks_of_evidence(found.match.string):
        return None
    if _FUNDS.match(found.match.string, found.match.end()):
        return {"part": "270"}
    made_under = "230" if _SECURITIES_ACT.fullmatch(head) else "240"
    return {"part": found.words["fund_rules"].get(head, made_under)}


def _release(found: CitationRead) -> Mapping[str, str] | None:
    """Give a release its prefix by the Act that the text names; a bare number without an Act is none."""
    number = found.match["number"].upper().replace("\u2013", "-")
    if not number.replace(",", "").isdigit():
        return {"number": number}
    said = found.match[0].lower()
    prefix = next((prefix for act, prefix in found.words["releases"].items() if act in said), "")
    return {"number": f"{prefix}-{number.replace(',', '')}"} if prefix else None


def _bluebook(found: CitationRead) -> Mapping[str, str] | None:
    """Name a state's code as the Bluebook does, without "Annotated"."""
    if not _LAW_WORD.search(found.match["body"]):
        return None
    code = _ANNOTATED.sub("", squeeze(f"{found.match['state']} {found.match['body']}"))
    return {"code": f"{code}." if code.endswith(_ABBREVIATED) else code}


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {"act": _act, "the_code": _the_code, "sec_rule": _sec_rule, "release": _release, "bluebook": _bluebook}
)
