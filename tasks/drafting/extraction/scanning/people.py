"""Who is in the case: parties with their offices, the kind of counsel of each side, judges and the monitor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.docket import Docket
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.legaltext.checklists.records import Evidence

Said = tuple[str, Evidence]
_REPRESENTED = re.compile(r"(?:^|\s+)(?:represented by|rep\. by|attorneys?:|counsel:)\s*", re.IGNORECASE)
_OFFICE = re.compile(
    r"in\s+(?:his|her|their|its)\s+(?:individual\s+and\s+)?official\s+capacity\s+as\s+(?:the\s+)?(?P<office>[^,;()\n]+)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r",?\s+(?:on behalf of|individually|in (?:his|her|their|its)|an? (?:individual|minor|\w+ corporation)|et al).*$",
    re.I | re.S,
)
_CAPTION = re.compile(
    r"(?P<plaintiff>[A-Z][^§]{3,1500}?),?\s*(?:Plaintiffs?|Petitioners?)\b[\s\S]{0,60}?\b(?:v|vs|against)\b\.?:?,?-?\s*(?P<defendant>[A-Z][^§]{3,1500}?),?\s*(?:Defendants?|Respondents?)\b",
    re.IGNORECASE,
)
_COLUMN = re.compile(r"(?:\s{2,}[):|§].*|[):|§]\s*)$", re.MULTILINE)
_PARTED = re.compile(r";\s*(?:and\s+)?|,?\s+and\s+(?=[A-Z]{2}|[A-Z][a-z]+ [A-Z])|,\s+(?=[A-Z]{3,})")
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
    """Yield the parties of the head of a docket sheet: a line with the side, the name beside or below it."""
    lines = list(_lines(paper.text[:end]))
    marks = [(at, side) for at, (_, line) in enumerate(lines) if (side := _side(line, cues))]
    for (at, side), (until, _) in pairwise([*marks, (len(lines), "")]):
        block = [(start, line) for start, line in lines[at:until] if line.strip()]
        if party := _party(paper, side, block):
            yield party


def _side(line: str, cues: Cues) -> str:
    """Return the side that a line of its own names, alone or before a colon."""
    label = re.split(r":|\s{4,}", line.strip(" \t*_#|-"), maxsplit=1)[0]
    label = re.sub(r"\s*\(?#?\d+\)?$", "", label)
    hit = cues.first("side", label)
    return hit.says if hit and hit.end - hit.start == len(label) else ""


def _party(paper: Paper, side: str, block: list[tuple[int, str]]) -> Party | None:
    """Read one block: its first line is the side, and the name is behind the colon or on the next line."""
    start, first = block[0]
    rest = first.partition(":")[2]
    rows = [(start + len(first) - len(rest), rest), *block[1:]] if rest.strip() else block[1:]
    if not rows:
        return None
    at, row = rows[0]
    name, *beside = _REPRESENTED.split(row, maxsplit=1)
    column = re.split(r"\s{4,}", name.strip())[0]
    whole = "\n".join(line for _, line in rows)
    label = _named(column.strip(" ,;|"), whole)
    if not label or len(label) > _LONGEST:
        return None
    low = at + row.index(column[:8]) if column[:8] in row else at
    counsel = tuple((line, place) for place, line in rows)
    if beside:
        counsel = ((beside[0], at + len(row) - len(beside[0])), *counsel[1:])
    return Party(side, label, paper.evidence(low, low + len(column)), counsel)


def _named(name: str, around: str) -> str:
    """Return a name in its usual writing, with the office in which the party is sued."""
    office = _OFFICE.search(around)
    bare = written(_CLAUSE.sub("", " ".join(name.split())).strip(" ,;."))
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


def counsel_of(docket: Docket, parties: list[Party], cues: Cues) -> Iterator[Said]:
    """Yield the kinds of counsel of each side, by the lines beside its parties on the docket sheet."""
    papers = {paper.name: paper for paper, _ in docket.heads}
    for party in parties:
        for line, at in party.counsel:
            hit = cues.first("counsel", line)
            if hit is None:
                continue
            organisation = " ".join(_REPRESENTED.split(line)[-1].split()).strip(" ,;|")
            named = f" ({organisation})" if hit.name in {"government", "nonprofit"} else ""
            yield f"{party.side}: {hit.says}{named}", papers[party.evidence.document].evidence(at, at + len(line))


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
        name = re.sub(
            r"\s+(?:Jr|Sr)\.?$|\s+(?:Date|Jury|Referred|Cause|Signed|on|On|Assigned|Chief|United)\b.*$", "", hit.taken
        ).strip(" ,.")
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
