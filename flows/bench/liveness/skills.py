"""Procedures, routes and bodies of the skills: which of their leaves act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flows.bench.liveness.agent import demanded_by
from flows.bench.liveness.prompts import system_prompt
from flows.bench.liveness.records import Leaf, fewer, moved
from flows.bench.liveness.room import By, drafting
from skills_repo.router import route_score
from skills_repo.schema import Procedure, Skill
from tasks.harness import Harness


def procedure(harness: Harness) -> Iterator[Leaf]:
    """Change each setting of a procedure in turn and draft a small matter again."""
    # Most is shown: what a skill may leave out is there to be left out.
    full = harness.skills[0].procedure.model_copy(
        update={
            "passages_per_topic": 3,
            "memo_words": 1100,
            "severity_ratings": False,
            "compare_documents": False,
            "guided_questions": 1,
            "interrogator_turns": 12,
            "interrogator_raised": 1,
        }
    )
    with drafting(harness) as draft:
        ways: tuple[By, ...] = ("rules", "guided", "interrogator")
        before = {by: draft(full, by) for by in ways}
        for name in Procedure.model_fields:
            values = (1.0,) if name == "min_score" else moved(getattr(full, name))
            by: By = next((way for way in ways if name.startswith(f"{way}_")), "rules")
            changed = (full.model_copy(update={name: value}) for value in values if value != "")
            alive = any(draft(other, by) != before[by] for other in changed)
            yield Leaf("procedure", name, alive)


def skills(harness: Harness) -> Iterator[Leaf]:
    """Remove each cue of a route, and change each priority, each line of a body and each setting of a skill."""
    for skill in harness.skills:
        yield from _routes(skill)
        for field in ("name", "description"):
            other = skill.model_copy(update={field: f"{getattr(skill, field)} (changed)"})
            alive = system_prompt(skill, harness) != system_prompt(other, harness)
            yield Leaf("skills", f"{skill.skill_id}: {field}", alive)
        for name in skill.mandatory_tools:
            fewer_tools = tuple(t for t in skill.mandatory_tools if t != name)
            other = skill.model_copy(update={"mandatory_tools": fewer_tools})
            alive = demanded_by(harness, skill) != demanded_by(harness, other)
            yield Leaf("skills", f"{skill.skill_id}: mandatory_tools: {name}", alive)
        for line in skill.body.splitlines():
            if line.strip():
                yield Leaf("skills", f"{skill.skill_id}: {line[:60]}", _reaches_the_prompt(skill, line, harness))


def _routes(skill: Skill) -> Iterator[Leaf]:
    for field in type(skill.routes).model_fields:
        if field == "priority":
            continue
        for name, routes in fewer(skill.routes, field):
            cue = name.partition(": ")[2]
            asked = _matter_fields(field, cue)
            alive = (
                route_score(skill, **asked).reason
                != route_score(skill.model_copy(update={"routes": routes}), **asked).reason
            )
            yield Leaf("skills", f"{skill.skill_id}: routes.{name}", alive)
    higher = skill.routes.model_copy(update={"priority": skill.routes.priority + 1.0})
    cue = next((c for c in skill.routes.title), "")
    if cue:
        asked = _matter_fields("title", cue)
        alive = (
            route_score(skill, **asked).score != route_score(skill.model_copy(update={"routes": higher}), **asked).score
        )
        yield Leaf("skills", f"{skill.skill_id}: routes.priority", alive)


def _matter_fields(field: str, cue: str) -> dict[str, Any]:
    """Return the public fields of a matter in which a cue stands."""
    text = cue.rstrip("*")
    asked: dict[str, Any] = {"title": ""}
    if field == "areas":
        asked["area"] = text
    elif field == "work_types":
        asked["work_type"] = text
    else:
        asked[field] = [text] if field in ("tags", "deliverables") else text
    return asked


def _reaches_the_prompt(skill: Skill, line: str, harness: Harness) -> bool:
    changed = skill.model_copy(update={"body": skill.body.replace(line, line + " (changed)", 1)})
    return system_prompt(skill, harness) != system_prompt(changed, harness)
