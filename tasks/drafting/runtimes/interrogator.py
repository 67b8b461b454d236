"""The interrogator runtime: questions about the request until it is answered or known to be open, and a report."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from tasks.drafting.calling import client_of
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.guided.asking import Asker
from tasks.drafting.guided.questions import Questioner
from tasks.drafting.guided.reader import ModelReader
from tasks.drafting.interrogator.advising import ModelAdvisor
from tasks.drafting.interrogator.interview import Interview
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.drafting.runtimes.extractive import drafted
from tasks.matter.failures import SolonError

RESEARCHER: Final = "researcher"  # of the account: who puts into words what was found


class InterrogatorRuntime:
    """Decomposes a request into its asks and questions a researcher about each and about what the answers raise.

    Where its cell names a model, that reviews the answers and advises on the next question. Where the model cannot be
    asked, the draft is the one without it, and the outcome says why.
    """

    name = "interrogator"
    model = False
    calls_tools = False
    advised: Literal[True] = True

    def draft(self, job: DraftJob) -> WorkProduct:
        """Write the deliverables of a matter below ``job.workspace/output``; expected failures are outcomes."""
        log = Transcript()
        asker = asker_of(job, log)
        product = drafted(job, log, interview_of(job, asker).craft)
        if asker is None:
            return product
        outcome = product.outcome if product.outcome == "failed" else asker.outcome
        return product.model_copy(update={"outcome": outcome, "failures": (*asker.failures, *product.failures)})


def asker_of(job: DraftJob, log: Transcript) -> Asker | None:
    """Return who asks the model of a cell; None where it names none."""
    if not (job.cell.profile or "model" in job.cell.options):
        return None
    asker = Asker(None, job.cell.limits, log, job.matter.matter_id)
    try:
        asker.client = client_of(job)
    except SolonError as error:
        asker.refuse(error.failure)
    return asker


def interview_of(job: DraftJob, asker: Asker | None) -> Interview:
    """Return the interview of one request, with the model where one is asked."""
    if asker is None:
        return Interview()
    reader = ModelReader(asker, Questioner(asker, job.harness.prompts))
    phrasing = replace(asker.client, role=RESEARCHER) if asker.client else None
    return Interview(second=reader, advisor=ModelAdvisor(asker, job.harness.prompts), model=phrasing)


RUNTIME = InterrogatorRuntime()
