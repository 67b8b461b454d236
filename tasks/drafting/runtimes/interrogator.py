"""The interrogator runtime: questions about the request until it is answered or known to be open, and a report."""

from __future__ import annotations

from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.interrogator.interview import Interview
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.drafting.runtimes.extractive import drafted


class InterrogatorRuntime:
    """Decomposes a request into its asks and questions a researcher about each and about what the answers raise."""

    name = "interrogator"
    model = False

    def draft(self, job: DraftJob) -> WorkProduct:
        """Write the deliverables of a matter below ``job.workspace/output``."""
        return drafted(job, Transcript(), Interview().craft)


RUNTIME = InterrogatorRuntime()
