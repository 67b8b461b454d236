"""Clauses, chunks, passages, and the knowledge that a draft starts from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from skills_repo.schema import Procedure
from tasks.matter.base import Record
from tasks.sources.records import Span


class Clause(Record):
    """A node of a document's clause tree; ``[start, end)`` covers its descendants.

    Attributes:
        number: As printed or as Word numbers it: ``9.2``, ``(b)``, ``ARTICLE IV``; may be empty.
        path: Labels from the root, e.g. ``("ARTICLE IV", "4.2", "(b)")``.
        parent: Index of the parent in the document's clause list, -1 for a root.
    """

    document: str
    number: str
    heading: str
    level: int
    path: tuple[str, ...]
    parent: int
    start: int
    end: int

    @property
    def label(self) -> str:
        """Return the citation form, e.g. ``§ 9.2(b)``; the heading for unnumbered text."""
        tail = ""
        for part in reversed([p for p in self.path if p]):
            if not part.startswith("("):
                return f"§ {part}{tail}" if part[0].isdigit() else f"{part}{tail}"
            tail = part + tail
        return tail or self.heading


class Passage(Record):
    """A search hit: an exact span with its text, score and clause label.

    Attributes:
        reason: Why it is there where it is no hit itself but what a hit depends on; empty for a hit.
    """

    span: Span
    text: str
    score: float
    label: str = ""
    heading: str = ""
    reason: str = ""


class Searcher(Protocol):
    """Search over the canonical texts of one matter."""

    def search(self, query: str, k: int = 8, documents: Sequence[str] | None = None) -> list[Passage]:
        """Return the ``k`` best passages, best first, restricted to ``documents`` when given."""
        ...

    def clauses(self, document: str) -> Sequence[Clause]:
        """Return the clause tree of a document in reading order."""
        ...


class SkillCard(Record):
    """A routed skill: how to work, with the law of the matter's class where it has a skill; never an answer.

    Attributes:
        skill_id: ``<family>/<skill>``.
        description: What it is for, in one sentence.
        body: The Markdown body (the seven-part scaffold).
        procedure: Bounded settings that runtimes obey.
        mandatory_tools: Tools that must have been used before the work is done.
        class_id: The class skill that is part of it; empty where the matter's class has none.
        pitfalls: What goes wrong in matters of the class.
    """

    skill_id: str
    name: str
    description: str
    body: str
    procedure: Procedure
    mandatory_tools: tuple[str, ...] = ()
    class_id: str = ""
    pitfalls: str = ""


class SkeletonSection(Record):
    """A section that a deliverable type requires, with the headings by which it is recognised."""

    title: str
    aliases: tuple[str, ...] = ()
    required: bool = True


class Skeleton(Record):
    """The required form of a deliverable type."""

    deliverable_type: str
    sections: tuple[SkeletonSection, ...]


class KnowledgePack(Record):
    """What the harness knows that bears on a matter, before drafting."""

    schema_version: int = 1
    harness_version: str
    skill: SkillCard
    skeletons: dict[str, Skeleton]  # by deliverable file name
    authorities: tuple[dict[str, Any], ...] = ()
    windows: tuple[dict[str, Any], ...] = ()
