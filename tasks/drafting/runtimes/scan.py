"""The ``scan`` runtime: the checklist of a lawsuit filled by scanners, without a model: the floor beside agents."""

from __future__ import annotations

import time
from collections.abc import Sequence

from tasks.drafting.briefing import wanted_file_names
from tasks.drafting.extraction.answering import answers_of
from tasks.drafting.extraction.delivering import AskAnswers, written
from tasks.drafting.extraction.matter import wanted
from tasks.drafting.extraction.scanning.case import scan_case
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import Cell, DraftJob, WorkProduct
from tasks.drafting.workspace.collecting import collect
from tasks.legaltext.checklists.definition import Checklist
from tasks.legaltext.checklists.records import Filled
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, SolonError
from tasks.models.profile import ModelProfile


class ScanRuntime:
    """Reads dockets, pleadings, orders and decrees by the cues of the knowledge. Option of a cell: ``checklist``."""

    name = "scan"
    model = False
    calls_tools = False
    options = ("checklist",)

    def examined(self, cell: Cell, profiles: Sequence[ModelProfile]) -> str:  # noqa: ARG002  # it asks no model
        """Return the hash of the checklist that a cell wants; it is no part of the harness."""
        return content_hash(wanted(cell)[0])

    def draft(self, job: DraftJob) -> WorkProduct:
        """Fill the checklist, and write every deliverable of the matter."""
        begun, log = time.monotonic(), Transcript()
        (job.workspace / "output").mkdir(parents=True, exist_ok=True)
        try:
            checklist, *_ = wanted(job.cell)
        except SolonError as error:
            return WorkProduct(files=(), outcome="failed", failures=(error.failure,))
        log.begin(job.workspace)
        texts = {name: text.text for name, text in job.texts.items()}
        for name, text in texts.items():
            log.read.append(name)
            log.act(f"Read {name}.", "read", {"path": name}, f"{len(text)} characters")
        filled = scan_case(checklist, texts, job.harness.knowledge.litigation)
        told = AskAnswers(job.asks, answers_of(job.asks, checklist, filled, job.texts))
        failures = [f for name in wanted_file_names(job) if (f := _delivered(job, name, checklist, filled, told, log))]
        message = _account(checklist, filled, log.written)
        log.say(message)
        names = [document.name for document in job.matter.documents]
        log.close(job.workspace, names, time.monotonic() - begun, clean=not failures)
        collected = collect(job.workspace / "output")
        return WorkProduct(
            files=collected.files,
            outcome="failed" if failures and not log.written else "finished",
            final_message=message,
            failures=(*failures, *collected.refused),
            answers=told.answers,
        )


def _delivered(
    job: DraftJob, name: str, checklist: Checklist, filled: Filled, told: AskAnswers, log: Transcript
) -> Failure | None:
    """Write a deliverable; return why it could not be built."""
    text, build = written(name, checklist, filled, job.texts, told)
    path = job.workspace / "output" / name
    try:
        if build:
            job.toolbox.call("build_deliverable", {"path": str(path.resolve()), "markdown": text})
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except SolonError as error:
        log.act(f"Write {name}.", "build_deliverable", {"path": f"output/{name}"}, error.failure.message)
        return error.failure
    log.written.append(name)
    log.act(f"Write {name}.", "build_deliverable" if build else "write", {"path": f"output/{name}"}, "written")
    return None


def _account(checklist: Checklist, filled: Filled, files: Sequence[str]) -> str:
    values = sum(len(entry.values) for entry in filled.entries.values())
    some = sum(bool(entry.values) for entry in filled.entries.values())
    every = sum(1 for _ in checklist.items())
    return f"{values} values of {some} of {every} items, each with its words, in {', '.join(files) or 'no file'}."


RUNTIME = ScanRuntime()
