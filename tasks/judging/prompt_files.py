"""The prompts of the model judge: they belong to judging, not to the harness, so that no learner sees or edits them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from skills_repo.template import PromptTemplate, load_templates
from tasks.matter.base import content_hash


class Fault(StrEnum):
    """Why a reply is no usable verdict; ``prompts/again_<name>.md`` asks again."""

    NO_OBJECT = "no object with one verdict"
    NO_QUOTE = "a pass without a quote"
    SHORT_QUOTE = "a quote too short to decide anything"
    MISQUOTED = "a quote that is not in the work product"


_SLOTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "judge": (),
        "criterion": ("code", "redlines", "rule", "task", "title", "work"),
        "redlines": (),
        **{f"again_{fault.name.lower()}": () for fault in Fault},
    }
)


@lru_cache(maxsize=1)
def judge_prompts() -> Mapping[str, PromptTemplate]:
    """Return the prompts by file name: ``judge`` and ``criterion`` are one question, the others follow from it."""
    return MappingProxyType(load_templates(files("tasks.judging").joinpath("prompts"), _SLOTS))


def retry_request(fault: Fault) -> str:
    """Return the request that follows a reply that is no usable verdict."""
    return judge_prompts()[f"again_{fault.name.lower()}"].filled()


def prompts_version() -> str:
    """Return the content hash of the prompts (12 hex digits): other prompts make another judge."""
    return content_hash({name: prompt.text for name, prompt in judge_prompts().items()})[:12]
