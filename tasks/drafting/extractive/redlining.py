"""Redlines without a model: what the brief states word for word is marked up, everything else is reported as open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from skills_repo.schema import Procedure
from tasks.asks.cues import cues_of
from tasks.drafting.extractive.instructions import Instruction, read_instructions
from tasks.drafting.extractive.marking import Editor, Marking
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import DraftJob
from tasks.drafting.redlines import bases_of
from tasks.matter.failures import Failure, SolonError
from tasks.retrieval.provisions import catalogue_of

_TRIED = 3  # documents that are tried where the brief does not name the one to mark up
_WITH_COMMENTS = ("margin comment", "marginal comment", "comment on each", "comments explaining", "explanatory comment")


def write_redline(
    job: DraftJob,
    filename: str,
    readings: Sequence[SentencedDocument],
    settings: Procedure,
    output: Path,
    log: Transcript,
    record: Callable[[], str],
) -> Failure | None:
    """Write a redline and the note that goes with it.

    Where nothing could be marked up, the note gives what the papers say on the request, as ``record`` returns it.
    """
    asked = read_instructions(job.matter.instructions, cues_of(job.harness.knowledge))
    bases = bases_of(job.matter, job.texts)[:_TRIED]
    tried = [(name, _markings(job, name, readings, asked, settings)) for name in bases]
    # The likeliest document, unless another one has more of the words that are to be changed.
    source, markings = max(tried, key=lambda t: (sum(bool(m.edits) for m in t[1]), -tried.index(t)))
    comments = any(w in job.matter.instructions.lower() for w in _WITH_COMMENTS)
    edits = [
        {**e, "comment": _capitalised(m.instruction.item).rstrip(".") + "."} if comments else e
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
        return error.failure
    log.written.append(filename)
    shown = {"path": f"output/{filename}", "source": source, "edits": len(edits)}
    said = f"{result.get('insertions', 0)} insertions, {result.get('deletions', 0)} deletions"
    log.act(f"Mark up {source}.", "redline", shown, said)
    return _note(job, filename, source, markings, result, output, log, "" if edits else record())


def _markings(
    job: DraftJob, name: str, readings: Sequence[SentencedDocument], asked: Sequence[Instruction], settings: Procedure
) -> list[Marking]:
    reading = next(r for r in readings if r.document == name)
    known = catalogue_of(job.harness.knowledge)
    editor = Editor(reading, tuple(job.index.clauses(name)), known, job.index, settings)
    return [editor.carry_out(instruction) for instruction in asked]


def _note(
    job: DraftJob,
    filename: str,
    source: str,
    markings: Sequence[Marking],
    result: dict[str, Any],
    output: Path,
    log: Transcript,
    record: str,
) -> Failure | None:
    """Write the note for the instructing lawyer; it does not go to the other side."""
    name = f"{PurePosixPath(filename).stem}-note.docx"
    base = str(result.get("base", "the source"))
    markdown = note_markdown(job.matter.title, source, markings, [str(u) for u in result.get("unapplied", ())], base)
    arguments = {"path": str((output / name).resolve()), "markdown": markdown + record}
    try:
        job.toolbox.call("build_deliverable", arguments)
    except SolonError as error:
        return error.failure
    log.written.append(name)
    log.act(f"Write {name}.", "build_deliverable", {"path": f"output/{name}", "form": "note"}, "written")
    return None


def note_markdown(
    title: str, source: str, markings: Sequence[Marking], unapplied: Sequence[str], base: str = "the source"
) -> str:
    """Return the note: what was marked up, what was not done and why, what to check."""
    done, left = [m for m in markings if m.edits], [m for m in markings if not m.edits]
    lines = [f"# Note on the redline of {source}\n", "**For the instructing lawyer; not for the other side**\n"]
    lines.append(f"Matter: {title}. What the instructions state word for word is marked up as tracked changes.\n")
    if done:
        lines += ["## Marked up\n", "| Instruction | Place |", "|---|---|"]
        lines += [f"| {_cell(m.instruction.item)} | {_cell(m.place) or '–'} |" for m in done]
        lines.append("")
    if left or unapplied:
        lines.append("## Not done by this runtime\n")
        lines += [f"- {_capitalised(m.instruction.item)}: {m.reason}." for m in left]
        lines += [f"- Not brought into the document: {u}." for u in unapplied]
        lines.append("")
    checks = [f"- {_capitalised(m.instruction.item)}: {m.check}" for m in done if m.check]
    lines += ["## Check before it goes out\n", *checks]
    if base != "the source":
        lines.append(f"- What is marked up is {base}.")
    lines.append("- Conforming changes (definitions, cross-references, schedules) were made only where instructed.")
    return "\n".join(lines) + "\n"


def _capitalised(item: str) -> str:
    return item[:1].upper() + item[1:]


def _cell(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ")
