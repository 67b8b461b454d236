"""The release gates, one for each registered check and in their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import Field

from tasks.matter.base import Record
from tasks.reconcile.records import Finding, GateCheck
from tasks.reconcile.registry import GATES
from tasks.release.records import GateResult

Severity = Literal["block", "flag", "note"]
_CONSEQUENCE = {"block": 0, "flag": 1, "note": 2}


class GateThresholds(Record):
    """Settings of the gates: ``gates.toml`` of the harness, as plain values.

    Attributes:
        severities: Severity by gate and kind of finding. What a check blocks stays blocked: an edit of the
            harness cannot let a missing deliverable or a fabricated quotation pass.
        block_share: Share of flagged items from which a gate blocks, by gate; absent means never.
        block_minimum: Fewest flags that can block by share.
        findings_per_gate: Most findings kept for each gate.
    """

    severities: dict[str, dict[str, Severity]] = Field(default_factory=dict)
    block_share: dict[str, float] = Field(default_factory=dict)
    block_minimum: int = 5
    findings_per_gate: int = 200

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> GateThresholds:
        """Take from a parsed ``gates.toml`` what the gates know; ignore the rest."""
        severities: dict[str, dict[str, Severity]] = {}
        shares: dict[str, float] = {}
        for gate in GATES:
            section = table.get(gate)
            if not isinstance(section, Mapping):
                continue
            severities[gate] = {k: v for k, v in section.items() if v in get_args(Severity)}
            if isinstance(section.get("block_share"), int | float):
                shares[gate] = float(section["block_share"])
        return cls(severities=severities, block_share=shares)

    def severity(self, finding: Finding) -> Severity:
        """Return the severity of a finding under these settings."""
        if finding.severity == "block":
            return "block"
        return self.severities.get(finding.gate, {}).get(finding.kind, finding.severity)


def gate_results(checks: Sequence[GateCheck], thresholds: GateThresholds | None = None) -> tuple[GateResult, ...]:
    """Fold checks into one result a gate; a gate that nothing checked passes with nothing checked."""
    policy = thresholds or GateThresholds()
    return tuple(_gate_result(gate, [c for c in checks if c.gate == gate], policy) for gate in GATES)


def _gate_result(gate: str, checks: Sequence[GateCheck], policy: GateThresholds) -> GateResult:
    checked = sum(c.checked for c in checks)
    findings = ordered(f.model_copy(update={"severity": policy.severity(f)}) for c in checks for f in c.findings)
    return GateResult(
        gate=gate,
        status=_status(gate, findings, checked, policy),
        checked=checked,
        verified=sum(len(c.grounded) for c in checks),
        findings=tuple(findings[: policy.findings_per_gate]),
    )


def _status(
    gate: str, findings: Sequence[Finding], checked: int, policy: GateThresholds
) -> Literal["passed", "flagged", "blocked"]:
    flags = sum(f.severity == "flag" for f in findings)
    share = policy.block_share.get(gate)
    over = share is not None and checked > 0 and flags >= policy.block_minimum and flags / checked >= share
    if over or any(f.severity == "block" for f in findings):
        return "blocked"
    return "flagged" if flags else "passed"


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by consequence, then by place."""
    return sorted(findings, key=lambda f: (_CONSEQUENCE[f.severity], f.deliverable, f.start, f.kind, f.text))
