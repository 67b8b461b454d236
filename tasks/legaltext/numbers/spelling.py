"""Numbers, ordinals and years written as words: the one table of them, read both ways.

``text2num`` was tried: it reads plain cardinals as this does, but gives no places, leaves "one" alone, reads
"nineteen ninety-nine" as "19 99", and has no pattern that the grammars of dates, windows and figures can hold.
"""

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
_ORDINAL_UNITS: Final[tuple[str, ...]] = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
)
# How contracts misspell them.
_MISSPELT: Final[Mapping[str, int]] = MappingProxyType({"fourty": 40, "ninty": 90})
ONES: Final[Mapping[str, int]] = MappingProxyType({word: value for value, word in enumerate(UNITS)})
CARDINALS: Final[Mapping[str, int]] = MappingProxyType(
    {**ONES, **{word: 20 + 10 * step for step, word in enumerate(TENS)}, **_MISSPELT}
)
ORDINALS: Final[Mapping[str, int]] = MappingProxyType(
    {word: value for value, word in enumerate(_ORDINAL_UNITS, start=1)}
    | {word[:-1] + "ieth": 20 + 10 * step for step, word in enumerate(TENS)}
    | {"hundredth": 100}
)
MULTIPLIERS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "thousand": 10**3,
        "million": 10**6,
        "billion": 10**9,
        "trillion": 10**12,
        "lakh": 10**5,
        "lakhs": 10**5,
        "crore": 10**7,
        "crores": 10**7,
    }
)
# German and French cardinals; they are read only before a unit of time of their own language.
FOREIGN: Final[Mapping[str, int]] = MappingProxyType(
    {
        "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10,
        "elf": 11, "zwölf": 12, "vierzehn": 14, "fünfzehn": 15, "achtzehn": 18, "zwanzig": 20, "dreißig": 30,
        "vierzig": 40, "fünfzig": 50, "sechzig": 60, "neunzig": 90, "hundert": 100, "einem": 1, "einer": 1,
        "eines": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "dix": 10,
        "douze": 12, "quinze": 15, "vingt": 20, "trente": 30, "quarante": 40, "soixante": 60,
    }
)  # fmt: skip
_SPLIT: Final = re.compile(r"[\s\-\u2010-\u2014]+")


def _alternation(words: Mapping[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


CARDINAL_WORD: Final = rf"(?:{_alternation(CARDINALS)}|hundred|thousand)"
ORDINAL_WORD: Final = rf"(?:{_alternation(ORDINALS)})"
_GAP: Final = r"[\s\-\u2010-\u2014]{1,3}"
CARDINAL_PHRASE: Final = rf"{CARDINAL_WORD}(?:{_GAP}(?:and\s{{1,2}})?{CARDINAL_WORD}){{0,6}}"
ORDINAL_PHRASE: Final = rf"(?:(?:{'|'.join(TENS)}){_GAP})?{ORDINAL_WORD}"
_PHRASE: Final = re.compile(rf"\b{CARDINAL_PHRASE}\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[a-z]+")


def words_to_int(phrase: str) -> int | None:
    """Read cardinal or ordinal words as an integer.

    Args:
        phrase: e.g. ``"one hundred and twenty"``, ``"twenty-first"``, ``"nineteen ninety-nine"``, ``"a million"``.

    Returns:
        The value, or None where a word is unknown or the words do not form one number.
    """
    total, current, seen, joined = 0, 0, False, False
    for word in _SPLIT.split(phrase.strip().lower()):
        if word in {"", "a", "and"}:
            joined = joined or word == "and"
            continue
        seen = True
        if word in {"hundred", "hundredth"}:
            current = max(current, 1) * 100
        elif word in MULTIPLIERS:
            total, current = total + max(current, 1) * MULTIPLIERS[word], 0
        else:
            value = CARDINALS.get(word, ORDINALS.get(word))
            if value is None or (together := _join(current, value, joined)) is None:
                return None
            current = together
        joined = False
    return total + current if seen else None


def _join(current: int, value: int, joined: bool) -> int | None:
    """Append a word to what was read: 20+5, 100+35, and the year form 19|99; "ten and twenty" are two numbers."""
    if current == 0 or (current % 100 == 0 and value < 100):  # behind hundreds
        return current + value
    if joined:
        return None
    if current % 10 == 0 and value < 10:  # behind tens
        return current + value
    if 10 <= current <= 99 and 10 <= value <= 99:  # the halves of a year
        return current * 100 + value
    return None


def in_digits(text: str) -> str:
    """Return a text with its number words as digits: "one hundred and twenty days" gives "120 days"."""
    return _PHRASE.sub(lambda match: _digits(match[0]), text)


def _digits(phrase: str) -> str:
    """Return words that need not form one number ("five and ten") with each number in digits."""
    value = words_to_int(phrase)
    if value is not None:
        return str(value)
    ends = [match.end() for match in _WORD.finditer(phrase.lower()) if match[0] != "and"]
    for end in reversed(ends[:-1]):
        value = words_to_int(phrase[:end])
        if value is not None:
            return str(value) + in_digits(phrase[end:])
    return phrase


def spelled(number: int, *, ordinal: bool = False) -> str:
    """Return a whole number below a billion in lower-case words ("twenty-one"), others in digits.

    Ordinals ("twenty-first") are written below 1,000.
    """
    if not 0 <= number < (1_000 if ordinal else 1_000_000_000):  # the largest word is "million"
        return str(number)
    for size, name in ((1_000_000, "million"), (1_000, "thousand")):
        if number >= size:
            head, rest = f"{spelled(number // size)} {name}", number % size
            return f"{head} {spelled(rest)}" if rest else head
    if number >= 100:  # "hundred"
        head = f"{UNITS[number // 100]} hundred"
        rest = number % 100
        return f"{head} {spelled(rest, ordinal=ordinal)}" if rest else head + ("th" if ordinal else "")
    tens, ones = divmod(number, 10)
    if ordinal:
        exact = next((word for word, value in ORDINALS.items() if value == number), "zeroth")
        # Below twenty each number has a word of its own.
        return exact if number < 20 or not ones else f"{TENS[tens - 2]}-{spelled(ones, ordinal=True)}"
    if number < 20:  # which have words of their own
        return UNITS[number]
    return TENS[tens - 2] + (f"-{UNITS[ones]}" if ones else "")
