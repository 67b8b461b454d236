"""What a harness knows that is relevant to a matter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import zip_longest
from typing import Any

from knowledge_db import KnowledgeBase
from knowledge_db.jurisdictions import codes_in
from skills_repo.matter_classes import class_skill, composed, pitfalls
from skills_repo.router import route
from skills_repo.schema import Skill
from tasks.harness import Harness
from tasks.matter.records import Matter
from tasks.retrieval.records import KnowledgePack, Skeleton, SkeletonSection, SkillCard
from tasks.sources.records import MatterState

_AUTHORITIES, _WINDOWS = 12, 8  # leads of a matter: as many as a lawyer checks, by judgment and not measured
_MIN_SCORE = 0.08  # what fits less shares a common word only; it keeps the pack of a matter without law empty
_STATE = re.compile(r"US-[A-Z]{2}")
_OF_A_TRIGGER = 2  # authorities of one trigger: the third is seldom about the document any more


def gather(matter: Matter, state: MatterState, harness: Harness) -> KnowledgePack:
    """Return the skill, the skeletons, the authorities and the deadline regimes that are relevant to a matter.

    Law is searched for what the brief asks, and for what the types of the documents bring with them; where they bring
    nothing, for what the practice area does.
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
    law = class_skill(harness.skills, harness.classes, matter.title, matter.area, matter.work_type)
    query = _question(matter, state)
    triggers = _triggers(matter, state, knowledge)
    places = codes_in(query, knowledge.folder)
    return KnowledgePack(
        harness_version=harness.version,
        skill=card_of(chosen.skill, law),
        skeletons={d.filename: _skeleton(knowledge, d.filename, matter) for d in matter.deliverables},
        authorities=_joined(
            _of_here(knowledge.search_authorities(query, _AUTHORITIES), places),
            [_because(t, why, knowledge.law_on(t, query, _OF_A_TRIGGER, places)) for t, why in triggers.items()],
            "citation",
            _AUTHORITIES,
            _of_class(law, knowledge.law_called(law.law)) if law else (),
        ),
        windows=_joined(
            _of_here(knowledge.search_windows(query, _WINDOWS), places),
            [_because(t, why, knowledge.windows_on(t, query, 1, places)) for t, why in triggers.items()],
            "window_id",
            _WINDOWS,
            _of_class(law, knowledge.windows_called(law.windows)) if law else (),
        ),
    )


def card_of(work: Skill, law: Skill | None = None) -> SkillCard:
    """Return what a solver is given of the skill for the work, with the law of the class where there is some."""
    whole = composed(work, law) if law else work
    card = SkillCard.model_validate(whole.model_dump(include=set(SkillCard.model_fields)))
    return card.model_copy(update={"class_id": law.skill_id, "pitfalls": pitfalls(law)}) if law else card


def _of_class(law: Skill, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    why = {row.get("citation", ""): law.law.get(row.get("citation", ""), "a deadline of it") for row in rows}
    return [{**row, "reason": f"the class of the matter: {why[row.get('citation', '')]}"} for row in rows]


def _question(matter: Matter, state: MatterState) -> str:
    kinds = sorted({d.document_type for d in state.documents if d.document_type})
    area = matter.area.replace("-", " ")
    return " ".join([matter.title, area, " ".join(matter.tags), matter.instructions, " ".join(kinds)])


def _triggers(matter: Matter, state: MatterState, knowledge: KnowledgeBase) -> dict[str, str]:
    """Return the retrieval triggers, each with what brings it: the types of the documents, else the practice area."""
    kinds = Counter(d.document_type for d in state.documents)
    ordered = sorted(state.documents, key=lambda d: -kinds[d.document_type])
    brought = {t: f"the data room holds a document of type {d.document_type}" for d in ordered for t in d.triggers}
    return brought or {t: f"a matter of {matter.area}" for t in knowledge.triggers_of_area(matter.area)}


def _of_here(rows: list[dict[str, Any]], places: Collection[str]) -> list[dict[str, Any]]:
    """Leave out the law of a state that the matter does not name: words that any contract has brought it."""
    return [row for row in rows if not _STATE.fullmatch(row["jurisdiction"]) or row["jurisdiction"] in places]


def _because(trigger: str, why: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "reason": f"{why}: {trigger}"} for row in found]


def _joined(
    asked: list[dict[str, Any]],
    brought: list[list[dict[str, Any]]],
    key: str,
    most: int,
    of_class: Sequence[dict[str, Any]] = (),
) -> tuple[dict[str, Any], ...]:
    """Return the best that the question and each trigger bring, then the second best of each, and so on, each once.

    What the class of the matter turns on stands behind it: a solver reads it in the skill, too.
    """
    fit = [row for row in asked if row["score"] >= _MIN_SCORE]
    in_turn = [row for rank in zip_longest(fit, *brought) for row in rank if row is not None]
    found = tuple({row[key]: row for row in reversed(in_turn)}.values())[::-1][:most]
    there = {row[key] for row in found}
    return (*found, *(row for row in of_class if row[key] not in there))


def _skeleton(knowledge: KnowledgeBase, filename: str, matter: Matter) -> Skeleton:
    found = knowledge.skeleton(filename, matter.title, matter.instructions)
    sections = tuple(SkeletonSection(**section) for section in found["sections"])
    return Skeleton(deliverable_type=found["deliverable_type"], sections=sections)
