"""The audit of skills: that they are of no one matter, name law that is held, and are not each other's copies."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from knowledge_db import KnowledgeBase
from skills_repo.schema import Skill, parts_of
from tasks.harness import Harness, HarnessRef
from tasks.learning.audit import audit_problem, words
from tasks.learning.gates import conclusion_in
from tasks.matter.base import Record

ALIKE = 0.5
"""Cosine of the words of two class skills from which one is the other with words changed. The nearest two of those
shipped have 0.42; a copy with every third word changed has from 0.61 to 0.76 to its original, one with every second
word changed from 0.40 to 0.62."""
_FEW = 2  # titles: a word that more of them have is of no one matter
_IDLE = 60  # the commonest words of all skills say nothing of their likeness
_WORD = re.compile(r"[^\W\d_]{3,}")


class SkillFault(Record):
    """What the audit says against a skill."""

    skill_id: str
    gate: str
    message: str


def audit_skills(harness: Harness, ref: HarnessRef, titles: Sequence[str] = ()) -> tuple[SkillFault, ...]:
    """Return what speaks against the skills of a harness, in their order; the form was checked when they were parsed.

    Args:
        harness: The harness.
        ref: Where it lies; the words of its knowledge are in general use.
        titles: Titles of matters, none of which a skill may be about.
    """
    general = _general(ref, harness.skills) | _of_many(titles) if titles else frozenset[str]()
    found = [*_copies([s for s in harness.skills if s.classes])]
    for skill in harness.skills:
        found += [
            SkillFault(skill_id=skill.skill_id, gate=g, message=m) for g, m in _of_one(skill, harness, titles, general)
        ]
    return tuple(sorted(found, key=lambda one: (one.skill_id, one.gate)))


def likeness(one: Skill, other: Skill, idle: Collection[str] = ()) -> float:
    """Return the cosine of the words that two skills say of their own, 0 to 1; words that are idle left out."""
    return _cosine(_counted(one, idle), _counted(other, idle))


def _counted(skill: Skill, idle: Collection[str]) -> Counter[str]:
    return Counter(word for word in _said(skill) if word not in idle)


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    product = sum(n * other[word] for word, n in one.items())
    size = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return product / size if size else 0.0


def idle_words(skills: Iterable[Skill]) -> frozenset[str]:
    """Return the commonest words of all skills."""
    counted = Counter(word for skill in skills for word in _said(skill))
    return frozenset(word for word, _ in counted.most_common(_IDLE))


def copied(skill: Skill, held: Iterable[Skill]) -> str:
    """Say of which class skill of a harness another is a copy with words changed; empty where it is of none.

    Args:
        skill: A class skill that is to be added, or to take the place of the one of its id.
        held: The skills of the harness.
    """
    others = [one for one in held if one.classes and one.skill_id != skill.skill_id]
    idle = idle_words([skill, *others])
    mine = _counted(skill, idle)
    return next((said for other in others if (said := _copy_of(other, _cosine(mine, _counted(other, idle))))), "")


def _of_one(
    skill: Skill, harness: Harness, titles: Sequence[str], general: Collection[str]
) -> Iterator[tuple[str, str]]:
    text = "\n".join([skill.name, skill.description, skill.body, *skill.law.values()])
    if conclusion := conclusion_in(text):
        yield "generality", f"holds {conclusion}"
    if problem := audit_problem(text, "", titles, general, None):
        yield "audit", problem
    held: KnowledgeBase = harness.knowledge
    for citation in skill.law.keys() - {row["citation"] for row in held.law_called(skill.law)}:
        yield "law", f"the knowledge does not hold {citation}"
    for window in set(skill.windows) - {row["window_id"] for row in held.windows_called(skill.windows)}:
        yield "windows", f"the knowledge has no deadline {window}"


def _copies(skills: Sequence[Skill]) -> Iterator[SkillFault]:
    idle = idle_words(skills)
    counted = [(skill, _counted(skill, idle)) for skill in skills]
    for (one, mine), (other, theirs) in combinations(counted, 2):
        if said := _copy_of(other, _cosine(mine, theirs)):
            yield SkillFault(skill_id=one.skill_id, gate="similarity", message=said)


def _copy_of(other: Skill, alike: float) -> str:
    return f"is {other.skill_id} with words changed: their words are alike to {alike:.2f}" if alike >= ALIKE else ""


def _said(skill: Skill) -> list[str]:
    own = [text for name, text in parts_of(skill.body).items() if name != "Anti-leakage checklist"]
    return [w.casefold() for w in _WORD.findall("\n".join([*own, *skill.law.values()]))]


def _general(ref: HarnessRef, skills: Sequence[Skill]) -> frozenset[str]:
    """Return the words of the harness without its class skills: nobody vouches for himself."""
    files = [path for path in ref.knowledge.rglob("*") if path.suffix in {".csv", ".toml"}]
    prompts = sorted((ref.skills / "prompts").glob("*.md"))
    said = [path.read_text(encoding="utf-8") for path in (*files, *prompts)]
    return frozenset(words("\n".join([*said, *(s.body for s in skills if not s.classes)])))


def _of_many(titles: Sequence[str]) -> frozenset[str]:
    counted = Counter(word for title in set(titles) for word in words(title))
    return frozenset(word for word, n in counted.items() if n > _FEW)


def titles_of(path: Path) -> tuple[str, ...]:
    """Return the titles of a CSV with a column ``title``.

    Raises:
        OSError: It cannot be read.
        KeyError: It has no such column.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(row["title"] for row in csv.DictReader(stream))
