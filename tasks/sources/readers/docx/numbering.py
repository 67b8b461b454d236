"""Automatic numbering of Word: the labels that are printed but not stored in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tasks.legaltext.numbers.spelling import spelled
from tasks.sources.markup import Element, attribute, child, local
from tasks.sources.readers.docx.styles import Styles, integer

_HIGHEST = 9999  # a counter beyond it is damage, and would be as long in Roman numerals
_LETTERS = 780  # 30 times the alphabet: no letter is repeated more often, or a hostile counter makes a page of them


def roman(number: int) -> str:
    """Return a number in capital Roman numerals."""
    out = ""
    for value, sign in zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"),
        strict=True,
    ):
        while number >= value:
            out, number = out + sign, number - value
    return out


def letters(number: int) -> str:
    """Return A … Z, AA, BB … as Word counts."""
    return chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 + 1) if number > 0 else ""


def number_in_words(number: int, ordinal: bool = False) -> str:
    """Return a number below one hundred in words, capitalised."""
    if number >= 100:  # as the docstring says: Word's counters in words hardly reach it
        return str(number)
    return spelled(number, ordinal=ordinal).capitalize()


def formatted(number: int, style: str) -> str:
    """Return a counter in one of Word's number formats."""
    number = max(0, min(number, _HIGHEST))
    match style:
        case "upperRoman" | "lowerRoman":
            text = roman(number)
        case "upperLetter" | "lowerLetter":
            text = letters(min(number, _LETTERS))
        case "decimalZero":
            text = f"{number:02d}"
        case "ordinal":
            tail = "th" if number % 100 // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
            text = f"{number}{tail}"
        case "cardinalText" | "ordinalText":
            text = number_in_words(number, ordinal=style == "ordinalText")
        case "none":
            text = ""
        case _:
            text = str(number)
    return text.lower() if style.startswith("lower") else text


@dataclass(frozen=True)
class Level:
    """One level of a list definition."""

    start: int = 1
    style: str = "decimal"
    text: str = ""
    restart: int | None = None
    legal: bool = False
    paragraph_style: str = ""


@dataclass
class Numbering:
    """List definitions of a document and the running counters."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)  # by abstract id
    abstract_of: dict[str, str] = field(default_factory=dict)  # num id -> abstract id
    overrides: dict[str, dict[int, Level]] = field(default_factory=dict)
    restarts: dict[str, dict[int, int]] = field(default_factory=dict)
    style_of_num: dict[str, tuple[str, int | None]] = field(default_factory=dict)  # paragraph style -> num, level
    _counters: dict[str, dict[int, int]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    def level_of_style(self, num: str, style: str) -> int:
        """Return the level that a paragraph style is linked to in its list; 0 when none is."""
        for number, level in self.levels.get(self.abstract_of.get(num, ""), {}).items():
            if level.paragraph_style == style:
                return number
        return 0

    def next_label(self, num: str, at: int) -> str:
        """Advance the counter of a list level and return the label Word prints."""
        abstract = self.abstract_of.get(num)
        if abstract is None or abstract not in self.levels:
            return ""
        levels = {**self.levels[abstract], **self.overrides.get(num, {})}
        level = levels.get(at)
        if level is None:
            return ""
        counters = self._counters.setdefault(abstract, {})
        if num not in self._seen:
            self._seen.add(num)
            for number, start in self.restarts.get(num, {}).items():
                counters[number] = start - 1
        counters[at] = counters.get(at, level.start - 1) + 1
        for deeper, below in levels.items():
            if deeper > at and below.restart != 0 and (below.restart is None or at < below.restart):
                counters.pop(deeper, None)
        if level.style == "bullet":
            return "•"
        return self._render(level, levels, counters)

    def _render(self, level: Level, levels: dict[int, Level], counters: dict[int, int]) -> str:
        def counter(match: re.Match[str]) -> str:
            which = int(match.group(1)) - 1
            other = levels.get(which, Level())
            value = counters.setdefault(which, other.start)
            return formatted(value, "decimal" if level.legal and other.style != "decimalZero" else other.style)

        return re.sub(r"%([1-9])", counter, level.text).strip()


def _level(element: Element) -> Level:
    restart = child(element, "lvlRestart")
    return Level(
        start=integer(child(element, "start"), 1),
        style=attribute(child(element, "numFmt"), "val")
        or attribute(child(element, "AlternateContent", "Fallback", "numFmt"), "val")
        or "decimal",
        text=attribute(child(element, "lvlText"), "val") or "",
        restart=None if restart is None else integer(restart, 0),
        legal=child(element, "isLgl") is not None and attribute(child(element, "isLgl"), "val") not in {"0", "false"},
        paragraph_style=attribute(child(element, "pStyle"), "val") or "",
    )


def _levels(parent: Element) -> dict[int, Level]:
    return {int(attribute(c, "ilvl") or 0): _level(c) for c in parent if local(c) == "lvl"}


def load_numbering(numbering: Element | None, styles: Styles) -> Numbering:
    """Read the list definitions of ``numbering.xml`` and take the list of each style."""
    out = Numbering()
    links: dict[str, str] = {}
    for element in () if numbering is None else numbering:
        if local(element) == "abstractNum":
            key = attribute(element, "abstractNumId") or ""
            out.levels[key] = _levels(element)
            link = attribute(child(element, "numStyleLink"), "val")
            if link:
                links[key] = link
        elif local(element) == "num":
            _load_num(out, element)
    out.style_of_num.update(styles.lists)
    for key, style in links.items():
        target = out.style_of_num.get(style)
        if target and not out.levels[key]:
            out.levels[key] = out.levels.get(out.abstract_of.get(target[0], ""), {})
    return out


def _load_num(out: Numbering, element: Element) -> None:
    key = attribute(element, "numId") or ""
    out.abstract_of[key] = attribute(child(element, "abstractNumId"), "val") or ""
    for override in (c for c in element if local(c) == "lvlOverride"):
        at = int(attribute(override, "ilvl") or 0)
        start = child(override, "startOverride")
        if start is not None:
            out.restarts.setdefault(key, {})[at] = integer(start, 1)
        level = child(override, "lvl")
        if level is not None:
            out.overrides.setdefault(key, {})[at] = _level(level)
