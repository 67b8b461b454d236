"""Style A: the docket of a federal district court, as PACER shows it."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date
from flows.bench.extraction.cases.world import Event, World

_ROUTINE: Final = (
    "NOTICE of Appearance by counsel on behalf of all defendants.",
    "STIPULATION to extend time to respond re {n} filed by all parties.",
    "ORDER granting {n} Motion for Extension of Time. Responses due by {day}.",
    "CERTIFICATE of Service re {n}.",
    "MOTION for Leave to File Excess Pages.",
    "ORDER granting {n} Motion for Leave to File Excess Pages.",
    "TRANSCRIPT of Proceedings held on {day}. Redaction request due in 21 days.",
    "MOTION to Appear Pro Hac Vice. Filing fee $ 317.",
    "ORDER granting {n} Motion to Appear Pro Hac Vice.",
    "JOINT STATUS REPORT by all parties.",
    "Minute Entry: telephone conference held on {day}.",
    "DECLARATION in support of {n}.",
    "MOTION to Compel production of documents.",
    "ORDER denying {n} Motion to Compel without prejudice.",
    "RESPONSE to {n} Motion to Dismiss.",
    "REPLY re {n} Motion for Summary Judgment.",
)


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split())


def case_number(world: World) -> str:
    """Return the number of the case with the initials of its judge."""
    return f"{world.number}-{_initials(world.judge)}"


def _us(day: date) -> str:
    return f"{day:%m/%d/%Y}"


def docket_of(world: World, chance: Random) -> Sheet:
    """Return the docket of a case."""
    sheet = Sheet("docket-sheet.txt", world.filed - timedelta(days=1))
    shown = world.wrong_date or world.filed
    filed: Pair = ("filing_date", long_date(world.filed))
    sheet.add(f"U.S. District Court\n{world.court[0]}\nCIVIL DOCKET FOR CASE #: {case_number(world)}\n\n")
    sheet.add(f"{world.plaintiffs[0]} et al v. {world.body} et al\n")
    sheet.say(f"Assigned to: Judge {world.judge}\n", ("judge_name", world.judge))
    sheet.say(f"Referred to: Magistrate Judge {world.magistrate}\n", ("judge_name", world.magistrate))
    if world.related:
        sheet.say(f"Related Case: {world.related}\n", ("related_cases", world.related))
    if any(e.kind == "appeal" for e in world.events):
        sheet.add(f"Case in other court: {world.court[4]}, {world.appeal_number}\n")
    sheet.add("Cause: 42:1983 Civil Rights Act\n")
    head = f"Date Filed: {_us(shown)}\n"
    sheet.say(head, *([] if world.wrong_date else [filed]))
    sheet.add("Jury Demand: Plaintiff\nNature of Suit: 440 Civil Rights: Other\nJurisdiction: Federal Question\n\n")
    for name in truth.plaintiffs(world):
        _party(sheet, "Plaintiff", name, ("parties", f"Plaintiff: {name}"), world.plaintiff_counsel, world.is_class)
    for name in truth.defendants(world, late=True):
        _party(sheet, "Defendant", name, ("parties", f"Defendant: {name}"), world.defense_counsel, False)
    sheet.add("\nDate Filed      #    Docket Text\n")
    _entries(sheet, world, chance, filed)
    return sheet


def _party(sheet: Sheet, side: str, name: str, pair: Pair, who: tuple[str, str], is_class: bool) -> None:
    person, _, office = name.partition(", ")
    sheet.add(f"{side}\n")
    sheet.say(f"{person}", pair)
    sheet.add("\n")
    if office:
        sheet.add(f"in his official capacity as {office}\n")
    if is_class and side == "Plaintiff":
        sheet.add("individually and on behalf of all others similarly situated\n")
    sheet.add("represented by  ")
    sheet.say(f"{who[1]}", truth.counsel(side, who))
    sheet.add("\n    LEAD ATTORNEY\n    ATTORNEY TO BE NOTICED\n\n")


def _entries(sheet: Sheet, world: World, chance: Random, filed: Pair) -> None:
    lines: list[tuple[date, str, list[Pair]]] = []
    motions: dict[str, int] = {}
    for number, event in enumerate(world.events, 1):
        pair = truth.pair_of(world, event)
        pairs = [pair] if pair else []
        text = _entry(world, event, motions, number)
        if event.kind == "filed" and event.what == "Complaint" and not world.wrong_date:
            pairs.append(filed)
        if event.kind in {"motion", "filed"}:
            motions[event.what] = number
        if event.kind == "linked":
            item = "consolidated_cases" if event.what == "consolidated" else "related_cases"
            pairs.append((item, world.consolidated if event.what == "consolidated" else world.related))
        if event.kind == "judge":
            pairs.append(("judge_name", world.second_judge))
        if event.what == "Motion to enforce settlement agreement" and (dispute := truth.dispute_of(world)):
            pairs.append(("enforcement_disputes", dispute))
        shown = world.wrong_date if event.what == "Complaint" and world.wrong_date else event.day
        lines.append((shown, text, pairs))
        if event.kind == "motion" and event.by != "joint":
            lines.append(
                (
                    event.day + timedelta(days=14),
                    f"RESPONSE in Opposition re {number} {event.what}. (Attachments: # 1 Exhibit A, # 2 Declaration)",
                    [],
                )
            )
        if event.what == "Complaint":
            lines.append((event.day + timedelta(days=3), "Summons Issued.", []))
            if world.wrong_date:
                lines.append(
                    (
                        event.day + timedelta(days=9),
                        f"CLERK'S NOTE: docketed in error under {_us(world.wrong_date)}. "
                        f"The Complaint was filed on {_us(world.filed)}.",
                        [filed],
                    )
                )
    for _ in range(world.busy):
        day = world.filed + timedelta(days=chance.randint(1, 1_100))
        lines.append(
            (day, chance.choice(_ROUTINE).format(n=chance.randint(2, 200), day=_us(day + timedelta(days=30))), [])
        )
    for at, (day, text, pairs) in enumerate(sorted(lines, key=lambda line: line[0]), 1):
        sheet.add(f"{_us(day)}    {at:4}  ")
        sheet.say(f"{text} (Entered: {_us(day)})\n", *pairs)


def _entry(world: World, event: Event, motions: dict[str, int], number: int) -> str:
    by = {
        "plaintiff": ", ".join(world.plaintiffs[:1]),
        "defendant": world.body,
        "intervenor": "Association of Officers",
    }.get(event.by, "all parties")
    re = motions.get(event.what, number)
    judge = world.second_judge or world.judge
    said = {
        "filed": f"{event.what.upper()} against {world.body}. Filed by {by}. (Attachments: # 1 Civil Cover Sheet)",
        "motion": f"{_upper(event.what)} filed by {by}.",
        "ruling": f"ORDER {in_progress(event.outcome)} {re} {event.what}. Signed by Judge {judge}.",
        "decree": f"{event.what.upper()} {'entered' if event.outcome == 'entered' else 'as modified'}. "
        f"Signed by Judge {judge}.",
        "appeal": f"NOTICE OF APPEAL by {world.body}. Filing fee $ 505.",
        "mandate": f"USCA OPINION of {world.court[4]} as to notice of appeal: "
        f"the order of the district court is {event.what.upper()}.",
        "trial set": f"SCHEDULING ORDER: Jury Trial set for {_us(date.fromisoformat(event.what))} before Judge {judge}."
        if event.kind == "trial set"
        else "",
        "trial": f"Minute Entry: {'Jury Trial held' if 'began' in event.what else event.what.upper()} "
        f"before Judge {judge}.",
        "judgment": f"{event.what.upper()}.",
        "closed": f"ORDER. {event.what}. Signed by Judge {judge}.",
        "settlement": "ORDER granting final approval of the settlement."
        if "approved" in event.what
        else "NOTICE by all parties of agreement in principle.",
        "report": f"{event.what.upper()} REPORT of the Monitor.",
        "linked": f"NOTICE OF RELATED CASE {world.related} by {by}."
        if event.what == "related"
        else f"ORDER consolidating case {world.consolidated} with this action.",
        "judge": f"ORDER REASSIGNING CASE. Case reassigned to Judge {event.what} for all further proceedings.",
    }
    return said[event.kind]


def _upper(what: str) -> str:
    first, _, rest = what.partition(" ")
    return f"{first.upper()} {rest.title().replace(' For ', ' for ').replace(' To ', ' to ').replace(' Of ', ' of ')}"


def in_progress(outcome: str) -> str:
    """Return an outcome as an order words it: "granted" as "granting"."""
    return outcome.replace("granted", "granting").replace("denied", "denying")
