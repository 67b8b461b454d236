"""The extractive runtime: no model, every statement quoted from a document and cited."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path

from tasks.asks.records import AskAnswer
from tasks.asks.table import COLUMNS, TITLE, ask_rows, ask_table
from tasks.drafting.extractive.digest import read_digest
from tasks.drafting.extractive.generic import for_sections
from tasks.drafting.extractive.matrix import matrix
from tasks.drafting.extractive.memo import Report, memorandum
from tasks.drafting.extractive.planning import report_of
from tasks.drafting.extractive.reading import SentencedDocument, read
from tasks.drafting.extractive.redlining import Redrawn, write_note, write_redline
from tasks.drafting.extractive.survey import Survey, planned, survey_markdown, survey_tables, with_record
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.editing import Marking
from tasks.drafting.records import DraftJob, OutputFile, WorkProduct
from tasks.drafting.redlines import bases_of, redlines_of
from tasks.matter.failures import Failure, SolonError
from tasks.matter.records import Deliverable

Plan = Report | Survey
TABULAR = frozenset({".xlsx", ".csv", ".json"})


class ExtractiveRuntime:
    """Plans from the brief and the routed skill, retrieves, answers, quotes, tabulates, cites."""

    name = "extractive"

    def draft(self, job: DraftJob) -> WorkProduct:
        """Write the deliverables of a matter below ``job.workspace/output``."""
        begun = time.monotonic()
        output = job.workspace / "output"
        output.mkdir(parents=True, exist_ok=True)
        log = Transcript()
        readings = _read_all(job, log)
        able = "redline" in job.toolbox.names() and bool(bases_of(job.matter, job.texts))
        marked = redlines_of(job.matter) if able else ()
        others = [d for d in wanted_deliverables(job) if d.filename not in marked]
        procedure = job.pack.skill.procedure
        drawn = [write_redline(job, name, readings, procedure, output, log) for name in marked]
        markings = tuple(m for made in drawn for m in made.markings)
        plan, claims = report_of(job, readings, procedure, log, markings)
        found = [made.failure or _note(job, made, plan, claims, output, log) for made in drawn]
        found += [_write(job, d, plan, claims, output, log) for d in others]
        failures = tuple(f for f in found if f is not None)
        message = _closing(plan if others else None, markings, log)
        log.say(message)
        names = [d.name for d in job.matter.documents]
        log.write(job.workspace, names, time.monotonic() - begun, clean=not failures)
        return WorkProduct(
            files=_files(output),
            outcome="failed" if failures and not log.written else "finished",
            final_message=message[:4000],
            failures=failures,
            answers=claims,
        )


def wanted_deliverables(job: DraftJob) -> Sequence[Deliverable]:
    """Return the files asked for, or a memorandum where the task names none."""
    return job.matter.deliverables or (Deliverable(name="memorandum", filename="memorandum.docx"),)


def _read_all(job: DraftJob, log: Transcript) -> tuple[SentencedDocument, ...]:
    states = {s.document: s for s in job.state.documents}
    readings = []
    for name in sorted(job.texts):
        text = job.texts[name]
        reading = read(text, states.get(name), job.index, job.harness.knowledge)
        readings.append(reading)
        log.read.append(name)
        summary = f"{text.media}, {len(text.text)} characters, {len(reading.units)} sentences: {reading.identity.title}"
        log.act(f"Read {name}.", "read", {"path": name}, summary)
    return tuple(readings)


def _note(
    job: DraftJob, made: Redrawn, plan: Plan, claims: Sequence[AskAnswer], output: Path, log: Transcript
) -> Failure | None:
    """Write the note on a redline; with what the papers say on the request, where nothing could be marked up."""
    if any(m.edits for m in made.markings):
        return write_note(job, made, ask_table(job.asks, claims), output, log)
    text = _markdown(job, Deliverable(name="note", filename="note.docx"), plan, log)
    record = text[text.find("\n## ") :] if "\n## " in text else ""
    return write_note(job, made, "", output, log, record)


def _write(
    job: DraftJob, wanted: Deliverable, plan: Plan, claims: Sequence[AskAnswer], output: Path, log: Transcript
) -> Failure | None:
    tabular = wanted.suffix in TABULAR
    arguments = {
        "path": str((output / wanted.filename).resolve()),
        "markdown": None if tabular else _markdown(job, wanted, plan, log),
        "tables": ([*(matrix(plan) if isinstance(plan, Report) else survey_tables(plan)), _asked(job, claims)])
        if tabular
        else None,
    }
    shown = {"path": f"output/{wanted.filename}", "form": "matrix" if tabular else "memorandum"}
    try:
        job.toolbox.call("build_deliverable", arguments)
    except SolonError as error:
        log.act(f"Write {wanted.filename}.", "build_deliverable", shown, error.failure.message)
        return error.failure
    log.written.append(wanted.filename)
    log.act(f"Write {wanted.filename}.", "build_deliverable", shown, "written")
    return None


def _asked(job: DraftJob, claims: Sequence[AskAnswer]) -> dict[str, object]:
    """Return the table of asks as a sheet."""
    columns = [{"name": name, "type": "text"} for name in COLUMNS]
    return {"name": TITLE, "columns": columns, "rows": [list(r) for r in ask_rows(job.asks, claims)]}


def _markdown(job: DraftJob, wanted: Deliverable, plan: Plan, log: Transcript) -> str:
    skeleton = job.pack.skeletons.get(wanted.filename)
    if isinstance(plan, Report):
        text = memorandum(plan, skeleton)
        if not any(kind in {"events", "conflicts"} for _, kind in planned(skeleton)):
            return text
        return with_record(text, skeleton, read_digest(plan.readings, job.state.documents, job.matter.instructions))
    return survey_markdown(plan, skeleton, for_sections(job, skeleton, log))


def _closing(plan: Plan | None, markings: Sequence[Marking], log: Transcript) -> str:
    written = f"Drafted {', '.join(log.written) or 'nothing'}"
    if plan is None:
        left = "".join(f" Not done: {m.change.item} ({m.reason})." for m in markings if not m.edits)
        return (
            f"{written}: {sum(bool(m.edits) for m in markings)} of {len(markings)} instructed changes are tracked."
            f"{left} Draft for attorney review."
        )
    if isinstance(plan, Survey):
        return (
            f"{written}: the record of {len(plan.papers)} documents on the request, {len(plan.digest.conflicts)} "
            "conflicts between them. The legal analysis is left to the attorney. Draft for attorney review."
        )
    found = sum(a.found for answers in plan.answers.values() for a in answers)
    total = sum(len(answers) for answers in plan.answers.values())
    return (
        f"{written}: {found} of {total} answers found in {len(plan.readings)} documents, the others reported as not "
        "found. Draft for attorney review."
    )


def _files(output: Path) -> tuple[OutputFile, ...]:
    files = sorted(p for p in output.rglob("*") if p.is_file())
    return tuple(
        OutputFile(
            filename=p.relative_to(output).as_posix(),
            sha256=hashlib.sha256(p.read_bytes()).hexdigest(),
            size=p.stat().st_size,
        )
        for p in files
    )
