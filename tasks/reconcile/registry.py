"""The one list of the checks. To add a gate: write its module, export ``GATE``, and add its line here.

The stages, the toolbox's audit and the words of the release report follow from this list; the order in which the
release reports the gates is ``order`` of the harness's ``gates.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skills_repo.release_gates import GateSettings
from tasks.reconcile import asks, citations, coverage, skeleton
from tasks.reconcile.check import Check, CheckJob
from tasks.reconcile.dates import gate as dates
from tasks.reconcile.numbers import gate as numbers
from tasks.reconcile.records import GateCheck

CHECKS: Final[Mapping[str, Check]] = MappingProxyType(
    {
        check.name: check
        for check in (
            asks.GATE,
            numbers.GATE,
            dates.GATE,
            skeleton.GATE,
            citations.GATE,
            coverage.GATE,
        )
    }
)
"""The checks by name, in the order in which they run."""

GATES: Final = tuple(CHECKS)
"""The names of the gates."""


def run_check(gate: str, job: CheckJob) -> GateCheck:
    """Run the check of a gate; its findings have the severities of the harness."""
    return graded(CHECKS[gate].run(job), job.harness.gates)


def graded(check: GateCheck, settings: GateSettings) -> GateCheck:
    """Return a check whose findings have the severity that the settings give their kind.

    Raises:
        KeyError: A finding of a kind that the settings of its gate do not know.
    """
    gate = settings.gate(check.gate)
    findings = tuple(f.model_copy(update={"severity": gate.severity(f.kind)}) for f in check.findings)
    return check.model_copy(update={"findings": findings})


KINDS: Final[Mapping[str, str]] = MappingProxyType({k: words for c in CHECKS.values() for k, words in c.kinds.items()})
"""Every kind of finding with the words for it. Two gates that share a kind use the same words."""
