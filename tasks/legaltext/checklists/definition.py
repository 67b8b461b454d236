"""What a checklist asks for: items in groups, and the weight of content against style. All of it is data."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from tasks.legaltext.fold import fold
from tasks.legaltext.tokens import terms
from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError

Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,60}$")]
Line = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


class Item(Record):
    """One thing that is looked for.

    Attributes:
        title: What it is called; a filled checklist may use any of ``names`` instead.
        asked: Words by which a brief asks for it: a question that has all words of one of them, in any form and order.
        asks: What counts as a value of it, in words for a person or a model.
    """

    id: Id
    title: Line
    names: tuple[Line, ...] = ()
    asked: tuple[Line, ...] = ()
    asks: Line

    def wanted_by(self, question: frozenset[str]) -> frozenset[str]:
        """Return the most terms by which a question asks for it; none where it does not."""
        phrases = (frozenset(terms(name)) for name in (self.title, *self.names, *self.asked))
        return max((p for p in phrases if p and p <= question), key=len, default=frozenset())


class Group(Record):
    """Items that belong together."""

    id: Id
    title: Line
    items: tuple[Item, ...] = Field(min_length=1)


class Checklist(Record):
    """A checklist.

    Attributes:
        alpha: Weight of content against style in the score of a work product.
    """

    schema_version: Literal[1] = 1
    name: Id
    title: Line
    alpha: float = Field(ge=0, le=1, allow_inf_nan=False)
    groups: tuple[Group, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_clear(self) -> Self:
        ids = [item.id for item in self.items()]
        if twice := {i for i in ids if ids.count(i) > 1}:
            raise ValueError(f"two items have the id {min(twice)}")
        owners: dict[str, str] = {}
        for item in self.items():
            for name in (item.id, item.title, *item.names):
                if not fold(name) or owners.setdefault(fold(name), item.id) != item.id:
                    raise ValueError(f"the name {name!r} says nothing or belongs to two items")
        return self

    def items(self) -> Iterator[Item]:
        """Yield the items in their order."""
        for group in self.groups:
            yield from group.items

    def asked_about(self, question: str) -> list[str]:
        """Return the ids of the items that a question asks for, in their order.

        An item whose words are some of those of another one gives way: "settlement" to "date of settlement". Where no
        item is asked for, a group is, by its title; where none is, all items are if the checklist itself is named.
        """
        given = frozenset(terms(question))
        wanted = {item.id: item.wanted_by(given) for item in self.items()}
        best = [found for found in wanted.values() if found]
        if best:
            return [key for key, found in wanted.items() if found and not any(found < other for other in best)]
        if groups := [group for group in self.groups if frozenset(terms(group.title)) <= given]:
            return [item.id for group in groups for item in group.items]
        named = frozenset(terms("checklist")) <= given or frozenset(terms(self.title)) <= given
        return [item.id for item in self.items()] if named else []

    def only(self, items: Collection[str]) -> Checklist:
        """Return the checklist with some of its items alone.

        Raises:
            KeyError: It has no such item.
        """
        if unknown := sorted(set(items) - {item.id for item in self.items()}):
            raise KeyError(unknown[0])
        kept = [(group, tuple(item for item in group.items if item.id in items)) for group in self.groups]
        groups = tuple(group.model_copy(update={"items": left}) for group, left in kept if left)
        return Checklist(name=self.name, title=self.title, alpha=self.alpha, groups=groups)

    @cached_property
    def by_name(self) -> Mapping[str, str]:
        """The id of an item by each of its names, folded."""
        return {fold(name): item.id for item in self.items() for name in (item.id, item.title, *item.names)}

    @cached_property
    def group_of(self) -> Mapping[str, str]:
        """The id of its group by the id of an item."""
        return {item.id: group.id for group in self.groups for item in group.items}


def checklist_names() -> list[str]:
    """Return the names of the checklists that are shipped."""
    kept = files("tasks.legaltext.checklists").joinpath("data").iterdir()
    return sorted(f.name.removesuffix(".toml") for f in kept if f.name.endswith(".toml") and "groups" in _data(f.name))


def open_checklist(wanted: str | Mapping[str, Any]) -> Checklist:
    """Return a shipped checklist by its name, or the one that is written out.

    Raises:
        SolonError: There is none of this name, or what is written is none. The message quotes nothing of it.
    """
    if isinstance(wanted, str):
        if wanted not in checklist_names():
            raise _bad(f"There is no such checklist; shipped are {', '.join(checklist_names())}.")
        return Checklist.model_validate(_data(f"{wanted}.toml"))
    try:
        return Checklist.model_validate(wanted)
    except ValidationError as error:
        fields = {*Checklist.model_fields, *Group.model_fields, *Item.model_fields}
        where = ".".join(str(p) if p in fields else "…" for p in error.errors()[0]["loc"] if not isinstance(p, int))
        raise _bad(f"The checklist of the matter cannot be used ({where or 'names or ids clash'}).") from None


@lru_cache(maxsize=1)
def none_words() -> frozenset[str]:
    """Return what stands in place of a value where an item does not apply, in small letters."""
    return frozenset(_data("none.toml")["not_applicable"])


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files("tasks.legaltext.checklists").joinpath("data", name).read_text(encoding="utf-8"))


def _bad(message: str) -> SolonError:
    remedy = "write `reference_checklist` in checklist.json as docs/gavel.md shows"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="judging", subject="checklist", message=message, remedy=remedy)
    )
