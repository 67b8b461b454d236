"""Hyphens at the ends of printed lines: the printer's own are taken out, those of the word stay.

"commu-/nications" is one word, "third-/party" keeps its hyphen. The document itself decides: a word that it
prints whole elsewhere is written in that way here; otherwise the parts decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from tasks.legaltext.numbers.spelling import TENS, UNITS

BROKEN = "\ufdd0"  # stands for the hyphen of a broken word while lines are joined: a sign that no text contains
_WORD = re.compile(rf"(?<![\w{BROKEN}-])[^\W\d_]+(?:-[^\W\d_]+)*(?![\w{BROKEN}-])")
_LEFT = re.compile(r"[\w-]*\w$")
_RIGHT = re.compile(r"\w[\w-]*")
_INSIDE = re.compile(rf"(?<=\w){BROKEN}(?=\w)")
_ENDS_HYPHENED = re.compile(r"[^\W\d_A-Z]{2}-$")
_BESIDE = 80  # no part of a broken word is longer
_ON = re.compile(r"[^\W\d_A-Z]{2}")
# Parts that keep their hyphen where the document does not say otherwise, and parts that are words by accident.
_FIRST = frozenset(
    re.findall(
        r"\w+",
        "non self cross well long short third quasi ex all day year month half out over know high low full",
    )
) | {*UNITS[1:10], *TENS}
_LAST = frozenset(
    {"party", "exclusive", "based", "related", "free", "time", "term", "day", "month", "year", "up", "how"}
)
_SYLLABLES = frozenset(
    re.findall(
        r"\w+",
        "re pro pre in con dis un im an be de en ex per sub inter com ad ab al as at is or no so do to op mis tri anti"
        " post semi multi trans for fore man car mat par pan ten pat pen set sup sur",
    )
)


class Hyphens:
    """Decides on the hyphens of one document."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    @cached_property
    def _words(self) -> frozenset[str]:
        """Words that the document prints whole, and the parts of its hyphenated ones."""
        whole = {w.lower() for line in self._lines for w in _WORD.findall(line)}
        return frozenset(whole | {part for word in whole if "-" in word for part in word.split("-")})

    def mended(self, line: str) -> str:
        """Return a printed line with its broken words rejoined."""
        if BROKEN not in line[:-1]:
            return line
        return _INSIDE.sub(
            lambda m: self.sign(line[max(0, m.start() - _BESIDE) : m.start()], line[m.end() : m.end() + _BESIDE]), line
        )

    def joined(self, left: str, right: str) -> str:
        """Return two printed lines as one."""
        if left.endswith(BROKEN):
            return left[:-1] + self.sign(left[:-1], right) + right
        if left.endswith("-") and _ENDS_HYPHENED.search(left[-3:]) and _ON.match(right):
            return left[:-1] + self.sign(left[:-1], right) + right
        if left.endswith(("-", "/")) and left[-2:-1].isalnum() and right[:1].isalnum():
            return left + right
        return f"{left} {right}"

    def sign(self, left: str, right: str) -> str:
        """Return what joins the parts of a broken word: a hyphen or nothing."""
        before, after = _LEFT.search(left[-_BESIDE:]), _RIGHT.match(right[:_BESIDE])
        if before is None or after is None:
            return "-"
        first, last = before.group().lower(), after.group().rstrip("-").lower()
        ours, theirs = first.rpartition("-")[2], last.partition("-")[0]
        for joined, parted in ((first + last, f"{first}-{last}"), (ours + theirs, f"{ours}-{theirs}")):
            if (joined in self._words) != (parted in self._words):
                return "" if joined in self._words else "-"
        capitals = before.group().isupper() and after.group().isupper()
        if not (ours.isalpha() and theirs.isalpha()) or (after.group()[0].isupper() and not capitals):
            return "-"
        compound = ("-" in first or "-" in last) and theirs in self._words
        if compound or len(ours) == 1 or ours in _FIRST or theirs in _LAST:
            return "-"
        return "-" if ours not in _SYLLABLES and ours in self._words and theirs in self._words else ""
