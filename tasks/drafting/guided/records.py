"""What a model is shown, and what it said of it once that was verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit


@dataclass(frozen=True)
class Shown:
    """The sentences that a model is shown, numbered from 1 in reading order.

    Attributes:
        name: What the papers they stand in are called.
        texts: The sentences as they are shown: a long one around its operative words.
    """

    name: str
    units: Sequence[Unit]
    texts: Sequence[str]
    readings: Sequence[SentencedDocument]

    def chosen(self, numbers: Sequence[int]) -> tuple[Unit, ...]:
        """Return the sentences of some numbers, each once; a number that none has is left out."""
        return tuple(self.units[n - 1] for n in dict.fromkeys(numbers) if 1 <= n <= len(self.units))

    def reading_of(self, unit: Unit) -> SentencedDocument:
        """Return the document that a sentence stands in."""
        return next(r for r in self.readings if r.document == unit.document)


@dataclass(frozen=True)
class Opinion:
    """What a model said of an ask.

    Attributes:
        so: Probability of its yes; None where it gave no answer that can be read.
        units: The sentences that it rests on.
    """

    so: float | None = None
    units: tuple[Unit, ...] = ()


@dataclass(frozen=True)
class StatedValue:
    """A value that stands in a sentence.

    Attributes:
        said: As it is told: normalised where it is a date, a period or a law, else in the words of the document.
        day: As an ISO date, where it is one.
        note: How it was computed.
    """

    said: str
    unit: Unit
    day: str = ""
    note: str = ""


@dataclass(frozen=True)
class Choice:
    """Which of some sentences answers, by a model.

    Attributes:
        weights: How probable each is, in the order in which they were shown.
        none: How probable it is that none answers.
    """

    weights: Sequence[float]
    none: float


@dataclass(frozen=True)
class Following:
    """Whether an answer follows from sentences, by a model: ``yes``, ``no`` or ``unclear``, and from which."""

    answer: str
    so: float
    units: tuple[Unit, ...]


@dataclass(frozen=True)
class Sum:
    """A result that was computed from verified figures.

    Attributes:
        value: As it is told.
        working: The arithmetic.
        units: The sentences that state the figures.
        day: As an ISO date, where it is one.
    """

    value: str
    working: str
    units: tuple[Unit, ...]
    day: str = ""


@dataclass(frozen=True)
class Conclusion:
    """What a model concludes of sentences that it names, in its own words."""

    conclusion: str
    units: tuple[Unit, ...]
