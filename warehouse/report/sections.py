"""The sections of the report, each from the named questions of the warehouse."""

from __future__ import annotations

from warehouse.report import causes, effort, releases, scores, studies, trust
from warehouse.report.asking import Asker
from warehouse.report.blocks import ReportSection


def sections(asker: Asker) -> list[ReportSection]:
    """Return every section, in the order in which a reader wants them."""
    asker = asker.narrowed()
    return [
        scores.cells(asker),
        *studies.pairs(asker),
        scores.areas(asker),
        scores.kinds(asker),
        causes.errors(asker),
        scores.worst(asker),
        releases.unscored(asker),
        releases.gates(asker),
        releases.coverage(asker),
        effort.actions(asker),
        *studies.areas(asker),
        effort.cost(asker),
        *studies.trade(asker),
        effort.slowest(asker),
        effort.failures(asker),
        *trust.judges(asker),
        *studies.variance(asker),
        *studies.checklist(asker),
        *trust.learner(asker),
        *trust.quarantine(asker),
    ]
