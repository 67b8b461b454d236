"""Windows of a unit and a part: "3.5 years", "one and a half years", "half a year", "18 1/2 months".

A window counts whole units, so the part is said in the next smaller unit that makes it whole: years and quarters in
months, weeks in days, days in hours. What stays broken even so ("2.3 months") is no window.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple, cast

from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, words_to_int
from tasks.legaltext.records import TimeUnit

_HALVES: Final = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3), "fourth": Fraction(1, 4)}
_SIGNS: Final = {
    "½": Fraction(1, 2),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
}
_PART: Final = (
    r"(?P<share>(?:one|a|1|three|3|two|2)[\s\-\u2010-\u2014]{1,2}(?:half|third|quarter|fourth)s?"
    r"|(?<!one[\s\-\u2010-\u2014])half|\d/\d|[½¼¾⅓⅔])"
)
_FIGURE: Final = r"\s?\(?(?P<paren>\d{1,3}(?:\.\d{1,2})|\d{0,3}\s?[½¼¾⅓⅔]|\d{1,3}\s\d/\d)?\)?"
FRACTION: Final = re.compile(
    rf"(?<![\w.$£€/:%,])(?P<n>(?P<decimal>\d{{1,3}}\.\d{{1,2}})"
    rf"|(?:(?P<whole>\d{{1,3}}|{CARDINAL_PHRASE})[\s\-\u2010-\u2014]{{0,2}}(?:and[\s\-\u2010-\u2014]{{1,2}}(?:an?\s)?)?)?{_PART}"
    rf"(?:{_FIGURE})?)"
    r"(?:[\s\-\u2010-\u2014]{1,3}(?:of\s)?(?:an?\s)?|(?<=[½¼¾⅓⅔])\s?)"
    r"(?P<calendar>(?:(?:calendar|business|working|trading|full|consecutive|fiscal|contract)\s)?)"
    r"(?P<unit>hour|day|week|month|quarter|year)s?(?![A-Za-z])",
    re.IGNORECASE,
)
_SMALLER: Final[dict[TimeUnit, tuple[TimeUnit, int]]] = {
    "year": ("month", 12),
    "quarter": ("month", 3),
    "week": ("day", 7),
    "day": ("hour", 24),
    "hour": ("minute", 60),
}


class Broken(NamedTuple):
    """A broken quantity: whole in a smaller unit, and as the text says it (None where that has no last decimal)."""

    n: int
    unit: TimeUnit
    said_n: Decimal | None
    said_unit: TimeUnit | None


def read_fraction(match: re.Match[str]) -> Broken | None:
    """Return the count in a unit that makes it whole; None where there is none."""
    amount = _amount(match)
    unit = cast(TimeUnit, match["unit"].lower())
    if amount is None or amount <= 0 or unit not in _SMALLER or (unit == "day" and match["calendar"].strip()):
        return None
    smaller, size = _SMALLER[unit]
    whole = amount * size
    if whole.denominator != 1:
        return None
    said = Decimal(amount.numerator) / amount.denominator if amount.denominator in {2, 4, 5, 10, 20, 100} else None
    return Broken(int(whole), smaller, said, unit if said is not None else None)


def _amount(match: re.Match[str]) -> Fraction | None:
    if match["decimal"]:
        amount = Fraction(match["decimal"])
        return amount if amount.denominator != 1 else None
    part = _part(match["share"].lower())
    raw = match["whole"]
    if raw is None:
        return part
    whole = int(raw) if raw.isdecimal() else words_to_int(raw)
    return None if whole is None or part is None else whole + part


def _part(share: str) -> Fraction | None:
    if share in _SIGNS:
        return _SIGNS[share]
    if "/" in share:
        top, _, bottom = share.partition("/")
        return Fraction(int(top), int(bottom)) if bottom != "0" else None
    words = re.split(r"[\s\-\u2010-\u2014]+", share)
    count = {"one": 1, "a": 1, "1": 1, "half": 1, "two": 2, "2": 2, "three": 3, "3": 3}[words[0]]
    return count * _HALVES[words[-1].rstrip("s")]


def fractions_in(text: str, low: int, high: int) -> Iterator[tuple[re.Match[str], Broken]]:
    """Yield the broken quantities of a stretch with their whole count and unit."""
    for match in FRACTION.finditer(text, low, high):
        read = read_fraction(match)
        if read is not None:
            yield match, read
