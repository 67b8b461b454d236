"""The checklist that is true of a made-up case: its values, as docs/extraction.md says they are to be written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from flows.bench.extraction.cases.sheet import Pair, long_date
from flows.bench.extraction.cases.themes import Claim
from flows.bench.extraction.cases.world import Event, World

_KINDS = {"government": "government counsel", "nonprofit": "public interest nonprofit", "private": "private counsel"}


def truth_of(world: World) -> list[Pair]:
    """Return every value of every item, each once, in the order of the checklist's groups."""
    return list(dict.fromkeys((*_basics(world), *_course(world), *_ends(world))))


def _basics(world: World) -> Iterator[Pair]:
    yield "filing_date", long_date(world.filed)
    yield from (("parties", f"Plaintiff: {name}") for name in plaintiffs(world))
    yield from (("parties", f"Defendant: {name}") for name in defendants(world, late=True))
    yield "class_or_individual", f"Plaintiffs: {'Class action' if world.is_class else 'Individual'}"
    yield counsel("Plaintiff", world.plaintiff_counsel)
    yield counsel("Defendant", world.defense_counsel)
    for claim in claims(world, late=True):
        yield "cause_of_action", claim.vehicle
        yield "legal_basis", claim.basis
    yield from (("remedy_sought", f"Plaintiffs: {remedy}") for remedy in world.remedies)
    yield from (("judge_name", name) for name in (world.judge, world.magistrate, world.second_judge) if name)
    yield from (("consolidated_cases", number) for number in [world.consolidated] if number)
    yield from (("related_cases", number) for number in [world.related] if number)
    yield from (("reported_opinions", citation) for citation in world.reported)
    yield from (("factual_basis", fact) for fact in world.facts)


def _course(world: World) -> Iterator[Pair]:
    for event in world.events:
        if pair := pair_of(world, event):
            yield pair


def pair_of(world: World, event: Event) -> Pair | None:
    """Return the value that an event is; None where it is none by itself."""
    day = long_date(event.day)
    if event.kind == "trial set":
        return "trials", f"Trial set for {long_date(date.fromisoformat(event.what))}"
    said = {
        "filed": ("important_filings", f"{day}: {event.what}"),
        "motion": ("important_filings", f"{day}: {event.what}"),
        "ruling": ("court_rulings", f"{day}: {event.what} {event.outcome}"),
        "closed": ("court_rulings", f"{day}: {event.what}"),
        "judgment": ("court_rulings", f"{day}: {event.what}"),
        "trial": ("trials", f"{day}: {event.what}"),
        "appeal": ("appeals", f"{day}: {world.body} appealed to the {world.court[3]}"),
        "mandate": ("appeals", f"{day}: {world.court[3]} {event.what}"),
        "decree": ("decree_dates", f"{day}: {event.what} {event.outcome}"),
        "settlement": ("settlement_date", f"{day}: {event.what}"),
    }
    return said.get(event.kind)


def _ends(world: World) -> Iterator[Pair]:
    yield from (("decree_terms", term) for term in world.enjoined)
    if world.enjoined:
        yield "decree_duration", "Preliminary injunction: until final judgment"
    if world.ending == "decree":
        yield from (("decree_terms", term) for term in world.terms)
        yield "decree_duration", f"Consent decree: {world.later_years or world.years} years"
        yield "monitor_name", world.monitor
        yield from (("monitor_reports", finding) for finding in world.findings)
    if world.ending == "settlement":
        yield from (("settlement_terms", term) for term in world.terms)
        yield "settlement_duration", f"Settlement agreement: {world.years} years"
        yield "court_enforcement", "Yes" if world.retains else "No"
        yield from (("enforcement_disputes", dispute) for dispute in [dispute_of(world)] if dispute)


def dispute_of(world: World) -> str:
    """Return what came of the motion to enforce the settlement; empty where there was none."""
    about = [e for e in world.events if e.what == "Motion to enforce settlement agreement"]
    if len(about) < 2:
        return ""
    asked, told = about
    return f"{long_date(asked.day)}: {asked.what} by plaintiffs, {told.outcome} on {long_date(told.day)}"


def counsel(side: str, who: tuple[str, str]) -> Pair:
    """Return the kind of counsel of a side."""
    kind, organisation = who
    return "counsel", f"{side}: {_KINDS[kind]}{f' ({organisation})' if kind != 'private' else ''}"


def plaintiffs(world: World) -> list[str]:
    """Return who sues."""
    return [*world.plaintiffs, *([world.organisation] if world.organisation else [])]


def defendants(world: World, *, late: bool) -> list[str]:
    """Return who is sued, with the office; ``late`` adds whom the amended complaint names."""
    sued = [*world.officials, *([world.late_defendant] if late and world.late_defendant else [])]
    return [world.body, *(f"{name}, {office}" for name, office in sued)]


def claims(world: World, *, late: bool) -> list[Claim]:
    """Return the counts; ``late`` adds that of the amended complaint."""
    return [*world.claims, *([world.added] if late and world.added else [])]


def sits(world: World, day: date) -> str:
    """Return the judge of a day."""
    moved = next((e.day for e in world.events if e.kind == "judge"), None)
    return world.second_judge if moved and day >= moved else world.judge


def pairs_of(world: World, event: Event) -> list[Pair]:
    """Return the values that an event states: one or none."""
    pair = pair_of(world, event)
    return [pair] if pair else []
