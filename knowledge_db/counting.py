"""Rules of counting as data: how a legal order or forum counts a period, and what moves its last day.

Whether a period that ends on a closed day runs on is never said by the row of a period: it is said by the rule of the
forum, and only where an authority stands behind it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from pydantic import Field, model_validator

from knowledge_db.load import KnowledgeError, rows_of
from knowledge_db.records import KnowledgeRow, WindowRule

Part = Literal[
    "count", "count_back", "months", "roll", "roll_back", "hours", "hours_roll", "service", "inaccessible", "clear",
    "working_days",
]  # fmt: skip
ClosedDay = Literal["saturday", "sunday", "holiday"]
# A look-back, a duration and a first day end where they end: no act is prescribed for that day.
ROLLED: Final = ("deadline", "decision", "waiting")
EVERY_CLOSED_DAY: Final[tuple[ClosedDay, ...]] = ("saturday", "sunday", "holiday")


class CountingRule(KnowledgeRow):
    """How periods are counted under one law or before one forum.

    Attributes:
        counting_id: Name by which a window, or a calendar as its ``family``, chooses the rule; unique.
        name: What a reader is told.
        jurisdiction: As in ``Authority``.
        authority: The provision as a whole.
        rule: What it says, in our own words; told with every deadline counted by it.
        parts: The provision for each step of a count. A period rolls forward only where ``roll`` is named, and a
            period counted back rolls back only where ``roll_back`` is.
        rolls_off: The days off which ``roll`` and ``roll_back`` move a period. A Saturday that is not among them is a
            day like any other: a period may end on it, and may be moved to it.
        short_clear: Clear days of so many or fewer leave out closed days (CPR 2.8(4)).
        working_days: So many working days a period of two days or more must hold (Regulation 1182/71 art. 3(5)).
        warning: What a human must look at whenever the rule is used; may be empty.
    """

    counting_id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    name: str = Field(min_length=1)
    jurisdiction: str
    authority: str = Field(min_length=1)
    rule: str = Field(min_length=1)
    parts: dict[Part, str] = Field(default_factory=dict)
    rolls_off: tuple[ClosedDay, ...] = EVERY_CLOSED_DAY
    short_clear: int = Field(0, ge=0, le=30)
    working_days: int = Field(0, ge=0, le=5)
    warning: str = ""
    provenance: str
    as_of: str = ""

    @property
    def roll(self) -> Literal["next", "none"]:
        """What happens to a period after an event that ends on a closed day."""
        return "next" if "roll" in self.parts else "none"

    @property
    def roll_back(self) -> Literal["previous", "none"]:
        """What happens to a period before an event that ends on a closed day."""
        return "previous" if "roll_back" in self.parts else "none"

    @model_validator(mode="after")
    def _founded(self) -> CountingRule:
        if empty := [part for part, citation in self.parts.items() if not citation.strip()]:
            raise ValueError(f"parts: {empty[0]} names no provision")
        rolls = "roll" in self.parts or "roll_back" in self.parts
        if not self.rolls_off or (self.rolls_off != EVERY_CLOSED_DAY and not rolls):
            raise ValueError("rolls_off names the days off which a rule moves a period, where it moves one")
        return self


def load_counting(folder: Path) -> dict[str, CountingRule]:
    """Return the rules of counting below a knowledge data folder by their ids.

    Raises:
        KnowledgeError: A row breaks its schema, or two rules share an id.
    """
    rules: dict[str, CountingRule] = {}
    for row in rows_of(folder, "counting", CountingRule):
        if row.counting_id in rules:
            raise KnowledgeError(f"counting: two rules are named {row.counting_id!r}")
        rules[row.counting_id] = row
    return rules


def counted(row: WindowRule, rules: dict[str, CountingRule]) -> WindowRule:
    """Return a window with what its rule of counting says of a closed last day; without such a rule it does not roll.

    Raises:
        KnowledgeError: The row says itself whether it rolls.
    """
    if row.roll != "none" or row.roll_authority:
        raise KnowledgeError(f"windows, {row.window_id}: whether a period rolls is said by its rule of counting alone")
    rule = rules.get(row.counting)
    part: Part = "roll_back" if row.direction == "before" else "hours_roll" if row.unit == "hour" else "roll"
    if rule is None or row.kind not in ROLLED or part not in rule.parts:
        return row
    roll = "previous" if row.direction == "before" else "next"
    return row.model_copy(update={"roll": roll, "roll_authority": rule.parts[part]})
