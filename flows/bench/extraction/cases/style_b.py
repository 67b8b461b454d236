"""Style B: another court, a commercial docket service, counsel who write in prose. Drafted after the extractor froze.

Nothing here was looked at while the scanners were written, and no cue was added for it before its first figure was
taken (docs/extraction.md).
"""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date
from flows.bench.extraction.cases.themes import Claim
from flows.bench.extraction.cases.world import Event, World

_ORDINALS: Final = ["FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH"]
_PRAYERS: Final = {
    "Declaratory judgment": "a judgment declaring that the policies and customs described herein are unlawful",
    "Permanent injunction": "an injunction, permanent in duration, forbidding Defendants to continue in them",
    "Compensatory damages": "such sum in compensatory damages as a jury shall find to be just",
    "Punitive damages": "punitive damages as the law allows",
    "Nominal damages": "nominal damages of one dollar",
    "Class certification": "an order certifying the class defined above "
    "and appointing the undersigned as class counsel",
    "Attorneys' fees and costs": "the costs of this action together with attorneys' fees",
}
_DULL: Final = (
    "Letter to the Court re discovery, endorsed: so ordered (rs)",
    "Acknowledgment of service (rs)",
    "Scheduling order amended; fact discovery extended (rs)",
    "Motion for leave to file under seal [{n}]: granted",
    "Transcript of conference, 34 pages",
    "Memorandum in opposition re [{n}] motion to dismiss",
    "Attorney substitution (rs)",
    "Motion to quash subpoena: denied",
    "Answer with affirmative defenses (rs)",
    "Stipulation and order of confidentiality",
    "Affidavit in further support of [{n}] motion for summary judgment",
    "Order referring discovery disputes to the magistrate judge",
)
_ASIDES: Final = (
    "The practice did not stop there.",
    "Plaintiffs learned of this only through a request for public records.",
    "No one was disciplined.",
    "The minutes of the board confirm as much.",
    "Others were treated in the same manner.",
    "Defendants have never explained why.",
)
_COLUMN, _GAP = 46, 4  # characters of the left column of a caption, and at least of the room beside it


def draft(world: World, chance: Random) -> list[Sheet]:
    """Return the papers of a case: docket, pleadings, decisions, and what ended it."""
    sheets = [*([_docket(world, chance)] if world.docketed else []), _complaint(world, chance, late=False)]
    if any(e.what == "First amended complaint" for e in world.events):
        sheets.append(_complaint(world, chance, late=True))
    for at, event in enumerate(world.events):
        if event.kind == "motion":
            sheets.append(_notice(world, event, at))
        elif event.kind == "ruling":
            sheets.append(_decision(world, event, chance, at))
        elif event.kind == "report":
            sheets.append(_report(world, event, chance))
    if world.reported:
        sheets.append(_letter(world))
    if world.ending == "decree":
        sheets += _judgments(world)
    if world.ending == "settlement":
        sheets.append(_stipulation(world))
    return sheets


def _marks(name: str) -> str:
    return "".join(word[0] for word in name.split())


def _number(world: World) -> str:
    year, rest = world.number.split(":")[1][:2], world.number.rpartition("-")[2]
    return f"{year} Civ. {int(rest)} ({_marks(world.judge)})"


def _judge(world: World, day: date) -> str:
    moved = next((e.day for e in world.events if e.kind == "judge"), None)
    return world.second_judge if moved and day >= moved else world.judge


# -- the docket of a commercial service --------------------------------------------------------------------------------


def _docket(world: World, chance: Random) -> Sheet:
    sheet = Sheet("docket.txt", world.filed - timedelta(days=1))
    filed: Pair = ("filing_date", long_date(world.filed))
    sheet.add(f"US District Court Civil Docket\n\nU.S. District - {world.court[0]}\n\n{_number(world)}\n\n")
    sheet.add(
        f"{world.plaintiffs[0]} et al v. {world.body} et al\n\nThis case was retrieved "
        f"from the court on {long_date(world.events[-1].day + timedelta(days=30))}\n\n"
    )
    sheet.say(f"Judge: {world.judge}", ("judge_name", world.judge))
    sheet.add("\n")
    sheet.say(f"Magistrate: {world.magistrate}", ("judge_name", world.magistrate))
    sheet.add("\n")
    shown = world.wrong_date or world.filed
    sheet.say(f"Date Filed: {shown:%m/%d/%Y}", *([] if world.wrong_date else [filed]))
    sheet.add(
        "\nClass Code: CLOSED\nStatute: 42:1983\nJury Demand: "
        "Both\n\nLitigants                                     Attorneys\n\n"
    )
    for name in truth.plaintiffs(world):
        _litigant(sheet, "Plaintiff", name, world.plaintiff_counsel)
    for name in truth.defendants(world, late=True):
        _litigant(sheet, "Defendant", name, world.defense_counsel)
    sheet.add("\nDate         #     Proceeding Text                                                    Source\n")
    _proceedings(sheet, world, chance, filed)
    return sheet


def _litigant(sheet: Sheet, side: str, name: str, who: tuple[str, str]) -> None:
    person, _, office = name.partition(", ")
    sheet.say(f"{person}{f', as {office}' if office else ''}", ("parties", f"{side}: {name}"))
    sheet.add(" " * max(_GAP, _COLUMN - len(name)))
    sheet.say(who[1], truth.counsel(side, who))
    sheet.add(f"\n[{side}]                                  [COR LD NTC]\n\n")


def _proceedings(sheet: Sheet, world: World, chance: Random, filed: Pair) -> None:
    lines: list[tuple[date, str, list[Pair]]] = []
    for number, event in enumerate(world.events, 1):
        pair = truth.pair_of(world, event)
        pairs = [pair] if pair else []
        if event.what == "Complaint" and not world.wrong_date:
            pairs.append(filed)
        if event.kind == "linked":
            item, value = (
                ("related_cases", world.related)
                if event.what == "related"
                else ("consolidated_cases", world.consolidated)
            )
            pairs.append((item, value))
        if event.kind == "judge":
            pairs.append(("judge_name", world.second_judge))
        if event.what == "Motion to enforce settlement agreement" and (dispute := truth.dispute_of(world)):
            pairs.append(("enforcement_disputes", dispute))
        shown = world.wrong_date if event.what == "Complaint" and world.wrong_date else event.day
        lines.append((shown, _proceeding(world, event), pairs))
        if event.kind == "motion":
            lines.append((event.day, f"Memorandum in support re [{number}] filed. (rs)", []))
            lines.append((event.day + timedelta(days=21), f"Reply to response to [{number}] {event.what}", []))
    if world.wrong_date:
        lines.append(
            (
                world.filed + timedelta(days=12),
                "Notice of correction re [1]: the filing date of the "
                f"Complaint is {world.filed:%m/%d/%Y}, the day of receipt. (rs)",
                [filed],
            )
        )
    for _ in range(world.busy):
        day = world.filed + timedelta(days=chance.randint(1, 1_100))
        lines.append((day, chance.choice(_DULL).format(n=chance.randint(2, 200)), []))
    for at, (day, text, pairs) in enumerate(sorted(lines, key=lambda line: line[0]), 1):
        sheet.add(f"{day:%m/%d/%Y}   {at:<4}  ")
        sheet.say(text, *pairs)
        sheet.add("\n")


def _proceeding(world: World, event: Event) -> str:
    judge = _judge(world, event.day).split()[-1]
    by = {
        "plaintiff": "Plaintiffs",
        "defendant": f"Defendant {world.body}",
        "intervenor": "Police Officers Union",
        "joint": "the parties",
    }.get(event.by, "")
    passive = event.outcome.upper()
    motion = event.what[:1].lower() + event.what[1:]
    return {
        "filed": f"{'Amended complaint' if 'amended' in event.what else 'Complaint'} "
        f"and jury demand against all defendants, fee paid, filed by {by}",
        "motion": f"{by}: {event.what} (with proposed order)",
        "ruling": f"MEMORANDUM AND ORDER ({judge}, J.) on {motion}: the "
        f"motion is {passive}; counsel to confer within ten days",
        "decree": f"{'Judgment by consent' if event.what == 'Consent decree' else event.what} "
        f"{event.outcome} by the Court ({judge}, J.); terms as stated therein [{event.what}]",
        "appeal": f"Appeal noticed to the {world.court[3]} by {world.body}, docketed there as {world.appeal_number}",
        "mandate": f"Certified copy of opinion of the {world.court[3]} received "
        f"in {world.appeal_number}; judgment below {event.what}",
        "trial set": f"Case management order: jury selection and trial to begin {_spelled(event.what)}",
        "trial": "Jury sworn; openings; first witness called"
        if "began" in event.what
        else f"Jury returns; finds for {event.what.rpartition(' ')[2]} on all questions put to it",
        "judgment": f"Clerk's judgment: {event.what}, pursuant to the jury's findings",
        "closed": "Stipulated dismissal so ordered, with prejudice, each side to bear its costs",
        "settlement": "Fairness hearing held; class settlement approved by the Court"
        if "approved" in event.what
        else "Parties report that they have signed a stipulation of settlement",
        "report": f"Monitor files {event.what.lower()} report",
        "linked": f"Notice of relatedness: {world.related} (dismissed)"
        if event.what == "related"
        else f"Order joining {world.consolidated} for all purposes; papers to be filed here only",
        "judge": f"Case reassigned to Judge {event.what}. Judge {world.judge} no longer assigned",
    }[event.kind]


def _spelled(iso: str) -> str:
    return long_date(date.fromisoformat(iso)) if iso[:1].isdigit() and "-" in iso else ""


# -- pleadings in prose ------------------------------------------------------------------------------------------------


def _head(world: World, title: str, late: bool = True) -> str:
    rows = [
        f"{', '.join(n.upper() for n in truth.plaintiffs(world))},",
        "",
        "                         Plaintiffs,",
        "",
        "          -against-",
        "",
    ]
    rows += [
        f"{n.partition(', ')[0].upper()}{', ' + n.partition(', ')[2] if ', ' in n else ''},"
        for n in truth.defendants(world, late=late)
    ]
    rows += ["", "                         Defendants."]
    right = {2: _number(world), 5: title, 7: "ECF CASE"}
    table = "\n".join(f"{row:<58}: {right.get(at, '')}".rstrip() for at, row in enumerate(rows))
    return f"UNITED STATES DISTRICT COURT\n{world.court[0].upper()}\n{'-' * 58}x\n{table}\n{'-' * 58}x\n\n"


def _complaint(world: World, chance: Random, *, late: bool) -> Sheet:
    event = next(e for e in world.events if e.what == ("First amended complaint" if late else "Complaint"))
    sheet = Sheet(f"{'amended-' if late else ''}pleading.txt", event.day)
    title = f"{'AMENDED ' if late else ''}{'CLASS ACTION ' if world.is_class else ''}COMPLAINT"
    sheet.say(
        _head(world, title, late),
        ("class_or_individual", f"Plaintiffs: {'Class action' if world.is_class else 'Individual'}"),
    )
    sheet.add(
        "Plaintiffs, by their attorneys, say:\n\nNature of the Case\n\n1.  This "
        "suit concerns what was done to them and to others.\n\nThe Parties\n\n"
    )
    at = 1
    for side, names in (("Plaintiff", truth.plaintiffs(world)), ("Defendant", truth.defendants(world, late=late))):
        for name in names:
            at += 1
            sheet.say(f"{at}.  {side} {name.replace(', ', ' is the ', 1)}.", ("parties", f"{side}: {name}"))
            sheet.add(" At all times relevant the party acted through agents.\n\n")
    sheet.add("Statement of Facts\n\n")
    for fact in world.facts:
        at += 1
        sheet.add(f"{at}.  ")
        before = chance.random() < 0.4
        sheet.add(f"{chance.choice(_ASIDES)} " if before else "")
        sheet.say(fact, ("factual_basis", fact))
        sheet.add(f" {chance.choice(_ASIDES)}\n\n" if chance.random() < 0.5 else "\n\n")
    for ordinal, claim in zip(_ORDINALS, truth.claims(world, late=late), strict=False):
        _claim(sheet, ordinal, claim)
        at += 1
        sheet.add(f"{at}.  The foregoing is incorporated.\n\n")
    sheet.add("WHEREFORE, Plaintiffs respectfully demand judgment as follows:\n\n")
    for letter, remedy in zip("abcdefgh", world.remedies, strict=False):
        sheet.say(f"({letter}) {_PRAYERS[remedy]};\n", ("remedy_sought", f"Plaintiffs: {remedy}"))
    told = truth.pair_of(world, event)
    began: list[Pair] = [] if late else [("filing_date", long_date(world.filed))]
    sheet.say(f"\nFiled at {world.place}, {long_date(event.day)}\n\n", *([told] if told else []), *began)
    sheet.say(
        f"{world.plaintiff_counsel[1].upper()}\nAttorneys for Plaintiffs",
        truth.counsel("Plaintiff", world.plaintiff_counsel),
    )
    sheet.add("\n")
    return sheet


def _claim(sheet: Sheet, ordinal: str, claim: Claim) -> None:
    law = claim.heading.rpartition("(")[2].rpartition(", ")[2].strip(") ") if "§" in claim.heading else claim.heading
    basis = claim.basis.replace(" – ", " and its ")
    shown = f"({basis}; {law})" if claim.vehicle != claim.basis else f"({claim.vehicle})"
    sheet.say(f"{ordinal} CLAIM FOR RELIEF\n{shown}", ("cause_of_action", claim.vehicle), ("legal_basis", claim.basis))
    sheet.add("\n\n")


def _notice(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"ecf-{at * 7 + 3}.txt", event.day)
    sheet.add(_head(world, f"NOTICE OF {event.what.upper()}"))
    sheet.add("PLEASE TAKE NOTICE that on the annexed papers the undersigned will move for the relief named above.\n\n")
    pair = truth.pair_of(world, event)
    sheet.say(f"Filed {long_date(event.day)}\n", *([pair] if pair else []))
    return sheet


def _decision(world: World, event: Event, chance: Random, at: int) -> Sheet:
    sheet = Sheet(f"ecf-{at * 7 + 5}.txt", event.day)
    judge = _judge(world, event.day)
    pair = truth.pair_of(world, event)
    sheet.add(_head(world, "MEMORANDUM AND ORDER"))
    sheet.add(
        f"{judge.split()[-1].upper()}, District Judge:\n\nThe question is whether the "
        f"{event.what.lower()} has merit. Some of what follows is taken from the pleadings.\n\n"
    )
    sheet.add(f"{chance.choice(_ASIDES)} {chance.choice(_ASIDES)}\n\nConclusion\n\n")
    sheet.say(f"The {event.what.lower()} is {event.outcome}.", *([pair] if pair else []))
    if event.what == "Motion for preliminary injunction" and world.enjoined:
        sheet.add(" Pending the determination of this action it is directed as follows. (1) ")
        sheet.say(world.enjoined[0], ("decree_terms", world.enjoined[0]))
        sheet.say(
            " The directions above hold until final judgment.",
            ("decree_duration", "Preliminary injunction: until final judgment"),
        )
    if event.what == "Motion for approval of settlement":
        kept = (
            "Jurisdiction is reserved for the enforcement of the stipulation."
            if world.retains
            else "The stipulation is a contract, and the Court will have no further role in it."
        )
        sheet.add(" ")
        sheet.say(kept, ("court_enforcement", "Yes" if world.retains else "No"))
    sheet.add(f"\n\nSO ORDERED.\n\n{world.place}, {long_date(event.day)}\n\n")
    sheet.say(f"Hon. {judge}, U.S.D.J.", ("judge_name", judge))
    sheet.add("\n")
    return sheet


def _letter(world: World) -> Sheet:
    day = world.events[-1].day + timedelta(days=5)
    sheet = Sheet("letter-to-court.txt", day)
    sheet.add(
        f"{long_date(day)}\n\nRe: {world.title}, {_number(world)}\n\nYour "
        "Honor:\n\nOther courts have begun to rely on decisions in this case. "
    )
    for citation in world.reported:
        sheet.say(f"See {world.title}, {citation}", ("reported_opinions", citation))
        sheet.add(f", at *4 ({world.court[1]}). ")
    return sheet


# -- what ended it -----------------------------------------------------------------------------------------------------


def _judgments(world: World) -> list[Sheet]:
    days = [e.day for e in world.events if e.kind == "decree" and e.what == "Consent decree"]
    sheets = []
    for at, day in enumerate(days):
        years = world.later_years if at else world.years
        sheet = Sheet(f"judgment-{at + 1}.txt", day)
        sheet.add(_head(world, "MODIFIED CONSENT DECREE" if at else "CONSENT DECREE AND JUDGMENT"))
        sheet.add("ARTICLE 1. INTERPRETATION\n\n1.1  Headings shall have no effect.\n\nARTICLE 2. UNDERTAKINGS\n\n")
        for number, term in enumerate(world.terms, 1):
            sheet.add(f"2.{number}  ")
            sheet.say(term, ("decree_terms", term))
            sheet.add("\n\n")
        sheet.add("ARTICLE 3. OVERSIGHT\n\n3.1  ")
        sheet.say(
            f"{world.monitor}, whom both sides proposed, is appointed to serve as independent monitor.",
            ("monitor_name", world.monitor),
        )
        sheet.add("\n\nARTICLE 4. END\n\n4.1  ")
        lasting: list[Pair] = [("decree_duration", f"Consent decree: {years} years")] if at == len(days) - 1 else []
        sheet.say(f"The undertakings end {years} years after the day of entry.", *lasting)
        sheet.add("\n\n")
        event = next(e for e in world.events if e.kind == "decree" and e.day == day and e.what == "Consent decree")
        told = truth.pair_of(world, event)
        sheet.say(f"ENTERED: {long_date(day)}\n\n", *([told] if told else []))
        judge = _judge(world, day)
        sheet.say(f"Hon. {judge}, U.S.D.J.", ("judge_name", judge))
        sheets.append(sheet)
    return sheets


def _stipulation(world: World) -> Sheet:
    event = next(e for e in world.events if e.what == "Settlement agreement signed")
    sheet = Sheet("stipulation.txt", event.day)
    sheet.add(_head(world, "STIPULATION OF SETTLEMENT"))
    sheet.add(
        "WHEREAS the parties wish to end this action without findings of fault;\n\nNOW, THEREFORE, they stipulate:\n\n"
    )
    for letter, term in zip("abcdefg", world.terms, strict=False):
        sheet.add(f"({letter})  ")
        sheet.say(term, ("settlement_terms", term))
        sheet.add("\n\n")
    sheet.say(
        f"These undertakings bind the parties for {world.years} years and no longer.",
        ("settlement_duration", f"Settlement agreement: {world.years} years"),
    )
    sheet.add("\n\nSigned by counsel for all parties on ")
    sheet.say(long_date(event.day), ("settlement_date", f"{long_date(event.day)}: {event.what}"))
    sheet.add(".\n")
    return sheet


def _report(world: World, event: Event, chance: Random) -> Sheet:
    reports = [e for e in world.events if e.kind == "report"]
    finding = world.findings[reports.index(event)]
    sheet = Sheet(f"{event.what.lower()}-report.txt", event.day)
    sheet.add(_head(world, f"{event.what.upper()} REPORT OF INDEPENDENT MONITOR"))
    sheet.add(f"Since the last visit {chance.randint(20, 90)} percent of the staff were replaced. ")
    sheet.say(finding, ("monitor_reports", finding))
    sheet.add(f" Progress on training was slow: {chance.randint(2, 19)} sessions were held.\n\n{world.monitor}\n")
    return sheet
