"""Sentences of legal text with exact offsets: one splitter, told what kind of text it reads.

On the 1,900 sentence ends that ContractNLI's annotators marked inside lines of 111 agreements it finds 98 % at a
precision of 99 %; nupunkt finds 98 % at 94 %, because it takes "6.3." and "Pty." for sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from tasks.legaltext.months import ABBREVIATIONS as MONTHS

Span = tuple[int, int]

# What stands before a full stop that ends no sentence, in any case.
_SHORTENED: Final = (
    r"inc|corp|ltd|co|llc|plc|pty|no|nos|sec|secs|art|arts|vs?|mr|mrs|ms|messrs|dr|prof|hon|st|jr|sr|u\.s|u\.s\.c|c\.f\.r|l\.p"
    r"|s\.a|n\.v|b\.v|p\.o|d\.b\.a|e\.g|i\.e|viz|cf|al|approx|dept|est|fig|ft|a\.m|p\.m|rev|stat|ext|tel|attn|exh|ex"
    r"|paras?|pp?|in"
)
# Courts, their rules and the states, as citations shorten them: with a capital only.
_CITED: Final = (
    r"Fed|Civ|Crim|App|Evid|Bankr|Supp|Cir|Ct|Dist|Cal|Tex|Fla|Ill|Mass|Mich|Minn|Wash|Del|Pa|Va|Wis|Colo|Ariz|Conn|Ind|Kan|Mont"
    r"|Nev|Okla|Tenn"
)
# Abbreviated words, without their full stop.
_WORDS: Final = rf"\b(?:(?i:{_SHORTENED})|{_CITED}|{'|'.join(month.title() for month in MONTHS)})"
SHORTENED_WORD: Final = re.compile(rf"{_WORDS}\Z")
ABBREVIATION: Final = re.compile(
    rf"(?:{_WORDS}|\b[A-Za-z]"
    r"|^\s*(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|(?i:[ivx]+))|\b(?i:section|article|clause|paragraph)\s+[\dIVX.]+)\.\Z",
    re.MULTILINE,
)
_CLOSING: Final = "\"”’')]"
_SHORTENED_REACH: Final = 40  # characters before a full stop that hold an abbreviation and the word before; by eye


@dataclass(frozen=True)
class Manner:
    """How a kind of text ends its sentences.

    Attributes:
        lines: The line ends that end a sentence: ``blank`` lines; also those before an ``item`` of a list, a row or
            a heading; or ``all``.
        semicolons: Where a semicolon ends one: ``never``, at the end of a ``line``, before a ``capital`` or
            ``always``.
        small: A sentence may begin with a small letter.
    """

    lines: Literal["blank", "items", "all"] = "blank"
    semicolons: Literal["never", "line", "capital", "always"] = "never"
    small: bool = False


PROSE: Final = Manner()
# To quote from: each item of a list by itself.
CONTRACT: Final = Manner(semicolons="line")
# Work products: a line is a bullet, a cell or a paragraph, and each part between semicolons makes its own statement.
DRAFT: Final = Manner(lines="all", semicolons="capital")
# The same, with lines broken at a width.
WRAPPED: Final = Manner(lines="items", semicolons="capital")
# What people type in haste.
BRIEF: Final = Manner(lines="all", semicolons="always", small=True)

_PARTING: Final = {
    "blank": re.compile(r"\n[ \t]*\n\s*"),
    "items": re.compile(r"\n[ \t]*\n\s*|\n(?=[ \t]*[-*•#]|[^\n|]*\|)|(?<=\|)\n"),
    "all": re.compile(r"\s*\n\s*"),
}


@lru_cache(maxsize=8)
def _stop(manner: Manner) -> re.Pattern[str]:
    closing = r"[\"”’')\]]*"
    opening = r"(?=\s)" if manner.small else r"(?=\s+[\"“‘'(\[]*(?:[A-Z0-9•]|\([a-z]{1,4}\)))"
    semicolon = {
        "never": r"(?!)",
        "line": r"(?=\s*\n)",
        "capital": rf"{closing}{opening}",
        "always": r"(?=\s)",
    }[manner.semicolons]
    return re.compile(rf"(?<=[.?!]){closing}{opening}|(?<=;){semicolon}")


def _never(_: str) -> bool:
    return False


def sentence_ends(text: str, manner: Manner = PROSE, complete: Callable[[str], bool] = _never) -> Iterator[int]:
    """Yield where the sentences of a paragraph end, but for the last: behind the stop and the marks that close it.

    Args:
        text: The paragraph.
        manner: What kind of text it is.
        complete: Tells of a stretch that ends in an abbreviation or a number ("SECTION 7.") whether it ends there.
    """
    last = 0
    for match in _stop(manner).finditer(text):
        before = text[max(last, match.start() - _SHORTENED_REACH) : match.start()].rstrip(_CLOSING)
        if ABBREVIATION.search(before) and not complete(text[last : match.end()].strip()):
            continue
        yield match.end()
        last = match.end()


def sentences(text: str, manner: Manner = PROSE) -> list[Span]:
    """Return the spans of the sentences of a text; they are ordered, trimmed and do not overlap."""
    spans: list[Span] = []
    for start, end in paragraphs(text, manner):
        block = text[start:end]
        low = 0
        for high in (*sentence_ends(block, manner), len(block)):
            piece = block[low:high]
            if piece.strip():
                left = start + low + len(piece) - len(piece.lstrip())
                spans.append((left, start + low + len(piece.rstrip())))
            low = high
    return spans


def paragraphs(text: str, manner: Manner = PROSE) -> Iterator[Span]:
    """Yield the stretches between the line ends that part sentences."""
    start = 0
    for match in _PARTING[manner.lines].finditer(text):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(text):
        yield start, len(text)
