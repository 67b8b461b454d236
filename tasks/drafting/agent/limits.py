"""The limits of an attempt in its loop: a warning before a limit is reached, and an outcome when it is."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from tasks.drafting.records import DraftJob, Limits
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.ledger import Ledger


@dataclass
class Clock:
    """Turns, tokens, dollars and seconds of one attempt.

    Attributes:
        subject: The matter, for failures.
        began: Of this pass; a revision has its own time, and shares the rest.
        before: Turns that do not count: those of others who work within the same attempt.
    """

    limits: Limits
    subject: str
    ledger: Ledger
    began: float = field(default_factory=time.monotonic)
    before: int = 0

    @classmethod
    def of(cls, job: DraftJob) -> Clock:
        """Return the clock of an attempt that begins now."""
        return cls(job.cell.limits, job.matter.matter_id, job.models.ledger)

    @property
    def seconds(self) -> float:
        """Seconds of this pass so far."""
        return time.monotonic() - self.began

    @property
    def left(self) -> float:
        """Seconds that are left, never negative."""
        return max(0.0, self.limits.wall_seconds - self.seconds)

    def check(self, turns: int) -> None:
        """Refuse another turn if turns or time are used up; the client does so for tokens and dollars.

        Raises:
            SolonError: ``budget`` or ``timeout``.
        """
        limits, matter = self.limits, self.subject
        if self.left <= 0:
            message = f"The wall time of {limits.wall_seconds:g} s is used up."
            raise _over(FailureCause.TIMEOUT, matter, message, "Raise wall_seconds of the cell.")
        if turns - self.before >= limits.max_turns:
            message = f"All {limits.max_turns} turns are used up."
            raise _over(FailureCause.BUDGET, matter, message, "Raise max_turns of the cell.")

    def near(self, turns: int, share: float) -> str:
        """Say which limit is nearly reached; empty if none has passed this share."""
        limits, ledger = self.limits, self.ledger
        for spent, whole, words in (
            (turns - self.before, limits.max_turns, f"{turns - self.before} of {limits.max_turns} turns are used"),
            (self.seconds, limits.wall_seconds, f"{self.seconds:.0f} of {limits.wall_seconds:.0f} s are used"),
            (ledger.tokens, limits.max_tokens, f"{ledger.tokens} of {limits.max_tokens} tokens are used"),
            (ledger.used.cost_usd, limits.max_usd, f"${ledger.used.cost_usd:.2f} of ${limits.max_usd:.2f} are used"),
        ):
            if spent >= share * whole:
                return words
        return ""


def circled(subject: str, how: str) -> SolonError:
    """Return the error of an attempt that the harness ended because its model went in circles."""
    message, remedy = f"The model went in circles: {how}.", "Use a model that heeds what it is told."
    return _over(FailureCause.CIRCLE, subject, message, remedy)


def _over(cause: FailureCause, subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=cause, stage="drafting", subject=subject, message=message, remedy=remedy))
