"""A typed answer, not yet assigned to a topic."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tasks.drafting.extractive.units import Unit


@dataclass(frozen=True)
class Typed:
    """A value, how it was found, and the sentences that support it; an empty value means none was found."""

    value: str = ""
    day: date | None = None
    note: str = ""
    support: tuple[Unit, ...] = ()
    certain: bool = True
