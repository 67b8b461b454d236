"""The dates and windows of the sources, indexed for matching, and their words, indexed to find repeated passages."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.records import DateMention, Window
from tasks.legaltext.windows.scan import scan_windows
from tasks.sources.records import CanonicalText, DocumentState, MatterState, Span

_WORD: Final = re.compile(r"[^\W_]+")
BRIEF: Final = "instructions"
Mention = DateMention | Window


class Sourced(NamedTuple):
    """A date or window of a source."""

    document: str
    mention: Mention

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(document=self.document, start=self.mention.start, end=self.mention.end)


class WordRuns:
    """The words of a text in order, lower-case, with their offsets; finds a run of words again."""

    def __init__(self, text: str) -> None:
        matches = list(_WORD.finditer(text))
        self.words: list[str] = [m[0].casefold() for m in matches]
        self.starts: list[int] = [m.start() for m in matches]
        self.ends: list[int] = [m.end() for m in matches]
        self._joined = " " + " ".join(self.words) + " "
        offsets, at = [], 1
        for word in self.words:
            offsets.append(at)
            at += len(word) + 1
        self._offsets = offsets

    def index_at(self, offset: int) -> int:
        """Return the index of the first word that starts at or after ``offset``."""
        return bisect.bisect_left(self.starts, offset)

    def find(self, run: Sequence[str], limit: int = 40) -> Iterator[int]:
        """Yield the indices at which the run of words starts."""
        needle = " " + " ".join(run) + " "
        at = self._joined.find(needle)
        while at >= 0 and limit:
            yield bisect.bisect_left(self._offsets, at + 1)
            at, limit = self._joined.find(needle, at + 1), limit - 1


class Sources:
    """All dates and windows of a matter's sources."""

    def __init__(self, texts: Mapping[str, CanonicalText], state: MatterState, brief: str) -> None:
        self.texts: dict[str, str] = {name: text.text for name, text in texts.items()}
        if brief:
            self.texts[BRIEF] = brief
        self._state: dict[str, DocumentState] = {entry.document: entry for entry in state.documents}
        self._words: dict[str, WordRuns] = {}
        self.dates: dict[str, list[DateMention]] = {}
        self.windows: dict[str, list[Window]] = {}
        for name, text in self.texts.items():
            known = self._state.get(name)
            # The inventory has scanned already; a text it does not know (the brief) is scanned here.
            self.dates[name] = list(known.dates) if known and known.dates else scan_dates(text)
            self.windows[name] = list(known.windows) if known and known.windows else scan_windows(text)

    def words(self, document: str) -> WordRuns:
        """Return the indexed words of a document."""
        if document not in self._words:
            self._words[document] = WordRuns(self.texts[document])
        return self._words[document]

    @cached_property
    def by_iso(self) -> Mapping[str, list[Sourced]]:
        """Every way a source date may be stated at its own or a coarser precision."""
        table: dict[str, list[Sourced]] = defaultdict(list)
        for name, mentions in self.dates.items():
            for mention in mentions:
                for form in coarser(mention):
                    table[form].append(Sourced(name, mention))
        return table

    def stating(self, iso: str) -> list[Sourced]:
        """Return the mentions of this day: in full, or as day and month in a document (or brief) of that year."""
        whole = self.by_iso.get(iso, [])
        bare = self.by_iso.get(f"--{iso[5:]}", []) if not whole and len(iso) == len("2026-03-20") else []
        return whole or [
            hit
            for hit in bare
            if isinstance(hit.mention, DateMention)
            and hit.mention.iso.startswith("--")
            and iso[:4] in self._years[hit.document] | self._years.get(BRIEF, set())
        ]

    @cached_property
    def _years(self) -> Mapping[str, set[str]]:
        return {name: {m.iso[:4] for m in mentions} for name, mentions in self.dates.items()}

    @cached_property
    def by_other_reading(self) -> Mapping[str, list[Sourced]]:
        """Ambiguous numeric dates (day first or month first), indexed by the reading that was not chosen."""
        table: dict[str, list[Sourced]] = defaultdict(list)
        for name, mentions in self.dates.items():
            for mention in mentions:
                if mention.also:
                    table[mention.also].append(Sourced(name, mention))
        return table

    @cached_property
    def by_length(self) -> Mapping[tuple[int, str], list[Sourced]]:
        """Windows by length in days, months or hours."""
        table: dict[tuple[int, str], list[Sourced]] = defaultdict(list)
        for name, windows in self.windows.items():
            for window in windows:
                table[length(window)].append(Sourced(name, window))
        return table

    def nearby(self, document: str, word: int, reach: int, *, dates: bool) -> list[Mention]:
        """Return the mentions that start within ``reach`` words from the ``word``-th word."""
        words = self.words(document)
        if word >= len(words.starts):
            return []
        low = words.ends[word - 1] if word else 0
        high = words.starts[min(word + reach, len(words.starts) - 1)]
        mentions: Sequence[Mention] = self.dates[document] if dates else self.windows[document]
        first = bisect.bisect_left(mentions, low, key=lambda m: m.start)
        found = []
        for mention in mentions[first:]:
            if mention.start > high:
                break
            found.append(mention)
        return found


def coarser(mention: DateMention) -> Iterator[str]:
    """Yield the ISO forms that a date supports: 2024-03-03 supports 2024-03, 2024 and --03-03."""
    iso = mention.iso
    yield iso
    if mention.precision == "day":
        yield iso[:7]
        yield iso[:4]
        yield f"--{iso[5:]}"
        quarter_end = {"03-31": 1, "06-30": 2, "09-30": 3, "12-31": 4}.get(iso[5:])
        if quarter_end:
            yield f"{iso[:4]}-Q{quarter_end}"
        if iso[8:] in {"28", "29", "30", "31"}:
            yield f"FY{iso[:4]}"  # "fiscal year ended June 30, 2023"
    elif mention.precision in {"month", "quarter"}:
        yield iso[:4]


def length(window: Window) -> tuple[int, str]:
    """Return a window's length in its base unit: days, months or hours."""
    if window.unit in {"year", "quarter", "month"}:
        return window.n * {"year": 12, "quarter": 3, "month": 1}[window.unit], "month"
    if window.unit == "week":
        return window.n * 7, "day"
    return window.n, window.unit
