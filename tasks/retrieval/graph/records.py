"""The results of the graph of a matter: ties, and references without a target."""

from __future__ import annotations

from typing import Literal

from tasks.matter.base import Record
from tasks.sources.records import Span

Relation = Literal["refers", "defines", "amends", "incorporates", "names", "referred_from"]


class Related(Record):
    """A stretch that another depends on, and why.

    Attributes:
        relation: ``refers`` (a provision referred to), ``defines`` (a term used), ``amends``, ``incorporates`` or
            ``names`` (another document), ``referred_from`` (a clause that refers to this one).
        reason: In words: "Section 4.2 referred to", "defines 'Change of Control' used here".
        label: Citation form of the clause that holds the span.
        exact: False where only the clause around what was meant could be found.
        hops: Steps from the stretch asked about.
    """

    span: Span
    relation: Relation
    reason: str
    label: str = ""
    exact: bool = True
    hops: int = 1


class Dangling(Record):
    """A reference without a target in the matter: a missing exhibit, a section that does not exist.

    Attributes:
        attachment: Whether it is to an exhibit, a schedule or the like.
    """

    span: Span
    said: str
    attachment: bool = False


class Edge(Record):
    """A tie of the graph; ``source`` and ``target`` are spans of clauses, definitions or heads of documents."""

    relation: Relation
    source: Span
    target: Span
    name: str
