"""The small language of canonical forms: ``{title} U.S.C. § {section}``.

``{slot}`` is what the pattern's group of that name matched; where it matched nothing, what ``slot2`` or ``slot3`` did,
which stand in other places of the pattern. ``{slot:filter:words}`` passes it through filters and tables of words.
``<, cl. {clause}>`` is left out where one of its slots is empty, and ``<a {x}|b {y}>`` takes the first that is full.
``{slot?}`` only asks whether the slot is full.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from tasks.legaltext.citations.filters import FILTERS
from tasks.legaltext.citations.readers import CitationRead, Reader, Words

_PIECE: Final = re.compile(
    r"<(?P<choice>[^<>]+)>|\{(?P<slot>[a-z]+)(?P<asked>\?)?(?P<filters>(?::[a-z_]+)*)\}|(?P<plain>[^{}<>]+)|(?P<bad>.)"
)


@dataclass(frozen=True)
class Slot:
    """A place of the canonical form that the citation fills.

    Attributes:
        groups: Groups of the pattern that may hold it, in order of preference.
        filters: What its words pass through.
        shown: Whether the words are written, and not only asked for.
    """

    name: str
    groups: tuple[str, ...]
    filters: tuple[Callable[[str], str], ...]
    shown: bool

    def words(self, match: re.Match[str], known: Mapping[str, str]) -> str:
        """Return what fills the slot; what is known goes before the groups."""
        said = known.get(self.name) or next(filter(None, map(match.__getitem__, self.groups)), "")
        for change in self.filters:
            said = change(said)
        return said


@dataclass(frozen=True)
class FirstFilled:
    """Runs of text and slots, of which the first one whose slots are all full is written."""

    runs: tuple[tuple[str | Slot, ...], ...]

    def words(self, match: re.Match[str], known: Mapping[str, str]) -> str:
        """Return the first full run; empty where there is none."""
        return next(filter(None, (_full(run, match, known) for run in self.runs)), "")


@dataclass(frozen=True)
class Canonical:
    """Writes the canonical form of a match."""

    pieces: tuple[str | Slot | FirstFilled, ...]
    reader: Reader | None
    tables: Words

    def __call__(self, match: re.Match[str], section: str) -> str:
        """Write the form of one section of a match; empty where the reader finds that it is no citation."""
        known = {"section": section}
        if self.reader:
            read = self.reader(CitationRead(match, section, self.tables))
            if read is None:
                return ""
            known.update(read)
        return "".join([p if isinstance(p, str) else p.words(match, known) for p in self.pieces])


def parse_canonical(template: str, pattern: re.Pattern[str], reader: Reader | None, tables: Words) -> Canonical:
    """Parse a template against the pattern that fills it.

    Raises:
        ValueError: The template is malformed, names an unknown filter, or a slot that nothing fills; or a group of the
            pattern fills nothing.
    """
    pieces = tuple(_pieces(template, pattern, tables))
    if not reader:
        _check_groups(pieces, pattern)
    return Canonical(pieces, reader, tables)


def _pieces(template: str, pattern: re.Pattern[str], tables: Words) -> Iterator[str | Slot | FirstFilled]:
    for match in _PIECE.finditer(template):
        if match["choice"]:
            runs = match["choice"].split("|")
            yield FirstFilled(tuple(tuple(_piece(m, pattern, tables) for m in _PIECE.finditer(run)) for run in runs))
        else:
            yield _piece(match, pattern, tables)


def _piece(match: re.Match[str], pattern: re.Pattern[str], tables: Words) -> str | Slot:
    if match["bad"]:
        raise ValueError(f"stray {match['bad']!r} in {match.string!r}")
    if not match["slot"]:
        return match["plain"]
    name = match["slot"]
    groups = tuple(group for group in (name, f"{name}2", f"{name}3") if group in pattern.groupindex)
    filters = tuple(_filter(said, tables) for said in match["filters"].split(":")[1:])
    return Slot(name, groups, filters, not match["asked"])


def _filter(name: str, tables: Words) -> Callable[[str], str]:
    if name in FILTERS:
        return FILTERS[name]
    if name not in tables:
        raise ValueError(f"no filter and no table of words is called {name!r}")
    return partial(_looked_up, tables[name])


def _looked_up(table: Mapping[str, str], said: str) -> str:
    return table.get(said.lower(), said)


def _check_groups(pieces: tuple[str | Slot | FirstFilled, ...], pattern: re.Pattern[str]) -> None:
    runs = [run for piece in pieces if isinstance(piece, FirstFilled) for run in piece.runs]
    slots = [part for run in (pieces, *runs) for part in run if isinstance(part, Slot)]
    listed = {"sections"} & pattern.groupindex.keys()
    empty = [slot.name for slot in slots if not slot.groups and not (listed and slot.name == "section")]
    idle = pattern.groupindex.keys() - {group for slot in slots for group in slot.groups} - listed
    if empty or idle:
        raise ValueError(f"no group fills the slots {empty}, and no slot takes the groups {sorted(idle)}")


def _full(run: tuple[str | Slot, ...], match: re.Match[str], known: Mapping[str, str]) -> str:
    out = []
    for part in run:
        said = part if isinstance(part, str) else part.words(match, known)
        if not said:
            return ""
        if isinstance(part, str) or part.shown:
            out.append(said)
    return "".join(out)
