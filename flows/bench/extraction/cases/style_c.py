"""Style C: a clerk who writes whole sentences, rosters instead of columns, pleadings in lettered parts.

Drafted after the second freeze of the extractor (commit 7a6c630), which was not changed for it.
"""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date
from flows.bench.extraction.cases.themes import NUMBERS
from flows.bench.extraction.cases.world import Event, World

_ASKED: Final = {
    "Declaratory judgment": "enter a declaratory judgment in their favor",
    "Permanent injunction": "issue a permanent injunction against the conduct complained of",
    "Compensatory damages": "award actual damages",
    "Punitive damages": "award exemplary damages",
    "Nominal damages": "award at least nominal damages",
    "Class certification": "certify the class",
    "Attorneys' fees and costs": "award reasonable attorney fees and the costs of suit",
}
_QUIET: Final = (
    "The time to answer was enlarged by agreement.",
    "Counsel {n} entered an appearance.",
    "A subpoena to a nonparty was returned served.",
    "The court held a telephone conference; no rulings were made.",
    "The parties filed their joint discovery plan.",
    "The request to exceed page limits was granted.",
    "An affidavit opposing the motion to dismiss was filed.",
    "The transcript of a hearing was filed under restriction.",
)


def draft(world: World, chance: Random) -> list[Sheet]:
    """Return the papers of a case."""
    sheets = [*([_docket(world, chance)] if world.docketed else []), _complaint(world, chance, late=False)]
    if any(e.what == "First amended complaint" for e in world.events):
        sheets.append(_complaint(world, chance, late=True))
    for at, event in enumerate(world.events):
        if event.kind == "motion":
            sheets.append(_motion(world, event, at))
        elif event.kind == "ruling":
            sheets.append(_order(world, event, at))
        elif event.kind == "report":
            sheets.append(_report(world, event))
    if world.reported:
        sheets.append(_brief(world))
    if world.ending == "decree":
        sheets += _decrees(world)
    if world.ending == "settlement":
        sheets.append(_agreement(world))
    return sheets


def _number(world: World) -> str:
    return world.number.upper()


def _docket(world: World, chance: Random) -> Sheet:
    sheet = Sheet("case-history.txt", world.filed - timedelta(days=1))
    sheet.add(f"CHRONOLOGICAL CASE SUMMARY\n\nCase {_number(world)} in the {world.court[0]}\n\nROSTER\n\n")
    for side, names, who in (
        ("Plaintiff", truth.plaintiffs(world), world.plaintiff_counsel),
        ("Defendant", truth.defendants(world, late=True), world.defense_counsel),
    ):
        for name in names:
            person, _, office = name.partition(", ")
            sheet.say(f"{side}: {person}", ("parties", f"{side}: {name}"))
            sheet.add(f" (sued as {office})" if office else "")
            sheet.add("\n   Counsel: ")
            sheet.say(who[1], truth.counsel(side, who))
            sheet.add("\n")
    sheet.add("\nEVENTS\n\n")
    lines: list[tuple[date, str, list[Pair]]] = []
    for event in world.events:
        pair = truth.pair_of(world, event)
        pairs = [pair] if pair else []
        shown = world.wrong_date if event.what == "Complaint" and world.wrong_date else event.day
        if event.what == "Complaint" and not world.wrong_date:
            pairs.append(("filing_date", long_date(world.filed)))
        if event.kind == "judge":
            pairs.append(("judge_name", world.second_judge))
        if event.kind == "linked":
            related = event.what == "related"
            value = world.related if related else world.consolidated
            pairs.append(("related_cases" if related else "consolidated_cases", value))
        if event.what == "Motion to enforce settlement agreement" and (dispute := truth.dispute_of(world)):
            pairs.append(("enforcement_disputes", dispute))
        lines.append((shown, _event(world, event), pairs))
    if world.wrong_date:
        day = world.filed + timedelta(days=20)
        words = f"Correction: the entry of the complaint is to read {long_date(world.filed)}, when it was filed."
        lines.append((day, words, [("filing_date", long_date(world.filed))]))
    for _ in range(world.busy):
        day = world.filed + timedelta(days=chance.randint(1, 1_100))
        lines.append((day, chance.choice(_QUIET).format(n=chance.randint(2, 200)), []))
    for day, words, pairs in sorted(lines, key=lambda line: line[0]):
        sheet.add(f"{day:%b} {day.day}, {day.year}: ")
        sheet.say(words, *pairs)
        sheet.add("\n")
    return sheet


def _event(world: World, event: Event) -> str:
    by = {"plaintiff": "Plaintiffs", "defendant": world.body, "intervenor": "A union", "joint": "All parties"}
    who = by.get(event.by, "Plaintiffs")
    asked = event.what[:1].lower() + event.what[1:]
    return {
        "filed": f"{who} filed the {asked}.",
        "motion": f"{who} filed a {asked}.",
        "ruling": f"The court entered an order: {asked} {event.outcome}.",
        "decree": f"The court {event.outcome} the {asked}.",
        "appeal": f"{world.body} filed a notice of appeal to the United "
        f"States Court of Appeals for the {world.court[3]}.",
        "mandate": f"The mandate issued from the {world.court[3]}: {event.what}.",
        "trial set": f"The court set the matter for jury trial on {_day(event.what)}.",
        "trial": "Trial by jury commenced."
        if "began" in event.what
        else f"The jury returned its verdict for {event.what[17:]}.",
        "judgment": f"The clerk entered {asked}.",
        "closed": "The court ordered that the case be dismissed with prejudice.",
        "settlement": "The court approved the settlement."
        if "approved" in event.what
        else "The parties signed an agreement to settle.",
        "report": f"The monitor lodged the {event.what.lower()} report.",
        "linked": f"The clerk noted related case {world.related}."
        if event.what == "related"
        else f"The court consolidated {world.consolidated} into this case.",
        "judge": f"The case was transferred to the docket of Judge {event.what}.",
    }[event.kind]


def _day(iso: str) -> str:
    return long_date(date.fromisoformat(iso)) if iso[:2] == "20" else ""


def _head(world: World, title: str, *, late: bool = True) -> str:
    sued = " and ".join(truth.defendants(world, late=late))
    return (
        "In the United States District Court for the "
        f"{world.court[0]}\n\n{' and '.join(truth.plaintiffs(world))}, plaintiffs,\n"
        f"v.\n{sued}, defendants.\n\nNo. {_number(world)}\n\n{title}\n\n"
    )


def _complaint(world: World, chance: Random, *, late: bool) -> Sheet:
    event = next(e for e in world.events if e.what == ("First amended complaint" if late else "Complaint"))
    sheet = Sheet(f"{'second-' if late else ''}petition.txt", event.day)
    title = f"{'First Amended ' if late else ''}Complaint{' and Class Action Allegations' if world.is_class else ''}"
    kind: Pair = ("class_or_individual", f"Plaintiffs: {'Class action' if world.is_class else 'Individual'}")
    sheet.say(_head(world, title, late=late), kind)
    sheet.add("A. Who the parties are\n\n")
    for side, names in (("Plaintiff", truth.plaintiffs(world)), ("Defendant", truth.defendants(world, late=late))):
        for name in names:
            sheet.say(
                f"{name.replace(', ', ', who serves as ', 1)}, is a {side.lower()}.", ("parties", f"{side}: {name}")
            )
            sheet.add(" ")
    sheet.add("\n\nB. Facts\n\n")
    for at, fact in enumerate(world.facts, 1):
        sheet.add(f"{at}) ")
        sheet.say(fact, ("factual_basis", fact))
        sheet.add("\n\n")
    sheet.add("C. Claims\n\n")
    for number, claim in enumerate(truth.claims(world, late=late)):
        sheet.say(
            f"Claim {NUMBERS[number].title()}: {claim.heading}",
            ("cause_of_action", claim.vehicle),
            ("legal_basis", claim.basis),
        )
        sheet.add("\n\nThe plaintiffs rely on the facts above.\n\n")
    sheet.add("D. Relief\n\nThe plaintiffs ask the court to ")
    for at, remedy in enumerate(world.remedies):
        sheet.add("; and to " if at == len(world.remedies) - 1 else "; to " if at else "")
        sheet.say(_ASKED[remedy], ("remedy_sought", f"Plaintiffs: {remedy}"))
    told = truth.pair_of(world, event)
    began: list[Pair] = [] if late else [("filing_date", long_date(world.filed))]
    sheet.add(".\n\n")
    sheet.say(f"Submitted {long_date(event.day)}", *([told] if told else []), *began)
    sheet.add(" by ")
    sheet.say(f"{world.plaintiff_counsel[1]}, for the plaintiffs", truth.counsel("Plaintiff", world.plaintiff_counsel))
    sheet.add(f"\n{chance.choice(('Jury demanded.', ''))}\n")
    return sheet


def _motion(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"paper-{at:03}.txt", event.day)
    sheet.add(_head(world, event.what.title()))
    pair = truth.pair_of(world, event)
    sheet.say(f"Submitted {long_date(event.day)}.", *([pair] if pair else []))
    sheet.add("\nThe grounds are in the brief.\n")
    return sheet


def _order(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"paper-{at:03}-court.txt", event.day)
    moved = next((e.day for e in world.events if e.kind == "judge"), None)
    judge = world.second_judge if moved and event.day >= moved else world.judge
    sheet.add(_head(world, "Opinion and Order"))
    pair = truth.pair_of(world, event)
    sheet.say(f"The court rules that the {event.what.lower()} is {event.outcome}.", *([pair] if pair else []))
    sheet.add("\n\n")
    if event.what == "Motion for preliminary injunction" and world.enjoined:
        sheet.add("It is therefore ordered:\n\n(a) ")
        sheet.say(world.enjoined[0], ("decree_terms", world.enjoined[0]))
        sheet.add("\n\n(b) ")
        sheet.say(
            "This order remains in force until final judgment.",
            ("decree_duration", "Preliminary injunction: until final judgment"),
        )
        sheet.add("\n\n")
    if event.what == "Motion for approval of settlement":
        kept = (
            "The court keeps jurisdiction to enforce the agreement."
            if world.retains
            else "No jurisdiction is retained."
        )
        sheet.say(kept, ("court_enforcement", "Yes" if world.retains else "No"))
        sheet.add("\n\n")
    sheet.add(f"Date: {long_date(event.day)}\n\ns/ ")
    sheet.say(judge, ("judge_name", judge))
    sheet.add("\nDistrict Judge\n")
    if event.what == "Motion to dismiss":
        sheet.add("cc: ")
        sheet.say(f"Magistrate Judge {world.magistrate}", ("judge_name", world.magistrate))
    return sheet


def _brief(world: World) -> Sheet:
    day = world.events[-1].day + timedelta(days=5)
    sheet = Sheet("last-brief.txt", day)
    sheet.add(_head(world, "Brief on Remaining Issues"))
    for citation in world.reported:
        sheet.say(f"As this court said in {world.title}, {citation}", ("reported_opinions", citation))
        sheet.add(f" ({world.court[1]}), the record is long.\n\n")
    return sheet


def _decrees(world: World) -> list[Sheet]:
    events = [e for e in world.events if e.kind == "decree" and e.what == "Consent decree"]
    sheets = []
    for at, event in enumerate(events):
        years = world.later_years if at else world.years
        sheet = Sheet(f"decree-{at + 1}.txt", event.day)
        sheet.add(_head(world, f"Agreed {'Modified ' if at else ''}Consent Decree"))
        sheet.add("Part One. What the defendants will do\n\n")
        for letter, term in zip("ABCDEFG", world.terms, strict=False):
            sheet.add(f"{letter}. ")
            sheet.say(term, ("decree_terms", term))
            sheet.add("\n\n")
        sheet.add("Part Two. The monitor\n\n")
        sheet.say(
            f"By agreement the court has selected {world.monitor} to be the monitor.", ("monitor_name", world.monitor)
        )
        sheet.add("\n\nPart Three. Time\n\n")
        lasting: list[Pair] = [("decree_duration", f"Consent decree: {years} years")] if at == len(events) - 1 else []
        sheet.say(f"The term of this decree is {NUMBERS[years - 1]} years.", *lasting)
        pair = truth.pair_of(world, event)
        sheet.add("\n\n")
        sheet.say(f"So ordered on {long_date(event.day)}.", *([pair] if pair else []))
        sheets.append(sheet)
    return sheets


def _agreement(world: World) -> Sheet:
    event = next(e for e in world.events if e.what == "Settlement agreement signed")
    sheet = Sheet("agreement.txt", event.day)
    sheet.add(f"Agreement to Settle {world.title}\n\nSettlement Agreement\n\n")
    for number, term in enumerate(world.terms, 1):
        sheet.add(f"Section {number}. ")
        sheet.say(term, ("settlement_terms", term))
        sheet.add("\n\n")
    sheet.say(
        f"It lasts for {NUMBERS[world.years - 1]} years from signing.",
        ("settlement_duration", f"Settlement agreement: {world.years} years"),
    )
    sheet.add("\n\n")
    sheet.say(f"Signed {long_date(event.day)}", ("settlement_date", f"{long_date(event.day)}: {event.what}"))
    return sheet


def _report(world: World, event: Event) -> Sheet:
    reports = [e for e in world.events if e.kind == "report"]
    finding = world.findings[reports.index(event)]
    sheet = Sheet(f"monitor-{event.what.lower()}.txt", event.day)
    sheet.add(_head(world, f"The Monitor's {event.what} Report"))
    sheet.add("The monitor met with staff and read the files. ")
    sheet.say(finding, ("monitor_reports", finding))
    sheet.add(" The rest is in the appendix.\n")
    return sheet
