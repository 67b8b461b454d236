"""Where a skill of a harness comes from: as Solon ships it, or by which edits of which learning run."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from tasks.harness import HarnessRef, find_harness
from tasks.learning.ledger import read
from tasks.learning.records import LedgerRow
from tasks.matter.base import Record

LEDGER = "ledger.jsonl"


class LearnedStep(Record):
    """An accepted edit of a skill: the learning run and the step that made it, and why."""

    learn_id: str
    step: int
    edit_digest: str
    rationale: str


class Lineage(Record):
    """A skill of a harness, and where it comes from.

    Attributes:
        version: Content hash of its file (12 hex digits).
        origin: ``shipped`` as it is, ``changed`` since, or ``learned``: shipped under no such name.
        edits: Accepted edits of it, the first first; empty where no ledger lies beside the harness.
    """

    skill_id: str
    version: str
    origin: Literal["shipped", "changed", "learned"]
    edits: tuple[LearnedStep, ...] = ()


class Difference(Record):
    """What became of a skill from one harness to another, with the unified diff of its file."""

    skill_id: str
    change: Literal["added", "removed", "changed"]
    diff: str


def lineage_of(harness: HarnessRef) -> tuple[Lineage, ...]:
    """Return the lineage of each skill, by id.

    The ledger of a learned harness lies two folders above it (``ledger.jsonl`` beside ``harnesses/<version>``); only
    edits on the way to this version count.

    Raises:
        SolonError: The ledger cannot be understood.
    """
    shipped, ours = _texts(find_harness()), _texts(harness)
    rows = list(_way_to(harness.version, read(harness.skills.parent.parent.parent / LEDGER)))
    return tuple(
        Lineage(
            skill_id=skill_id,
            version=hashlib.sha256(text.encode()).hexdigest()[:12],
            origin="shipped" if shipped.get(skill_id) == text else "changed" if skill_id in shipped else "learned",
            edits=_edits_of(skill_id, rows),
        )
        for skill_id, text in ours.items()
    )


def differences(before: HarnessRef, after: HarnessRef) -> tuple[Difference, ...]:
    """Return the skills that two harnesses do not have alike, by id."""
    old, new = _texts(before), _texts(after)
    return tuple(
        Difference(
            skill_id=skill_id,
            change="removed" if skill_id not in new else "changed" if skill_id in old else "added",
            diff=_diff(skill_id, old.get(skill_id, ""), new.get(skill_id, "")),
        )
        for skill_id in sorted(old.keys() | new.keys())
        if old.get(skill_id) != new.get(skill_id)
    )


def _texts(harness: HarnessRef) -> dict[str, str]:
    files = sorted((harness.skills / "skills").glob("*/*/SKILL.md"))
    return {f"{path.parent.parent.name}/{path.parent.name}": path.read_text(encoding="utf-8") for path in files}


def _way_to(version: str, rows: Sequence[LedgerRow]) -> Iterator[LedgerRow]:
    """Yield the accepted rows that lead to a version, the first first."""
    way: list[LedgerRow] = []
    for row in reversed(rows):
        if row.accepted and row.candidate_version == (way[-1].base_version if way else version):
            way.append(row)
    yield from reversed(way)


def _edits_of(skill_id: str, rows: Sequence[LedgerRow]) -> tuple[LearnedStep, ...]:
    return tuple(
        LearnedStep(learn_id=row.learn_id, step=row.step, edit_digest=row.edit_digest, rationale=row.rationale)
        for row in rows
        if row.surface == "skills" and Path(row.path) == Path("skills", skill_id, "SKILL.md")
    )


def _diff(skill_id: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{skill_id}", f"b/{skill_id}"
    )
    return "".join(lines)
