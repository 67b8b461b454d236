"""Which stretches of a text no value of its checklist covers: matching in two stages (GAVEL, section 2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tasks.legaltext.checklists.records import Value
from tasks.legaltext.stretches import Stretch, joined

_WORD = re.compile(r"[^\W_]+")


def covered(text: str, values: Iterable[Value], document: str = "") -> list[Stretch]:
    """Return the covered stretches, merged, in order.

    First the words of a value are looked for where its evidence stands. Where they stand there as they are, they alone
    are covered: the sentence that gives a filing date also says who sued. Only where they do not, the whole evidence
    is. A value without evidence covers its words wherever they stand.

    >>> from tasks.legaltext.checklists.records import Evidence
    >>> text = "On 2 May 2022 Ann sued Bob. The court dismissed it."
    >>> first, second = (Evidence(document="", start=s, end=e, text=text[s:e]) for s, e in ((0, 27), (28, 51)))
    >>> [text[s:e] for s, e in covered(text, [Value(text="2 May 2022", evidence=(first,))])]
    ['2 May 2022']
    >>> [text[s:e] for s, e in covered(text, [Value(text="Dismissed in full", evidence=(second,))])]
    ['The court dismissed it.']

    Args:
        text: The text.
        values: Values with their evidence in it.
        document: Its name; evidence of other documents covers nothing.
    """
    found: list[Stretch] = []
    for value in values:
        places = [(e.start, min(e.end, len(text))) for e in value.evidence if e.document == document] or (
            [] if value.evidence else [(0, len(text))]
        )
        words = [hit for place in places for hit in _verbatim(text, value.text, place)]
        found += words or (places if value.evidence else [])
    return joined(found)


def uncovered(text: str, taken: Iterable[Stretch]) -> list[Stretch]:
    """Return the stretches between, without the spaces and marks around them; stretches without a word are left out.

    >>> uncovered("On 2 May 2022, Ann sued.", [(3, 13)])
    [(0, 2), (15, 23)]
    """
    spans, at = [], 0
    for start, end in (*joined(taken), (len(text), len(text))):
        words = [hit.span() for hit in _WORD.finditer(text, at, max(at, start))]
        if words:
            spans.append((words[0][0], words[-1][1]))
        at = max(at, end)
    return spans


def residual_ratio(text: str, spans: Iterable[Stretch]) -> float:
    """Return the length of the residual stretches by that of the text (r of equation 2); 0 for an empty text.

    Of 24 signs, 2 and 8 are left: 10 / 24 = 0.4167.

    >>> round(residual_ratio("On 2 May 2022, Ann sued.", [(0, 2), (15, 23)]), 4)
    0.4167
    """
    length = len(text.strip())
    return min(1.0, sum(end - start for start, end in spans) / length) if length else 0.0


def _verbatim(text: str, value: str, place: Stretch) -> Iterator[Stretch]:
    pattern = _pattern(value)
    return (hit.span() for hit in pattern.finditer(text, *place)) if pattern else iter(())


@lru_cache(maxsize=4_096)
def _pattern(value: str) -> re.Pattern[str] | None:
    words = [re.escape(word) for word in _WORD.findall(value)]
    return re.compile(r"(?<!\w)" + r"[\W_]+".join(words) + r"(?!\w)", re.IGNORECASE) if words else None
