"""The hidden rubric. Imported by the sealer and by ``tasks.judging`` alone (import-linter)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from tasks.matter.base import Record
from tasks.matter.reasons import MatchKind

Gold = Annotated[str, StringConstraints(max_length=20_000)]


class AnchorMatch(Record):
    """What must be matched: ``any`` of the values, by ``kind`` (formats: anchors).

    Gold that any work product would match, or none could, is refused: it would score the rubric, not the drafter.
    """

    kind: MatchKind
    any: tuple[Gold, ...] = Field(min_length=1, max_length=1_000)
    threshold: float | None = Field(default=None, gt=0, le=1, allow_inf_nan=False)

    @model_validator(mode="after")
    def _can_be_matched(self) -> Self:
        if self.kind is MatchKind.DATE and not all(_is_day(gold) for gold in self.any):
            raise ValueError("a date is written YYYY-MM-DD")
        if self.kind in {MatchKind.VALUE, MatchKind.SPAN} and not all(map(_says_something, self.any)):
            raise ValueError("gold without a letter or digit")
        return self


def _says_something(text: str) -> bool:
    return any(sign.isalnum() for sign in text)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class Anchor(Record):
    """Machine-checkable gold of a criterion.

    Attributes:
        document: The source document it is about.
        scope: Names by which the deliverable may refer to that document.
        facet: Names of the topic.
    """

    document: str = ""
    scope: tuple[str, ...] = ()
    facet: tuple[str, ...] = ()
    match: AnchorMatch


class Criterion(Record):
    """One line of a rubric.

    Attributes:
        deliverables: File names it is judged on; empty means every file of the output.
        include_redlines: Judge reads tracked changes of Word files too.
        anchors: Every anchor must match for a pass; empty when only a model can judge.
    """

    id: str
    title: str
    match_criteria: str
    deliverables: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    include_redlines: bool = False
    anchors: tuple[Anchor, ...] = ()


class ReferenceValue(Record):
    """A value of a reference checklist.

    Attributes:
        evidence: Words of the reference text that it rests on.
        sources: Documents of the data room that it rests on, by their names.
    """

    value: Gold
    evidence: tuple[Gold, ...] = ()
    sources: tuple[str, ...] = ()


class ReferenceChecklist(Record):
    """What a work product of the matter should say to the items of a checklist (``checklist.json``).

    Attributes:
        reference_checklist: Name of a shipped checklist, or one written out.
        values: By the id or another name of an item; an item that is left out, or has none, does not apply.
        text: The reference work product; without it neither facts beyond the checklist nor style are compared.
    """

    schema_version: Literal[1] = 1
    reference_checklist: str | dict[str, Any]
    values: dict[str, Annotated[tuple[ReferenceValue, ...], Field(max_length=1_000)]] = Field(min_length=1)
    text: Annotated[str, StringConstraints(max_length=2_000_000)] = ""


class Rubric(Record):
    """The sealed half of a task, with the public facts that a judge needs."""

    schema_version: int = 1
    matter_id: str
    matter_digest: str
    title: str
    instructions: str
    criteria: tuple[Criterion, ...]
    checklist: ReferenceChecklist | None = None
