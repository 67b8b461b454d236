"""Parts shared by the citation families: section numbers, lists of sections, and what a family yields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from tasks.sources.scan.dates_blanks import around
from tasks.sources.scan.records import CitationMention

DASH: Final = r"[\-\u2010-\u2014]"
SIGN: Final = r"(?:§{1,2}|[Ss]ections?|[Ss]ecs?\.|[Ss]s?\.)\s{0,2}"
PARTS: Final = r"(?:\s?\((?:[A-Za-z]{1,5}|\d{1,3})\)){0,8}"
# 78j, 240.10b-5, 1.409A-1(b)(4), 1396r-8, 2-207, 14A:3-5
SECTION: Final = rf"\d{{1,6}}[A-Za-z]{{0,4}}(?:[.:/\-\u2011\u2013](?=[A-Za-z0-9])[A-Za-z0-9]{{1,8}}){{0,5}}{PARTS}"
SECTION_LIST: Final = (
    rf"{SECTION}(?:(?:,?\s(?:and|or|&|to|through)\s|,\s|{DASH}){SECTION}"
    r"(?!\w|\s(?:U\.?\s?S\.?\s?C|C\.?\s?F\.?\s?R|[A-Z][\w.]{0,8}\s?(?:§|\d)))){0,8}"
)
_SECTION: Final = re.compile(SECTION)
_SPACE: Final = re.compile(r"\s+")
# Room on either side of a seed in which its citation must lie.
_REACH: Final = 240


class Template(NamedTuple):
    """One way of citing.

    Attributes:
        seeds: Literals, one of which every match holds; the pattern runs only around them.
        pattern: Bounded expression; its groups feed ``form``; group ``s`` is a list of sections.
        kind: Kind of the mention.
        item: How one section of a list looks.
        form: Writes the canonical form from the match and one section of its list; empty where it is no citation.
    """

    seeds: tuple[str, ...]
    pattern: re.Pattern[str]
    kind: str
    form: Callable[[re.Match[str], str], str]
    item: re.Pattern[str] = _SECTION


def squeeze(raw: str) -> str:
    """Normalise blanks and dashes within a citation."""
    return _SPACE.sub(" ", raw.replace("\u2011", "-").replace("\u2010", "-")).strip(" ,.;")


def tight(raw: str) -> str:
    """Drop blanks: ``78j (b)`` is ``78j(b)``."""
    return _SPACE.sub("", raw.replace("\u2011", "-").replace("\u2010", "-").replace("\u2013", "-"))


def run(text: str, template: Template) -> Iterator[CitationMention]:
    """Yield the citations a template finds; a list of sections gives one each."""
    for low, high in around(text, template.seeds, _REACH):
        for match in template.pattern.finditer(text, low, high):
            yield from _expand(text, match, template)


def _expand(text: str, match: re.Match[str], template: Template) -> Iterator[CitationMention]:
    if not match.groupdict().get("s"):
        yield from _make(text, match.start(), match.end(), template, template.form(match, ""))
        return
    parts = list(template.item.finditer(text, match.start("s"), match.end("s")))
    for place, part in enumerate(parts):
        start = match.start() if place == 0 else part.start()
        # What follows the list ("of the Exchange Act") belongs to its last section.
        end = match.end() if place == len(parts) - 1 else part.end()
        section = tight(part[0]) if template.item is _SECTION else squeeze(part[0])
        yield from _make(text, start, end, template, template.form(match, section))


def _make(text: str, start: int, end: int, template: Template, canonical: str) -> Iterator[CitationMention]:
    if canonical:  # a form answers "" where the words turn out to be no citation
        yield CitationMention(start=start, end=end, text=text[start:end], kind=template.kind, canonical=canonical)
