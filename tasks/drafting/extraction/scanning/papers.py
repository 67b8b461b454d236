"""The documents of a case as court papers: what each is, in which case it was filed, and when."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from tasks.drafting.extraction.scanning.cues import Cues
from tasks.drafting.extraction.scanning.pages import STAMP, plain
from tasks.drafting.extraction.scanning.rows import docketed_from
from tasks.legaltext.checklists.records import Evidence
from tasks.legaltext.dates.scan import scan_dates

_HEAD = 4_000  # characters of a first page, where stamps and captions stand
_DATE_LINE, _PLACE = 60, 4  # characters of a line that bears a date; words of a place in it
_PARAGRAPH = 160  # characters of a line that is no part of a caption
# Chosen by eye on the made dockets of the bench, not measured; characters where no other unit stands.
_MOTION = (200, 120)  # before and behind an outcome, in which the motion is named that it decides
_CAPTION = (400, 2_500)  # that a caption takes at least, and at most
_SHORTEST = 4  # up to which the column of a caption names no paper
_SMALL_WORD, _LARGE = 3, 0.8  # letters of words that headings write small; share of the others with a capital
_NUMBER = re.compile(r"(?:\d{1,2}:)?(?P<year>\d{2,4})-(?P<type>[a-z]+)-(?P<serial>\d+)", re.I)
_CIVIL = re.compile(r"(?P<year>\d{2,4}) (?P<type>civ)\.? (?P<serial>\d+)", re.I)
_PLAIN = re.compile(r"(?P<year>\d{2,4})-(?P<serial>\d+)")
_BARE_EXHIBIT = re.compile(r"^\W*(?:exhibit|attachment|appendix|ex\.)\s+[\dA-Z-]{1,4}\W*$", re.I)
_ENJOINED = re.compile(
    r"\bordered\b[^.]{0,240}\benjoined\b|\b(?:is|are|be) (?:hereby |preliminarily |permanently |temporarily ){0,2}"
    r"(?:enjoined|restrained)\b|\b(?:hereby|court) (?:\w{1,20} ){0,2}enjoins\b"
    r"|\binjunction (?:shall |will |be |is |hereby ){0,3}"
    r"issues?d?\b|\bfollowing (?:preliminary |permanent )?injunction\b",
    re.I,
)
_DATED = re.compile(r"(?:dated?|entered|filed|signed|submitted|so ordered|done)\b[:,]?(?:\s+(?:this|on|the))*\s*", re.I)


@dataclass(frozen=True)
class Paper:
    """One document.

    Attributes:
        raw: It as it came: what is quoted.
        text: The same without what a page adds, every letter in its place.
        title: The line that names it.
        kind: docket, complaint, order, decree, settlement, monitor_report or support; empty where nothing tells.
        numbers: Docket numbers of its caption, in a form that can be compared.
        stamped: The same of the stamp that the court puts on each page.
        filed: ISO date of the stamp, else that by which it is dated; may be empty.
        own: Whether it is of this case.
    """

    name: str
    raw: str
    text: str
    title: str
    kind: str
    numbers: tuple[str, ...] = ()
    stamped: tuple[str, ...] = ()
    filed: str = ""
    own: bool = True

    def evidence(self, start: int, end: int) -> Evidence:
        """Return a stretch of it, without the white space around."""
        words = self.raw[start:end]
        start += len(words) - len(words.lstrip())
        return Evidence(document=self.name, start=start, end=start + len(words.strip()), text=words.strip())


@dataclass(frozen=True)
class Bundle:
    """The papers of a case, in order of their dates.

    Attributes:
        number: The docket number of the case in a form that can be compared; empty where none is told.
    """

    papers: tuple[Paper, ...]
    number: str

    def own(self, *kinds: str) -> list[Paper]:
        """Return the papers of this case of some kinds."""
        return [p for p in self.papers if p.own and (not kinds or p.kind in kinds)]


def bundle_of(texts: Mapping[str, str], cues: Cues) -> Bundle:
    """Read documents as court papers, and separate those of this case from those of other cases.

    The case is the one whose number most papers bear that are no exhibits. A paper whose caption bears other numbers
    alone is of another case, also where it was filed in this one as an exhibit.
    """
    papers = [_paper(name, text, cues) for name, text in texts.items()]
    filed = [p for p in papers if p.stamped or not _BARE_EXHIBIT.match(p.text.lstrip().partition("\n")[0])]
    votes = Counter(n for p in filed or papers for n in {*p.stamped, *p.numbers[:1]})
    number = votes.most_common(1)[0][0] if votes else ""
    owned = [replace(p, own=_is_own(p, number)) for p in papers]
    return Bundle(tuple(sorted(owned, key=lambda p: (p.filed or "9999", p.name))), number)


def _is_own(paper: Paper, number: str) -> bool:
    if paper.numbers:
        return number in paper.numbers
    return not paper.stamped or number in paper.stamped


def _paper(name: str, raw: str, cues: Cues) -> Paper:
    stamps = "\n".join(match[0] for match in STAMP.finditer(raw[:_HEAD]))
    text = plain(raw)
    head = text[:_HEAD]
    title, kind = _title(head, cues)
    first = docketed_from(text, cues)
    if first is not None and (kind in {"", "order", "support"} or first < text.find(title)):
        kind = "docket"
    kind = "decree" if kind == "order" and (_ENJOINED.search(text) or _enjoins(text, cues)) else kind
    filed = next((d.iso for d in scan_dates(stamps) if d.precision == "day"), "") or _dated(text)
    return Paper(
        name, raw, text, title, kind, tuple(numbers_in(_caption(head), cues)), tuple(numbers_in(stamps, cues)), filed
    )


def _enjoins(text: str, cues: Cues) -> bool:
    """Tell whether an order that grants an injunction, at least in part, goes on to impose a duty."""
    for outcome in cues.all("outcome", text):
        around = text[max(0, outcome.start - _MOTION[0]) : outcome.end + _MOTION[1]]
        moved = [hit.says for hit in cues.all("motion", around)]
        if outcome.says.startswith("granted") and any("injunction" in says or "restraining" in says for says in moved):
            behind = text[outcome.end :]
            return re.search(r"\bshall\b", behind) is not None and cues.first("lasts", behind) is not None
    return False


def _caption(head: str) -> str:
    """Return the lines before the body begins: before the first long line that ends as a sentence does."""
    at = 0
    for line in head.split("\n"):
        if len(line) > _PARAGRAPH and line.rstrip().endswith((".", ";", ":")) and " v. " not in line:
            break
        at += len(line) + 1
    return head[: max(at, _CAPTION[0])][: _CAPTION[1]]


def numbers_in(text: str, cues: Cues) -> list[str]:
    """Return the docket numbers of a text in a form that can be compared: year, type and serial number."""
    return list(dict.fromkeys(comparable(hit.taken or text[hit.start : hit.end]) for hit in cues.all("number", text)))


def comparable(number: str) -> str:
    """Return a docket number by its year, type and serial: "3:21-cv-01234-ABC" and "21 Civ. 1234" are the same."""
    for form in (_NUMBER, _CIVIL, _PLAIN):
        if match := form.search(number):
            kind = {"civ": "cv"}.get(match.groupdict().get("type", "cv").lower(), match.groupdict().get("type", "cv"))
            return f"{int(match['year']) % 100:02d}-{kind.lower()}-{int(match['serial'])}"
    return number.casefold()


def _title(head: str, cues: Cues) -> tuple[str, str]:
    """Return the line that names a paper, and what kind of paper it names."""
    for line in head.split("\n"):
        column = re.split(r"[)|§]\s|\s{6,}|:\s{2,}", line)[-1].strip(" \t:)|§*_#")
        if not _SHORTEST < len(column) < _PARAGRAPH or _BARE_EXHIBIT.match(column) or not _is_heading(column):
            continue
        if hits := cues.all("paper", column):
            return column, _kind(hits[0].name, column, cues)
    return "", ""


def _is_heading(line: str) -> bool:
    words = [w for w in re.findall(r"[A-Za-z][\w'’]*", line) if len(w) > _SMALL_WORD]
    large = [w for w in words if w[0].isupper()]
    return len(large) >= _LARGE * len(words) > 0 and not line.endswith(",")


def _kind(first: str, title: str, cues: Cues) -> str:
    """Return the kind of a paper: an order that grants an injunction, or enters a decree, is a decree."""
    if first != "order" or not cues.all("decree", title):
        return first
    refused = any(hit.says.startswith("denied") for hit in cues.all("outcome", title))
    changes = any(hit.says in {"terminated", "vacated", "stayed"} for hit in cues.all("decree_event", title))
    return "order" if refused or changes else "decree"


def _dated(text: str) -> str:
    """Return the date at the end or head of a paper: after "dated" or the like, else standing alone."""
    for part in (text[-1_500:], text[:2_000]):
        for match in reversed(list(_DATED.finditer(part))):
            days = [d for d in scan_dates(part[match.end() : match.end() + _DATE_LINE]) if d.precision == "day"]
            if days and _is_place(part[match.end() : match.end() + days[0].start]):
                return days[0].iso
    for part in (text[-1_500:], text[:2_000]):
        for line in reversed(part.split("\n")):
            days = [d for d in scan_dates(line) if d.precision == "day"] if len(line.strip()) < _DATE_LINE else []
            if days and not line[: days[0].start].strip(" \t.,|") and not line[days[0].end :].strip(" \t.,|"):
                return days[0].iso
    return ""


def _is_place(words: str) -> bool:
    """Tell whether nothing but a place stands between "Dated" and the day."""
    return len(words.split()) <= _PLACE and all(w[:1].isupper() or w in {"at", "in", "on"} for w in words.split())


def in_words(iso: str) -> str:
    """Return a date as a checklist says it: "March 5, 2021"."""
    day = date.fromisoformat(iso)
    return f"{day:%B} {day.day}, {day.year}"
