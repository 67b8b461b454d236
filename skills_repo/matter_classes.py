"""Class skills: which one a matter has, and how it is read together with the skill for the work.

A procedure is written once for a kind of work, the law once for a class of matters; what a solver follows is both.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_repo.class_cues import ClassCues
from skills_repo.schema import PARTS, Skill, parts_of

_FRAMEWORKS = "Legal frameworks"
_FAILURES = "Failure modes corrected"


def class_skill(
    skills: Sequence[Skill], cues: ClassCues, title: str, area: str = "", work_type: str = ""
) -> Skill | None:
    """Return the skill of a matter's class; None where the class is in doubt or has none.

    The area and the work type of the matter decide where they are known, else what its title speaks of.
    """
    by_class = {name: skill for skill in skills for name in skill.classes}
    best = next(iter(cues.rank(title, area, work_type)), None)
    return by_class.get(best.name) if best is not None and best.share >= cues.least else None


def classes_without_a_skill(skills: Sequence[Skill], cues: ClassCues) -> tuple[str, ...]:
    """Return the classes that the table of titles knows and no skill is for: their matters have the work alone."""
    known = {name for skill in skills for name in skill.classes}
    return tuple(sorted({guess.name for guess in cues.rank("")} - known))


def whole_body(skill: Skill) -> str:
    """Return the body of a skill with its law said at the end of the legal frameworks, an authority a line."""
    if not skill.law:
        return skill.body
    law = "\n".join(f"- {citation}: {says}" for citation, says in skill.law.items())
    return _written(skill.name, {**parts_of(skill.body), _FRAMEWORKS: f"{parts_of(skill.body)[_FRAMEWORKS]}\n\n{law}"})


def pitfalls(skill: Skill) -> str:
    """Return the failure modes of a skill in one line."""
    lines = parts_of(skill.body)[_FAILURES].splitlines()
    return " ".join(line.removeprefix("- ").strip() for line in lines if line.strip())


def composed(work: Skill, law: Skill) -> Skill:
    """Return what a solver follows: the parts of the skill for the work, each followed by what the class adds.

    The class's tools are demanded beside those of the work; a line that both have is said once.
    """
    ours, theirs = parts_of(work.body), parts_of(whole_body(law))
    parts = {name: _joined(ours[name], theirs[name]) for name in PARTS}
    name = f"{work.name}; {law.name}"
    return work.model_copy(
        update={
            "name": name,
            "description": f"{work.description} {law.description}",
            "mandatory_tools": tuple(dict.fromkeys((*work.mandatory_tools, *law.mandatory_tools))),
            "body": _written(name, parts),
        }
    )


def _joined(ours: str, theirs: str) -> str:
    said = set(ours.splitlines())
    more = "\n".join(line for line in theirs.splitlines() if line not in said or not line.strip()).strip()
    return f"{ours}\n\n{more}" if more else ours


def _written(title: str, parts: dict[str, str]) -> str:
    sections = (f"## {number}. {name}\n\n{parts[name]}" for number, name in enumerate(PARTS, start=1))
    return "\n\n".join([f"# {title}", *sections])
