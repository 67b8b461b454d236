"""Every word of ``error_classes.toml`` taken out in turn: is there a failure whose class it decides?

A word is one alternative of a pattern, at any depth. Failures are made from what the word matches (``witness``), put
where its field is read; the class of one of them must be another without the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from flows.bench.liveness.witness import witness
from tasks.judging.taxonomy import ClassWords, Taxonomy, taxonomy

Said = tuple[str, str]  # a title, and what the judge said
CLASS_FIELDS: Final = ("acts", "ignores", "patterns", "exact", "weak", "unless")
SHARED_FIELDS: Final = ("label", "subject", "herald", "passed_over", "lack", "conditions")
_SEEDS: Final = 16
_SIGNS: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|.")
_BEFORE: Final = ("", "Reviews ", "Identifies ", "Discusses ", "Reads memo")
_AFTER: Final = (
    "",
    " it",
    " 5",
    " between the papers",
    " the discrepancy",
    " a cure of $3,000",
    " the citation of $3,000 it quotes",
)


@dataclass(frozen=True)
class Word:
    """One alternative.

    Attributes:
        place: Number of its class, or -1 for what all classes share; ``field`` and ``number`` name the pattern.
        text: The alternative.
        only: The pattern with this alternative alone where it has several.
        without: The pattern with all others; empty where there is none.
    """

    place: int
    field: str
    number: int
    text: str
    only: str
    without: str


def words() -> list[Word]:
    """Return every word of the taxonomy."""
    known = taxonomy()
    found = []
    for place, of in enumerate((*known.classes, known)):
        shared = isinstance(of, Taxonomy)
        for field in SHARED_FIELDS if shared else CLASS_FIELDS:
            for number, pattern in enumerate(_patterns(of, field)):
                at = (-1 if shared else place, field, number)
                found += [Word(*at, *one) for one in parted(pattern)]
    return found


def parted(pattern: str) -> list[tuple[str, str, str]]:
    """Return each alternative of a pattern at any depth, the pattern with it alone, and the pattern without it."""
    levels = [(end, _bars(pattern, start, end)) for start, end in _levels(pattern)]
    found = []
    for _, parts in levels:
        for number, (start, end) in enumerate(parts if len(parts) > 1 else ()):
            others = [pattern[a:b] for a, b in parts[:number] + parts[number + 1 :]]
            without = pattern[: parts[0][0]] + "|".join(others) + pattern[parts[-1][1] :]
            found.append((pattern[start:end], _alone(pattern, start, end, [p for _, p in levels]), without))
    return found or [(pattern, pattern, "")]


def _alone(pattern: str, start: int, end: int, levels: list[list[tuple[int, int]]]) -> str:
    """Return a pattern without all that stands beside one alternative, at its level and at those around it."""
    kept = [*pattern]
    for parts in levels:
        if not parts[0][0] <= start <= end <= parts[-1][1]:
            continue
        if pattern[parts[0][0] - 1 : parts[0][0]] == "!":  # what must not stand there is what a failure holds
            kept[parts[0][0] - 1] = "="
        for first, last in parts:
            if not first <= start <= end <= last:
                kept[first:last] = [""] * (last - first)
        for first, _ in parts[1:]:
            kept[first - 1] = ""
    return "".join(kept)


def is_alive(word: Word) -> bool:
    """Tell whether the class of some failure hangs on a word."""
    known, changed = taxonomy(), without(word)
    return any(known.by_words(*said) is not changed.by_words(*said) for said in failures(word))


def without(word: Word) -> Taxonomy:
    """Return the taxonomy without a word."""
    known = taxonomy()
    if word.place < 0:
        return known.model_copy(update={word.field: _changed(known, word)})
    of = known.classes[word.place]
    less = of.model_copy(update={word.field: _changed(of, word)})
    return known.model_copy(update={"classes": (*known.classes[: word.place], less, *known.classes[word.place + 1 :])})


def failures(word: Word) -> Iterator[Said]:
    """Yield failures that hold the word where its field is read."""
    for seed in range(_SEEDS if word.place >= 0 else 4 * _SEEDS):
        flags = 0 if word.field == "exact" else re.IGNORECASE
        told = witness(word.only, flags, "memo", seed) or witness(word.only + r"\d", flags, seed=seed)
        if told is None:
            return
        if word.place < 0:
            yield from _shared(word.field, told)
        elif word.field == "unless":
            yield from _stepping_back(taxonomy().classes[word.place], told, seed)
        elif word.field == "ignores":
            yield from (
                (f"{before}{told}{after}", "") for before in ("", "12.2") for after in ("", "0.25", " 10.25", ".25")
            )
        else:
            yield from _told(told)


def _told(told: str) -> Iterator[Said]:
    for title in (f"{before}{told}{after}" for before in _BEFORE for after in _AFTER):
        yield title, ""
    for said in (
        f"It is missing {told}.",
        f"It does not see {told} here.",
        f"{told} here.",
        told,
        f"Reviews {told} it",
    ):
        yield "Is polite", said


def _shared(field: str, told: str) -> Iterator[Said]:
    act = "rejects the fee of $3,000"
    if field in ("label", "subject"):
        yield from ((f"{before}{act}", "") for before in (told, f"{told} ", told[:-1]))
        return
    if field == "herald":
        yield from (("Is polite", f"{told}{gap}{act}.") for gap in ("", " "))
        return
    for said in (
        f"{told} the deadline is missing",
        f"{told} it is missing the deadline",
        f"The deadline {told}",
        f"{told} the deadline",
    ):
        yield from ((title, f"{said}{end}") for title in (act, "Names the landlord") for end in (".", " here."))


def _stepping_back(of: ClassWords, told: str, seed: int) -> Iterator[Said]:
    for pattern in (*of.patterns, *of.exact):
        fired = witness(pattern, seed=seed) or ""
        for title in (f"{told} {fired}", f"{told} it {fired}", f"{fired} {told}", f"{fired} {told} it"):
            yield from ((f"{before}{title}", "") for before in ("", "Identifies ", "Reconciles "))
    for pattern in of.weak:
        yield told, f"So it is: {witness(pattern, seed=seed)}"


def _patterns(of: ClassWords | Taxonomy, field: str) -> tuple[str, ...]:
    held = getattr(of, field)
    return (held,) if isinstance(held, str) else tuple(held)


def _changed(of: ClassWords | Taxonomy, word: Word) -> str | tuple[str, ...]:
    held = getattr(of, word.field)
    if isinstance(held, str):
        return word.without or "(?!)"
    return (*held[: word.number], *filter(None, [word.without]), *held[word.number + 1 :])


def _levels(pattern: str) -> Iterator[tuple[int, int]]:
    """Yield where each stretch stands that bars may part: the whole, and the inside of each group."""
    opened, place = [0], 0
    for sign in _SIGNS.findall(pattern):
        place += len(sign)
        if sign == "(":
            head = re.match(r"\?(?:[:=!]|<[=!]|-?[a-z]+:|P<\w+>)", pattern[place:])
            opened.append(place + (head.end() if head else 0))
        elif sign == ")":
            yield opened.pop(), place - 1
    yield 0, len(pattern)


def _bars(pattern: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where the parts of a stretch stand, parted at the bars of its own depth."""
    firsts, depth, place = [start], 0, start
    for sign in _SIGNS.findall(pattern[start:end]):
        place += len(sign)
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "|" and depth == 0:
            firsts.append(place)
    return [*zip(firsts, [first - 1 for first in firsts[1:]] + [end], strict=True)]
