"""Rows of the learner's ledger as rows of the warehouse."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows import learn
from flows.learn import learn_corpus
from flows.runs.edit_rows import edit_row, edit_rows, proposer_rows
from flows.settings import load_settings
from tasks.drafting.records import Cell
from tasks.learning.records import Decision, GateVerdict, LedgerRow
from tasks.matter.failures import SolonError
from tasks.matter.reasons import Reason
from tasks.matter.usage import Usage
from tasks.models.ledger import Ledger

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


def test_the_reason_that_an_edit_answers_is_told_as_a_sentence():
    """A row of an earlier version, which has none, lands as it landed before."""
    cell = Cell(name="c", runtime="extractive")
    answering = row(gates=(REFUSED,), reason="rule_not_applied")
    said = f"why (answers: {Reason.RULE_NOT_APPLIED.sentence})"
    assert edit_row(answering, 1, cell, DECIDED).reasons == f"c: {said} names something"
    assert learn._lines(answering) == [f"step 3: agents gates.toml: {said} -> rolled back (names something)"]
    assert edit_row(row(gates=(REFUSED,)), 1, cell, DECIDED).reasons == "c: why names something"


def test_what_a_killed_start_left_in_the_ledger_lands_with_the_next():
    """Every start lands the whole ledger, each row as it was decided: the same parts, whoever writes them."""
    nothing = row(surface="none", step=0)
    killed, earlier = row(step=1, decided_utc=DECIDED), row(step=2)  # the other is of a version that kept no time
    cell = Cell(name="c", runtime="extractive")
    first = edit_rows([nothing, killed], cell)
    assert [(r.step, r.edit_id, r.decided_utc) for r in first] == [(1, "1", DECIDED)]
    assert edit_rows([nothing, killed, earlier, row(step=3, decided_utc=DECIDED)], cell)[:1] == first


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"steps": 0}, "--steps 0 is under 1"),
        ({"minibatch": 0}, "--minibatch 0"),
        ({"holdout": 1.5}, "--holdout 1.5"),
        ({"holdout": -1.0}, "--holdout -1"),
        ({"max_edits": -1}, "--max-edits -1"),
        ({"learn_id": "../../elsewhere"}, "no run id"),
    ],
)
def test_numbers_that_no_loop_can_be_run_with_are_refused(tmp_path, numbers, words):
    with pytest.raises(SolonError, match=words):
        learn_corpus(tmp_path, load_settings({"home": tmp_path / "home"}, cwd=tmp_path, env={}), **numbers)
    assert list(tmp_path.iterdir()) == []


def test_two_learners_of_one_name_do_not_write_one_ledger(tmp_path):
    with learn._locked(tmp_path, "l"), pytest.raises(SolonError, match="another process"), learn._locked(tmp_path, "l"):
        pass
    with learn._locked(tmp_path, "l"):
        pass


def test_each_call_of_a_proposer_lands_once_and_a_replayed_one_not(tmp_path: Path) -> None:
    account = tmp_path / "account.jsonl"
    assert proposer_rows("l", account) == []
    ledger = Ledger("l", file=account)
    usage = Usage(output=7, calls=1, cost_usd=0.5, cost_source="priced")
    ledger.charge("chat", "thinker", usage, key="a", role="proposer")
    first = proposer_rows("l", account)
    ledger.charge("chat", "thinker", usage, key="a", replayed=True, role="proposer")
    ledger.charge("chat", "thinker", usage, key="b", role="proposer")
    rows = proposer_rows("l", account)
    assert rows[:1] == first
    assert [(row.attempt_id, row.role, row.profile, row.output) for row in rows] == [
        ("l/0", "proposer", "thinker", 7), ("l/2", "proposer", "thinker", 7)
    ]  # fmt: skip
    assert ledger.used.output == 21
