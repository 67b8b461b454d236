"""What an agent program is told: instructions, the task, and the routed skill, each a file in its working folder."""

from __future__ import annotations

from skills_repo.agent_skills import agent_skill, slug_of, when
from tasks.drafting.agent.opening import demanded_tools
from tasks.drafting.briefing import (
    leads,
    marked_source,
    numbered_asks,
    skeletons,
    table_of_asks,
    unread_documents,
    wanted_file_names,
)
from tasks.drafting.fences import fence_code, fenced, one_line
from tasks.drafting.records import DraftJob
from tasks.drafting.redlines import redlines_of
from tasks.models.fencing import inert_text


def instructions(job: DraftJob) -> str:
    """Return what stands in AGENTS.md and CLAUDE.md."""
    card, source = job.pack.skill, marked_source(job)
    return job.harness.prompts.cli.filled(
        skill_slug=slug_of(card.skill_id),
        skill_description=card.description,
        files=", ".join(wanted_file_names(job)),
        table_of_asks=table_of_asks(job),
        mandatory=", ".join(demanded_tools(job)),
        redlines=", ".join(redlines_of(job.matter)) if source else "",
        source=inert_text(one_line(source)),
        skeletons=skeletons(job),
        leads=leads(job),
    )


def task(job: DraftJob) -> str:
    """Return what the agent is asked to do. Brief and report repeat words of others, so they are fenced."""
    brief, report = f"Matter: {job.matter.title}\n{job.matter.instructions.strip()}", job.report.strip()
    code = fence_code([brief, report, *(text.sha256 for text in job.texts.values())])
    unread = unread_documents(job).items()
    return job.harness.prompts.cli_matter.filled(
        brief=fenced("BRIEF", brief, code),
        asks=numbered_asks(job),
        unread="; ".join(f"{one_line(name)} ({why})" if why else one_line(name) for name, why in unread),
        revision=job.harness.prompts.reviser.filled() if report else "",
        report=fenced("REPORT", report, code) if report else "",
        files=", ".join(wanted_file_names(job)),
    )


def skill(job: DraftJob) -> tuple[str, str]:
    """Return the name and the text of the routed skill, in the form in which programs look for skills."""
    card = job.pack.skill
    whole = next((s for s in job.harness.skills if s.skill_id == card.skill_id), None)
    said = when(whole.model_copy(update={"description": card.description})) if whole else card.description
    return slug_of(card.skill_id), agent_skill(card.skill_id, card.name, said, card.body)
