"""The messages of the ``api`` runtime: the values for the slots of the harness's prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tasks.asks.records import AskState
from tasks.asks.table import COLUMNS, TITLE
from tasks.drafting.api.context import Context, fenced, one_line
from tasks.drafting.records import DraftJob
from tasks.drafting.redlines import bases_of, redlines_of
from tasks.models.fencing import inert_text

DEFAULT_DELIVERABLE = "work-product.docx"
_MOST_LEADS = 30  # authorities and windows in a prompt; above what a pack holds (12 and 8)


def wanted_file_names(job: DraftJob) -> tuple[str, ...]:
    """Return the file names to write."""
    asked = tuple(d.filename for d in job.matter.deliverables) or tuple(sorted(job.pack.skeletons))
    return asked or (DEFAULT_DELIVERABLE,)


def build_prompt(job: DraftJob, context: Context, previous: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the messages: how to work first, then the documents, then the brief, then the draft under revision.

    Args:
        job: The matter with its harness.
        context: The fenced documents.
        previous: Markdown of the draft under revision by file name; empty on the first pass.
    """
    names = wanted_file_names(job)
    return [
        {"role": "system", "content": _system(job, names, context.code)},
        {"role": "user", "content": _matter(job, names, context, previous)},
    ]


def _system(job: DraftJob, names: Sequence[str], code: str) -> str:
    prompts, skill = job.harness.prompts, job.pack.skill
    source = marked_source(job)
    return prompts.api.filled(
        code=code,
        revision=prompts.reviser.filled() if job.report else "",
        skill_name=skill.name,
        skill_description=skill.description,
        skill=skill.body.strip(),
        skeletons=_skeletons(job),
        leads=_leads(job),
        first_file=names[0],
        files=", ".join(names),
        ask_title=TITLE,
        ask_columns=", ".join(COLUMNS),
        ask_states="; ".join(s.value for s in AskState),
        redlines=", ".join(redlines_of(job.matter)) if source else "",
        source=inert_text(one_line(source)),
    )


def _matter(job: DraftJob, names: Sequence[str], context: Context, previous: Mapping[str, str]) -> str:
    """Return the user message. Draft and report repeat words of the documents, so both are fenced."""
    code = context.code
    drafts = [fenced("DRAFT", text.strip(), code, name) for name, text in sorted(previous.items())]
    return job.harness.prompts.api_matter.filled(
        extracts=context.extracts,
        unread_count=str(len(context.skipped) or ""),
        unread=context.unread,
        documents=context.documents,
        title=job.matter.title,
        brief=job.matter.instructions.strip(),
        asks="\n".join(f"{a.ask_id}. {one_line(a.words)}" for a in job.asks.asks),
        drafts="\n".join(drafts) if job.report else "",
        report=fenced("REPORT", job.report.strip(), code) if job.report else "",
        first_file=names[0],
        files=", ".join(names),
    )


def marked_source(job: DraftJob) -> str:
    """Return the document that the redlines of a matter mark up; empty where there is none, or no tool for it."""
    if not redlines_of(job.matter) or "redline" not in job.toolbox.names():
        return ""
    return next(iter(bases_of(job.matter, job.texts)), "")


def _skeletons(job: DraftJob) -> str:
    lines = []
    for filename, skeleton in sorted(job.pack.skeletons.items()):
        sections = "; ".join(s.title + ("" if s.required else "*") for s in skeleton.sections)
        if sections:
            lines.append(f"{filename} ({skeleton.deliverable_type}): {sections}")
    return "\n".join(lines)


def _leads(job: DraftJob) -> str:
    """Return the authorities and windows of the harness, one per line."""
    rows = [*job.pack.authorities, *job.pack.windows][:_MOST_LEADS]
    return "\n".join(
        "; ".join(f"{k}: {v}" for k, v in row.items() if v not in ("", None, [], {}))[:300] for row in rows
    )
