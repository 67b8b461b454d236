"""The ``extract`` runtime: a model fills a checklist from the documents of a matter, every value with its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.drafting.briefing import wanted_file_names
from tasks.drafting.calling import outcome_of
from tasks.drafting.extraction.answering import answers_of
from tasks.drafting.extraction.delivering import AskAnswers, written
from tasks.drafting.extraction.matter import wanted, work_of
from tasks.drafting.extraction.methods import run
from tasks.drafting.extraction.records import Extraction
from tasks.drafting.extraction.work import Work
from tasks.drafting.mechanisms.records import Moment
from tasks.drafting.records import Cell, DraftJob, WorkProduct
from tasks.drafting.workspace.collecting import collect
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, SolonError
from tasks.models.profile import ModelProfile


class ExtractRuntime:
    """Fills a checklist and delivers it. Expected failures are outcomes, never exceptions.

    Options of a cell: ``method`` (``agent``, ``end_to_end``, ``chunks``), ``parts`` (``all``, ``groups``, ``items``:
    what one agent or one question looks for), ``checklist`` (``case``, ``contract``, or one written out).
    """

    name = "extract"
    model = True
    calls_tools = False
    options = ("method", "parts", "checklist")
    moments = frozenset({Moment.CALL})

    def examined(self, cell: Cell, profiles: Sequence[ModelProfile]) -> str:  # noqa: ARG002  # any model will do
        """Return the hash of the checklist that a cell wants; it is no part of the harness."""
        return content_hash(wanted(cell)[0])

    def draft(self, job: DraftJob) -> WorkProduct:
        """Fill the checklist, or go on where the attempt was left, and write every deliverable of the matter."""
        (job.workspace / "output").mkdir(parents=True, exist_ok=True)
        try:
            checklist, method, parts = wanted(job.cell)
            work = work_of(job, checklist, method, parts)
        except SolonError as error:
            return WorkProduct(files=(), outcome="failed", failures=(error.failure,))
        found = run(work, method, parts)
        told = AskAnswers(job.asks, answers_of(job.asks, work.checklist, found.filled, job.texts))
        failures = [*found.failures, *_delivered(job, work, found, told)]
        collected = collect(job.workspace / "output")
        _close(job, work, not failures)
        return WorkProduct(
            files=collected.files,
            outcome=outcome_of(failures),
            final_message="\n".join([_account(work, found), *found.notes])[:4000],
            failures=(*failures, *collected.refused),
            answers=told.answers,
        )


def _delivered(job: DraftJob, work: Work, found: Extraction, told: AskAnswers) -> list[Failure]:
    """Write the deliverables; return what could not be built."""
    failures = []
    for name in wanted_file_names(job):
        text, build = written(name, work.checklist, found.filled, job.texts, told)
        tool = "build_deliverable" if build else "write"
        arguments = {"path": name, "markdown": text} if build else {"path": name}
        said = f"{len(text)} characters"
        if build:
            try:
                said = str(job.toolbox.call(tool, arguments))
            except SolonError as error:
                failures.append(error.failure)
                said = error.failure.line()
        else:
            file = job.workspace / "output" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", errors="backslashreplace")
        work.trace.tool(tool, arguments, said)
        work.trace.count("files_written")
    return failures


def _account(work: Work, found: Extraction) -> str:
    """Return how much was found, in a sentence."""
    entries = found.filled.entries
    values = sum(len(entry.values) for entry in entries.values())
    some = sum(bool(entry.values) for entry in entries.values())
    absent = sum(bool(entry.excluded) for entry in entries.values())
    every = sum(1 for _ in work.checklist.items())
    return (
        f"{values} values of {some} of {every} items were recorded, each with its evidence; {absent} items do not "
        f"apply; {found.filled.dropped_values} values were refused, as their words stand in no document."
    )


def _close(job: DraftJob, work: Work, clean: bool) -> None:
    shares = work.papers.served.shares()
    names = {document.name for document in job.matter.documents}
    work.trace.close(
        clean,
        work.clock.seconds,
        list(shares),
        sorted(names - set(shares)),
        len(job.matter.documents),
        documents_served=shares,
    )


RUNTIME = ExtractRuntime()
