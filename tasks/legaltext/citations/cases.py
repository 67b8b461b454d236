"""Reported cases of the United States, by volume, reporter and page.

The reporters are those of reporters-db. Year and court are read between this citation and the next one only, because
a parenthesis behind the next citation belongs to that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from tasks.legaltext.records import CitationMention

_CITE: Final = re.compile(
    r"(?<![\w.$,/\-])(?P<v>\d{1,4})\s{1,2}(?P<r>[A-Z](?:[A-Za-z.'’&]|\d(?:d|th|rd|nd)\b|\s){0,34}?)"
    r"\s{0,2}(?:\(\d{1,2}\s[A-Z][a-z.]{2,12}\)\s)?(?P<at>,?\sat\s)?(?P<p>(?:\d{1,3},\d{3}|\d{1,8})|_{2,4})(?![\w%]|\.\d|,\d{3}|-[a-z])"
)
_VOLUME: Final = re.compile(r"\d{1,4}\s{1,2}(?=[A-Z])")
_SHAPE: Final = re.compile(r"[\s.\u00a0’']")
_YEAR: Final = re.compile(r"[^()\[\];]{0,90}?\((?P<court>[^()]{0,60}?)\s?(?P<y>1[6-9]\d{2}|20\d{2})\)")


_PARALLEL: Final = re.compile(r"(?:,\s\*?\d{1,5}(?:[\-\u2013]\d{1,5})?){0,3},\s{0,2}")
_MONTH_DAY: Final = re.compile(r"\b(?:[A-Z][a-z]{2,8})\.?\s\d{1,2},$")
_PARTIES: Final = re.compile(r"\s(?:v|vs)\.?\s[A-Z]|\b(?:In re|Ex parte|Matter of)\s")
# "5 U.S. 10" may be five American things; from this volume on the page of a reporter is meant.
_EARLY: Final = 100
_AROUND: Final = 120  # characters before and behind in which the parties or the year show a citation; chosen by eye
_UNTIL_YEAR: Final = 160  # characters behind a case, with its parallel citations, in which its year stands; by eye
_STRONG: Final = frozenset(
    {
        *("U.S.", "S. Ct.", "L. Ed.", "F.", "F. Supp.", "F.R.D.", "B.R.", "Fed. Cl.", "F. App'x", "WL", "N.E.", "N.W."),
        *("S.E.", "S.W.", "Cal. Rptr.", "N.Y.S.", "T.C.", "T.C.M.", "M.J.", "Vet. App.", "Ct. Cl.", "Cal. App."),
    }
)


@lru_cache(maxsize=1)
def _reporters() -> Mapping[str, str]:
    """Map every spelling, without blanks and stops, to the reporter's proper form."""
    from reporters_db import EDITIONS, VARIATIONS_ONLY

    table = {_SHAPE.sub("", spelling): proper[0] for spelling, proper in VARIATIONS_ONLY.items() if len(proper) == 1}
    table.update({_SHAPE.sub("", edition): edition for edition in EDITIONS})
    return MappingProxyType(table)


def case_citations(text: str) -> Iterator[CitationMention]:
    """Yield the cases that a text cites by volume, reporter and page, in order."""
    for match in _candidates(text):
        raw = match["r"].strip()
        proper = _reporters().get(_SHAPE.sub("", raw))
        if proper is None or not _trusted(text, match, proper):
            continue
        page = match["p"].replace(",", "")
        canonical = f"{match['v']} {proper} {'at ' if match['at'] else ''}{page}"
        yield CitationMention(start=match.start(), end=match.end(), text=match[0], kind="case", canonical=canonical)


def _candidates(text: str) -> Iterator[re.Match[str]]:
    """Yield what looks like volume, reporter and page; a pattern that begins with digits is searched much faster."""
    end = 0
    for start in _VOLUME.finditer(text):
        match = _CITE.match(text, start.start()) if start.start() >= end else None
        if match:
            end = match.end()
            yield match


def _trusted(text: str, match: re.Match[str], proper: str) -> bool:
    """Say whether the reporter cannot be anything else, or the words around it make it a case.

    Many reporters are named by a word or an abbreviation of daily use ("Day", "Mo.", "P."): those need a year behind
    them or the names of parties before them.
    """
    early = proper == "F." or (proper == "U.S." and int(match["v"]) < _EARLY)
    if not early and (any(ch.isdigit() for ch in proper) or proper in _STRONG):
        return True
    if text[match.start() - 1 : match.start()] == "§" or text[match.start() - 2 : match.start()] == "§ ":
        return False
    if _YEAR.match(text, match.end(), match.end() + _AROUND):
        return True
    return _PARTIES.search(text[max(0, match.start() - _AROUND) : match.start()]) is not None


def date_cases(text: str, found: Sequence[CitationMention]) -> list[CitationMention]:
    """Read year and court of each reported case from the text between it and the next citation.

    A parenthesis behind the next citation belongs to that one, except where both cite one case in parallel.
    """
    dated: list[CitationMention] = []
    following: CitationMention | None = None
    for mention in reversed(found):
        following = _dated(text, mention, following) if mention.kind == "case" else mention
        dated.append(following)
    return dated[::-1]


def _dated(text: str, mention: CitationMention, following: CitationMention | None) -> CitationMention:
    limit = min(mention.end + _UNTIL_YEAR, following.start if following else len(text))
    between = text[mention.end : limit]
    if following and following.kind == "case" and _PARALLEL.fullmatch(between):
        return mention.model_copy(update={"year": following.year, "court": following.court})
    match = _YEAR.match(between)
    if match is None:
        return mention
    court = _MONTH_DAY.sub("", match["court"]).strip(" ,")
    return mention.model_copy(update={"year": int(match["y"]), "court": court})
