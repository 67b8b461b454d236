"""Style F: a docket that is pasted as text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.frame import DocketLine, docket_rows, sides
from flows.bench.extraction.cases.sheet import Sheet, long_date
from flows.bench.extraction.cases.world import Event, World

_BUSY: Final = (
    "STIPULATION WITH PROPOSED ORDER to Continue Case Management Conference filed by {body}.",
    "CLERK'S NOTICE SETTING ZOOM HEARING. Hearing set for {day} at 01:30 PM.",
    "ADR Certification (ADR L.R. 3-5b) of discussion of ADR options.",
    "DECLARATION of Counsel in Opposition to {n} MOTION filed by {body}. (Attachments: # 1 Exhibit A)",
    "CERTIFICATE OF SERVICE by {body} re {n}",
    "Transcript of Proceedings held on {day}. Redaction Request due in 21 days.",
    "ORDER by the Court granting {n} Stipulation.",
    "NOTICE of Appearance on behalf of {body}.",
    "JOINT CASE MANAGEMENT STATEMENT filed by {body}.",
)


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split())


def case_number(world: World) -> str:
    """Return the number of the case with the initials of its judge."""
    return f"{world.number}-{_initials(world.judge)}"


def in_progress(outcome: str) -> str:
    """Return an outcome as an order words it: "granted" as "granting"."""
    return outcome.replace("granted", "granting").replace("denied", "denying")


def docket_of(world: World, chance: Random) -> Sheet:
    """Return the docket of a case."""
    sheet = Sheet("case-page.txt", world.filed - timedelta(days=1))
    shown = world.wrong_date or world.filed
    sheet.add(f"{world.title} ({world.number})\nDistrict Court, {world.court[1]}\n\nAssigned To:\n")
    sheet.say(world.judge, ("judge_name", world.judge))
    sheet.add("\nReferred To:\n")
    sheet.say(world.magistrate, ("judge_name", world.magistrate))
    sheet.add("\nDate Filed:\n")
    sheet.say(f"{shown:%B} {shown.day}, {shown.year}",
              *([] if world.wrong_date else [("filing_date", long_date(world.filed))]))  # fmt: skip
    sheet.add("\n\nDocument Number\nDate Filed\nDescription\n\n")
    for at, (day, words, pairs) in enumerate(_rows(world, chance), 1):
        sheet.say(
            f"{at}\n{day:%b} {day.day}, {day.year}\n{words} (abc, COURT STAFF) (Filed on {day:%-m/%-d/%Y})", *pairs
        )
        sheet.add("\n\n")
    sheet.add("Parties\n\n")
    for side, names, who in sides(world):
        for name in names:
            sheet.say(f"{name}\n{side}", ("parties", f"{side}: {name}"))
            sheet.add("\n")
        start = sheet.length
        sheet.add(f"Attorneys for the {side.lower()}s: {who[1]}\n\n")
        sheet.places.append((truth.counsel(side, who), start, sheet.length))
    return sheet


def _rows(world: World, chance: Random) -> list[DocketLine]:
    righted = f"CLERK'S NOTICE re 1 Complaint: filing date corrected, the complaint was filed {long_date(world.filed)}."
    return docket_rows(world, lambda e: _row(world, e), (10, righted), _routine(world, chance))


def _routine(world: World, chance: Random) -> Iterator[tuple[date, str]]:
    for _ in range(world.busy):
        day = world.filed + timedelta(days=chance.randint(1, 1_100))
        heard = f"{day + timedelta(days=chance.randint(7, 60)):%-m/%-d/%Y}"
        yield day, chance.choice(_BUSY).format(n=chance.randint(2, 200), body=world.body, day=heard)


def _row(world: World, event: Event) -> str:
    by = {"plaintiff": world.plaintiffs[0], "defendant": world.body, "joint": f"{world.plaintiffs[0]}, {world.body}"}
    who = by.get(event.by, "proposed intervenor")
    signed = f"Signed by Judge {truth.sits(world, event.day)} on {event.day:%-m/%-d/%Y}."
    if event.kind == "trial set":
        day = date.fromisoformat(event.what)
        return f"CASE MANAGEMENT SCHEDULING ORDER: Jury Trial set for {long_date(day)} at 08:30 AM. {signed}"
    if event.kind == "motion":
        heard = event.day + timedelta(days=35)
        return f"{event.what.upper()} filed by {who}. Motion Hearing set for {heard:%-m/%-d/%Y} 09:00 AM."
    return {
        "filed": f"{event.what.upper()} against {world.body}. Filed by {who if event.by else world.plaintiffs[0]}.",
        "ruling": f"ORDER by Judge {truth.sits(world, event.day)} {in_progress(event.outcome)} {event.what}. {signed}",
        "decree": f"{event.what.upper()} {event.outcome}. {signed}",
        "appeal": f"NOTICE OF APPEAL to the {world.court[3]} Court of Appeals filed by {world.body}.",
        "mandate": f"USCA OPINION as to Notice of Appeal: {world.court[3]} {event.what}. Mandate issued.",
        "trial": f"Minute Entry for proceedings held before Judge {truth.sits(world, event.day)}: {event.what}.",
        "judgment": f"{event.what.upper()}. Civil case terminated.",
        "closed": f"ORDER OF DISMISSAL: {event.what}. {signed}",
        "settlement": f"{event.what}. Filed by the parties.",
        "report": f"{event.what} Report of Independent Monitor filed by {world.monitor}.",
        "linked": f"NOTICE of related case {world.related}."
        if event.what == "related"
        else f"ORDER consolidating case {world.consolidated} with this action. {signed}",
        "judge": f"ORDER REASSIGNING CASE. Case reassigned to Judge {event.what} for all further proceedings.",
    }[event.kind]
