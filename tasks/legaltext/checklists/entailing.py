"""Whether the words that a value rests on say its days and sums: a right quotation does not make a value right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import DateMention, Figure
from tasks.legaltext.tokens import terms

_DATED: Final = ("day", "month")
_SHARE: Final = ("percent", "bps")
_ISO_CURRENCY: Final = 3  # letters
_HEAD: Final = 40  # characters of a line in which its day stands, if it begins with one
_ROOT: Final = 5  # letters that "declaratory" and "declaration" share


def unsaid(value: str, quotations: Sequence[str], documents: Sequence[str]) -> str:
    """Return the first day, month, sum or percentage of a value that its quotations do not say; empty if there is none.

    A year may stand elsewhere in the documents ("filed on June 3"), as may what is counted ("two plaintiffs").

    Args:
        value: What was recorded.
        quotations: The words that it rests on.
        documents: Whole texts of the documents that the words stand in.
    """
    words = "\n".join(quotations)
    whole = {mention.iso for mention in scan_dates(words)}
    said = {_day(mention) for mention in scan_dates(words)}
    months = {day[:2] for day in said}
    for mention in scan_dates(value):
        if mention.precision not in _DATED:
            continue
        day, year = _day(mention), mention.iso[:4].strip("-")
        held = day in said if mention.precision == "day" else day[:2] in months
        dated = mention.iso in whole or any(year in text for text in (words, *documents))
        if not held or not dated:
            return mention.text
    sums = {(figure.value, figure.unit) for figure in scan_numbers(words)}
    return next((f.text for f in scan_numbers(value) if _counts(f) and (f.value, f.unit) not in sums), "")


def unrelated(value: str, quotations: Sequence[str], about: str) -> bool:
    """Tell whether no word of a value stands in its quotations, but for the words by which it was asked for.

    >>> unrelated("Judge Ann Roe", ["The motion is denied."], "Who is the judge?")
    True
    >>> unrelated("Class action", ["on behalf of all others similarly situated"], "Class action or individual?")
    False

    Args:
        value: What was recorded.
        quotations: The words that it rests on.
        about: What was asked.
    """
    own = _roots(value) - _roots(about)
    return bool(own) and own.isdisjoint(root for words in quotations for root in _roots(words))


def head_day(text: str, at: int) -> str:
    """Return the day that the line of a place begins with, as in the rows of a docket; empty where there is none.

    >>> head_day("07/21/2023  33  ORDER: the motion is DENIED", 24)
    '07/21/2023'
    """
    start = text.rfind("\n", 0, at) + 1
    line = text[start : start + _HEAD].lstrip()
    return next((m.text for m in scan_dates(line.partition("\n")[0]) if m.start == 0), "")


def _roots(text: str) -> set[str]:
    return {term[:_ROOT] for term in terms(text)}


def _day(mention: DateMention) -> str:
    """Return the month and the day, ``06-03``, without the year."""
    return mention.iso[5:] if not mention.iso.startswith("--") else mention.iso[2:]


def _counts(figure: Figure) -> bool:
    return figure.unit in _SHARE or (len(figure.unit) == _ISO_CURRENCY and figure.unit.isupper())
