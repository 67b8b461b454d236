"""The liveness of a harness: every leaf is changed in turn, and some stage must give something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from flows.bench.liveness import (
    agent,
    counting,
    deadlines,
    document_types,
    extraction,
    gates,
    knowledge,
    mechanisms,
    prompts,
    raises,
    research,
    skills,
)
from flows.bench.liveness.answers import answers
from flows.bench.liveness.provisions import provisions
from flows.bench.liveness.records import ALL, Leaf
from flows.bench.request import misuse
from tasks.harness import Harness

PROBES: tuple[Callable[[Harness], Iterator[Leaf]], ...] = (
    gates.gates,
    mechanisms.mechanisms,
    skills.procedure,
    skills.skills,
    skills.classes,
    prompts.prompts,
    agent.agent,
    extraction.extraction,
    *knowledge.PROBES,
    *deadlines.PROBES,
    *counting.PROBES,
    raises.raises,
)
"""What changes the leaves of one surface each."""

BY_ROW: Mapping[str, Callable[[Harness, slice], Iterator[Leaf]]] = MappingProxyType(
    {
        probe.__name__: probe
        for probe in (
            skills.procedure,
            skills.classes,
            extraction.extraction,
            knowledge.authorities,
            knowledge.asked,
            knowledge.ranking,
            answers,
            knowledge.names,
            document_types.inference,
            knowledge.questions,
            research.research,
            knowledge.law_texts,
            deadlines.windows,
            deadlines.calendars,
            counting.counting,
            provisions,
        )
    }
)
"""Those that take long and can look at some rows or settings of theirs alone."""


def leaves(harness: Harness, surfaces: Sequence[str] = (), rows: slice = ALL) -> Iterator[Leaf]:
    """Yield every leaf of a harness, and whether it is alive.

    Args:
        harness: The harness.
        surfaces: Probes by name (gates, procedure, skills, prompts, authorities …); all when empty.
        rows: The rows or settings to look at, on the surfaces that take long (``BY_ROW``).

    Raises:
        SolonError: There is no such surface (``input``).
    """
    known = [probe.__name__ for probe in PROBES]
    for name in surfaces:
        if name not in known:
            raise misuse(name, "is no surface of the harness", f"use one of {', '.join(known)}")
    for probe in PROBES:
        if not surfaces or probe.__name__ in surfaces:
            by_row = BY_ROW.get(probe.__name__)
            yield from by_row(harness, rows) if by_row else probe(harness)


def measure_liveness(harness: Harness, surfaces: Sequence[str] = ()) -> dict[str, Any]:
    """Change every leaf in turn.

    Returns:
        ``{"leaves": {surface: count}, "dead": {surface: [names]}, "broke": number of dead leaves}``.
    """
    counted: Counter[str] = Counter()
    dead: dict[str, list[str]] = {}
    for leaf in leaves(harness, surfaces):
        counted[leaf.surface] += 1
        if not leaf.alive:
            dead.setdefault(leaf.surface, []).append(leaf.name)
    return {"leaves": dict(counted), "dead": dead, "broke": sum(map(len, dead.values()))}


def render(result: dict[str, Any]) -> str:
    """Return the table: leaves by surface, how many are alive, and the dead ones by name."""
    lines = [f"{'surface':16} {'leaves':>7} {'alive':>7}"]
    for surface, count in result["leaves"].items():
        lines.append(f"{surface:16} {count:7,} {count - len(result['dead'].get(surface, ())):7,}")
    total = sum(result["leaves"].values())
    lines.append(f"{'all':16} {total:7,} {total - result['broke']:7,}")
    lines += [f"dead: {surface}: {name}" for surface, names in result["dead"].items() for name in names]
    return "\n".join(lines)
