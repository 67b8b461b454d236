"""What the operative complaint claims, asks for and alleges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.docket import Docket
from tasks.drafting.extraction.scanning.headings import headings
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.drafting.extraction.scanning.parties import Party
from tasks.legaltext.checklists.records import Evidence
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.sentences import sentences

Said = tuple[str, Evidence]
_NUMBERED = re.compile(r"^\s{0,12}(?:¶+\s*)?\d{1,3}[.)]\s+", re.MULTILINE)
_PRAYS = re.compile(
    r"\bWHEREFORE\b|\b(?:pray|ask|request|demand)s?\b[^.]{0,60}\b(?:court|judgment|relief)\b", re.IGNORECASE
)
_BREAK = re.compile(r"\n\s*\n")
_LINES_OF_A_COUNT = 3  # a heading of a count runs over number, claim and parties
_SHORTEST = 80  # characters of a prayer: a heading that less follows is another one
_CAPTION, _SHOWN = 2_500, 200  # characters of a complaint that hold its caption, and that show it; chosen by eye
_SMALL_WORD = 3  # letters up to which a word of a name ("the", "Inc") does not tell it from others


def operative(bundle: Bundle) -> Paper | None:
    """Return the complaint that counts: the last one that was filed."""
    complaints = bundle.own("complaint")
    return complaints[-1] if complaints else None


def class_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield whether a class sues, by the caption and the title of the complaint and by the docket."""
    complaint = operative(bundle)
    places = [(complaint, min(len(complaint.text), _CAPTION))] if complaint else []
    for paper, end in (*places, *docket.heads):
        if hit := cues.first("class", paper.text[:end]):
            yield f"Plaintiffs: {hit.says}", paper.evidence(hit.start, hit.end)
            return
    for paper, end in places:
        yield "Plaintiffs: Individual", paper.evidence(0, min(end, _SHOWN))


def claims_of(bundle: Bundle, cues: Cues, use: str) -> Iterator[Said]:
    """Yield what the headings of the counts name: vehicles, or the law said to be violated."""
    complaint = operative(bundle)
    for low, high in _counts(complaint, cues) if complaint else ():
        assert complaint is not None
        for says in cues.says(use, " ".join(complaint.text[low:high].split())):
            yield says, complaint.evidence(low, high)


def _counts(paper: Paper, cues: Cues) -> Iterator[tuple[int, int]]:
    """Yield the headings of the counts, each up to the second blank line."""
    for hit in cues.all("count", paper.text):
        if not paper.text[hit.start : hit.end].strip()[:1].isupper():
            continue
        lines = list(re.finditer(r"[^\n]*\S[^\n]*(?:\n|$)", paper.text[hit.start : hit.start + 600]))
        end = hit.start
        for line in lines[:_LINES_OF_A_COUNT]:
            if _NUMBERED.match(line[0]):
                break
            end = hit.start + (line.end() - lines[0].start())
        yield hit.start, min(end, len(paper.text))


def remedies_of(bundle: Bundle, cues: Cues) -> Iterator[Said]:
    """Yield what the prayer of the complaint asks."""
    complaint = operative(bundle)
    if complaint is None:
        return
    start = _prayer(complaint.text, cues)
    if start is not None:
        part = complaint.text[start : start + 6_000]
        for hit in cues.all("relief", " ".join(part.split("\n"))):
            yield f"Plaintiffs: {hit.says}", complaint.evidence(start + hit.start, start + hit.end)


def _prayer(text: str, cues: Cues) -> int | None:
    """Return the prayer for relief: under its last heading, else from the last words that pray for relief."""
    headed = [at for at, name in headings(text, cues) if name == "prayer"]
    if headed:
        return headed[-1] if len(text) - headed[-1] > _SHORTEST else headed[0]
    prayed = [match.start() for match in _PRAYS.finditer(text, len(text) // 2)]
    return prayed[0] if prayed else None


def facts_of(bundle: Bundle, cues: Cues) -> Iterator[Said]:
    """Yield the sentences of the numbered paragraphs of the complaint that stand under a heading of facts."""
    complaint = operative(bundle)
    if complaint is None:
        return
    headed = [(at, name) for at, name in headings(complaint.text, cues) if name in {"facts", "other", "prayer"}]
    marks = sorted([*headed, *((h.start, "count") for h in cues.all("count", complaint.text))])
    for (start, name), (end, _) in pairwise([*marks, (len(complaint.text), "")]):
        for low, high in _paragraphs(complaint.text, start, end) if name == "facts" else ():
            for start_of, end_of in sentences(complaint.text[low:high]):
                words = complaint.text[low + start_of : low + end_of]
                yield " ".join(words.split()), complaint.evidence(low + start_of, low + end_of)


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _NUMBERED.finditer(text, start, end):
        stop = _BREAK.search(text, match.end(), end)
        following = _NUMBERED.search(text, match.end(), end)
        high = min(stop.start() if stop else end, following.start() if following else end)
        yield match.end(), high


def opinions_of(bundle: Bundle, parties: Sequence[Party]) -> Iterator[Said]:
    """Yield the reporters' citations that stand behind the name of this case."""
    name = _short_name(parties)
    for paper in bundle.own() if name else ():
        assert name is not None
        for match in name.finditer(paper.text):
            window = paper.text[match.end() : match.end() + 160]
            cited = [c for c in scan_citations(window) if c.kind == "case"]
            for citation in cited[:1]:
                low = match.end() + citation.start
                yield citation.text, paper.evidence(match.start(), low + citation.end - citation.start)


def _short_name(parties: Sequence[Party]) -> re.Pattern[str] | None:
    """Return a pattern of the name of the case: the last word of the first plaintiff, "v.", a word of a defendant."""
    sued = [p.name.partition(",")[0].split() for p in parties if p.side == "Defendant"]
    sue = [p.name.partition(",")[0].split() for p in parties if p.side == "Plaintiff"]
    words = [w for w in sued[0] if len(w) > _SMALL_WORD and w[0].isupper()] if sued else []
    if not sue or not words:
        return None
    one, other = re.escape(sue[0][-1]), "|".join(map(re.escape, words))
    return re.compile(rf"\b{one}\b[^\n]{{0,20}}\sv\.\s[^\n]{{0,40}}?\b(?:{other})\b[^\n]{{0,40}}?,")
