"""Tokens and money, in disjoint columns."""

from __future__ import annotations

from typing import Literal

from tasks.matter.base import Record


class Usage(Record):
    """Model usage. Token columns are disjoint; reasoning tokens are a subset of ``output``.

    Attributes:
        input_uncached: Prompt tokens billed at the full rate.
        cache_read: Prompt tokens served from a cache.
        cache_write: Prompt tokens written to a cache.
        output: Generated tokens.
        cost_usd: Cost in US dollars.
        cost_source: ``reported`` by the provider, ``priced`` from a table, or ``none``; of several calls ``none`` where
            one of them had no price, and the cost is what the others cost.
        calls: Number of model calls.
    """

    input_uncached: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    cost_usd: float = 0.0
    cost_source: Literal["reported", "priced", "none"] = "none"
    calls: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.input_uncached + self.cache_read + self.cache_write + self.output

    def __add__(self, other: Usage) -> Usage:
        """Add two usages; the weaker cost source wins unless one side is empty."""
        order = {"reported": 0, "priced": 1, "none": 2}
        sources = [u.cost_source for u in (self, other) if u.calls or u.cost_usd]
        return Usage(
            input_uncached=self.input_uncached + other.input_uncached,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            output=self.output + other.output,
            cost_usd=self.cost_usd + other.cost_usd,
            cost_source=max(sources, key=order.__getitem__) if sources else "none",
            calls=self.calls + other.calls,
        )
