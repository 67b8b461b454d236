"""Who sues whom: read from the head of the docket sheet, from captions and from the complaint, and combined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.docket import Docket
from tasks.drafting.extraction.scanning.papers import Bundle, Paper
from tasks.legaltext.checklists.records import Evidence

REPRESENTED = re.compile(r"(?:^|\s+)(?:represented by|rep\. by|attorneys?:|counsel:)\s*", re.IGNORECASE)
_CAPACITY = re.compile(
    r"(?:official\s+capacity\s+(?:only\s+)?as|,\s+as)\s+(?:the\s+)?(?P<office>[^,;()\n]+?)(?=\s{3}|[,;()\n]|\.?$|\.\s)",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?P<plaintiff>[A-Z][^§]{3,2500}?),?\s*\b(?:Plaintiffs?|Petitioners?)\b\W{0,400}?"
    r"\b(?:v|vs|against)\b\.?:?,?-?\s*(?P<defendant>[A-Z][^§]{3,2500}?),?\s*\b(?:Defendants?|Respondents?)\b",
    re.IGNORECASE,
)
_COLUMN = re.compile(r"(?:\s{2,}[):|§].*|[):|§]\s*|^\W*-{6,}.*)$", re.MULTILINE)
_ABOVE = re.compile(r"\b(?:court|division|district of|circuit|telephone|attorneys?|counsel)\b|-{6}|_{6}", re.IGNORECASE)
_CELLS = re.compile(r"\s*\|\s*|\t+|\s{4,}")
_CUT = re.compile(r"\s*[;,]\s+|\s+(?:and|&)\s+(?=[A-Z][\w.’'-]*\s+\S)|\s*[;,]\s*$")
# What stands behind a name and says more of the same party.
_BELONGS = re.compile(
    r"(?:sued|in|individually|on|as|an?|the|both|all|et al|by|acting|for|collectively|inclusive|whose|who|each|and|"
    r"inc|l\.?l\.?[cp]|ltd|corp|p\.?c|jr|sr|ii|iii)\b\.?",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"(?:(?:john|jane)\s+)?does?\s+\d|(?:unknown|unnamed)\b|doe defendants", re.IGNORECASE)
_SMALL_WORDS = "of|and|the|for|in|on|de|la"
_NAME = rf"[A-Z][\w.’'-]*(?:\s+(?:(?:{_SMALL_WORDS})\s+){{0,2}}[A-Z][\w.’'-]*)*"
_PRESENTED = re.compile(
    rf"(?:^|(?<=[.):])\s)[^\w\n]*(?:\d{{1,3}}[.)]\s+)?(?P<side>Plaintiff|Defendant|Petitioner|Respondent),?\s+(?P<name>{_NAME})"
    r"(?=\s*[,(]|\s+(?:is|was|are|resides|lives|has|had|may|brings|at|serves|works|operates)\b)(?P<rest>[^\n]{0,400})",
    re.MULTILINE,
)
_LONGEST = 120  # characters of a name: what is longer is a sentence
_SMALL = {*_SMALL_WORDS.split("|"), "v."}


@dataclass(frozen=True)
class Party:
    """A party.

    Attributes:
        name: With the office that it holds.
        counsel: Lines that stand beside it on a docket sheet, and where.
    """

    side: str
    name: str
    evidence: Evidence
    counsel: tuple[tuple[str, int], ...] = ()

    @property
    def key(self) -> str:
        """The part of a name that is the same however it is printed."""
        return re.sub(r"\W", "", self.name.partition(",")[0]).casefold()


def parties_of(bundle: Bundle, docket: Docket, cues: Cues) -> list[Party]:
    """Return the parties by the docket sheet, else by the last complaint, with the offices that any paper tells."""
    listed = [party for paper, end in docket.heads for party in _listed(paper, end, cues)]
    complaints = list(reversed(bundle.own("complaint")))
    told = [party for paper in complaints[:1] for party in (*_presented(paper, cues), *_captioned(paper, cues))]
    both = {p.side for p in listed} >= {"Plaintiff", "Defendant"}
    others = (
        ()
        if told or both
        else (p for paper in bundle.own("order", "decree", "support") for p in _captioned(paper, cues))
    )
    return _together(listed if both else [*listed, *told, *others], told)


def _together(parties: Iterable[Party], told: Sequence[Party]) -> list[Party]:
    """Return each party once, with its office where one of its mentions has it."""
    offices = {p.key: p.name for p in reversed(told) if ", " in p.name}
    found: dict[str, Party] = {}
    for party in parties:
        name = party.name if ", " in party.name else offices.get(party.key, party.name)
        if party.key not in found or (", " in name and ", " not in found[party.key].name):
            found[party.key] = replace(found.get(party.key, party), name=name)
    return list(found.values())


def side_of(words: str, cues: Cues) -> str:
    """Return the side that the words name, if they name nothing else; else empty."""
    label = re.sub(r"\s*\(?#?\d+\)?$", "", words.strip(" \t*_#|-[]():.,"))
    hit = cues.first("side", label)
    return hit.says if hit and hit.end - hit.start == len(label) else ""


def _listed(paper: Paper, end: int, cues: Cues) -> Iterator[Party]:
    """Yield the parties of the head of a docket sheet.

    A line tells the side: the name stands behind its colon or below it, or, where the side is in brackets, above it.
    In a row of cells one of them tells the side, and the first the name.
    """
    lines = [(at, line) for at, line in _lines(paper.text[:end]) if line.strip()]
    rows = [party for at, line in lines if (party := _of_cells(paper, at, line, cues))]
    if rows:
        yield from rows
        return
    marks = [(at, side) for at, (_, line) in enumerate(lines) if (side := _labelled(line, cues))]
    starts = [at - 1 if at and lines[at][1].strip()[:1] in "[(" else at for at, _ in marks]
    for start, until, (at, side) in zip(starts, [*starts[1:], len(lines)], marks, strict=False):
        begun, line = lines[at]
        rest = line.partition(":")[2]
        beside = [(begun + len(line) - len(rest), rest)] if rest.strip() else []
        rows_of = [lines[start], *lines[at + 1 : until]] if start < at else [*beside, *lines[at + 1 : until]]
        if party := _party(paper, side, rows_of, cues):
            yield party


def _labelled(line: str, cues: Cues) -> str:
    """Return the side that a line of its own names, alone, in brackets or before a colon."""
    return side_of(re.split(r":|\s{4,}", line.strip(" \t*_#|-"), maxsplit=1)[0], cues)


def _of_cells(paper: Paper, at: int, line: str, cues: Cues) -> Party | None:
    """Return the party of a row of cells: a name, its side, perhaps counsel."""
    cells = [cell for cell in _CELLS.split(line) if cell]
    sides = [side for cell in cells[1:3] if (side := side_of(cell, cues))]
    if "|" not in line or not sides or side_of(cells[0], cues) or not cells[0][:1].isupper():
        return None
    low = at + line.index(cells[0])
    counsel = tuple((cell, at + line.index(cell)) for cell in cells[2:] if not side_of(cell, cues))
    return Party(sides[0], _named(cells[0], line, cues), paper.evidence(low, low + len(cells[0])), counsel)


def _party(paper: Paper, side: str, rows: Sequence[tuple[int, str]], cues: Cues) -> Party | None:
    """Read the lines of one party: its name first, and what else stands in that line and below it."""
    if not rows:
        return None
    at, row = rows[0]
    name = REPRESENTED.split(row, maxsplit=1)[0]
    column = re.split(r"\s{4,}", name.strip())[0]
    label = _named(column.strip(" ,;|"), "\n".join(line for _, line in rows), cues)
    if not label or len(label) > _LONGEST:
        return None
    low = at + row.index(column)
    behind = low + len(column)
    counsel = ((row[behind - at :], behind), *((line, place) for place, line in rows[1:]))
    return Party(side, label, paper.evidence(low, behind), counsel)


def _named(name: str, around: str, cues: Cues) -> str:
    """Return a name in its usual writing, with the office in which the party is sued."""
    pieces = _pieces(" ".join(name.split()).partition("(")[0])
    bare = written(pieces[0][0]) if pieces else ""
    around = "\n".join(REPRESENTED.split(line)[0] for line in around.split("\n"))
    held = office_in(around.replace(pieces[0][0], "", 1), cues) if pieces else ""
    return f"{bare}, {held}" if held else bare


def office_in(words: str, cues: Cues) -> str:
    """Return the office that some words name: behind "official capacity as", else the phrase around an office."""
    if match := _CAPACITY.search(words):
        return written(REPRESENTED.split(" ".join(match["office"].split()))[0])
    for hit in cues.all("office", words):
        if not words[hit.start].isupper():
            continue
        before = re.search(r"(?:[A-Z][\w’'-]+ ){0,4}$", words[: hit.start])
        behind = re.match(rf"(?: (?:(?:{_SMALL_WORDS}|to) ){{0,3}}[A-Z][\w’'-]*)*", words[hit.end :])
        assert before is not None
        assert behind is not None
        return written(" ".join((before[0] + words[hit.start : hit.end] + behind[0]).split()))
    return ""


def written(name: str) -> str:
    """Return a name that is printed in capitals as it is usually written; others as they are."""
    if not name.isupper():
        return name
    words = name.split()
    return " ".join(w.lower() if w.lower() in _SMALL and at else w.capitalize() for at, w in enumerate(words))


def _captioned(paper: Paper, cues: Cues) -> Iterator[Party]:
    plain = _COLUMN.sub(lambda match: " " * len(match[0]), paper.text[:4_000])
    match = _CAPTION.search(plain)
    for side, group in (("Plaintiff", "plaintiff"), ("Defendant", "defendant")) if match else ():
        assert match is not None
        low, block = match.start(group), match[group]
        for at, line in reversed(list(_lines(block))):
            if _ABOVE.search(line):
                low, block = low + at + len(line), block[at + len(line) :]
                break
        for name, more in _of_one(_pieces(block), cues):
            words = " ".join(name.split())
            at = plain.find(name, low)
            if words[:1].isupper() and len(words) <= _LONGEST and not _NOBODY.match(words):
                held = office_in(" ".join(f", {', '.join(more)}".split()), cues) if more else ""
                label = f"{written(words)}, {held}" if held else written(words)
                yield Party(side, label, paper.evidence(at, at + len(name)))


def _of_one(pieces: Sequence[tuple[str, list[str]]], cues: Cues) -> list[tuple[str, list[str]]]:
    """Return the pieces of a block with an office behind the name whose office it is."""
    found: list[tuple[str, list[str]]] = []
    for name, more in pieces:
        words = " ".join(name.split())
        if found and office_in(words, cues) == written(words):
            found[-1][1].extend((name, *more))
        else:
            found.append((name, more))
    return found


def _pieces(block: str) -> list[tuple[str, list[str]]]:
    """Return the names of a block, each with what stands behind it and says more of the same party."""
    found: list[tuple[str, list[str]]] = []
    for piece in _CUT.split(block):
        words = piece.strip(" ,;.:\n\t")
        if found and (not words[:1].isupper() or _BELONGS.match(words)):
            found[-1][1].append(words)
        elif words:
            found.append((re.sub(r"^(?:and|&)\s+", "", words, flags=re.IGNORECASE), []))
    return found


def _presented(paper: Paper, cues: Cues) -> Iterator[Party]:
    """Yield the parties that sentences of a complaint present: "Plaintiff Ann Poe is a resident of Elm"."""
    first: dict[str, Party] = {}
    for match in _PRESENTED.finditer(paper.text[: len(paper.text) // 2 + 2_000]):
        hit = cues.first("side", match["side"])
        name = written(" ".join(match["name"].split()))
        if hit is None or _NOBODY.match(name) or len(name) > _LONGEST:
            continue
        held = office_in(re.split(r"(?<=\w{3})\.\s", match["rest"])[0], cues)
        party = Party(
            hit.says, f"{name}, {held}" if held else name, paper.evidence(match.start("name"), match.end("name"))
        )
        first.setdefault(party.key, party)
    yield from first.values()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1
