"""What a landing did, in records and in lines for a person."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from warehouse.expectations.suites import Violation


class Refused(BaseModel):
    """A part that did not land, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: str
    message: str


class LostVerdicts(BaseModel):
    """A judgement with more verdicts than landed; the missing ones count as unscored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    attempt_id: str
    judge_profile: str
    criteria: int
    verdicts: int

    def line(self) -> str:
        """Render as one line."""
        return (
            f"VERDICTS LOST: {self.attempt_id} was judged by {self.judge_profile} on {self.criteria} criteria and "
            f"{self.verdicts} of its verdicts are here; the others count as unscored. Restore judgement.json or the "
            f"verdict part and land again, or `solon judge {self.run_id} --profile {self.judge_profile}`"
        )


class LandingResult(BaseModel):
    """What a landing did.

    Attributes:
        published: Whether the database file now holds everything that could land.
        landed: Number of parts that landed now, by table.
        known: Number of parts that had landed before.
        waiting: Parts whose attempt has not landed yet; they land with it.
        quarantined: Parts refused, with the reason. They stay where they are and are looked at again
            when their bytes change.
        violations: Expectations that failed without a new part as the cause; then nothing was published. Where
            something was, what ``solon land`` found broken in it.
        lost: Judgements in the warehouse with missing verdicts.
        passed_over: Runs whose parts could not be written, with the reason; those that were written before landed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    database: Path
    published: bool
    landed: dict[str, int]
    known: int
    waiting: tuple[str, ...] = ()
    quarantined: tuple[Refused, ...] = ()
    violations: tuple[Violation, ...] = ()
    lost: tuple[LostVerdicts, ...] = ()
    passed_over: tuple[str, ...] = ()

    def after(self, other: LandingResult | None) -> LandingResult:
        """Return what two landings did, this one after the other."""
        if other is None:
            return self
        landed = Counter(other.landed) + Counter(self.landed)
        return self.model_copy(update={"landed": dict(landed), "known": other.known})

    def lines(self) -> list[str]:
        """List what happened, one line per fact."""
        said = [f"landed {sum(self.landed.values())} parts ({self.known} had landed before)"]
        said += _few([f"PASSED OVER {line}" for line in self.passed_over])
        said += _few([f"quarantined {q.part}: {q.message}" for q in self.quarantined])
        said += _few([f"waiting for its attempt: {name}" for name in self.waiting])
        said += _few([verdicts.line() for verdicts in self.lost])
        said += [f"{'PUBLISHED, BUT' if self.published else 'NOT PUBLISHED,'} {v.line()}" for v in self.violations]
        if any(v.parts for v in self.violations):
            said.append(
                "these parts landed before: move the warehouse file away and `solon land` rebuilds it without them"
            )
        return said


def _few(lines: list[str], most: int = 20) -> list[str]:
    return lines if len(lines) <= most else [*lines[:most], f"… and {len(lines) - most} more of these"]
