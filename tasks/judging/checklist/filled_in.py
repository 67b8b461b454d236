"""Reads a work product that is a filled checklist itself: items by name, with their values below or beside them.

It reads what is written, not what is meant: JSON that maps items to values, a heading with lines below it, a line
``Name: value``, a row of a table that begins with a name. In prose it finds no items, and that is no omission.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tasks.asks.table import TITLE
from tasks.legaltext.checklists.definition import Checklist
from tasks.legaltext.checklists.entering import Intake, Texts
from tasks.legaltext.checklists.records import Evidence, Filled
from tasks.legaltext.fold import fold

Said = tuple[str, Evidence]
_CELL = r"(?:[A-Z]{1,3}\d{1,7}:\s+)?"  # how the reader names a cell of a sheet
_LEAD = re.compile(rf"[\s#>*_|•·–-]*{_CELL}(?:\(?\d{{1,3}}[.)]\s+)?[*_]*")
_TAIL = " \t\r\xa0*_|#"
_PARTED = re.compile(rf"[*_]*\s*(?P<mark>[:|\t]|\s[–—-]\s)\s*{_CELL}[*_]*")
_RULE = re.compile(r"^[\s|:=+_-]*$")
_WORD = re.compile(r"\w+")
_LONGEST_NAME = 120  # characters in which the label of an item ends; longer ones are prose


@dataclass(frozen=True)
class FilledIn:
    """What a work product says under the names of items.

    Attributes:
        named: The items that it names.
        share: Share of its words that stand under them or name them; headings of other parts and the table of asks
            count neither way.
    """

    filled: Filled
    named: frozenset[str]
    share: float


def read_filled(
    checklist: Checklist, texts: Mapping[str, str], headings: Mapping[str, Collection[int]] = MappingProxyType({})
) -> FilledIn:
    """Return the values that a work product gives under the names of items.

    Args:
        checklist: What is looked for.
        texts: The texts of its files, by name.
        headings: Where headings begin, beside those that are marked by ``#``.
    """
    pages = [_page(checklist, name, text, headings.get(name, ())) for name, text in texts.items()]
    said: dict[str, list[Said]] = {}
    for page in pages:
        for item, values in page.said.items():
            said.setdefault(item, []).extend(values)
    intake = Intake(Texts(texts))
    entries = {item: intake.entry((words, [where]) for words, where in values) for item, values in said.items()}
    words = sum(page.words for page in pages)
    inside = sum(page.inside for page in pages)
    return FilledIn(Filled(entries=entries), frozenset(said), inside / words if words else 0.0)


@dataclass
class _Page:
    """One file: what it says, its words, and how many of them stand under items."""

    said: dict[str, list[Said]] = field(default_factory=dict)
    words: int = 0
    inside: int = 0

    def count(self, line: str, inside: bool) -> None:
        words = len(_WORD.findall(line))
        self.words += words
        self.inside += words if inside else 0


def _page(checklist: Checklist, name: str, text: str, headings: Collection[int]) -> _Page:
    said = _json(checklist, name, text)
    return _lines(checklist, name, text, headings) if said is None else _Page(said, 1, 1)


def _json(checklist: Checklist, name: str, text: str) -> dict[str, list[Said]] | None:
    """Return the values of a JSON object that names items; None where the text is none."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    said: dict[str, list[Said]] = {}
    for key, values in given.items():
        if item := checklist.by_name.get(fold(key)):
            said.setdefault(item, []).extend(_at(name, text, words) for words in _strings(values))
    return said


def _strings(values: Any) -> Iterator[str]:
    """Yield values written as a string, a list, or objects with a ``value``."""
    for one in values if isinstance(values, list) else [values]:
        word = one.get("value") if isinstance(one, dict) else one
        if isinstance(word, str):
            yield word


def _at(name: str, text: str, words: str) -> Said:
    written = json.dumps(words, ensure_ascii=False)[1:-1]
    escaped = json.dumps(words)[1:-1]
    shown = written if written in text else escaped
    start = max(text.find(shown), 0)
    return words, Evidence(document=name, start=start, end=start + len(shown), text=shown)


def _lines(checklist: Checklist, name: str, text: str, headings: Collection[int]) -> _Page:
    page, item, at, asks = _Page(), "", 0, False
    for line in text.split("\n"):
        start, end = _bare(line)
        if line.lstrip().startswith("#") or at in headings:
            asks = fold(line[start:end]) == fold(TITLE)
        if asks:
            at, item = at + len(line) + 1, ""
            continue
        named, rest, end = _name_in(checklist, line, start, end)
        heading = at in headings or line.lstrip().startswith("#")
        low = rest if named else start
        owner = named or ("" if heading else item)
        if named:
            page.said.setdefault(named, [])
        if not heading:
            page.count(line, inside=bool(owner))
        if owner and not _RULE.match(line[low:end]):
            where = Evidence(document=name, start=at + low, end=at + end, text=line[low:end])
            page.said[owner].append((line[low:end], where))
            item = "" if named else item  # a value beside the name is the whole of it
        elif named or heading:
            item = named  # values follow below, or another part of the work product begins
        at += len(line) + 1
    return page


def _bare(line: str) -> tuple[int, int]:
    """Return where a line begins and ends without the marks of headings, lists, tables and stress."""
    lead = _LEAD.match(line)
    start = lead.end() if lead else 0
    return start, max(start, len(line.rstrip(_TAIL)))


def _name_in(checklist: Checklist, line: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the item that a line names, whole or before a mark that parts it, and where its value begins and ends.

    The value in a row of a table is the cell beside the name; what stands in further columns is said about it.
    """
    if whole := checklist.by_name.get(fold(line[start:end])):
        return whole, end, end
    for mark in _PARTED.finditer(line, start, min(end, start + _LONGEST_NAME)):
        if named := checklist.by_name.get(fold(line[start : mark.start()])):
            return named, mark.end(), _cell_end(line, mark.end(), end) if mark["mark"] in "|\t" else end
    return "", start, end


def _cell_end(line: str, start: int, end: int) -> int:
    columns = [at for sign in "|\t" if (at := line.find(sign, start, end)) >= 0]
    return start + len(line[start : min(columns)].rstrip()) if columns else end
