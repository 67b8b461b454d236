"""Style E: captions with a rule and an x, opinions that begin with the judge, a docket as a table of bars.

Drafted together with style D, before the hand that wrote it had read the scanners. Measured once, after they had been
repaired by D (docs/extraction.md); nothing was changed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.frame import DocketLine, docket_rows, papers, parties, pleading, sides
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date
from flows.bench.extraction.cases.themes import NUMBERS
from flows.bench.extraction.cases.world import Event, World

_WIDTH: Final = 66  # characters of a line on a page
_RULE: Final = "-" * 53 + "x"  # the line of hyphens and an x under a caption, as this court prints it
_DEMANDED: Final = {
    "Declaratory judgment": "Declaring that Defendants' policies and practices violate federal law",
    "Permanent injunction": "Enjoining Defendants permanently from continuing the policies and practices challenged",
    "Compensatory damages": "Awarding compensatory damages in an amount to be determined at trial",
    "Punitive damages": "Awarding punitive damages against the individual Defendants",
    "Nominal damages": "Awarding nominal damages",
    "Class certification": "Certifying a class under Rule 23 of the Federal Rules of Civil Procedure",
    "Attorneys' fees and costs": "Awarding Plaintiffs the costs and disbursements of this action, including "
    "reasonable attorneys' fees",
}
_ORDINALS: Final = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH")
_ANNIVERSARIES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ROWS: Final = (
    "LETTER addressed to the Court from counsel re: adjournment. Document filed by {body}. (ta)",
    "ORDER granting {n} Letter Motion to Adjourn Conference. (Signed by the Court) (mro)",
    "MEMO ENDORSEMENT on {n} Letter. ENDORSEMENT: Application granted. (kgo)",
    "NOTICE OF APPEARANCE by counsel on behalf of {body}. (ec)",
    "DECLARATION of counsel in Opposition re: {n} MOTION to Dismiss. (Attachments: # 1 Exhibit A) (jl)",
    "REPLY MEMORANDUM OF LAW in Support re: {n} MOTION for Summary Judgment. (jl)",
    "STIPULATION AND PROTECTIVE ORDER. (tn)",
    "CASE MANAGEMENT PLAN: fact discovery due in 120 days. (cla)",
    "AFFIDAVIT OF SERVICE of Summons and Complaint. (dk)",
)


def draft(world: World, chance: Random) -> list[Sheet]:
    """Return the papers of a case."""
    return [sheet.on_pages(_WIDTH) for sheet in _papers(world, chance)]


def _papers(world: World, chance: Random) -> Iterator[Sheet]:
    if world.docketed:
        yield _docket(world, chance)
    yield from papers(world, _complaint, _paper)
    if world.reported:
        yield _letter(world)


def _paper(world: World, event: Event, at: int) -> Sheet | None:
    if event.kind == "motion":
        return _notice(world, event, at)
    if event.kind == "ruling":
        return _opinion(world, event, at)
    if event.kind == "report":
        return _report(world, event)
    if event.kind == "trial" and "verdict" in event.what:
        return _verdict(world, event)
    if event.what == "Consent decree":
        return _consent(world, event)
    return _agreement(world, event) if event.what == "Settlement agreement signed" else None


def _head(world: World, title: str, *, late: bool = True) -> str:
    sued = ", ".join(
        f"{person}, sued in an official capacity as {office}" if office else person
        for person, _, office in (name.partition(", ") for name in truth.defendants(world, late=late))
    )
    alike = ", individually and on behalf of a class of persons similarly situated" if world.is_class else ""
    return (
        f"UNITED STATES DISTRICT COURT\n{world.court[0].upper()}\n{_RULE}\n"
        f"{' and '.join(truth.plaintiffs(world))}{alike},\n\n                    Plaintiffs,\n\n"
        f"          -against-\n\n{sued},\n\n                    Defendants.\n{_RULE}\n"
        f"{world.number} ({''.join(word[0] for word in world.judge.split())})\n\n{title}\n\n"
    )


def _closing(sheet: Sheet, world: World, day: date, *pairs: Pair) -> None:
    judge = truth.sits(world, day)
    start = sheet.length
    sheet.add(f"SO ORDERED.\n\nDated: {long_date(day)}\n       {world.place}\n\n")
    sheet.places += [(pair, start, sheet.length) for pair in pairs]
    sheet.say(f"____________________________\n{judge.upper()}\nUnited States District Judge", ("judge_name", judge))
    sheet.add("\n")


def _docket(world: World, chance: Random) -> Sheet:
    sheet = Sheet("docket-table.txt", world.filed - timedelta(days=1))
    shown = world.wrong_date or world.filed
    sheet.add(f"{world.court[0]} | {world.number} | {world.title}\n\nJudge: ")
    sheet.say(world.judge, ("judge_name", world.judge))
    sheet.add(" | Magistrate Judge: ")
    sheet.say(world.magistrate, ("judge_name", world.magistrate))
    sheet.add(" | Case filed: ")
    sheet.say(f"{shown:%b} {shown.day}, {shown.year}",
              *([] if world.wrong_date else [("filing_date", long_date(world.filed))]))  # fmt: skip
    sheet.add("\n\n| Party | Type | Represented by |\n|---|---|---|\n")
    for side, names, who in sides(world):
        for name in names:
            start = sheet.length
            sheet.add(f"| {name} | {side} | ")
            sheet.say(who[1], truth.counsel(side, who))
            sheet.add(" |\n")
            sheet.places.append((("parties", f"{side}: {name}"), start, sheet.length))
    sheet.add("\n| Date | No. | Docket text |\n|---|---|---|\n")
    for at, (day, words, pairs) in enumerate(_rows(world, chance), 1):
        sheet.say(f"| {day:%b} {day.day}, {day.year} | {at} | {words} |", *pairs)
        sheet.add("\n")
    return sheet


def _rows(world: World, chance: Random) -> list[DocketLine]:
    righted = f"***NOTE: the Complaint was filed {long_date(world.filed)} and entered late in error. (pne)"
    return docket_rows(world, lambda e: _row(world, e), (12, righted), _routine(world, chance))


def _routine(world: World, chance: Random) -> Iterator[tuple[date, str]]:
    for _ in range(world.busy):
        words = chance.choice(_ROWS).format(n=chance.randint(2, 200), body=world.body)
        yield world.filed + timedelta(days=chance.randint(1, 1_100)), words


def _row(world: World, event: Event) -> str:
    by = {"plaintiff": world.plaintiffs[0], "defendant": world.body, "joint": "all parties"}.get(event.by, "intervenor")
    judge = f"(Signed by Judge {truth.sits(world, event.day)} on {event.day:%-m/%-d/%Y})"
    if event.kind == "trial set":
        return f"ORDER: Jury Trial to begin {long_date(date.fromisoformat(event.what))}. {judge}"
    return {
        "filed": f"{event.what.upper()} against {world.body} et al. Document filed by {world.plaintiffs[0]}. (pne)",
        "motion": f"{event.what.upper()}. Document filed by {by}. (jl)",
        "ruling": f"OPINION & ORDER re: {event.what}. The motion is {event.outcome.upper()}. {judge}",
        "decree": f"{event.what.upper()} {event.outcome} by the Court. {judge}",
        "appeal": f"NOTICE OF APPEAL to the {world.court[3]}. Document filed by {world.body}. (tp)",
        "mandate": f"MANDATE of the {world.court[3]}: the order of the District Court is {event.what.upper()}. (nd)",
        "trial": f"Minute Entry: {event.what} before Judge {truth.sits(world, event.day)}. (jw)",
        "judgment": f"{event.what.upper()}. So ordered and adjudged. (km)",
        "closed": f"ORDER: the case is dismissed with prejudice. {judge}",
        "settlement": f"ORDER: the settlement agreement is approved. {judge}"
        if "approved" in event.what
        else "NOTICE that the settlement agreement was signed by all parties. (ta)",
        "report": f"{event.what.upper()} REPORT of the Special Monitor. (ta)",
        "linked": f"STATEMENT OF RELATEDNESS: related to {world.related}. (pne)"
        if event.what == "related"
        else f"ORDER OF CONSOLIDATION: {world.consolidated} is consolidated with this case. {judge}",
        "judge": f"NOTICE OF CASE REASSIGNMENT to Judge {event.what}. (wb)",
    }[event.kind]


def _complaint(world: World, *, late: bool) -> Sheet:
    event, kind, dated = pleading(world, late=late)
    sheet = Sheet("amended-complaint.txt" if late else "complaint.txt", event.day)
    title = f"{'FIRST AMENDED ' if late else ''}{'CLASS ACTION ' if world.is_class else ''}COMPLAINT"
    sheet.say(_head(world, title, late=late), kind)
    sheet.add("Plaintiffs, by their attorneys, allege as follows:\n\nPRELIMINARY STATEMENT\n\n")
    sheet.add(f"1. Plaintiffs bring this action against {world.body}.\n\nPARTIES\n\n")
    at = 1
    for side, person, office, pair in parties(world, late=late):
        at += 1
        sheet.add(f"{at}. ")
        sheet.say(f"{side} {person.upper()} is {f'the {office}' if office else 'in this district'}.", pair)
        sheet.add("\n\n")
    sheet.add("FACTS\n\n")
    for fact in world.facts:
        at += 1
        sheet.add(f"{at}. ")
        sheet.say(fact, ("factual_basis", fact))
        sheet.add("\n\n")
    for ordinal, claim in zip(_ORDINALS, truth.claims(world, late=late), strict=False):
        at += 1
        sheet.add(f"{ordinal} CLAIM FOR RELIEF\n")
        sheet.say(claim.heading, ("cause_of_action", claim.vehicle), ("legal_basis", claim.basis))
        sheet.add(f"\n\n{at}. Plaintiffs repeat the foregoing allegations.\n\n")
    sheet.add("PRAYER FOR RELIEF\n\nWHEREFORE, Plaintiffs demand judgment:\n\n")
    for letter, remedy in zip("abcdefgh", world.remedies, strict=False):
        sheet.add(f"    {letter}.  ")
        sheet.say(_DEMANDED[remedy], ("remedy_sought", f"Plaintiffs: {remedy}"))
        sheet.add(";\n")
    sheet.add("    h.  Granting such other and further relief as is just.\n\n")
    sheet.say(f"Dated: {world.place}\n       {long_date(event.day)}", *dated)
    sheet.add("\n\n")
    sheet.say(
        f"{world.plaintiff_counsel[1].upper()}\nAttorneys for Plaintiffs",
        truth.counsel("Plaintiff", world.plaintiff_counsel),
    )
    sheet.add("\n")
    return sheet


def _notice(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"ecf-{at:03}.txt", event.day)
    sheet.add(_head(world, f"NOTICE OF {event.what.upper()}"))
    by = {"plaintiff": "plaintiffs", "defendant": "defendants", "joint": "all parties"}.get(event.by, "movants")
    start = sheet.length
    sheet.add(f"PLEASE TAKE NOTICE that {by} will make a {event.what[:1].lower()}{event.what[1:]} before this Court.\n")
    sheet.add(f"\nDated: {world.place}\n       {long_date(event.day)}\n\n")
    sheet.places += [(pair, start, sheet.length) for pair in truth.pairs_of(world, event)]
    if event.by == "defendant":
        sheet.say(
            f"{world.defense_counsel[1].upper()}\nAttorneys for Defendants",
            truth.counsel("Defendant", world.defense_counsel),
        )
        sheet.add("\n")
    return sheet


def _opinion(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"ecf-{at:03}.txt", event.day)
    judge = truth.sits(world, event.day)
    sheet.add(_head(world, "OPINION & ORDER"))
    sheet.say(f"{judge.upper()}, United States District Judge:", ("judge_name", judge))
    moved = next(e for e in reversed(world.events[: world.events.index(event)]) if e.what == event.what)
    by = {"plaintiff": "Plaintiffs", "defendant": "Defendants", "joint": "The parties"}.get(moved.by, "Movants")
    named = f"{event.what[:1].lower()}{event.what[1:]}"
    start = sheet.length
    sheet.add(f"\n\nOn {long_date(moved.day)}, {by} filed a {named}. For the reasons that follow, the ")
    sheet.add(f"{named} is {event.outcome}.\n\nDISCUSSION\n\nThe Court assumes familiarity with the record.\n\n")
    if event.what == "Motion to dismiss":
        sheet.say(f"Magistrate Judge {world.magistrate}", ("judge_name", world.magistrate))
        sheet.add(" recommended as much in a careful report.\n\n")
    if event.what == "Motion for preliminary injunction" and world.enjoined:
        sheet.add("CONCLUSION\n\nDefendants are hereby preliminarily enjoined. In particular:\n\n    a.  ")
        sheet.say(world.enjoined[0], ("decree_terms", world.enjoined[0]))
        sheet.add("\n\n")
        pair: Pair = ("decree_duration", "Preliminary injunction: until final judgment")
        entered = next(e for e in world.events if e.kind == "decree" and e.what == "Preliminary injunction")
        words = "This preliminary injunction will remain in place until a final judgment is entered in this case."
        sheet.say(words, pair, *truth.pairs_of(world, entered))
        sheet.add("\n\n")
    if event.what == "Motion for approval of settlement":
        sheet.say(
            "This Court shall retain jurisdiction over the enforcement of the settlement agreement."
            if world.retains
            else "This Court shall not retain jurisdiction over the enforcement of the settlement agreement.",
            ("court_enforcement", "Yes" if world.retains else "No"),
        )
        sheet.add("\n\n")
    pairs = truth.pairs_of(world, event)
    if event.what == "Motion to enforce settlement agreement" and (dispute := truth.dispute_of(world)):
        pairs.append(("enforcement_disputes", dispute))
    _closing(sheet, world, event.day)
    sheet.places += [(pair, start, sheet.length) for pair in pairs]
    return sheet


def _verdict(world: World, event: Event) -> Sheet:
    sheet = Sheet("verdict-sheet.txt", event.day)
    sheet.add(_head(world, "VERDICT SHEET"))
    sheet.say(
        f"Your verdict is: for {event.what.removeprefix('Jury verdict for ')}.\n\n{long_date(event.day)}\nForeperson",
        *truth.pairs_of(world, event),
    )
    return sheet


def _letter(world: World) -> Sheet:
    day = world.events[-1].day + timedelta(days=4)
    sheet = Sheet("letter-to-the-court.txt", day)
    sheet.add(
        f"{world.plaintiff_counsel[1]}\n\n{long_date(day)}\n\nRe: {world.title}, {world.number}\n\nYour Honor:\n\n"
    )
    for citation in world.reported:
        sheet.add("We write about ")
        sheet.say(f"{world.title}, {citation} ({world.court[1]})", ("reported_opinions", citation))
        sheet.add(", which the Court will recall.\n\n")
    return sheet


def _consent(world: World, event: Event) -> Sheet:
    again = event.outcome == "modified"
    years = world.later_years if again else world.years
    sheet = Sheet(f"consent-decree{'-modified' if again else ''}.txt", event.day)
    sheet.add(_head(world, f"{'MODIFIED ' if again else ''}CONSENT DECREE"))
    sheet.add("It is hereby ORDERED, on consent:\n\nSUBSTANTIVE RELIEF\n\n")
    _lettered(sheet, "decree_terms", world.terms)
    sheet.add("OVERSIGHT\n\n")
    sheet.say(f"{world.monitor} is appointed Special Monitor under this Decree.", ("monitor_name", world.monitor))
    sheet.add("\n\nTERM\n\n")
    last = event is [e for e in world.events if e.what == "Consent decree"][-1]
    sheet.say(
        f"This Decree shall expire on the {_ANNIVERSARIES[years - 1]} anniversary of its entry.",
        *([("decree_duration", f"Consent decree: {years} years")] if last else []),
    )
    sheet.add("\n\n")
    _closing(sheet, world, event.day, *truth.pairs_of(world, event))
    return sheet


def _lettered(sheet: Sheet, item: str, terms: Sequence[str]) -> None:
    for letter, term in zip("abcdefgh", terms, strict=False):
        sheet.add(f"    ({letter})  ")
        sheet.say(term, (item, term))
        sheet.add("\n\n")


def _agreement(world: World, event: Event) -> Sheet:
    sheet = Sheet("settlement-agreement-and-release.txt", event.day)
    sheet.add(f"SETTLEMENT AGREEMENT AND GENERAL RELEASE\n\n{world.title}, {world.number}\n\nUndertakings\n\n")
    _lettered(sheet, "settlement_terms", world.terms)
    sheet.add("Term\n\n")
    sheet.say(
        f"This Agreement shall continue in force for a term of {NUMBERS[world.years - 1]} years.",
        ("settlement_duration", f"Settlement agreement: {world.years} years"),
    )
    sheet.add("\n\nIN WITNESS WHEREOF, the parties have signed this Agreement on ")
    sheet.say(f"{long_date(event.day)}.", ("settlement_date", f"{long_date(event.day)}: {event.what}"))
    sheet.add("\n")
    return sheet


def _report(world: World, event: Event) -> Sheet:
    reports = [e for e in world.events if e.kind == "report"]
    finding = world.findings[reports.index(event)]
    sheet = Sheet(f"special-monitor-{event.what.lower()}.txt", event.day)
    sheet.add(_head(world, f"{event.what.upper()} REPORT OF THE SPECIAL MONITOR"))
    sheet.add("The Special Monitor submits this report to the Court. ")
    sheet.say(finding, ("monitor_reports", finding))
    sheet.add(f"\n\nRespectfully,\n{world.monitor}\nSpecial Monitor\n")
    return sheet
