"""The docket sheet as a table of dated entries, under a head that names the court, the judges and the parties."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.drafting.extraction.scanning.rows import LEAST, dated_rows, day_of

_CUT = re.compile(r"\((?:attachments?|entered|related|filing fee|docket)\b.*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """One entry.

    Attributes:
        date: ISO date.
        kind: ruling, filing, support, appeal or mandate; empty where nothing tells.
        text: What it says on one line, without attachments and clerk's marks.
        start, end: Where it stands in its document.
    """

    paper: Paper
    date: str
    kind: str
    text: str
    start: int
    end: int

    @property
    def whole(self) -> str:
        """All that it says."""
        return " ".join(self.paper.text[self.start : self.end].split())


@dataclass(frozen=True)
class Docket:
    """The entries of a case, and the papers whose heads tell of its court, judges and parties.

    Attributes:
        heads: Documents with where their entries begin; empty where there is no docket sheet.
    """

    entries: tuple[Entry, ...]
    heads: tuple[tuple[Paper, int], ...] = ()


def docket_of(bundle: Bundle, cues: Cues) -> Docket:
    """Read the docket sheets of a case; without one, each of its papers stands for an entry."""
    found: list[Entry] = []
    heads = []
    for paper in bundle.own("docket"):
        entries = _entries(paper, cues)
        heads.append((paper, entries[0].start if entries else len(paper.text)))
        found += entries
    found = found or [_standing_for(p, cues) for p in bundle.own() if p.filed and p.title]
    return Docket(tuple(sorted(found, key=lambda e: e.date)), tuple(heads))


def _entries(paper: Paper, cues: Cues) -> list[Entry]:
    rows = dated_rows(paper.text)
    if len(rows) < LEAST:
        return []
    ends = [*(match.start() for match in rows[1:]), len(paper.text)]
    made = (_entry(paper, match, end, cues) for match, end in zip(rows, ends, strict=True))
    return [entry for entry in made if entry is not None]


def _entry(paper: Paper, match: re.Match[str], end: int, cues: Cues) -> Entry | None:
    day = day_of(match)
    words = _CUT.sub("", " ".join(paper.text[match.end() : end].replace("|", " ").split()))
    return Entry(paper, day, kind_of(words, cues), words, match.start(), end) if day and words else None


def _standing_for(paper: Paper, cues: Cues) -> Entry:
    start = max(paper.text.find(paper.title), 0)
    return Entry(paper, paper.filed, kind_of(paper.title, cues), paper.title, start, start + len(paper.title))


def kind_of(words: str, cues: Cues) -> str:
    """Return what an entry records: what its first words say."""
    hit = cues.first("entry", words[:160])
    return hit.name if hit else ""
