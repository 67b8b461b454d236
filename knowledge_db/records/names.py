"""Rows of names: concepts with their other names, and what lawyers call a thing."""

from __future__ import annotations

from pydantic import Field, model_validator

from knowledge_db.records.row import KnowledgeRow


class Synonym(KnowledgeRow):
    """A concept and the terms by which documents name it."""

    concept: str
    aliases: tuple[str, ...] = Field(min_length=1)
    provenance: str = "drafting usage"
    as_of: str = ""


class PopularName(KnowledgeRow):
    """What a lawyer calls a thing that the law calls otherwise: an abbreviation, a popular name, a place.

    Attributes:
        said: The name; written in small letters it is met in any, else as it stands.
        means: What else entries say for it; empty for a name that only tells of a place.
        place: The law district that it names, or without ``means`` states: a code of the catalogue, or the name of a
            place whose law is not held.
        town: Whether it only tells where something happens, and not whose law is meant: where the matter has another
            place in the same country, the law of that may answer, too ("she left for Miami").
    """

    said: str = Field(min_length=2, max_length=60)
    means: str = ""
    place: str = ""
    town: bool = False
    provenance: str = "drafting usage"
    as_of: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> PopularName:
        if not (self.means or self.place):
            raise ValueError(f"{self.said!r} neither means anything nor names a place")
        return self
