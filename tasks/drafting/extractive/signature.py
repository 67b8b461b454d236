"""How a draft says who made it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Signature:
    """Who made a draft, in the words of its head.

    Attributes:
        by: What stands after "From".
        at_work: What was at work, where the draft has to say that nothing is answered.
    """

    by: str = "Solon, extractive runtime (no model)"
    at_work: str = "no model was at work"
