"""Style D: the docket of a state court."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.frame import DocketLine, docket_rows, sides
from flows.bench.extraction.cases.sheet import Sheet, long_date
from flows.bench.extraction.cases.world import Event, World

_TEXTS: Final = (
    "NOTICE of Appearance by {who} on behalf of {body}.",
    "Consent MOTION for Extension of Time to File Response/Reply as to {n} Motion by {body}.",
    "TEXT ORDER granting {n} Motion for Extension of Time. No document attached.",
    "SUMMONS Returned Executed. Answer due in 21 days.",
    "RULE 26(f) REPORT of the parties.",
    "Corporate Disclosure Statement. (Attachments: # 1 Text of Proposed Order)",
    "CERTIFICATE OF SERVICE of discovery requests.",
    "NOTICE of Hearing on Motion {n}: status conference to be held by telephone.",
    "Sealed MOTION. Access is limited to court users.",
    "ORDER granting {n} Motion to Withdraw as Attorney.",
    "BRIEF in Opposition re {n} Motion to Dismiss.",
    "Minute Entry for proceedings held before the magistrate judge: discovery conference.",
    "NOTICE of Change of Address by {who}.",
    "AFFIDAVIT of {who} re {n} Motion for Summary Judgment.",
)


def case_number(world: World) -> str:
    """Return the number of the case with the initials of its judge."""
    first, last = world.judge.split()
    return f"{world.number} ({first[0]}{last[0]})"


def titled(what: str) -> str:
    """Return a motion as a sentence names it."""
    return " ".join(w if w in {"for", "to", "of"} else w[:1].upper() + w[1:] for w in what.split())


def docket_of(world: World, chance: Random) -> Sheet:
    """Return a docket whose table was pasted: each cell is a line by itself."""
    sheet = Sheet("docket-report.txt", world.filed - timedelta(days=1))
    shown = world.wrong_date or world.filed
    sheet.add(f"{world.court[0]}\nCIVIL ACTION DOCKET: {case_number(world)}\n\n{world.title}\n\nPresiding Judge:\n")
    sheet.say(world.judge, ("judge_name", world.judge))
    sheet.add("\nReferral Judge:\n")
    sheet.say(f"Magistrate Judge {world.magistrate}", ("judge_name", world.magistrate))
    sheet.add("\nDate Case Filed:\n")
    sheet.say(f"{shown:%m/%d/%Y}", *([] if world.wrong_date else [("filing_date", long_date(world.filed))]))
    sheet.add("\nDemand: None\nNature of Suit: Civil Rights\n")
    if world.related:
        sheet.add("Related to:\n")
        sheet.say(world.related, ("related_cases", world.related))
        sheet.add("\n")
    sheet.add("\nParty                     Role            Counsel\n\n")
    for side, names, who in sides(world):
        for name in names:
            person, _, office = name.partition(", ")
            sheet.say(f"{person}\n{side}", ("parties", f"{side}: {name}"))
            sheet.add(f"\n{office}, in an official capacity" if office else "")
            sheet.add("\nRepresented by: ")
            sheet.say(who[1], truth.counsel(side, who))
            sheet.add("\n\n")
    sheet.add("Filing Date\n#\nDocket Text\n\n")
    for at, (day, text, pairs) in enumerate(_rows(world, chance), 1):
        sheet.add(f"{day:%m/%d/%Y}\n{at}\n")
        sheet.say(text, *pairs)
        sheet.add("\n")
    return sheet


def _rows(world: World, chance: Random) -> list[DocketLine]:
    numbers = {event.day: 3 * at + 1 for at, event in enumerate(world.events)}
    righted = f"NOTICE of Docket Correction: filing date of Complaint changed to {world.filed:%m/%d/%Y}."
    return docket_rows(world, lambda e: _text(world, e, numbers), (11, righted), _routine(world, chance))


def _routine(world: World, chance: Random) -> Iterator[tuple[date, str]]:
    for _ in range(world.busy):
        words = chance.choice(_TEXTS).format(who="Counsel", body=world.body, n=chance.randint(2, 200))
        yield world.filed + timedelta(days=chance.randint(1, 1_100)), words


def _text(world: World, event: Event, numbers: dict[date, int]) -> str:
    by = {"plaintiff": world.plaintiffs[0], "defendant": world.body, "joint": "All Parties"}.get(event.by, "Proposed")
    judge = truth.sits(world, event.day)
    done = f"Signed by Judge {judge} on {event.day:%m/%d/%Y}."
    named = titled(event.what)
    if event.kind == "trial set":
        return f"ORDER Setting Trial: Jury Selection and Trial set for {_day(event.what)} in Courtroom 4. {done}"
    return {
        "filed": f"{event.what.upper()} against All Defendants filed by {world.plaintiffs[0]}. (Filing fee $ 400)",
        "motion": f"First MOTION {named.removeprefix('Motion ')} by {by} with Brief In Support."
        if named.startswith("Motion")
        else f"Joint MOTION {named.removeprefix('Joint Motion ')} by All Parties.",
        "ruling": f"OPINION AND ORDER: the {numbers[event.day]} {named} is {event.outcome.upper()}. {done}",
        "decree": f"{event.what.upper()} {event.outcome}. {done}",
        "appeal": f"NOTICE OF APPEAL by {world.body} to the {world.court[3]}. Filing fee $ 505, receipt on file.",
        "mandate": f"MANDATE of USCA for the {world.court[3]}: {event.what.upper()}.",
        "trial": f"Minute Entry for Jury Trial (Day 1) before Judge {judge}: jury empaneled and sworn; trial began."
        if "began" in event.what
        else f"JURY VERDICT in favor of {event.what.removeprefix('Jury verdict for ')}.",
        "judgment": f"CLERK'S JUDGMENT in favor of {event.what.removeprefix('Judgment for ')}.",
        "closed": f"ORDER OF DISMISSAL: this action is dismissed with prejudice. {done}",
        "settlement": f"ORDER APPROVING SETTLEMENT. {done}"
        if "approved" in event.what
        else "NOTICE of Settlement: settlement agreement executed by the parties.",
        "report": f"STATUS REPORT ({event.what}) filed by the Monitor.",
        "linked": f"NOTICE of Related Case {world.related}."
        if event.what == "related"
        else f"ORDER OF CONSOLIDATION: case {world.consolidated} is consolidated herewith for all purposes.",
        "judge": f"NOTICE OF REASSIGNMENT of case to Judge {event.what}.",
    }[event.kind]


def _day(iso: str) -> str:
    return f"{date.fromisoformat(iso):%m/%d/%Y}"
