"""Dates that name their month: "March 3, 2024", "this 5th day of May 2001", "December 31", "May 2004"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tasks.legaltext.dates.blanks import places
from tasks.legaltext.dates.values import date_mention, read_year
from tasks.legaltext.months import NUMBERS
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, ORDINAL_PHRASE, words_to_int
from tasks.legaltext.records import DateMention


def _named(forms: Iterable[str]) -> str:
    return rf"(?:{'|'.join(sorted(set(forms), key=len, reverse=True))})(?![^\W\d_])"


# Case-sensitive and without an assertion in front, so that the engine can skip ahead to a first letter. Those in
# lower case would stop it at every other letter: they are found by their stems.
_SEED: Final = re.compile(_named(form for name in NUMBERS for form in (name.title(), name.upper())))
_LOWER: Final = re.compile(_named(NUMBERS))
_STEMS: Final = tuple(sorted({name[:3] for name in NUMBERS}))

_BLANK: Final = r"(?:_{1,20}|\[[\s_•●*.\-]{0,12}\]|\.{3,12}|\u2026{1,4}|[•●])"
_YEAR: Final = r"(?:(?:1[5-9]|2[0-2])\d{2}(?!\d|,\d{3}|\.\d)|['\u2019\u2018]\d{2}(?!\d))"
_WORD_YEAR: Final = rf"(?:(?:two|nineteen|eighteen|twenty|one){{1}}[\s\-](?:{CARDINAL_PHRASE}))"
_OF_YEAR: Final = (
    r"(?:\s{0,2},{0,2}\.?\s{0,3}(?:(?:of|in)\s{1,2})?"
    r"(?:the\s{1,2}year\s{1,2}(?:of\s{1,2}our\s{1,2}lord\s{1,2})?)?(?:A\.?D\.?\s{1,2})?\[?"
)
# After the month: a day then a year, a day, or a year.
_DAY_YEAR: Final = re.compile(
    rf"\.?[\s\-\u2011]{{0,3}}(?:the\s)?(?:\[?(?P<d>\d{{1,2}})(?!\d|[.:]\d)(?:\s?(?P<o>st|nd|rd|th|(?<=[23])d)(?![a-z]))?(?:\](?=[,\s]))?|(?P<w>{ORDINAL_PHRASE})\b(?:\s\((?P<p>\d{{1,2}})(?:st|nd|rd|th)?\))?|(?P<blank>{_BLANK}))"
    rf"(?P<rest>\s{{0,3}}(?:-|/|[\u2013\u2014]|and|&|to|through|or)\s{{0,2}}(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?=\s?,\s?\d{{4}}))?"
    rf"(?:{_OF_YEAR}(?P<y>{_YEAR}|{_WORD_YEAR}))|-(?P<y2>\d{{2}})(?!\d))?",
    re.IGNORECASE,
)
_YEAR_AFTER: Final = re.compile(
    rf"\.?(?:(?:\s_{{1,20}})?{_OF_YEAR}(?P<y>{_YEAR}|{_WORD_YEAR}))|[-\u2011/](?P<y2>\d{{2}}(?:\d{{2}})?)(?!\d)|\s?(?P<y3>(?:19|20)\d{{2}})(?!\d)|(?<=\d[A-Za-z]{{3}})(?P<y4>\d{{2}})(?![\w]))",
    re.IGNORECASE,
)
# Before the month: "3 ", "3rd day of ", "03-", "fifteenth of ", "____ day of ".
_DAY_BEFORE: Final = re.compile(
    r"(?:(?<![\w.,/$§\-])|(?<=(?<![\w.,/-])\d-)|(?<=(?<![\w.,/-])\d\d-))"
    rf"(?:(?P<d>\d{{1,2}})\s{{0,2}}(?P<o>st|nd|rd|th|t\sh|(?<=[23])d(?=\s))?|(?P<w>{ORDINAL_PHRASE})(?:\s{{1,2}}\((?P<p>\d{{1,2}})(?:st|nd|rd|th)?\))?|(?P<blank>{_BLANK}))"
    rf"(?P<day>\s{{0,3}}\(?(?:st|nd|rd|th)?\)?\s{{0,3}}day)?(?P<of>\s{{1,3}}of(?:\s{{1,3}}the\s{{1,2}}month\s{{1,2}}of)?)?(?P<sep>[\s,.\-\u2011]{{0,3}})$",
    re.IGNORECASE,
)
_YEAR_BEFORE: Final = re.compile(r"(?<![\w.,/$])(?P<y>(?:19|20)\d{2})[\s\-,]{1,2}$")
_BLANK_MONTH: Final = re.compile(
    rf"day\s{{1,3}}of\s{{0,3}}{_BLANK}\s{{0,3}},?\s{{0,3}}(?P<y>(?:19|20)\d{{2}})(?!\d)",
    re.IGNORECASE,
)
_LATER_YEARS: Final = re.compile(
    r"(?:,\s?(?P<a>(?:19|20)\d{2}))?,?\s(?:and|or|&)\s(?P<b>(?:19|20)\d{2})(?![\w]|[,.]\d)"
)
_LOOKBACK: Final = 48  # characters before a month that may hold day, weekday and ordinal
_MISREAD: Final = (29, 39)  # a day that the month does not have: no date, and no month alone either
_YEAR_REACH: Final = 8  # characters: a year, its separators and one sign before it
# Without one of these near it a month is no date: the modal "May", a name, a heading.
_SIGN: Final = re.compile(r"\d|[_\[•●\u2026]|\.\.\.|\sof\s|thousand|nineteen|twenty|(?:st|nd|rd|th)\s", re.IGNORECASE)


def month_dates(text: str) -> Iterator[DateMention]:
    """Yield the dates that name a month."""
    last_end = 0
    if "day of" in text:
        for match in _BLANK_MONTH.finditer(text):
            made = date_mention(text, *match.span(), year=int(match["y"]))
            if made:
                yield made
    for seed in _seeds(text):
        if seed.start() < last_end or text[seed.start() - 1 : seed.start()].isalpha():
            continue
        for made in _read(text, seed, last_end):
            last_end = max(last_end, made.end)
            yield made


def _seeds(text: str) -> list[re.Match[str]]:
    """Return the names of months, in order."""
    found = list(_SEED.finditer(text))
    for stem in _STEMS:
        found.extend(name for at in places(text, stem) if (name := _LOWER.match(text, at)))
    return sorted(found, key=re.Match.start)


def _read(text: str, seed: re.Match[str], floor: int) -> Iterator[DateMention]:
    if not _SIGN.search(text, max(0, seed.start() - _LOOKBACK), seed.end() + 40):
        return
    month = NUMBERS[seed[0].lower()]
    found = _day_first(text, seed, month, floor)
    if found is None:
        found = _month_first(text, seed, month)
    if not found:
        return
    yield from found
    last = found[-1]
    if last.precision != "day" or len(found) > 1:
        return
    later = _LATER_YEARS.match(text, last.end)
    if later:  # "December 31, 2023 and 2022"
        for group in ("a", "b"):
            if later[group]:
                made = date_mention(
                    text, *later.span(group), year=int(later[group]), month=month, day=int(last.iso[-2:])
                )
                if made:
                    yield made


def _day_first(text: str, seed: re.Match[str], month: int, floor: int) -> list[DateMention] | None:
    """Read a day before the month; None where there is none, empty where the calendar lacks it ("31 June 2022")."""
    lower = max(floor, seed.start() - _LOOKBACK)
    before = _DAY_BEFORE.search(text[lower : seed.start()])
    if before is None or not _plausible_before(before, seed[0]):
        return None
    start = lower + before.start()
    after = _YEAR_AFTER.match(text, seed.end())
    year = read_year(after["y"] or after["y2"] or after["y3"] or after["y4"]) if after else None
    if before["blank"]:
        made = date_mention(text, start, after.end(), year=year, month=month) if after and year else None
        return [made] if made else None
    day = int(before["d"]) if before["d"] else words_to_int(before["w"])
    if year is not None and after is not None:
        made = date_mention(text, start, after.end(), year=year, month=month, day=day)
        return [made] if made else [] if day is not None and _MISREAD[0] <= day <= _MISREAD[1] else None
    if _DAY_YEAR.match(text, seed.end()) and not before["of"] and _has_year(text, seed):
        return None  # "the 3 March 4, 2024 notices": the day belongs behind the month
    made = date_mention(text, start, seed.end(), month=month, day=day)
    return [made] if made else None


def _has_year(text: str, seed: re.Match[str]) -> bool:
    after = _DAY_YEAR.match(text, seed.end())
    return bool(after and (after["y"] or after["y2"]))


def _plausible_before(before: re.Match[str], month_word: str) -> bool:
    """A bare figure before a lower-case "may" or "march" is not a day."""
    if before["day"] and not before["of"]:
        return False
    joined = before["d"] and before["sep"] and not before["sep"].isspace()
    if month_word.islower() and month_word in {"may", "march", "mar"}:
        return bool(before["of"]) or bool(joined)
    return bool(before["of"] or before["d"] or before["blank"]) and (before["sep"] != "" or bool(before["d"]))


def _month_first(text: str, seed: re.Match[str], month: int) -> list[DateMention]:
    word = seed[0]
    ambiguous = word.islower() and word in {"may", "march", "mar"}
    start = seed.start()
    after = _DAY_YEAR.match(text, seed.end())
    if after and (after["d"] or after["w"] or after["blank"]) and not _short_year(text, seed, after):
        made = _with_day(text, start, after, month, ambiguous)
        if made:
            return made
        if after["d"] and (after["y"] or after["y2"]):
            return []  # "February 30, 2024" is no date, nor is "February 2024" hidden in it
    years = _YEAR_AFTER.match(text, seed.end())
    if years and not ambiguous:
        raw = years["y"] or years["y2"] or years["y3"] or years["y4"]
        year = read_year(raw)
        made_month = date_mention(text, start, years.end(), year=year, month=month) if year else None
        return [made_month] if made_month else []
    return []


def _short_year(text: str, seed: re.Match[str], after: re.Match[str]) -> bool:
    """Say whether "Jun-05" stands alone: a month and a year, not the fifth of June."""
    return bool(after["d"]) and after.end() == seed.end() + 3 and text[seed.end()] in "-\u2011"


def _with_day(text: str, start: int, after: re.Match[str], month: int, ambiguous: bool) -> list[DateMention]:
    raw_year = after["y"] or after["y2"]
    year = read_year(raw_year) if raw_year else _year_before(text, start)
    if after["blank"]:
        made = date_mention(text, start, after.end(), year=year, month=month) if year else None
        return [made] if made else []
    day = int(after["d"]) if after["d"] else words_to_int(after["w"])
    if ambiguous and year is None:
        return []
    if after["d2"] and day is not None and year is not None:
        first = date_mention(text, start, after.start("rest"), year=year, month=month, day=day)
        second = date_mention(text, after.start("d2"), after.end(), year=year, month=month, day=int(after["d2"]))
        return [one for one in (first, second) if one]
    end = after.end()
    made = date_mention(text, start, end, year=year, month=month, day=day)
    return [made] if made else []


def _year_before(text: str, start: int) -> int | None:
    """The year of "2024 March 3", which big-endian writers put first."""
    match = _YEAR_BEFORE.search(text[max(0, start - _YEAR_REACH) : start])
    return int(match["y"]) if match and match["y"] and text[start - 1] == "-" else None
