"""The prompts: whether each of their lines reaches a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from flows.bench.liveness.records import Leaf
from skills_repo.schema import Skill
from tasks.drafting.api.context import Context
from tasks.drafting.api.prompt import build_prompt
from tasks.drafting.records import Cell, DraftJob
from tasks.harness import Harness
from tasks.matter.records import Deliverable, Matter
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.records import MatterState
from tasks.toolbox import Registry


def prompts(harness: Harness) -> Iterator[Leaf]:
    """Change each line of each prompt and put the messages of a first pass and of a revision together anew."""
    skill, before = harness.skills[0], None
    before = _all(skill, harness)
    for role, text in harness.prompts.model_dump().items():
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if line.strip():
                other = "\n".join([*lines[:number], line + " (changed)", *lines[number + 1 :]])
                changed = replace(harness, prompts=harness.prompts.model_copy(update={role: other}))
                yield Leaf("prompts", f"{role}: {line[:60]}", _all(skill, changed) != before)


def system_prompt(skill: Skill, harness: Harness, report: str = "") -> str:
    """Return what a model is told before it sees a document."""
    return build_prompt(_job(skill, harness, report), _context(), {})[0]["content"]


def _all(skill: Skill, harness: Harness) -> str:
    return system_prompt(skill, harness) + system_prompt(skill, harness, report="1. A flag.")


def _context() -> Context:
    return Context(text="", code="c0de", served=(), skipped=())


def _job(skill: Skill, harness: Harness, report: str) -> DraftJob:
    card = SkillCard(skill_id=skill.skill_id, name=skill.name, body=skill.body, procedure=skill.procedure)
    return DraftJob(
        matter=Matter(
            matter_id="bench/liveness",
            title="t",
            area="",
            instructions="i",
            deliverables=(Deliverable(name="m", filename="memo.docx"),),
        ),
        state=MatterState(matter_id="bench/liveness", documents=(), coverage=()),
        texts={},
        index=None,  # type: ignore[arg-type]
        pack=KnowledgePack(harness_version=harness.version, skill=card, skeletons={}),
        cell=Cell(name="api", runtime="api"),
        toolbox=Registry(tools={}),
        workspace=Path(),
        harness=harness,
        report=report,
    )
