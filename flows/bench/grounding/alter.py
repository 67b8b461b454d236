"""Alterations of one figure or date in a sentence: digit, scale, unit, currency, word, sign, day, month, year, swap."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.months import NAMES
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import TENS, UNITS
from tasks.legaltext.records import Figure
from tasks.reconcile.quantities import Quantity

_MONTHS: Final = tuple(name.title() for name in NAMES)
_ONES: Final = (*UNITS[2:11], UNITS[12], UNITS[15])
SWAP: Final = "swap"  # of two figures of one document: reported apart, both stand in the sources
_SWAPPED: Final = ("money", "percent", "duration", "shares", "per_share", "multiple", "ratio")
_UNITS: Final = ("day", "week", "month", "year")


@dataclass(frozen=True)
class Alteration:
    """A sentence with one change."""

    kind: str
    text: str
    before: str
    after: str


def alter(sentence: str, rng: random.Random, made: Mapping[str, int] | None = None) -> Alteration | None:
    """Alter one figure or date of a sentence; None where it holds nothing that can be altered.

    Args:
        sentence: The sentence.
        rng: Chooses the place and the alteration.
        made: How many of each kind were already made; rarer kinds are tried first.
    """
    spans = [(f.start, f.end, _FIGURE_METHODS) for f in scan_numbers(sentence)]
    spans += [(d.start, d.end, _DATE_METHODS) for d in scan_dates(sentence)]
    tries = [(start, end, kind, method) for start, end, methods in spans for kind, method in methods]
    rng.shuffle(tries)
    tries.sort(key=lambda t: (made or {}).get(t[2], 0))
    for start, end, kind, method in tries:
        before = sentence[start:end]
        after = method(before, rng)
        if after is not None and after != before:
            return Alteration(kind, sentence[:start] + after + sentence[end:], before, after)
    return None


def swap(sentence: str, others: Sequence[Figure], rng: random.Random) -> Alteration | None:
    """Replace one figure of a sentence by another of the same kind and document.

    Args:
        sentence: The sentence.
        others: Figures of its document.
        rng: Chooses among them.
    """
    own = [f for f in scan_numbers(sentence) if not f.pair and f.kind in _SWAPPED]
    rng.shuffle(own)
    said = {(f.kind, f.unit, f.value) for f in own}
    for figure in own:
        fitting = [o for o in others if _like(figure, o) and (o.kind, o.unit, o.value) not in said]
        if fitting:
            text = " ".join(rng.choice(fitting).text.split())
            return Alteration(SWAP, f"{sentence[: figure.start]}{text}{sentence[figure.end :]}", figure.text, text)
    return None


def _like(figure: Figure, other: Figure) -> bool:
    if other.pair or other.kind != figure.kind or other.value == figure.value or re.search(r"[()]", other.text):
        return False
    if Quantity.of(other).value == Quantity.of(figure).value:
        return False  # "1 year" and "12 months"
    plural = figure.text.endswith("s") == other.text.endswith("s")
    return figure.unit == other.unit or (figure.kind == "duration" and plural)


def _digit(text: str, rng: random.Random) -> str | None:
    """Change one digit, never into a leading zero."""
    places = [m.start() for m in re.finditer(r"\d", text)]
    if not places:
        return None
    at = rng.choice(places)
    leading = at == 0 or not text[at - 1].isdigit()
    choices = [d for d in ("123456789" if leading else "0123456789") if d != text[at]]
    return text[:at] + rng.choice(choices) + text[at + 1 :]


def _scale(text: str, rng: random.Random) -> str | None:
    for old, new in (("million", "billion"), ("billion", "million"), ("thousand", "million"), ("hundred", "thousand")):
        if re.search(rf"(?i)\b{old}\b", text):
            return _swap(text, old, new)
    number = re.search(r"\d{1,3}(?:,\d{3})+", text)
    if number:
        cut = number[0][:-4] if rng.random() < 0.5 and number[0].count(",") > 1 else f"{number[0]},000"
        return text[: number.start()] + cut + text[number.end() :]
    return None


def _unit(text: str, rng: random.Random) -> str | None:
    found = re.search(r"(?i)\b(day|week|month|year)(?=s?\b)", text)
    if found:
        return _swap(text, found[1], rng.choice([u for u in _UNITS if u != found[1].lower()]))
    if "%" in text:
        return text.replace("%", " basis points")
    if re.search(r"(?i)\bpercent\b", text):
        return _swap(text, "percent", "basis points")
    return None


def _currency(text: str, rng: random.Random) -> str | None:
    if "$" in text:
        return re.sub(r"(?:US|U\.S\.)?\$", rng.choice(["€", "£"]), text, count=1)
    for old, new in (("€", "$"), ("£", "$"), ("USD", "EUR"), ("EUR", "USD"), ("dollars", "euros")):
        if old in text.lower() or old in text:
            return _swap(text, old, new)
    return None


def _sign(text: str, rng: random.Random) -> str | None:
    """Turn an amount or a rate into its negative, as accounts print it."""
    if not re.search(r"[$€£¥%]", text) or text[0] not in "$€£¥0123456789":
        return None
    if "$" in text and re.fullmatch(r"\$ ?[\d.,]+", text) and rng.random() < 0.5:
        return f"$({text[1:].strip()})"
    return f"-{text}"


def _word(text: str, rng: random.Random) -> str | None:
    for words in (TENS, _ONES):
        found = re.search(rf"(?i)\b({'|'.join(words)})\b", text)
        if found:
            return _swap(text, found[1], rng.choice([w for w in words if w != found[1].lower()]))
    return None


def _day(text: str, rng: random.Random) -> str | None:
    found = re.search(r"(?<!\d)(\d{1,2})(?=(?:st|nd|rd|th)?\b)(?!\d)", text)
    if not found:
        return None
    day = rng.choice([d for d in range(1, 29) if d != int(found[1])])
    return text[: found.start()] + str(day) + text[found.end() :]


def _month(text: str, rng: random.Random) -> str | None:
    found = re.search(rf"(?i)\b({'|'.join(_MONTHS)})\b", text)
    if not found:
        return None
    return _swap(text, found[1], rng.choice([m for m in _MONTHS if m.lower() != found[1].lower()]))


def _year(text: str, rng: random.Random) -> str | None:
    found = re.search(r"\b((?:19|20)\d\d)\b", text)
    if not found:
        return None
    year = int(found[1]) + rng.choice([-10, -2, -1, 1, 2, 10])
    return text[: found.start()] + str(year) + text[found.end() :]


def _swap(text: str, old: str, new: str) -> str:
    """Replace a word once, keeping its capitals."""

    def as_before(match: re.Match[str]) -> str:
        word = match[0]
        if word.isupper() and len(word) > 1:
            return new.upper()
        return new.capitalize() if word[0].isupper() else new

    return re.sub(re.escape(old), as_before, text, count=1, flags=re.IGNORECASE)


_Method = Callable[[str, random.Random], str | None]
_FIGURE_METHODS: Final[Sequence[tuple[str, _Method]]] = (
    ("digit", _digit),
    ("scale", _scale),
    ("unit", _unit),
    ("currency", _currency),
    ("word", _word),
    ("sign", _sign),
)
_DATE_METHODS: Final[Sequence[tuple[str, _Method]]] = (("day", _day), ("month", _month), ("year", _year))
