"""Rows of the learner's ledger as rows of the warehouse."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from flows.support.edits import edit_row
from tasks.drafting.records import Cell
from tasks.learning.records import Decision, GateVerdict, LedgerRow

DECIDED = datetime(2026, 1, 2, tzinfo=UTC)
REFUSED = GateVerdict(gate="leakage", passed=False, reason="names something")


def row(**fields) -> LedgerRow:
    base = {
        "learn_id": "l", "step": 3, "minibatch": 4, "proposer": "agent", "policy": "blended_margin",
        "base_version": "v1", "candidate_version": "v2", "surface": "agents", "path": "gates.toml", "rationale": "why",
        "diff": "+x", "edit_digest": "d", "gates": (), "decision": None, "accepted": False,
    }  # fmt: skip
    return LedgerRow.model_validate({**base, **fields})


def decision(accepted: bool) -> Decision:
    return Decision(policy="blended_margin", accepted=accepted, incumbent=0.5, candidate=0.6, reason="0.5 -> 0.6")


@pytest.mark.parametrize(
    ("fields", "decided", "stopped", "before"),
    [
        ({"gates": (REFUSED,)}, "rejected", "leakage", None),
        ({"decision": decision(False)}, "rolled_back", "", 0.5),
        ({"decision": decision(True), "accepted": True}, "accepted", "", 0.5),
    ],
)
def test_a_ledger_row_lands_with_what_proposed_and_what_decided(fields, decided, stopped, before):
    """Also where a gate stopped the edit, so that no policy was asked."""
    made = edit_row(row(**fields), 7, Cell(name="c", runtime="extractive"), DECIDED)
    assert (made.proposer, made.policy, made.surface) == ("agent", "blended_margin", "agent")
    assert (made.decision, made.stopped_by, made.score_before, made.edit_id) == (decided, stopped, before, "7")
