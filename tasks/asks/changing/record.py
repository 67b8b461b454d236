"""One thing that a brief asks to be changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["replace", "delete", "insert", "mutual", "take", "refuse", "keep", "other", "none"]
COMPLETE = frozenset({"replace", "delete", "insert", "mutual", "take", "refuse", "keep"})


@dataclass(frozen=True)
class Change:
    """One thing that a brief asks to be changed.

    Attributes:
        item: The words of the brief, which stand at ``[start, end)`` of it.
        kind: ``other`` gives no wording and is left to a lawyer. ``take`` and ``refuse`` speak of points that somebody
            else numbered; ``keep`` is a change that is refused.
        old: What is replaced, as the brief names it; empty where it names only the new value.
        place: Number of the section; empty where the brief gives none.
        beside: The place of a change named before it in the same sentence; it is where this one is looked for first.
        what: The words that tell which occurrence is meant, or what is struck, or where something is inserted.
        quoted: The old words are verbatim.
        every: Throughout the document.
        renamed: A name is replaced by another of the same person or company.
        added: Number of a clause that is to be new; empty where none is.
        told: What is inserted is told in the words of the instruction, not quoted.
        points: Numbers of the points of a message that are taken in or refused.
    """

    item: str
    start: int
    end: int
    kind: Kind
    old: str = ""
    new: str = ""
    place: str = ""
    beside: str = ""
    what: str = ""
    quoted: bool = False
    every: bool = False
    renamed: bool = False
    added: str = ""
    told: bool = False
    points: tuple[int, ...] = ()
