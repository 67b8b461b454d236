"""The scanner of legal figures: money, percentages, ratios, counts, durations, in every spelling."""

from __future__ import annotations

import re
from decimal import Decimal

from tasks.legaltext.numbers.columns import Columns
from tasks.legaltext.numbers.context import is_reference, is_year, stands_in_cell
from tasks.legaltext.numbers.links import link_numbers
from tasks.legaltext.numbers.numerals import Token
from tasks.legaltext.numbers.scale import Scales, scale_behind
from tasks.legaltext.numbers.tokens import ratio_after, raw_tokens
from tasks.legaltext.numbers.units import tidy
from tasks.legaltext.records import Figure

_NEGATED = re.compile(r"(?:\bnegative|\b(?:of|is|was|by|to)\s+minus)\s*$")
_SLOT = re.compile(r"(?:\b(?:of|was|were|is|to|from|by|be|at)|:|=)\s*$")  # a value must follow: no apposition there
_ROW_GOES_ON = re.compile(r"\)[ \t\u00a0]*(?:$|[\n|($€£\d—–-])")
_AGE = re.compile(r"\b(?:aged|age of|(?:at|of|over|under|below|above|to|than) age|attains? age)\s+$")
_ELLIPSIS = re.compile(r"\s+(?:are|were|is|was|have been|has been|shall be|will be|remain(?:ed)?)\b")
_CUE = re.compile(
    r"(?:\b(?:rate|price|ratio|multiple|factor|coefficient|average)\s+(?:of|is|was)"
    r"|equals?(?: to)?|factor of|multiplied by|divided by|=|×|\*)\s*$"
)
_OLDEST = 120  # years that "aged" may be followed by
# Characters before a number that hold the words of a pattern; chosen by eye.
_RATIO_REACH, _SHARES_REACH, _AGE_REACH, _NEGATED_REACH, _SLOT_REACH, _CUE_REACH = 60, 160, 14, 16, 10, 20


def scan_numbers(text: str, scale_hints: bool = True) -> list[Figure]:
    """Find the quantities of a text, in reading order.

    Section numbers, dates, pages, addresses, citations, enumerators and times of day are not figures.

    Args:
        text: Canonical text.
        scale_hints: Apply "(in thousands)" to the table that follows; ``Figure.value`` then includes
            the multiplier and ``Figure.scale`` says what it was.
    """
    low = _lower(text)
    scales = Scales(low) if scale_hints else None
    tokens = _screen(low, list(raw_tokens(text, low)))
    link_numbers(low, tokens)
    _shares_again(low, tokens)
    if scales is not None:
        scales.take_currencies(tokens)
    columns = Columns(low) if "|" in low else None
    figures = []
    for token in tokens:
        if _settle(low, token, scales, columns):
            figures.append(_figure(text, token))
    return figures


def _lower(text: str) -> str:
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low


def _screen(low: str, tokens: list[Token]) -> list[Token]:
    """Refuse references, dates and years, read ratios, and drop numbers inside other figures."""
    kept: list[Token] = []
    reference_end = end = -1
    for token in tokens:
        if token.core_start < end:
            continue
        if token.kind in (None, "count", "duration", "shares", "multiple") and not token.refused:
            if is_reference(low, token, reference_end):
                token.refused = True
                reference_end = token.core_end
            elif token.kind is None and not token.word:
                _read_ratio(low, token)
        if token.refused and token.kind is None:
            token.end = token.core_end
        end = token.end
        kept.append(token)
    return kept


def _read_ratio(low: str, token: Token) -> None:
    match = None if token.opened and token.fraction else ratio_after(low, token)
    if match is None or not Decimal(match[1]):
        return
    second = match[1]
    both_decimal = token.decimal and "." in second
    colon = ":" in match[0] or "for" in match[0]
    split = (
        colon
        and re.match(r"\s+(?:reverse|forward|stock|share|split)\b", low[match.end() : match.end() + 12]) is not None
    )
    clock = colon and len(second) == 2 and not token.decimal
    named = "ratio" in low[max(0, token.core_start - _RATIO_REACH) : match.end() + 12]
    if (
        both_decimal
        or "for" in match[0]
        or split
        or (second in {"1", "1.0", "1.00"} and not clock)
        or (named and (colon or second == "1"))
    ):
        token.value = token.value / Decimal(second)
        token.kind = token.unit = "ratio"
        token.end = match.end()


def _shares_again(low: str, tokens: list[Token]) -> None:
    """Read "10,000,000 shares are authorized, of which 6,250,000 are issued": the noun is not said twice."""
    last: Token | None = None
    following: list[Token | None] = [*tokens[1:], None]
    for token, after in zip(tokens, following, strict=False):
        if token.kind is None and token.grouped and not token.refused and after is not None:
            whole = low[token.end : after.start] in {" of ", " of the ", " out of ", " out of the "}
            if whole and after.kind in {"shares", "count"}:  # "1,400,000 of 2,000,000 authorized shares"
                token.kind, token.unit = after.kind, after.unit
        if token.kind == "shares":
            last = token
        elif last is not None and token.kind is None and token.grouped and not token.refused:
            gap = low[last.end : token.start] if token.start - last.end < _SHARES_REACH else ". "
            if ". " not in gap and "\n\n" not in gap and _ELLIPSIS.match(low, token.end):
                token.kind = token.unit = "shares"


def _settle(low: str, token: Token, scales: Scales | None, columns: Columns | None) -> bool:
    """Decide whether a linked token is a figure, and apply the scale of its table."""
    if token.refused and token.kind not in ("money", "percent", "bps", "per_share"):
        return False
    if token.closed and token.kind == "count" and not token.pair and token.end > token.inner_end:
        return False  # "(1) those fees": an enumerator
    if token.generic_noun and not token.pair and is_year(token):
        return False  # "since 1998 sales have risen"
    if token.fraction and token.kind is None:
        token.kind = token.unit = "fraction"
    cell = stands_in_cell(low, token) if token.kind in (None, "money") else False
    if token.kind is None and cell and columns is not None and not is_year(token):
        token.kind, token.unit = columns.unit(token) or (None, "")
    if (
        token.kind is None
        and not token.word
        and token.value < _OLDEST
        and _AGE.search(low, max(0, token.start - _AGE_REACH), token.start)
    ):
        token.kind, token.unit = "duration", "year"
    if token.kind is None:
        if is_year(token) or not (token.pair or token.grouped or cell or _cued(low, token)):
            return False
        token.kind = "count" if token.pair else "number"
        token.unit = "count" if token.pair else ""
    if _accounting(low, token, cell) or (token.kind == "money" and _negated(low, token)):
        token.negative = True
        if token.start and low[token.start - 1] == "(" and token.end > token.inner_end > 0:
            token.start -= 1
    if scales is not None and token.scaled == 1 and token.kind in ("money", "number") and not token.pair:
        scales.apply(token)
    scale_behind(low, token)
    return True


def _accounting(low: str, token: Token, cell: bool) -> bool:
    if token.pair or not token.opened or not token.closed:
        return False
    outside = token.kind == "percent" and low.startswith(")%", token.inner_end)  # "(5.2)%"
    # "Net loss (1,234) (987)" is a row; "of the shares (76,923) shall vest" is prose
    row = _ROW_GOES_ON.match(low, token.inner_end) is not None
    return outside or (token.kind == "number" and (cell or row)) or (token.kind == "money" and cell)


def _negated(low: str, token: Token) -> bool:
    begin = token.start
    if _NEGATED.search(low, max(0, begin - _NEGATED_REACH), begin):
        return True
    bracketed = token.opened and token.closed and not token.pair
    return bracketed and _SLOT.search(low, max(0, begin - _SLOT_REACH), begin - 1) is not None


def _cued(low: str, token: Token) -> bool:
    return (
        token.decimal
        and not token.refused
        and _CUE.search(low, max(0, token.start - _CUE_REACH), token.start) is not None
    )


def _figure(text: str, token: Token) -> Figure:
    value = -token.value if token.negative and not token.pair else token.value
    assert token.kind is not None
    # "fifteen (15) days" is shown as "fifteen" and "15": neither side owns the bracket or the unit
    end = token.inner_end if token.pair and token.inner_end else token.end
    return Figure(
        start=token.start,
        end=end,
        text=text[token.start : end],
        value=tidy(value),
        unit=token.unit,
        kind=token.kind,
        scale=token.table_scale,
        pair=token.pair,
        disagrees=token.disagrees,
    )
