"""Style A: a federal district court that keeps its docket as PACER shows it; counsel who draft in numbered sections."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.dockets.style_a import case_number, docket_of, in_progress
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date
from flows.bench.extraction.cases.themes import NUMBERS
from flows.bench.extraction.cases.world import Event, World

_RELIEF: Final = {
    "Declaratory judgment": "Declare that the acts and omissions described above violate the law",
    "Permanent injunction": "Permanently enjoin Defendants, their agents and successors from continuing them",
    "Compensatory damages": "Award compensatory damages in an amount to be proved at trial",
    "Punitive damages": "Award punitive damages against the individual Defendants",
    "Nominal damages": "Award nominal damages",
    "Class certification": "Certify this action as a class action under Rule 23",
    "Attorneys' fees and costs": "Award Plaintiffs their reasonable attorneys' fees and costs under 42 U.S.C. § 1988",
}
_ROMAN: Final = ["I", "II", "III", "IV", "V", "VI"]


def draft(world: World, chance: Random) -> list[Sheet]:
    """Return the papers of a case: docket, pleadings, orders, and what ended it."""
    sheets = [*([docket_of(world, chance)] if world.docketed else []), _complaint(world, late=False)]
    if any(e.what == "First amended complaint" for e in world.events):
        sheets.append(_complaint(world, late=True))
    for event in world.events:
        if event.kind == "motion":
            sheets.append(_motion(world, event, chance))
        elif event.kind == "ruling":
            sheets.append(_ruling(world, event, chance))
        elif event.kind == "report":
            sheets.append(_report(world, event))
    if world.reported:
        sheets.append(_authority(world))
    if world.ending == "decree":
        sheets += _decrees(world)
    if world.ending == "settlement":
        sheets.append(_settlement(world))
    return sheets


def _caption(world: World, title: str, day: date, entry: int, late: bool = False) -> str:
    stamp = f"Case {case_number(world)}   Document {entry}   Filed {day:%m/%d/%y}   Page 1 of {entry % 40 + 3}\n\n"
    sued = "; ".join(
        n.replace(", ", ", in his official capacity as ", 1).upper() if "," in n else n.upper()
        for n in truth.defendants(world, late=late)
    )
    left = ", ".join(n.upper() for n in truth.plaintiffs(world))
    similarly = ", individually and on behalf of all others similarly situated" if world.is_class else ""
    return (
        f"{stamp}UNITED STATES DISTRICT COURT\n{world.court[0].upper()}\n\n{left}{similarly},\n\n "
        f"       Plaintiffs,\n\n    v.\n\n{sued},\n\n"
        f"        Defendants.\n\nCase No. {case_number(world)}\n\n{title}\n\n"
    )


def _complaint(world: World, *, late: bool) -> Sheet:
    event = next(e for e in world.events if e.what == ("First amended complaint" if late else "Complaint"))
    sheet = Sheet("first-amended-complaint.txt" if late else "complaint.txt", event.day)
    title = (
        f"{'FIRST AMENDED ' if late else ''}{'CLASS ACTION ' if world.is_class else ''}COMPLAINT "
        "FOR DECLARATORY AND INJUNCTIVE RELIEF"
    )
    kind: Pair = ("class_or_individual", f"Plaintiffs: {'Class action' if world.is_class else 'Individual'}")
    sheet.say(_caption(world, title, event.day, 1, late), kind, *_begun(world, event, late))
    at = 1
    sheet.add(
        f"INTRODUCTION\n\n{at}. This is an action about the {world.theme.name} "
        f"practices of {world.body}.\n\nJURISDICTION AND VENUE\n\n"
    )
    at += 1
    sheet.add(f"{at}. Jurisdiction rests on 28 U.S.C. §§ 1331 and 1343. Venue lies in this district.\n\nPARTIES\n\n")
    for side, names in (("Plaintiff", truth.plaintiffs(world)), ("Defendant", truth.defendants(world, late=late))):
        for name in names:
            at += 1
            person, _, office = name.partition(", ")
            sheet.say(
                f"{at}. {side} {person} "
                f"{f'is the {office} and is sued in an official capacity' if office else 'is found in this district'}.",
                ("parties", f"{side}: {name}"),
            )
            sheet.add("\n\n")
    sheet.add("FACTUAL ALLEGATIONS\n\n")
    for fact in world.facts:
        at += 1
        sheet.add(f"{at}. ")
        sheet.say(fact, ("factual_basis", fact))
        sheet.add("\n\n")
    sheet.add("CLAIMS FOR RELIEF\n\n")
    for roman, claim in zip(_ROMAN, truth.claims(world, late=late), strict=False):
        sheet.say(f"COUNT {roman}\n{claim.heading}\n", ("cause_of_action", claim.vehicle), ("legal_basis", claim.basis))
        at += 1
        sheet.add(f"\n{at}. Plaintiffs reallege the paragraphs above. Defendants acted under color of law.\n\n")
    sheet.add("PRAYER FOR RELIEF\n\nPlaintiffs ask that the Court:\n\n")
    for letter, remedy in zip("ABCDEFGH", world.remedies, strict=False):
        sheet.say(f"{letter}. {_RELIEF[remedy]};\n", ("remedy_sought", f"Plaintiffs: {remedy}"))
    sheet.add(f"\nDated: {long_date(event.day)}\n\n")
    sheet.say(
        f"{world.plaintiff_counsel[1]}\nAttorneys for Plaintiffs", truth.counsel("Plaintiff", world.plaintiff_counsel)
    )
    sheet.add("\n")
    return sheet


def _begun(world: World, event: Event, late: bool) -> list[Pair]:
    """Return what the stamp on a pleading tells."""
    told = truth.pair_of(world, event)
    return [*([told] if told else []), *([] if late else [("filing_date", long_date(world.filed))])]


def _motion(world: World, event: Event, chance: Random) -> Sheet:
    name = event.what.lower().replace(" ", "-").replace("'", "")
    sheet = Sheet(f"{name}.txt", event.day)
    side = {"plaintiff": "PLAINTIFFS' ", "defendant": "DEFENDANTS' ", "intervenor": "PROPOSED INTERVENOR'S "}.get(
        event.by, ""
    )
    pair = truth.pair_of(world, event)
    sheet.say(
        _caption(world, f"{side}{event.what.upper()}", event.day, chance.randint(5, 300)), *([pair] if pair else [])
    )
    sheet.add(
        f"The moving party files this {event.what.lower()} and states the grounds "
        f"in the memorandum filed with it.\n\nDated: {long_date(event.day)}\n"
    )
    return sheet


def _ruling(world: World, event: Event, chance: Random) -> Sheet:
    sheet = Sheet(f"order-{event.what.lower().replace(' ', '-').replace(chr(39), '')}.txt", event.day)
    judge = world.second_judge or world.judge
    pair = truth.pair_of(world, event)
    title = f"ORDER {in_progress(event.outcome).upper()} {event.what.upper()}"
    sheet.say(_caption(world, title, event.day, chance.randint(5, 300)), *([pair] if pair else []))
    sheet.add(f"Before the Court is the {event.what.lower()}. The Court has read the papers and heard argument.\n\n")
    for citation in world.reported:
        if event.day.year > int(citation[:4]) or event is world.events[-1]:
            sheet.say(f"See {world.title}, No. {world.number}, {citation}", ("reported_opinions", citation))
            sheet.add(f" ({world.court[1]}).\n\n")
    if event.what == "Motion for preliminary injunction" and world.enjoined:
        sheet.add("IT IS HEREBY ORDERED that:\n\n1. ")
        sheet.say(world.enjoined[0], ("decree_terms", world.enjoined[0]))
        sheet.add("\n\n2. ")
        sheet.say(
            "This injunction shall remain in effect until final judgment.",
            ("decree_duration", "Preliminary injunction: until final judgment"),
        )
        sheet.add("\n\n")
    else:
        sheet.add(f"For these reasons the motion is {event.outcome.upper()}.\n\n")
    if event.what == "Motion for approval of settlement":
        kept = (
            "The Court retains jurisdiction to enforce the Settlement Agreement."
            if world.retains
            else "The Court does not retain jurisdiction over the Settlement Agreement."
        )
        sheet.say(kept, ("court_enforcement", "Yes" if world.retains else "No"))
        sheet.add("\n\n")
    sheet.add(f"IT IS SO ORDERED.\n\nDated: {long_date(event.day)}\n\n")
    sheet.say(f"{judge}\nUnited States District Judge\n", ("judge_name", judge))
    return sheet


def _authority(world: World) -> Sheet:
    day = world.events[-1].day + timedelta(days=5)
    sheet = Sheet("notice-of-supplemental-authority.txt", day)
    sheet.add(_caption(world, "NOTICE OF SUPPLEMENTAL AUTHORITY", day, 310))
    sheet.add("The parties are aware of these decisions. ")
    for citation in world.reported:
        sheet.say(f"{world.title}, No. {world.number}, {citation}", ("reported_opinions", citation))
        sheet.add(f" ({world.court[1]}). ")
    return sheet


def _decrees(world: World) -> list[Sheet]:
    entered = [e.day for e in world.events if e.kind == "decree" and e.what == "Consent decree"]
    sheets = []
    for at, day in enumerate(entered):
        years = world.later_years if at else world.years
        sheet = Sheet("amended-consent-decree.txt" if at else "consent-decree.txt", day)
        sheet.add(_caption(world, "AMENDED CONSENT DECREE" if at else "CONSENT DECREE", day, 200 + at))
        _terms(sheet, "decree_terms", world.terms, ("I. DEFINITIONS", "II. TERMS"))
        sheet.add("III. MONITORING\n\n")
        sheet.say(f"A. The Court appoints {world.monitor} as Monitor.", ("monitor_name", world.monitor))
        lasting = ("decree_duration", f"Consent decree: {years} years")
        sheet.add("\n\nIV. DURATION\n\n")
        last = at == len(entered) - 1
        sheet.say(
            f"1. This Decree shall remain in effect for {NUMBERS[years - 1]} ({years}) years from its entry.",
            *([lasting] if last else []),
        )
        sheet.add("\n\nV. NO ADMISSION\n\n1. Nothing in this Decree shall be an admission.\n\n")
        event = next(e for e in world.events if e.kind == "decree" and e.day == day and e.what == "Consent decree")
        pair = truth.pair_of(world, event)
        sheet.say(f"SO ORDERED this {day.day} day of {day:%B}, {day.year}.", *([pair] if pair else []))
        sheet.add("\n\n")
        judge = world.second_judge or world.judge
        sheet.say(f"{judge}\nUnited States District Judge\n", ("judge_name", judge))
        sheets.append(sheet)
    return sheets


def _terms(sheet: Sheet, item: str, terms: Sequence[str], headings: tuple[str, str]) -> None:
    sheet.add(f'{headings[0]}\n\n1. "Days" shall mean calendar days.\n\n{headings[1]}\n\n')
    for at, term in enumerate(terms, 1):
        sheet.add(f"{at}. ")
        sheet.say(term, (item, term))
        sheet.add("\n\n")


def _settlement(world: World) -> Sheet:
    event = next(e for e in world.events if e.what == "Settlement agreement signed")
    sheet = Sheet("settlement-agreement.txt", event.day)
    sheet.add("SETTLEMENT AGREEMENT\n\n")
    sheet.say(
        f"This Agreement is entered into as of {long_date(event.day)}",
        ("settlement_date", f"{long_date(event.day)}: {event.what}"),
    )
    sheet.add(f" between the Plaintiffs and Defendants in {world.title}, No. {world.number}.\n\n")
    _terms(sheet, "settlement_terms", world.terms, ("I. DEFINITIONS", "II. OBLIGATIONS"))
    sheet.add("III. DURATION\n\n")
    sheet.say(
        f"1. This Agreement shall remain in effect for {NUMBERS[world.years - 1]} years.",
        ("settlement_duration", f"Settlement agreement: {world.years} years"),
    )
    sheet.add("\n\nIV. RELEASE\n\n1. Plaintiffs shall release all claims.\n\n")
    return sheet


def _report(world: World, event: Event) -> Sheet:
    reports = [e for e in world.events if e.kind == "report"]
    finding = world.findings[reports.index(event)]
    sheet = Sheet(f"monitor-report-{event.what.lower()}.txt", event.day)
    sheet.add(_caption(world, f"{event.what.upper()} REPORT OF THE MONITOR", event.day, 300))
    sheet.say(finding, ("monitor_reports", finding))
    sheet.add(f"\n\nThe Monitor visited three sites and spoke with staff.\n\n{world.monitor}\nMonitor\n")
    return sheet
