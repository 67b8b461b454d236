"""The one tool that the agent has beside its own: the gates that need no matter, over what it has changed so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tasks.learning.gates import run_gates
from tasks.learning.proposers.agent.pending import Pending
from tasks.learning.proposers.agent.room import edits_of
from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.matter.failures import Failure, FailureCause, SolonError

NAME: Final = "check_edit"
_WORDS: Final = (
    "Check what you have changed in the harness so far: its form, its size, the safety of its code, and that it holds "
    "no date, amount or clause number. Takes no arguments. It runs no matter."
)
_NOTHING_SAID: Final = Pending.model_construct(
    hypothesis="", change="not said yet", fix=(), regression=(), observed="", reason=None
)


@dataclass(frozen=True)
class Checks:
    """Implements ``Toolbox`` for an agent that edits a harness.

    Attributes:
        workspace: Where the agent's output stands while a tool is called.
    """

    workspace: Path
    given: LearnerInput
    surfaces: Sequence[Surface]

    def names(self) -> Sequence[str]:
        """Return the name of the one tool."""
        return (NAME,)

    def schema(self, name: str) -> dict[str, Any]:
        """Return the schema of its arguments: none."""
        return {"type": "object", "properties": {}, "title": name, "description": _WORDS}

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run the gates that know nothing of a matter.

        Raises:
            SolonError: There is no such tool (``input``), or the copy cannot be read as edits (``unknown``).
        """
        if name != NAME or arguments:
            message, remedy = "is no tool here, or takes no arguments", f"use {NAME} without any"
            raise SolonError(
                Failure(cause=FailureCause.INPUT, stage="learning", subject=name[:40], message=message, remedy=remedy)
            )
        edits = edits_of(self.workspace / "output", self.given, self.surfaces, _NOTHING_SAID)
        return {"changed": [self._checked(edit) for edit in edits]}

    def _checked(self, edit: Edit) -> dict[str, Any]:
        gates = [gate for gate in run_gates(edit, []) if gate.gate != "unit_tests" or edit.surface == "tools"]
        refused = next((gate for gate in gates if not gate.passed), None)
        told = {"file": edit.path, "surface": edit.surface, "passes": refused is None}
        return {**told, **({"gate": refused.gate, "reason": refused.reason} if refused else {})}
