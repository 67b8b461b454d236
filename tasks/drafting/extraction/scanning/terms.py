"""What decrees and settlements oblige the parties to do, for how long, and whether the court enforces them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.docket import Docket
from tasks.drafting.extraction.scanning.headings import headings
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.legaltext.checklists.records import Evidence
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import ORDINALS
from tasks.legaltext.sentences import PROSE, sentences

Said = tuple[str, Evidence]
_MARK = re.compile(
    r"[^\S\n]{0,24}(?:(?:section|article|paragraph|term)\s+)?"
    r"(?:\d{1,3}(?:\.\d{1,2})+\.?|(?:\d{1,3}|[ivxl]{1,6}|[a-z])[.)]|\(\s?(?:\d{1,2}|[a-z]|[ivx]{1,4})\)|[•*–-])[^\S\n]+(?=\S)",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\b(?:until|pending)\s+(?P<event>[^.;,\n]{4,80})")
_EVENT = re.compile(r"^(?:the |an? )?(?:entry of )?(?:the |an? )?|\s(?:is|are|be|has|in|of this|by)\s.*$")
_ANNIVERSARY = re.compile(r"\b(?P<ordinal>[a-z]+|\d+(?:st|nd|rd|th))\s+anniversary\b", re.IGNORECASE)
_MONTHS = 12  # of a year
_PREAMBLE = 8  # one eighth of a decree: "it is ordered" further up is part of the recitals; chosen by eye
# Characters; chosen by eye.
_AROUND = 1_500  # around a place in which its sentence begins and ends
_SENTENCE, _SHOWN = 300, 400  # of a sentence without an end, and of an entry shown as evidence
_ORDERED = re.compile(
    r"\b(?:hereby|therefore|is|are)\b[^.]{0,60}\b(?:ordered|decreed|enjoined|restrained)\b"
    r"|the court (?:hereby )?(?:orders|enjoins)",
    re.IGNORECASE,
)
# A paragraph without a number binds somebody where it begins with him, and he is none of these.
_NO_ONE = re.compile(
    r"(?:this|the (?:court|parties|clerk|monitor|agreement|decree|order|term|special|settlement)|it is|nothing|any|if"
    r"|each|all|either|plaintiffs?|neither|no |upon|in |on |by |for |where|unless|jurisdiction)",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"(?:this|headings?|the court|nothing|no (?:security|bond|waiver|admission|party))\b", re.IGNORECASE
)
_INLINE = re.compile(r"(?<=[.:;,])\s+(?=\((?:\d{1,2}|[a-z])\)\s+[A-Z])")
_SUBJECT = re.compile(r"[A-Z][^.;:]{2,90}?\b(?:shall|must|will|is|are|agrees?)\b")
_SHORTEST, _LONGEST = 20, 1_200  # characters of a term: shorter is a label, longer a chapter


def terms_of(bundle: Bundle, cues: Cues, kind: str) -> Iterator[Said]:
    """Yield the paragraphs of decrees or settlements that bind somebody; boilerplate clauses are left out."""
    for paper in bundle.own(kind):
        ordered = _ORDERED.search(paper.text) if kind == "decree" else None
        start = ordered.start() if ordered and ordered.start() > len(paper.text) // _PREAMBLE else 0
        for low, high in _items(paper, start, cues):
            words = " ".join(paper.text[low:high].split())
            if (
                cues.first("duty", words)
                and not _STANDING.match(words)
                and not any(cues.first(use, words) for use in ("lasts", "retains", "monitor"))
            ):
                yield words, paper.evidence(low, high)


def _items(paper: Paper, start: int, cues: Cues) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs that stand under no heading of standing clauses: numbered, or about someone by name."""
    headed = headings(paper.text, cues)
    for low, high in (piece for one in _paragraphs(paper.text, start) for piece in _inline(paper.text, *one)):
        mark = _MARK.match(paper.text, low, high)
        begun = mark.end() if mark else low + len(paper.text[low:high]) - len(paper.text[low:high].lstrip())
        words = paper.text[begun:high]
        under = next((name for at, name in reversed(headed) if at <= low), "")
        if under == "boilerplate" or not _SHORTEST < len(words.strip()) < _LONGEST:
            continue
        if mark or (_SUBJECT.match(words) and not _NO_ONE.match(words) and not _ORDERED.match(words)):
            yield begun, high


def _inline(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield a paragraph, or the numbered items within it, each without what follows its sentence."""
    cuts = [match.end() for match in _INLINE.finditer(text, low, high)]
    if not cuts:
        yield low, high
    for one, other in pairwise((*cuts, high)) if cuts else ():
        mark = _MARK.match(text, one, other)
        begun = mark.end() if mark else one
        yield one, begun + next((end for _, end in sentences(text[begun:other], PROSE)), other - begun)


def _paragraphs(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield paragraphs: up to a blank line, or to a line that begins with a number."""
    low = at = start
    for line in text[start:].split("\n"):
        if at > low and (not line.strip() or _MARK.match(line)):
            yield low, at
            low = at
        at += len(line) + 1
    yield low, len(text)


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
        if period := _period(paper.text[low:high]):
            return period, paper.evidence(low, high)
    return None


def _period(words: str) -> str:
    """Return the period that a sentence names: some years, until something, up to an anniversary."""
    for figure in scan_numbers(words):
        if figure.kind == "duration":
            value, unit = figure.value, figure.unit
            if unit == "month" and value % _MONTHS == 0:
                value, unit = value / _MONTHS, "year"
            return f"{value.normalize():f} {unit}{'' if value == 1 else 's'}"
    if match := _ANNIVERSARY.search(words):
        ordinal = match["ordinal"].lower()
        years = ORDINALS.get(ordinal) or int(re.sub(r"\D", "", ordinal) or 0)
        return f"{years} year{'' if years == 1 else 's'}" if years else ""
    if until := _UNTIL.search(words):
        return f"until {_EVENT.sub('', ' '.join(until['event'].split()))}"
    return ""


def _sentence(text: str, at: int) -> tuple[int, int]:
    low = (
        max(text.rfind("\n\n", 0, at) + 2, at - _AROUND, 0)
        if "\n\n" in text[max(0, at - _AROUND) : at]
        else max(0, at - _AROUND)
    )
    block = text[low : at + _AROUND]
    return next(
        ((low + s, low + e) for s, e in sentences(block, PROSE) if s <= at - low < e),
        (at, min(len(text), at + _SENTENCE)),
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
            found = (kept.says, entry.paper.evidence(entry.start, min(entry.end, entry.start + _SHOWN)))
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
