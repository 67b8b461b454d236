"""Removes what pages add to a text (line numbers, stamps, line breaks) without moving any letter."""

from __future__ import annotations

import re
from itertools import pairwise

from tasks.drafting.extraction.scanning.rows import begins_dated

_NARROW, _WIDE = 50, 100  # characters of the longest line of a page
_NUMBERED = re.compile(r"^ {0,4}(?P<number>\d{1,2})(?P<rest>(?: {1,8}\S.*)?)\s*$")
_LAST_LINE = 32  # of a page of pleading paper
_MOST = 0.8  # of the lines that say something bear a number, each one more than the one before
_BLANK = 3  # lines that bear a number and nothing else, at least: a list of anything has none
STAMP = re.compile(
    r"^.{0,60}\b(?:Document|Doc\.?|Dkt\.?|NYSCEF)\b.{0,20}\d.{0,30}\bFiled\b.{0,12}\d.{0,60}$"
    r"|^.{0,90}\bFiled\b.*\bPage \d+ of \d+.*$"
    r"|^\W*Filed\W*\n.*\b\d{4}\b.*$",
    re.MULTILINE | re.IGNORECASE,
)
_ENDED = ".;:?!"


def plain(text: str) -> str:
    """Return a text as it was before it was printed to pages; its length and all offsets stay.

    Numbers of lines and stamps become spaces; a line that was broken to fit, or by the end of a page, runs on.
    """
    return unbroken(_unstamped(_unnumbered(text)))


def _unnumbered(text: str) -> str:
    """Return a text without the numbers of the lines of pleading paper."""
    lines = text.split("\n")
    found = [(at, match) for at, line in enumerate(lines) if (match := _NUMBERED.match(line))]
    numbers = [int(match["number"]) for _, match in found]
    steps = [after == before + 1 or after == 1 for before, after in pairwise(numbers)]
    bare = sum(not match["rest"] for _, match in found)
    said = sum(bool(line.strip()) and not STAMP.match(line) for line in lines)
    if bare < _BLANK or max(numbers) > _LAST_LINE or sum(steps) < _MOST * len(steps) or len(found) < _MOST * said:
        return text
    for at, match in found:
        low, high = match.span("number")
        lines[at] = lines[at][:low] + " " * (high - low) + lines[at][high:]
    return "\n".join(lines)


def _unstamped(text: str) -> str:
    """Return a text without stamps; a sentence interrupted by one is joined again."""
    parts, at = [], 0
    for match in STAMP.finditer(text):
        low, high = match.span()
        while low > at and text[low - 1].isspace():
            low -= 1
        while high < len(text) and text[high].isspace():
            high += 1
        if low < at:
            continue
        gap = text[low:high]
        goes_on = low > 0 and text[low - 1] not in _ENDED and text[high : high + 1].islower()
        parts += [text[at:low], re.sub(r"[^\n]" if not goes_on else r"[\s\S]", " ", gap)]
        at = high
    return "".join((*parts, text[at:]))


def unbroken(text: str) -> str:
    """Return a text whose lines were broken to fit a page with a space for each such break; its length stays.

    A line was broken there if the word that follows would not have stood on it. Lines of any length are left alone,
    and a row of a table begins where it begins.
    """
    lines = text.split("\n")
    width = max(map(len, lines))
    if not _NARROW <= width <= _WIDE:
        return text
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    parts = []
    for line, following in pairwise([*lines, ""]):
        word = following[margin:].split(" ", 1)[0]
        row = following.lstrip().startswith("|") or begins_dated(following)
        broken = bool(word) and not row and len(line.strip()) > width // 2 and len(line) + 1 + len(word) > width
        parts.append(line + (" " if broken else "\n"))
    return "".join(parts)[: len(text)]
