"""Style A: a federal district court that keeps its docket as PACER shows it; counsel who draft in numbered sections."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
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
_ROMAN: Final = ["I", "II", "III", "IV", "V", "VI"]


def draft(world: World, chance: Random) -> list[Sheet]:
    """Return the papers of a case: docket, pleadings, orders, and what ended it."""
    sheets = [*([_docket(world, chance)] if world.docketed else []), _complaint(world, late=False)]
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


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split())


def _numbered(world: World) -> str:
    return f"{world.number}-{_initials(world.judge)}"


def _us(day: date) -> str:
    return f"{day:%m/%d/%Y}"


# -- the docket sheet --------------------------------------------------------------------------------------------------


def _docket(world: World, chance: Random) -> Sheet:
    sheet = Sheet("docket-sheet.txt", world.filed - timedelta(days=1))
    shown = world.wrong_date or world.filed
    filed: Pair = ("filing_date", long_date(world.filed))
    sheet.add(f"U.S. District Court\n{world.court[0]}\nCIVIL DOCKET FOR CASE #: {_numbered(world)}\n\n")
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
        "ruling": f"ORDER {_gerund(event.outcome)} {re} {event.what}. Signed by Judge {judge}.",
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


def _gerund(outcome: str) -> str:
    return outcome.replace("granted", "granting").replace("denied", "denying")


# -- pleadings ---------------------------------------------------------------------------------------------------------


def _caption(world: World, title: str, day: date, entry: int, late: bool = False) -> str:
    stamp = f"Case {_numbered(world)}   Document {entry}   Filed {day:%m/%d/%y}   Page 1 of {entry % 40 + 3}\n\n"
    sued = "; ".join(
        n.replace(", ", ", in his official capacity as ", 1).upper() if "," in n else n.upper()
        for n in truth.defendants(world, late=late)
    )
    left = ", ".join(n.upper() for n in truth.plaintiffs(world))
    similarly = ", individually and on behalf of all others similarly situated" if world.is_class else ""
    return (
        f"{stamp}UNITED STATES DISTRICT COURT\n{world.court[0].upper()}\n\n{left}{similarly},\n\n "
        f"       Plaintiffs,\n\n    v.\n\n{sued},\n\n"
        f"        Defendants.\n\nCase No. {_numbered(world)}\n\n{title}\n\n"
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
    title = f"ORDER {_gerund(event.outcome).upper()} {event.what.upper()}"
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


# -- what ended it -----------------------------------------------------------------------------------------------------


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
