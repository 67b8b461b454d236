"""What documents and days are called in a work product."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.legaltext import months

_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_MONTH_FIRST = re.compile(rf"\b{months.TITLED} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b")
_DAY_FIRST = re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th)? {months.TITLED},? \d{{4}}\b")


def names_of(readings: Iterable[SentencedDocument]) -> Mapping[str, str]:
    """Return what each document is called: an agreement by its title, another paper by its file name.

    Agreements of one title are told apart by a party that the others lack, else by their file names.
    """
    known = list(readings)
    titles = {r.document: r.identity.short if r.identity.agreement else r.document for r in known}
    shared = {t for t, n in Counter(t.lower() for t in titles.values()).items() if n > 1}
    made = {r.document: _apart(r, known) if titles[r.document].lower() in shared else titles[r.document] for r in known}
    twice = {t for t, n in Counter(made.values()).items() if n > 1}
    return {document: document if name in twice else name for document, name in made.items()}


def _apart(reading: SentencedDocument, known: Sequence[SentencedDocument]) -> str:
    title = reading.identity.short
    others = {p.lower() for r in known if r is not reading and r.identity.short == title for p in r.identity.parties}
    own = next((p for p in reading.identity.parties if p.lower() not in others), "")
    return f"{title} ({own})" if own else reading.document


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as a sentence lists them: "A, B and C"."""
    return ", ".join(names[:-1]) + (f" {last} " if names[1:] else "") + names[-1] if names else ""


class DaysWritten:
    """Writes days as the papers write them: "March 31, 2024", "31 March 2024", or in figures where they do so."""

    def __init__(self, texts: Iterable[str], files: Iterable[str] = ()) -> None:
        """Count how the papers write their days; the names of files keep the days that stand in them."""
        found = list(texts)
        dated = sorted((f for f in files if _ISO.search(f)), key=len, reverse=True)
        self._days = re.compile("|".join([*map(re.escape, dated), _ISO.pattern]))
        self._first = sum(len(_MONTH_FIRST.findall(t)) for t in found)
        self._second = sum(len(_DAY_FIRST.findall(t)) for t in found)

    def prose(self, text: str) -> str:
        """Return a sentence with its days in words."""
        return self._days.sub(lambda m: self._written(m[0]), text) if self._first or self._second else text

    def _written(self, iso: str) -> str:
        try:
            day = date.fromisoformat(iso)
        except ValueError:
            return iso
        month = months.NAMES[day.month - 1].title()
        return f"{month} {day.day}, {day.year}" if self._first >= self._second else f"{day.day} {month} {day.year}"
