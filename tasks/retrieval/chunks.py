"""Chunks of a document that follow its clauses.

The chunks of a document are contiguous, ordered and cover its text. A clause that fits is one chunk, a long one is
split between sentences, small neighbours below the same parent are merged. What the text of a chunk leaves out,
the headings above it, is carried beside it.

Other kinds of chunks follow the nodes of the clause tree (``tasks/retrieval/archive/nodes.py``) and overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_db.research import ChunkKind
from tasks.legaltext.sentences import paragraphs, sentences
from tasks.matter.base import Record
from tasks.retrieval.archive.nodes import Node, distinct, has_structure, nodes, with_ancestors, with_descendants
from tasks.retrieval.records import Clause
from tasks.sources.records import CanonicalText, SegmentKind

# Characters; a longer unnumbered line is text of its own; chosen by eye on the development contracts.
_HEADING_ONLY = 160


class Chunk(Record):
    """A stretch ``[start, end)`` of a document with its place in the clause tree.

    Attributes:
        clause: Index of the innermost clause that holds the start, -1 where there is none.
        context: Headings and numbers above the chunk, outermost first.
        above: Stretches of the document that are read with the chunk and are no part of it, outermost first.
    """

    start: int
    end: int
    clause: int
    label: str = ""
    heading: str = ""
    context: str = ""
    above: tuple[tuple[int, int], ...] = ()


class ChunkPolicy(Record):
    """Sizes in characters: aim, hard limit, below what neighbours are merged, and how much merged sections may have.

    ``fixed`` cuts every so many characters whatever the clauses; it is the baseline of the bench. ``kind`` says what
    the chunks are made of; empty for what the harness says (``knowledge_db/data/ranking/research.toml``).
    """

    kind: Literal["", ChunkKind] = ""

    aim: int = 1000
    limit: int = 1500
    small: int = 500
    section: int = 260
    fixed: int = 0


@dataclass(frozen=True)
class _Unit:
    start: int
    end: int
    clause: int


def chunk_document(canonical: CanonicalText, clauses: Sequence[Clause], policy: ChunkPolicy) -> list[Chunk]:
    """Return the chunks of a document in reading order; contiguous ones where it has no tree to follow."""
    text = canonical.text
    if policy.fixed:
        cuts = range(0, len(text), policy.fixed)
        spans = ((start, min(len(text), start + policy.fixed)) for start in cuts)
        return [Chunk(start=start, end=end, clause=-1) for start, end in spans if text[start:end].strip()]
    if policy.kind not in ("", "contiguous") and has_structure(clauses):
        return list(_by_nodes(text, clauses, policy))
    pieces: list[_Unit] = []
    for unit in _units(canonical, clauses):
        pieces.extend(_split(text, unit, policy))
    return [_describe(text, unit, clauses) for unit in _merge(text, pieces, clauses, policy)]


def _by_nodes(text: str, clauses: Sequence[Clause], policy: ChunkPolicy) -> Iterator[Chunk]:
    """Yield the chunks of a kind that follows the tree; what stands before the first clause is a chunk of its own."""
    made = {
        "node": lambda: nodes(text, clauses),
        "ancestors": lambda: with_ancestors(text, clauses, policy.small),
        "descendants": lambda: with_descendants(text, clauses, policy.limit),
    }
    kinds = made if policy.kind == "all" else (policy.kind,)
    found = [Node(0, clauses[0].start, -1), *(node for kind in kinds for node in made[kind]())]
    for node in sorted(distinct(text, found), key=lambda n: (n.start, n.end, n.above)):
        for unit in _split(text, _Unit(node.start, node.end, node.clause), policy):
            yield _describe(text, unit, clauses).model_copy(update={"above": node.above})


def _units(canonical: CanonicalText, clauses: Sequence[Clause]) -> Iterator[_Unit]:
    """Yield each clause's own text, from its start to the start of the next clause."""
    text, end = canonical.text, len(canonical.text.rstrip())
    sheets = [s for s in canonical.segments if s.kind is SegmentKind.ROW]
    if sheets and not any(c.number for c in clauses):
        yield from (_Unit(s.start, min(s.end, end), _holder(clauses, s.start)) for s in sheets if s.start < end)
        return
    bounds = [c.start for c in clauses] + [end]
    first = len(text) - len(text.lstrip())
    if first < bounds[0]:
        yield _Unit(first, bounds[0], -1)
    for i, clause in enumerate(clauses):
        if bounds[i + 1] > clause.start:
            yield _Unit(clause.start, bounds[i + 1], i)


def _holder(clauses: Sequence[Clause], offset: int) -> int:
    low, high = 0, len(clauses)
    while low < high:
        middle = (low + high) // 2
        if clauses[middle].start <= offset:
            low = middle + 1
        else:
            high = middle
    return low - 1


def _split(text: str, unit: _Unit, policy: ChunkPolicy) -> Iterator[_Unit]:
    """Split a long unit between paragraphs where they are large enough, else between sentences, else between words."""
    if unit.end - unit.start <= policy.limit:
        yield unit
        return
    start = unit.start
    for begin, stop in _stops(text, unit, policy):
        if stop - start > policy.aim and begin > start:
            yield _Unit(start, begin, unit.clause)
            start = begin
        while stop - start > policy.limit:
            cut = text.rfind(" ", start + policy.aim, start + policy.limit)
            cut = cut + 1 if cut > start else start + policy.limit
            yield _Unit(start, cut, unit.clause)
            start = cut
    if start < unit.end:
        yield _Unit(start, unit.end, unit.clause)


def _stops(text: str, unit: _Unit, policy: ChunkPolicy) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs of a unit, and the sentences of those that are longer than the aim."""
    for low, high in paragraphs(text[unit.start : unit.end]):
        start, end = unit.start + low, unit.start + high
        if end - start <= policy.aim:
            yield start, end
        else:
            yield from ((start + a, start + b) for a, b in sentences(text[start:end]))


def _merge(text: str, units: Sequence[_Unit], clauses: Sequence[Clause], policy: ChunkPolicy) -> Iterator[_Unit]:
    """Join bare headings with what follows them, and small neighbours of one parent."""
    current: _Unit | None = None
    for unit in units:
        if current is None:
            current = unit
            continue
        total = unit.end - current.start
        if total <= policy.limit and _joined(text, current, unit, clauses, policy):
            current = _Unit(current.start, unit.end, current.clause)
        else:
            yield current
            current = unit
    if current is not None:
        yield current


def _joined(text: str, left: _Unit, right: _Unit, clauses: Sequence[Clause], policy: ChunkPolicy) -> bool:
    if left.clause < 0 or right.clause < 0:
        return right.clause == left.clause and right.end - left.start <= policy.aim
    one, two = clauses[left.clause], clauses[right.clause]
    below = two.start >= one.start and two.end <= one.end
    words = text[left.start : left.end].strip()
    if below and len(words) <= _HEADING_ONLY and not words.endswith((".", ";")):
        return True
    if right.end - left.start > policy.aim:
        return False
    total = right.end - left.start
    if _is_section(two):
        return total <= policy.section and (below or one.parent == two.parent)
    small = min(left.end - left.start, right.end - right.start) <= policy.small
    return small and (below or (one.parent == two.parent and one.parent >= 0) or not (one.number or two.number))


def _is_section(clause: Clause) -> bool:
    """Tell a section, which a lawyer cites by itself, from an item of a list or a paragraph."""
    return bool(clause.heading) or clause.number[:1].isdigit()


def _describe(text: str, unit: _Unit, clauses: Sequence[Clause]) -> Chunk:
    end = unit.start + len(text[unit.start : unit.end].rstrip())
    if unit.clause < 0:
        return Chunk(start=unit.start, end=end, clause=-1)
    clause = clauses[unit.clause]
    above, index = [], clause.parent
    heading = clause.heading
    while index >= 0:
        parent = clauses[index]
        heading = heading or parent.heading
        above.append(f"{parent.number} {parent.heading}".strip())
        index = parent.parent
    if unit.start > clause.start and clause.heading:
        above.insert(0, f"{clause.number} {clause.heading}".strip())
    context = " > ".join(part for part in reversed(above) if part)
    return Chunk(start=unit.start, end=end, clause=unit.clause, label=clause.label, heading=heading, context=context)
