"""The messages of the ``api`` runtime: the values for the slots of the harness's prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.drafting.api.context import Context
from tasks.drafting.briefing import leads, marked_source, numbered_asks, skeletons, table_of_asks, wanted_file_names
from tasks.drafting.fences import fenced, one_line
from tasks.drafting.records import DraftJob
from tasks.drafting.redlines import redlines_of
from tasks.models.fencing import inert_text


def build_prompt(job: DraftJob, context: Context, previous: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the messages: how to work first, then the documents, then the brief, then the draft under revision.

    The last is marked: whatever is asked for further, a rest or a file, begins with both.

    Args:
        job: The matter with its harness.
        context: The fenced documents.
        previous: Markdown of the draft under revision by file name; empty on the first pass.
    """
    names = wanted_file_names(job)
    return [
        {"role": "system", "content": _system(job, names, context.code)},
        {"role": "user", "content": _matter(job, names, context, previous), "cache": True},
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
        skeletons=skeletons(job),
        leads=leads(job),
        first_file=names[0],
        files=", ".join(names),
        table_of_asks=table_of_asks(job),
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
        asks=numbered_asks(job),
        drafts="\n".join(drafts) if job.report else "",
        report=fenced("REPORT", job.report.strip(), code) if job.report else "",
        first_file=names[0],
        files=", ".join(names),
    )
