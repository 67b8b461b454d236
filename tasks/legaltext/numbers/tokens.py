"""Raw quantities of a text: each number with what stands directly before and after it."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from tasks.legaltext.numbers.counted import crosses_lines, take_noun
from tasks.legaltext.numbers.numerals import Token, numeral_token, numerals
from tasks.legaltext.numbers.units import (
    CURRENCY_MARKS,
    CURRENCY_NAMES,
    ISO_CODES,
    MARK_ENDINGS,
    SCALED_MARKS,
    SCALES,
    TIME_ADJECTIVES,
    TIME_NAMES,
    TIME_UNITS,
    alternation,
)
from tasks.legaltext.numbers.words import foreign_numbers, word_numbers

_SPACED = re.compile(r"(?: \d{3})+(?:,\d{1,2})?(?![\d,])")
_COMMA = re.compile(r",(\d{1,2})(?![\d,])")
_AFTER_COMMA = re.compile(
    r"\s?(?:%|€|x\b|eur(?:os?)?\b|chf\b|mio\b|mrd\b|tsd\b|mill?i(?:on|onen|ard|arden|ards)\b|prozent|pour\s?cent|zł|kč)"
)
_DASHES = re.compile(r"(?:[,.][-–—]{1,2}|/-)(?=\s)")  # the cents of "50.000,- Euro" and "1'000.-- CHF"
_MARK = re.compile(rf"(?:(?<![a-z])(?:{alternation([*SCALED_MARKS, *CURRENCY_MARKS])})|[$€£¥₹])$")
_NAME_BEFORE = re.compile(
    r"(?<![a-z])(?:us\s+|u\.s\.\s+|united\s+states\s+)?(?P<name>(?:[a-z]+\s+)??(?:dollars|rupees|euros?|sterling|pounds|yen|francs))\s+$"
)
_CODE = re.compile(rf"(?<![a-z])({alternation([*ISO_CODES, 'rmb'])})\s?$")
_SCALE = re.compile(
    r"[\s-]{0,2}(hundred|thousand|millions?|billions?|trillion|lakhs?|lacs?|crores?|mio|mrd|tsd|tausend|millionen|milliarden|milliards)\b\.?"
    r"|([万萬億亿兆])"
    r"|\s?(mm|mn|bn|tn|mil|k|m|b|cr)\b\.?(?!\d)"
)
_SYMBOLS = "".join(sorted({mark for mark in CURRENCY_MARKS if len(mark) == 1}))
_UNIT = re.compile(
    r"(?P<percent>\s?%(?:\s+points?\b)?"
    r"|[\s-]*(?:per\s?cent(?:age[\s-]points?)?|pct|percentile points?|prozent(?:punkte?n?)?|pour\s?cent|v\.\s?h\.)"
    r"(?![a-z])\.?)"
    r"|(?P<bps>[\s-]?(?:bps|bp|basis[\s-]points?)\b)"
    r"|(?P<multiple>\s?[x×](?![a-z0-9]|\s*[$€£\d])|[\s-]times\b(?!\s+(?:square|new york)))"
    rf"|(?P<mark>\s?[{re.escape(_SYMBOLS)}円元](?!\s?[\d\[])|\s?(?:{alternation([*ISO_CODES, 'rmb'])})\b)"
    r"|(?P<area>\s?(?:sq\.?\s?(?:ft|feet|m|metres|meters|km|mi|yd)s?\b\.?|m²|ft²|square\s+(?:feet|foot|met(?:er|re)s?|miles?))"
    r"(?![a-z]))"
    r"|(?P<franc>\s(?:s?fr\.))"
    r"|(?P<scaled>\s?(?:teur|t€|keur|k€|meur|m€)(?![a-z]))"
    r"|(?P<pence>p(?![a-z0-9/]|\.\s?m)|\s+(?:new\s+)?pence\b)"
    r"|(?P<name>\s+(?:of\s+|d['’]|de\s+)?(?:u\.?\s?s\.?\s+|united\s+states\s+)?"
    rf"(?:{'|'.join(n.replace(' ', chr(92) + 's+') for n in CURRENCY_NAMES)})s?\b)"
    r"|(?P<cents>\s+(?:u\.?s\.?\s+)?cents?\b)"
    rf"|(?P<time>[\s-]{{0,2}}(?:(?:{TIME_ADJECTIVES})[\s-]+){{0,3}}(?P<unit>{TIME_UNITS})(?![a-z]))"
    r"|(?P<shares>[\s-]+(?:(?:of|the|its|series|class|common|ordinary|preferred|preference|restricted|authori[sz]ed"
    r"|issued|outstanding|additional|fully|paid|such|new|voting|non-voting|underlying|company|treasury|registered"
    r"|warrant|option|conversion|merger|parent|target|escrow|holdback|performance|bonus|rights|deferred|redeemable"
    r"|vested|unvested|earnout|placement|firm|rollover|award|plan|dividend|incentive|closing|stock|equity|profits|seed"
    r"|convertible|depositary|american|aggregate|newly|validly|founder|founders|management|capital|subscription"
    r"|consideration|exchange|purchased|sale|initial|[a-z]|[a-z]-\d)[\s-]+){0,6}(?:shares|adss|ads)(?![a-z])|[\s-]+(?:of\s+an?\s+)?share\b)"
)
_CJK: Final = "\u2e80"  # from here on scripts are written without spaces
_WEIGHT: Final = re.compile(
    r"\s+(?:of\s+(?!sterling|account\b|the\b|h(?:is|er)\b|its\b|money\b)[a-z]|per\s+(?:square|cubic)|avoirdupois|(?:gross|net)\s+weight)"
)
_NEAR_PRICE: Final = 300  # characters around an amount in which "per pound" tells a weight from money; chosen by eye
# Characters before a number that hold the words of a pattern; chosen by eye where no reason stands.
_DASH_REACH = 4  # a dash with spaces
_NAME_REACH, _SUBJECT_REACH = 32, 12
_CODE_REACH = 5  # three letters, a space and what stands before them
_MARK_REACH = 8  # the longest sign of a currency with what stands before it
_LEAST_NAMED = 1000  # a smaller number behind a currency may count something else; chosen by eye
_GROUP = 3  # digits at most before the first space of "10 000"
_OR_MORE: Final = re.compile(r" or (?:more|fewer|less|greater)(?= )")
_NAMED_BEFORE: Final = re.compile(
    r"(?:schedule|exhibit|section|annex|appendix|clause|page|form|item|note|part|no\.)\s+$"
)
_NATIVE: Final = {"円": "JPY", "元": "CNY"}
_PER_SHARE = re.compile(
    r"\s*(?:/|per|a|for\s+each|for\s+every|each)\s*(?:(?:common|ordinary|preferred|such|class|[a-z])\s+){0,2}"
    r"(?:share|ads|unit of stock|warrant)\b"
)
_RATIO = re.compile(
    r"(?:\s+to\s+|\s?:\s?|-to-|-for-)(\d+(?:\.\d+)?)(?![\d:/%]|\.\d)(?!\s?(?:percent|day|%|million|billion))"
)


def raw_tokens(text: str, low: str) -> Iterator[Token]:
    """Yield the digit and word numbers of a text in reading order, with their direct context."""
    digits = _digit_tokens(text, low)
    words = _word_tokens(text, low)
    left, right = next(digits, None), next(words, None)
    while left or right:
        if right is None or (left is not None and left.start <= right.start):
            assert left is not None
            yield left
            left = next(digits, None)
        else:
            yield right
            right = next(words, None)


def _digit_tokens(text: str, low: str) -> Iterator[Token]:
    last: Token | None = None
    for match in numerals(low):
        token = numeral_token(match)
        if token is None:
            continue
        if not _continues(low, last, token):
            _look_left(low, token)
        last = token
        if not token.refused:
            _look_right(text, low, token)
        yield token


def _word_tokens(text: str, low: str) -> Iterator[Token]:
    for number in heapq.merge(word_numbers(low), foreign_numbers(low), key=lambda n: n.start):
        token = Token(number.start, number.end, number.start, number.end, number.value, word=True)
        token.fraction, token.scaled = number.fraction, number.scale
        _currency_before(low, token)
        _look_right(text, low, token)
        if number.bare_one and token.kind == "count":
            token.kind = None
        yield token


def _continues(low: str, last: Token | None, token: Token) -> bool:
    """Read the second end of "€3-5m" as money: only then may it carry a short scale of its own."""
    if last is None or not last.currency or last.kind != "money" or token.core_start - last.end > _DASH_REACH:
        return False
    if low[last.end : token.core_start].strip() not in {"-", "–", "—", "to"}:
        return False
    token.kind, token.unit, token.currency, token.inherited = "money", last.unit, True, True
    return True


def _currency_before(low: str, token: Token) -> bool:
    """Take in a currency that is spelled out, or a code before words: "US Dollars 750,000", "EUR five million"."""
    begin = token.core_start
    if token.value < _LEAST_NAMED and not _SCALE.match(low, token.core_end):
        return False
    match = _NAME_BEFORE.search(low, max(0, begin - _NAME_REACH), begin) if low[max(0, begin - 1)].isspace() else None
    if match:
        unit = next((code for name, code in CURRENCY_NAMES.items() if name in match["name"]), "")
    else:
        match = _CODE.search(low, max(0, begin - _CODE_REACH), begin) if token.word else None
        unit = CURRENCY_MARKS[match[1]] if match else ""
    if not match or not unit:
        return False
    token.kind, token.unit, token.currency, token.start = "money", unit, True, match.start()
    return True


def _look_left(low: str, token: Token) -> None:
    """Take in a sign, an opening bracket and a currency mark; refuse digits glued to letters."""
    at = token.core_start
    before = low[at - 1] if at else " "
    if before in "-−" and (at < 2 or low[at - 2] in " \t\n\u00a0(|$€£¥₹"):
        token.negative = True
        at -= 1
    elif before == "(":
        token.opened = True
        at -= 1
    q = at
    while q > 0 and at - q < 2 and low[q - 1] in " \u00a0\n":
        q -= 1
    if q and low[q - 1] in MARK_ENDINGS:
        mark = _MARK.search(low, max(0, q - _MARK_REACH), q)
        if mark and not (token.opened and mark[0][-1] not in "$€£¥₹" and low[at] == "("):
            _take_mark(low, token, mark)
            return
    if (token.grouped or _SCALE.match(low, token.core_end)) and _currency_before(low, token):
        return
    glued = at == token.core_start and ((before.isalnum() and before < _CJK) or before in "_/@:#.⁄")
    if glued or (not token.negative and before in "-–" and at >= 2 and low[at - 2].isalpha()):
        token.refused = True
    elif token.negative:
        token.start = at


def _take_mark(low: str, token: Token, mark: re.Match[str]) -> None:
    if mark[0] in CURRENCY_MARKS:
        token.unit = CURRENCY_MARKS[mark[0]]
    else:  # "TEUR 5.400"
        token.unit, size = SCALED_MARKS[mark[0]]
        token.value, token.scaled = token.value * size, token.scaled * size
    token.kind = "money"
    token.currency = True
    token.start = mark.start()
    code = _CODE.search(low, max(0, token.start - _CODE_REACH), token.start) if mark[0] in _SYMBOLS else None
    if code and (
        mark[0] in "$¥" or CURRENCY_MARKS[code[1]] == token.unit
    ):  # "CAD $5,000", "GBP£45,000": the code says whose dollars
        token.unit, token.start = CURRENCY_MARKS[code[1]], code.start()
    if token.opened:  # $(1,234)
        token.negative = True
        return
    before = low[token.start - 1] if token.start else " "
    if before == "(":
        token.opened = True
    elif before in "-−" and (token.start < 2 or low[token.start - 2] in " \t\n(|"):
        token.negative = True
        token.start -= 1


def _look_right(text: str, low: str, token: Token) -> None:
    """Take in scale and unit, through a closing bracket where one was opened before the number."""
    _decimal_comma(low, token)
    token.end = _take_scale(low, token, token.end)
    token.end = _take_unit(text, low, token, token.end)
    bracketed = token.opened or (token.word and token.core_start > 0 and low[token.core_start - 1] == "(")
    if bracketed and low.startswith(")", token.end):
        token.closed = True
        token.inner_end = token.end
        after = token.end + 1
        scaled = _take_scale(low, token, after, late=True)
        end = _take_unit(text, low, token, scaled)
        if end > after:
            token.end = end
        elif token.negative or (token.opened and not token.currency and token.grouped):
            token.end = after
    nxt = low[token.end] if token.end < len(low) else " "
    if token.kind is None and not token.fraction and nxt.isalpha() and token.end == token.core_end:
        token.refused = True


def _decimal_comma(low: str, token: Token) -> None:
    """Read "1,2 Mio.", "3,5 %" and "€ 3,50": a comma before one or two final digits next to a unit."""
    if token.word or token.grouped or token.decimal:
        if token.currency and token.decimal and token.unit in {"EUR", "CHF", "BRL", "DKK"}:
            digits = low[token.core_start : token.core_end]
            if re.fullmatch(r"\d{1,3}\.\d{3}", digits):  # € 1.200
                token.value, token.grouped = Decimal(digits.replace(".", "")) * token.scaled, True
        return
    european = token.unit in {"EUR", "CHF", "BRL", "DKK", "SEK", "NOK", "PLN", "ZAR"}
    spaced = _SPACED.match(low, token.core_end) if european and token.core_end - token.core_start <= _GROUP else None
    if spaced:  # "€10 000,50"
        digits = low[token.core_start : spaced.end()].replace(" ", "").replace(",", ".")
        token.value, token.core_end, token.end = Decimal(digits) * token.scaled, spaced.end(), spaced.end()
        return
    match = _COMMA.match(low, token.core_end)
    if match is None:
        return
    end = match.end()
    if european or _AFTER_COMMA.match(low, end):
        token.value += token.scaled * Decimal(match[1]) / (10 ** len(match[1]))
        token.core_end = token.end = end
        token.decimal = True


def _take_scale(low: str, token: Token, at: int, late: bool = False) -> int:
    for _ in range(2):
        match = _SCALE.match(low, at)
        if match is None:
            break
        word = match[1] or match[2] or match[3]
        if match[3] and not token.currency and not _UNIT.match(low, match.end()):
            break
        if match[3] and not token.currency:
            unit = _UNIT.match(low, match.end())
            if unit is None or unit.lastgroup not in {"mark", "name"}:
                break
        scale = SCALES.get(word) or SCALES[word.rstrip("s")]
        token.value *= scale
        token.scaled *= scale
        if late:
            token.late_scale *= scale
        at = match.end() - (1 if low[match.end() - 1] == "." and match[1] not in {"mio", "mrd", "tsd"} else 0)
    return at


def _take_unit(text: str, low: str, token: Token, at: int) -> int:
    if token.currency and token.kind == "money":
        match = _PER_SHARE.match(low, at)
        if match:
            token.kind = "per_share"
            return match.end()
        iso = re.compile(r"\s+(?:u\.s\.\s+dollars|usd)\b").match(low, at)
        return iso.end() if iso else at
    more = _OR_MORE.match(low, at) if low.startswith(" or ", at) else None
    if more is not None and token.kind is None:  # "eight (8) or more separate occasions"
        end = _take_unit(text, low, token, more.end())
        return end if token.kind is not None else at
    dashes = _DASHES.match(low, at)
    match = _UNIT.match(low, dashes.end() if dashes else at)
    if (
        match is not None
        and match["pence"]
        and (text[match.start()] == "P" or _NAMED_BEFORE.search(low, max(0, token.start - _SUBJECT_REACH), token.start))
    ):
        return at  # "Schedule 5P"
    if match is None or crosses_lines(low, *match.span()):
        return at if token.kind else take_noun(text, low, token, at)
    return _apply_unit(low, token, match, at)


def _weighs(low: str, at: int) -> bool:
    """Return whether "pounds" that end at an offset are a weight: of a thing, or priced per pound."""
    if _WEIGHT.match(low, at):
        return True
    around = low[max(0, at - _NEAR_PRICE) : at + _NEAR_PRICE]
    return "per pound" in around and "£" not in around and "sterling" not in around


def _apply_unit(low: str, token: Token, match: re.Match[str], at: int) -> int:
    kind = match.lastgroup if match.lastgroup != "unit" else "time"
    if match["time"]:
        kind = "time"
    if token.kind is not None:
        return match.end() if kind == token.kind else at
    if kind == "name" and match[0].strip() in {"pound", "pounds"} and _weighs(low, match.end()):
        token.kind = token.unit = "count"
        return match.end()
    if kind in {"mark", "name", "cents", "pence", "scaled", "franc"}:
        token.currency = True
        token.kind = "money"
        words = " ".join(match[0].split()).removeprefix("of ").removeprefix("d'").removeprefix("d’").removeprefix("de ")
        if kind == "mark":
            token.unit = _NATIVE.get(words) or CURRENCY_MARKS[words]
        elif kind == "scaled":
            token.unit, size = SCALED_MARKS[words]
            token.value, token.scaled = token.value * size, token.scaled * size
        elif kind == "franc":
            token.unit = "CHF"
        elif kind == "pence":
            token.unit, token.value = "GBP", token.value / 100
        elif kind == "cents":
            token.unit, token.value = "USD", token.value / 100
        else:
            token.unit = next(code for name, code in CURRENCY_NAMES.items() if name in words)
        per = _PER_SHARE.match(low, match.end())
        if per:
            token.kind = "per_share"
            return per.end()
    elif kind == "time":
        token.kind, token.unit = "duration", _time_unit(match["unit"])
    elif kind == "area":
        token.kind = token.unit = "count"
    elif kind == "shares" and token.fraction and 0 < token.value < 1:
        return at  # "two-thirds of the outstanding shares" is a part of them, no number of shares
    elif kind == "shares":
        token.kind = token.unit = "shares"
    elif kind == "percent":
        token.kind = token.unit = "percent"
    elif kind == "bps":
        token.kind = token.unit = "bps"
    else:
        token.kind = token.unit = "multiple"
    end = match.end()
    return end - 1 if low[end - 1] == "." else end


def _time_unit(word: str) -> str:
    word = word.rstrip(".").rstrip("s")
    for prefix in ("werk", "arbeits", "kalender", "bankarbeits", "geschäfts"):
        word = word.removeprefix(prefix)
    return TIME_NAMES.get(word, word)


def ratio_after(low: str, token: Token) -> re.Match[str] | None:
    """Return the second half of "3.50 to 1.00" or "3.5:1" that follows a bare number."""
    return _RATIO.match(low, token.core_end)
