"""How the planted edits of a catalogue are drawn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Drawn:
    """How planted edits are drawn.

    Attributes:
        seed: Which provisions are spoilt, and how.
        spoilt: Provisions spoilt in each way, in a round.
        rounds: Rounds, each with a seed of its own; one provision may then be spoilt in several ways.
    """

    seed: int = 0
    spoilt: int = 5
    rounds: int = 1
