"""Clause numbers: what a line begins with, and what may follow what."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.legaltext.numbers.spelling import ONES, UNITS

_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}

_DIVISION = re.compile(
    r"(?P<word>ARTICLE|Article|PART|Part|CHAPTER|Chapter|TITLE|EXHIBIT|Exhibit|SCHEDULE|Schedule|ANNEX|Annex|ANNEXURE|"
    r"APPENDIX|Appendix|ATTACHMENT|Attachment|ADDENDUM|Addendum)[ \t]+"
    r"(?P<ord>[IVXLC]+\b(?!-\d)|\d{1,3}(?:\.\d{1,3})*(?:-[A-Z0-9]{1,2})?|[A-Z](?:-\d{1,2})?\b|"
    + "|".join(w.capitalize() for w in UNITS[1:])
    + "|"
    + "|".join(w.upper() for w in UNITS[1:])
    + r")(?=[ \t]*(?:$|[.:\-–—)\t]|[ \t](?=[A-Z(\"“])))"
)
_SECTION = re.compile(
    r"(?:SECTION|Section|Sec\.|SEC\.|CLAUSE|Clause|Paragraph|§§?)[ \t]*"
    r"(?P<num>\d{1,3}(?:\.\d{1,3})*[A-Za-z]?|[IVXLC]+\b|[A-Z]\b)(?P<sub>(?:\([0-9A-Za-z]{1,4}\))*)(?P<tail>[.:)]?)"
    r"(?=[ \t]|$|[-–—])"
)
_DECIMAL = re.compile(r"(?P<num>\d{1,3}(?:\.\d{1,3}){1,4}[A-Za-z]?)(?P<tail>[.:)]?)(?=[ \t]|$|[A-Z(\"“])")
_INTEGER = re.compile(r"(?P<num>\d{1,3})(?P<tail>[.)]|[ \t]*[-–—](?=[ \t]))(?=[ \t]|$|[A-Z\"“(])")
_BARE = re.compile(r"(?P<num>\d{1,2})(?P<tail>\t|[ ]{2,})(?=[A-Z])")
_PAREN = re.compile(r"\((?P<num>\d{1,3}|[A-Za-z]{1,2}|[ivxlIVXL]{1,6})\)(?=[ \t]|$|[A-Z\"“(])")
_LETTER = re.compile(r"(?P<num>[A-Z]|[a-z]|[IVXL]{2,6}|[ivxl]{2,6})(?P<tail>[.)])(?=[ \t]|$)")
_REPEATED = 3  # times that a letter counts on ("aaa"); more is a word or a line of a form


@dataclass(frozen=True)
class Marker:
    """The number that a line begins with.

    Attributes:
        scheme: division, section, decimal, integer, paren_int, paren_lower, paren_upper, letter_upper, letter_lower.
            Roman readings are resolved by the tree, which knows what came before.
        number: As printed, without trailing punctuation.
        values: Ordinals, outermost first (``4.2.1`` gives 4, 2, 1).
        roman: The Roman reading of a letter, 0 where there is none.
        length: Characters of the marker at the start of the line.
    """

    scheme: str
    number: str
    values: tuple[int, ...]
    roman: int
    length: int


def roman_value(text: str) -> int:
    """Return the value of a Roman numeral, 0 where it is none."""
    if not text or not _ROMAN.fullmatch(text):
        return 0
    total, last = 0, 0
    for ch in reversed(text.lower()):
        value = _ROMAN_VALUES[ch]
        total += value if value >= last else -value
        last = max(last, value)
    return total


def _letters(text: str) -> int:
    """Return the ordinal of ``a``, ``b`` … ``z``, ``aa``, ``bb`` … (0 for ``ab``)."""
    text = text.lower()
    if not text.isascii() or len(set(text)) != 1 or len(text) > _REPEATED:
        return 0
    return (len(text) - 1) * 26 + ord(text[0]) - ord("a") + 1


def _division(match: re.Match[str]) -> Marker:
    ordinal = match["ord"]
    low = ordinal.lower()
    if low in ONES:
        value = ONES[low]
    elif ordinal[0].isdigit():
        value = int(re.split(r"\D", ordinal)[0])
    else:
        value = roman_value(ordinal) or _letters(ordinal[0])
    return Marker("division", f"{match['word']} {ordinal}", (value,), 0, match.end())


def _section(match: re.Match[str]) -> Marker:
    num = match["num"]
    if num[0].isdigit():
        values = tuple(int(re.sub(r"\D", "", part) or 0) for part in num.split("."))
    else:
        values = (roman_value(num) or _letters(num),)
    return Marker("section", num + match["sub"], values, 0, match.end())


def _decimal(match: re.Match[str]) -> Marker:
    num = match["num"]
    values = tuple(int(re.sub(r"\D", "", part)) for part in num.split("."))
    if values[-1] == 0 and len(values) == 2:  # "1.0", "2.0": an integer in another dress
        return Marker("integer", num, values[:1], 0, match.end())
    return Marker("decimal", num, values, 0, match.end())


def _paren(match: re.Match[str]) -> Marker | None:
    num = match["num"]
    if num.isdigit():
        return Marker("paren_int", f"({num})", (int(num),), 0, match.end())
    letters, roman = _letters(num), roman_value(num)
    if not letters and not roman:
        return None
    scheme = "paren_upper" if num.isupper() else "paren_lower"
    return Marker(scheme, f"({num})", (letters,), roman, match.end())


def _letter(match: re.Match[str]) -> Marker | None:
    num = match["num"]
    letters, roman = _letters(num), roman_value(num)
    if not letters and not roman:
        return None
    return Marker("letter_upper" if num.isupper() else "letter_lower", num, (letters,), roman, match.end())


def read_marker(line: str) -> Marker | None:
    """Return the clause number at the start of a stripped line, None where there is none."""
    if match := _DIVISION.match(line):
        return _division(match)
    if match := _SECTION.match(line):
        return _section(match)
    if match := _DECIMAL.match(line):
        return _decimal(match)
    if match := _INTEGER.match(line) or _BARE.match(line):
        return Marker("integer", match["num"], (int(match["num"]),), 0, match.end())
    if match := _PAREN.match(line):
        return _paren(match)
    if match := _LETTER.match(line):
        return _letter(match)
    return None
