"""Style D: southern captions in brackets, file stamps, lines of a page, the forms of the federal courts for each end.

Drafted as held out, before the hand that wrote it had read the scanners (frozen at commit 076b9a72), and measured once;
they were repaired by it afterwards (docs/extraction.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.dockets.style_d import case_number, docket_of, titled
from flows.bench.extraction.cases.frame import papers, parties, pleading
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date
from flows.bench.extraction.cases.themes import NUMBERS
from flows.bench.extraction.cases.world import Event, World

_WIDTH: Final = 72  # characters of a line on a page
_SOUGHT: Final = {
    "Declaratory judgment": "A declaration, pursuant to 28 U.S.C. § 2201, that Defendants' "
    "conduct as alleged herein was and is unlawful",
    "Permanent injunction": "Permanent injunctive relief restraining Defendants, and all persons in active concert "
    "or participation with them, from such conduct",
    "Compensatory damages": "Compensatory damages against Defendants, jointly and severally",
    "Punitive damages": "Punitive damages against the individually named Defendants, to the extent the law allows",
    "Nominal damages": "In the alternative, nominal damages",
    "Class certification": "Certification of this case as a class action under Fed. R. Civ. P. 23(b)(2)",
    "Attorneys' fees and costs": "Reasonable attorney's fees, expert fees, and costs pursuant to 42 U.S.C. § 1988",
}
_ORDINALS: Final = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH")
_SMALL: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
_COLUMN = 35  # characters of the left column of a caption


def draft(world: World, chance: Random) -> list[Sheet]:
    """Return the papers of a case."""
    return [sheet.on_pages(_WIDTH) for sheet in _papers(world, chance)]


def _papers(world: World, chance: Random) -> Iterator[Sheet]:
    if world.docketed:
        yield docket_of(world, chance)
    yield from papers(world, _complaint, _paper)
    if world.reported:
        yield _status(world)


def _paper(world: World, event: Event, at: int) -> Sheet | None:
    if event.kind == "motion":
        return _motion(world, event, at)
    if event.kind == "ruling":
        return _order(world, event, at)
    if event.kind == "report":
        return _report(world, event)
    if event.kind in {"appeal", "mandate", "judgment", "closed", "trial", "trial set"}:
        return _form(world, event, at)
    if event.what == "Consent decree":
        return _decree(world, event)
    return _settlement(world, event) if event.what == "Settlement agreement signed" else None


def _th(day: date) -> str:
    last = "th" if day.day in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return f"{day.day}{last} day of {day:%B}, {day.year}"


def _caption(world: World, title: str, *, late: bool = True, stamp: date | None = None) -> str:
    """Return the head of a paper: file stamp, court, parties in brackets, title."""
    sued = [
        f"{person.upper()}, {f'in his official capacity as {office}' if office else ''}".rstrip(", ") + ";"
        for person, _, office in (name.partition(", ") for name in truth.defendants(world, late=late))
    ]
    left = [
        *(f"{name.upper()}," for name in truth.plaintiffs(world)),
        *(["on behalf of themselves and all", "others similarly situated,"] if world.is_class else []),
        "",
        "            Plaintiffs,",
        "",
        "       v.",
        "",
        *(line for name in sued for line in _cells(name)),
        "",
        "            Defendants.",
    ]
    middle = len(left) // 2
    rows = [
        f"{cell:<38})" + (f"   Civil Action No. {case_number(world)}" if at == middle else "")
        for at, cell in enumerate(left)
    ]
    stamped = f"FILED\n{stamp:%b}. {stamp.day}, {stamp.year}\nCLERK, U.S. DISTRICT COURT\n\n" if stamp else ""
    court = f"IN THE UNITED STATES DISTRICT COURT\nFOR THE {world.court[0].upper()}"
    return f"{stamped}{court}\n\n" + "\n".join(rows) + f"\n\n{title}\n\n"


def _cells(words: str) -> list[str]:
    """Return words as the lines of the left cell of a caption."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) > _COLUMN:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _signed(sheet: Sheet, world: World, day: date) -> None:
    judge = truth.sits(world, day)
    sheet.add(f"SO ORDERED this {_th(day)}.\n\n          BY THE COURT:\n\n          ")
    sheet.say(f"/s/ {judge}\n          Hon. {judge}\n          United States District Judge", ("judge_name", judge))
    sheet.add("\n")


def _complaint(world: World, *, late: bool) -> Sheet:
    event, kind, dated = pleading(world, late=late)
    sheet = Sheet(f"{'first-amended-' if late else ''}complaint.txt", event.day)
    title = f"{'FIRST AMENDED ' if late else ''}COMPLAINT{' – CLASS ACTION' if world.is_class else ''}"
    sheet.say(_caption(world, title, late=late, stamp=event.day), kind, *dated)
    sheet.add(
        "COME NOW Plaintiffs, by and through their undersigned counsel, and for their Complaint against Defendants "
        "state and allege as follows:\n\nNATURE OF THE CASE\n\n     1.   This is a civil rights action. Plaintiffs "
        "seek declaratory and injunctive relief.\n\nJURISDICTION AND VENUE\n\n     2.   This Court has subject matter "
        "jurisdiction under 28 U.S.C. § 1331. Venue is proper under 28 U.S.C. § 1391(b).\n\nTHE PARTIES\n\n"
    )
    at = 2
    for side, person, office, pair in parties(world, late=late):
        at += 1
        said = (
            f"{side} {person} is, and at all times relevant was, {office}, and is sued in an official capacity."
            if office
            else f"{side} {person} is located in {world.place}."
        )
        sheet.add(f"     {at}.   ")
        sheet.say(said, pair)
        sheet.add("\n\n")
    sheet.add("STATEMENT OF FACTS\n\n")
    for fact in world.facts:
        at += 1
        sheet.add(f"     {at}.   ")
        sheet.say(fact, ("factual_basis", fact))
        sheet.add("\n\n" + (f"{'- ' + str(at // 4) + ' -':>40}\n\n" if at % 4 == 0 else ""))
    for ordinal, claim in zip(_ORDINALS, truth.claims(world, late=late), strict=False):
        sheet.add(f"AS AND FOR A {ordinal} CAUSE OF ACTION\n")
        sheet.say(f"({claim.heading})", ("cause_of_action", claim.vehicle), ("legal_basis", claim.basis))
        at += 1
        sheet.add(f"\n\n     {at}.   Plaintiffs incorporate by reference the foregoing paragraphs.\n\n")
    sheet.add("WHEREFORE, Plaintiffs respectfully pray for judgment against Defendants as follows:\n\n")
    for number, remedy in zip(_SMALL, world.remedies, strict=False):
        sheet.add(f"     ({number})  ")
        sheet.say(_SOUGHT[remedy], ("remedy_sought", f"Plaintiffs: {remedy}"))
        sheet.add(";\n")
    sheet.add(f"     ({_SMALL[len(world.remedies)]})  Such other relief as the Court deems just and proper.\n\n")
    sheet.add(f"Respectfully submitted this {_th(event.day)}.\n\n          ")
    sheet.say(
        f"{world.plaintiff_counsel[1]}\n          Counsel for Plaintiffs",
        truth.counsel("Plaintiff", world.plaintiff_counsel),
    )
    sheet.add("\n")
    return sheet


def _motion(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"doc-{3 * at + 1:03}.txt", event.day)
    who = {"plaintiff": "PLAINTIFFS'", "defendant": "DEFENDANTS'", "joint": "THE PARTIES'"}.get(event.by, "MOVANTS'")
    sheet.say(_caption(world, f"{who} {event.what.upper()}", stamp=event.day), *truth.pairs_of(world, event))
    sheet.add(
        "COMES NOW the moving party and respectfully moves this Honorable Court for the relief stated above. In "
        f"support thereof, the movant relies on the brief filed contemporaneously herewith.\n\nThis {_th(event.day)}.\n"
    )
    if event.by == "defendant":
        sheet.add("\n          ")
        sheet.say(
            f"{world.defense_counsel[1]}\n          Counsel for Defendants",
            truth.counsel("Defendant", world.defense_counsel),
        )
        sheet.add("\n")
    return sheet


def _order(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"doc-{3 * at + 1:03}.txt", event.day)
    moved = next(e for e in reversed(world.events[: world.events.index(event)]) if e.what == event.what)
    who = {"plaintiff": "Plaintiffs'", "defendant": "Defendants'", "joint": "the parties'"}.get(moved.by, "Movants'")
    sheet.add(_caption(world, "MEMORANDUM OPINION AND ORDER", stamp=event.day))
    sheet.add(
        f"This matter comes before the Court on {who} {titled(event.what)} (Doc. {at * 3 - 2}), filed "
        f"{long_date(moved.day)}. Having considered the briefs, the record, and the applicable law, the Court rules "
        "as follows.\n\n"
    )
    if event.what == "Motion to dismiss":
        sheet.add("The Court has reviewed the Report and Recommendation of ")
        sheet.say(f"United States Magistrate Judge {world.magistrate}", ("judge_name", world.magistrate))
        sheet.add(" and the objections thereto.\n\n")
    enforced = truth.dispute_of(world) if event.what == "Motion to enforce settlement agreement" else ""
    also: list[Pair] = [("enforcement_disputes", enforced)] if enforced else []
    sheet.say(
        f"IT IS HEREBY ORDERED that the {titled(event.what)} is {event.outcome.upper()}.", *truth.pairs_of(world, event)
    )
    sheet.places += [(pair, 0, sheet.length) for pair in also]
    sheet.add("\n\n")
    if event.what == "Motion for preliminary injunction" and world.enjoined:
        _enjoin(sheet, world)
    if event.what == "Motion for approval of settlement":
        said = (
            "The Court expressly retains jurisdiction over this action for the purpose of enforcing the Settlement."
            if world.retains
            else "The Court declines to retain jurisdiction to enforce the Settlement."
        )
        sheet.add("IT IS FURTHER ORDERED that the Settlement is approved as fair, reasonable, and adequate. ")
        sheet.say(said, ("court_enforcement", "Yes" if world.retains else "No"))
        approved = ("settlement_date", f"{long_date(event.day)}: Settlement agreement approved")
        sheet.places.append((approved, 0, sheet.length))
        sheet.add("\n\n")
    _signed(sheet, world, event.day)
    return sheet


def _enjoin(sheet: Sheet, world: World) -> None:
    sheet.add(
        "IT IS FURTHER ORDERED that Defendants, their officers, agents, servants, employees, and attorneys are "
        "preliminarily ENJOINED and RESTRAINED as follows:\n\n     (1)  "
    )
    sheet.say(world.enjoined[0], ("decree_terms", world.enjoined[0]))
    sheet.add("\n\n     (2)  ")
    entered = next(e for e in world.events if e.kind == "decree" and e.what == "Preliminary injunction")
    sheet.say(
        "This preliminary injunction shall take effect immediately and shall remain in full force and effect until "
        "entry of final judgment.",
        ("decree_duration", "Preliminary injunction: until final judgment"),
        *truth.pairs_of(world, entered),
    )
    sheet.add("\n\n     (3)  No security shall be required under Fed. R. Civ. P. 65(c).\n\n")


def _form(world: World, event: Event, at: int) -> Sheet:
    """Return a form: notice of appeal, mandate, trial minutes, verdict, judgment, order of dismissal, trial notice."""
    sheet = Sheet(f"doc-{3 * at + 1:03}-{event.kind.replace(' ', '-')}.txt", event.day)
    if event.kind == "appeal":
        sheet.add(_caption(world, "NOTICE OF APPEAL", stamp=event.day))
        sheet.say(
            f"Notice is hereby given that {world.body}, defendant in the above named case, hereby appeals to the "
            f"United States Court of Appeals for the {world.court[3]} from the order entered in this action.\n\n"
            f"Dated: {long_date(event.day)}",
            *truth.pairs_of(world, event),
        )
    elif event.kind == "mandate":
        sheet.add(f"UNITED STATES COURT OF APPEALS\nFOR THE {world.court[3].upper()}\n\nNo. {world.appeal_number}\n\n")
        sheet.add(f"{world.title}\n(D.C. No. {world.number})\n\nMANDATE\n\n")
        sheet.say(
            f"The judgment of this Court, {world.court[3]}, takes effect today. The order of the district court is "
            f"{event.what.upper()}.\n\nIssued: {long_date(event.day)}",
            *truth.pairs_of(world, event),
        )
    elif event.kind == "trial set":
        sheet.add(_caption(world, "NOTICE OF TRIAL SETTING", stamp=event.day))
        day = long_date(date.fromisoformat(event.what))
        sheet.say(
            f"TAKE NOTICE that this case is set for jury trial on {day} at 9:00 a.m.", *truth.pairs_of(world, event)
        )
    elif "began" in event.what:
        sheet.add(_caption(world, "CIVIL MINUTES – TRIAL"))
        sheet.say(f"Date: {long_date(event.day)}\nProceedings: Jury trial began.", *truth.pairs_of(world, event))
        sheet.add(f" Jury empaneled and sworn. Judge: {truth.sits(world, event.day)}.")
    elif event.kind == "trial":
        sheet.add(_caption(world, "VERDICT FORM", stamp=event.day))
        sheet.say(
            f"We, the jury, unanimously find for the {event.what.removeprefix('Jury verdict for ').upper()}.\n\n"
            f"So say we all, this {_th(event.day)}.",
            *truth.pairs_of(world, event),
        )
    elif event.kind == "judgment":
        sheet.add(_caption(world, "JUDGMENT IN A CIVIL CASE", stamp=event.day))
        winner = event.what.removeprefix("Judgment for ")
        sheet.say(
            "Jury Verdict. This action came before the Court for a trial by jury. IT IS ORDERED AND ADJUDGED that "
            f"judgment is entered in favor of the {winner}.\n\nDate: {long_date(event.day)}",
            *truth.pairs_of(world, event),
        )
    else:
        sheet.add(_caption(world, "ORDER OF DISMISSAL", stamp=event.day))
        sheet.say("IT IS ORDERED that this action is DISMISSED WITH PREJUDICE.", *truth.pairs_of(world, event))
        sheet.add("\n\n")
        _signed(sheet, world, event.day)
    sheet.add("\n")
    return sheet


def _status(world: World) -> Sheet:
    """Return a paper that tells what was reported."""
    day = world.events[-1].day + timedelta(days=6)
    sheet = Sheet("joint-status-memorandum.txt", day)
    sheet.add(_caption(world, "JOINT STATUS MEMORANDUM", stamp=day) + "PROCEDURAL HISTORY\n\n")
    for citation in world.reported:
        sheet.add("This Court has issued a reported decision in this action. ")
        sheet.say(
            f"{world.title}, No. {world.number}, {citation}, at *3 ({world.court[1]} {citation[:4]})",
            ("reported_opinions", citation),
        )
        sheet.add(".\n\n")
    return sheet


def _decree(world: World, event: Event) -> Sheet:
    again = event.outcome == "modified"
    years = world.later_years if again else world.years
    sheet = Sheet(f"{'modified-' if again else ''}consent-decree.txt", event.day)
    sheet.add(_caption(world, f"{'FIRST MODIFIED ' if again else ''}CONSENT DECREE", stamp=event.day))
    sheet.add(
        "WHEREAS, Plaintiffs filed this action; and\n\nWHEREAS, the parties desire to resolve it without further "
        "litigation;\n\nNOW, THEREFORE, upon the consent of the parties, IT IS HEREBY ORDERED, ADJUDGED, AND DECREED "
        "as follows:\n\nARTICLE I – JURISDICTION\n\n     1.1  The Court has jurisdiction over the parties.\n\n"
        "ARTICLE II – SUBSTANTIVE PROVISIONS\n\n"
    )
    _provisions(sheet, "decree_terms", world.terms, "2")
    sheet.add("ARTICLE III – INDEPENDENT MONITOR\n\n     3.1  ")
    sheet.say(
        f"The parties have jointly selected, and the Court hereby approves, {world.monitor} to serve as Independent "
        "Monitor.",
        ("monitor_name", world.monitor),
    )
    sheet.add("\n\nARTICLE IV – TERM\n\n     4.1  ")
    last = event is [e for e in world.events if e.what == "Consent decree"][-1]
    lasting: list[Pair] = [("decree_duration", f"Consent decree: {years} years")] if last else []
    sheet.say(f"This Consent Decree shall terminate {NUMBERS[years - 1]} ({years}) years after its entry.", *lasting)
    sheet.add("\n\nARTICLE V – GENERAL PROVISIONS\n\n     5.1  This Decree is no admission of liability.\n\n")
    start = sheet.length
    _signed(sheet, world, event.day)
    sheet.places += [(pair, start, sheet.length) for pair in truth.pairs_of(world, event)]
    return sheet


def _provisions(sheet: Sheet, item: str, terms: Sequence[str], article: str) -> None:
    for number, term in enumerate(terms, 1):
        sheet.add(f"     {article}.{number}  ")
        sheet.say(term, (item, term))
        sheet.add("\n\n")


def _settlement(world: World, event: Event) -> Sheet:
    sheet = Sheet("stipulation-of-settlement.txt", event.day)
    sheet.add("STIPULATION AND AGREEMENT OF SETTLEMENT\n\n")
    sheet.say(
        f"This Stipulation and Agreement of Settlement (the “Settlement”) is made and entered into this "
        f"{_th(event.day)}",
        ("settlement_date", f"{long_date(event.day)}: {event.what}"),
    )
    sheet.add(
        f", by and among the plaintiffs and the defendants in {world.title}, Civil Action No. {world.number}.\n\n"
        "WHEREAS, the parties wish to avoid the expense of trial;\n\nNOW, THEREFORE, IT IS STIPULATED AND AGREED:\n\n"
        "1.  DEFINITIONS\n\n     1.1  “Effective Date” means the date of final approval.\n\n2.  RELIEF\n\n"
    )
    _provisions(sheet, "settlement_terms", world.terms, "2")
    sheet.add("3.  TERM\n\n     3.1  ")
    sheet.say(
        f"The obligations of this Settlement shall expire {NUMBERS[world.years - 1]} ({world.years}) years after the "
        "Effective Date.",
        ("settlement_duration", f"Settlement agreement: {world.years} years"),
    )
    sheet.add("\n\n4.  RELEASE\n\n     4.1  Plaintiffs release the defendants from all claims in this action.\n")
    return sheet


def _report(world: World, event: Event) -> Sheet:
    reports = [e for e in world.events if e.kind == "report"]
    finding = world.findings[reports.index(event)]
    sheet = Sheet(f"{event.what.lower()}-compliance-report.txt", event.day)
    title = f"{event.what.upper()} COMPLIANCE REPORT OF THE INDEPENDENT MONITOR"
    sheet.add(_caption(world, title, stamp=event.day) + "I.  EXECUTIVE SUMMARY\n\n")
    sheet.say(finding, ("monitor_reports", finding))
    sheet.add(f"\n\nII.  METHOD\n\nThe Monitor reviewed records.\n\n          {world.monitor}\n          Monitor\n")
    return sheet
