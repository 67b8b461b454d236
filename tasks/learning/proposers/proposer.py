"""What a proposer is, and what it may be made with; ``registry.py`` lists the proposers there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.models.client import ModelClient


class Proposer(Protocol):
    """Proposes edits from a redacted learner input, best first."""

    name: str

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        """Return at most ``limit`` edits, each on one surface; none where there is nothing to try.

        Raises:
            SolonError: It failed (provider, time, budget, a reply that cannot be read), or its iteration is void
                (``policy``): the step goes on without an edit, and the ledger says why. With cause ``input`` the run
                ends.
        """
        ...


@runtime_checkable
class Rewriter(Protocol):
    """A proposer that can say an edit again in words that are of no one matter."""

    def rewritten(self, edit: Edit) -> Edit | None:
        """Return the edit in more general words; None where it cannot."""
        ...


@dataclass(frozen=True)
class Means:
    """What a proposer may be made with; each takes what it needs and refuses where that is missing.

    Attributes:
        surfaces: Surfaces that edits may change, in the order in which they are tried.
        home: Folder of the learning run, for what a proposer keeps between steps (a session, a place in a catalogue).
        catalogue: Folder of candidate edits; None where none was named.
        seed: Of whatever order a proposer is free to choose.
        model: Opens the client of the model that proposes, once it is needed; None where no model was named.
        agent: The agent program that proposes, by the name of its adapter.
    """

    surfaces: Sequence[Surface]
    home: Path
    catalogue: Path | None = None
    seed: int = 0
    model: Callable[[], ModelClient] | None = None
    agent: str = "codex"


Maker = Callable[[Means], Proposer]
"""Makes a proposer.

Raises:
    SolonError: What it needs is missing, named with the setting that gives it (``input``).
"""
