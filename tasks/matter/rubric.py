"""The hidden rubric. Imported by the sealer and by ``tasks.judging`` alone (import-linter)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.matter.base import Record


class AnchorMatch(Record):
    """What must be matched: ``any`` of the values, by ``kind`` (formats: anchors)."""

    kind: Literal["date", "value", "span", "absence"]
    any: tuple[str, ...] = Field(min_length=1)
    threshold: float | None = None


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


class Rubric(Record):
    """The sealed half of a task, with the public facts that a judge needs."""

    schema_version: int = 1
    matter_id: str
    matter_digest: str
    title: str
    instructions: str
    criteria: tuple[Criterion, ...]
