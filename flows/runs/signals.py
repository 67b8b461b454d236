"""What the learner sees of attempts: rows of the view ``learner_signals`` of the published warehouse, nothing else."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tasks.learning.records import Signal
from tasks.learning.redaction import reason
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.reasons import Failed, Reason

_BUCKETS = {"read": "reads", "tool": "tools", "write": "writes", "other": "others"}


def key_of(said: str) -> str:
    """Return the opaque key under which the view tells a name."""
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def signals_of(
    database: Path,
    run_id: str,
    cell: str,
    judge: str,
    matter_keys: Collection[str],
    epochs: Collection[int],
    last_words: Mapping[tuple[str, int], str] = MappingProxyType({}),
) -> list[tuple[str, Signal]]:
    """Ask the published warehouse what the learner may see of attempts, each with the key of its matter beside it.

    Args:
        database: The published warehouse.
        run_id: The run of the attempts.
        cell: Name of the cell that made them.
        judge: Profile of the judge.
        matter_keys: Opaque keys of the matters.
        epochs: The epochs of the attempts.
        last_words: Last messages, redacted, by matter key and epoch. They are no part of the warehouse, which holds no
            text of a solver.

    Raises:
        SolonError: Nothing of these attempts has landed (``input``).
    """
    from warehouse.sql import run_query

    keys = [key_of(said) for said in (run_id, cell, judge)]
    asked = "SELECT * FROM learner_signals WHERE run_key = ? AND cell_key = ? AND judge_key = ?"
    rows = run_query(database, asked, keys).to_dicts()
    found = [row for row in rows if row["matter_key"] in matter_keys and row["epoch"] in epochs]
    if not found:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="learning",
                subject=run_id,
                message="The published warehouse tells nothing of the attempts to learn from",
                remedy="`solon land` says what kept them out",
            )
        )
    told = [(row["matter_key"], signal_of(row, last_words.get((row["matter_key"], row["epoch"]), ""))) for row in found]
    return sorted(told, key=lambda one: one[1].model_dump_json())


def signal_of(row: Mapping[str, Any], last_words: str = "") -> Signal:
    """Return a row of the view as a signal, with the redacted last message of the attempt."""
    reasons: Counter[Reason] = Counter()
    for failure in row["failures"]:
        failed = Failed.model_validate({key: failure[key] for key in ("match_kind", "error_class", "outcome")})
        reasons[reason(failed)] += failure["n"]
    return Signal(
        work_type=row["work_type"],
        documents=row["documents"],
        document_formats=_suffixes(row["document_formats"]),
        deliverable_formats=_suffixes(row["deliverable_formats"]),
        skill_id=row["skill_id"],
        tool_uses={bucket: row[column] for bucket, column in _BUCKETS.items()},
        passed=row["passed"],
        failed=row["failed"],
        unscored=row["unscored"],
        reasons=dict(sorted(reasons.items())),
        final_message=last_words,
    )


def _suffixes(formats: Iterable[str]) -> tuple[str, ...]:
    return tuple(name if name == "other" else f".{name}" for name in formats)
