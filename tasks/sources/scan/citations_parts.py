"""Parts shared by the citation families: section numbers, lists of sections, and what a family yields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from tasks.sources.scan.records import CitationMention

DASH: Final = r"[\-\u2010-\u2014]"
GAP: Final = r"[\s\u00a0]{0,3}"
SIGN: Final = r"(?:§{1,2}|[Ss]ections?|[Ss]ecs?\.|[Ss]s?\.)[\s\u00a0]{0,2}"
# 78j, 240.10b-5, 1.409A-1(b)(4), 1396r-8, 2-207, 14A:3-5
SECTION: Final = (
    r"\d{1,6}[A-Za-z]{0,4}(?:[.:/\-\u2011\u2013](?=[A-Za-z0-9])[A-Za-z0-9]{1,8}){0,5}"
    r"(?:[\s\u00a0]?\((?:[A-Za-z]{1,5}|\d{1,3})\)){0,8}"
)
SECTION_LIST: Final = (
    rf"{SECTION}(?:(?:,?\s(?:and|or|&|to|through)\s|,\s|{DASH}){SECTION}(?!\s[A-Z][\w.]{{0,8}}\s?(?:§|\d))){{0,8}}"
)
_ONE: Final = re.compile(SECTION)
_SPACE: Final = re.compile(r"[\s\u00a0]+")


class Template(NamedTuple):
    """One way of citing.

    Attributes:
        seeds: Cheap literal tests; the pattern runs only where the text holds one of them.
        pattern: Bounded expression; named groups feed ``form``.
        kind: Kind of the mention.
        form: Writes the canonical form, with ``{s}`` for a section of a list.
    """

    seeds: tuple[str, ...]
    pattern: re.Pattern[str]
    kind: str
    form: Callable[[re.Match[str], str], str]


def squeeze(raw: str) -> str:
    """Normalise blanks and dashes within a citation."""
    return _SPACE.sub(" ", raw.replace("\u2011", "-").replace("\u2010", "-")).strip(" ,.;")


def tight(raw: str) -> str:
    """Drop blanks: ``78j (b)`` is ``78j(b)``."""
    return _SPACE.sub("", raw.replace("\u2011", "-").replace("\u2013", "-"))


def run(text: str, template: Template) -> Iterator[CitationMention]:
    """Yield the citations a template finds; a list of sections gives one each."""
    if not any(seed in text for seed in template.seeds):
        return
    for match in template.pattern.finditer(text):
        yield from expand(text, match, template)


def expand(text: str, match: re.Match[str], template: Template) -> Iterator[CitationMention]:
    """Make the mentions of one match."""
    groups = match.groupdict()
    if not groups.get("s"):
        yield _make(text, match.start(), match.end(), template, template.form(match, ""))
        return
    first = True
    for part in _ONE.finditer(text, match.start("s"), match.end("s")):
        start, end = (match.start(), max(part.end(), match.start("s"))) if first else part.span()
        if first and match.end("s") < match.end() and _ONE.search(text, part.end(), match.end("s")) is None:
            end = match.end()
        yield _make(text, start, end, template, template.form(match, tight(part[0])))
        first = False


def _make(text: str, start: int, end: int, template: Template, canonical: str) -> CitationMention:
    return CitationMention(start=start, end=end, text=text[start:end], kind=template.kind, canonical=canonical)
