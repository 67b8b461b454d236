"""What happened, by the docket: filings, rulings, trials, appeals, decrees, settlements and other cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tasks.drafting.extraction.scanning.cues import Cues, Hit
from tasks.drafting.extraction.scanning.docket import Docket, Entry
from tasks.drafting.extraction.scanning.papers import Bundle, comparable, in_words
from tasks.drafting.extraction.scanning.parties import Party
from tasks.legaltext.checklists.records import Evidence
from tasks.legaltext.dates.scan import scan_dates

Said = tuple[str, Evidence]
_SIGNED = re.compile(r"\b(?:entered into|made|executed|signed|dated)\b", re.IGNORECASE)
_DENIED = ("denied", "withdrawn")
# What a motion asks to be done to a decree, and what is then said of it.
_ORDER_OF_EVENTS = ("terminated", "vacated", "modified", "extended", "stayed", "entered")


def _evidence(entry: Entry) -> Evidence:
    return entry.paper.evidence(entry.start, min(entry.end, entry.start + 400))


def filed_on(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield the day of the first complaint; a correction of it on the docket counts instead."""
    for entry in docket.entries:
        if cues.first("corrected", entry.whole) and _pleading(entry.whole, cues) and "fil" in entry.whole.lower():
            days = [d for d in scan_dates(entry.text) if d.precision == "day" and d.iso != entry.date]
            if days:
                yield in_words(days[-1].iso), _evidence(entry)
                return
    for entry in docket.entries:
        if entry.kind == "filing" and _pleading(entry.text, cues):
            yield in_words(entry.date), _evidence(entry)
            return
    for paper in bundle.own("complaint"):
        if paper.filed:
            yield in_words(paper.filed), paper.evidence(0, min(len(paper.text), 200))
            return


def _pleading(text: str, cues: Cues) -> Hit | None:
    return next((hit for hit in cues.all("motion", text) if hit.name == "pleading"), None)


def filings_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield what was filed and matters: pleadings and motions. The first complaint bears the day of filing."""
    first = next(filed_on(bundle, docket, cues), None)
    for entry in docket.entries:
        if cues.first("corrected", entry.text):
            continue
        hit = cues.first("motion", entry.text) if entry.kind == "filing" else None
        if hit is not None and hit.name and first is not None:
            yield f"{first[0]}: {hit.says}", first[1]
            first = None
            continue
        if hit is not None:
            for one in cues.all("motion", entry.text[:200]) if not hit.name else [hit]:
                if not one.name:
                    yield f"{in_words(entry.date)}: {one.says}", _evidence(entry)
            if hit.name:
                yield f"{in_words(entry.date)}: {hit.says}", _evidence(entry)


def rulings_of(docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield what the court decided: each motion of an order with what became of it, and the ends of the case."""
    for entry in docket.entries:
        if entry.kind != "ruling":
            continue
        for says in (*_decided(entry, cues), *cues.says("ruling", entry.text)):
            yield f"{in_words(entry.date)}: {says}", _evidence(entry)


def _decided(entry: Entry, cues: Cues) -> list[str]:
    outcomes = cues.all("outcome", entry.text)
    motions = [hit for hit in cues.all("motion", entry.text) if not hit.name]
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


def trials_of(docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield what the docket records of a trial."""
    for entry in docket.entries:
        for hit in cues.all("trial", entry.text) if entry.kind in {"ruling", "", "support"} else ():
            if hit.name != "set":
                yield f"{in_words(entry.date)}: {hit.says}", _evidence(entry)
                continue
            days = [d for d in scan_dates(entry.text) if d.precision == "day" and d.start > hit.start]
            if days:
                yield f"{hit.says} {in_words(days[0].iso)}", _evidence(entry)


def appeals_of(docket: Docket, parties: Sequence[Party], cues: Cues) -> Iterator[Said]:
    """Yield who appealed where, and what became of it."""
    court = _court(docket, cues)
    told: set[str] = set()
    for entry in docket.entries:
        if entry.kind == "appeal":
            yield (
                f"{in_words(entry.date)}: {_appellant(entry, parties)} appealed{f' to the {court}' if court else ''}",
                _evidence(entry),
            )
        elif entry.kind == "mandate":
            for says in cues.says("appeal_outcome", entry.text):
                if says not in told:
                    told.add(says)
                    yield f"{in_words(entry.date)}: {court or 'Court of appeals'} {says}", _evidence(entry)


def _court(docket: Docket, cues: Cues) -> str:
    heads = [paper.text[:end] for paper, end in docket.heads]
    words = (
        *heads,
        *(e.whole for e in docket.entries if e.kind in {"appeal", "mandate"}),
        *(e.whole for e in docket.entries),
    )
    return next((hit.says for text in words if (hit := cues.first("circuit", text))), "")


def _appellant(entry: Entry, parties: Sequence[Party]) -> str:
    """Return who is said to have done it: a party by name, else the words behind "by"."""
    _, by, behind = entry.text.partition(" by ")
    low = behind.lower()
    named = [(low.find(name.lower()), name) for p in parties if (name := p.name.partition(",")[0]).lower() in low]
    if named:
        return min(named)[1]
    for stop in (". ", " re ", " as to ", " from ", ", ", " (", ";", " to the "):
        behind = behind.partition(stop)[0]
    return behind.strip(" .,") if by else "A party"


def decree_dates_of(docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield the dates of injunctions and decrees: entered, modified, stayed, ended."""
    for entry in docket.entries:
        if entry.kind not in {"ruling", "mandate"}:
            continue
        outcomes = [hit.says for hit in cues.all("outcome", entry.text)]
        decree, events = cues.first("decree", entry.text), cues.says("decree_event", entry.text)
        if decree is None or not events or (outcomes and all(o.startswith(_DENIED) for o in outcomes)):
            continue
        event = next((e for e in _ORDER_OF_EVENTS if e in events), events[0])
        yield f"{in_words(entry.date)}: {decree.says} {event}", _evidence(entry)


def settlement_dates_of(bundle: Bundle, docket: Docket, cues: Cues) -> Iterator[Said]:
    """Yield when a settlement was signed, reached and approved."""
    for paper in bundle.own("settlement"):
        for match in _SIGNED.finditer(paper.text):
            days = [d for d in scan_dates(paper.text[match.end() : match.end() + 80]) if d.precision == "day"]
            if days:
                low, high = match.end() + days[0].start, match.end() + days[0].end
                yield f"{in_words(days[0].iso)}: Settlement agreement signed", paper.evidence(low, high)
                break
    for entry in docket.entries:
        for says in cues.says("settled", entry.text) if entry.kind == "ruling" else ():
            yield f"{in_words(entry.date)}: {says}", _evidence(entry)


def disputes_of(docket: Docket, parties: Sequence[Party], cues: Cues) -> Iterator[Said]:
    """Yield each motion to enforce a settlement, with what came of it."""
    asked = [
        e
        for e in docket.entries
        if e.kind == "filing" and any("enforce settlement" in s for s in cues.says("motion", e.text))
    ]
    for entry in asked:
        decided = (
            (later, says.rpartition("agreement ")[2])
            for later in docket.entries
            if later.date >= entry.date and later.kind == "ruling"
            for says in _decided(later, cues)
            if "enforce settlement" in says
        )
        later, outcome = next(decided, (None, "pending"))
        on = f" on {in_words(later.date)}" if later else ""
        yield (
            f"{in_words(entry.date)}: Motion to enforce settlement "
            f"agreement by {_mover(entry, parties)}, {outcome}{on}",
            _evidence(entry),
        )


def _mover(entry: Entry, parties: Sequence[Party]) -> str:
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


def _linked(text: str, bundle: Bundle, cues: Cues, name: str) -> list[str]:
    said = {hit.name for hit in cues.all("linked", text)}
    if name not in said or (name == "related" and "consolidated" in said):
        return []
    numbers = (hit.taken or text[hit.start : hit.end] for hit in cues.all("number", text))
    return [_without_initials(n) for n in numbers if comparable(n) != bundle.number]


def _without_initials(number: str) -> str:
    parts = number.split("-")
    while len(parts) > 3 and parts[-1].isalpha():
        parts.pop()
    return "-".join(parts).partition(" (")[0]
