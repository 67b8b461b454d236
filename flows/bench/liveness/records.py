"""Leaves of a harness, and whether changing one changes anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from knowledge_db import KnowledgeBase

M = TypeVar("M", bound=BaseModel)

ALL = slice(None)
"""Every row of a family."""


class Leaf(NamedTuple):
    """A leaf that was changed.

    Attributes:
        surface: Where it belongs: gates, procedure, skills, prompts, or a family of the knowledge.
        name: What it is called there.
        alive: Whether the change altered the result of some stage, or was refused when parsed.
    """

    surface: str
    name: str
    alive: bool


def with_rows(base: KnowledgeBase, **families: Any) -> KnowledgeBase:
    """Return the knowledge with other rows in some families; the others are those of ``base``, read once."""
    return base.with_families(**families)


def without(items: tuple[Any, ...], position: int) -> tuple[Any, ...]:
    """Return a tuple without one item."""
    return (*items[:position], *items[position + 1 :])


def fewer(row: M, field: str) -> Iterator[tuple[str, M]]:
    """For each item of each list field, yield the row without it and a name for that item."""
    items = getattr(row, field)
    for position, item in enumerate(items):
        yield f"{field}: {item}", row.model_copy(update={field: without(items, position)})


def moved(value: Any) -> Iterable[Any]:
    """Return other values of a setting, those most likely to matter first."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int | float):
        kind = type(value)
        return (kind(value * 2 + 1), kind(value / 2), kind(value + 1), kind(value - 1), kind(0), kind(1))
    return (f"{value} (changed)",)
