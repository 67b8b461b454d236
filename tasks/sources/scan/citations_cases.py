"""Reported cases of the United States, by volume, reporter and page.

The reporters are those of reporters-db. Year and court are read between this citation and the next one only, because
a parenthesis behind the next citation belongs to that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from tasks.sources.scan.records import CitationMention

_CITE: Final = re.compile(
    r"(?<![\w.$,/\-])(?P<v>\d{1,4})\s{1,2}(?P<r>[A-Z](?:[A-Za-z.'’&]|\d(?:d|th|rd|nd)\b|\s){0,34}?)"
    r"\s{0,2}(?:\(\d{1,2}\s[A-Z][a-z.]{2,12}\)\s)?(?P<at>,?\sat\s)?(?P<p>(?:\d{1,3},\d{3}|\d{1,8})|_{2,4})(?![\w%]|\.\d|,\d{3})"
)
_SHAPE: Final = re.compile(r"[\s.\u00a0’']")
_YEAR: Final = re.compile(r"[^()\[\];]{0,90}?\((?P<court>[^()]{0,60}?)\s?(?P<y>1[6-9]\d{2}|20\d{2})\)")


@lru_cache(maxsize=1)
def _reporters() -> Mapping[str, str]:
    """Map every spelling, without blanks and stops, to the reporter's proper form."""
    from reporters_db import EDITIONS, VARIATIONS_ONLY

    table = {_SHAPE.sub("", spelling): proper[0] for spelling, proper in VARIATIONS_ONLY.items() if len(proper) == 1}
    table.update({_SHAPE.sub("", edition): edition for edition in EDITIONS})
    return MappingProxyType(table)


def case_citations(text: str) -> Iterator[CitationMention]:
    """Yield cases cited by reporter."""
    for match in _CITE.finditer(text):
        raw = match["r"].strip()
        proper = _reporters().get(_SHAPE.sub("", raw))
        if proper is None or not _trusted(text, match, raw):
            continue
        page = match["p"].replace(",", "")
        canonical = f"{match['v']} {proper} {'at ' if match['at'] else ''}{page}"
        yield CitationMention(start=match.start(), end=match.end(), text=match[0], kind="case", canonical=canonical)


def _trusted(text: str, match: re.Match[str], raw: str) -> bool:
    """A reporter named by an ordinary word ("Day", "Black") needs its year behind it."""
    if "." in raw or raw.isupper() or any(ch.isdigit() for ch in raw):
        return True
    return _YEAR.match(text, match.end(), match.end() + 120) is not None
