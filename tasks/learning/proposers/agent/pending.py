"""``pending_eval.json``: what an agent must say of its change before anybody evaluates it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import Field, ValidationError, field_validator

from tasks.learning.records import Claim
from tasks.learning.slices import LEAST
from tasks.matter.base import Record
from tasks.matter.reasons import Reason

PENDING: Final = "pending_eval.json"


class Pending(Record):
    """One candidate.

    Attributes:
        hypothesis: Why it should help.
        change: The one thing that was changed, in general words; it is told to later iterations.
        fix: Keys of matters that it should mend.
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

    @property
    def claim(self) -> Claim:
        """What is tried before the change is compared: ``tasks/learning/slices.py``."""
        return Claim(
            hypothesis=self.hypothesis,
            fix=tuple(dict.fromkeys(self.fix)),
            regression=tuple(dict.fromkeys(self.regression)),
            observed=self.observed,
        )

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
        if min(len(fix), len(regression)) < LEAST:
            return f"names fewer than {LEAST} matters in a slice", None
        if fix & regression:
            return "names a matter in both slices", None
        return ("names a matter that there is not", None) if (fix | regression) - set(keys) else ("", found)
