"""A typed answer before it is tied to a topic."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tasks.drafting.extractive.units import Unit


@dataclass(frozen=True)
class Typed:
    """A value, how it was reached, and the sentences that say so; an empty value means none was found."""

    value: str = ""
    day: date | None = None
    note: str = ""
    support: tuple[Unit, ...] = ()
    certain: bool = True
