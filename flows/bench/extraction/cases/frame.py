"""What the case files of all styles have alike: which papers there are, what a docket enters, whom a pleading names.

A style brings the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple, Protocol

from flows.bench.extraction.cases import truth
from flows.bench.extraction.cases.sheet import Pair, Sheet, long_date
from flows.bench.extraction.cases.world import Event, World

DocketLine = tuple[date, str, list[Pair]]  # an entry of a docket: its day, its words, the values that they state


class Complaint(Protocol):
    """Drafts the complaint, or the amended one."""

    def __call__(self, world: World, *, late: bool) -> Sheet:
        """Return it."""


Paper = Callable[[World, Event, int], Sheet | None]
"""Drafts the paper of an event, which is the n-th of its case; None where the style has none for it."""


def papers(world: World, complaint: Complaint, paper: Paper) -> Iterator[Sheet]:
    """Yield the complaints of a case, then the papers of its events in their order."""
    yield complaint(world, late=False)
    if any(e.what == "First amended complaint" for e in world.events):
        yield complaint(world, late=True)
    for at, event in enumerate(world.events):
        if made := paper(world, event, at):
            yield made


def docket_rows(
    world: World, entry: Callable[[Event], str], correction: tuple[int, str], routine: Iterable[tuple[date, str]]
) -> list[DocketLine]:
    """Return the entries of a docket in the order of their days.

    Args:
        world: The case.
        entry: The words of an event.
        correction: Where the complaint was entered under a wrong day: how many days later that is put right, and in
            which words.
        routine: Entries that state no value.
    """
    rows: list[DocketLine] = []
    for event in world.events:
        wrong = world.wrong_date if event.what == "Complaint" else None
        rows.append((wrong or event.day, entry(event), _stated(world, event)))
        if wrong:
            rows.append((event.day + timedelta(days=correction[0]), correction[1], [_filed(world)]))
    return sorted([*rows, *((day, words, []) for day, words in routine)], key=lambda row: row[0])


def _stated(world: World, event: Event) -> list[Pair]:
    pairs = truth.pairs_of(world, event)
    if event.what == "Complaint" and not world.wrong_date:
        pairs.append(_filed(world))
    if event.kind == "judge":
        pairs.append(("judge_name", world.second_judge))
    if event.kind == "linked":
        joined = event.what == "consolidated"
        pairs.append(("consolidated_cases", world.consolidated) if joined else ("related_cases", world.related))
    return pairs


def _filed(world: World) -> Pair:
    return "filing_date", long_date(world.filed)


def sides(world: World) -> Iterator[tuple[str, Sequence[str], tuple[str, str]]]:
    """Yield each side with its parties and its counsel."""
    yield "Plaintiff", truth.plaintiffs(world), world.plaintiff_counsel
    yield "Defendant", truth.defendants(world, late=True), world.defense_counsel


def parties(world: World, *, late: bool) -> Iterator[tuple[str, str, str, Pair]]:
    """Yield whom a complaint names: the side, the person, the office ("" for none), and the value."""
    for side, names in (("Plaintiff", truth.plaintiffs(world)), ("Defendant", truth.defendants(world, late=late))):
        for name in names:
            person, _, office = name.partition(", ")
            yield side, person, office, ("parties", f"{side}: {name}")


class Pleading(NamedTuple):
    """What a complaint states by being there.

    Attributes:
        event: Its filing.
        kind: Whether it is brought for a class.
        dated: What its date states.
    """

    event: Event
    kind: Pair
    dated: list[Pair]


def pleading(world: World, *, late: bool) -> Pleading:
    """Return what the complaint states, or the amended one."""
    event = next(e for e in world.events if e.what == ("First amended complaint" if late else "Complaint"))
    kind = ("class_or_individual", f"Plaintiffs: {'Class action' if world.is_class else 'Individual'}")
    return Pleading(event, kind, [*truth.pairs_of(world, event), *([] if late else [_filed(world)])])
