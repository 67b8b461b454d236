"""Text as it is compared: marks made straight, accents off, or folded to its bare letters and figures."""

from __future__ import annotations

import bisect
import re
import unicodedata
from functools import cached_property

_DROPPED = re.compile(r"[^\w$€£¥%]+|_+")

_STRAIGHT = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "‘": "'", "\u00a0": " ", "\u00ad": "", "\u200b": "", "\u2010": "-", "\u2011": "-"}
)


def straight(text: str) -> str:
    """Straighten quotation marks, hyphens and spaces; soft hyphens go, so that the length may change."""
    return text.translate(_STRAIGHT)


def quotable(text: str) -> str:
    """Return words on one line to stand between our curly marks: their own double marks become straight."""
    return " ".join(text.split()).replace("“", '"').replace("”", '"')


def unaccented(text: str) -> str:
    """Return text with its letters and signs in their plain forms: "é" is "e", "ﬁ" is "fi"."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def fold(text: str) -> str:
    """Fold text so that spacing, quote marks, hyphens, line breaks and case do not matter."""
    return _DROPPED.sub("", _lower(text))


def _lower(text: str) -> str:
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


class FoldedText:
    """A source text in folded form that can say where a folded match lies in the original."""

    def __init__(self, document: str, text: str) -> None:
        self.document = document
        self.text = text

    @cached_property
    def folded(self) -> str:
        """The folded text."""
        return fold(self.text)

    @cached_property
    def _runs(self) -> tuple[list[int], list[int]]:
        """Folded and original offset at which each stretch of kept characters starts."""
        at = position = 0
        folded_starts, starts = [], []
        for match in _DROPPED.finditer(self.text):
            if match.start() > at:
                folded_starts.append(position)
                starts.append(at)
                position += match.start() - at
            at = match.end()
        folded_starts.append(position)
        starts.append(at)
        return folded_starts, starts

    def original(self, folded_at: int) -> int:
        """Return the original offset of a folded one."""
        folded_starts, starts = self._runs
        run = bisect.bisect_right(folded_starts, folded_at) - 1
        return starts[run] + folded_at - folded_starts[run]

    def find(self, folded_quote: str, after: int = 0) -> tuple[int, int] | None:
        """Return the original ``[start, end)`` of a folded quotation at or after an original offset."""
        begin = 0
        if after:
            folded_starts, starts = self._runs
            run = max(bisect.bisect_right(starts, after) - 1, 0)
            following = folded_starts[run + 1] if run + 1 < len(folded_starts) else len(self.folded)
            begin = min(folded_starts[run] + max(after - starts[run], 0), following)
        at = self.folded.find(folded_quote, begin)
        if at < 0 or not folded_quote:
            return None
        return self.original(at), self.original(at + len(folded_quote) - 1) + 1
