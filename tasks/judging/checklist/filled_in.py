"""Reads a work product that is a filled checklist itself: items by name, with their values below or beside them.

It reads what is written, not what is meant: JSON that maps items to values, a heading with lines below it, a line
``Name: value``, a row of a table that begins with a name. In prose it finds no items, and that is no omission.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tasks.judging.checklist.definition import Checklist
from tasks.judging.checklist.entering import Intake, Texts
from tasks.judging.checklist.records import Entry, Evidence, Filled
from tasks.legaltext.fold import fold

Said = tuple[str, Evidence]
_MARKS = re.compile(r"^[\s#>*_|•·–-]*(?:\(?\d{1,3}[.)]\s+)?[*_]*|[\s*_|#]+$")
_PARTED = re.compile(r"[*_]*\s*(?:[:|\t]|\s[–—-]\s)\s*[*_]*")
_RULE = re.compile(r"^[\s|:=+_-]*$")
_LONGEST_NAME = 120


def read_filled(checklist: Checklist, texts: Mapping[str, str]) -> tuple[Filled, frozenset[str]]:
    """Return the values that a work product gives under the names of items, and which items it names."""
    said: dict[str, list[Said]] = {}
    for name, text in texts.items():
        found = _json(checklist, name, text)
        for item, values in (_lines(checklist, name, text) if found is None else found).items():
            said.setdefault(item, []).extend(values)
    intake = Intake(Texts(texts))
    entries = {item: intake.entry((words, [where]) for words, where in values) for item, values in said.items()}
    filled = Filled(entries={item: Entry() if not e.values else e for item, e in entries.items()})
    return filled, frozenset(said)


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


def _lines(checklist: Checklist, name: str, text: str) -> dict[str, list[Said]]:
    said: dict[str, list[Said]] = {}
    item, at = "", 0
    for line in text.split("\n"):
        start, end = _bare(line)
        named, rest = _name_in(checklist, line[start:end])
        if named:
            said.setdefault(named, [])
        elif line.lstrip().startswith("#"):
            start, item = end, ""  # another part of the work product begins
        low = start + rest if named else start
        owner = named or item
        if owner and not _RULE.match(line[low:end]):
            where = Evidence(document=name, start=at + low, end=at + end, text=line[low:end])
            said[owner].append((line[low:end], where))
            item = item if not named else ""  # a value beside the name is the whole of it
        elif named:
            item = named
        at += len(line) + 1
    return said


def _bare(line: str) -> tuple[int, int]:
    """Return where a line begins and ends without the marks of headings, lists, tables and stress."""
    hits = list(_MARKS.finditer(line))
    start = hits[0].end() if hits and hits[0].start() == 0 else 0
    end = hits[-1].start() if hits and hits[-1].end() == len(line) and hits[-1].start() >= start else len(line)
    return start, max(start, end)


def _name_in(checklist: Checklist, line: str) -> tuple[str, int]:
    """Return the item that a line names, whole or before a mark that parts it, and where the rest begins."""
    if whole := checklist.by_name.get(fold(line)):
        return whole, len(line)
    for mark in _PARTED.finditer(line[:_LONGEST_NAME]):
        if named := checklist.by_name.get(fold(line[: mark.start()])):
            return named, mark.end()
    return "", 0
