"""What a harness knows that is relevant to a matter."""

from __future__ import annotations

from typing import Any

from knowledge_db import KnowledgeBase
from skills_repo.router import route
from tasks.harness import Harness
from tasks.matter.records import Matter
from tasks.retrieval.records import KnowledgePack, Skeleton, SkeletonSection, SkillCard
from tasks.sources.records import MatterState

_AUTHORITIES = 12  # rows of a pack; chosen by eye on the development matters
_WINDOWS = 8  # as above
_MIN_SCORE = 0.08  # least score of a row of a pack; chosen by eye on the development matters


def gather(matter: Matter, state: MatterState, harness: Harness) -> KnowledgePack:
    """Return the skill, the skeletons, the authorities and the deadline regimes that are relevant to a matter.

    Uses the public side of the matter and its inventory only. Same inputs give the same pack.
    """
    knowledge = harness.knowledge
    chosen = route(
        harness.skills,
        title=matter.title,
        area=matter.area,
        work_type=matter.work_type,
        tags=matter.tags,
        deliverables=[d.filename for d in matter.deliverables],
        instructions=matter.instructions,
    )
    skill = chosen.skill
    query = _question(matter, state)
    return KnowledgePack(
        harness_version=harness.version,
        skill=SkillCard.model_validate(skill.model_dump(include=set(SkillCard.model_fields))),
        skeletons={d.filename: _skeleton(knowledge, d.filename, matter) for d in matter.deliverables},
        authorities=_above(knowledge.search_authorities(query, _AUTHORITIES)),
        windows=_above(knowledge.search_windows(query, _WINDOWS)),
    )


def _question(matter: Matter, state: MatterState) -> str:
    kinds = sorted({d.document_type for d in state.documents if d.document_type})
    area = matter.area.replace("-", " ")
    return " ".join([matter.title, area, " ".join(matter.tags), matter.instructions, " ".join(kinds)])


def _above(found: list[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    return tuple(row for row in found if row["score"] >= _MIN_SCORE)


def _skeleton(knowledge: KnowledgeBase, filename: str, matter: Matter) -> Skeleton:
    found = knowledge.skeleton(filename, matter.title, matter.instructions)
    sections = tuple(SkeletonSection(**section) for section in found["sections"])
    return Skeleton(deliverable_type=found["deliverable_type"], sections=sections)
