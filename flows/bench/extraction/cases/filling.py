"""What fills the file of a long case: testimony, argument, policies, letters, and papers of other suits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from flows.bench.extraction.cases import themes
from flows.bench.extraction.cases.sheet import Sheet, long_date
from flows.bench.extraction.cases.world import World

_VERBS: Final = [
    "signed",
    "reviewed",
    "filed",
    "returned",
    "copied",
    "misplaced",
    "corrected",
    "approved",
    "rejected",
    "forwarded",
    "initialed",
    "logged",
]
_PLACES: Final = [
    "the annex",
    "the records room",
    "the second floor",
    "the loading dock",
    "the front office",
    "the east wing",
    "the conference room",
]
_REASONS: Final = (
    "nobody had asked for it",
    "the form had changed",
    "the shift was short",
    "the supervisor was away",
    "it was late on a Friday",
    "the system was down",
    "the file had been sent to counsel",
    "the budget had not been approved",
    "the contractor objected",
)
_POINTS: Final = (
    "a plaintiff must plead facts that make a claim plausible",
    "the court reads the complaint as true and draws reasonable inferences",
    "conclusions that only repeat the elements do not suffice",
    "standing is measured when the suit is brought",
    "a request for an injunction looks to the future",
    "the burden shifts once a pattern is shown",
    "an expert may not state the law",
    "a stay is no matter of right",
    "discovery is to be in proportion to the needs of the case",
    "waiver must be clear",
    "fees are measured by the lodestar",
    "commonality asks for one common answer",
    "a party may amend when justice so requires",
)
_LEAST = 500  # characters that are left unfilled: less than a paragraph


def fill(world: World, chance: Random, characters: int) -> Iterator[Sheet]:
    """Yield exhibits and briefs of a case until so many characters are written."""
    kinds: tuple[Callable[[World, Random], Iterator[str]], ...] = (
        _deposition,
        _argument,
        _manual,
        _letters,
        _log,
        _interrogatories,
    )
    at = 0
    while characters > _LEAST:
        at += 1
        kind = kinds[chance.randrange(len(kinds))]
        size = min(characters, chance.randint(9_000, 42_000))
        sheet = Sheet(
            f"{kind.__name__.strip('_')}-{at:03}.txt", world.filed + timedelta(days=chance.randint(5, 900)), core=False
        )
        paragraphs = kind(world, chance)
        while sheet.length < size:
            sheet.add(next(paragraphs))
        characters -= sheet.length
        yield sheet


def _person(chance: Random) -> str:
    return f"{chance.choice(themes.FIRST_NAMES)} {chance.choice(themes.LAST_NAMES)}"


def _day(world: World, chance: Random) -> str:
    return long_date(world.filed - timedelta(days=chance.randint(10, 2_000)))


def _clause(world: World, chance: Random) -> str:
    word = chance.choice(world.theme.words)
    shapes = (
        f"the {word} was {chance.choice(_VERBS)} by {_person(chance)} "
        f"in {chance.choice(_PLACES)} on {_day(world, chance)}",
        f"{_person(chance)} had {chance.choice(_VERBS)} {chance.randint(2, 80)} "
        f"of the {word}s because {chance.choice(_REASONS)}",
        f"nobody {chance.choice(_VERBS)} the {word} until {_day(world, chance)}, as {chance.choice(_REASONS)}",
        f"there were {chance.randint(2, 400)} {word}s in {chance.choice(_PLACES)}, and {_person(chance)} knew it",
        f"on {_day(world, chance)} {_person(chance)} asked "
        f"{_person(chance)} about the {word}, since {chance.choice(_REASONS)}",
    )
    return chance.choice(shapes)


def _sentence(world: World, chance: Random) -> str:
    clause = _clause(world, chance)
    return f"{clause[0].upper()}{clause[1:]}."


def _deposition(world: World, chance: Random) -> Iterator[str]:
    witness = _person(chance)
    yield f"DEPOSITION OF {witness.upper()}\nTaken on {_day(world, chance)}\n\n"
    line = 0
    while True:
        for speaker, words in (
            ("Q.", f"Is it right that {_clause(world, chance)}?"),
            (
                "A.",
                chance.choice(("Yes. ", "No. ", "I do not recall. ", "As far as I know, ")) + _sentence(world, chance),
            ),
        ):
            line = line % 25 + 1
            yield f"{line:>4}  {speaker}  {words}\n"
        if chance.random() < 0.1:
            yield f"\n      MR. {chance.choice(themes.LAST_NAMES).upper()}: Objection. Asked and answered.\n\n"


def _cited(chance: Random) -> str:
    one, other = chance.sample(themes.LAST_NAMES, 2)
    volume = (
        f"{chance.randint(100, 999)} F.3d {chance.randint(1, 1400)}"
        if chance.random() < 0.7
        else f"{chance.randint(2005, 2022)} WL {chance.randint(100_000, 9_900_000)}"
    )
    return (
        f"{one} v. {other}, {volume} ({chance.choice(('9th', '6th', '11th', '4th', '10th'))} "
        f"Cir. {chance.randint(1990, 2022)})"
    )


def _argument(world: World, chance: Random) -> Iterator[str]:
    yield f"MEMORANDUM OF LAW\n\nCase No. {world.number}\n\nARGUMENT\n\n"
    at = 0
    while True:
        at += 1
        point = chance.choice(_POINTS)
        yield (
            f"{at}. {point[0].upper()}{point[1:]}. {_cited(chance)}. "
            f"Here {_clause(world, chance)}. {_sentence(world, chance)} "
        )
        yield (
            f"That is why {chance.choice(_POINTS)}. See {_cited(chance)}; "
            f"{_cited(chance)}. {_sentence(world, chance)}\n\n"
        )


def _manual(world: World, chance: Random) -> Iterator[str]:
    yield f"EXHIBIT {chance.choice('ABCDEFGHJK')}\n\nPOLICY AND PROCEDURE MANUAL\n\n"
    section = 100
    while True:
        section += chance.randint(1, 9)
        word = chance.choice(world.theme.words)
        yield (
            f"{section}.1 Every {word} is to be {chance.choice(_VERBS)} within {chance.randint(2, 90)} "
            f"days. Staff shall report to {_person(chance)} if {chance.choice(_REASONS)}.\n\n"
        )


def _letters(world: World, chance: Random) -> Iterator[str]:
    yield "EXHIBIT 7\n\nCORRESPONDENCE\n\n"
    while True:
        yield (
            f"From: {_person(chance)}\nTo: {_person(chance)}\nDate: {_day(world, chance)}\nRe: "
            f"{chance.choice(world.theme.words)}\n\n{_sentence(world, chance)} "
            f"{_sentence(world, chance)} {_sentence(world, chance)}\n\n"
        )


def _log(world: World, chance: Random) -> Iterator[str]:
    yield "EXHIBIT 12\n\nINCIDENT LOG\n\n"
    day = world.filed - timedelta(days=900)
    while True:
        day += timedelta(days=chance.randint(0, 2))
        yield f"{day:%m/%d/%Y}  {chance.randint(0, 23):02}:{chance.randint(0, 59):02}  {_sentence(world, chance)}\n"


def _interrogatories(world: World, chance: Random) -> Iterator[str]:
    yield "RESPONSES TO INTERROGATORIES\n\n"
    at = 0
    while True:
        at += 1
        yield (
            f"INTERROGATORY NO. {at}: State whether {_clause(world, chance)}.\n\nRESPONSE: Objection, "
            f"vague. Without waiving it: {_sentence(world, chance)} {_sentence(world, chance)}\n\n"
        )


def foreign(other: World, sheets: Sequence[Sheet], day: date) -> list[Sheet]:
    """Return papers of another suit as exhibits to a filing of this one: nothing of them is true of the case.

    Args:
        other: The other suit.
        sheets: Its papers.
        day: When they were filed here.
    """
    taken = []
    for at, sheet in enumerate(sheets[:8], 1):
        exhibit = Sheet(f"exhibit-{other.number[2:]}-{at:02}.txt", day, core=False)
        exhibit.add(f"EXHIBIT {at}\n\n{sheet.text()}")
        taken.append(exhibit)
    return taken
