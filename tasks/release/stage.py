"""The release of a work product: gates over the checks, deliverables reopened, one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from skills_repo.release_gates import GateSettings
from tasks.asks.records import AskOutcome, AskState
from tasks.matter.failures import Failure
from tasks.matter.records import Matter
from tasks.reconcile.duplicate_findings import without_duplicates
from tasks.reconcile.records import Finding, GateCheck
from tasks.release.gates import gate_results
from tasks.release.landing import expected, reopen
from tasks.release.records import GateResult, ReleaseReport, Status
from tasks.release.report import render_report
from tasks.sources.records import CanonicalText, CoverageEntry, MatterState

__all__ = ["release", "render_report"]


def release(
    matter: Matter,
    state: MatterState,
    checks: Sequence[GateCheck],
    output: Path,
    drafts: Mapping[str, CanonicalText],
    settings: GateSettings,
) -> ReleaseReport:
    """Decide the release of a work product.

    Every deliverable is reopened from ``output`` with the judge's reader; what cannot be read blocks.

    Args:
        matter: The matter, with the deliverables asked for.
        state: Its inventory; the report repeats its coverage.
        checks: Results of the checks, in any order.
        output: Folder of the work product.
        drafts: Texts of the deliverables that the checks saw.
        settings: Settings of the gates.
    """
    reopened, landing = _reopen_all(matter, output, checks)
    stale = [_stale(name) for name, text in reopened.items() if name in drafts and drafts[name].text != text.text]
    check = GateCheck(gate="completeness", checked=0, findings=(*landing, *stale))
    gates = gate_results([*without_duplicates(checks), check], settings)
    asks = tuple(a for c in checks for a in c.asks)
    return ReleaseReport(
        matter_id=matter.matter_id,
        status=_overall(gates, asks, state.coverage),
        asks=asks,
        gates=gates,
        coverage=state.coverage,
        deliverables=tuple(sorted(reopened)),
    )


def _reopen_all(
    matter: Matter, output: Path, checks: Sequence[GateCheck]
) -> tuple[dict[str, CanonicalText], list[Finding]]:
    known = {
        f.deliverable for c in checks for f in c.findings if f.kind in ("missing_deliverable", "unreadable_deliverable")
    }
    reopened: dict[str, CanonicalText] = {}
    findings: list[Finding] = []
    names = expected(matter, output)
    for name in names:
        result = reopen(output, name)
        if isinstance(result, Failure):
            if name not in known:
                findings.append(_unusable(name, result, (output / name).exists()))
        else:
            reopened[name] = result
    if not names and "" not in known:
        findings.append(
            Finding(
                gate="completeness",
                kind="missing_deliverable",
                checked="The output folder holds no file.",
                remedy="Write the work product into the output folder.",
            )
        )
    return reopened, findings


def _unusable(name: str, failure: Failure, exists: bool) -> Finding:
    return Finding(
        gate="completeness",
        kind="unreadable_deliverable" if exists else "missing_deliverable",
        deliverable=name,
        checked=f"Reopened with the judge's reader: {failure.message}",
        remedy=failure.remedy or f"Write {name} again.",
    )


def _stale(name: str) -> Finding:
    return Finding(
        gate="completeness",
        kind="stale_deliverable",
        deliverable=name,
        checked="The file in the output folder differs from the text that the checks read.",
        remedy="Run the checks again on the landed file.",
    )


def _overall(gates: Sequence[GateResult], asks: Sequence[AskOutcome], coverage: Sequence[CoverageEntry]) -> Status:
    statuses = {g.status for g in gates}
    if "blocked" in statuses:
        return "blocked"
    done = sum(a.state is not AskState.NOT_ATTEMPTED for a in asks)
    if asks and not done:
        return "not_answered"
    if done < len(asks):
        return "released_with_open_asks"
    # Whatever severity the harness gives these findings: what nobody read or vouches for is not released.
    unsound = any(a.doubtful for a in asks) or any(c.status != "read" for c in coverage)
    return "released_with_flags" if unsound or "flagged" in statuses else "released"
