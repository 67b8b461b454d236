"""Chunks by the nodes of the clause tree: each by itself, with the text above it, or with its sub-clauses.

Unlike the contiguous chunks they overlap: a sub-clause is a chunk of its own and a part of its clause's. Those that
say the same are kept once. A document without a tree has no such chunks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.retrieval.records import Clause

_SCRAP = 40  # characters; what is shorter has no sentence


@dataclass(frozen=True)
class Node:
    """A stretch ``[start, end)`` of one clause, and the stretches above it that are read with it, outermost first."""

    start: int
    end: int
    clause: int
    above: tuple[tuple[int, int], ...] = ()


def has_structure(clauses: Sequence[Clause]) -> bool:
    """Tell whether clauses are nodes of a tree: numbered, and not merely the paragraphs of a text below headings."""
    return any(clause.number for clause in clauses)


def nodes(text: str, clauses: Sequence[Clause]) -> list[Node]:
    """Return each clause with its own words, without those of the clauses below it."""
    return [Node(clause.start, stop, at) for at, clause, stop in _own(text, clauses)]


def with_ancestors(text: str, clauses: Sequence[Clause], most: int) -> list[Node]:
    """Return each clause with its own words, read with those of its ancestors.

    Args:
        text: The document.
        clauses: Its tree.
        most: Characters of each ancestor that are read.
    """
    stops = {at: stop for at, _, stop in _own(text, clauses)}
    found = []
    for at, clause, stop in _own(text, clauses):
        above: list[tuple[int, int]] = []
        parent = clause.parent
        while parent >= 0:
            start = clauses[parent].start
            above.insert(0, (start, min(stops.get(parent, start), start + most)))
            parent = clauses[parent].parent
        found.append(Node(clause.start, stop, at, tuple(above)))
    return found


def with_descendants(text: str, clauses: Sequence[Clause], most: int) -> list[Node]:
    """Return each clause with its sub-clauses where they fit ``most`` characters together, else with its own words."""
    found = []
    for at, clause, stop in _own(text, clauses):
        whole = clause.start + len(text[clause.start : clause.end].rstrip())
        found.append(Node(clause.start, whole if whole - clause.start <= most else stop, at))
    return found


def distinct(text: str, found: Sequence[Node]) -> list[Node]:
    """Leave out scraps, and what says word for word what an earlier one says."""
    kept: dict[tuple[str, ...], Node] = {}
    for node in found:
        said = tuple(" ".join(text[a:b].split()) for a, b in (*node.above, (node.start, node.end)))
        if len(said[-1]) >= _SCRAP:
            kept.setdefault(said, node)
    return list(kept.values())


def _own(text: str, clauses: Sequence[Clause]) -> Iterator[tuple[int, Clause, int]]:
    """Yield each clause with the end of its own words."""
    stops = [clause.start for clause in clauses[1:]] + [len(text.rstrip())]
    for at, (clause, stop) in enumerate(zip(clauses, stops, strict=True)):
        if stop > clause.start:
            yield at, clause, clause.start + len(text[clause.start : stop].rstrip())
