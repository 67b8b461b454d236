"""What every checklist is judged by: aspects of style, and how values are compared. All of it is data."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import Field

from tasks.judging.checklist.records import N_GRADES
from tasks.legaltext.checklists.definition import Checklist, Id, Line, none_words
from tasks.matter.base import Record, content_hash


class Aspect(Record):
    """An aspect of style, with what each mark from 1 to 5 stands for."""

    id: Id
    title: Line
    asks: Line
    grades: tuple[Line, ...] = Field(min_length=N_GRADES, max_length=N_GRADES)


class Rules(Record):
    """How values are compared without a model (``data/comparing.toml`` says why)."""

    schema_version: Literal[1] = 1
    contained_share: float = Field(gt=0, le=1)
    filled_items: float = Field(gt=0, le=1)
    filled_words: float = Field(gt=0, le=1)
    negations: frozenset[str]
    fillers: frozenset[str]


@lru_cache(maxsize=1)
def aspects() -> tuple[Aspect, ...]:
    """Return the aspects of style."""
    return tuple(Aspect.model_validate(row) for row in _data("style.toml")["aspects"])


@lru_cache(maxsize=1)
def rules() -> Rules:
    """Return how values are compared without a model."""
    return Rules.model_validate(_data("comparing.toml"))


def rules_version() -> str:
    """Return the content hash (12 hex digits) of the data that every checklist is judged by."""
    held = rules().model_dump(mode="json")
    return content_hash(
        [
            {k: sorted(v) if isinstance(v, list) else v for k, v in held.items()},
            _dumped(aspects()),
            sorted(none_words()),
        ]
    )[:12]


def checklist_version(checklist: Checklist) -> str:
    """Return the content hash (12 hex digits) of a checklist and of the data that all are judged by."""
    return content_hash([checklist.model_dump(mode="json"), rules_version()])[:12]


def _dumped(records: Iterable[Record]) -> list[dict[str, Any]]:
    return [record.model_dump(mode="json") for record in records]


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files("tasks.judging.checklist").joinpath("data", name).read_text(encoding="utf-8"))
