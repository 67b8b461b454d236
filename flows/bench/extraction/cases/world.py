"""What is true of a made-up case, before anybody drafts a paper of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import themes
from flows.bench.extraction.cases.themes import Claim, Theme

ENDINGS: Final = ("decree", "settlement", "trial")


@dataclass(frozen=True)
class Event:
    """A thing that happened in the case.

    Attributes:
        kind: filed, motion, ruling, appeal, mandate, trial, decree, settlement, report, linked, judge, note.
        what: What was moved, decided or entered, as a checklist says it.
        by: The side, or the person.
        outcome: Of a ruling.
        about: Number of the entry that it is about; 0 for none.
    """

    day: date
    kind: str
    what: str
    by: str = ""
    outcome: str = ""
    about: int = 0


@dataclass
class World:
    """A case: who, where, what is claimed and what came of it.

    Attributes:
        wrong_date: Under which the complaint was docketed by mistake, until the clerk put it right.
        busy: Entries of its docket without weight.
        docketed: Whether the docket sheet is among the papers.
    """

    key: str
    theme: Theme
    place: str
    court: tuple[str, str, str, str, str]
    number: str
    filed: date
    plaintiffs: list[str]
    organisation: str
    body: str
    officials: list[tuple[str, str]]
    late_defendant: tuple[str, str] | None
    is_class: bool
    claims: list[Claim]
    added: Claim | None
    remedies: list[str]
    judge: str
    magistrate: str
    second_judge: str
    plaintiff_counsel: tuple[str, str]
    defense_counsel: tuple[str, str]
    ending: str
    years: int
    later_years: int
    monitor: str
    facts: list[str]
    terms: list[str]
    enjoined: list[str]
    consolidated: str
    related: str
    wrong_date: date | None
    retains: bool
    appeal_number: str
    reported: list[str]
    findings: list[str]
    busy: int
    docketed: bool
    events: list[Event] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The short name of the case."""
        return f"{self.plaintiffs[0].split()[-1]} v. {self.body}"


def make_world(seed: int, key: str, busy: int) -> World:
    """Return the case of a seed.

    Args:
        seed: Of the corpus.
        key: Of the case within it.
        busy: How many entries without weight its docket holds beside the others.
    """
    chance = Random(f"{seed}:{key}:world")
    theme, place = chance.choice(themes.THEMES), chance.choice(themes.PLACES)
    court = chance.choice(themes.COURTS)
    names = _names(chance, 20)
    filed = date(chance.randint(2014, 2022), chance.randint(1, 12), chance.randint(1, 28))
    serial = chance.randint(100, 4_800)
    claims = list(chance.sample(theme.claims, min(len(theme.claims), chance.randint(2, 3))))
    ending = chance.choice(ENDINGS)
    body = theme.body.format(place=place)
    is_class = chance.random() < 0.6
    world = World(
        key=key,
        theme=theme,
        place=place,
        court=court,
        number=_number(court[2], filed.year, serial),
        filed=filed,
        plaintiffs=names[: chance.randint(1, 3)],
        organisation=chance.choice(("", f"{place} Coalition for Fair Treatment", f"Neighbors United of {place}")),
        body=body,
        officials=[(names[4 + at], office.format(place=place)) for at, office in enumerate(theme.offices)],
        late_defendant=(names[8], f"Risk Manager of {place}") if chance.random() < 0.5 else None,
        is_class=is_class,
        claims=claims[:-1] if len(claims) > 2 and chance.random() < 0.4 else claims,
        added=None,
        remedies=_remedies(chance, is_class),
        judge=names[9],
        magistrate=names[10],
        second_judge=names[11] if chance.random() < 0.4 else "",
        plaintiff_counsel=_counsel(chance),
        defense_counsel=chance.choice(
            (("government", f"Office of the {place} County Counsel"), ("private", themes.FIRMS[3]))
        ),
        ending=ending,
        years=chance.randint(2, 5),
        later_years=chance.choice((0, 0, 6, 7)),
        monitor=names[12],
        facts=_filled(chance, theme.facts, 6, filed, names[13:], body),
        terms=_filled(chance, theme.terms, 5, filed, names[13:], body),
        enjoined=[],
        consolidated=_number(court[2], filed.year, serial + chance.randint(3, 40)) if chance.random() < 0.35 else "",
        related=_number(court[2], filed.year - 1, chance.randint(100, 4_800)) if chance.random() < 0.6 else "",
        wrong_date=filed + timedelta(days=chance.randint(2, 6)) if chance.random() < 0.3 else None,
        retains=chance.random() < 0.6,
        appeal_number=f"{(filed.year + 1) % 100}-{chance.randint(1_1000, 3_5000)}",
        reported=[],
        findings=[],
        busy=busy,
        docketed=chance.random() < 0.8,
    )
    world.added = next(
        (c for c in theme.claims if c not in world.claims and c.vehicle not in {k.vehicle for k in world.claims}), None
    )
    _happen(world, chance)
    return world


def _names(chance: Random, count: int) -> list[str]:
    firsts, lasts = chance.sample(themes.FIRST_NAMES, count), chance.sample(themes.LAST_NAMES, count)
    return [f"{first} {last}" for first, last in zip(firsts, lasts, strict=True)]


def _number(division: str, year: int, serial: int) -> str:
    return f"{division}:{year % 100:02d}-cv-{serial:05d}"


def _counsel(chance: Random) -> tuple[str, str]:
    return chance.choice(
        (("nonprofit", chance.choice(themes.NONPROFITS)), ("private", chance.choice(themes.FIRMS[:3])))
    )


def _remedies(chance: Random, is_class: bool) -> list[str]:
    some = [
        "Declaratory judgment",
        "Permanent injunction",
        *chance.sample(["Compensatory damages", "Punitive damages", "Nominal damages"], chance.randint(0, 2)),
    ]
    return [*some, *(["Class certification"] if is_class else []), "Attorneys' fees and costs"]


def _filled(
    chance: Random, templates: Sequence[str], count: int, filed: date, people: Sequence[str], body: str
) -> list[str]:
    found = []
    for template in chance.sample(templates, min(count, len(templates))):
        day = filed - timedelta(days=chance.randint(20, 700))
        person = chance.choice(people)
        found.append(
            template.format(
                place="",
                n=chance.randint(3, 96),
                day=f"{day:%B} {day.day}, {day.year}",
                person=person,
                body=f"The {body}" if "City" in body else body,
            )
        )
    return found


def _happen(world: World, chance: Random) -> None:
    """Let the case take its course."""
    now = world.filed
    events = world.events

    def on(least: int, most: int, kind: str, what: str, by: str = "", outcome: str = "") -> date:
        nonlocal now
        now += timedelta(days=chance.randint(least, most))
        events.append(Event(now, kind, what, by, outcome))
        return now

    def decided(what: str, outcome: str, least: int = 40, most: int = 120) -> None:
        on(least, most, "ruling", what, "", outcome)

    events.append(Event(now, "filed", "Complaint", "plaintiff"))
    if world.related:
        on(3, 9, "linked", "related")
    if chance.random() < 0.45:
        on(4, 20, "motion", "Motion for preliminary injunction", "plaintiff")
        outcome = chance.choice(("granted", "denied", "granted in part and denied in part"))
        decided("Motion for preliminary injunction", outcome, 20, 50)
        if outcome != "denied":
            world.enjoined = [world.terms.pop()]
            events.append(Event(now, "decree", "Preliminary injunction", "", "entered"))
    on(15, 40, "motion", "Motion to dismiss", "defendant")
    decided("Motion to dismiss", chance.choice(("denied", "granted in part and denied in part")))
    if world.second_judge:
        on(5, 60, "judge", world.second_judge)
    if world.late_defendant or world.added:
        on(20, 40, "filed", "First amended complaint", "plaintiff")
        if chance.random() < 0.5:
            on(15, 30, "motion", "Motion to dismiss", "defendant")
            decided("Motion to dismiss", "denied")
    if world.consolidated:
        on(20, 60, "linked", "consolidated")
    if world.is_class:
        on(30, 90, "motion", "Motion for class certification", "plaintiff")
        decided(
            "Motion for class certification",
            chance.choice(("granted", "granted", "granted in part and denied in part")),
        )
    if chance.random() < 0.4:
        on(10, 30, "motion", "Motion to intervene", "intervenor")
        decided("Motion to intervene", chance.choice(("granted", "denied")), 20, 50)
    on(100, 240, "motion", "Motion for summary judgment", "defendant")
    decided("Motion for summary judgment", chance.choice(("denied", "granted in part and denied in part")))
    if chance.random() < 0.35:
        on(8, 20, "motion", "Motion for reconsideration", "defendant")
        decided("Motion for reconsideration", "denied", 15, 40)
    if chance.random() < 0.5:
        on(10, 29, "appeal", "", "defendant")
        on(200, 400, "mandate", chance.choice(("affirmed", "affirmed in part and reversed in part", "reversed")))
    _end(world, chance, on, decided)
    world.reported = _reported(world, chance)


def _end(world: World, chance: Random, on, decided) -> None:  # type: ignore[no-untyped-def]
    """Let the case end: by decree, settlement or trial."""
    if world.ending == "decree":
        on(60, 200, "motion", "Joint motion for entry of consent decree", "joint")
        decided("Joint motion for entry of consent decree", "granted", 15, 40)
        world.events.append(Event(world.events[-1].day, "decree", "Consent decree", "", "entered"))
        for ordinal in ("First", "Second", "Third")[: chance.randint(1, 3)]:
            total = chance.randint(30, 48)
            met = chance.randint(5, total - 2)
            world.findings.append(
                f"The Monitor finds that {world.body} is in substantial compliance with {met} of the {total} requirements."
            )
            on(170, 200, "report", ordinal)
        if world.later_years:
            on(20, 60, "motion", "Motion to modify consent decree", "joint")
            decided("Motion to modify consent decree", "granted", 10, 30)
            world.events.append(Event(world.events[-1].day, "decree", "Consent decree", "", "modified"))
    elif world.ending == "settlement":
        on(60, 200, "settlement", "Settlement agreement signed")
        on(8, 25, "motion", "Motion for approval of settlement", "plaintiff")
        decided("Motion for approval of settlement", "granted", 30, 60)
        world.events.append(Event(world.events[-1].day, "settlement", "Settlement agreement approved"))
        on(5, 15, "closed", "Case dismissed with prejudice")
        if world.retains and chance.random() < 0.6:
            on(150, 400, "motion", "Motion to enforce settlement agreement", "plaintiff")
            decided("Motion to enforce settlement agreement", chance.choice(("granted", "denied")), 20, 50)
    else:
        day = on(20, 40, "trial set", "")
        start = day + timedelta(days=chance.randint(90, 200))
        world.events[-1] = Event(day, "trial set", start.isoformat())
        on((start - day).days, (start - day).days, "trial", "Jury trial began")
        winner = chance.choice(("plaintiffs", "defendants"))
        on(4, 12, "trial", f"Jury verdict for {winner}")
        on(1, 9, "judgment", f"Judgment for {winner}")
    if chance.random() < 0.6 and "Judgment for defendants" not in {e.what for e in world.events}:
        on(14, 30, "motion", "Motion for attorneys' fees", "plaintiff")
        decided("Motion for attorneys' fees", chance.choice(("granted", "granted in part and denied in part")))


def _reported(world: World, chance: Random) -> list[str]:
    """Return citations of opinions of this case: of the ruling on the motion to dismiss, perhaps of a later one."""
    rulings = [
        e for e in world.events if e.kind == "ruling" and e.what in {"Motion to dismiss", "Motion for summary judgment"}
    ]
    return [
        f"{r.day.year} WL {chance.randint(100_000, 9_900_000)}"
        for r in rulings[:1] + rulings[-1:]
        if chance.random() < 0.8
    ][:2]
