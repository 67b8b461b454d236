"""The docket sheet as a table of dated entries, under a head that names the court, the judges and the parties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.drafting.extraction.scanning.rows import LEAST, dated_rows, day_of
from tasks.legaltext.sentences import sentences

_CUT = re.compile(
    r"\((?:attachments?|entered|related|filing fee|docket)\b(?:[^()]|\([^()]*\))*(?:\)|$)", re.IGNORECASE | re.DOTALL
)
_COURT_OF_APPEALS = re.compile(r"\bcourts? of appeals?\b", re.IGNORECASE)
_ORDERS = re.compile(
    r"\b(?:hereby|it is|ordered|adjudged|decreed|we, the jury|jury\b.{0,60}\bfinds?|verdict|judgment is|"
    r"is (?:entered|approved)|court (?:\w+ )?(?:grants|denies|approves|enters|orders|rules))\b"
    r"|\b(?:GRANTED|DENIED|AFFIRMED|REVERSED|VACATED)\b",
)
_DISPOSES = re.compile(r"\b(?:is|are|be|hereby|it|court|must|should|therefore)\b[^.]{0,60}$", re.IGNORECASE)
_HEAD = 600  # characters of a paper that name its court
_BODY = 20_000  # characters of a paper that are read for what it orders, from its end
_SAID = 1_200  # characters of that which an entry holds
_BEFORE = 80  # characters before an outcome in which the verb of an order stands; chosen by eye
_STANDS: Mapping[str, str] = {"complaint": "filing", "order": "ruling", "decree": "ruling"}


@dataclass(frozen=True)
class DocketEntry:
    """One entry.

    Attributes:
        date: ISO date.
        kind: ruling, filing, support, appeal or mandate; empty where nothing tells.
        text: What it says on one line, without attachments and clerk's marks.
        start, end: Where it stands in its document.
        decided: Motions with what became of them, where a paper stands for an entry.
    """

    paper: Paper
    date: str
    kind: str
    text: str
    start: int
    end: int
    decided: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """All that it says."""
        return " ".join(self.paper.text[self.start : self.end].split())


@dataclass(frozen=True)
class Docket:
    """The entries of a case, and the papers whose heads tell of its court, judges and parties.

    Attributes:
        entries: Of its sheets.
        papers: Of its other papers: each stands for an entry, which a sheet may hold as well.
        heads: Documents with where their entries begin; empty where there is no docket sheet.
    """

    entries: tuple[DocketEntry, ...]
    papers: tuple[DocketEntry, ...] = ()
    heads: tuple[tuple[Paper, int], ...] = ()

    @property
    def all(self) -> tuple[DocketEntry, ...]:
        """The entries of the sheets, then those of the papers."""
        return (*self.entries, *self.papers)


def docket_of(bundle: Bundle, cues: Cues) -> Docket:
    """Read the docket sheets of a case; each of its other papers stands for an entry of its own."""
    found: list[DocketEntry] = []
    heads = []
    for paper in bundle.own("docket"):
        entries = _entries(paper, cues)
        heads.append((paper, entries[0].start if entries else len(paper.text)))
        found += entries
    papers = [_standing_for(p, cues) for p in bundle.own() if p.filed and p.title and p.kind != "docket"]
    in_order = [tuple(sorted(some, key=lambda e: e.date)) for some in (found, papers)]
    return Docket(in_order[0], in_order[1], tuple(heads))


def _entries(paper: Paper, cues: Cues) -> list[DocketEntry]:
    rows = dated_rows(paper.text)
    if len(rows) < LEAST:
        return []
    ends = [*(match.start() for match in rows[1:]), len(paper.text)]
    made = (_entry(paper, match, end, cues) for match, end in zip(rows, ends, strict=True))
    return [entry for entry in made if entry is not None]


def _entry(paper: Paper, match: re.Match[str], end: int, cues: Cues) -> DocketEntry | None:
    day = day_of(match)
    words = _CUT.sub("", " ".join(paper.text[match.end() : end].replace("|", " ").split()))
    return DocketEntry(paper, day, kind_of(words, cues), words, match.start(), end) if day and words else None


def _standing_for(paper: Paper, cues: Cues) -> DocketEntry:
    start = max(paper.text.find(paper.title), 0)
    end = start + len(paper.title)
    kind = _STANDS.get(paper.kind) or kind_of(paper.title, cues)
    above = _COURT_OF_APPEALS.search(paper.text[:_HEAD]) is not None
    if above and (kind == "ruling" or (kind != "appeal" and cues.first("appeal_outcome", paper.text))):
        kind = "mandate"
    low = max(end, len(paper.text) - _BODY)
    body = paper.text[low:]
    if kind not in {"ruling", "mandate", "appeal"}:
        return DocketEntry(paper, paper.filed, kind, paper.title, start, end)
    operative, last = "", end
    for one, other in sentences(body):
        if _ORDERS.search(body[one:other]) and len(operative) < _SAID:
            operative, last = f"{operative} {' '.join(body[one:other].split())}", low + other
    head = " ".join(paper.text[:_HEAD].split()) if kind == "mandate" else paper.title
    return DocketEntry(paper, paper.filed, kind, f"{head}.{operative}", start, last, tuple(_decided(paper, body, cues)))


def _decided(paper: Paper, body: str, cues: Cues) -> list[str]:
    """Return the motions that an order decides: by its title, else by each sentence that disposes of one."""
    titled = decided(paper.title, cues)
    if titled:
        return titled
    motions = [hit for hit in cues.all("motion", body) if not hit.name]
    named = [hit.says for hit in cues.all("motion", paper.title) if not hit.name]
    found: dict[str, str] = {}
    for outcome in cues.all("outcome", body):
        before = body[max(0, outcome.start - _BEFORE) : outcome.start]
        if not (body[outcome.start : outcome.end].isupper() or _DISPOSES.search(before)):
            continue
        behind = [m.says for m in motions if outcome.end <= m.start < body.find(".", outcome.end) % (len(body) + 1)]
        ahead = [m.says for m in motions if m.end <= outcome.start]
        for says in (ahead or behind or named)[-1:]:
            found[says] = outcome.says
    return [f"{says} {outcome}" for says, outcome in found.items()]


def decided(text: str, cues: Cues) -> list[str]:
    """Return each motion that the words name, with its outcome."""
    outcomes = cues.all("outcome", text)
    motions = [hit for hit in cues.all("motion", text) if not hit.name]
    if not outcomes or not motions:
        return []
    ahead = outcomes[0].start < motions[0].start
    found = []
    for motion in motions:
        if ahead:
            outcome = [o for o in outcomes if o.start < motion.start][-1]
        else:
            outcome = next((o for o in outcomes if o.start > motion.start), outcomes[-1])
        found.append(f"{motion.says} {outcome.says}")
    return list(dict.fromkeys(found))


def kind_of(words: str, cues: Cues) -> str:
    """Return what an entry records: what its first words say."""
    hit = cues.first("entry", words[:160])
    return hit.name if hit else ""
