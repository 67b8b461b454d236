"""The ``summary`` runtime: one prompt with the whole case, every document cut by the same share where it must be."""

from __future__ import annotations

from typing import Any

from tasks.drafting.agent.limits import Clock
from tasks.drafting.briefing import wanted_file_names
from tasks.drafting.calling import client_of, outcome_of
from tasks.drafting.extraction.fitting import WholeCase, fitted
from tasks.drafting.extraction.matter import in_order
from tasks.drafting.extraction.papers import Papers, papers_of
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.drafting.trace import Trace
from tasks.drafting.workspace.collecting import collect
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.fencing import inert_text

_CUT_OFF = "The reply was cut off at its longest: the end is missing."


class SummaryRuntime:
    """Writes what the brief asks for from the whole case at once, as GAVEL's summaries were written.

    Where the papers do not fit the model's window, each loses the same share of its middle, and the account says how
    much. Expected failures are outcomes, never exceptions.
    """

    name = "summary"
    model = True
    calls_tools = False

    def draft(self, job: DraftJob) -> WorkProduct:
        """Write every deliverable of the matter."""
        (job.workspace / "output").mkdir(parents=True, exist_ok=True)
        trace, clock = Trace.anew(job.workspace), Clock.of(job)
        failures, notes = list[Failure](), list[str]()
        served = list[str]()
        try:
            client = client_of(job)
            papers = _papers(job, client)
            messages, case = _question(job, papers, client)
            papers.served.add(case.spans)
            served = [*papers.served.shares()]
            for message in messages:
                trace.told(message["role"], message["content"])
            clock.check(trace.turn)
            reply = client.complete(messages)
            trace.assistant(reply, case.spans)
            notes += [f"{case.cut} of the case did not fit the model's window."] if case.cut else []
            notes += [_CUT_OFF] if reply.finish_reason == "length" else []
            failures += _written(job, trace, reply.text)
        except SolonError as error:
            failures.append(error.failure)
        names = {document.name for document in job.matter.documents}
        trace.close(not failures, clock.seconds, served, sorted(names - set(served)), len(names))
        collected = collect(job.workspace / "output")
        return WorkProduct(
            files=collected.files,
            outcome=outcome_of(failures),
            final_message="\n".join([f"Written from {len(served)} documents in one prompt.", *notes]),
            failures=(*failures, *collected.refused),
        )


def _papers(job: DraftJob, client: ModelClient) -> Papers:
    """Return the documents in the order of time."""
    texts = {name: text for name, text in job.texts.items() if text.text.strip()}
    kinds = {document.document: document.document_type for document in job.state.documents}
    return papers_of({name: texts[name] for name in in_order(texts, job.state)}, client, kinds).plain()


def _question(job: DraftJob, papers: Papers, client: ModelClient) -> tuple[list[dict[str, Any]], WholeCase]:
    """Return the messages, and what of the case they show.

    Raises:
        SolonError: Brief and rules alone fill the window (``capacity``).
    """
    prompts, matter = job.harness.prompts, job.matter

    def asked(case: WholeCase) -> list[dict[str, Any]]:
        user = prompts.summary_case.filled(
            brief=inert_text(matter.instructions),
            code=case.code,
            cut=case.cut,
            documents=case.text,
            title=inert_text(matter.title),
        )
        return [{"role": "system", "content": prompts.summary.filled()}, {"role": "user", "content": user}]

    case = fitted(papers, client, job.harness.agent.extraction.head, asked)
    if not case.spans:
        message = "The brief and the rules alone fill the context window."
        remedy = "Use a model with a larger one."
        cause, subject = FailureCause.CAPACITY, matter.matter_id
        raise SolonError(Failure(cause=cause, stage="drafting", subject=subject, message=message, remedy=remedy))
    return asked(case), case


def _written(job: DraftJob, trace: Trace, text: str) -> list[Failure]:
    """Build every deliverable from the same text; return what could not be built."""
    failures = []
    for name in wanted_file_names(job):
        arguments = {"path": name, "markdown": f"# {job.matter.title}\n\n{text.strip()}\n"}
        try:
            said = str(job.toolbox.call("build_deliverable", arguments))
        except SolonError as error:
            failures.append(error.failure)
            said = error.failure.line()
        trace.tool("build_deliverable", arguments, said)
        trace.count("files_written")
    return failures


RUNTIME = SummaryRuntime()
