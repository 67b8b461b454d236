"""The checks of a draft. All share one signature, so that they can run side by side.

Each takes ``(drafts, texts, matter, state, pack)``: the canonical texts of the deliverables by file name,
those of the data room by document name, the matter, its inventory, and the knowledge it started from.
"""

from __future__ import annotations

from tasks.reconcile.citations import check_citations
from tasks.reconcile.coverage import check_coverage
from tasks.reconcile.dates.gate import check_dates
from tasks.reconcile.numbers.gate import check_numbers
from tasks.reconcile.skeleton import check_skeleton

__all__ = ["check_citations", "check_coverage", "check_dates", "check_numbers", "check_skeleton"]
