"""The prompts of the roles: whole files, each with a reader, no words of a prompt in code."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from skills_repo.schema import SkillError


class Prompts(BaseModel):
    """The prompt of each role.

    Attributes:
        solver: Who drafts a matter.
        reviser: Who mends the draft with its release report.
        learner: Who proposes edits of the harness.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    solver: str
    reviser: str
    learner: str


def load_prompts(folder: Path) -> Prompts:
    """Return the prompts of ``folder/prompts/*.md``.

    Raises:
        SkillError: A prompt is missing or empty, or a file is the prompt of no role.
    """
    found = {path.stem: path.read_text(encoding="utf-8").strip() for path in sorted((folder / "prompts").glob("*.md"))}
    known = set(Prompts.model_fields)
    if unknown := sorted(set(found) - known):
        raise SkillError(f"prompts/{unknown[0]}.md: is the prompt of no role; roles are {', '.join(sorted(known))}")
    if absent := sorted(name for name in known if not found.get(name)):
        raise SkillError(f"prompts/{absent[0]}.md: is missing or empty")
    return Prompts(**found)
