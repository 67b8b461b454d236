"""Whether a question is taken for a kind of clause that it is after, and for none where the catalogue has not the kind.

Of each catalogue drawn, a quarter of the examples of every kind is held back and asked; so are examples of kinds that
the catalogue does not have. Of the whole catalogue, single kinds are left out in turn and asked for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skills_repo.schema import default_procedure
from tasks.harness import packaged
from tasks.models.access import ModelAccess
from tasks.models.vectors import Matrix
from tasks.retrieval.posed import PosedQuestions
from tasks.retrieval.provisions import Provision, catalogue_of

_SEED = 7  # any: the same catalogues are drawn each time
_DRAWS = {2: 40, 10: 12, 40: 4}  # catalogues drawn of each size, so that some 150 questions after their kinds are asked
_LEFT_OUT = 24  # kinds left out of the whole catalogue in turn: each learns it anew
_LEAST = 3  # examples of a kind that is asked for: one is held back, two are learned from
_STRANGE = 150  # questions after other kinds, at least


@dataclass(frozen=True)
class _Asked:
    kinds: int
    question: str
    kind: str  # empty where the catalogue does not have it


def measure_posed(kinds: int | None = None, *, quick: bool = False) -> dict[str, Any]:
    """Return, by the size of the catalogue, what is taken for a kind and how often rightly.

    Args:
        kinds: Measure catalogues of this size alone; all sizes when None.
        quick: One catalogue of each size, and two kinds left out.
    """
    harness = packaged()
    rng = random.Random(_SEED)
    known = [p for p in catalogue_of(harness.knowledge) if len(p.posed) >= _LEAST]
    sizes = [n for n in (*_DRAWS, len(known)) if kinds in (None, n)]
    return {str(n): _tally(list(_readings(known, n, rng, quick=quick))) for n in sizes}


def render(result: dict[str, Any]) -> str:
    """Return a line for each size of catalogue, in per cent."""
    rows = ["kinds   after a kind: taken  rightly   after none: taken   questions"]
    for size, got in result.items():
        rows.append(
            f"{size:>5}   {got['taken']:19.1f}  {got['rightly']:7.1f}   {got['strange_taken']:17.1f}   "
            f"{got['asked']} and {got['strange']}"
        )
    return "\n".join(rows)


def _readings(
    known: Sequence[Provision], size: int, rng: random.Random, *, quick: bool
) -> Iterator[tuple[_Asked, str | None]]:
    """Yield each question with the kind that it is taken for, None for none."""
    whole = size == len(known)
    for _ in range(1 if quick or whole else _DRAWS[size]):
        kinds = list(known) if whole else rng.sample(known, size)
        learned, held = [], []
        for kind in kinds:
            said = rng.sample(kind.posed, len(kind.posed))
            back = max(1, len(said) // 4)  # a quarter is asked, the rest is learned from
            held += [_Asked(size, q, kind.name) for q in said[:back]]
            learned.append(replace(kind, posed=tuple(said[back:])))
        others = [_Asked(size, q, "") for p in known if p not in kinds for q in p.posed]
        strange = rng.sample(others, min(len(others), max(2 * len(held), _STRANGE)))
        yield from _taken(learned, [*held, *strange])
    for left in rng.sample(known, 2 if quick else _LEFT_OUT) if whole else ():
        yield from _taken([p for p in known if p is not left], [_Asked(size, q, "") for q in left.posed])


def _taken(kinds: Sequence[Provision], asked: Sequence[_Asked]) -> Iterator[tuple[_Asked, str | None]]:
    procedure = default_procedure()
    posed = PosedQuestions(kinds, _embed)
    for one in asked:
        read = posed.read(one.question)
        yield one, read.provision.name if read and read.is_meant(procedure) else None


def _tally(readings: Sequence[tuple[_Asked, str | None]]) -> dict[str, Any]:
    own = [(a, k) for a, k in readings if a.kind]
    taken = [(a, k) for a, k in own if k]
    strange = [k for a, k in readings if not a.kind]
    return {
        "asked": len(own),
        "taken": 100 * len(taken) / max(1, len(own)),
        "rightly": 100 * sum(a.kind == k for a, k in taken) / max(1, len(taken)),
        "strange": len(strange),
        "strange_taken": 100 * sum(k is not None for k in strange) / max(1, len(strange)),
    }


def _embed(words: Sequence[str]) -> Matrix:
    return ModelAccess({}).client("wordllama", "embeddings").embed(words)
