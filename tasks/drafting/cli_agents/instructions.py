"""What an agent program is told: instructions, the task, and the routed skill, each a file in its working folder."""

from __future__ import annotations

from tasks.asks.records import AskState
from tasks.asks.table import COLUMNS, TITLE
from tasks.drafting.api.context import one_line
from tasks.drafting.api.prompt import lead_lines, skeleton_lines, wanted_file_names
from tasks.drafting.records import DraftJob
from tasks.models.fencing import inert_text

from skills_repo.agent_skills import agent_skill, slug_of, when


def instructions(job: DraftJob) -> str:
    """Return what stands in AGENTS.md and CLAUDE.md."""
    skill = job.pack.skill
    return job.harness.prompts.cli.filled(
        skill_slug=slug_of(skill.skill_id),
        skill_description=skill.description,
        files=", ".join(wanted_file_names(job)),
        ask_title=TITLE,
        ask_columns=", ".join(COLUMNS),
        ask_states="; ".join(s.value for s in AskState),
        skeletons=skeleton_lines(job),
        leads=lead_lines(job),
    )


def task(job: DraftJob) -> str:
    """Return what the agent is asked to do: the brief, and on a revision the report on what it left."""
    unread = [d.name for d in job.matter.documents if d.name not in job.texts or not job.texts[d.name].text.strip()]
    return job.harness.prompts.cli_matter.filled(
        title=one_line(job.matter.title),
        brief=inert_text(job.matter.instructions.strip()),
        asks="\n".join(f"{a.ask_id}. {one_line(a.words)}" for a in job.asks.asks),
        unread=", ".join(one_line(name) for name in sorted(unread)),
        revision=job.harness.prompts.reviser.filled() if job.report else "",
        report=inert_text(job.report.strip()),
        files=", ".join(wanted_file_names(job)),
    )


def skill(job: DraftJob) -> tuple[str, str]:
    """Return the name and the text of the routed skill, in the form in which programs look for skills."""
    card = job.pack.skill
    whole = next((s for s in job.harness.skills if s.skill_id == card.skill_id), None)
    said = when(whole) if whole else card.description
    return slug_of(card.skill_id), agent_skill(card.skill_id, card.name, said, card.body)
