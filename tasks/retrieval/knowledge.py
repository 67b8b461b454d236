"""The harness version in force, and what it knows that bears on a matter."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import knowledge_db
import skills_repo
from knowledge_db import KnowledgeBase
from knowledge_db.provisions import load_provisions
from skills_repo.router import route
from skills_repo.schema import load_prompts, load_skills
from tasks.legaltext.tokens import terms
from tasks.matter.records import Matter
from tasks.retrieval.records import Harness, KnowledgePack, Skeleton, SkeletonSection, SkillCard
from tasks.sources.records import MatterState

_SKILL_SURFACES = ("skills", "prompts", "tools", "gates.toml")
_AUTHORITIES = 12
_WINDOWS = 8
_MIN_SCORE = 0.08


def load_harness(root: Path | None = None) -> Harness:
    """Return the harness below ``root``, or the packaged one.

    Args:
        root: A folder with ``knowledge_db/data`` and ``skills_repo``, e.g. a candidate of the learner.
    """
    if root is None:
        knowledge = Path(str(knowledge_db.__file__)).parent / "data"
        skills = Path(str(skills_repo.__file__)).parent
    else:
        knowledge, skills = root / "knowledge_db" / "data", root / "skills_repo"
    return Harness(knowledge=knowledge, skills=skills, version=harness_version(knowledge, skills))


def harness_version(knowledge: Path, skills: Path) -> str:
    """Hash the editable surfaces: every file of the knowledge data, and skills, prompts, gates and learned tools.

    The order in which files are found and the place where they lie do not matter; caches and hidden files do not count.
    """
    digest = hashlib.sha256()
    named = [("knowledge/" + name, path) for name, path in _files(knowledge)]
    for surface in _SKILL_SURFACES:
        top = skills / surface
        found = [("", top)] if top.is_file() else list(_files(top))
        named.extend((f"skills/{surface}/{name}", path) for name, path in found)
    for name, path in sorted(named):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{name}\0{content}\n".encode())
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    if not folder.is_dir():
        return
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(
            p.startswith(".") or p == "__pycache__" or p.endswith((".pyc", "~")) for p in parts
        ):
            yield "/".join(parts), path


def role_prompts(harness: Harness) -> dict[str, str]:
    """Return the role prompts of a harness by role name."""
    return load_prompts(harness.skills)


def knowledge_base(harness: Harness) -> KnowledgeBase:
    """Return the knowledge of a harness, read with the tokenizer of legal text."""
    return _knowledge_base(harness.knowledge, harness.version)


@lru_cache(maxsize=4)
def _knowledge_base(folder: Path, version: str) -> KnowledgeBase:  # noqa: ARG001  (the version is its content)
    return KnowledgeBase(folder, terms)


def gather(matter: Matter, state: MatterState, harness: Harness) -> KnowledgePack:
    """Return the skill, the skeletons, the authorities and the deadline regimes that bear on a matter.

    Uses the public side of the matter and its inventory only. Same inputs give the same pack.
    """
    knowledge = knowledge_base(harness)
    chosen = route(
        load_skills(harness.skills),
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
        skill=SkillCard(
            skill_id=skill.skill_id, name=skill.name, body=skill.body, procedure=skill.procedure.model_dump(mode="json")
        ),
        skeletons={d.filename: _skeleton(knowledge, d.filename, matter) for d in matter.deliverables},
        authorities=_above(knowledge.search_authorities(query, _AUTHORITIES)),
        windows=_above(knowledge.search_windows(query, _WINDOWS)),
        provisions=load_provisions(harness.knowledge),
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
