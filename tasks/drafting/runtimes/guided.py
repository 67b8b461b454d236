"""The guided runtime: the harness plans, retrieves and verifies; a model answers narrow questions over passages."""

from __future__ import annotations

from tasks.drafting.calling import client_of
from tasks.drafting.extractive.render.plan import Craft
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.guided.asking import Asker
from tasks.drafting.guided.questions import Questioner
from tasks.drafting.guided.reader import ModelReader
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.drafting.runtimes.extractive import drafted
from tasks.matter.failures import SolonError


class GuidedRuntime:
    """Drafts as the extractive runtime does, with every answer reviewed by a model that reads the passages.

    Where the model cannot be asked, the draft is the extractive one, and the outcome says why.
    """

    name = "guided"
    model = True
    calls_tools = False

    def draft(self, job: DraftJob) -> WorkProduct:
        """Write the deliverables of a matter below ``job.workspace/output``; expected failures are outcomes."""
        log = Transcript()
        asker = Asker(None, job.cell.limits, log, job.matter.matter_id)
        try:
            asker.client = client_of(job)
        except SolonError as error:
            asker.refuse(error.failure)
        questioner = Questioner(asker, job.harness.prompts, job.pack.skill.pitfalls)
        product = drafted(job, log, Craft(ModelReader(asker, questioner)))
        outcome = product.outcome if product.outcome == "failed" else asker.outcome
        return product.model_copy(update={"outcome": outcome, "failures": (*asker.failures, *product.failures)})


RUNTIME = GuidedRuntime()
