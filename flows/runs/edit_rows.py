"""Maps the ledger, the looks and the account of a learning run onto rows of the warehouse."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from tasks.drafting.records import Cell
from tasks.learning.holdout import HoldoutLook
from tasks.learning.records import LedgerRow
from tasks.models.ledger import LedgerEntry
from tasks.models.lines import read_lines
from warehouse.learning_records import EditRow, HoldoutAccessRow
from warehouse.records import SpendRow


def edit_rows(ledger: Sequence[LedgerRow], cell: Cell) -> list[EditRow]:
    """Return the warehouse's rows of a whole ledger; always the same, so that rows left by a killed start land too.

    Rows of earlier versions have no time of decision; they landed when they were written.
    """
    return [
        edit_row(row, n, cell, row.decided_utc)
        for n, row in enumerate(ledger)
        if row.surface != "none" and row.decided_utc
    ]


def edit_row(row: LedgerRow, number: int, cell: Cell, decided: datetime) -> EditRow:
    """Return the warehouse's row of one proposed edit."""
    stopped = next((g for g in row.gates if not g.passed), None)
    decision = row.decision
    reason = stopped.reason if stopped else decision.reason if decision else ""
    return EditRow.model_validate(
        {
            "learn_id": row.learn_id,
            "step": row.step,
            "edit_id": str(number),
            "surface": "agent" if row.surface == "agents" else row.surface,
            "target": row.path,
            "proposer": row.proposer,
            "policy": row.policy,
            "decision": "accepted" if row.accepted else "rolled_back" if decision else "rejected",
            "stopped_by": stopped.gate if stopped else "",
            "score_before": decision.incumbent if decision else None,
            "score_after": decision.candidate if decision else None,
            "reasons": f"{cell.name}: {row.told} {reason}".strip(),
            "diff_sha256": hashlib.sha256(row.diff.encode("utf-8", "replace")).hexdigest(),
            "minibatch": row.minibatch,
            "harness_before": row.base_version,
            "harness_after": row.candidate_version,
            "decided_utc": decided,
        }
    )


def proposer_rows(learn_id: str, account: Path) -> list[SpendRow]:
    """Return what each call of the proposer has cost, by its place on the account; a replayed one cost nothing."""
    entries = read_lines(account.read_bytes(), LedgerEntry) if account.is_file() else ()
    return [
        SpendRow.model_validate(
            {
                "attempt_id": f"{learn_id}/{place}",
                "run_id": learn_id,
                "role": "proposer",
                "profile": one.profile,
                "spent_utc": one.charged_utc,
                **one.usage.model_dump(),
            }
        )
        for place, one in enumerate(entries)
        if one.charged_utc and not one.replayed
    ]


def access_rows(looks: Iterable[HoldoutLook]) -> list[HoldoutAccessRow]:
    """Return the warehouse's rows of all looks at a holdout; always the same, as those of a ledger."""
    return [HoldoutAccessRow.model_validate(look.model_dump(exclude={"schema_version"})) for look in looks]
