"""What happened, by the docket: filings, rulings, trials, appeals, decrees, settlements and other cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise

from tasks.drafting.extraction.scanning.cues import Cues, Hit
from tasks.drafting.extraction.scanning.docket import Docket, DocketEntry, decided
from tasks.drafting.extraction.scanning.papers import Bundle, comparable, in_words
from tasks.drafting.extraction.scanning.parties import Party
from tasks.legaltext.checklists.records import Evidence
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.sentences import sentences

Said = tuple[str, Evidence]
_FIRST = "Complaint"
_SIDES = ("Defendant", "Plaintiff")
_SIGNED = re.compile(r"\b(?:entered into|made|executed|signed|dated)\b", re.IGNORECASE)
_NOTICE = 6_000  # characters of a paper in which another case is named
_SHOWN, _CAPTION = 400, 200  # characters of an entry and of a paper's head that are shown as evidence; chosen by eye
_PARTS = 3  # of a docket number: year, type and serial; initials of judges follow
_NEAR, _SAME = 10, 3  # days between a paper and its own entry on the docket; any entry of its kind
_DENIED = ("denied", "withdrawn")
# What a motion asks to be done to a decree, and what is then said of it.
_ORDER_OF_EVENTS = ("terminated", "vacated", "modified", "extended", "stayed", "entered")


Event = tuple[str, str, Evidence]  # an ISO date, what happened, and where that stands


def _told(docket: Docket, read: Callable[[DocketEntry], Iterable[tuple[str, Evidence]]]) -> Iterator[Event]:
    """Yield what the docket sheet records, and what only papers tell: the sheet has nothing like it near that day."""
    told: list[tuple[int, str]] = []
    for entry in docket.entries:
        for says, evidence in read(entry):
            told.append((_ordinal(entry), says))
            yield entry.date, says, evidence
    for entry in docket.papers:
        day = _ordinal(entry)
        known = {says for on, says in told if abs(on - day) <= _NEAR}
        silent = not any(abs(on - day) <= _SAME for on, _ in told)
        for says, evidence in read(entry) if silent else ():
            if says not in known:
                known.add(says)
                yield entry.date, says, evidence


def _ordinal(entry: DocketEntry) -> int:
    return date.fromisoformat(entry.date).toordinal()


def _dated(docket: Docket, read: Callable[[DocketEntry], Iterable[tuple[str, Evidence]]]) -> Iterator[Said]:
    yield from ((f"{in_words(day)}: {says}", evidence) for day, says, evidence in _told(docket, read))


def _evidence(entry: DocketEntry) -> Evidence:
    return entry.paper.evidence(entry.start, min(entry.end, entry.start + _SHOWN))


def filed_on(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield the day of the first complaint; a correction of it on the docket counts instead."""
    for entry in docket.entries:
        if cues.first("corrected", entry.whole) and _pleading(entry.whole, cues) and "fil" in entry.whole.lower():
            days = [d for d in scan_dates(entry.whole) if d.precision == "day" and d.iso != entry.date]
            if days and days[-1].iso != entry.date:
                yield in_words(days[-1].iso), _evidence(entry)
                return
    for entry in docket.entries:
        if entry.kind == "filing" and _pleading(entry.text, cues):
            yield in_words(entry.date), _evidence(entry)
            return
    for paper in bundle.own("complaint"):
        if paper.filed:
            yield in_words(paper.filed), paper.evidence(0, min(len(paper.text), _CAPTION))
            return


def _pleading(text: str, cues: Cues) -> Hit | None:
    return next((hit for hit in cues.all("motion", text) if hit.name == "pleading"), None)


def filings_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield what was filed and matters: pleadings and motions. The first complaint bears the day of filing."""
    first = next(filed_on(bundle, docket, cues), None)
    if first is not None:
        yield f"{first[0]}: {_FIRST}", first[1]

    def read(entry: DocketEntry) -> Iterator[tuple[str, Evidence]]:
        if entry.kind != "filing" or cues.first("corrected", entry.text):
            return
        hit = cues.first("motion", entry.text)
        hits = [] if hit is None else [hit] if hit.name else cues.all("motion", entry.text[:200])
        for one in hits:
            if one is hit or not one.name:
                yield one.says, _evidence(entry)

    begun = False
    for day, says, evidence in _told(docket, read):
        if says == _FIRST and not begun:
            begun = True
            continue
        yield f"{in_words(day)}: {says}", evidence


def rulings_of(docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield what the court decided: each motion of an order with what became of it, and the ends of the case."""

    def read(entry: DocketEntry) -> Iterator[tuple[str, Evidence]]:
        if entry.kind == "ruling":
            told = entry.decided or decided(entry.text, cues)
            yield from ((says, _evidence(entry)) for says in (*told, *cues.says("ruling", entry.text)))

    yield from _dated(docket, read)


def trials_of(docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield what the docket records of a trial."""

    def read(entry: DocketEntry) -> Iterator[tuple[str, Evidence]]:
        hits = cues.all("trial", entry.text) if entry.kind in {"ruling", "", "support"} else ()
        yield from ((hit.says, _evidence(entry)) for hit in hits if hit.name != "set")

    yield from _dated(docket, read)
    for entry in docket.entries:
        for hit in cues.all("trial", entry.text) if entry.kind in {"ruling", "", "support"} else ():
            days = [d for d in scan_dates(entry.text) if d.precision == "day" and d.start > hit.start]
            if hit.name == "set" and days:
                yield f"{hit.says} {in_words(days[0].iso)}", _evidence(entry)


def appeals_of(docket: Docket, parties: Sequence[Party], cues: Cues) -> Iterator[Said]:
    """Yield who appealed where, and what became of it."""
    court = _court(docket, cues)
    told: set[str] = set()

    def read(entry: DocketEntry) -> Iterator[tuple[str, Evidence]]:
        if entry.kind == "appeal":
            yield f"{_appellant(entry, parties)} appealed{f' to the {court}' if court else ''}", _evidence(entry)
        elif entry.kind == "mandate":
            for says in cues.says("appeal_outcome", entry.text):
                if says not in told:
                    told.add(says)
                    yield f"{court or 'Court of appeals'} {says}", _evidence(entry)

    yield from _dated(docket, read)


def _court(docket: Docket, cues: Cues) -> str:
    heads = [paper.text[:end] for paper, end in docket.heads]
    words = (
        *heads,
        *(e.text for e in docket.all if e.kind in {"appeal", "mandate"}),
        *(e.whole for e in docket.entries),
    )
    return next((hit.says for text in words if (hit := cues.first("circuit", text))), "")


def _appellant(entry: DocketEntry, parties: Sequence[Party]) -> str:
    """Return who did it: a party named after "by", else a party named anywhere, else the words after "by"."""
    _, by, behind = entry.text.partition(" by ")
    for low in (behind.lower(), entry.text.lower()):
        named = [(low.find(name.lower()), name) for p in parties if (name := p.name.partition(",")[0]).lower() in low]
        if named:
            return min(named)[1]
    for stop in (". ", " re ", " as to ", " from ", ", ", " (", ";", " to the "):
        behind = behind.partition(stop)[0]
    return behind.strip(" .,") if by else next((f"{s}s" for s in _SIDES if s.lower() in entry.text.lower()), "A party")


def decree_dates_of(docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield the dates of injunctions and decrees: entered, modified, stayed, ended."""

    def read(entry: DocketEntry) -> Iterator[tuple[str, Evidence]]:
        if entry.kind not in {"ruling", "mandate"} or (entry.kind == "mandate" and entry.paper.kind != "docket"):
            return
        outcomes = [hit.says for hit in cues.all("outcome", entry.text)]
        decree, events = cues.first("decree", entry.text), cues.says("decree_event", entry.text)
        if entry.paper.kind == "decree" and decree is not None:
            again = "modified" in cues.says("decree_event", entry.paper.title)
            yield f"{decree.says} {'modified' if again else 'entered'}", _evidence(entry)
        elif entry.paper.kind == "docket" and decree is not None and events and not _refused(outcomes):
            yield f"{decree.says} {next((e for e in _ORDER_OF_EVENTS if e in events), events[0])}", _evidence(entry)

    yield from _dated(docket, read)


def _refused(outcomes: Sequence[str]) -> bool:
    return bool(outcomes) and all(o.startswith(_DENIED) for o in outcomes)


def settlement_dates_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield when a settlement was signed, reached and approved."""
    for paper in bundle.own("settlement"):
        for match in _SIGNED.finditer(paper.text):
            days = [d for d in scan_dates(paper.text[match.end() : match.end() + 80]) if d.precision == "day"]
            if days:
                low, high = match.end() + days[0].start, match.end() + days[0].end
                yield f"{in_words(days[0].iso)}: Settlement agreement signed", paper.evidence(low, high)
                break

    def read(entry: DocketEntry) -> Iterator[tuple[str, Evidence]]:
        approving = entry.kind == "ruling" or (not entry.kind and entry.paper.kind == "docket")
        if approving and not _refused([hit.says for hit in cues.all("outcome", entry.text)]):
            yield from ((says, _evidence(entry)) for says in cues.says("settled", entry.text))

    yield from _dated(docket, read)


def disputes_of(docket: Docket, parties: Sequence[Party], cues: Cues) -> Iterator[Said]:
    """Yield each motion to enforce a settlement, with what came of it."""
    asked = [
        e
        for e in docket.entries or docket.papers
        if e.kind == "filing" and any("enforce settlement" in s for s in cues.says("motion", e.text))
    ]
    for entry in asked:
        answers = (
            (later, says.rpartition("agreement ")[2])
            for later in docket.all
            if later.date >= entry.date and later.kind == "ruling"
            for says in later.decided or decided(later.text, cues)
            if "enforce settlement" in says
        )
        later, outcome = next(answers, (None, "pending"))
        on = f" on {in_words(later.date)}" if later else ""
        yield (
            f"{in_words(entry.date)}: Motion to enforce settlement "
            f"agreement by {_mover(entry, parties)}, {outcome}{on}",
            _evidence(entry),
        )


def _mover(entry: DocketEntry, parties: Sequence[Party]) -> str:
    """Return the side that moved: by its name, or by that of a party."""
    low = entry.text.lower()
    named = (p.side.lower() for p in parties if p.name.partition(",")[0].lower() in low)
    side = next((side for side in ("plaintiff", "defendant") if side in low), None) or next(named, "")
    return f"{side}s" if side else _appellant(entry, parties)


def linked_cases(bundle: Bundle, docket: Docket, cues: Cues, name: str) -> Iterator[Said]:
    """Yield the numbers of the cases that the docket calls consolidated with this one, or related to it."""
    for paper, end in docket.heads:
        for low, high in pairwise((0, *(i + 1 for i, c in enumerate(paper.text[:end]) if c == "\n"), end)):
            line = paper.text[low:high]
            yield from ((number, paper.evidence(low, high)) for number in _linked(line, bundle, cues, name))
    for entry in docket.entries:
        yield from ((number, _evidence(entry)) for number in _linked(entry.text, bundle, cues, name))
    for paper in bundle.own("order", "support") if not docket.entries else ():
        for low, high in sentences(paper.text[:_NOTICE]):
            said = _linked(" ".join(paper.text[low:high].split()), bundle, cues, name)
            yield from ((number, paper.evidence(low, high)) for number in said)


def _linked(text: str, bundle: Bundle, cues: Cues, name: str) -> list[str]:
    said = {hit.name for hit in cues.all("linked", text)}
    if name not in said or (name == "related" and "consolidated" in said):
        return []
    numbers = (hit.taken or text[hit.start : hit.end] for hit in cues.all("number", text))
    return [_without_initials(n) for n in numbers if comparable(n) != bundle.number]


def _without_initials(number: str) -> str:
    parts = number.split("-")
    while len(parts) > _PARTS and parts[-1].isalpha():
        parts.pop()
    return "-".join(parts).partition(" (")[0]
