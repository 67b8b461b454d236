"""Periods counted from an event: "within thirty (30) days after receipt of notice".

A window is a quantity, a unit, and at least one cue (a bounding word before it, a direction or a noun such as
"notice" or "period" after it). "Thirty years of experience" and "18 years old" are not windows.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

from tasks.legaltext.dates.blanks import places, scan_squeezed, stretches
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, ORDINAL_PHRASE, words_to_int
from tasks.legaltext.records import TimeUnit, Window
from tasks.legaltext.windows.cues import Tail, is_window, read_calendar, read_lead, read_tail
from tasks.legaltext.windows.fractions import fractions_in

_FIGURE: Final = r"\d{1,4}(?:,\d{3})?(?![\d,.]\d)"
_PAREN: Final = rf"(?:[\s\-]{{0,2}}[(\[]\s?(?:{_FIGURE}|{CARDINAL_PHRASE})(?:st|nd|rd|th)?\s?[)\]])?"
_ORDINAL_FIGURE: Final = r"\d{1,3}(?:st|nd|rd|th|(?<=[23])d(?=\s))"
_QUANTITY: Final = (
    rf"(?:(?:{_ORDINAL_FIGURE}|{ORDINAL_PHRASE}|{CARDINAL_PHRASE}|{_FIGURE}){_PAREN}"
    rf"(?:\s(?:or|and)\s(?:more|less|fewer))?|\(\d{{1,3}}\))"
)
_UNIT_WORDS: Final = (
    r"(?P<unit>minutes?|mins|hours?|hrs?|days?|weeks?|wks?|months?|mos?|quarters?|years?|yrs?|anniversar(?:y|ies)|fortnight)"
    r"(?![A-Za-z])(?:(?<=os)\.|(?<=rs)\.|(?<=ks)\.)?"
)
_CALENDAR: Final = (
    r"(?P<calendar>(?:(?:clear|full|consecutive|running|calend[ae]r|bus\.?|business|working|banking|trading|court|whole|fiscal|"
    r"successive|additional|contract|London|TARGET2?|Exchange|U\.S\.|New\sYork|Government|Securities|"
    r"Scheduled|Settlement|Local|Clearing|Payment|Fixing|Federal\sReserve|Hong\sKong|Tokyo|Sydney)[\s-]{1,3}){0,4})"
)
_LINK: Final = (
    r"(?P<link>-?\s{0,2}(?P<unit1>days?|weeks?|months?|years?|hours?|minutes?)?\s{0,2},?\s{0,2}(?:to|or|and|nor|but|through|[-\u2013\u2014])"
    r"(?:\s{1,2}(?:in\s(?:no\sevent|any\sevent)\s)?(?:not?|nor)?\s{0,2}(?:be\s)?(?:(?:more|less|fewer|later|greater|earlier|longer)\s{1,2}than|exceeding|at\smost|up\sto|exceed))?\s{0,2}(?:the\s)?)"
)
_WINDOW: Final = re.compile(
    rf"(?<![\w.$£€/:%])(?P<n>{_QUANTITY})(?:{_LINK}(?P<n2>{_QUANTITY}))?[\s\-\u2010-\u2014]{{0,3}}{_CALENDAR}{_UNIT_WORDS}",
    re.IGNORECASE,
)
_SEEDS: Final = (
    *("minute", "mins", "hour", "day", "week", "month", "quarter", "year", "anniversar", "fortnight"),
    *("hr", "wk", "mo", "yr"),
)
_UNIT: Final = re.compile(_UNIT_WORDS, re.IGNORECASE)
# Capitals are rare, so one pattern that starts with them is quicker than a search for each.
_CAPITAL: Final = re.compile(rf"(?:{'|'.join(f'{s.title()}|{s.upper()}' for s in _SEEDS)})")
_REACH: Final = 160  # no quantity with its link and calendar is longer
_BESIDE: Final = 64  # a broken quantity with its figure in brackets, its kind and its unit
_AHEAD: Final = 24  # what the words behind a unit need to be told apart
_LISTED_REACH: Final = 8  # characters: three digits, a comma, a space and what stands before them
_ARTICLE_UNIT: Final = (
    r"\s(?:full\s|single\s|calendar\s)?(?P<{}>minute|hour|day|week|fortnight|month|quarter|year)(?![A-Za-z])"
)
# "within a month of …", and "a month after …" wherever it stands.
_ARTICLE: Final = re.compile(
    rf"(?P<n>a(?<=[Ww]ithin\sa)n?){_ARTICLE_UNIT.format('unit')}(?!\sand\sa\s)"
    rf"|(?P<n2>[Aa](?<![A-Za-z].)(?<!half\s.)n?){_ARTICLE_UNIT.format('unit2')}"
    r"(?=\s(?:after|before|prior\sto|following|preceding|from\s(?:the|such|that|its|receipt|service|delivery|notice))\b)"
)
# Settlement on the second business day after the trade: 17 C.F.R. § 240.15c6-1.
_TRADE_DATE: Final = re.compile(
    r"(?<![\w+\-/.&])T\s?\+\s?(?P<n>\d{1,2})(?![\w+\-]|\.\d)(?:\s(?:business|trading)\sdays?)?", re.IGNORECASE
)
# "the Business Day before the Record Date": one day, said by its article.
_THE_DAY: Final = re.compile(
    r"(?P<n>[Tt](?<![A-Za-z].)he)\s(?i:(?:(?:immediately|next)\s){0,2}(?P<calendar>(?:(?:business|trading|banking|working|"
    r"calendar|scheduled|London|TARGET|exchange|settlement|court)\s){1,3})day"
    r"(?=\s(?:immediately\s|next\s)?(?:before|after|following|preceding|prior\sto)\s(?!tomorrow|yesterday|which)))"
)
# "30, 60 and 90 days"
_LISTED: Final = re.compile(r"(?<![\w.$£€/:%§-])(?P<n>\d{1,3}),\s?$")
_UNITS: Final[dict[str, TimeUnit]] = {
    "minute": "minute",
    "min": "minute",
    "hour": "hour",
    "hr": "hour",
    "wk": "week",
    "mo": "month",
    "yr": "year",
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "anniversary": "year",
    "anniversarie": "year",
}
_BROKEN: Final = re.compile(r"\d\.\d|\d/\d|[½¼¾⅓⅔]|\b(?:half|third|quarter|fourth)s?\b", re.IGNORECASE)
_BRACKET: Final = re.compile(r"[(\[]")
_OR_MORE: Final = re.compile(r"\s(?:or|and)\s(?:more|less|fewer)\s*$", re.IGNORECASE)
_FIGURES: Final = re.compile(r"\d{1,4}(?:,\d{3})?")


_SPAN: Final = re.compile(
    r"\b(?:the|any|each|every|such)\s{1,3}(?:rolling |immediately )?"
    r"(?:preceding |previous |prior |past |last |trailing |rolling )?$",
    re.IGNORECASE,
)
_NOTICE: Final = re.compile(r"['’]?\s?(?:prior |written ){0,2}notice\b", re.IGNORECASE)


def looks_back(text: str, window: Window) -> bool:
    """Tell whether a window is a span that is looked back on and ends nothing: "the twelve months before a claim"."""
    if window.direction != "before" or _is_ordinal(window.text.partition(" ")[0]):
        return False
    behind = text[window.end : window.end + _AHEAD]
    return bool(_SPAN.search(text[max(0, window.start - _BESIDE) : window.start])) and not _NOTICE.match(behind)


def scan_windows(text: str) -> list[Window]:
    """Find the windows of a text, in order; double bounds ("60 to 90 days") give two items.

    Args:
        text: Canonical text.

    Returns:
        Windows whose span runs from the quantity to the unit; the trigger is quoted, not spanned.
    """
    return scan_squeezed(text, _scan)


def _scan(text: str) -> list[Window]:
    found: list[Window] = []
    for low, high in stretches(_units(text), len(text), _REACH, 16):
        here = [window for match in _WINDOW.finditer(text, low, high) for window in _read(text, match)]
        breaks = [match.start() for match in _BROKEN.finditer(text, low, high)]
        parts = [
            w for first, last in stretches(breaks, high, _BESIDE, _BESIDE) for w in _broken(text, max(low, first), last)
        ]
        found.extend([*_not_overlapping(here, parts), *parts])
        found.extend(_articles(text, low, high))
        found.extend(_the_days(text, low, high))
    if "T+" in text or "T +" in text:
        made = [*_trade_dates(text)]
        found = [*_not_overlapping(found, made), *made]
    return sorted(found, key=lambda window: window.start)


def _units(text: str) -> Iterator[int]:
    """Yield where a word that may be a unit begins: not "yesterday", "daylight", "more"."""
    capitals = (match.start() for match in _CAPITAL.finditer(text))
    for at in (*capitals, *(at for seed in _SEEDS for at in places(text, seed))):
        if not text[at - 1 : at].isalpha() and _UNIT.match(text, at):
            yield at


def _read(text: str, match: re.Match[str]) -> Iterator[Window]:
    word = match["unit"].lower().rstrip("s")
    ordinal = _is_ordinal(match["n2"] or match["n"])
    if word.startswith("anniversar") and not ordinal:
        return
    lead = read_lead(text, match.start(), match.end())
    tail = read_tail(text, match.end(), lead)
    if not is_window(text, match, lead, tail, ordinal=ordinal):
        return
    first = (match["unit1"] or word).lower().rstrip("s") if match["n2"] else word
    listed = _LISTED.search(text[max(0, match.start() - _LISTED_REACH) : match.start()]) if match["n2"] else None
    if listed:
        at = match.start() - len(listed[0])
        yield _window(text, at, match.end(), int(listed["n"]), _UNITS.get(first, "day"), match["calendar"], tail)
    for group, name in (("n", first), ("n2", word)):
        count = _quantity(match[group]) if match[group] else None
        if count is not None:
            n = count * (14 if name == "fortnight" else 1)
            unit = _UNITS.get(name, "day")
            # "thirty days, or five Business Days": a unit of its own takes no kind from the other.
            own = group == "n" and match["unit1"] and match["n2"]
            end, kind = (match.end("unit1"), "") if own else (match.end(), match["calendar"])
            yield _window(text, match.start(group), end, n, unit, kind, tail)


def _not_overlapping(found: Iterable[Window], made: Iterable[Window]) -> Iterator[Window]:
    """Yield the windows that overlap none of those made otherwise."""
    spans = sorted((m.start, m.end) for m in made)
    reach = list(itertools.accumulate((end for _, end in spans), max))
    for window in found:
        before = bisect.bisect_left(spans, (window.end, -1))
        if not before or reach[before - 1] <= window.start:
            yield window


def _broken(text: str, low: int, high: int) -> list[Window]:
    """Return the windows of a unit and a part; they own the figures inside them."""
    made = []
    for match, read in fractions_in(text, low, high):
        lead = read_lead(text, match.start(), match.end())
        tail = read_tail(text, match.end(), lead)
        if is_window(text, match, lead, tail, ordinal=False):
            window = _window(text, match.start("n"), match.end(), read.n, read.unit, match["calendar"], tail)
            made.append(window.model_copy(update={"said_n": read.said_n, "said_unit": read.said_unit}))
    return made


def _articles(text: str, low: int, high: int) -> Iterator[Window]:
    """Yield "within a month of …" and "a month after …": one unit, said by its article."""
    for match in _ARTICLE.finditer(text, low, high + _AHEAD):
        group = "n" if match["n"] else "n2"
        tail = read_tail(text, match.end(), read_lead(text, match.start(group), match.end()))
        word = (match["unit"] or match["unit2"]).lower()
        n, unit = (14, "day") if word == "fortnight" else (1, word)
        yield _window(text, match.start(group), match.end(), n, _UNITS[unit], match[0], tail)


def _the_days(text: str, low: int, high: int) -> Iterator[Window]:
    """Yield "the Business Day before …"."""
    for match in _THE_DAY.finditer(text, low, high + _AHEAD):
        tail = read_tail(text, match.end(), read_lead(text, match.start(), match.end()))
        yield _window(text, match.start(), match.end(), 1, "day", match["calendar"], tail)


def _trade_dates(text: str) -> Iterator[Window]:
    """Yield "T+2": business days after the trade date."""
    for match in _TRADE_DATE.finditer(text):
        tail = Tail("after", "T", cue=True)
        yield _window(text, match.start(), match.end(), int(match["n"]), "day", "business", tail)


def _window(text: str, start: int, end: int, n: int, unit: TimeUnit, calendar: str, tail: Tail) -> Window:
    if text[end - 1] == "." and text[end - 2] in "sy":
        end -= 0 if text[end - 4 : end - 1] in {"hrs", "yrs", "wks"} else 1  # the stop of a sentence
    return Window(
        start=start,
        end=end,
        text=text[start:end],
        n=n,
        unit=unit,
        calendar=read_calendar(calendar),
        direction=tail.direction,
        trigger=tail.trigger,
    )


def _is_ordinal(phrase: str) -> bool:
    head = _BRACKET.split(phrase, maxsplit=1)[0].strip().lower()
    return head.endswith(("st", "nd", "rd", "th", "2d", "3d")) or head.split("-")[-1] in {"first", "second", "third"}


def _quantity(phrase: str) -> int | None:
    """Read "thirty (30)", "30", "10th": the figure of a pair wins, as it is the less misread."""
    figure = _FIGURES.search(phrase)
    if figure:
        return int(figure[0].replace(",", ""))
    return words_to_int(_OR_MORE.sub("", _BRACKET.split(phrase, maxsplit=1)[0]))
