"""``pending_eval.json``: what an agent must say of its change before anybody evaluates it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import Field, ValidationError, field_validator

from tasks.matter.base import Record
from tasks.matter.reasons import Reason

PENDING: Final = "pending_eval.json"
LEAST_SLICE: Final = 5  # signals of a slice: fewer are a change for one matter


class Pending(Record):
    """One candidate.

    Attributes:
        hypothesis: Why it should help.
        change: The one thing that was changed, in general words; it is told to later iterations.
        fix: Keys of signals that it should mend.
        regression: Keys of others that it must not harm.
        observed: What was looked at, and what it showed.
        reason: The reason that it answers; None where it names none.
    """

    hypothesis: str = Field(min_length=20, max_length=4000)
    change: str = Field(min_length=10, max_length=600)
    fix: tuple[str, ...]
    regression: tuple[str, ...]
    observed: str = Field(min_length=20, max_length=4000)
    reason: Reason | None = None

    @field_validator("change")
    @classmethod
    def _one_line(cls, words: str) -> str:
        return " ".join(words.split())

    @classmethod
    def read(cls, data: bytes, keys: Sequence[str]) -> tuple[str, Pending | None]:
        """Return the record, or why there is none; the words of the file are not repeated."""
        try:
            found = cls.model_validate_json(data)
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the whole"
            return f"cannot be understood ({where[:40]})", None
        fix, regression = set(found.fix), set(found.regression)
        if min(len(fix), len(regression)) < LEAST_SLICE:
            return f"names fewer than {LEAST_SLICE} signals in a slice", None
        if fix & regression:
            return "names a signal in both slices", None
        return ("names a signal that there is not", None) if (fix | regression) - set(keys) else ("", found)
