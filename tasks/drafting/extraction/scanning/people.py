"""Who is in the case beside the parties: the kind of counsel of each side, judges and the monitor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.docket import Docket
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.drafting.extraction.scanning.parties import REPRESENTED, Party, written
from tasks.legaltext.checklists.records import Evidence

Said = tuple[str, Evidence]
_FOR = re.compile(
    r"(?:\b(?:attorneys?|counsel)|(?<= by )(?P<firm>[^\n]{4,90}?),)\s+for\s+(?:the\s+)?(?P<side>[A-Za-z-]{4,60})",
    re.IGNORECASE,
)
_NO_JUDGE = re.compile(r"united states|district|county|city|court|authority|division|judge", re.IGNORECASE)
_ABOVE, _BELOW = 360, 140  # characters around "Attorneys for Plaintiffs" in which their firm stands
_LEAST = 4  # letters of a line that names a firm
_CAPTION, _SIGNATURE = 2_500, 1_200  # characters at the head and at the end of an order that name the judge; by eye


def counsel_of(bundle: Bundle, parties: Sequence[Party], cues: Cues) -> Iterator[Said]:
    """Yield the kinds of counsel of each side, by lines beside its parties on a docket sheet, else by signatures."""
    papers = {paper.name: paper for paper in bundle.papers}
    beside = [(p.side, line, at, papers[p.evidence.document]) for p in parties for line, at in p.counsel]
    known = {side for side, line, _, _ in beside if cues.first("counsel", line)}
    signed = [one for one in _signatures(bundle, cues) if one[0] not in known]
    for side, line, at, paper in (*beside, *signed):
        if hit := cues.first("counsel", line):
            organisation = written(" ".join(REPRESENTED.split(line)[-1].split()).strip(" ,;|"))
            named = f" ({organisation})" if hit.name == "organisation" else ""
            yield f"{side}: {hit.says}{named}", paper.evidence(at, at + len(line))


def _signatures(bundle: Bundle, cues: Cues) -> Iterator[tuple[str, str, int, Paper]]:
    """Yield the firm that stands nearest to "Attorneys for Plaintiffs", with the side that is named there."""
    for paper in bundle.own():
        for match in _FOR.finditer(paper.text):
            hit = cues.first("side", match["side"])
            by = (match["firm"], match.start("firm")) if match["firm"] else None
            line = by or _nearest(paper, match.start(), match.end(), cues) if hit else None
            if hit and line:
                yield hit.says, *line, paper


def _nearest(paper: Paper, low: int, high: int, cues: Cues) -> tuple[str, int] | None:
    """Return the line that names counsel nearest to a place: on its own line, above it, then below."""
    start, end = max(0, low - _ABOVE), min(len(paper.text), high + _BELOW)
    around = [(start + m.start(), m[0].strip()) for m in re.finditer(r"[^\n]+", paper.text[start:end])]
    named = [(at, line) for at, line in around if len(line) > _LEAST and cues.first("counsel", _FOR.sub("", line))]
    above = [one for one in named if one[0] <= low]
    at, line = (above[-1:] or named[:1] or [(0, "")])[0]
    if not line:
        return None
    firm = _FOR.sub("", line).strip(" :,;") or line
    found = paper.text.find(firm, at)
    return firm, found


def judges_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield the judges: those to whom the case is assigned or referred, and those who signed."""
    for paper, end in docket.heads:
        yield from _judges(paper, 0, end, cues)
    for entry in docket.entries:
        if entry.kind == "ruling" or cues.first("reassigned", entry.text):
            yield from _judges(entry.paper, entry.start, entry.end, cues)
    for paper in bundle.own("order", "decree"):
        yield from _judges(paper, 0, min(len(paper.text), _CAPTION), cues)
        yield from _judges(paper, max(0, len(paper.text) - _SIGNATURE), len(paper.text), cues)


def _judges(paper: Paper, start: int, end: int, cues: Cues) -> Iterator[Said]:
    for hit in cues.all("judge", paper.text[start:end]):
        name = re.sub(r"(?<=\w{3})\.\s.*$", "", hit.taken).strip(" ,.")
        words = name.split()
        if len(words) > 1 and len(words[-1]) > 2 and not _NO_JUDGE.search(name):
            yield written(name), paper.evidence(start + hit.at, start + hit.at + len(hit.taken))


def monitors_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield whom the court appointed as monitor."""
    for entry in docket.entries:
        yield from _monitors(entry.paper, entry.start, entry.end, cues)
    for paper in bundle.own("order", "decree", "settlement", "monitor_report"):
        yield from _monitors(paper, 0, len(paper.text), cues)


def _monitors(paper: Paper, start: int, end: int, cues: Cues) -> Iterator[Said]:
    for hit in cues.all("monitor", paper.text[start:end]):
        yield hit.taken.strip(" ,."), paper.evidence(start + hit.at, start + hit.at + len(hit.taken))
