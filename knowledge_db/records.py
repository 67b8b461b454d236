"""The rows of the knowledge families. Every row says where it comes from."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Row(BaseModel):
    """A frozen row that rejects unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Authority(Row):
    """A statute, regulation, rule, case, ethics rule or secondary source.

    Attributes:
        citation: Canonical citation; unique.
        kind: What it is.
        jurisdiction: ``US``, ``US-DE``, ``EU``, ``UK``, ``INTL`` …
        title: Heading, or for a case its name.
        keywords: What a lawyer would search for.
        note: What it provides or holds, in our own words; may be empty.
        provenance: The text against which the row was checked.
        as_of: Date of that text.
    """

    citation: str
    kind: Literal["statute", "regulation", "rule", "case", "ethics", "treaty", "secondary"]
    jurisdiction: str
    title: str
    keywords: tuple[str, ...] = ()
    note: str = ""
    provenance: str
    as_of: str = ""


class WindowRule(Row):
    """A deadline regime: so many days of a kind from a trigger, by an authority.

    Attributes:
        window_id: ``<domain>/<name>``; unique.
        direction: ``after`` or ``before`` the trigger.
        calendar: calendar or business days, or the sessions of an exchange.
        roll: What happens when the last day is no working day: ``next``, ``previous`` or ``none``.
        calendar_set: The holiday calendar to count by, e.g. ``us_federal_court``.
    """

    window_id: str
    domain: str
    regime: str
    trigger: str
    action: str
    n: int = Field(ge=0, le=10_000)
    unit: Literal["hour", "day", "week", "month", "year"]
    calendar: Literal["calendar", "business", "trading"] = "calendar"
    direction: Literal["after", "before"] = "after"
    roll: Literal["next", "previous", "none"] = "none"
    calendar_set: str = ""
    authority: str
    jurisdiction: str
    note: str = ""
    provenance: str
    as_of: str = ""


class Section(Row):
    """A section of a deliverable, with the headings by which it is recognised."""

    title: str
    aliases: tuple[str, ...] = ()
    required: bool = True


class DeliverableType(Row):
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
    sections: tuple[Section, ...]
    provenance: str


class Synonym(Row):
    """A concept and the terms by which documents name it."""

    concept: str
    aliases: tuple[str, ...] = Field(min_length=1)
    provenance: str = "drafting usage"


class InferenceRule(Row):
    """A cue that tells what a document is.

    Attributes:
        pattern: Regular expression, matched without regard to case.
        where: The file name, the head of the text (first 2,000 characters), or the whole text.
        area: Practice area the rule belongs to; ``any`` for a universal fallback.
        retrieve: Words to search the knowledge for when the rule fires.
    """

    document_type: str
    pattern: str
    where: Literal["filename", "head", "text"]
    area: str = "any"
    weight: float = Field(1.0, gt=0, le=10)
    retrieve: tuple[str, ...] = ()
