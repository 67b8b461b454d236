"""Whether words carry what a lawyer's answer says: a date, a figure, a name, a polarity, or the gist of some words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import fold
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.tokens import terms
from tasks.legaltext.windows.scan import scan_windows

GIST = 0.5  # share of the content words that conveys a text; the writers of the gold were told so
SAME = 0.8  # share from which words say the very thing that must not be said
_POLARITY = re.compile(r"^\W*(yes|no)\b", re.I)
_NEGATION = re.compile(r"\b(?:no|not|never|neither|nor|none|nothing|without|cannot|n't)\b", re.I)
_DAYS = MappingProxyType({"day": 1, "week": 7, "month": 30, "year": 360, "quarter": 90})


def carries(text: str, alternative: str, *, least: float = GIST) -> bool:
    """Tell whether a text carries an alternative ``kind: words``.

    Args:
        text: What is said.
        alternative: One of the gold, e.g. ``money: $4,500`` or ``no: consent is not required``.
        least: Share of the content words that conveys a text.

    Raises:
        KeyError: The alternative is of no known kind.
    """
    kind, _, words = alternative.partition(":")
    if kind in ("yes", "no"):
        return _polarity(text, kind, words.strip(), least)
    if kind == "text":
        return _gist(text, words, least)
    return _TYPED[kind](text, words.strip())


def _polarity(text: str, wanted: str, words: str, least: float) -> bool:
    said = _POLARITY.match(text)
    if said:
        return said[1].lower() == wanted
    same = bool(_NEGATION.search(text)) == bool(_NEGATION.search(words or ("not" if wanted == "no" else "")))
    return bool(words) and same and _gist(text, words, least)


def _gist(text: str, words: str, least: float) -> bool:
    wanted, said = set(terms(words)), set(terms(text))
    figures = {f.value for f in scan_numbers(words)}
    if figures - {f.value for f in scan_numbers(text)}:
        return False
    return bool(wanted) and len(wanted & said) >= least * len(wanted)


def _date(text: str, words: str) -> bool:
    return words in {d.iso for d in scan_dates(text)}


def _figure(text: str, words: str) -> bool:
    wanted = {f.value for f in scan_numbers(words)} or {Decimal(n) for n in re.findall(r"\d+(?:\.\d+)?", words)}
    said = {f.value for f in scan_numbers(text)} | {
        Decimal(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text) if n.strip(",")
    }
    return bool(wanted) and wanted <= said


def _period(text: str, words: str) -> bool:
    wanted = {w.n * _DAYS.get(w.unit, 1) for w in scan_windows(words)}
    said = {w.n * _DAYS.get(w.unit, 1) for w in scan_windows(text)}
    return bool(wanted & said) if wanted else _figure(text, words)


def _name(text: str, words: str) -> bool:
    return fold(words) in fold(text)


_TYPED: Mapping[str, Callable[[str, str], bool]] = MappingProxyType(
    {
        "date": _date,
        "money": _figure,
        "percent": _figure,
        "number": _figure,
        "period": _period,
        "name": _name,
    }
)
