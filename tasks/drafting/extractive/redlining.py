"""Redlines without a model: what the brief states word for word is marked up, everything else is reported as open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from skills_repo.schema import Procedure
from tasks.asks.changes import read_changes
from tasks.asks.changing.record import Change
from tasks.asks.cues import cues_of
from tasks.drafting.extractive.editing.editor import carry_out
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.editing.paper import EditedPaper
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.points import resolved
from tasks.drafting.records import DraftJob
from tasks.drafting.redlines import bases_of
from tasks.matter.failures import Failure, SolonError
from tasks.retrieval.provisions import catalogue_of

_TRIED = 3  # documents that are tried where the brief does not name the one to mark up
_SHOWN = 60  # characters of an edit by which the tool names it
_WITH_COMMENTS = ("margin comment", "marginal comment", "comment on each", "comments explaining", "explanatory comment")


@dataclass(frozen=True)
class Redrawn:
    """A document that was marked up.

    Attributes:
        markings: What became of each instruction.
        base: What was marked up: the source, or a Word document set from it.
        failure: Why there is no redline.
    """

    filename: str
    source: str
    markings: Sequence[Marking]
    base: str = ""
    failure: Failure | None = None


def write_redline(
    job: DraftJob,
    filename: str,
    readings: Sequence[SentencedDocument],
    settings: Procedure,
    output: Path,
    log: Transcript,
) -> Redrawn:
    """Write a redline: every change that the brief states is tracked in the document that it means."""
    cues = cues_of(job.harness.knowledge)
    bases = bases_of(job.matter, job.texts)[:_TRIED]
    asked = resolved(read_changes(job.matter.instructions, cues), job.texts, bases, cues)
    tried = [(name, _markings(job, name, readings, asked, settings)) for name in bases]
    # The likeliest document, unless another one has more of the words that are to be changed.
    source, markings = max(tried, key=lambda t: (sum(bool(m.edits) for m in t[1]), -tried.index(t)))
    comments = any(w in job.matter.instructions.lower() for w in _WITH_COMMENTS)
    edits = [
        {**e, "comment": _capitalised(m.change.item).rstrip(".") + "."} if comments else e
        for m in markings
        for e in m.edits
    ]
    arguments: dict[str, Any] = {"path": str((output / filename).resolve()), "source": source}
    if edits:
        arguments["edits"] = edits
    else:
        opening = " ".join(job.texts[source].text.strip().split("\n")[0].split()[:4])
        nothing = "No change of the instructions could be made mechanically."
        arguments["remarks"] = [{"words": opening, "comment": nothing}]
    try:
        result = job.toolbox.call("redline", arguments)
    except SolonError as error:
        log.act(f"Mark up {source}.", "redline", {"path": f"output/{filename}"}, error.failure.message)
        lost = [_undone(m, error.failure.message) for m in markings]
        return Redrawn(filename, source, lost, failure=error.failure)
    log.written.append(filename)
    shown = {"path": f"output/{filename}", "source": source, "edits": len(edits)}
    said = f"{result.get('insertions', 0)} insertions, {result.get('deletions', 0)} deletions"
    log.act(f"Mark up {source}.", "redline", shown, said)
    brought = _brought_in(markings, [str(u) for u in result.get("unapplied", ())])
    return Redrawn(filename, source, brought, str(result.get("base", "the source")))


def _markings(
    job: DraftJob, name: str, readings: Sequence[SentencedDocument], asked: Sequence[Change], settings: Procedure
) -> list[Marking]:
    reading = next(r for r in readings if r.document == name)
    known = catalogue_of(job.harness.knowledge)
    paper = EditedPaper(reading, tuple(job.index.clauses(name)), known, settings)
    return [carry_out(paper, change) for change in asked]


def _brought_in(markings: Sequence[Marking], unapplied: Sequence[str]) -> list[Marking]:
    """Return the markings; those that the tool could not apply are marked as not done."""
    return [next((_undone(m, u) for u in unapplied if _is_of(u, m)), m) for m in markings]


def _is_of(unapplied: str, marking: Marking) -> bool:
    return any(repr(str(e["find"])[:_SHOWN])[1:-1] in unapplied for e in marking.edits)


def _undone(marking: Marking, why: str) -> Marking:
    return Marking(marking.change, reason=marking.reason or f"not brought into the document: {why.rstrip('.')}")


def write_note(
    job: DraftJob, made: Redrawn, table: str, output: Path, log: Transcript, record: str = ""
) -> Failure | None:
    """Write the note for the instructing lawyer; it does not go to the other side.

    Args:
        job: The matter.
        made: The redline.
        table: What became of each ask, as Markdown.
        output: Where it is written.
        log: The record of the work.
        record: What the papers say on the request, where nothing could be marked up.
    """
    name = f"{PurePosixPath(made.filename).stem}-note.docx"
    markdown = note_markdown(job.matter.title, made, table) + record
    arguments = {"path": str((output / name).resolve()), "markdown": markdown}
    try:
        job.toolbox.call("build_deliverable", arguments)
    except SolonError as error:
        return error.failure
    log.written.append(name)
    log.act(f"Write {name}.", "build_deliverable", {"path": f"output/{name}", "form": "note"}, "written")
    return None


def note_markdown(title: str, made: Redrawn, table: str) -> str:
    """Return the note: what was marked up, what was not done and why, what to check."""
    done, left = [m for m in made.markings if m.edits], [m for m in made.markings if not m.edits and not m.kept]
    lines = [f"# Note on the redline of {made.source}\n", "**For the instructing lawyer; not for the other side**\n"]
    matter = f"Matter: {title}. " if title else ""
    lines.append(f"{matter}What the instructions state word for word is marked up as tracked changes.\n")
    lines += ["## What was asked\n", table, ""] if table else []
    if done:
        lines += ["## Marked up\n", "| Instruction | Place |", "|---|---|"]
        lines += [f"| {_cell(m.change.item)} | {_cell(m.place) or '–'} |" for m in done]
        lines.append("")
    if left:
        lines.append("## Not done by this runtime\n")
        lines += [f"- {_capitalised(m.change.item)}: {m.reason}." for m in left]
        lines.append("")
    checks = [f"- {_capitalised(m.change.item)}: {m.check}" for m in done if m.check.strip()]
    lines += ["## Check before it goes out\n", *checks]
    if made.base != "the source":
        lines.append(f"- What is marked up is {made.base}.")
    lines.append("- Conforming changes (definitions, cross-references, schedules) were made only where instructed.")
    return "\n".join(lines) + "\n"


def _capitalised(item: str) -> str:
    return item[:1].upper() + item[1:]


def _cell(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ")
