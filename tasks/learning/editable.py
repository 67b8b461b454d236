"""What a proposer may see of a harness: the text of what it may edit, and the classes of matters without a skill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from skills_repo.learned import FOLDERS
from skills_repo.release_gates import FILE as GATES_FILE
from skills_repo.schema import SkillError, load_skills
from tasks.harness import HarnessRef
from tasks.learning.harness_gates import EDITABLE_ROLES
from tasks.learning.knowledge.rules import TAUGHT
from tasks.matter.records import Matter

_WORK_TYPES = ("analyze", "draft", "review", "research")


def knowledge_of(harness: HarnessRef) -> dict[str, str]:
    """Return the tables of words and cues, which are what general failures can teach something about."""
    paths = (path for family in TAUGHT for path in sorted((harness.knowledge / family).glob("*.*")))
    return _texts(harness.knowledge, paths)


def agents_of(harness: HarnessRef) -> dict[str, str]:
    """Return the prompts that say how to work, and the settings of the gates."""
    paths = [*(f"prompts/{role}.md" for role in EDITABLE_ROLES), GATES_FILE]
    return _texts(harness.skills, (harness.skills / path for path in paths))


def tools_of(harness: HarnessRef) -> dict[str, str]:
    """Return the learned tools and mechanisms."""
    return _texts(harness.skills, (p for folder in FOLDERS for p in sorted((harness.skills / folder).glob("*.py"))))


def classes_of(harness: HarnessRef, matters: Sequence[Matter]) -> tuple[str, ...]:
    """Return the classes of these matters that no skill is for, in words that the harness itself uses.

    An area that no skill of any class names is not told: what a corpus calls its areas may name a client.
    """
    try:
        routes = [skill.routes for skill in load_skills(harness.skills)]
    except (SkillError, OSError):
        return ()  # a broken harness is refused where it is run
    known = {area for route in routes for area in route.areas}
    met = {(m.area, m.work_type) for m in matters if m.area in known and m.work_type in _WORK_TYPES}
    lacking = {
        (area, work)
        for area, work in met
        if not any(area in r.areas and (work in r.work_types or not r.work_types) for r in routes)
    }
    return tuple(f"{area}/{work}" for area, work in sorted(lacking))


def _texts(folder: Path, paths: Iterable[Path]) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in paths if p.is_file()}
