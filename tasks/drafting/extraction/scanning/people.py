"""Who is in the case: parties with their offices, the kind of counsel of each side, judges and the monitor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.docket import Docket
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.legaltext.checklists.records import Evidence

Said = tuple[str, Evidence]
_REPRESENTED = re.compile(r"(?:^|\s+)(?:represented by|rep\. by|attorneys?:|counsel:)\s*", re.IGNORECASE)
_OFFICE = re.compile(
    r"(?:in\s+(?:his|her|their|its)\s+(?:individual\s+and\s+)?official\s+capacity\s+as|,\s+as)\s+(?:the\s+)?(?P<office>[^,;()\n]+?)(?=\s{3}|[,;()\n]|$)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r",?\s+(?:on behalf of|individually|as |in (?:his|her|their|its)|an? (?:individual|minor|\w+ corporation)|et al)"
    r".*$",
    re.I | re.S,
)
_CAPTION = re.compile(
    r"(?P<plaintiff>[A-Z][^§]{3,1500}?),?\s*(?:Plaintiffs?|Petitioners?)\b\W{0,400}?\b(?:v|vs|against)\b\.?:?,?-?\s*(?P<defendant>[A-Z][^§]{3,1500}?),?\s*(?:Defendants?|Respondents?)\b",
    re.IGNORECASE,
)
_COLUMN = re.compile(r"(?:\s{2,}[):|§].*|[):|§]\s*|^\W*-{6,}.*)$", re.MULTILINE)
_PARTED = re.compile(r";\s*(?:and\s+)?|,?\s+and\s+(?=[A-Z]{2}|[A-Z][a-z]+ [A-Z])|,\s+(?=[A-Z]{3,})")
_SIGNED_FOR = re.compile(r"^(?P<firm>[^\n]{4,90})\n\s*(?:Attorneys?|Counsel) for (?P<side>[^\n]{4,60})$", re.I | re.M)
_LONGEST = 120
_SMALL = {"of", "and", "the", "for", "in", "on", "de", "la", "v."}


@dataclass(frozen=True)
class Party:
    """A party: its side, its name with an office that it holds, and what stands beside it about its counsel."""

    side: str
    name: str
    evidence: Evidence
    counsel: tuple[tuple[str, int], ...] = ()


def parties_of(bundle: Bundle, docket: Docket, cues: Cues) -> list[Party]:
    """Return the parties by the docket sheet, else by the caption of the last complaint."""
    listed = [party for paper, end in docket.heads for party in _listed(paper, end, cues)]
    if listed:
        return listed
    for paper in reversed(bundle.own("complaint")):
        if found := list(_captioned(paper)):
            return found
    return []


def _listed(paper: Paper, end: int, cues: Cues) -> Iterator[Party]:
    """Yield the parties of the head of a docket sheet.

    A line tells the side: the name stands behind its colon or below it, or, where the side is in brackets, above it.
    """
    lines = [(at, line) for at, line in _lines(paper.text[:end]) if line.strip()]
    marks = [(at, side) for at, (_, line) in enumerate(lines) if (side := _side(line, cues))]
    starts = [at - 1 if at and lines[at][1].strip()[:1] in "[(" else at for at, _ in marks]
    for start, until, (at, side) in zip(starts, [*starts[1:], len(lines)], marks, strict=False):
        begun, line = lines[at]
        rest = line.partition(":")[2]
        beside = [(begun + len(line) - len(rest), rest)] if rest.strip() else []
        rows = [lines[start], *lines[at + 1 : until]] if start < at else [*beside, *lines[at + 1 : until]]
        if party := _party(paper, side, rows):
            yield party


def _side(line: str, cues: Cues) -> str:
    """Return the side that a line of its own names, alone, in brackets or before a colon."""
    label = re.split(r":|\s{4,}", line.strip(" \t*_#|-"), maxsplit=1)[0].strip("[]() ")
    label = re.sub(r"\s*\(?#?\d+\)?$", "", label)
    hit = cues.first("side", label)
    return hit.says if hit and hit.end - hit.start == len(label) else ""


def _party(paper: Paper, side: str, rows: Sequence[tuple[int, str]]) -> Party | None:
    """Read the lines of one party: its name first, and what else stands in that line and below it."""
    if not rows:
        return None
    at, row = rows[0]
    name = _REPRESENTED.split(row, maxsplit=1)[0]
    column = re.split(r"\s{4,}", name.strip())[0]
    label = _named(column.strip(" ,;|"), "\n".join(line for _, line in rows))
    if not label or len(label) > _LONGEST:
        return None
    low = at + row.index(column)
    behind = low + len(column)
    counsel = ((row[behind - at :], behind), *((line, place) for place, line in rows[1:]))
    return Party(side, label, paper.evidence(low, behind), counsel)


def _named(name: str, around: str) -> str:
    """Return a name in its usual writing, with the office in which the party is sued."""
    office = _OFFICE.search(around)
    plain = _CLAUSE.sub("", " ".join(name.split())).strip(" ,;.:")
    bare = ", ".join(written(part) for part in plain.split(", "))
    held = written(re.split(_REPRESENTED, office["office"])[0].strip()) if office else ""
    return f"{bare}, {held}" if bare and held else bare


def written(name: str) -> str:
    """Return a name that is printed in capitals as it is usually written; others as they are."""
    if not name.isupper():
        return name
    words = name.split()
    return " ".join(w.lower() if w.lower() in _SMALL and at else w.capitalize() for at, w in enumerate(words))


def _captioned(paper: Paper) -> Iterator[Party]:
    head = paper.text[:4_000]
    plain = _COLUMN.sub(lambda match: " " * len(match[0]), head)
    match = _CAPTION.search(plain)
    for side, group in (("Plaintiff", "plaintiff"), ("Defendant", "defendant")) if match else ():
        assert match is not None
        block = match[group].rsplit("\n\n", 1)[-1]
        at = match.end(group) - len(block)
        for piece in _PARTED.split(block):
            low = plain.find(piece, at)
            if (name := _named(piece.strip(" ,;"), piece)) and name[:1].isupper() and len(name) <= _LONGEST:
                yield Party(side, name, paper.evidence(low, low + len(piece.rstrip())))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


def counsel_of(bundle: Bundle, parties: Sequence[Party], cues: Cues) -> Iterator[Said]:
    """Yield the kinds of counsel of each side, by lines beside its parties on a docket sheet, else by signatures."""
    papers = {paper.name: paper for paper in bundle.papers}
    beside = [(p.side, line, at, papers[p.evidence.document]) for p in parties for line, at in p.counsel]
    for side, line, at, paper in beside or _signatures(bundle, cues):
        if hit := cues.first("counsel", line):
            organisation = written(" ".join(_REPRESENTED.split(line)[-1].split()).strip(" ,;|"))
            named = f" ({organisation})" if hit.name == "organisation" else ""
            yield f"{side}: {hit.says}{named}", paper.evidence(at, at + len(line))


def _signatures(bundle: Bundle, cues: Cues) -> Iterator[tuple[str, str, int, Paper]]:
    """Yield the lines above "Attorneys for Plaintiffs" with the side that is named there."""
    for paper in bundle.own():
        for match in _SIGNED_FOR.finditer(paper.text):
            if hit := cues.first("side", match["side"]):
                yield hit.says, match["firm"], match.start("firm"), paper


def judges_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield the judges: to whom the case is assigned or referred, and who signed."""
    for paper, end in docket.heads:
        yield from _judges(paper, 0, end, cues)
    for entry in docket.entries:
        if entry.kind == "ruling" or cues.first("reassigned", entry.text):
            yield from _judges(entry.paper, entry.start, entry.end, cues)
    for paper in bundle.own("order", "decree"):
        yield from _judges(paper, 0, min(len(paper.text), 2_500), cues)
        yield from _judges(paper, max(0, len(paper.text) - 1_200), len(paper.text), cues)


def _judges(paper: Paper, start: int, end: int, cues: Cues) -> Iterator[Said]:
    for hit in cues.all("judge", paper.text[start:end]):
        name = re.sub(r"(?<=\w{3})\.\s.*$", "", hit.taken).strip(" ,.")
        words = name.split()
        if len(words) > 1 and len(words[-1]) > 2:
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
