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
    """Why a criterion has no usable answer; ``prompts/again_<name>.md`` asks again."""

    NO_ANSWER = "no object with one verdict"
    NO_QUOTE = "a pass without a quote"
    SHORT_QUOTE = "a quote too short to decide anything"
    MISQUOTED = "a quote that is not in the work product"


_SLOTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "judge": (),
        "batch": ("code", "criteria", "redlines", "task", "work"),
        "criterion": ("id", "rule", "title"),
        "redlines": (),
        "canary_present": ("words",),
        "canary_absent": ("figure", "name"),
        "again": ("faults", "ids"),
        **{f"again_{fault.name.lower()}": ("ids",) for fault in Fault},
    }
)


@lru_cache(maxsize=1)
def judge_prompts() -> Mapping[str, PromptTemplate]:
    """Return the prompts by file name: ``judge``, ``batch``, ``criterion`` are one question, ``again`` repeats it."""
    return MappingProxyType(load_templates(files("tasks.judging").joinpath("prompts"), _SLOTS))


def retry_request(faults: Mapping[Fault, list[str]]) -> str:
    """Return the request that follows answers which cannot be used: what is wrong with which, by their ids."""
    prompts = judge_prompts()
    told = [prompts[f"again_{fault.name.lower()}"].filled(ids=", ".join(ids)) for fault, ids in faults.items()]
    every = ", ".join(one for ids in faults.values() for one in ids)
    return prompts["again"].filled(faults="\n".join(told), ids=every)


def prompts_version() -> str:
    """Return the content hash of the prompts (12 hex digits): other prompts make another judge."""
    return content_hash({name: prompt.text for name, prompt in judge_prompts().items()})[:12]
