"""Rows of what is drafted and filed: forms of deliverables, and cues that tell what a document is."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from knowledge_db.records.row import Expression, KnowledgeRow


class DeliverableSection(KnowledgeRow):
    """A section of a deliverable, with the headings by which it is recognised."""

    title: str
    aliases: tuple[str, ...] = ()
    required: bool = True


class DeliverableType(KnowledgeRow):
    """The required form of a kind of work product.

    Attributes:
        filename, title, instructions: Cues (lower-case words or phrases, ``*`` ends a prefix) by where they may stand.
        suffixes: File types it usually has.
        areas: Practice areas it is particular to; empty for all.
    """

    type_id: str
    name: str
    filename: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = (".docx",)
    areas: tuple[str, ...] = ()
    sections: tuple[DeliverableSection, ...]
    provenance: str
    as_of: str = ""


class InferenceRule(KnowledgeRow):
    """A cue that tells what a document is.

    Attributes:
        pattern: Regular expression, matched without regard to case.
        where: How far it is looked for: in the ``name`` alone (the file name, and the title as printed), at the
            ``head`` too where no name tells anything (the first 2,000 characters), or only in the whole ``text``.
        area: Practice area the rule belongs to; ``any`` for all.
        fallback: Counts only where no other cue fires, and in matters of its area alone.
        weight: What it counts; half of it behind the first 400 characters of the head.
        retrieve: Words to search the knowledge for when the rule tells the type of a document.
    """

    document_type: str
    pattern: Expression
    where: Literal["name", "head", "text"]
    area: str = "any"
    fallback: bool = False
    weight: float = Field(1.5, gt=0, le=10)
    retrieve: tuple[str, ...] = ()
    provenance: str = "drafting usage"
    as_of: str = ""
