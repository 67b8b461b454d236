"""Rows of provisions: kinds of clauses, what they are called and how they are drafted."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, model_validator

from knowledge_db.records.row import Expression, KnowledgeRow, cue


class ProvisionEffect(KnowledgeRow):
    """What a clause provides, where a sentence of it meets a pattern.

    Attributes:
        says: In few words; the part in brackets is told where the pattern marks a value: "on notice[ of {value}]".
        when: The pattern; its group ``value``, or another whose name begins so, is what stands for {value}.
    """

    says: str = Field(min_length=1, max_length=80)
    when: Expression

    @model_validator(mode="after")
    def _marks_what_it_says(self) -> ProvisionEffect:
        slots = re.findall(r"\[[^\[\]]*\{value\}[^\[\]]*\]", self.says)
        marks = any(name.startswith("value") for name in cue(self.when).groupindex)
        if len(slots) != marks or any(mark in re.sub(r"\[[^\]]*\]", "", self.says) for mark in "[]{}"):
            raise ValueError('a value has one place in brackets ("on notice[ of {value}]") and a group in the pattern')
        return self


class ProvisionEntry(KnowledgeRow):
    """A kind of clause: what it is called and how it is drafted. The fields are explained in ``tasks/retrieval``.

    All patterns are matched without regard to case, with straight quotation marks and single blanks.
    """

    name: str = Field(min_length=1, max_length=80)
    aliases: tuple[str, ...] = ()
    means: str = Field("", max_length=300)
    answer: Literal[
        "clause", "parties", "title", "law", "agreement_date", "effective_date", "expiration_date", "renewal",
        "renewal_notice",
    ] = "clause"  # fmt: skip
    headings: tuple[Expression, ...] = ()
    strong: tuple[Expression, ...] = ()
    support: tuple[Expression, ...] = ()
    against: tuple[Expression, ...] = ()
    veto: tuple[Expression, ...] = ()
    asked: tuple[Expression, ...] = ()
    unasked: tuple[Expression, ...] = ()
    posed: tuple[str, ...] = ()
    denial: Expression = ""
    within: Expression = ""
    effects: tuple[ProvisionEffect, ...] = ()
    threshold: float = Field(3.0, gt=0, le=20)
    max_quotes: int = Field(3, ge=1, le=20)
    defined: bool = False
    action: str = Field("", max_length=200)
    owner: str = Field("", max_length=80)
    provenance: str = "drafting usage"
    as_of: str = ""

    @property
    def patterns(self) -> tuple[str, ...]:
        """Every regular expression of the entry."""
        single = (self.denial, self.within, *(effect.when for effect in self.effects))
        lists = (self.headings, self.strong, self.support, self.against, self.veto, self.asked, self.unasked)
        return (*(p for patterns in lists for p in patterns), *(p for p in single if p))
