"""Which edits of the catalogue the matters of a corpus need, judged by their briefs alone."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence

from knowledge_db.records import ProvisionEntry
from skills_repo.matter_classes import class_skill
from skills_repo.router import route
from tasks.harness import Harness
from tasks.learning.proposers.catalogue import CatalogueEdit
from tasks.learning.reach import asked, brief_of
from tasks.matter.records import Matter
from tasks.retrieval.provisions import provision


def called_for(edits: Sequence[CatalogueEdit], shipped: Harness, matters: Sequence[Matter]) -> list[CatalogueEdit]:
    """Return the edits without provisions that no brief asks for, and without skills that no matter is routed to.

    Args:
        edits: What parts the shipped harness from the empty one.
        shipped: The harness that was taken apart.
        matters: Of the corpus; of them the public fields alone are read.
    """
    briefs = [brief_of(matter) for matter in matters]
    skills = {skill for matter in matters for skill in _skills_for(matter, shipped)}
    met = {one.path for one in edits if one.path.startswith("provisions/") and _met(one, briefs)}
    return [one for one in edits if _kept(one, met, skills)]


def _kept(one: CatalogueEdit, met: set[str], skills: set[str]) -> bool:
    if one.path.startswith("provisions/"):
        return one.path in met
    return one.surface != "skills" or one.path.removeprefix("skills/").removesuffix("/SKILL.md") in skills


def _met(one: CatalogueEdit, briefs: Sequence[str]) -> bool:
    known = provision(ProvisionEntry.model_validate(tomllib.loads(one.after)["provision"][0]))
    return any(asked(known, brief) for brief in briefs)


def _skills_for(matter: Matter, shipped: Harness) -> list[str]:
    """Return the skill for the work, and the one of its class where there is one."""
    files = [deliverable.filename for deliverable in matter.deliverables]
    fields = matter.title, matter.area, matter.work_type
    work = route(shipped.skills, *fields, matter.tags, files, matter.instructions).skill
    law = class_skill(shipped.skills, shipped.classes, *fields)
    return [work.skill_id, *([law.skill_id] if law else [])]
