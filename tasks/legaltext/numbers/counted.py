"""What a bare number counts: the noun that follows it, "214 full-time employees"."""

from __future__ import annotations

import re
from typing import Final

from tasks.legaltext.numbers.numerals import Token
from tasks.legaltext.numbers.units import COUNT_NOUNS, NOT_NOUNS, word_table

_AMONG: Final = re.compile(r"\b(?:the|all|each of|these|those|its|least|in|across|other|such|only)\s+$")
_FOLLOWING: Final = re.compile(r"\s+([a-z][a-z’'-]*)(?:\s+([a-z][a-z’'-]*))?(?:\s+([a-z][a-z’'-]*))?")
_NO_NOUN_AFTER: Final = frozenset(
    word_table(
        "of the and or to in for by at on a an any each all per from with as if than is are was were shall "
        "may must will that which who not no nor but this it its such under upon after before within during "
        "until through between"
    )
)
_ROW: Final = 300  # characters of a row before a line break that are looked at for cells; bounds the time
_AMONG_REACH: Final = 12  # characters: "each of " and "across " with white space
_SHORTEST: Final = 3  # letters of a word, up to which an "s" at its end ("gas") says nothing; chosen by eye


def crosses_lines(low: str, begin: int, end: int) -> bool:
    """Return whether a unit would be taken from another paragraph or from the next row of a table."""
    newline = low.find("\n", begin, end)
    if newline < 0:
        return False
    if low.count("\n", begin, end) > 1:
        return True
    row = low[max(low.rfind("\n", max(0, newline - _ROW), newline), newline - _ROW) + 1 : newline]
    return "\t" in row or "|" in row


def take_noun(text: str, low: str, token: Token, at: int) -> int:
    """Take in what is counted: "214 full-time employees"; leave "5 applies" and "1209 Orange Street"."""
    match = _FOLLOWING.match(low, at)
    if match is None or ("\n" in match[0][:2] and _starts_line(low, token.core_start)):
        return at
    for n in (1, 2, 3):
        word = match[n]
        if word is None or word in _NO_NOUN_AFTER:
            return at
        capital = text[match.start(n)].isupper()
        if token.decimal and not token.fraction and (capital or _starts_line(low, token.core_start)):
            return at  # "6.3 Notices" is a heading
        if word == "states" and n == 1 and _AMONG.search(low, max(0, token.start - _AMONG_REACH), token.start):
            token.kind = token.unit = "count"
            return match.end(n)
        if word not in COUNT_NOUNS:
            if capital and not (
                token.word
                or token.grouped
                or token.opened
                or _AMONG.search(low, max(0, token.start - _AMONG_REACH), token.start)
            ):
                return at
            if not _plural(word) or "\n" in low[at : match.start(n)]:
                continue
        if crosses_lines(low, at, match.end(n)):
            return at
        token.kind = token.unit = "count"
        token.generic_noun = word not in COUNT_NOUNS
        return match.end(n)
    return at


def _plural(word: str) -> bool:
    return (
        len(word) > _SHORTEST and word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in NOT_NOUNS
    )


def _starts_line(low: str, at: int) -> bool:
    return at <= 2 or "\n" in low[at - 3 : at]
