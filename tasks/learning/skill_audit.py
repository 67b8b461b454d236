"""The audit of skills: that they are of no one matter, name law that is held, and are not each other's copies."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from knowledge_db import KnowledgeBase
from skills_repo.schema import Skill, parts_of
from tasks.harness import Harness, HarnessRef
from tasks.learning.audit import audit_problem, words
from tasks.learning.gates import conclusion_in
from tasks.matter.base import Record

ALIKE = 0.28
"""Share of the words of two class skills that both say in the same order, from which one is the other with words
changed. The nearest two of those shipped have 0.17. A copy has 0.66 to its original where every third word is another,
0.50 where every second is, 0.33 where two of three are."""
SAME_LAW = 0.6
"""Share of the authorities of two class skills that both name, from which they are of one class. The nearest two of
those shipped have 0.22; a copy whose sentences were written anew and put in another order has 1."""
_FEW = 2  # titles: a word that more of them have is of no one matter
_TOLD = 2  # words of a change that the caption of its authority says, or all where it has fewer
_WORD = re.compile(r"[^\W\d_]{3,}")
_TELLING = re.compile(r"[^\W\d_]{5,}")  # shorter words say little of what changed
_STEM = 5  # letters by which two words of one change are the same


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


class Likeness(NamedTuple):
    """How near two class skills are to each other.

    Attributes:
        words: Share of their words that both say in the same order, 0 to 1.
        law: Share of their authorities that both name, 0 to 1.
    """

    words: float
    law: float

    @property
    def copied(self) -> bool:
        """Whether one is the other with words changed."""
        return self.words >= ALIKE or self.law >= SAME_LAW


def likeness(one: Skill, other: Skill) -> Likeness:
    """Return how near two skills are, by what they say of their own and by the law that they name."""
    return _likeness(one, _said(one), other, _said(other))


def _likeness(one: Skill, mine: Sequence[str], other: Skill, theirs: Sequence[str]) -> Likeness:
    both = len(mine) + len(theirs)
    law = one.law.keys() | other.law.keys()
    return Likeness(
        words=2 * LCSseq.similarity(mine, theirs) / both if both else 0.0,
        law=len(one.law.keys() & other.law.keys()) / len(law) if law else 0.0,
    )


def copied(skill: Skill, held: Iterable[Skill]) -> str:
    """Say of which class skill of a harness another is a copy with words changed; empty where it is of none.

    Args:
        skill: A class skill that is to be added, or to take the place of the one of its id.
        held: The skills of the harness.
    """
    others = (one for one in held if one.classes and one.skill_id != skill.skill_id)
    return next((said for other in others if (said := _copy_of(other, likeness(skill, other)))), "")


def _of_one(
    skill: Skill, harness: Harness, titles: Sequence[str], general: Collection[str]
) -> Iterator[tuple[str, str]]:
    text = "\n".join([skill.name, skill.description, skill.body, *skill.law.values()])
    if conclusion := conclusion_in(text):
        yield "generality", f"holds {conclusion}"
    if problem := audit_problem(text, "", titles, general, None):
        yield "audit", problem
    held: KnowledgeBase = harness.knowledge
    rows = held.law_called(skill.law)
    for citation in skill.law.keys() - {row["citation"] for row in rows}:
        yield "law", f"the knowledge does not hold {citation}"
    for citation, change in ((row["citation"], change) for row in rows for change in held.standings.changed(row)):
        if not _tells(skill.law[citation], change.what):
            yield "standing", f"does not tell what changed of {citation} on {change.since}: {change.what}"
    for window in set(skill.windows) - {row["window_id"] for row in held.windows_called(skill.windows)}:
        yield "windows", f"the knowledge has no deadline {window}"


def _tells(caption: str, change: str) -> bool:
    """Say whether the caption of an authority has words of its change."""
    told = _stems(change)
    return len(told & _stems(caption)) >= min(_TOLD, len(told))


def _stems(text: str) -> set[str]:
    return {word.casefold()[:_STEM] for word in _TELLING.findall(text)}


def _copies(skills: Sequence[Skill]) -> Iterator[SkillFault]:
    said = [(skill, _said(skill)) for skill in skills]
    for (one, mine), (other, theirs) in combinations(said, 2):
        if problem := _copy_of(other, _likeness(one, mine, other, theirs)):
            yield SkillFault(skill_id=one.skill_id, gate="similarity", message=problem)


def _copy_of(other: Skill, alike: Likeness) -> str:
    if not alike.copied:
        return ""
    shares = f"{alike.words:.2f} of their words stand in one order, {alike.law:.2f} of their authorities are the same"
    return f"is {other.skill_id} with words changed: {shares}"


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
