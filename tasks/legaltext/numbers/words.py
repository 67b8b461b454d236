"""Numbers written in words: "one hundred and twenty-five", "two and one-half", "two-thirds"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tasks.legaltext.numbers.spelling import CARDINALS, FOREIGN, MULTIPLIERS, ONES, UNITS, words_to_int
from tasks.legaltext.numbers.units import DENOMINATORS, alternation

_ONES = alternation(ONES)
_TENS = alternation(CARDINALS.keys() - ONES.keys())
_DIGITS = "|".join(UNITS[1:10])
_SUB100 = rf"(?:(?:{_TENS})(?:(?:\s?[-–]\s?|\s+)(?:{_DIGITS})\b)?|(?:{_ONES}))\b"
_SUB1000 = rf"(?:(?:{_SUB100}|a)[\s-]+hundred\b(?:\s+(?:and\s+)?{_SUB100})?|{_SUB100})"
_SCALE = r"(?:thousand|million|billion|trillion|lakhs?|crores?)\b"
_CARDINAL = rf"(?:{_SUB1000}|a\s+(?={_SCALE}))(?:[\s-]*{_SCALE}(?:,?\s+(?:and\s+)?{_SUB1000}(?!\s*/))?){{0,5}}"
_DENOMINATOR = rf"(?:{alternation([d for d in DENOMINATORS if d not in ('half', 'halves')])})s?|half|halves"
_FRACTION = (
    rf"(?:{_SUB100})\s+(?:one[\s-])?(?:hundredths|thousandths|ten-thousandths)\b"
    rf"|(?:one|two|three|four|five|seven|nine|a)(?:\s?-\s?|\s+)(?:{_DENOMINATOR})\b"
)
_FOREIGN = re.compile(
    rf"\b(?:{alternation(FOREIGN)})(?=\s+(?:\w{{0,12}}tage?n?|woche|monat|jahr|stunde|quartal|jour|mois|semaine|ans\b|prozent))"
)
_FOREIGN_TIMES = (
    " tage",
    "werktage",
    "arbeitstage",
    "kalendertage",
    "woche",
    "monat",
    "jahr",
    " jour",
    " mois",
    "semaine",
    "prozent",
)
_WORDS = re.compile(
    rf"\b(?:(?P<fraction>{_FRACTION})(?!\s+part(?:y|ies)\b)"
    rf"|(?P<half>half)(?=\s+(?:of|the|a\s+[mb]illion)\b)"
    rf"|(?P<whole>{_CARDINAL})"
    rf"(?:\s+and\s+(?P<plus>{_FRACTION})|\s+(?:&|and)\s+(?P<cents>\d{{1,2}}|no|xx)/100(?:ths?)?"
    rf"|\s+point(?P<point>(?:\s+(?:zero|{_DIGITS})\b)+))?)"
)


@dataclass(frozen=True)
class WordNumber:
    """A number in words at ``[start, end)``; ``fraction`` for a plain fraction such as "two-thirds"."""

    start: int
    end: int
    value: Decimal
    fraction: bool = False
    bare_one: bool = False
    scale: Decimal = Decimal(1)


def cardinal(words: str) -> Decimal:
    """Evaluate lower-case cardinal words that fit the grammar, e.g. ``two hundred and five thousand``."""
    return Decimal(words_to_int(words.replace(",", " ")) or 0)


def fraction(words: str) -> Decimal:
    """Evaluate lower-case fraction words, e.g. ``three-quarters``."""
    parts = re.fullmatch(r"(.+?)[\s-]+(?:one[\s-]+)?((?:ten-)?(?:hundredths|thousandths))", words)
    if parts:
        return cardinal(parts[1]) / DENOMINATORS[parts[2].removesuffix("s")]
    head, _, tail = re.sub(r"[\s-]+", " ", words).partition(" ")
    tail = tail.replace(" ", "-")
    denominator = DENOMINATORS.get(tail) or DENOMINATORS.get(tail.removesuffix("s"), 1)
    return Decimal(ONES.get(head, 1)) / denominator


def foreign_numbers(low: str) -> Iterator[WordNumber]:
    """Yield the German and French cardinals that stand before a unit of time; English text is left alone."""
    if not any(word in low for word in _FOREIGN_TIMES):
        return
    for match in _FOREIGN.finditer(low):
        if match[0] not in ONES:
            yield WordNumber(match.start(), match.end(), Decimal(FOREIGN[match[0]]))


def _value(match: re.Match[str]) -> Decimal:
    if match["fraction"]:
        return fraction(match["fraction"])
    if match["half"]:
        return Decimal("0.5")
    value = cardinal(match["whole"])
    if match["plus"]:
        value += fraction(match["plus"])
    elif match["cents"]:
        value += Decimal(match["cents"]) / 100 if match["cents"].isdigit() else 0
    elif match["point"]:
        value += Decimal("0." + "".join(str(ONES[w]) for w in match["point"].split()))
    return value


def word_numbers(low: str) -> Iterator[WordNumber]:
    """Yield the word numbers of lower-case text in order."""
    for match in _WORDS.finditer(low):
        words = match[0]
        if match["fraction"] and _is_count_of_quarters(low, match):
            number, _, _ = words.partition(" ")
            yield WordNumber(match.start(), match.start() + len(number), cardinal(number))
            continue
        if match["fraction"] and words.startswith("a") and not low.startswith(" of", match.end()):
            continue
        plain = bool(match["fraction"] or match["half"])
        scale = Decimal(MULTIPLIERS.get(words.rpartition(" ")[2], 1))
        yield WordNumber(match.start(), match.end(), _value(match), plain, words == "one", scale)


def _is_count_of_quarters(low: str, match: re.Match[str]) -> bool:
    """Tell "four quarters" and "two quarters after" (time) from "three quarters of" (fraction)."""
    words = match[0]
    if "quarter" not in words or "-" in words or words.startswith("a"):
        return False
    return words.startswith(("four", "five", "seven", "nine")) or not low.startswith((" of ", " in "), match.end())
