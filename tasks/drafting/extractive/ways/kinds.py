"""Kinds of answers, and whether a sentence holds one: an answer without a figure to "how much" is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from tasks.asks.cues import cues_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.notions import Spoken
from tasks.legaltext import months
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure, Window
from tasks.legaltext.windows.scan import scan_windows

FIGURES = frozenset({"money", "percent", "number", "date", "day", "rate", "duration"})
"""Kinds of answers that are a figure."""
_INDEFINITE = re.compile(r"\b(?:indefinite|perpetual|at any time|until|so long as)", re.I)
_COUNT = re.compile(r"(?<![\w.$])\d+(?:[.,]\d+)*\b")
_NO_MONTH = rf"(?!(?:{months.TITLED})\b)"
_NAME = re.compile(
    rf"(?:Mr|Ms|Mrs|Dr|Hon|Judge)\.? [A-Z]|(?<=[a-z,;:] )(?<!\bthe ){_NO_MONTH}[A-Z]\w+,? (?:[A-Z]\.? )?[A-Z]\w+"
)
_PERSON = re.compile(
    rf"(?<=[a-z,;] ){_NO_MONTH}[A-Z]\w+"
    r"|\b[A-Z][\w&]+(?: [A-Z][\w&]+)* (?:shall|will|may|must|pays?|bears?|agrees?)\b"
    r"|\b(?:party|parties|either|each)\b"
)
_PLACE = re.compile(
    r"\b(?:place|location|located|venue|seat|courts?|address|offices?|premises|city|county)\b|@"
    r"|\b[A-Z][a-z]+, (?:[A-Z]{2}\b|[A-Z][a-z]+)"
    r"|\b(?:in|at) (?:the )?(?!Sections?\b|Articles?\b|Exhibits?\b)[A-Z][a-z]+\b"
)


@dataclass(frozen=True)
class Line:
    """A sentence of a document with what it speaks of.

    Attributes:
        said: What the sentence speaks of.
        head: What the heading above it speaks of.
    """

    reading: SentencedDocument
    unit: Unit
    said: Spoken
    head: Spoken

    @cached_property
    def plain(self) -> str:
        """Return the sentence with straight marks."""
        return straight(self.unit.text)

    @cached_property
    def numbers(self) -> Sequence[Figure]:
        """Return its figures."""
        return scan_numbers(self.unit.text)

    @cached_property
    def windows(self) -> Sequence[Window]:
        """Return its periods."""
        return scan_windows(self.unit.text)

    @property
    def place(self) -> tuple[str, int]:
        """Return a key that is unique to the sentence."""
        return self.reading.document, self.unit.start


def holds(wants: Sequence[str], line: Line) -> float:
    """Return the share of the wanted kinds of answer that a sentence holds, 0 to 1."""
    found = [_HOLDS[w](line) for w in wants]
    return 0.5 * max(found) + 0.5 * sum(found) / len(found) if found else 1.0


def values(line: Line, want: str) -> list[str]:
    """Return the values of a kind that a sentence states, each once."""
    found: list[str] = []
    if want in _VALUES_OF:
        found = [f.text for f in line.numbers if f.kind in _VALUES_OF[want]]
    elif want == "duration":
        found = [_period(w) for w in line.windows]
    elif want in ("date", "day"):
        found = [d.text for d in line.reading.dates_of(line.unit)]
    return list(dict.fromkeys(found))


def _period(window: Window) -> str:
    kind = f"{window.calendar} " if window.calendar in ("business", "trading", "clear") else ""
    return f"{window.n} {kind}{window.unit}{'' if window.n == 1 else 's'}"


_VALUES_OF: Mapping[str, frozenset[str]] = MappingProxyType(
    {"money": frozenset({"money", "per_share"}), "percent": frozenset({"percent", "bps"})}
    | {"rate": frozenset({"money", "per_share", "percent", "bps"})}
)


def _number(line: Line) -> bool:
    return bool(line.numbers or line.windows) or bool(_COUNT.search(line.unit.text))


def _duration(line: Line) -> bool:
    periods = any(f.kind == "duration" for f in line.numbers)
    return bool(line.windows) or periods or bool(_INDEFINITE.search(line.plain))


def _consequence(line: Line) -> bool:
    return bool(cues_of(line.reading.knowledge).outcome.search(line.plain))


_HOLDS: Mapping[str, Callable[[Line], bool]] = MappingProxyType(
    {
        "money": lambda line: bool(values(line, "money")),
        "percent": lambda line: bool(values(line, "percent")),
        "rate": lambda line: bool(values(line, "rate")),
        "place": lambda line: bool(_PLACE.search(line.plain)),
        "number": _number,
        "duration": _duration,
        "date": lambda line: bool(values(line, "date") or line.windows),
        "day": lambda line: bool(values(line, "date") or line.windows),
        "person": lambda line: bool(_PERSON.search(line.plain)),
        "name": lambda line: bool(_NAME.search(line.plain)),
        "consequence": _consequence,
    }
)
