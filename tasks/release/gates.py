"""The release gates: the findings of the checks, weighed by the settings of the harness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from skills_repo.release_gates import GateSettings
from tasks.reconcile.records import Finding, GateCheck
from tasks.reconcile.registry import graded
from tasks.release.records import GateResult

_CONSEQUENCE = {"block": 0, "flag": 1, "note": 2}  # the order of severities


def gate_results(checks: Sequence[GateCheck], settings: GateSettings) -> tuple[GateResult, ...]:
    """Fold checks into one result for each gate, in the order of the settings.

    A gate without anything to check passes.
    """
    gates = settings.in_order(c.gate for c in checks)
    return tuple(_gate_result(gate, [c for c in checks if c.gate == gate], settings) for gate in gates)


def _gate_result(gate: str, checks: Sequence[GateCheck], settings: GateSettings) -> GateResult:
    checked = sum(c.checked for c in checks)
    findings = ordered(f for c in checks for f in graded(c, settings).findings)
    return GateResult(
        gate=gate,
        status=_status(gate, findings, checked, settings),
        checked=checked,
        verified=sum(len(c.grounded) for c in checks),
        findings=tuple(findings[: settings.findings_per_gate]),
    )


def _status(
    gate: str, findings: Sequence[Finding], checked: int, settings: GateSettings
) -> Literal["passed", "flagged", "blocked"]:
    flags = sum(f.severity == "flag" for f in findings)
    share = settings.share(gate)
    over = share is not None and checked > 0 and flags >= settings.block_from and flags / checked >= share
    if over or any(f.severity == "block" for f in findings):
        return "blocked"
    return "flagged" if flags else "passed"


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by consequence, then by place."""
    return sorted(findings, key=lambda f: (_CONSEQUENCE[f.severity], f.deliverable, f.start, f.kind, f.text))
