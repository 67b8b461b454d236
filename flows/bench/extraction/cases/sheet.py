"""A document as it is drafted: its text, and where each value of the checklist stands in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import NamedTuple

Pair = tuple[str, str]  # an item and a value of it


class Place(NamedTuple):
    """Where a value stands: ``text[start:end]`` says it."""

    item: str
    value: str
    document: str
    start: int
    end: int


@dataclass
class Sheet:
    """One document. ``say`` adds words that state values; ``add`` adds others.

    Attributes:
        day: When it was filed; documents are numbered in this order.
        core: Whether it is a paper of the case, and no filling.
    """

    name: str
    day: date
    core: bool = True
    parts: list[str] = field(default_factory=list)
    places: list[tuple[Pair, int, int]] = field(default_factory=list)
    length: int = 0

    def add(self, words: str) -> None:
        """Add words."""
        self.parts.append(words)
        self.length += len(words)

    def say(self, words: str, *pairs: Pair) -> None:
        """Add words that state values."""
        start = self.length + len(words) - len(words.lstrip())
        self.add(words)
        self.places += [(pair, start, start + len(words.strip())) for pair in pairs]

    def text(self) -> str:
        """Return all of it."""
        return "".join(self.parts)

    def on_pages(self, width: int) -> Sheet:
        """Break its long lines, as a page does; places stay."""
        self.parts = [wrapped(self.text(), width)]
        return self


_MISREAD = str.maketrans("lOe05Sim", "10cO5s1n")


def scanned(text: str, rate: float, chance: Random) -> str:
    """Return a text as a bad scan reads it: some letters are taken for others; its length stays.

    Args:
        text: The text.
        rate: Share of the letters that are looked at.
        chance: Which they are.
    """
    letters = list(text)
    for _ in range(int(len(text) * rate)):
        at = chance.randrange(len(letters))
        letters[at] = letters[at].translate(_MISREAD)
    return "".join(letters)


def long_date(day: date) -> str:
    """Return "March 5, 2021"."""
    return f"{day:%B} {day.day}, {day.year}"


def wrapped(text: str, width: int) -> str:
    """Return a text as a page shows it: a line that is too long is broken at a space; its length stays.

    Args:
        text: The text.
        width: The longest line; a word that is longer stands by itself.
    """
    lines = []
    for line in text.split("\n"):
        rest = line
        while len(rest) > width:
            cut = rest.rfind(" ", len(rest) - len(rest.lstrip()) + 1, width + 1)
            cut = cut if cut > 0 else rest.find(" ", width)
            if cut < 0:
                break
            lines.append(rest[:cut])
            rest = rest[cut + 1 :]
        lines.append(rest)
    return "\n".join(lines)
