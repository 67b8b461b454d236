"""The extractive runtime: no model, every statement quoted from a document and cited."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tasks.asks.records import AskState
from tasks.asks.table import ask_table
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.reading import SentencedDocument, read
from tasks.drafting.extractive.redlining import Redrawn, write_note, write_redline
from tasks.drafting.extractive.render.matrix import tables
from tasks.drafting.extractive.render.memo import body_of
from tasks.drafting.extractive.render.plan import Craft, told_of
from tasks.drafting.extractive.render.told import Told
from tasks.drafting.extractive.room import NoSecondReader
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.mechanisms.records import Firing, Moment
from tasks.drafting.records import DraftJob, WorkProduct
from tasks.drafting.redlines import bases_of, redlines_of
from tasks.drafting.workspace.collecting import collect
from tasks.matter.failures import Failure, SolonError
from tasks.matter.records import Deliverable

UNHEEDED = "The release report of the pass before changed nothing: without a model the same papers give the same draft."
UNHEARD = "The release report of the pass before changed nothing: the same questions were asked of the same papers."
TABULAR = frozenset({".xlsx", ".csv", ".json"})


class ExtractiveRuntime:
    """Plans from the brief and the routed skill, retrieves, answers, quotes, tabulates, cites."""

    name = "extractive"
    model = False
    calls_tools = False

    def draft(self, job: DraftJob) -> WorkProduct:
        """Write the deliverables of a matter below ``job.workspace/output``."""
        return drafted(job, Transcript())


def drafted(job: DraftJob, log: Transcript, craft: Craft | None = None) -> WorkProduct:
    """Write the deliverables of a matter below ``job.workspace/output``, and the trace.

    Args:
        job: The matter.
        log: Records the work.
        craft: How the asks are answered and the draft is written; as the extractive runtime does it when None.
    """
    begun, craft = time.monotonic(), craft or Craft()
    output = job.workspace / "output"
    output.mkdir(parents=True, exist_ok=True)
    log.begin(job.workspace, again=bool(job.report))
    readings = _read_all(job, log)
    able = "redline" in job.toolbox.names() and bool(bases_of(job.matter, job.texts))
    marked = redlines_of(job.matter) if able else ()
    others = [d for d in wanted_deliverables(job) if d.filename not in marked]
    procedure = job.pack.skill.procedure
    drawn = [write_redline(job, name, readings, procedure, output, log) for name in marked]
    markings = tuple(m for made in drawn for m in made.markings)
    tabular = any(d.suffix in TABULAR for d in others)
    told = told_of(job, readings, procedure, log, tabular, markings, craft)
    found = [made.failure or _note(job, made, told, output, log) for made in drawn]
    found += [_write(job, d, told, output, log, craft) for d in others]
    failures = tuple(f for f in found if f is not None)
    message = _closing(told, markings, log)
    unheeded = UNHEEDED if isinstance(craft.second, NoSecondReader) else UNHEARD
    firings = (Firing(mechanism="revision", moment=Moment.END, note=unheeded),) if job.report else ()
    message += f" {unheeded}" * bool(firings)
    log.say(message)
    names = [d.name for d in job.matter.documents]
    log.close(job.workspace, names, time.monotonic() - begun, clean=not failures)
    collected = collect(output)
    return WorkProduct(
        files=collected.files,
        outcome="failed" if failures and not log.written else "finished",
        final_message=message[:4000],
        failures=(*failures, *collected.refused),
        answers=tuple(told.answers.values()),
        firings=firings,
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


def _note(job: DraftJob, made: Redrawn, told: Told, output: Path, log: Transcript) -> Failure | None:
    """Write the note on a redline; with what the papers say on the request, where nothing could be marked up."""
    if any(m.edits for m in made.markings):
        return write_note(job, made, ask_table(told.asks, told.answers.values()), output, log)
    return write_note(job, made, "", output, log, body_of(told))


def _write(
    job: DraftJob, wanted: Deliverable, told: Told, output: Path, log: Transcript, craft: Craft
) -> Failure | None:
    tabular = wanted.suffix in TABULAR
    skeleton = job.pack.skeletons.get(wanted.filename)
    arguments = {
        "path": str((output / wanted.filename).resolve()),
        "markdown": None if tabular else craft.write(told, skeleton),
        "tables": tables(told) if tabular else None,
    }
    shown = {"path": f"output/{wanted.filename}", "form": "matrix" if tabular else craft.form}
    try:
        job.toolbox.call("build_deliverable", arguments)
    except SolonError as error:
        log.act(f"Write {wanted.filename}.", "build_deliverable", shown, error.failure.message)
        return error.failure
    log.written.append(wanted.filename)
    log.act(f"Write {wanted.filename}.", "build_deliverable", shown, "written")
    return None


def _closing(told: Told, markings: Sequence[Marking], log: Transcript) -> str:
    written = f"Drafted {', '.join(log.written) or 'nothing'}"
    left = "".join(f" Not done: {m.change.item} ({m.reason})." for m in markings if not m.edits)
    states = Counter(answer.state for answer in told.answers.values())
    counted = ", ".join(f"{states[state]} {state.value}" for state in AskState if states[state])
    return f"{written}: of {len(told.asks.asks)} asks {counted or 'none'}.{left} Draft for attorney review."


RUNTIME = ExtractiveRuntime()
