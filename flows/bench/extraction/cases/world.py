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
    """

    day: date
    kind: str
    what: str
    by: str = ""
    outcome: str = ""


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


@dataclass
class _Course:
    """The course of a case as it is made up: what happens next, and some days later."""

    world: World
    chance: Random
    now: date

    def on(self, least: int, most: int, kind: str, what: str, by: str = "") -> date:
        """Let something happen so many days later."""
        self.now += timedelta(days=self.chance.randint(least, most))
        self.world.events.append(Event(self.now, kind, what, by))
        return self.now

    def also(self, kind: str, what: str, outcome: str = "") -> None:
        """Let something happen on the same day."""
        self.world.events.append(Event(self.now, kind, what, "", outcome))

    def decided(self, what: str, *outcomes: str, least: int = 40, most: int = 120) -> str:
        """Let a motion be decided, in one of some ways."""
        self.now += timedelta(days=self.chance.randint(least, most))
        outcome = self.chance.choice(outcomes)
        self.also("ruling", what, outcome)
        return outcome

    def moved(self, what: str, by: str, least: int, most: int) -> None:
        """Let somebody move."""
        self.on(least, most, "motion", what, by)

    def likely(self, share: float) -> bool:
        """Toss a coin."""
        return self.chance.random() < share


_PART: Final = "granted in part and denied in part"


def _happen(world: World, chance: Random) -> None:
    """Let the case take its course."""
    course = _Course(world, chance, world.filed)
    course.also("filed", "Complaint")
    if world.related:
        course.on(3, 9, "linked", "related")
    _begin(course)
    if world.second_judge:
        course.on(5, 60, "judge", world.second_judge)
    _amend(course)
    _middle(course)
    {"decree": _decree, "settlement": _settle, "trial": _try}[world.ending](course)
    if course.likely(0.6) and "Judgment for defendants" not in {e.what for e in world.events}:
        course.moved("Motion for attorneys' fees", "plaintiff", 14, 30)
        course.decided("Motion for attorneys' fees", "granted", _PART)
    world.reported = _reported(world, chance)


def _begin(course: _Course) -> None:
    world = course.world
    if course.likely(0.45):
        course.moved("Motion for preliminary injunction", "plaintiff", 4, 20)
        outcome = course.decided("Motion for preliminary injunction", "granted", "denied", _PART, least=20, most=50)
        if outcome != "denied":
            world.enjoined = [world.terms.pop()]
            course.also("decree", "Preliminary injunction", "entered")
    course.moved("Motion to dismiss", "defendant", 15, 40)
    course.decided("Motion to dismiss", "denied", _PART)


def _amend(course: _Course) -> None:
    if course.world.late_defendant or course.world.added:
        course.on(20, 40, "filed", "First amended complaint", "plaintiff")
        if course.likely(0.5):
            course.moved("Motion to dismiss", "defendant", 15, 30)
            course.decided("Motion to dismiss", "denied")


def _middle(course: _Course) -> None:
    if course.world.consolidated:
        course.on(20, 60, "linked", "consolidated")
    if course.world.is_class:
        course.moved("Motion for class certification", "plaintiff", 30, 90)
        course.decided("Motion for class certification", "granted", "granted", _PART)
    if course.likely(0.4):
        course.moved("Motion to intervene", "intervenor", 10, 30)
        course.decided("Motion to intervene", "granted", "denied", least=20, most=50)
    course.moved("Motion for summary judgment", "defendant", 100, 240)
    course.decided("Motion for summary judgment", "denied", _PART)
    if course.likely(0.35):
        course.moved("Motion for reconsideration", "defendant", 8, 20)
        course.decided("Motion for reconsideration", "denied", least=15, most=40)
    if course.likely(0.5):
        course.on(10, 29, "appeal", "", "defendant")
        course.on(
            200, 400, "mandate", course.chance.choice(("affirmed", "affirmed in part and reversed in part", "reversed"))
        )


def _decree(course: _Course) -> None:
    world = course.world
    course.moved("Joint motion for entry of consent decree", "joint", 60, 200)
    course.decided("Joint motion for entry of consent decree", "granted", least=15, most=40)
    course.also("decree", "Consent decree", "entered")
    for ordinal in ("First", "Second", "Third")[: course.chance.randint(1, 3)]:
        total = course.chance.randint(30, 48)
        met = course.chance.randint(5, total - 2)
        found = f"is in substantial compliance with {met} of the {total} requirements."
        world.findings.append(f"The Monitor finds that {world.body} {found}")
        course.on(170, 200, "report", ordinal)
    if world.later_years:
        course.moved("Motion to modify consent decree", "joint", 20, 60)
        course.decided("Motion to modify consent decree", "granted", least=10, most=30)
        course.also("decree", "Consent decree", "modified")


def _settle(course: _Course) -> None:
    course.on(60, 200, "settlement", "Settlement agreement signed")
    course.moved("Motion for approval of settlement", "plaintiff", 8, 25)
    course.decided("Motion for approval of settlement", "granted", least=30, most=60)
    course.also("settlement", "Settlement agreement approved")
    course.on(5, 15, "closed", "Case dismissed with prejudice")
    if course.world.retains and course.likely(0.6):
        course.moved("Motion to enforce settlement agreement", "plaintiff", 150, 400)
        course.decided("Motion to enforce settlement agreement", "granted", "denied", least=20, most=50)


def _try(course: _Course) -> None:
    wait = course.chance.randint(90, 200)
    course.now += timedelta(days=course.chance.randint(20, 40))
    course.also("trial set", (course.now + timedelta(days=wait)).isoformat())
    course.on(wait, wait, "trial", "Jury trial began")
    winner = course.chance.choice(("plaintiffs", "defendants"))
    course.on(4, 12, "trial", f"Jury verdict for {winner}")
    course.on(1, 9, "judgment", f"Judgment for {winner}")


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
