"""What neighbouring numbers say of each other: pairs, ranges, fractions of a percent."""

from __future__ import annotations

import itertools
import re

from tasks.legaltext.numbers.context import is_year
from tasks.legaltext.numbers.numerals import Token

_RANGE = frozenset(
    {"-", "–", "—", "to", "and", "or", "through", "and up to", "up to", "to up to", "but not more than"}
) | frozenset(
    f"{word} {side} than"
    for word in ("nor", "and not", "but not", "or not", "and no", "but no", "or no", "and", "or")
    for side in ("more", "less", "fewer", "later", "earlier", "greater", "longer", "lower")
)
_LOOSE_PAIR = re.compile(r"[\sa-z.,'/-]{0,40}\(\s*")
_ROUND = ("a million", "a billion", "one million", "one billion")
_SAME_FAMILY = ({"money", "per_share"}, {"percent", "bps"})
_RATIO_WORD = frozenset({"to", "-to-", "- to -", "-for-", "for"})
# Characters between two numbers that belong together; chosen by eye, not measured.
_TOUCHING = 8  # two that make one number or a ratio ("and a", "- to -")
_PAIR_REACH = 44  # words and the figure in brackets behind them: what ``_LOOSE_PAIR`` may hold, and its bracket
_RANGE_REACH = 28  # the ends of a range
_ROUNDED = 50  # one fiftieth: so far may a per cent be rounded from the fraction in words before it; chosen by eye
_FULL = 1000  # from here on a low end ("1,500 to 2 million") is written out and takes no scale from the high one


def link_numbers(low: str, tokens: list[Token]) -> None:
    """Join pairs, let range ends share unit and scale, and fold "one-half of one percent"."""
    _fold_fractions(low, tokens)
    for first, second in itertools.pairwise(tokens):
        _pair(low, first, second)
    for i in range(len(tokens) - 2, -1, -1):
        _range(low, tokens[i], tokens[i + 1])
    _word_ratios(low, tokens)


def _fold_fractions(low: str, tokens: list[Token]) -> None:
    kept: list[Token] = []
    i = 0
    while i < len(tokens):
        if i + 1 < len(tokens) and _folds(low, tokens[i], tokens[i + 1]):
            i += 1
        kept.append(tokens[i])
        i += 1
    tokens[:] = kept


def _folds(low: str, first: Token, second: Token) -> bool:
    """Fold a number into the one behind it where the two are one; tell whether they were."""
    gap = low[first.end : second.start].strip() if second.start - first.end < _TOUCHING else ""
    if (
        first.fraction
        and first.kind is None
        and gap in {"of", "th of", "ths of"}
        and second.kind == "percent"
        and second.value == 1
    ):
        second.value = first.value
        second.word = first.word
    elif gap == "and" and first.word and first.kind is None and _completes(second) and not first.fraction:
        second.value += first.value  # "eight and 1/4 percent"
        second.word, second.fraction = True, False
    elif first.fraction and first.kind is None and gap in {"of", ""} and low.startswith(_ROUND, second.start):
        second.value *= first.value  # "half a million", "a quarter of a million"
    else:
        return False
    second.start = second.core_start = first.start
    return True


def _completes(token: Token) -> bool:
    return token.kind == "percent" and not token.word and 0 < token.value < 1 and token.fraction


def _pair(low: str, first: Token, second: Token) -> None:
    if first.word == second.word or first.pair or first.refused or second.start - first.end > _PAIR_REACH:
        return
    gap = low[first.end : second.start]
    if gap.strip() not in {"(", "[", "(us", "(u.s."}:
        loose = _LOOSE_PAIR.fullmatch(gap)
        if not (first.word and loose and first.value == second.value and second.closed):
            return
    inner = second.end if low.startswith((")", "]"), second.end) else second.core_end
    if not (second.closed or low.startswith((")", "]"), inner)):
        return
    if first.kind and second.kind and first.kind != second.kind and {first.kind, second.kind} not in _SAME_FAMILY:
        return
    if first.fraction and first.kind is None and second.kind == "percent":  # "two-thirds (66.67%)"
        first.kind = first.unit = "fraction"
        off = abs(100 * first.value - second.value) > abs(second.value) / _ROUNDED
        first.disagrees = second.disagrees = off or _minus(low, second)
        first.pair = second.pair = True
        second.refused = False
        first.partner, second.partner = second, first
        return
    if first.kind is None:
        first.value *= second.late_scale
        first.unit, first.kind = second.unit, second.kind
    elif second.kind is None:
        second.unit, second.kind = first.unit, first.kind
        if first.scaled != 1 and not first.word and second.scaled == 1 and second.value != first.value:
            second.value *= first.scaled
    first.fraction = second.fraction = first.fraction and second.fraction
    first.pair = second.pair = True
    second.refused = False
    slack = abs(second.value) / (100 if "." in low[second.core_start : second.core_end] else 10**6)
    rates = {first.kind: first.value, second.kind: second.value} if first.kind != second.kind else {}
    if "bps" in rates and "percent" in rates:  # "twenty-five basis points (0.25%)"
        off = rates["bps"] != 100 * rates["percent"]
    else:
        off = abs(first.value - second.value) > slack or first.unit != second.unit
    first.disagrees = second.disagrees = off or _minus(low, second)
    first.partner, second.partner = second, first


def _minus(low: str, second: Token) -> bool:
    """Return whether the figures of a pair are negative, as words never are: "five percent (-5%)", "($(5))"."""
    inner = low[second.start : second.core_start]
    return second.negative and (inner[:1] in ("-", "−") or inner.endswith("("))


def _range(low: str, first: Token, second: Token) -> None:
    if first.refused or second.refused or second.start - first.end > _RANGE_REACH:
        return
    gap = " ".join(low[first.end : second.start].split()).strip("() ")
    if not (gap in _RANGE or (gap == "," and second.inherited)):
        return
    if first.currency and first.kind == "money" and second.kind is None and gap not in {"and", "or", ","}:
        _give(second, first)
        first, second = second, first
    marked = second.currency and second.start < second.core_start  # "10 vessels and $5": the sign looks forward only
    if first.kind is None and second.kind not in (None, "ratio") and not (is_year(first) or first.fraction or marked):
        _give(first, second)
    elif not (first.kind == second.kind == "money" or first.inherited or second.inherited):
        return
    low_end, high_end = (first, second) if first.scaled == 1 else (second, first)
    small = low_end.scaled == 1 and low_end.value < _FULL and not low_end.grouped
    if small and high_end.scaled != 1 and (low_end.start < high_end.start or low_end.inherited):
        _scale(low_end, high_end)


def _give(to: Token, source: Token) -> None:
    for token in (to, to.partner):
        if token is not None:
            token.unit, token.kind, token.currency = source.unit, source.kind, source.currency
            token.inherited = True


def _scale(to: Token, source: Token) -> None:
    for token in (to, to.partner):
        if token is not None:
            token.value *= source.scaled
            token.scaled = source.scaled


def _word_ratios(low: str, tokens: list[Token]) -> None:
    folded: set[int] = set()
    for i in range(len(tokens) - 2, -1, -1):
        first, second = tokens[i], tokens[i + 1]
        if first.kind is not None or second.kind is not None or first.refused or not second.value:
            continue
        gap = low[first.end : second.start]
        if gap == "-for-" and first.word and second.word:
            first.value /= second.value
        elif second.value != 1:
            continue
        if len(gap) < _TOUCHING and gap.strip() in _RATIO_WORD and not second.pair:
            first.kind = first.unit = "ratio"
            first.end = second.end
            folded.add(i + 1)
    if folded:
        tokens[:] = [token for i, token in enumerate(tokens) if i not in folded]
