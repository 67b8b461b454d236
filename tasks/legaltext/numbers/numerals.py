"""Numbers written in digits: US, Indian, continental and Swiss grouping, fractions, mixed numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tasks.legaltext.numbers.units import GLYPHS
from tasks.legaltext.records import FigureKind

NUMERAL = re.compile(
    r"(?P<whole>\d{1,3})(?: |\s?[-–]\s?|(?<=\d\d)(?=\d/[2368]\s?%))(?P<over>\d)/(?P<under>\d{1,2})(?![\d/])"
    rf"|(?P<lead>\d{{0,6}}) ?(?P<glyph>[{''.join(GLYPHS)}])"
    r"|(?P<top>\d{1,3})[/⁄](?P<bottom>\d{1,3}(?![\d/,])|1(?:,?000|0,?000|00,?000)(?=ths?\b))"
    r"|(?P<grouped>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d|,\d)|\d{1,3}(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d)"
    r"|\d{1,3}(?:['’]\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)"
    r"|\d{1,3}(?: \d{3}){2,}(?:[.,]\d{1,2})?(?!\d)|\d{1,3} \d{3}(?:,\d{1,2})?(?=\s?(?:€|euros?\b|zł|kč)))"
    r"|(?P<continental>\d{1,3}(?:\.\d{3})+,\d{1,4}(?!\d)|\d{1,3}(?:\.\d{3})+(?=,[-–]|\s(?:euro|€|eur\b|aktien\b|chf\b))|\d{1,3}(?:\.\d{3}){2,}(?![\d.]))"
    r"|(?P<plain>\d+(?:\.\d+)*)|(?<![\d\w])(?P<point>\.\d+)"
)
_START = re.compile(rf"[\d{''.join(GLYPHS)}]")
_OF_PARTS = re.compile(r"(?:ths?|rds?|nds?)\b|\s+(?:of|interest|share|undivided)\b|\)")
_LONGEST = 30  # digits; more are no quantity, and slow to calculate with


@dataclass
class Token:
    """A number under construction; ``core`` is the number itself, ``[start, end)`` the figure with its unit."""

    start: int
    end: int
    core_start: int
    core_end: int
    value: Decimal
    unit: str = ""
    kind: FigureKind | None = None
    word: bool = False
    fraction: bool = False
    grouped: bool = False
    decimal: bool = False
    currency: bool = False
    scaled: Decimal = Decimal(1)
    late_scale: Decimal = Decimal(1)
    opened: bool = False
    closed: bool = False
    negative: bool = False
    refused: bool = False
    generic_noun: bool = False
    pair: bool = False
    disagrees: bool = False
    inherited: bool = False
    table_scale: Decimal = Decimal(1)
    inner_end: int = 0
    partner: Token | None = None


def numerals(low: str) -> Iterator[re.Match[str]]:
    """Yield the matches of ``NUMERAL``, jumping from digit to digit: most of a contract holds none."""
    at = 0
    while (found := _START.search(low, at)) is not None:
        begin = found.start()
        if (
            begin > at
            and low[begin - 1] == "."
            and not (begin > 1 and (low[begin - 2].isalnum() or low[begin - 2] == "_"))
        ):
            begin -= 1  # ".5"
        match = NUMERAL.match(low, begin) or NUMERAL.match(low, found.start())
        if match is not None:
            yield match
        at = max(match.end() if match else 0, found.end())


def numeral_token(match: re.Match[str]) -> Token | None:
    """Read a match of ``NUMERAL``; None where the digits are no number (1.2.3, x/0)."""
    start, end = match.span()
    token = Token(start, end, start, end, Decimal(0))
    kind = match.lastgroup
    if kind == "under":
        if int(match["under"]) == 0:
            return None
        token.value = Decimal(match["whole"]) + Decimal(match["over"]) / Decimal(match["under"])
        token.decimal = True
    elif kind == "glyph":
        token.value = Decimal(match["lead"] or 0) + GLYPHS[match["glyph"]]
        token.fraction = not match["lead"]
        token.decimal = True
    elif kind == "bottom":
        bottom = int(match["bottom"].replace(",", ""))
        if bottom == 0 or int(match["top"]) == 0:  # "and 00/100 dollars"
            return None
        token.value = Decimal(match["top"]) / bottom
        token.fraction = True
        token.refused = not _reads_as_fraction(match)
    elif kind == "grouped":
        token.value = _grouped(match[0])
        token.grouped = " " not in match[0]  # "106 702 416" alone is a register number, not a quantity
    elif kind == "continental":
        token.value = Decimal(match[0].replace(".", "").replace(",", "."))
        token.grouped = True
    elif match[0].count(".") > 1 or len(match[0]) > _LONGEST or (len(match[0]) > 1 and not match[0].strip("0")):
        return None  # 1.2.3, and the zeros of "$000s"
    else:
        token.value = Decimal(match[0])
        token.decimal = "." in match[0]
    return token


def _reads_as_fraction(match: re.Match[str]) -> bool:
    """Tell "2/3" and "1/36th of" from "12/31" and "24/7"."""
    top, bottom = int(match["top"]), int(match["bottom"].replace(",", ""))
    if top >= bottom:
        return False
    return bottom in {2, 3, 4, 5, 8, 100} or _OF_PARTS.match(match.string, match.end()) is not None


def _grouped(digits: str) -> Decimal:
    plain = re.sub(r"['’\s]", "", digits)
    if re.search(r"\s", digits) and "," in plain:  # 1 234,50
        return Decimal(plain.replace(",", "."))
    return Decimal(plain.replace(",", ""))
