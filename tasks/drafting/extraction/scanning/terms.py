"""What decrees and settlements bind to, how long, and whether the court enforces them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.docket import Docket
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.legaltext.checklists.records import Evidence
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.sentences import PROSE, sentences

Said = tuple[str, Evidence]
_ITEM = re.compile(
    r"^\s{0,16}(?:\d{1,3}(?:\.\d{1,2})*[.)]|\d{1,3}\.\d{1,2}|\(?[a-zA-Z]\)|[A-Z]\.|[ivx]{1,4}\.)\s+(?=\S)", re.MULTILINE
)
_BREAK = re.compile(r"\n\s*\n")
_UNTIL = re.compile(r"\buntil\s+(?P<event>[^.;,\n]{4,80})")
_ORDERED = re.compile(r"IT IS (?:HEREBY |THEREFORE |FURTHER |SO )*ORDERED|the court (?:hereby )?orders", re.IGNORECASE)
_LONGEST = 1_200


def terms_of(bundle: Bundle, cues: Cues, kind: str) -> Iterator[Said]:
    """Yield the paragraphs of decrees, or of settlements, that bind somebody; standing clauses are left out."""
    for paper in bundle.own(kind):
        ordered = _ORDERED.search(paper.text) if kind == "decree" else None
        start = ordered.start() if ordered and ordered.start() > len(paper.text) // 8 else 0
        for low, high in _items(paper, start, cues):
            words = " ".join(paper.text[low:high].split())
            if cues.first("duty", words) and not cues.first("lasts", words) and not cues.first("retains", words):
                yield words, paper.evidence(low, high)


def _items(paper: Paper, start: int, cues: Cues) -> Iterator[tuple[int, int]]:
    """Yield the numbered paragraphs that stand under no heading of standing clauses."""
    headings = [(h.start, h.name) for h in cues.all("heading", paper.text) if _alone(paper.text, h.start)]
    for match in _ITEM.finditer(paper.text, start):
        stop = _BREAK.search(paper.text, match.end())
        following = _ITEM.search(paper.text, match.end())
        high = min(m.start() for m in (stop, following) if m) if stop or following else len(paper.text)
        under = next((name for at, name in reversed(headings) if at <= match.start()), "")
        if under != "boilerplate" and 20 < high - match.end() < _LONGEST:
            yield match.end(), high


def _alone(text: str, start: int) -> bool:
    end = text.find("\n", start + 1)
    return len(text[start : end if end > 0 else len(text)].strip()) < 80


def durations_of(bundle: Bundle, cues: Cues, kind: str) -> Iterator[Said]:
    """Yield how long each decree, or each settlement, lasts; of two papers on one decree the later counts."""
    found: dict[str, Said] = {}
    for paper in bundle.own(kind):
        name = _name(paper, cues) if kind == "decree" else "Settlement agreement"
        if said := _lasts(paper, cues):
            found[name] = (f"{name}: {said[0]}", said[1])
    yield from found.values()


def _name(paper: Paper, cues: Cues) -> str:
    hit = cues.first("decree", paper.title) or cues.first("decree", paper.text)
    return hit.says if hit else "Decree"


def _lasts(paper: Paper, cues: Cues) -> Said | None:
    """Return the first period that a sentence about the end of the instrument names."""
    for hit in cues.all("lasts", paper.text):
        low, high = _sentence(paper.text, hit.start)
        words = paper.text[low:high]
        for figure in scan_numbers(words):
            if figure.kind == "duration":
                plural = "" if figure.value == 1 else "s"
                return f"{figure.value.normalize():f} {figure.unit}{plural}", paper.evidence(low, high)
        if until := _UNTIL.search(words):
            return f"until {' '.join(until['event'].split())}", paper.evidence(low, high)
    return None


def _sentence(text: str, at: int) -> tuple[int, int]:
    low = (
        max(text.rfind("\n\n", 0, at) + 2, at - 1_500, 0)
        if "\n\n" in text[max(0, at - 1_500) : at]
        else max(0, at - 1_500)
    )
    block = text[low : at + 1_500]
    return next(
        ((low + s, low + e) for s, e in sentences(block, PROSE) if s <= at - low < e), (at, min(len(text), at + 300))
    )


def enforcement_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield whether the court kept jurisdiction to enforce a settlement: the last word of its papers counts."""
    settlements = bundle.own("settlement")
    found: Said | None = None
    for paper in (
        (*settlements, *(p for p in bundle.own("order") if "settlement" in p.text[:3_000].lower()))
        if settlements
        else ()
    ):
        for hit in cues.all("retains", paper.text):
            found = (hit.says, paper.evidence(hit.start, hit.end))
    for entry in docket.entries if settlements else ():
        kept = cues.first("retains", entry.text)
        if kept is not None:
            found = (kept.says, entry.paper.evidence(entry.start, min(entry.end, entry.start + 400)))
    if found is None and settlements:
        found = ("No", settlements[-1].evidence(0, 200))
    yield from [found] if found else []


def reports_of(bundle: Bundle, cues: Cues) -> Iterator[Said]:
    """Yield what the monitor found: the sentences of the reports that speak of compliance with a figure."""
    for paper in bundle.own("monitor_report"):
        for hit in cues.all("finding", paper.text):
            low, high = _sentence(paper.text, hit.start)
            if re.search(r"\d|percent", paper.text[low:high]):
                yield " ".join(paper.text[low:high].split()), paper.evidence(low, high)
