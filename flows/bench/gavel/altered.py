"""Copies of a filled checklist that are altered in one way, with the score that they must get.

The score is known from the alteration alone: A items apply, all but one score 1, and the altered one scores what
equation 1 gives. Nothing here asks how values are compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from tasks.legaltext.checklists.entering import Intake, Texts
from tasks.legaltext.checklists.records import Entry, Filled, Value
from tasks.legaltext.dates.scan import scan_dates

_INVENTED: Final = "An invented order of the Court of Nowhere of 31 January 1901"


@dataclass(frozen=True)
class Altered:
    """A copy, and its S_checklist."""

    filled: Filled
    expected: float


def _applicable(filled: Filled) -> dict[str, tuple[Value, ...]]:
    return {item: entry.values for item, entry in filled.entries.items() if entry.values}


def _with(filled: Filled, item: str, values: tuple[Value, ...]) -> Filled:
    return filled.model_copy(update={"entries": {**filled.entries, item: Entry(values=values)}})


def left_out(filled: Filled) -> Altered:
    """Leave out the filing date: 100 · (A - 1) / A."""
    n = len(_applicable(filled))
    return Altered(_with(filled, "filing_date", ()), 100 * (n - 1) / n)


def another_date(filled: Filled) -> Altered:
    """Move the filing date by a year: a single value that is different scores 0, so 100 · (A - 1) / A."""
    n = len(_applicable(filled))
    (value,) = filled.of("filing_date").values
    year = scan_dates(value.text)[0].iso[:4]
    moved = value.text.replace(year, str(int(year) + 1))
    return Altered(_with(filled, "filing_date", (Value(text=moved),)), 100 * (n - 1) / n)


def false_value(filled: Filled) -> Altered:
    """Add an invented value to the longest list, of k values: its F1 is 2k / (2k + 1)."""
    values = _applicable(filled)
    item = max(values, key=lambda i: len(values[i]))
    n, k = len(values), len(values[item])
    added = (*values[item], Value(text=_INVENTED))
    return Altered(_with(filled, item, added), 100 * (n - 1 + 2 * k / (2 * k + 1)) / n)


def false_item(filled: Filled) -> Altered:
    """Give a value to an item that does not apply: one item more applies, and scores 0, so 100 · A / (A + 1)."""
    values = _applicable(filled)
    item = next(i for i in filled.entries if i not in values)
    return Altered(_with(filled, item, (Value(text=_INVENTED),)), 100 * len(values) / (len(values) + 1))


def lost_value(filled: Filled) -> Altered:
    """Leave out one value of the longest list, of k values: its F1 is 2(k - 1) / (2k - 1)."""
    values = _applicable(filled)
    item = max(values, key=lambda i: len(values[i]))
    n, k = len(values), len(values[item])
    return Altered(_with(filled, item, values[item][1:]), 100 * (n - 1 + 2 * (k - 1) / (2 * k - 1)) / n)


def reordered(filled: Filled) -> Altered:
    """Shuffle items and values: a checklist has no order, so 100."""
    shuffle = random.Random(0)
    items = list(filled.entries)
    shuffle.shuffle(items)
    entries = {i: Entry(values=tuple(shuffle.sample(v := filled.of(i).values, len(v)))) for i in items}
    return Altered(filled.model_copy(update={"entries": entries}), 100.0)


def repeated(filled: Filled) -> Altered:
    """Give every value twice, as it would enter: a checklist holds a value once, so 100."""
    intake = Intake(Texts({}), evidenced=False)
    entries = {
        item: intake.entry((value.text, ()) for value in (*entry.values, *entry.values))
        for item, entry in filled.entries.items()
    }
    return Altered(filled.model_copy(update={"entries": entries}), 100.0)


def rewritten_dates(filled: Filled) -> Altered:
    """Write every full date as 28 February 2023, and end every value with a full stop: nothing else is said, so 100."""
    entries = {
        item: Entry(values=tuple(Value(text=rewritten(v.text)) for v in entry.values))
        for item, entry in filled.entries.items()
    }
    return Altered(filled.model_copy(update={"entries": entries}), 100.0)


def rewritten(words: str) -> str:
    """Return words with each full date in another form, and a full stop at their end."""
    for found in reversed(scan_dates(words)):
        alone = not words[: found.start] or words[found.start - 1] in " ("  # not "pre-2 May 2022"
        if alone and found.precision == "day" and found.iso[:4] in found.text:
            day = date.fromisoformat(found.iso)
            words = f"{words[: found.start]}{day.day} {day:%B %Y}{words[found.end :]}"
    return words.rstrip(".") + "."


ALTERATIONS: Final[Mapping[str, Callable[[Filled], Altered]]] = MappingProxyType(
    {
        "item left out": left_out,
        "another date": another_date,
        "value left out": lost_value,
        "false value": false_value,
        "false item": false_item,
        "repeated": repeated,
        "reordered": reordered,
        "rewritten": rewritten_dates,
    }
)
