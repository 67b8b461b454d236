"""Style G: southern captions in two columns, counsel who "come now", docket entries in a clerk's shorthand.

Held out with style F, and written at the same time under the same rule (docs/extraction.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.frame import DocketLine, docket_rows, papers, parties, pleading
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date, wrapped
from flows.bench.extraction.cases.world import Event, World
from tasks.legaltext.numbers.spelling import spelled

_WIDTH: Final = 70  # characters of a typed line
_COLUMN: Final = 36  # characters of the left column of a caption
_ASKED: Final = {
    "Declaratory judgment": "enter a declaratory judgment that the policies complained of are unlawful",
    "Permanent injunction": "permanently enjoin Defendants, their agents and successors from enforcing them",
    "Compensatory damages": "award Plaintiffs compensatory damages in an amount the jury finds just",
    "Punitive damages": "assess punitive damages against the individual Defendants",
    "Nominal damages": "award nominal damages of one dollar",
    "Class certification": "certify this suit as a class action",
    "Attorneys' fees and costs": "tax all costs of court and reasonable attorneys' fees against Defendants",
}
_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_TIMES: Final = tuple(f"{spelled(n)} ({n})" for n in range(12, 85, 12))
_SHORT: Final = {
    "Motion for preliminary injunction": "mot. for prelim. injunction",
    "Motion to dismiss": "mot. to dismiss",
    "Motion for class certification": "mot. for class certification",
    "Motion to intervene": "mot. to intervene",
    "Motion for summary judgment": "mot. for summary judgment",
    "Motion for reconsideration": "mot. for reconsideration",
    "Joint motion for entry of consent decree": "jt. mot. for entry of consent decree",
    "Motion to modify consent decree": "mot. to modify consent decree",
    "Motion for approval of settlement": "mot. for approval of settlement",
    "Motion to enforce settlement agreement": "mot. to enforce settlement agreement",
    "Motion for attorneys' fees": "mot. for attorneys' fees",
}
_BUSY: Final = (
    "Ltr. from counsel re: discovery schedule.",
    "Unopposed mot. for ext. of time by {body}.",
    "ORDER granting ext. of time. Cpys to counsel.",
    "Summons retd. executed as to {body}.",
    "Resp. to [{n}] by {body}, w/ exhs.",
    "Reply in supp. of [{n}].",
    "Notice of atty. appearance for {body}.",
    "Tr. of hrg., {n} pp.",
    "Certificate of interested persons.",
)


def draft(world: World, chance: Random) -> list[Sheet]:
    """Return the papers of a case."""
    return list(_papers(world, chance))


def _papers(world: World, chance: Random) -> Iterator[Sheet]:
    if world.docketed:
        yield _entries(world, chance)
    yield from papers(world, _complaint, _paper)


def _paper(world: World, event: Event, at: int) -> Sheet | None:
    if event.kind in {"motion", "ruling"}:
        return (_motion if event.kind == "motion" else _order)(world, event, at)
    if event.kind == "trial" and "verdict" not in event.what:
        return None
    by_kind = {"report": _report, "trial": _charge, "judgment": _judgment, "mandate": _per_curiam}
    by_name = {"Consent decree": _decree, "Settlement agreement signed": _agreement}
    made = by_kind.get(event.kind) or by_name.get(event.what)
    return made(world, event) if made else None


def _caption(sheet: Sheet, world: World, title: str, *, late: bool = True) -> None:
    """Put the parties to the left of the bars, the number to their right."""
    alike = ", individually and on behalf of all others similarly situated" if world.is_class else ""
    sued = "; ".join(
        name.replace(", ", ", in his official capacity as ") for name in truth.defendants(world, late=late)
    )
    left = [
        *wrapped(f"{' and '.join(truth.plaintiffs(world)).upper()}{alike},", _COLUMN - 2).split("\n"),
        "     Plaintiffs,", "", "v.", "",
        *wrapped(f"{sued.upper()},", _COLUMN - 2).split("\n"),
        "     Defendants.",
    ]  # fmt: skip
    right = {len(left) // 2: f"CIVIL ACTION NO. {world.number.upper()}"}
    lines = "\n".join(f"{line:<{_COLUMN}}§  {right.get(at, '')}".rstrip() for at, line in enumerate(left))
    sheet.add(
        f"IN THE UNITED STATES DISTRICT COURT\nFOR THE {world.court[0].upper()}\n{world.place.upper()} DIVISION\n\n"
        f"{lines}\n\n{title.upper()}\n\n"
    )


def _paragraph(sheet: Sheet, before: str, words: str, *pairs: Pair) -> None:
    """Add a paragraph whose lines are those of a page."""
    start = sheet.length
    sheet.add(wrapped(f"{before}{words}", _WIDTH))
    sheet.places += [(pair, start + len(before), sheet.length) for pair in pairs]
    sheet.add("\n\n")


def _ordered(sheet: Sheet, world: World, day: date, *pairs: Pair) -> None:
    judge = truth.sits(world, day)
    ordinal = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day // 10 != 1 else 0, "th")
    sheet.say(f"SIGNED this {day.day}{ordinal} day of {day:%B}, {day.year}.", *pairs)
    sheet.add("\n\n_______________________________\n")
    sheet.say(judge.upper(), ("judge_name", judge))
    sheet.add("\nUNITED STATES DISTRICT JUDGE\n")


def _signed(sheet: Sheet, world: World, side: str) -> None:
    who = world.plaintiff_counsel if side == "Plaintiff" else world.defense_counsel
    start = sheet.length
    sheet.add(f"Respectfully submitted,\n\n{who[1].upper()}\n{world.place}\n\nCOUNSEL FOR {side.upper()}S\n")
    sheet.places.append((truth.counsel(side, who), start, sheet.length))


def _entries(world: World, chance: Random) -> Sheet:
    sheet = Sheet("appendix-tab-1.txt", world.filed - timedelta(days=1))
    sheet.add(f"RELEVANT ENTRIES\n\n{world.title.upper()}\nCivil Action No. {world.number}\n{world.court[0]}\n\n")
    sheet.add("DATE        PROCEEDINGS\n\n")
    for day, words, pairs in _rows(world, chance):
        sheet.say(f"{day:%m/%d/%y}    {words}", *pairs)
        sheet.add("\n")
    return sheet


def _rows(world: World, chance: Random) -> list[DocketLine]:
    righted = f"Clerk's note: entry of complaint corrected to show filing on {long_date(world.filed)}."
    return docket_rows(world, lambda e: _row(world, e), (9, righted), _routine(world, chance))


def _routine(world: World, chance: Random) -> Iterator[tuple[date, str]]:
    for _ in range(world.busy):
        day = world.filed + timedelta(days=chance.randint(1, 1_100))
        yield day, chance.choice(_BUSY).format(n=chance.randint(2, 200), body=world.body)


def _row(world: World, event: Event) -> str:
    by = {"plaintiff": "Pltfs.'", "defendant": "Defts.'", "joint": "Parties'"}.get(event.by, "Intervenor's")
    judge = truth.sits(world, event.day)
    last = judge.split()[-1]
    if event.kind == "trial set":
        return f"SCHEDULING ORDER ({last}, J.): jury trial set for {long_date(date.fromisoformat(event.what))}."
    short = _SHORT.get(event.what, event.what)
    return {
        "filed": f"{event.what.upper()} filed{'; summons issued' if not event.by else ''}.",
        "motion": f"{by} {short}, w/ memo. in supp.",
        "ruling": f"ORDER ({last}, J.): {short} {event.outcome}. Cpys to counsel.",
        "decree": f"{event.what.upper()} {event.outcome} ({last}, J.).",
        "appeal": f"NOTICE OF APPEAL by {world.body} to the {world.court[3]}.",
        "mandate": f"MANDATE of the {world.court[3]}: {event.what}.",
        "trial": f"{event.what}, {judge} presiding.",
        "judgment": f"{event.what.upper()} ({last}, J.). Clerk to close file.",
        "closed": f"ORDER ({last}, J.): {_lower(event.what)}.",
        "settlement": f"{event.what}; recorded.",
        "report": f"Monitor's {event.what.lower()} report.",
        "linked": f"Notice that {world.related} is a related case."
        if event.what == "related"
        else f"ORDER ({last}, J.): {world.consolidated} consolidated herewith.",
        "judge": f"Case transferred to the docket of Hon. {event.what}.",
    }[event.kind]


def _lower(what: str) -> str:
    return what[:1].lower() + what[1:]


def _complaint(world: World, *, late: bool) -> Sheet:
    event, kind, dated = pleading(world, late=late)
    sheet = Sheet("pleading-amended.txt" if late else "pleading.txt", event.day)
    start = sheet.length
    title = (
        f"Plaintiffs' {'First Amended' if late else 'Original'} {'Class Action ' if world.is_class else ''}Complaint"
    )
    _caption(sheet, world, title, late=late)
    sheet.places.append((kind, start, sheet.length))
    sheet.add("TO THE HONORABLE JUDGE OF SAID COURT:\n\n")
    _paragraph(sheet, "", "COME NOW Plaintiffs, and for cause of action against Defendants would show the following:")
    sheet.add("A.  Parties\n\n")
    at = 0
    for side, person, office, pair in parties(world, late=late):
        at += 1
        words = (
            f"{side} {person}, the {office}, may be served with process at the seat of government."
            if office
            else f"{side} {person} may be found in {world.place} within this district."
        )
        _paragraph(sheet, f"{at}.  ", words, pair)
    sheet.add("B.  Factual Background\n\n")
    for fact in world.facts:
        at += 1
        _paragraph(sheet, f"{at}.  ", fact, ("factual_basis", fact))
    sheet.add("C.  Causes of Action\n\n")
    for number, claim in zip(_ROMAN, truth.claims(world, late=late), strict=False):
        at += 1
        _paragraph(sheet, f"Count {number}: ", claim.heading,
                   ("cause_of_action", claim.vehicle), ("legal_basis", claim.basis))  # fmt: skip
        _paragraph(sheet, f"{at}.  ", "The foregoing paragraphs are adopted as if set out here.")
    sheet.add("D.  Prayer\n\n")
    _prayer(sheet, world)
    sheet.say(f"Filed: {long_date(event.day)}", *dated)
    sheet.add("\n\n")
    _signed(sheet, world, "Plaintiff")
    return sheet


def _prayer(sheet: Sheet, world: World) -> None:
    """Ask for all relief in one sentence, as a prayer does."""
    start = sheet.length
    asked = "; ".join(f"({at}) {_ASKED[remedy]}" for at, remedy in enumerate(world.remedies, 1))
    sheet.add(wrapped(f"WHEREFORE, PREMISES CONSIDERED, Plaintiffs pray that the Court: {asked}; and grant all other "
                      "relief to which they may be justly entitled.", _WIDTH))  # fmt: skip
    sheet.places += [(("remedy_sought", f"Plaintiffs: {remedy}"), start, sheet.length) for remedy in world.remedies]
    sheet.add("\n\n")


def _motion(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"tab-{at + 2:03}.txt", event.day)
    by = {"plaintiff": "Plaintiffs", "defendant": "Defendants", "joint": "the Parties"}.get(event.by, "the Intervenor")
    _caption(sheet, world, f"{by.removeprefix('the ')}' {event.what}" if event.by else event.what)
    start = sheet.length
    _paragraph(sheet, "", f"COME NOW {by} and file this {_lower(event.what)}, and would respectfully show the Court as "
               "follows. The grounds appear in the accompanying brief.")  # fmt: skip
    sheet.add(f"Filed: {long_date(event.day)}\n\n")
    sheet.places += [(pair, start, sheet.length) for pair in truth.pairs_of(world, event)]
    if event.by in {"plaintiff", "defendant"}:
        _signed(sheet, world, event.by.capitalize())
    return sheet


def _order(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"tab-{at + 2:03}.txt", event.day)
    _caption(sheet, world, "Order")
    moved = next(e for e in reversed(world.events[: world.events.index(event)]) if e.what == event.what)
    by = {"plaintiff": "Plaintiffs", "defendant": "Defendants", "joint": "the Parties"}.get(moved.by, "the Intervenor")
    start = sheet.length
    _paragraph(
        sheet,
        "",
        f"On this day came on to be considered the {_lower(event.what)} of {by}. The Court, having considered it, the "
        f"responses, and the record, is of the opinion that it should be and hereby is "
        f"{event.outcome.upper()}.",
    )
    if event.what == "Motion to dismiss":
        _paragraph(sheet, "", f"Pretrial matters remain referred to Magistrate Judge {world.magistrate}.",
                   ("judge_name", world.magistrate))  # fmt: skip
    if event.what == "Motion for preliminary injunction" and world.enjoined:
        entered = next(e for e in world.events if e.kind == "decree" and e.what == "Preliminary injunction")
        _paragraph(sheet, "", "It is therefore ORDERED, ADJUDGED and DECREED that a preliminary injunction issue as "
                   "follows:", *truth.pairs_of(world, entered))  # fmt: skip
        _paragraph(sheet, "     ", world.enjoined[0], ("decree_terms", world.enjoined[0]))
        _paragraph(sheet, "", "This preliminary injunction shall continue until final judgment.",
                   ("decree_duration", "Preliminary injunction: until final judgment"))  # fmt: skip
    if event.what == "Motion for approval of settlement":
        approved = [e for e in world.events if e.what == "Settlement agreement approved"]
        words = "The settlement agreement is approved. Jurisdiction to enforce it is " + (
            "expressly retained by this Court." if world.retains else "not retained by this Court."
        )
        pairs = [pair for e in approved for pair in truth.pairs_of(world, e)]
        _paragraph(sheet, "", words, ("court_enforcement", "Yes" if world.retains else "No"), *pairs)
    pairs = truth.pairs_of(world, event)
    if event.what == "Motion to enforce settlement agreement" and (dispute := truth.dispute_of(world)):
        pairs.append(("enforcement_disputes", dispute))
    _ordered(sheet, world, event.day)
    sheet.places += [(pair, start, sheet.length) for pair in pairs]
    return sheet


def _charge(world: World, event: Event) -> Sheet:
    sheet = Sheet("charge-of-the-court.txt", event.day)
    _caption(sheet, world, "Verdict of the Jury")
    sheet.say(
        f"We, the jury, find for the {event.what.removeprefix('Jury verdict for ')}.\n\n{long_date(event.day)}\n"
        "Foreperson of the jury",
        *truth.pairs_of(world, event),
    )
    return sheet


def _judgment(world: World, event: Event) -> Sheet:
    sheet = Sheet("tab-judgment.txt", event.day)
    _caption(sheet, world, "Final Judgment")
    start = sheet.length
    _paragraph(sheet, "", f"In accordance with the verdict, judgment is rendered for "
               f"{event.what.removeprefix('Judgment for ')}. All relief not granted is denied.")  # fmt: skip
    _ordered(sheet, world, event.day)
    sheet.places += [(pair, start, sheet.length) for pair in truth.pairs_of(world, event)]
    return sheet


def _per_curiam(world: World, event: Event) -> Sheet:
    sheet = Sheet("slip-opinion.txt", event.day)
    start = sheet.length
    sheet.add(f"United States Court of Appeals\nfor the {world.court[3]}\n\nNo. {world.appeal_number}\n\n")
    sheet.add(f"Appeal from the {world.court[0]}, USDC No. {world.number}\n\n{long_date(event.day)}\n\nPER CURIAM: ")
    sheet.add(f"The judgment is {event.what.upper()}.\n")
    sheet.places += [(pair, start, sheet.length) for pair in truth.pairs_of(world, event)]
    return sheet


def _decree(world: World, event: Event) -> Sheet:
    again = event.outcome == "modified"
    years = world.later_years if again else world.years
    sheet = Sheet(f"tab-agreed-order{'-amended' if again else ''}.txt", event.day)
    _caption(sheet, world, f"{'Amended ' if again else ''}Consent Decree")
    _paragraph(sheet, "", "By agreement, it is ORDERED, ADJUDGED and DECREED:")
    for number, term in zip(_ROMAN, world.terms, strict=False):
        _paragraph(sheet, f"{number}.  ", term, ("decree_terms", term))
    _paragraph(sheet, f"{_ROMAN[len(world.terms)]}.  ", f"{world.monitor} is designated as Monitor, and shall "
               "report to the Court twice a year.", ("monitor_name", world.monitor))  # fmt: skip
    last = event is [e for e in world.events if e.what == "Consent decree"][-1]
    _paragraph(
        sheet,
        f"{_ROMAN[len(world.terms) + 1]}.  ",
        f"This Decree shall terminate {_TIMES[years - 1]} months after the date of its entry.",
        *([("decree_duration", f"Consent decree: {years} years")] if last else []),
    )
    _ordered(sheet, world, event.day, *truth.pairs_of(world, event))
    return sheet


def _agreement(world: World, event: Event) -> Sheet:
    sheet = Sheet("rule-11-agreement.txt", event.day)
    sheet.add(f"COMPROMISE SETTLEMENT AGREEMENT\n\n{world.title}\nCivil Action No. {world.number}\n\n")
    _paragraph(sheet, "", "In consideration of the mutual promises herein, the parties agree as follows:")
    for number, term in zip(_ROMAN, world.terms, strict=False):
        _paragraph(sheet, f"{number}.  ", term, ("settlement_terms", term))
    _paragraph(sheet, f"{_ROMAN[len(world.terms)]}.  ", f"This Agreement is for a term of {world.years} years and no "
               "longer.", ("settlement_duration", f"Settlement agreement: {world.years} years"))  # fmt: skip
    _paragraph(sheet, "", f"AGREED to by all parties on {long_date(event.day)}.",
               ("settlement_date", f"{long_date(event.day)}: {event.what}"))  # fmt: skip
    return sheet


def _report(world: World, event: Event) -> Sheet:
    finding = world.findings[[e for e in world.events if e.kind == "report"].index(event)]
    sheet = Sheet(f"tab-monitor-{event.what.lower()}.txt", event.day)
    _caption(sheet, world, f"Monitor's {event.what} Report")
    _paragraph(sheet, "", "TO THE HONORABLE COURT:")
    _paragraph(sheet, "", finding, ("monitor_reports", finding))
    sheet.add(f"{world.monitor}, Monitor\n")
    return sheet
