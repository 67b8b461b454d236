"""The checks of a draft. All share one signature, so that they can run side by side.

Each takes ``(drafts, texts, matter, state, pack, harness)``: the canonical texts of the deliverables by file name,
those of the data room by document name, the matter, its inventory, the knowledge it started from, and the harness.
"""

from __future__ import annotations

from skills_repo.release_gates import GateSettings
from tasks.reconcile.citations import check_citations
from tasks.reconcile.coverage import check_coverage
from tasks.reconcile.dates.gate import check_dates
from tasks.reconcile.numbers.gate import check_numbers
from tasks.reconcile.records import GateCheck
from tasks.reconcile.skeleton import check_skeleton

__all__ = ["check_citations", "check_coverage", "check_dates", "check_numbers", "check_skeleton", "graded"]


def graded(check: GateCheck, settings: GateSettings) -> GateCheck:
    """Return a check whose findings have the severity that the settings give their kind.

    Raises:
        KeyError: A finding of a kind that the settings of its gate do not know.
    """
    gate = settings.gate(check.gate)
    findings = tuple(f.model_copy(update={"severity": gate.severity(f.kind)}) for f in check.findings)
    return check.model_copy(update={"findings": findings})
