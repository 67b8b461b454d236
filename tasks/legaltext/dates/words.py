"""Numbers, ordinals and years written as words: "thirty", "twenty-first", "two thousand and four"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

UNITS: Final[tuple[str, ...]] = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS: Final[tuple[str, ...]] = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ORDINAL_UNITS: Final[tuple[str, ...]] = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
)


def _cardinals() -> Mapping[str, int]:
    table = {word: value for value, word in enumerate(UNITS)}
    table.update({word: 20 + 10 * step for step, word in enumerate(TENS)})
    table["fourty"] = 40  # the commonest misspelling in contracts
    return MappingProxyType(table)


def _ordinals() -> Mapping[str, int]:
    table = {word: value for value, word in enumerate(ORDINAL_UNITS, start=1)}
    table.update({word[:-1] + "ieth": 20 + 10 * step for step, word in enumerate(TENS)})
    table["hundredth"] = 100
    return MappingProxyType(table)


CARDINALS: Final[Mapping[str, int]] = _cardinals()
ORDINALS: Final[Mapping[str, int]] = _ordinals()
_SPLIT: Final = re.compile(r"[\s\-\u2010-\u2014]+")


def _alternation(words: Mapping[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


CARDINAL_WORD: Final = rf"(?:{_alternation(CARDINALS)}|hundred|thousand)"
ORDINAL_WORD: Final = rf"(?:{_alternation(ORDINALS)})"
_TENS_WORD: Final = rf"(?:{'|'.join(TENS)})"
_GAP: Final = r"[\s\-\u2010-\u2014]{1,3}"
CARDINAL_PHRASE: Final = rf"{CARDINAL_WORD}(?:{_GAP}(?:and\s{{1,2}})?{CARDINAL_WORD}){{0,6}}"
ORDINAL_PHRASE: Final = rf"(?:{_TENS_WORD}{_GAP})?{ORDINAL_WORD}"


def words_to_int(phrase: str) -> int | None:
    """Read cardinal or ordinal words as an integer.

    Args:
        phrase: e.g. ``"one hundred and twenty"``, ``"twenty-first"``, ``"nineteen ninety-nine"``.

    Returns:
        The value, or None where a word is unknown or the words do not form one number.
    """
    total, current, seen = 0, 0, False
    for word in _SPLIT.split(phrase.strip().lower()):
        if word in {"", "and"}:
            continue
        seen = True
        if word in {"hundred", "hundredth"}:
            current = max(current, 1) * 100
        elif word == "thousand":
            total, current = total + max(current, 1) * 1000, 0
        else:
            value = CARDINALS.get(word, ORDINALS.get(word))
            if value is None:
                return None
            joined = _join(current, value)
            if joined is None:
                return None
            current = joined
    return total + current if seen else None


def _join(current: int, value: int) -> int | None:
    """Append a word to what was read: 20+5, 100+35, and the year form 19|99."""
    if current == 0 or (current % 100 == 0 and value < 100):
        return current + value
    if current % 10 == 0 and value < 10:
        return current + value
    if 10 <= current <= 99 and 10 <= value <= 99:
        return current * 100 + value
    return None
