"""What a learner made of a catalogue: its progress, the fate of planted edits, and the figures of the holdout."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks.learning.ledger import read
from tasks.learning.records import LedgerRow
from tasks.matter.failures import Failure, FailureCause, SolonError


def regrown(rows: Sequence[LedgerRow], labels: Mapping[str, str]) -> dict[str, Any]:
    """Return what the ledger of a learning run says of edits whose labels are known now that it has ended.

    Args:
        rows: The ledger.
        labels: ``shipped``, ``harmful`` or ``nothing`` by rationale.

    Returns:
        ``edits``: by label how many were offered, how many came to be compared, how many were kept; ``stopped``: what
        stopped the others, by label (``replaced``: a later edit took its place); ``climb``: each promotion with its
        comparison and the edits kept; ``held_out``.
    """
    known = {row.rationale: row for row in rows if row.surface != "none"}
    edits = {label: Counter({"in_catalogue": count}) for label, count in Counter(labels.values()).items()}
    stopped: dict[str, Counter[str]] = {label: Counter() for label in edits}
    for rationale, row in known.items():
        if label := labels.get(rationale):
            compared = row.decision is not None and row.decision.pairs > 0
            kept = row.accepted and not _replaced(row, rows)
            edits[label].update(offered=1, compared=int(compared), kept=int(kept))
            if row.accepted and not kept:
                stopped[label]["replaced"] += 1
            elif not row.accepted:
                stopped[label][next((g.gate for g in row.gates if not g.passed), "")] += 1
    return {
        "edits": {label: dict(counts) for label, counts in sorted(edits.items())},
        "stopped": {label: dict(counts) for label, counts in sorted(stopped.items())},
        "climb": _climb(rows),
        "held_out": [one.model_dump(mode="json") for row in rows for one in row.beside],
    }


def _replaced(row: LedgerRow, rows: Sequence[LedgerRow]) -> bool:
    """Tell whether a later accepted edit removed every line that this one had added."""
    added = _lines_of(row, "+")
    later = [one for one in rows if one.accepted and one.step > row.step and one.path == row.path]
    return bool(added) and any(added <= _lines_of(one, "-") for one in later)


def _lines_of(row: LedgerRow, sign: str) -> set[str]:
    changed = (line for line in row.diff.splitlines() if line.startswith(sign) and not line.startswith(sign * 3))
    return {line[1:] for line in changed if line[1:].strip()}


def _climb(rows: Sequence[LedgerRow]) -> list[dict[str, Any]]:
    """Return each comparison that came to the test, promoted or not, in order."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row.comparison and row.decision:
            told = found.setdefault(
                row.comparison,
                {
                    "step": row.step,
                    "pairs": row.decision.pairs,
                    "before": row.decision.incumbent,
                    "after": row.decision.candidate,
                    "wealth": row.decision.evidence,
                    "promoted": row.decision.accepted,
                    "compared": 0,
                    "kept": [],
                },
            )
            told["compared"] += 1
            told["kept"] += [row.rationale] if row.accepted else []
    return list(found.values())


def ledger_of(home: Path, learn_id: str) -> list[LedgerRow]:
    """Return the ledger of a learning run.

    Raises:
        SolonError: There is no such run, or its first step has not ended (``input``).
    """
    rows = read(home / "learning" / learn_id / "ledger.jsonl")
    if not rows:
        known = sorted(file.parent.name for file in (home / "learning").glob("*/ledger.jsonl"))
        there = f"use one of {', '.join(known)}, or " if known else ""
        raise refused(learn_id, "is no learning run of this home", f"{there}name the home that it lies in with --home")
    return rows


def refused(subject: str, message: str, remedy: str) -> SolonError:
    """Return the error of a question that cannot be answered of a learning run."""
    return SolonError(Failure(cause=FailureCause.INPUT, stage="study", subject=subject, message=message, remedy=remedy))


def read_labels(file: Path) -> dict[str, str]:
    """Return the labels that ``solon study apart`` wrote.

    Raises:
        SolonError: The file cannot be read as labels (``input``).
    """
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        return {str(rationale): str(label) for rationale, label in said.items()}
    except (OSError, ValueError, AttributeError):
        remedy = "name the one that `solon study apart` wrote beside its catalogue"
        raise refused(file.name, "is no file of labels", remedy) from None


def lines(result: Mapping[str, Any]) -> list[str]:
    """Return the result for a reader."""
    told = []
    for label, counts in result["edits"].items():
        said = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
        why = ", ".join(f"{gate} {count}" for gate, count in result["stopped"][label].items())
        told.append(f"{label:8} {said}{f' (stopped by {why})' if why else ''}")
    for one in result["climb"]:
        verdict = "promoted" if one["promoted"] else "refused"
        wealth = "" if one["wealth"] is None else f", wealth {one['wealth']:.4g}"  # not every policy makes a test
        told.append(
            f"step {one['step']}: {one['compared']} edits, {_rate(one['before'])} -> {_rate(one['after'])} over "
            f"{one['pairs']} pairs{wealth}: {verdict}, {len(one['kept'])} kept"
        )
    for held in result["held_out"]:
        before, after = _rate(held["before"]["pooled"]), _rate(held["after"]["pooled"])
        told.append(f"held out ({held['side']}, {held['matters']} matters): {before} -> {after}")
    return told


def _rate(value: float | None) -> str:
    return "not scored" if value is None else f"{value:.4f}"
