"""The prompts of the harness: whole files, each used by a stage; no words of a prompt stand in code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from skills_repo.template import PromptTemplate, load_templates

# What the code has to say to each prompt. A file that leaves one out, or asks for another, is refused.
SLOTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "api": (
            "code", "files", "first_file", "leads", "redlines", "revision", "skeletons", "skill", "skill_description",
            "skill_name", "source",
        ),
        "api_matter": (
            "brief", "documents", "drafts", "extracts", "files", "first_file", "report", "title", "unread",
            "unread_count",
        ),
        "api_missing": ("files",),
        "api_continue": (),
        "reviser": (),
        "chooser": (),
        "chooser_passage": ("code", "heading", "question", "sentences"),
    }
)  # fmt: skip


@dataclass(frozen=True)
class Prompts:
    """The prompts, by the role or the moment they are for.

    Attributes:
        api: System message of the runtime of one prompt.
        api_matter: Its user message: documents, brief, and on a revision the draft and the report on it.
        api_missing: Asks for the files that a reply left out.
        api_continue: Asks for the rest of a reply that was cut off.
        reviser: How a draft is revised with its release report.
        chooser: System message of a model that chooses the sentences that answer.
        chooser_passage: Its user message.
    """

    api: PromptTemplate
    api_matter: PromptTemplate
    api_missing: PromptTemplate
    api_continue: PromptTemplate
    reviser: PromptTemplate
    chooser: PromptTemplate
    chooser_passage: PromptTemplate


def load_prompts(folder: Path) -> Prompts:
    """Return the prompts of ``folder/prompts/*.md``.

    Raises:
        SkillError: A prompt is missing, empty or unknown, lacks a slot, or has a slot that nothing fills.
    """
    return Prompts(**load_templates(folder / "prompts", SLOTS))
