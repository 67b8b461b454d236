"""What comparing two filled checklists gives."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal

from pydantic import Field

from tasks.matter.base import Record
from tasks.matter.failures import FailureCause

N_GRADES: Final = 5
"""Marks of an aspect of style: 1 is nothing alike, 5 the same."""


class Relation(StrEnum):
    """What a value of the work product is to the value of the reference."""

    EQUAL = "equal"
    CONTAINS = "contains"  # it says what the reference says, and more
    CONTAINED = "contained"  # it says a part of it
    DIFFERENT = "different"

    def flipped(self) -> Relation:
        """Return what the reference is to the work product."""
        other = {Relation.CONTAINS: Relation.CONTAINED, Relation.CONTAINED: Relation.CONTAINS}
        return other.get(self, self)


class ValuePairs(Record):
    """Pairs of values that say the same, ``(reference, candidate)`` by position; no position twice."""

    pairs: tuple[tuple[int, int], ...]


class ItemScore(Record):
    """One applicable item compared.

    Attributes:
        manner: ``single`` where neither side has more than one value, else ``list``.
        relation: Of two single values; empty where a side has none, or for lists.
        score: The matching score m_i of equation 1; None where the item is unscored, and ``cause`` says why.
        missed, added: Positions of values of the reference and of the work product without a match.
    """

    item: str
    group: str
    manner: Literal["single", "list"]
    relation: Relation | Literal[""] = ""
    reference: int = 0
    candidate: int = 0
    matched: int = 0
    missed: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    score: float | None = None
    cause: FailureCause | None = None
    message: str = ""


class Residual(Record):
    """The facts beyond the checklist, compared.

    Attributes:
        ratio: Share of the reference text that no item covers (r of equation 2).
        score: S_residual, from 0 to 100; None where it has no weight or could not be told.
    """

    ratio: float = Field(ge=0, le=1)
    reference: int = 0
    candidate: int = 0
    matched: int = 0
    score: float | None = None


class ScoreProblem(Record):
    """Why a part of the score is missing."""

    part: Literal["residual", "style"]
    cause: FailureCause
    message: str


class ChecklistScore(Record):
    """A work product against its reference.

    Attributes:
        items: The applicable items in the order of the checklist.
        s_checklist, s_residual, s_style, s_gavel: From 0 to 100; None where what they rest on was not compared.
    """

    schema_version: int = 1
    checklist: str
    version: str
    alpha: float
    items: tuple[ItemScore, ...]
    s_checklist: float | None = None
    residual: Residual | None = None
    s_residual: float | None = None
    style: dict[str, int] = Field(default_factory=dict)
    s_style: float | None = None
    s_gavel: float | None = None
    problems: tuple[ScoreProblem, ...] = ()
    dropped_values: int = 0
    dropped_evidence: int = 0
