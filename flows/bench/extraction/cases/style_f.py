"""Style F: western pleading paper with numbered lines and a stamp on every page, counsel on top, a pasted docket.

Held out: drafted from the forms of courts as its writer knew them, who had read what the docs say of the misses of
style E, and style E itself, but not the scanners; committed before these were changed (docs/extraction.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.dockets.style_f import case_number, docket_of, in_progress
from flows.bench.extraction.cases.frame import papers, pleading
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date, wrapped
from flows.bench.extraction.cases.world import Event, World

_WIDTH: Final = 74  # characters of a line of pleading paper
_LINES: Final = 28  # of a page of pleading paper
_PRAYED: Final = {
    "Declaratory judgment": "For a judicial declaration that the acts alleged are unlawful and void",
    "Permanent injunction": "For preliminary and permanent injunctive relief as the evidence may warrant",
    "Compensatory damages": "For general and compensatory damages according to proof",
    "Punitive damages": "For exemplary and punitive damages against the individual defendants only",
    "Nominal damages": "For nominal damages",
    "Class certification": "For an order certifying the proposed Class and appointing counsel for it",
    "Attorneys' fees and costs": "For costs of suit herein and reasonable attorneys' fees as allowed by statute",
}
_COUNTS: Final = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH")
_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven")


def draft(world: World, chance: Random) -> list[Sheet]:
    """Return the papers of a case."""
    docket = [docket_of(world, chance)] if world.docketed else []
    return [*docket, *(_paged(sheet, world, at) for at, sheet in enumerate(_papers(world), 1))]


def _papers(world: World) -> Iterator[Sheet]:
    yield from papers(world, _complaint, _paper)
    if world.reported:
        yield _authority(world)


def _paper(world: World, event: Event, at: int) -> Sheet | None:
    if event.kind in {"motion", "ruling"}:
        return (_motion if event.kind == "motion" else _order)(world, event, at)
    if event.kind == "trial" and "verdict" not in event.what:
        return None
    if event.kind == "settlement" and event.what != "Settlement agreement signed":
        return None
    if event.what == "Preliminary injunction" and event.kind == "decree":
        return _injunction(world, event)
    alone = {
        "report": _report, "appeal": _appeal, "mandate": _memorandum, "linked": _linked, "trial": _verdict,
        "judgment": _judgment, "decree": _decree, "settlement": _agreement,
    }  # fmt: skip
    return alone[event.kind](world, event) if event.kind in alone else None


def _paged(sheet: Sheet, world: World, at: int) -> Sheet:
    """Return a paper on numbered lines, a stamp above each page; places go with their words."""
    pieces: list[str] = []
    starts: list[tuple[int, int]] = []  # where a line began in the plain text, and where it does now
    old = new = 0
    lines = wrapped(sheet.text(), _WIDTH).split("\n")
    pages = -(-len(lines) // _LINES)
    for number, line in enumerate(lines):
        page, row = divmod(number, _LINES)
        stamp = (
            f"Case {case_number(world)}   Document {at}   Filed {sheet.day:%m/%d/%y}   Page {page + 1} of {pages}\n\n"
            if not row
            else ""
        )
        head = f"{stamp}{row + 1:>2}  "
        starts.append((old, new + len(head)))
        pieces.append(f"{head}{line}\n")
        old, new = old + len(line) + 1, new + len(pieces[-1])
    places = [(pair, _moved(starts, start), _moved(starts, end - 1) + 1) for pair, start, end in sheet.places]
    return Sheet(sheet.name, sheet.day, sheet.core, ["".join(pieces)], places, new)


def _moved(starts: Sequence[tuple[int, int]], at: int) -> int:
    old, new = max(pair for pair in starts if pair[0] <= at)
    return new + at - old


def _small(what: str) -> str:
    return what[:1].lower() + what[1:]


def _block(sheet: Sheet, world: World, side: str) -> None:
    """Put counsel of a side above the caption."""
    who = world.plaintiff_counsel if side == "Plaintiff" else world.defense_counsel
    start = sheet.length
    sheet.add(f"{who[1]}\n200 Court Street, Suite 410\n{world.place}\nTelephone: (555) 010-4477\n\n")
    first = truth.plaintiffs(world)[0] if side == "Plaintiff" else world.body
    sheet.add(f"Attorneys for {side}s {first}, et al.\n\n\n")
    sheet.places.append((truth.counsel(side, who), start, sheet.length))


def _caption(sheet: Sheet, world: World, title: str, *, late: bool = True) -> None:
    ours = "; ".join(f"{name.upper()}, {'a nonprofit corporation' if name == world.organisation else 'an individual'}"
                     for name in truth.plaintiffs(world))  # fmt: skip
    sued = "; ".join(
        f"{name.upper()}, in his or her official capacity as {office}" if office else f"{name.upper()}, a public entity"
        for name, _, office in (known.partition(", ") for known in truth.defendants(world, late=late))
    )
    alike = ", on behalf of themselves and all others similarly situated" if world.is_class else ""
    sheet.add(
        f"UNITED STATES DISTRICT COURT\n{world.court[0].upper()}\n\n\n{ours}{alike},\n\n            Plaintiffs,\n\n"
        f"      vs.\n\n{sued}; and DOES 1 through 10, inclusive,\n\n            Defendants.\n\n"
        f"Case No. {case_number(world)}\n\n{title}\n\n"
    )


def _signed(sheet: Sheet, world: World, day: date, *pairs: Pair) -> None:
    judge = truth.sits(world, day)
    sheet.say(f"IT IS SO ORDERED.\n\nDATED: {long_date(day)}", *pairs)
    sheet.add("\n\n                    ______________________________\n                    ")
    sheet.say(f"HON. {judge.upper()}", ("judge_name", judge))
    sheet.add("\n                    United States District Judge\n")


def _complaint(world: World, *, late: bool) -> Sheet:
    event, kind, dated = pleading(world, late=late)
    sheet = Sheet("first-amended-complaint.txt" if late else "initiating-document.txt", event.day)
    _block(sheet, world, "Plaintiff")
    start = sheet.length
    named = f"{'FIRST AMENDED ' if late else ''}{'CLASS ACTION ' if world.is_class else ''}COMPLAINT"
    _caption(sheet, world, f"{named} FOR DECLARATORY AND INJUNCTIVE RELIEF\n\nDEMAND FOR JURY TRIAL", late=late)
    sheet.places.append((kind, start, sheet.length))
    sheet.add("INTRODUCTION\n\n1.   Plaintiffs challenge what was done to them under color of law.\n\n")
    sheet.add("THE PARTIES\n\n")
    at = _sides(sheet, world, late=late)
    sheet.add("STATEMENT OF FACTS\n\n")
    for fact in world.facts:
        at += 1
        sheet.add(f"{at}.   ")
        sheet.say(fact, ("factual_basis", fact))
        sheet.add("\n\n")
    _causes(sheet, world, at, late=late)
    sheet.add("PRAYER FOR RELIEF\n\nWHEREFORE, Plaintiffs pray for judgment against Defendants as follows:\n\n")
    for number, remedy in enumerate(world.remedies, 1):
        sheet.add(f"{number}.   ")
        sheet.say(_PRAYED[remedy], ("remedy_sought", f"Plaintiffs: {remedy}"))
        sheet.add(";\n\n")
    sheet.add(f"{len(world.remedies) + 1}.   For such other relief as the Court deems proper.\n\n")
    sheet.say(f"DATED: {long_date(event.day)}", *dated)
    sheet.add(f"          {world.plaintiff_counsel[1].upper()}\n\nBy: /s/ counsel\nAttorneys for Plaintiffs\n")
    return sheet


def _sides(sheet: Sheet, world: World, *, late: bool) -> int:
    at = 1
    for name in truth.plaintiffs(world):
        at += 1
        sheet.add(f"{at}.   ")
        kind = f"a membership organization based in {world.place}" if name == world.organisation else (
            f"and at all relevant times was, a resident of {world.place}")  # fmt: skip
        sheet.say(f"Plaintiff {name} is{'' if name == world.organisation else ','} {kind}.",
                  ("parties", f"Plaintiff: {name}"))  # fmt: skip
        sheet.add("\n\n")
    for known in truth.defendants(world, late=late):
        at += 1
        name, _, office = known.partition(", ")
        sheet.add(f"{at}.   ")
        words = (
            f"Defendant {name} is, and was when this action was brought, the {office}, sued in that capacity."
            if office
            else f"Defendant {name} is a public entity organized under the laws of the State."
        )
        sheet.say(words, ("parties", f"Defendant: {known}"))
        sheet.add("\n\n")
    return at


def _causes(sheet: Sheet, world: World, at: int, *, late: bool) -> None:
    for ordinal, claim in zip(_COUNTS, truth.claims(world, late=late), strict=False):
        at += 1
        sheet.add(f"{ordinal} CAUSE OF ACTION\n\n")
        sheet.say(f"({claim.heading})", ("cause_of_action", claim.vehicle), ("legal_basis", claim.basis))
        sheet.add(f"\n\n(By All Plaintiffs Against All Defendants)\n\n{at}.   Plaintiffs incorporate by reference ")
        sheet.add("the allegations above as though fully set forth.\n\n")


def _motion(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"dkt-{at:03}.txt", event.day)
    if event.by in {"plaintiff", "defendant"}:
        _block(sheet, world, event.by.capitalize())
    _caption(sheet, world, f"NOTICE OF MOTION AND {event.what.upper()}; MEMORANDUM OF POINTS AND AUTHORITIES")
    by = {"plaintiff": "Plaintiffs", "defendant": "Defendants", "joint": "the parties jointly"}
    start = sheet.length
    heard = event.day + timedelta(days=35)
    sheet.add(
        f"TO ALL PARTIES AND THEIR ATTORNEYS OF RECORD: PLEASE TAKE NOTICE that on {long_date(heard)} at 9:00 a.m., or "
        f"as soon thereafter as the matter may be heard, {by.get(event.by, 'proposed intervenors')} will and hereby do "
        f"bring this {_small(event.what)}.\n\nDATED: {long_date(event.day)}\n"
    )
    sheet.places += [(pair, start, sheet.length) for pair in truth.pairs_of(world, event)]
    return sheet


def _order(world: World, event: Event, at: int) -> Sheet:
    sheet = Sheet(f"dkt-{at:03}.txt", event.day)
    _caption(sheet, world, f"ORDER {in_progress(event.outcome)} {event.what}".upper())
    moved = next(e for e in reversed(world.events[: world.events.index(event)]) if e.what == event.what)
    by = {"plaintiff": "Plaintiffs'", "defendant": "Defendants'", "joint": "the parties'"}.get(moved.by, "the")
    start = sheet.length
    sheet.add(
        f"Now before the Court is {by} {_small(event.what)}, filed {long_date(moved.day)}. Having considered the "
    )
    sheet.add("papers and the arguments of counsel, and for the reasons set forth below, the motion is ")
    sheet.add(f"{event.outcome.upper()}.\n\n")
    if event.what == "Motion to dismiss":
        sheet.add("The Court has reviewed the report and recommendation of ")
        sheet.say(f"Magistrate Judge {world.magistrate}", ("judge_name", world.magistrate))
        sheet.add(" and the objections to it.\n\n")
    if event.what == "Motion for approval of settlement":
        verb = "retains" if world.retains else "does not retain"
        sheet.say(
            f"The Court {verb} continuing jurisdiction to interpret and enforce the Settlement Agreement.",
            ("court_enforcement", "Yes" if world.retains else "No"),
        )
        sheet.add("\n\n")
    pairs = truth.pairs_of(world, event)
    if event.what == "Motion to enforce settlement agreement" and (dispute := truth.dispute_of(world)):
        pairs.append(("enforcement_disputes", dispute))
    _signed(sheet, world, event.day)
    sheet.places += [(pair, start, sheet.length) for pair in pairs]
    return sheet


def _injunction(world: World, event: Event) -> Sheet:
    sheet = Sheet("order-for-relief.txt", event.day)
    _caption(sheet, world, "PRELIMINARY INJUNCTION")
    sheet.add("Good cause appearing, IT IS HEREBY ORDERED that, pending trial of this action:\n\n1.   ")
    sheet.say(world.enjoined[0], ("decree_terms", world.enjoined[0]))
    sheet.add("\n\n2.   ")
    sheet.say(
        "This injunction shall take effect at once and remain in force until entry of final judgment.",
        ("decree_duration", "Preliminary injunction: until final judgment"),
    )
    sheet.add("\n\n")
    _signed(sheet, world, event.day, *truth.pairs_of(world, event))
    return sheet


def _linked(world: World, event: Event) -> Sheet:
    if event.what == "related":
        sheet = Sheet("notice-re-other-action.txt", event.day)
        _caption(sheet, world, "NOTICE OF PENDENCY OF OTHER ACTION")
        sheet.say(f"Plaintiffs give notice that this action is related to Case No. {world.related}, now pending.",
                  ("related_cases", world.related))  # fmt: skip
    else:
        sheet = Sheet("order-re-other-action.txt", event.day)
        _caption(sheet, world, "ORDER CONSOLIDATING ACTIONS")
        sheet.say(f"Case No. {world.consolidated} is hereby consolidated with this action for all purposes.",
                  ("consolidated_cases", world.consolidated))  # fmt: skip
    sheet.add(f"\n\nDATED: {long_date(event.day)}\n")
    return sheet


def _appeal(world: World, event: Event) -> Sheet:
    sheet = Sheet("notice-of-appeal.txt", event.day)
    _block(sheet, world, "Defendant")
    _caption(sheet, world, "NOTICE OF APPEAL")
    sheet.say(
        f"NOTICE IS HEREBY GIVEN that Defendant {world.body} appeals to the United States Court of Appeals for the "
        f"{world.court[3]} from the order denying summary judgment.\n\nDATED: {long_date(event.day)}",
        *truth.pairs_of(world, event),
    )
    return sheet


def _memorandum(world: World, event: Event) -> Sheet:
    sheet = Sheet("memorandum-disposition.txt", event.day)
    sheet.say(
        f"UNITED STATES COURT OF APPEALS\nFOR THE {world.court[3].upper()}\n\nNo. {world.appeal_number}\n"
        f"D.C. No. {world.number}\n\nMEMORANDUM DISPOSITION\n\nFILED {long_date(event.day)}\n\n"
        f"Before a panel of this court. {event.what.upper()}.",
        *truth.pairs_of(world, event),
    )
    return sheet


def _verdict(world: World, event: Event) -> Sheet:
    sheet = Sheet("special-verdict-form.txt", event.day)
    _caption(sheet, world, "VERDICT FORM")
    sheet.say(
        f"We, the jury in the above-entitled action, find in favor of {event.what.removeprefix('Jury verdict for ')}."
        f"\n\nDATED: {long_date(event.day)}\n\nPresiding Juror",
        *truth.pairs_of(world, event),
    )
    return sheet


def _judgment(world: World, event: Event) -> Sheet:
    sheet = Sheet("final-judgment.txt", event.day)
    _caption(sheet, world, "JUDGMENT")
    winner = event.what.removeprefix("Judgment for ")
    start = sheet.length
    sheet.add(f"Pursuant to the verdict of the jury, judgment is entered in favor of {winner}.\n\n")
    _signed(sheet, world, event.day)
    sheet.places += [(pair, start, sheet.length) for pair in truth.pairs_of(world, event)]
    return sheet


def _decree(world: World, event: Event) -> Sheet:
    again = event.outcome == "modified"
    years = world.later_years if again else world.years
    sheet = Sheet(f"stipulated-order{'-2' if again else ''}.txt", event.day)
    _caption(sheet, world, f"CONSENT DECREE{' (AS MODIFIED)' if again else ''}")
    sheet.add("The parties having stipulated, the Court orders as follows.\n\nI.   INJUNCTIVE RELIEF\n\n")
    for number, term in enumerate(world.terms, 1):
        sheet.add(f"{number}.   ")
        sheet.say(term, ("decree_terms", term))
        sheet.add("\n\n")
    sheet.add("II.   MONITORING\n\n")
    sheet.say(
        f"The parties have selected {world.monitor} to serve as the Independent Monitor.",
        ("monitor_name", world.monitor),
    )
    sheet.add("\n\nIII.   DURATION AND TERMINATION\n\n")
    last = event is [e for e in world.events if e.what == "Consent decree"][-1]
    sheet.say(
        f"The obligations of this Decree shall remain in effect for a period of {_WORDS[years - 1]} ({years}) years "
        "from the Effective Date.",
        *([("decree_duration", f"Consent decree: {years} years")] if last else []),
    )
    sheet.add("\n\n")
    _signed(sheet, world, event.day, *truth.pairs_of(world, event))
    return sheet


def _agreement(world: World, event: Event) -> Sheet:
    sheet = Sheet("release-of-claims.txt", event.day)
    sheet.add(
        f"SETTLEMENT AGREEMENT AND RELEASE OF CLAIMS\n\n{world.title}\nCase No. {case_number(world)}\n\nRECITALS\n\n"
    )
    sheet.add(f"A.   On {long_date(world.filed)} Plaintiffs commenced the Action.\n\nTERMS OF SETTLEMENT\n\n")
    for number, term in enumerate(world.terms, 1):
        sheet.add(f"{number}.   ")
        sheet.say(term, ("settlement_terms", term))
        sheet.add("\n\n")
    sheet.add(f"{len(world.terms) + 1}.   ")
    sheet.say(
        f"This Agreement terminates {_WORDS[world.years - 1]} ({world.years}) years after the Effective Date.",
        ("settlement_duration", f"Settlement agreement: {world.years} years"),
    )
    sheet.add("\n\n")
    sheet.say(f"Executed by all parties on {long_date(event.day)}.",
              ("settlement_date", f"{long_date(event.day)}: {event.what}"))  # fmt: skip
    sheet.add("\n")
    return sheet


def _report(world: World, event: Event) -> Sheet:
    finding = world.findings[[e for e in world.events if e.kind == "report"].index(event)]
    sheet = Sheet(f"monitor-{event.what.lower()}.txt", event.day)
    _caption(sheet, world, f"{event.what.upper()} REPORT OF INDEPENDENT MONITOR")
    sheet.add("I.   EXECUTIVE SUMMARY\n\n")
    sheet.say(finding, ("monitor_reports", finding))
    sheet.add(f"\n\nDATED: {long_date(event.day)}\n\n{world.monitor}\nIndependent Monitor\n")
    return sheet


def _authority(world: World) -> Sheet:
    sheet = Sheet("statement-of-recent-decision.txt", world.events[-1].day + timedelta(days=4))
    _caption(sheet, world, "STATEMENT OF PRIOR DECISIONS IN THIS ACTION")
    for citation in world.reported:
        sheet.say(f"{world.title}, No. {world.number}, {citation} ({world.court[1]}).", ("reported_opinions", citation))
        sheet.add("\n\n")
    return sheet
