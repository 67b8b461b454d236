"""Documents to be asked, statements to ask them for, and answers."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from tasks.matter.base import Record

Label = Literal["entailment", "contradiction", "neutral"]
LABELS: Final[tuple[Label, ...]] = ("entailment", "contradiction", "neutral")


class Passages(Record):
    """A document cut into passages.

    Attributes:
        spans: ``[start, end)`` of each passage, in order: a sentence, an item of a list or a heading.
    """

    document: str
    text: str
    spans: tuple[tuple[int, int], ...] = Field(min_length=1)

    def said(self) -> list[str]:
        """Return the text of each passage."""
        return [self.text[start:end] for start, end in self.spans]


class Hypothesis(Record):
    """What a document is asked for, in plain words."""

    key: str
    text: str


class Example(Record):
    """How a lawyer answered one statement for one document.

    Attributes:
        statement: Key of the statement.
        evidence: Positions of the passages that show it; none for a neutral answer.
    """

    document: str
    statement: str
    label: Label
    evidence: tuple[int, ...] = ()


class Entailment(Record):
    """What the reader says of one statement and one document.

    Attributes:
        chances: Of each label, in the order of ``LABELS``; they sum to one.
        evidence: Positions of the passages that show it, in reading order; none for a neutral answer.
    """

    document: str
    statement: str
    label: Label
    chances: tuple[float, float, float]
    evidence: tuple[int, ...] = ()
