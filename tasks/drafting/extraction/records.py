"""What an extraction is asked for and what it leaves; every method has the same form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from tasks.legaltext.checklists.records import Filled
from tasks.matter.failures import Failure
from tasks.matter.usage import Usage

Method = Literal["agent", "end_to_end", "chunks"]
Parts = Literal["items", "groups", "all"]
METHODS: Final[tuple[Method, ...]] = ("agent", "end_to_end", "chunks")
PARTS: Final[tuple[Parts, ...]] = ("items", "groups", "all")

Documents = Mapping[str, str]
"""Canonical texts by the names of their documents, in the order of time."""


@dataclass(frozen=True)
class Extraction:
    """A filled checklist, and what it took.

    Attributes:
        filled: An item that failed says why; one without an entry was found nowhere.
        usage: Tokens by kind, and cost, of this extraction.
        calls: Calls of a model.
        notes: What a reader should know: texts that were cut, agents that went in circles, values refused.
        failures: What ended a part of the work; the other parts stand.
    """

    filled: Filled
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
