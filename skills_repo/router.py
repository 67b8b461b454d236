"""Which skill fits a matter: scored cues with a reason, never a task's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from skills_repo.schema import Skill

FALLBACK = "other/general"
_WEIGHTS = {"title": 3.0, "deliverables": 3.0, "tags": 1.5, "instructions": 1.0, "work_types": 1.0, "areas": 0.5}
_CAPS = {"title": 6.0, "deliverables": 6.0, "tags": 3.0, "instructions": 4.0, "work_types": 1.0, "areas": 0.5}


@dataclass(frozen=True)
class ChosenSkill:
    """The chosen skill, its score, and the cues that were found."""

    skill: Skill
    score: float
    reason: str


@lru_cache(maxsize=4096)
def _pattern(cue: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in cue.lower().rstrip("*").split()]
    return re.compile(
        r"(?<![a-z0-9])" + r"[\s\-_]+".join(words) + ("" if cue.endswith("*") else r"(?:e?s)?(?![a-z0-9])")
    )


def _hits(cues: Iterable[str], text: str) -> list[str]:
    return [cue for cue in cues if _pattern(cue).search(text)]


def route_score(
    skill: Skill,
    title: str,
    area: str = "",
    work_type: str = "",
    tags: Sequence[str] = (),
    deliverables: Sequence[str] = (),
    instructions: str = "",
) -> ChosenSkill:
    """Score one skill against the public fields of a matter."""
    routes = skill.routes
    found: dict[str, list[str]] = {
        "title": _hits(routes.title, title.lower()),
        "deliverables": _hits(routes.deliverables, " ".join(deliverables).lower()),
        "tags": _hits(routes.tags, " | ".join(tags).lower()),
        "instructions": _hits(routes.instructions, instructions.lower()),
        "work_types": [str(w) for w in routes.work_types if w == work_type],
        "areas": [a for a in routes.areas if a == area],
    }
    total = sum(min(_CAPS[field], _WEIGHTS[field] * len(cues)) for field, cues in found.items())
    reason = "; ".join(f"{field}: {', '.join(cues)}" for field, cues in found.items() if cues)
    return ChosenSkill(skill, round(total + routes.priority, 3) if total else 0.0, reason)


def route(
    skills: Sequence[Skill],
    title: str,
    area: str = "",
    work_type: str = "",
    tags: Sequence[str] = (),
    deliverables: Sequence[str] = (),
    instructions: str = "",
) -> ChosenSkill:
    """Return the skill for the work of a matter; the general one where no cue of another is found.

    Class skills are not among them: they say the law, and are read together with the skill for the work.

    Ties go to the skill whose id sorts first, so that the choice does not depend on the order of files.

    Raises:
        LookupError: There are no skills.
    """
    if not skills:
        raise LookupError("The harness has no skills.")
    work = [s for s in skills if not s.classes]
    if not work:
        raise LookupError("The harness has no skill for the work, only class skills.")
    routes = [route_score(s, title, area, work_type, tags, deliverables, instructions) for s in work]
    best = min(routes, key=lambda r: (-r.score, r.skill.skill_id))
    if best.score >= 2.0:
        return best
    general = [s for s in work if s.skill_id == FALLBACK]
    chosen = general[0] if general else best.skill
    return ChosenSkill(chosen, best.score, "no cue speaks clearly for a specialised skill")
