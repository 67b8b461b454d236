"""Procedures, routes and bodies of the skills: which of their leaves act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flows.bench.liveness.agent import demanded_by
from flows.bench.liveness.prompts import system_prompt
from flows.bench.liveness.records import ALL, Leaf, fewer, moved
from flows.bench.liveness.room import By, drafting
from skills_repo.class_cues import ClassCues, ClassGuess, WorkCues
from skills_repo.matter_classes import class_skill
from skills_repo.router import route_score
from skills_repo.schema import Procedure, Skill
from tasks.harness import Harness
from tasks.retrieval.knowledge import card_of


def procedure(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Change each setting of a procedure in turn and draft a small matter again."""
    # Most is shown: what a skill may leave out is there to be left out.
    full = harness.skills[0].procedure.model_copy(
        update={
            "passages_per_topic": 3,
            "memo_words": 1100,
            "severity_ratings": False,
            "compare_documents": False,
            "guided_questions": 3,
            "guided_choices": 9,
            "guided_weight": 0.9,
            "interrogator_turns": 12,
            "interrogator_raised": 1,
        }
    )
    with drafting(harness) as draft:
        ways: tuple[By, ...] = ("rules", "guided", "interrogator")
        before: dict[By, object] = {}
        for name in [*Procedure.model_fields][rows]:
            values = (1.0,) if name == "min_score" else moved(getattr(full, name))
            by: By = next((way for way in ways if name.startswith(f"{way}_")), "rules")
            if by not in before:
                before[by] = draft(full, by)
            changed = (full.model_copy(update={name: value}) for value in values if value != "")
            alive = any(draft(other, by) != before[by] for other in changed)
            yield Leaf("procedure", name, alive)


def skills(harness: Harness) -> Iterator[Leaf]:
    """Remove each cue of a route, and change each priority, each line of a body and each setting of a skill."""
    work = next(s for s in harness.skills if not s.classes)
    for skill in harness.skills:
        card = card_of(work, skill) if skill.classes else card_of(skill)
        if not skill.classes:
            yield from _routes(skill)
        yield from _said(skill, harness)
        for name in skill.mandatory_tools:
            if name not in work.mandatory_tools or not skill.classes:
                fewer_tools = tuple(t for t in card.mandatory_tools if t != name)
                other = card.model_copy(update={"mandatory_tools": fewer_tools})
                alive = demanded_by(harness, card) != demanded_by(harness, other)
                yield Leaf("skills", f"{skill.skill_id}: mandatory_tools: {name}", alive)


def _said(skill: Skill, harness: Harness) -> Iterator[Leaf]:
    """Mark every line that a skill has to say and compose it anew: each mark must reach the prompt.

    One prompt shows it of all lines; a prompt for each line of each skill would take minutes.
    """
    marks: list[tuple[str, str]] = []

    def marked(name: str, text: str) -> str:
        marks.append((name, f"(mark {len(marks)})"))
        return f"{text} {marks[-1][1]}"

    changed = skill.model_copy(
        update={
            "name": marked("name", skill.name),
            "description": marked("description", skill.description),
            "law": {cited: marked(f"law: {cited}", says) for cited, says in skill.law.items()},
            "body": "\n".join(
                marked(line[:60], line) if line.strip() and not line.startswith("#") else line
                for line in skill.body.splitlines()
            ),
        }
    )
    work = next(s for s in harness.skills if not s.classes)
    told = system_prompt(card_of(work, changed) if skill.classes else card_of(changed), harness)
    for name, mark in marks:
        yield Leaf("skills", f"{skill.skill_id}: {name}", mark in told)
    held = harness.knowledge.law_called(skill.law)
    yield from (Leaf("skills", f"{skill.skill_id}: law: {c}", any(r["citation"] == c for r in held)) for c in skill.law)
    known = {row["window_id"] for row in harness.knowledge.windows_called(skill.windows)}
    yield from (Leaf("skills", f"{skill.skill_id}: windows: {w}", w in known) for w in skill.windows)


def classes(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Move each weight of the table of titles; what a title of those words is taken for must move with it."""
    table = harness.classes
    for surface, known in (("areas", table.areas), ("work_types", table.work_types)):
        for name, cues in [*known.items()][rows]:
            for cue, weight in cues.cues.items():
                title = cue.removeprefix("^")
                other = cues.model_copy(update={"cues": {cue: weight + 1.0}})
                alone = cues.model_copy(update={"cues": {cue: weight}})
                moved_to, stood = (_ranked(table, surface, name, of, title) for of in (other, alone))
                yield Leaf("classes", f"{surface}.{name}: {cue}", moved_to != stood)
            higher = cues.model_copy(update={"base": cues.base + 1.0})
            alive = _ranked(table, surface, name, higher, "") != _ranked(table, surface, name, cues, "")
            yield Leaf("classes", f"{surface}.{name}: base", alive)
    for name, area in [*table.areas.items()][rows]:
        for alias in area.aliases:
            yield Leaf("classes", f"areas.{name}: aliases: {alias}", table.rank("", alias) == table.rank("", name))
        for work, weight in area.work_types.items():
            other_area = area.model_copy(update={"work_types": {**area.work_types, work: weight + 1.0}})
            alive = len(area.work_types) < 2 or _ranked(table, "areas", name, other_area, "", name) != table.rank(
                "", name
            )
            yield Leaf("classes", f"areas.{name}: work_types: {work}", alive)
    alive = any(_given(harness, 0.0, area) != _given(harness, 1.0, area) for area in table.areas)
    yield Leaf("classes", "least", alive)


def _ranked(
    table: ClassCues, surface: str, name: str, cues: WorkCues, title: str, area: str = ""
) -> tuple[ClassGuess, ...]:
    """Return the guesses for a title where one area or work type has other cues, and the rest has none."""
    return table.model_copy(update={surface: {**getattr(table, surface), name: cues}}).rank(title, area)


def _given(harness: Harness, least: float, area: str) -> str:
    """Return the class skill of a matter of an area whose title says nothing."""
    found = class_skill(harness.skills, harness.classes.model_copy(update={"least": least}), "", area)
    return found.skill_id if found else ""


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
