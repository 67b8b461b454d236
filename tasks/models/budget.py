"""The ledger of what model calls have spent, and the end of the purse."""

from __future__ import annotations

from dataclasses import dataclass, field

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage


@dataclass
class Ledger:
    """Adds up each reply's usage; refuses the next call when a limit is reached.

    Attributes:
        max_tokens: All tokens, in and out; None for no limit.
        max_usd: US dollars; None for no limit.
    """

    subject: str
    max_tokens: int | None = None
    max_usd: float | None = None
    spent: Usage = field(default_factory=Usage)

    @property
    def tokens(self) -> int:
        """Tokens spent so far."""
        return self.spent.input_uncached + self.spent.cache_read + self.spent.cache_write + self.spent.output

    def charge(self, usage: Usage) -> None:
        """Add the usage of a reply."""
        self.spent = self.spent + usage

    def check(self) -> None:
        """Refuse a further call once a limit is reached.

        Raises:
            SolonError: With cause ``budget``.
        """
        if self.max_tokens is not None and self.tokens >= self.max_tokens:
            raise self._over(f"{self.tokens} of {self.max_tokens} tokens are spent")
        if self.max_usd is not None and self.spent.cost_usd >= self.max_usd:
            raise self._over(f"${self.spent.cost_usd:.4f} of ${self.max_usd:.2f} are spent")

    def _over(self, what: str) -> SolonError:
        return SolonError(
            Failure(
                cause=FailureCause.BUDGET,
                stage="models",
                subject=self.subject,
                message=f"The budget of model calls is used up: {what}.",
                remedy="Raise the limit of the cell or the run.",
            )
        )
