"""A citation form that is ready to run, and the citations that it finds around its seeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from tasks.legaltext.citations.lists import Section, sections_of
from tasks.legaltext.citations.shapes import squeeze
from tasks.legaltext.records import CitationMention

# Room on either side of a seed in which its citation must lie.
_REACH: Final = 240
_PLACE: Final = 32  # characters in which the name of a place before a citation stands
_LETTERS: Final = bytes(byte if chr(byte).isalpha() and byte < 128 else ord(" ") for byte in range(256))  # of ASCII
_WHOLE: Final = re.compile(r"(?:(?<![A-Za-z])(?<!^)|^(?=[A-Z]))[A-Za-z]+(?=[^A-Za-z])")
_CAPITALS: Final = re.compile(r"[A-Z][A-Z.]+")


class Elsewhere(NamedTuple):
    """The places that make a citation one of another law: how they stand before it, and behind it."""

    before: re.Pattern[str]
    after: re.Pattern[str]

    def named(self, match: re.Match[str]) -> bool:
        """Tell whether one of them stands beside a match."""
        near = match.string[max(0, match.start() - _PLACE) : match.start()]
        return bool(self.before.search(near) or self.after.match(match.string, match.end()))


class Template(NamedTuple):
    """One way of citing, ready to run (see ``forms``).

    Attributes:
        seeds: Literals, one of which every match holds; the pattern runs only around them.
        pattern: Bounded expression; its groups feed ``form``; group ``sections`` is a list of them.
        kind: Kind of the mention.
        form: Writes the canonical form from the match and one section of its list; empty where it is no citation.
        item: How one section of a list looks, where numbers and parts in brackets do not say it.
        plain: Whether its numbers hold no hyphen: then "26-37" is a range.
        elsewhere: The places beside which it is another law, and no such citation; None where there are none.
        initials: Further seeds that are runs of capitals, without stops: "CPLR" stands for "C.P.L.R." too.
    """

    name: str
    seeds: tuple[str, ...]
    pattern: re.Pattern[str]
    kind: str
    form: Callable[[re.Match[str], str], str]
    item: re.Pattern[str] | None = None
    plain: bool = False
    elsewhere: Elsewhere | None = None
    initials: tuple[str, ...] = ()


class Ground:
    """A text with the places of its seeds, each looked for once.

    The runs of capitals are gathered in one pass, because most of what the forms look for is in no contract.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._words = frozenset(text.encode("ascii", "replace").translate(_LETTERS).split())
        self._places: dict[str, list[int]] = {}
        self._capitals: dict[str, list[int]] = {}
        for match in _CAPITALS.finditer(text):
            self._capitals.setdefault(match[0].replace(".", ""), []).append(match.start())

    def stretches(self, template: Template) -> Iterator[tuple[int, int]]:
        """Yield the stretches of text in which the template may match, merged."""
        spots = [spot for seed in template.seeds for spot in self._found(seed)]
        spots += [spot for word in template.initials for spot in self._capitals.get(word, ())]
        low = high = -1
        for spot in sorted(spots):
            if spot - _REACH > high:
                if high >= 0:
                    yield low, high
                low = max(0, spot - _REACH)
            high = min(len(self.text), spot + _REACH)
        if high >= 0:
            yield low, high

    def _found(self, seed: str) -> list[int]:
        if seed not in self._places:
            places = self._places[seed] = []
            # A word that stands whole in the seed is looked up before the text is searched for the seed.
            hopeless = any(word.encode() not in self._words for word in _WHOLE.findall(seed))
            at = -1 if hopeless else self.text.find(seed)
            while at >= 0:
                places.append(at)
                at = self.text.find(seed, at + len(seed))
        return self._places[seed]


def run(ground: Ground, template: Template) -> Iterator[CitationMention]:
    """Yield the citations a template finds; a list of sections gives one each."""
    for low, high in ground.stretches(template):
        for match in template.pattern.finditer(ground.text, low, high):
            if not (template.elsewhere and template.elsewhere.named(match)):
                yield from _expand(ground.text, match, template)


def _expand(text: str, match: re.Match[str], template: Template) -> Iterator[CitationMention]:
    if not match.groupdict().get("sections"):
        yield from _make(text, match.start(), match.end(), template, template.form(match, ""))
        return
    parts = list(_listed(text, match, template))
    for place, part in enumerate(parts):
        start = match.start() if place == 0 else part.start
        # What follows the list ("of the Exchange Act") belongs to its last section.
        end = match.end() if place == len(parts) - 1 else part.end
        yield from _make(text, start, end, template, template.form(match, part.number))


def _listed(text: str, match: re.Match[str], template: Template) -> Iterator[Section]:
    start, end = match.span("sections")
    if template.item is None:
        before = text[max(match.start(), start - len("subsections ")) : start]
        yield from sections_of(text, start, end, template.plain, "§§" in before or "ections" in before)
        return
    for part in template.item.finditer(text, start, end):
        yield Section(part.start(), part.end(), squeeze(part[0]))


def _make(text: str, start: int, end: int, template: Template, canonical: str) -> Iterator[CitationMention]:
    if canonical:  # a form answers "" where the words turn out to be no citation
        yield CitationMention(start=start, end=end, text=text[start:end], kind=template.kind, canonical=canonical)
