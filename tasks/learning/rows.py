"""The rows that a step writes to the ledger: one an edit, or one that says why there was none.

What an edit says of a matter stays out of the ledger, and so of what proposers are told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tasks.harness import HarnessRef
from tasks.learning.acceptance import AcceptancePolicy
from tasks.learning.audit import Vocabulary, general_words, says_whose
from tasks.learning.gates import added_text, conclusion_in, unified_diff
from tasks.learning.proposers.proposer import Proposer
from tasks.learning.records import Beside, Claim, Decision, Edit, GateVerdict, LearnerInput, LedgerRow, Slices
from tasks.matter.failures import Failure
from tasks.matter.reasons import Reason

TELLING: Final = ("leakage", "generality", "audit")
"""Gates that refuse an edit for what it says of a matter."""


_TOLD: Final = 3  # reasons that a row names, the commonest first


@dataclass(frozen=True)
class LearnSettings:
    """How a step is taken.

    Attributes:
        names: Names of the matters (parties, documents, ids) by matter id; for redaction and the leakage gate.
        store: Folder of harness versions.
        ledger: File of the ledger.
        inputs: Folder that keeps each step's redacted learner input, for audit.
        vocabulary: The judge's side of the audit; not asked where it is None.
        together: So many edits of a step are compared as one, see ``together.py``; 0 compares each alone.
    """

    learn_id: str
    proposer: Proposer
    policy: AcceptancePolicy
    store: Path
    ledger: Path
    inputs: Path
    max_edits: int = 1
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    vocabulary: Vocabulary | None = None
    together: int = 0


@dataclass(frozen=True)
class Trial:
    """An edit of a step, and how its row of the ledger tells of it."""

    step: int
    minibatch: int
    base: HarnessRef
    edit: Edit
    settings: LearnSettings
    names: Sequence[str]

    def row(
        self,
        version: str,
        verdicts: list[GateVerdict],
        decision: Decision | None,
        slices: Slices | None = None,
    ) -> LedgerRow:
        """Return the row of the edit; ``version`` is that of the harness which holds it."""
        diff, rationale, path = unified_diff(self.edit), self.edit.rationale, self.edit.path
        refused = next((g.gate for g in verdicts if not g.passed), "")
        tells = self._tells(verdicts)
        if tells:  # what it says of a matter stays out of the ledger, and so of what proposers are told
            diff = withheld = f"withheld: refused by the gate {refused}, digest {self.edit.digest[:12]}"
            rationale = withheld if self._of_a_matter(rationale) else rationale
            path = path if self.edit.before else "withheld"
        return LedgerRow(
            learn_id=self.settings.learn_id,
            step=self.step,
            minibatch=self.minibatch,
            proposer=self.settings.proposer.name,
            policy=self.settings.policy.name,
            base_version=self.base.version,
            candidate_version=version,
            surface=self.edit.surface,
            path=path,
            rationale=rationale,
            reason=self.edit.reason,
            diff=diff,
            edit_digest=self.edit.digest,
            gates=tuple(verdicts),
            decision=decision,
            accepted=bool(decision and decision.accepted) and verdicts[-1].passed,
            claim=self._claim(tells),
            slices=slices,
            decided_utc=datetime.now(UTC),
        )

    def _tells(self, verdicts: Sequence[GateVerdict]) -> bool:
        """Whether an edit says something of a matter: a gate found it, or it was stopped before these gates."""
        known = {gate.gate: gate.passed for gate in verdicts}
        if not all(known.get(gate, True) for gate in TELLING):
            return True
        if all(gate in known for gate in TELLING):
            return False
        told = f"{added_text(self.edit)}\n{self.edit.rationale}\n{self.edit.path}"
        shares = self.settings.vocabulary
        return self._of_a_matter(told) or bool(shares and shares(added_text(self.edit), general_words(self.base)))

    def _claim(self, tells: bool) -> Claim | None:
        """Return the claim as the ledger keeps it: its words pass no gate, so what says something of a matter goes."""
        if self.edit.claim is None:
            return None
        shares, kept = self.settings.vocabulary, {}
        for name in ("hypothesis", "observed"):
            said = getattr(self.edit.claim, name)
            of_one = tells or self._of_a_matter(said) or (shares and shares(said, general_words(self.base)))
            kept[name] = "withheld" if of_one else said
        return self.edit.claim.model_copy(update=kept)

    def _of_a_matter(self, text: str) -> bool:
        return says_whose(text, self.names, general_words(self.base)) or bool(conclusion_in(text))


def nothing_row(
    step: int,
    minibatch: int,
    harness: HarnessRef,
    settings: LearnSettings,
    beside: Sequence[Beside] = (),
    failure: Failure | None = None,
    why: str = "",
) -> LedgerRow:
    """Return the row of a step that proposed nothing, with the reason, or the one of what stands beside the gain."""
    return LedgerRow(
        learn_id=settings.learn_id,
        step=step,
        minibatch=minibatch,
        proposer=settings.proposer.name,
        policy=settings.policy.name,
        base_version=harness.version,
        candidate_version=harness.version,
        surface="none",
        path="",
        rationale=why,
        diff="",
        edit_digest="",
        gates=(),
        decision=None,
        accepted=False,
        beside=tuple(beside),
        failure=failure,
    )


def why_nothing(given: LearnerInput, proposer: str) -> str:
    """Say why a proposer that did not fail brought no edit, from what it was shown; in general terms."""
    if not given.signals:
        return "no attempt of the step could be judged"
    failed = Counter[Reason]()
    for one in given.signals:
        failed.update(one.reasons)
    if not any(one.failed for one in given.signals):
        open_ = sum(one.unscored for one in given.signals)
        return "no criterion of the step failed" + (f", and {open_} were not scored" if open_ else "")
    told = ", ".join(f"{count} x {reason.sentence.rstrip('.')}" for reason, count in failed.most_common(_TOLD))
    return f"{proposer} has no edit left that answers what failed ({told or 'for no reason that is known'})"
