"""The gates that an edit passes before anything is run for it, and what is asked for in its place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from skills_repo.schema import CLASS_FAMILY, parse_skill
from tasks.harness import HarnessRef, parsed
from tasks.learning import ledger
from tasks.learning.audit import Vocabulary, audit_problem, general_words
from tasks.learning.gates import run_gates, scope_gate
from tasks.learning.harnesses import text_of
from tasks.learning.proposers.proposer import Proposer, Rewriter
from tasks.learning.records import Edit, GateVerdict
from tasks.learning.skill_audit import copied
from tasks.matter.failures import FailureCause, SolonError


def gate_verdicts(
    edit: Edit,
    names: Sequence[str],
    current: HarnessRef,
    proposed_from: HarnessRef,
    shares: Vocabulary | None,
    another_tool: bool,
) -> list[GateVerdict]:
    """Run the gates on an edit that was made from what the harness now holds.

    An edit of a file that an accepted edit of this step has changed is put off, not tried. The scope comes first: no
    path is read before it is known to be one of an editable surface. Of tools there is one in a step.
    """
    scope = scope_gate(edit, names, current.knowledge)
    if not scope.passed:
        return [scope]
    if edit.surface == "tools" and another_tool:
        return [scope.model_copy(update={"passed": False, "reason": ledger.ONE_TOOL})]
    if text_of(current, edit) != edit.before:
        reason = ledger.OVERTAKEN if current != proposed_from else "was made from another text than the harness holds"
        return [GateVerdict(gate="scope", passed=False, reason=reason)]
    audit = partial(audit_problem, general=general_words(current), shares=shares)
    verdicts = run_gates(edit, names, current.knowledge, audit)
    if verdicts[-1].passed and edit.surface == "skills" and (problem := _copy_of(edit, current)):
        verdicts.append(GateVerdict(gate="similarity", passed=False, reason=problem))
    return verdicts


def _copy_of(edit: Edit, current: HarnessRef) -> str:
    """Say of which class skill the skill of an edit is a copy with words changed; empty where it is of none."""
    skill_id = edit.path.removeprefix("skills/").removesuffix("/SKILL.md")
    if not skill_id.startswith(f"{CLASS_FAMILY}/"):
        return ""
    return copied(parse_skill(edit.after, skill_id), parsed(current).skills)


def rewritten_edit(proposer: Proposer, edit: Edit, refusal: GateVerdict) -> Edit | None:
    """Ask for an edit without what the audit refused, where the proposer can write one; it is gated like any other."""
    if refusal.gate != "audit" or not isinstance(proposer, Rewriter):
        return None
    try:
        return proposer.rewritten(edit)
    except SolonError as error:
        if error.failure.cause is FailureCause.INPUT:
            raise
        return None  # the refusal stands, and its row is written
