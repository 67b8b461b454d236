"""Capitalised phrases that a contract uses like defined terms and defines nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tasks.legaltext.months import NAMES
from tasks.sources.records import CanonicalText, SegmentKind

_SENTENCE = 600  # characters of the sentence that is shown with a term
_WORD = r"[A-Z][a-z]{2,}(?:-[A-Za-z]{2,})?"
_USED = re.compile(
    r"(?<![.\w])(?:[Tt]he|[Aa]ny|[Ss]uch|[Ee]ach|[Ee]very|[Aa]ll|[Aa]n?|[Ii]ts|[Nn]o|other|said|applicable)\s"
    rf"(?P<term>{_WORD}(?:[ \n](?:(?:of|and|or|for)\s)?{_WORD}){{0,6}})(?![\w’'-])"
    r"(?!\s*\.{3}|\s+\d{1,3}\s+(?:\d|ARTICLE))"  # a line of the table of contents
)
_JOINS = re.compile(r"\s(?:of|and|or|for)\s")
_QUOTED = re.compile(r"(?:[\"“”]|''|‘)\s*(?:the\s+)?([A-Z][^\"“”‘\n]{0,78}?)[,.:]?\s*(?:[\"“”]|''|’(?!s\b))")
_BRACKETED = re.compile(
    r"\((?:the\s+|each,?\s+an?\s+|collectively,?\s+(?:the\s+)?)?([A-Z][\w-]+(?:\s[A-Z][\w-]+){0,4})\)"
)
_EXPLAINED = re.compile(
    r"(?:^|[.;:)]\s+)(?:\(?[\dA-Za-z.]{1,6}[.)]\s+)?([A-Z][\w-]+(?:\s(?:(?:of|and|or|for|/)\s)?[A-Z][\w-]+){0,5})\s+"
    r"(?:shall\s+mean|shall\s+be\s+the|means?\b|(?:shall\s+)?ha(?:ve|s)\s+the\s+(?:same\s+)?meaning|is\s+defined|shall\s+include|refers\s+to)",
    re.MULTILINE,
)
_ELSEWHERE = re.compile(
    r"\bterms\b[^.\n]{0,80}\b(?:not\s+(?:otherwise\s+)?(?:specifically\s+)?defined|used\s+(?:herein|but)|without\s+definition)\b"
    r"[^.\n]{0,160}\bmeanings?\b",
    re.IGNORECASE,
)
# Words that stand for themselves: parts of documents, months, what every contract calls by its name.
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "section article exhibit schedule annex appendix attachment clause paragraph page part recital recitals"
        " addendum"
        " monday tuesday wednesday thursday friday saturday sunday"
        " act chief president secretary board court courts securities internal internet treasury congress senate"
        " agreement amendment contract lease party parties effective commencement",
    )
) | set(NAMES)
_PLACES = frozenset(
    re.findall(
        r"[\w ]+",
        "alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,georgia,hawaii,idaho,illinois,"
        "indiana,iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,"
        "montana,nebraska,nevada,ohio,oklahoma,oregon,pennsylvania,tennessee,texas,utah,vermont,virginia,washington,"
        "wisconsin,wyoming,new,north,south,west,east,united,european,american,english,british,canadian,chinese,german,"
        "indian,japanese,israeli,swiss,french,dutch,irish,australian,peoples,state,states,commonwealth,federal,county,city,"
        "district,province,republic,kingdom,netherlands,cayman,hong,international,national,world",
    )
)
_BODIES = frozenset(
    re.findall(
        r"\w+",
        "chamber commission department bureau ministry association authority university institute organization"
        " director officer president counsel chairman code act exchange convention commerce court courts government",
    )
)


def undefined_terms(text: CanonicalText, defined: Iterable[str]) -> list[dict[str, Any]]:
    """Return capitalised phrases that are used like defined terms at least twice but are nowhere defined.

    A phrase counts where an article or a like word stands before it in running text. Not counted are headings and
    tables of contents, places, public bodies and offices, parts of the document itself ("Section 2"), and phrases that
    the document introduces in any other way: between quotation marks, alone in brackets, or by "X shall mean". Of
    phrases joined by "and", "or", "of" or "for" only the parts count that are not known by themselves.
    """
    known = _known(text.text, defined)
    headings = [(s.start, s.end) for s in text.segments if s.kind is SegmentKind.HEADING]
    seen: dict[str, list[int]] = {}
    for match in _USED.finditer(text.text):
        if any(a <= match.start() < b for a, b in headings):
            continue
        for phrase, at in _unknown(match["term"], known):
            seen.setdefault(phrase, []).append(match.start("term") + at)
    seen = _one_number(seen)
    often = {phrase: at for phrase, at in seen.items() if len(at) > 1}
    return [
        {"term": phrase, "uses": len(at), "start": at[0], "line": text.line_of(at[0])}
        for phrase, at in sorted(often.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def defined_elsewhere(text: CanonicalText) -> str:
    """Return the sentence that takes the meaning of terms from another document; empty where there is none."""
    match = _ELSEWHERE.search(text.text)
    if match is None:
        return ""
    start = max(text.text.rfind(stop, 0, match.start()) + len(stop) for stop in (". ", "\n"))
    ends = [end for stop in (". ", ".\n", "\n") if (end := text.text.find(stop, match.end())) >= 0]
    return text.text[start : min(ends, default=len(text.text))].strip()[:_SENTENCE]


def singular_and_plural(term: str) -> set[str]:
    """Return a term in singular and plural."""
    found = {term, f"{term}s"}
    if term.endswith("ies"):
        found.add(f"{term[:-3]}y")
    if term.endswith("y"):
        found.add(f"{term[:-1]}ies")
    if term.endswith("s"):
        found.add(term[:-1])
    return found


def _known(text: str, defined: Iterable[str]) -> set[str]:
    """Return what the document introduces, in lower case and both numbers, with the beginnings of longer terms."""
    introduced = {*defined, *_QUOTED.findall(text), *_BRACKETED.findall(text), *_EXPLAINED.findall(text)}
    known: set[str] = set()
    for term in introduced:
        words = re.sub(r"\s+", " ", term.lower()).split(" ")
        for count in range(2, len(words) + 1):
            known |= singular_and_plural(" ".join(words[:count]))
        for word in words:
            known |= singular_and_plural(word)
    return known


def _unknown(phrase: str, known: set[str]) -> Iterable[tuple[str, int]]:
    """Yield the parts of a phrase that nothing explains, each with its place in it."""
    if _explained(phrase, known):
        return
    parts = []
    start = 0
    for join in [*_JOINS.finditer(phrase), None]:
        end = join.start() if join else len(phrase)
        parts.append((phrase[start:end], start))
        start = join.end() if join else end
    left = [(p, at) for p, at in parts if not _explained(p, known)]
    if len(left) == len(parts) and not re.search(r"\s(?:and|or)\s", phrase):
        left = [(phrase, 0)]
    yield from ((re.sub(r"\s+", " ", p), at) for p, at in left)


def _explained(phrase: str, known: set[str]) -> bool:
    words = re.sub(r"\s+", " ", phrase.lower()).split(" ")
    if " ".join(words) in known or words[0] in _COMMON or words[0] in _PLACES:
        return True
    return len(words) > 1 and (words[-1] in _BODIES or words[0] in _BODIES or words[-1] in _PLACES)


def _one_number(seen: dict[str, list[int]]) -> dict[str, list[int]]:
    """Count the singular and the plural of a phrase as one, under the form that is used more."""
    merged: dict[str, list[int]] = {}
    for phrase, places in sorted(seen.items(), key=lambda item: (-len(item[1]), item[0])):
        same = next((other for other in singular_and_plural(phrase) if other in merged), None)
        merged.setdefault(same or phrase, []).extend(places)
    return {phrase: sorted(places) for phrase, places in merged.items()}
