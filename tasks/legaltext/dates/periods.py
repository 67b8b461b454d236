"""Quarters, fiscal years, and a year alone where its context makes it a date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tasks.legaltext.dates.blanks import places, stretches
from tasks.legaltext.dates.values import date_mention, read_year
from tasks.legaltext.records import DateMention

_YEAR: Final = r"(?:19|20)\d{2}"
_SHORT: Final = r"(?:(?:19|20)\d{2}|['\u2019]?\d{2})"
_QUARTER_WORDS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "final": 4}
_QUARTER: Final = re.compile(
    rf"\b(?:Q\s?(?P<q1>[1-4])(?:\s{{1,2}}of)?[\s,/\-]{{0,2}}(?:(?:CY|FY|fiscal(?:\syear)?|calendar(?:\syear)?)\s?)?(?P<y1>{_YEAR}|['\u2019]\d{{2}}|(?<=[/\-Y])\d{{2}})"
    rf"|(?P<q2>[1-4])Q\s?(?:FY|CY)?\s?(?P<y2>{_SHORT})"
    rf"|(?P<y3>{_YEAR})[\s,/\-]{{0,2}}Q(?P<q3>[1-4])"
    rf"|(?P<q4>first|second|third|fourth|last|final|1st|2nd|3rd|4th)\s{{1,2}}(?:(?:calendar|fiscal)\s)?quarter"
    rf"(?:\s{{1,2}}(?:of|in)|,)?\s{{1,2}}(?:the\s)?(?:(?:calendar|fiscal|financial)\s)?(?:year\s)?(?:FY\s?)?(?P<y4>{_YEAR}))(?![\w]|[-.,]\d)",
    re.IGNORECASE,
)
_FISCAL: Final = re.compile(
    rf"\b(?:FY\s?(?P<y1>{_SHORT})"
    rf"|(?:fiscal|financial)(?:\s{{1,2}}years?)?\s{{1,2}}(?:of\s)?(?P<y2>{_YEAR})(?P<more>(?:(?:,|,?\sand|,?\sor|\s?[-\u2013]|\sthrough|\sto)\s?{_YEAR}){{0,4}})"
    rf")(?![\w]|[-.,]\d)",
    re.IGNORECASE,
)
_ENDED: Final = re.compile(
    r"\b(?P<name>(?:fiscal|financial)\s{1,2}year\s{1,2}(?:that\s)?end(?:ed|ing|s))(?:\s{1,2}on)?\s{1,2}"
    rf"(?:(?P<month>[A-Z][a-z]{{2,8}})\.?\s{{1,2}}\d{{1,2}},?\s{{1,2}}|\d{{1,2}}\s(?P<month2>[A-Z][a-z]{{2,8}}),?\s)(?P<year>{_YEAR})",
    re.IGNORECASE,
)
_HALF: Final = re.compile(
    rf"\b(?:H(?P<h1>[12])(?:\s{{1,2}}of)?[\s,/\-]{{0,2}}(?:(?:CY|FY|fiscal(?:\syear)?|calendar(?:\syear)?)\s?)?(?P<y1>{_YEAR}|['\u2019]\d{{2}}|(?<=[/\-Y])\d{{2}})"
    rf"|(?P<h2>[12])H\s?(?:FY|CY)?\s?(?P<y2>{_SHORT})"
    rf"|(?P<y3>{_YEAR})[\s,/\-]{{0,2}}H(?P<h3>[12])"
    rf"|(?P<h4>first|second|last|1st|2nd)\s{{1,2}}half(?:\s{{1,2}}(?:of|in)|,)?\s{{1,2}}(?:the\s)?"
    rf"(?:(?:calendar|fiscal|financial)\s)?(?:year\s)?(?:FY\s?)?(?P<y4>{_YEAR}))(?![\w]|[-.,]\d)",
    re.IGNORECASE,
)
# Capitals and figures are rare, so one pattern that starts with them is quicker than a search for each.
_CAPITAL: Final = re.compile(
    r"Q(?:\s?[1-4]|uarter|UARTER)|H(?:[12]|alf|ALF)|F(?:Y|iscal|ISCAL|inancial|INANCIAL)|1[QH]|2[QH]|3Q|4Q"
)
_LOWER: Final = ("quarter", " half ", "fiscal", "financial")
_CUE: Final = (
    r"(?:in(?:\s(?:early|late|mid))?|during|since|until|till|through|throughout|by|before|after|for|from|between|to"
    r"|(?:calendar|tax|taxable|contract|plan|policy|model|crop|season)\s{1,2}years?|years?|year-end|early|late|mid"
    r"|beginning of|end of|start of|half of|as of|back to|circa|of calendar year|of the year)"
)
_FIGURES: Final = re.compile(rf"{_YEAR}(?![\w]|[-./,\u2013]\d|%)")
_BEFORE: Final = re.compile(rf"(?<![^\W_]){_CUE}[\s\-]\(?$", re.IGNORECASE)
_AND_YEARS: Final = re.compile(
    rf"(?:(?:,|,?\sand|,?\sor|\s?[-\u2013]|\sthrough|\sto)\s?{_YEAR}(?![\w]|[-./,]\d|%)){{1,4}}", re.IGNORECASE
)
_COUNTED: Final = re.compile(
    r"\s{1,2}(?:[A-Z]\w+\s)?(?:shares?|units?|hours?|days?|weeks?|months?|years?|miles?|feet|square|sq|tons?|tonnes|"
    r"pounds|lbs?|kg|percent|dollars?|USD|U\.S\. dollars|copies|employees|persons|people|per|options?|pieces|gallons?|"
    r"barrels?|words|acres?|subscribers|customers|users|Avenue|Ave|Street|St|Road|Rd|Blvd|Boulevard|Drive|Dr|Lane|"
    r"Market|Main|Broadway|North|South|East|West)\b"
)
_MORE: Final = re.compile(_YEAR)
_BEFORE_REACH: Final = 24  # characters before a year in which its cue ("fiscal year") ends; chosen by eye


def period_dates(text: str) -> Iterator[DateMention]:
    """Yield quarters, fiscal years and years in a dating context."""
    spots = [match.start() for match in _CAPITAL.finditer(text)]
    spots.extend(at for seed in _LOWER for at in places(text, seed))
    for low, high in stretches(spots, len(text), 16, 64):
        for made in map(_quarter, _QUARTER.finditer(text, low, high)):
            if made:
                yield made
        for made in map(_half, _HALF.finditer(text, low, high)):
            if made:
                yield made
        for match in _FISCAL.finditer(text, low, high):
            yield from _fiscal(text, match)
        yield from _year_ended(text, low, high)
    end = 0
    for match in _FIGURES.finditer(text):
        if match.start() >= end and _BEFORE.search(text[max(0, match.start() - _BEFORE_REACH) : match.start()]):
            more = _AND_YEARS.match(text, match.end())
            end = more.end() if more else match.end()
            yield from _years(text, match, end)


def _quarter(match: re.Match[str]) -> DateMention | None:
    raw = match["q1"] or match["q2"] or match["q3"] or match["q4"]
    year = read_year(match["y1"] or match["y2"] or match["y3"] or match["y4"])
    if year is None:
        return None
    number = _QUARTER_WORDS.get(raw.lower()) or int(raw[0])
    return DateMention(
        start=match.start(), end=match.end(), text=match[0], iso=f"{year:04d}-Q{number}", precision="quarter"
    )


def _half(match: re.Match[str]) -> DateMention | None:
    raw = match["h1"] or match["h2"] or match["h3"] or match["h4"]
    year = read_year(match["y1"] or match["y2"] or match["y3"] or match["y4"])
    if year is None:
        return None
    number = 1 if raw[0].lower() in "1f" else 2
    return DateMention(
        start=match.start(), end=match.end(), text=match[0], iso=f"{year:04d}-H{number}", precision="half"
    )


def _fiscal(text: str, match: re.Match[str]) -> Iterator[DateMention]:
    year = read_year(match["y1"] or match["y2"])
    if year is None:
        return
    end = match.end("y1") if match["y1"] else match.end("y2")
    yield DateMention(
        start=match.start(), end=end, text=text[match.start() : end], iso=f"FY{year:04d}", precision="fiscal_year"
    )
    if match["more"]:
        for other in _MORE.finditer(text, match.start("more"), match.end("more")):
            yield DateMention(
                start=other.start(), end=other.end(), text=other[0], iso=f"FY{other[0]}", precision="fiscal_year"
            )


def _year_ended(text: str, low: int, high: int) -> Iterator[DateMention]:
    """Yield the fiscal year of "fiscal year ended June 30, 2023", beside its last day.

    A year that ends in January is left alone: some name it by the year before.
    """
    for match in _ENDED.finditer(text, low, high):
        if (match["month"] or match["month2"]).lower() not in {"january", "jan"}:
            span = match.span("name")
            yield DateMention(
                start=span[0], end=span[1], text=text[slice(*span)], iso=f"FY{match['year']}", precision="fiscal_year"
            )


def _years(text: str, match: re.Match[str], end: int) -> Iterator[DateMention]:
    if _COUNTED.match(text, end):
        return
    for year in _MORE.finditer(text, match.start(), end):
        made = date_mention(text, *year.span(), year=int(year[0]))
        if made:
            yield made
