"""The figures of the papers that a calculation needs: a rate, a price for each, a count, a sum by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tasks.asks.records import Ask
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, words_to_int
from tasks.legaltext.records import Figure

_CHANGED = re.compile(r"\b(?:raised|increased|reduced|lowered|amended|changed|adjusted)\s+to\s+$", re.I)
_COUNT = re.compile(
    rf"\b(?P<n>once|twice|thrice|{CARDINAL_PHRASE}|\d[\d,]*(?:\.\d+)?)(?:\s*\(\d+\))?(?:\s+times)?\b", re.I
)
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_SAME_UNIT = {
    "lb": "pound",
    "lbs": "pound",
    "pounds": "pound",
    "hrs": "hour",
    "mo": "month",
    "yr": "year",
    "annum": "year",
}
_AROUND = 0.8  # what it counts that the paragraph of a sentence speaks of what is asked
_AFTER = 3  # words behind a number within which the thing that it counts stands: "11.5 unused vacation days"
_CLEAR = 0.9  # fit from which a sentence states the sum of a name: it says nearly all of the name


@dataclass(frozen=True)
class Stated:
    """A figure with the sentence that states it."""

    figure: Figure
    unit: Unit

    @property
    def value(self) -> Decimal:
        """Return its value."""
        return self.figure.value


def figures_in(unit: Unit, *kinds: str) -> list[Figure]:
    """Return the figures of a sentence, of some kinds if any; "thirty (30)" is one figure."""
    found: list[Figure] = []
    for f in scan_numbers(unit.text):
        if (not kinds or f.kind in kinds) and not (found and f.pair and found[-1].pair and found[-1].value == f.value):
            found.append(f)
    return found


def sentences(ask: Ask, room: Room, least: float) -> list[tuple[float, Unit]]:
    """Return the sentences that speak of what is asked, the best first; their paragraph counts a little less."""
    found = []
    for reading in room.of(ask):
        paragraphs: dict[int, list[str]] = {}
        for u in reading.units:
            paragraphs.setdefault(u.block, [u.heading]).append(u.text)
        around = {block: room.likeness.fit(ask.words, " ".join(told)) for block, told in paragraphs.items()}
        for u in reading.units:
            found.append((max(room.likeness.fit(ask.words, f"{u.heading} {u.text}"), _AROUND * around[u.block]), u))
    return sorted((t for t in found if t[0] >= least), key=lambda t: -t[0])


def amount_of(words: str, room: Room) -> Stated | None:
    """Return the one sum that the papers state for something by its name; the changed one where it was changed."""
    found: list[tuple[float, bool, Stated]] = []
    for reading in room.ours:
        for unit in reading.units:
            fit = room.likeness.fit(words, f"{unit.heading} {unit.text}")
            if fit < _CLEAR:
                continue
            for figure in figures_in(unit, "money"):
                found.append((fit, bool(_CHANGED.search(unit.text[: figure.start])), Stated(figure, unit)))
    changed = [s for _, new, s in found if new]
    sums = changed or [s for _, _, s in found]
    return sums[0] if sums and len({s.value for s in sums}) == 1 else None


def sum_called(name: str, room: Room) -> Stated | None:
    """Return the sum that a paper calls by a name: "the principal sum of … ($480,000)"."""
    pattern = re.compile(rf"\b{re.escape(name)}\s+(?:sum|amount)\s+of\b", re.I)
    found = [
        Stated(f, u)
        for r in room.ours
        for u in r.units
        if (m := pattern.search(u.text))
        for f in figures_in(u, "money")[-1:]
        if f.start > m.start()
    ]
    return found[0] if len({s.value for s in found}) == 1 else None


def told_amounts(ask: Ask, room: Room) -> list[Figure]:
    """Return the sums that the request itself gives in the sentence that asks."""
    return [f for f in scan_numbers(ask.subject if ask.words in ask.subject else ask.words) if f.kind == "money"] or [
        f for f in scan_numbers(_sentence(ask, room)) if f.kind == "money"
    ]


def _sentence(ask: Ask, room: Room) -> str:
    brief = room.job.matter.instructions
    start = max(brief.rfind(mark, 0, ask.start) for mark in (". ", "? ", "\n", "! ")) + 1
    return brief[start : ask.end]


def counts(text: str, noun: str) -> Iterator[Decimal]:
    """Yield how many of a thing a text speaks of: "27,450 lbs", "nine (9) months", "twice in each year"."""
    name = singular(noun) if noun else ""
    for match in _COUNT.finditer(text):
        behind = re.findall(r"[A-Za-z]+", re.split(r"[.,]", text[match.end() :], maxsplit=1)[0])[:_AFTER]
        if match["n"].lower() in _TIMES:
            if not noun:
                yield Decimal(_TIMES[match["n"].lower()])
        elif noun and name in map(singular, behind):
            digits = match["n"].replace(",", "")
            whole = None if digits[0].isdigit() else words_to_int(digits.lower())
            if digits[0].isdigit() or whole is not None:
                yield Decimal(digits) if digits[0].isdigit() else Decimal(whole or 0)


def singular(noun: str) -> str:
    """Return a unit of count in one form."""
    plain = noun.lower()
    return _SAME_UNIT.get(plain, plain.removesuffix("s"))
